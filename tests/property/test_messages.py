"""Whatever message the service gets, it replies with an answer or an error, and goes on."""

from __future__ import annotations

import json
import os

import pytest

from meldref_service.described import whole_schema
from meldref_service.lines import Lines
from messages import messages, mutated

MANY = 5_000 if int(os.environ.get("MELDREF_FUZZ", "0")) > 4 else 400
SCHEMA = whole_schema()


def replies(door: Lines, text: str) -> dict:
    reply = door.reply(text)
    assert reply.isascii()
    assert "\n" not in reply
    data = json.loads(reply)
    assert ("answer" in data) != ("error" in data)
    return data


def test_every_message_of_the_schema_is_answered():
    door = Lines()
    for message in messages():
        told = replies(door, json.dumps(message))
        assert told["id"] == message["id"]
        assert "answer" in told, told


@pytest.mark.parametrize("part", range(4))
def test_a_mutated_message_gets_an_answer_or_an_error_that_is_no_fault_of_ours(part):
    door = Lines()
    for seed in range(part * MANY // 4, (part + 1) * MANY // 4):
        text = mutated(seed)
        told = replies(door, text)
        if "error" in told:
            assert "fault of meldref" not in told["error"]["message"], (seed, text[:2000])
    assert "answer" in replies(door, json.dumps(next(messages())))
