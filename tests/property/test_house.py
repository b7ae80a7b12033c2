"""Whatever somebody answers: rules that can be played and say it, or a sentence why not."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldref.rulefiles.compose import compose
from meldref.rulefiles.files import Found, list_rulesets
from meldref_authoring.lint import Basis, review
from meldref_authoring.wizard import (
    QUESTIONS,
    House,
    StartingGame,
    check_answer,
    start_from,
    write_house,
)

GAMES = [shipped.id for shipped in list_rulesets() if shipped.type == "game"]
NAMES = st.text(
    st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp", "Cn", "Co")),
    min_size=1,
    max_size=20,
)
ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        question.name: st.sampled_from([answer.word for answer in question.answers])
        if question.answers
        else st.integers(1, 5000).map(str)
        for question in QUESTIONS
    },
)
HERE = Found(Path.cwd() / "our-house.yaml", "our-house.yaml")


@cache
def table(game: str) -> StartingGame:
    found = start_from(game)
    assert isinstance(found, StartingGame)
    return found


@pytest.mark.sweep
@given(st.sampled_from(GAMES), NAMES, ANSWERS)
def test_answers_make_a_clean_file_that_says_them_or_are_refused_in_words(game, name, words):
    answers = {
        question.name: check_answer(question, words[question.name])
        for question in QUESTIONS
        if question.name in words
    }
    made = write_house(House("our-house", name, game), table(game), answers)
    if not isinstance(made, str):
        assert all(
            clash.message and clash.questions and set(clash.questions) <= set(answers)
            for clash in made
        )
        assert not any(re.search(r"\w\.\w| = ", clash.message) for clash in made)
        return
    assert review(HERE, made.encode(), Basis()) == ()
    composed = compose(HERE, (), (), None, {HERE.path: made.encode()})
    assert composed.ruleset is not None
    assert composed.ruleset.name == name
    ours = StartingGame("our-house", name, composed.stack.merged(frozenset(composed.stack.layers)))
    said = {
        key: value
        for question in QUESTIONS
        for one in question.answers
        if answers.get(question.name) == one.word
        for key, value in one.says.items()
    }
    assert not [key for key, value in said.items() if ours.differs(key, value)]
    assert ours.number("game.target") == answers.get("target", table(game).number("game.target"))


@pytest.mark.sweep
@given(st.sampled_from(GAMES), ANSWERS)
def test_nothing_is_written_that_the_game_says_already(game, words):
    answers = {
        question.name: check_answer(question, words[question.name])
        for question in QUESTIONS
        if question.name in words
    }
    made = write_house(House("our-house", "Ours", game), table(game), answers)
    if isinstance(made, str):
        composed = compose(HERE, (), (), None, {HERE.path: made.encode()})
        leaves = composed.stack.layers[HERE.key].leaves
        base = table(game).leaves
        assert [
            key
            for key, leaf in leaves.items()
            if leaf.value is not None and key in base and base[key].value == leaf.value
        ] == []
