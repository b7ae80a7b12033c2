"""What is said of a move while a card of the hand is unseen holds for every card that it may be.

A move that is legal with some card is never illegal without it, one that is legal without it is so with each card, and
a whole turn that is illegal with each card is illegal. `MELDREF_HIDDEN` says how many positions are looked at under the
rules of each game, `MELDREF_HIDDEN_FROM` the number of the first.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from meldref.answers.legal import judge_without_help
from meldref.answers.listing import legal_moves
from meldref.core.cards import JOKER, card_text
from meldref.positions.build import Built
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import Ruleset
from meldref_table.best_plays import legal_turns
from property.test_bans_like_settings import a_position, built
from property.test_options import GAMES, OPTIONS, SETTINGS
from written import read_yaml_file

HIDDEN = int(os.environ.get("MELDREF_HIDDEN", "2"))
FIRST = int(os.environ.get("MELDREF_HIDDEN_FROM", "1"))
COOKBOOK = Path(__file__).parents[2] / "docs" / "cookbook.yaml"
BANS = [one for one in read_yaml_file(COOKBOOK)["recipes"] if "forbid" in one.get("rule", {})]
LIVELY = {
    "melds.wild.swap": ["never", "for_natural"],
    "melds.wild.swapped": ["to_hand", "laid_this_turn"],
    "draw.use": [["meld", "lay_off"], ["meld"], ["meld", "lay_off", "swap"]],
    "draw.top.must": ["nothing", "be_used"],
    "draw.deep.when": ["at_once", "this_turn"],
    "deck.jokers": [2, 4],
}
"""Settings that make it matter what else is held."""


def some_rules(rng: Random, game: str) -> Ruleset:
    """A game with an option, with settings, and with house rules of the cookbook that forbid, perhaps."""
    while True:
        options = rng.sample(OPTIONS, rng.choice((0, 0, 1)))
        settings: dict[str, Any] = dict(rng.choice(SETTINGS) for _ in range(rng.choice((0, 0, 1))))
        settings |= {key: rng.choice(words) for key, words in LIVELY.items() if rng.random() < 0.4}
        house_rules = {}
        for recipe in rng.sample(BANS, rng.choice((0, 1, 1, 2))):
            settings |= recipe.get("set", {})
            house_rules[recipe["id"]] = recipe["rule"]
        if house_rules:
            settings["house_rules"] = house_rules
        rules, _ = load_ruleset(game, options, settings)
        if rules is not None:
            return rules


def with_hand(given: dict[str, Any], cards: list[str]) -> dict[str, Any]:
    return given | {"hands": given["hands"] | {"A": " ".join(cards)}}


def changed_in_one_place(rng: Random, move: str, cards: list[str]) -> str:
    """A move with another card, with a play left out or one more, or in another order: often illegal."""
    actions = move.split("; ")
    place, how = rng.randrange(len(actions)), rng.random()
    words = actions[place].split()
    plain = [n for n, word in enumerate(words) if n and word[0] not in "m?x" and "=" not in word]
    if how < 0.4 and plain:
        words[rng.choice(plain)] = rng.choice(cards)
        actions[place] = " ".join(words)
    elif how < 0.6 and len(actions) > 1:
        actions.pop(place)
    elif how < 0.8:
        rng.shuffle(actions)
    else:
        actions.insert(place, rng.choice(("lay {} m1", "swap {} m1")).format(rng.choice(cards)))
    return "; ".join(actions)


def moves_to_try(rng: Random, with_each: list[Built], given: dict[str, Any]) -> list[str]:
    """Moves that are legal with some card, and such moves changed in one place."""
    moves = []
    for one in rng.sample(with_each, min(3, len(with_each))):
        listed = [*legal_turns(one, 30)[0], *legal_moves(one, 40)]
        moves += [move.move for move in rng.sample(listed, min(4, len(listed)))]
    moves = [move for move in moves if ":" not in move]
    cards = [*given["hands"]["A"].split(), *given["pile"].split(), "2c", "Jk"]
    return [*moves, *(changed_in_one_place(rng, move, cards) for move in moves)]


def check(unseen: Built, with_each: list[Built], move: str) -> None:
    """What is said of a move without a card is what is said of it with any card that it may be."""
    without = judge_without_help(unseen, move)
    if not without.readable:
        return
    verdicts = set()
    for one in with_each:
        verdicts.add(judge_without_help(one, move).verdict)
        if without.verdict == "open" and (len(verdicts) > 1 or "open" in verdicts):
            return
    if without.verdict != "open":
        assert verdicts == {without.verdict}, (move, without.findings)
    elif without.then != "open":
        assert verdicts != {"illegal"}, (move, without.open)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_with_a_card_unseen_holds_for_every_card_that_it_may_be(game):
    for number in range(FIRST, FIRST + HIDDEN):
        rng = Random(f"hidden {game} {number}")
        rules = some_rules(rng, game)
        given = a_position(rng, rules) | {"hand": rng.randint(1, 5)}
        hand = given["hands"]["A"].split()
        if not hand:
            continue
        known = rng.sample(hand, len(hand) - 1)
        unseen = built(with_hand(given, [*known, "?"]), rules)
        if unseen is None:
            continue
        left = [card for card in range(JOKER + 1) if unseen.position.left(card) > 0]
        hands = [with_hand(given, [*known, card_text(card)]) for card in left]
        with_each = [one for one in (built(one, rules) for one in hands) if one is not None]
        rng.shuffle(with_each)
        for move in moves_to_try(rng, with_each, given):
            check(unseen, with_each, move)
