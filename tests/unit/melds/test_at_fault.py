"""Of cards that are no meld, the smallest set at fault is named."""

from __future__ import annotations

from random import Random

import pytest

from meldref.core.cards import Played, played_text
from meldref.melds import MeldIndex, Reading, meld_index
from meldref.notation.reader import read_cards
from meldref.rulefiles.load import load_ruleset


def book(
    rules: str = "500-rummy", options: tuple[str, ...] = (), settings: dict | None = None
) -> MeldIndex:
    ruleset, _ = load_ruleset(rules, options, settings or {})
    assert ruleset is not None
    return meld_index(ruleset, 5 if ruleset.players.max > 4 else ruleset.players.max)


@pytest.mark.parametrize(
    ("cards", "at_fault"),
    [
        ("5h 6h 9h", ["9h"]),
        ("5h 7h 9h", ["5h", "9h"]),
        ("4c 4d 9h", ["9h"]),
        ("4c 4d 4h 5h", ["5h"]),
        ("Ks As 2s", ["Ks", "2s"]),
        ("5h 6h 7h 9c 9d", ["9c 9d"]),
        ("5h 5h 6h 7h", ["5h"]),
        ("9d Jk=9 Kc", ["Kc"]),
        ("5h 6h Jk=9c 7h", ["Jk=9c"]),
        ("5h Jk Jk 9h Kc Th", ["Kc"]),
        ("5h 6h", []),
        ("2c 5d 9h Js", []),
        ("4c 4d 4h 4s 4c", ["4c"]),
    ],
)
def test_the_smallest_set_is_named(cards, at_fault):
    played = read_cards(cards)
    assert isinstance(played, tuple)
    assert [
        " ".join(map(played_text, some)) for some in book().minimal_conflict(played)
    ] == at_fault


@pytest.mark.sweep
def test_a_card_is_at_fault_where_the_others_are_a_meld_or_would_be_with_one_more():
    """What is named for natural cards is what trying every card in the place of each one finds."""
    ours = book("500-rum")
    rng = Random(3)
    for _ in range(40):
        low = rng.randrange(8)
        near = [suit * 13 + low + step for suit in rng.sample(range(4), 2) for step in range(6)]
        cards = tuple(Played(card) for card in rng.sample(near, rng.randint(3, 5)))
        if isinstance(ours.read(cards), Reading):
            continue
        alone = [one for place, one in enumerate(cards) if rest_is_meld(ours, cards, place, ())]
        named = [some[0] for some in ours.minimal_conflict(cards) if len(some) == 1]
        if alone:
            assert named == alone
            continue
        fixed = [
            one for place, one in enumerate(cards) if rest_is_meld(ours, cards, place, range(52))
        ]
        assert named == (fixed if len(fixed) <= 3 else [])


def rest_is_meld(ours: MeldIndex, cards: tuple[Played, ...], place: int, others) -> bool:
    rest = (*cards[:place], *cards[place + 1 :])
    if not others:
        return isinstance(ours.read(rest), Reading)
    there = {played.card for played in rest}
    return any(
        isinstance(ours.read((*rest, Played(card))), Reading)
        for card in others
        if card not in there
    )
