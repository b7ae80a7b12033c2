"""Everything that the library hands out can be copied and pickled, and says what it is."""

from __future__ import annotations

import copy
import inspect
import pickle
import pydoc
from collections.abc import Mapping

import pytest

import meldref
from meldref import IllegalMove, audit_text, best_plays, judge_move, legal_moves, legal_turns
from meldref.core.records import fields_of
from meldref.notation import read_lines

LOG = """\
[Rules "500-rummy"]
[Set "game.target=300"]
[Players "Ann, Bob"]

hand 1 dealer Bob
deal Ann 5h 6h 7h ?*10
up 4c
1. Ann: take 4c; discard 4c
score Ann 5, Bob 0
"""


def _offered():
    """A value of each kind that comes out of the library."""
    ruleset, _ = meldref.load_ruleset("persian-rummy", settings=["game.target=300"])
    built, _ = meldref.load_position(
        {
            "hands": {"A": "4d 9h 2h 5h 6h 7h Jk", "B": "?*7"},
            "pile": "6s 4c Qs 4s",
            "table": {"m1": {"A": "9c 9d 9s"}},
        }
    )
    judgement = judge_move(built, "take 4s; meld 4s 4d Jk; discard 2h")
    owing = judge_move(built, "take 4c; meld 5h 6h 7h")
    report = audit_text(LOG)
    with pytest.raises(IllegalMove) as wrong:
        meldref.require_legal(built, "take 4s; discard 4s")
    return {
        "ruleset": ruleset,
        "rulesets that ship": meldref.list_rulesets()[0],
        "position": built,
        "judgement": judgement,
        "judgement of a turn begun": owing,
        "moves": legal_moves(built),
        "turns": legal_turns(built),
        "best plays": best_plays(built),
        "report": report,
        "finding": report.findings[0],
        "lines": list(read_lines(LOG)),
        "exception": wrong.value,
    }


OFFERED = _offered()
KINDS = [kind for name in meldref.__all__ if isinstance(kind := getattr(meldref, name), type)]
WAYS = {
    "pickled": lambda one: pickle.loads(pickle.dumps(one)),  # noqa: S301  our own
    "copied": copy.copy,
    "copied deeply": copy.deepcopy,
}


def _told(one):
    """What tells two values apart, exceptions included."""
    return (type(one), one.finding) if isinstance(one, Exception) else one


@pytest.fixture(scope="module")
def offered():
    """Made now, for positions with the same book of melds are equal, and books are not kept for ever."""
    return _offered()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", OFFERED)
def test_what_is_offered_can_be_pickled_and_copied(offered, name, way):
    one = offered[name]
    again = WAYS[way](one)
    assert _told(again) == _told(one)
    assert repr(again) == repr(one)
    assert type(again) is type(one)


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if fields_of(kind)], ids=lambda kind: kind.__name__
)
def test_the_signature_of_a_record_names_its_fields_and_help_shows_it(kind):
    signature = inspect.signature(kind)
    assert tuple(signature.parameters) == fields_of(kind)
    assert f"class {kind.__name__}" in (shown := _help(kind))
    assert all(name in shown for name in signature.parameters)


def test_a_signature_has_the_types_and_the_defaults():
    assert (
        str(inspect.signature(meldref.Span))
        == "(line: 'int', column: 'int' = 1, end_column: 'int' = 1)"
    )
    report = inspect.signature(meldref.LogReport).parameters
    assert report["findings"].default is not inspect.Parameter.empty
    assert report["path"].default is inspect.Parameter.empty


def test_a_copy_of_a_ruleset_is_as_frozen_as_the_ruleset():
    again = copy.deepcopy(OFFERED["ruleset"])
    assert again.origins == OFFERED["ruleset"].origins
    assert again.origin("game.target").value == "300"
    assert isinstance(again.origins, Mapping)
    with pytest.raises(TypeError):
        again.origins["game.target"] = None


def test_what_is_done_with_a_deep_copy_leaves_the_original_as_it_was():
    built, again = OFFERED["position"], copy.deepcopy(OFFERED["position"])
    before = repr(built)
    again.judge.play.actions  # noqa: B018  it can be played on
    again.position.hands[0] = 0
    again.position.turn.floater = True
    assert repr(built) == before
    assert again != built


def test_a_position_that_was_pickled_is_judged_like_the_original():
    built = pickle.loads(pickle.dumps(OFFERED["position"]))  # noqa: S301  our own
    for move in (
        "take 4s; meld 4s 4d Jk; discard 2h",
        "draw; lay off 9h; discard 2h",
        "draw; meld 5h 6h 7h",
    ):
        here, there = judge_move(built, move), judge_move(OFFERED["position"], move)
        assert (here.verdict, here.findings, here.points) == (
            there.verdict,
            there.findings,
            there.points,
        )


def test_values_say_what_they_are():
    assert repr(meldref.Span(3)) == "Span(line=3, column=1, end_column=1)"
    assert repr(OFFERED["position"].judge) == "Judge(500-rummy, players=2)"
    assert "object at" not in repr(OFFERED)


def _help(kind):
    return pydoc.plain(pydoc.render_doc(kind))
