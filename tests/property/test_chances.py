"""Chances are what going through every deal finds, and witnesses are what they are said to be."""

import os
from collections import Counter
from itertools import combinations, permutations
from random import Random

import pytest

from audits import built
from meldref.answers.legal import judge_move
from meldref.answers.listing import legal_moves
from meldref.core.cards import RANKS, SUITS
from meldref_evidence.chances import weigh
from property.test_options import GAMES
from simulated import ruleset

ROUNDS = int(os.environ.get("MELDREF_DEALS", "1"))
PACK = [rank + suit for suit in SUITS for rank in RANKS]
ONE_PACK = {"deck.packs": 1, "deal.cards": 4}


def small_deck(game, seed):
    """What a position with few unseen cards says, and those cards: all but them lie in the pile, or are held."""
    rng = Random(f"deals {game} {seed}")
    cards = [card for card in PACK if card[0] in "3456789T"]
    rng.shuffle(cards)
    unseen = sorted(cards[:5])
    hand, pile = cards[6:8], cards[8:12]
    rest = [card for card in PACK if card not in {*unseen, *hand, *pile}]
    by = ruleset(game, (), ONE_PACK)
    players = "ABCDEFGH"[: by.players.min]
    rest += ["Jk"] * (by.deck_size(len(players)) - len(PACK))
    others = {name: " ".join(rest[at :: len(players) - 1]) for at, name in enumerate(players[1:])}
    here = {
        "players": [*players],
        "pile": " ".join(pile),
        "hands": {"A": f"{' '.join(hand)} ?*2", **others},
        "stock": len(unseen) - 2,
        "hand": 1,
    }
    return rng, here, unseen


def dealt(here, hand, stock):
    """The position with these cards in the places that are unknown."""
    hands = {**here["hands"], "A": here["hands"]["A"].replace("?*2", " ".join(hand))}
    return {**here, "hands": hands, "stock": " ".join(stock)}


def every_deal(here, unseen, drawn):
    """Every way to deal the unseen cards to the hand and on top of the stock, the rest anyhow."""
    for hand in combinations(unseen, 2):
        rest = [card for card in unseen if card not in hand]
        for top in permutations(rest, drawn):
            yield dealt(here, hand, [*top, *[card for card in rest if card not in top]])


def moves_of(rng, rules, here, unseen):
    """Moves that are legal in some deal, the beginnings of turns among them, each with its discard or without."""
    stock = rng.sample(unseen, len(unseen))
    place = built(**rules, **dealt(here, stock[:2], stock[2:]))
    offered = [one.move for one in legal_moves(place, 40) if one.move != "reshuffle"]
    held = [*here["hands"]["A"].split()[:2], *stock[:2]]
    for move in rng.sample(offered, min(3, len(offered))):
        yield move
        yield f"{move}; discard {rng.choice(held)}"
    yield f"draw; meld {' '.join(rng.sample([*held, *here['pile'].split()], 3))}"


@pytest.mark.parametrize("game", GAMES)
def test_chances_are_what_going_through_every_deal_finds(game):
    rules = {"rules": game, "settings": ONE_PACK}
    for seed in range(ROUNDS):
        rng, here, unseen = small_deck(game, seed)
        question = built(**rules, **here)
        for move in moves_of(rng, rules, here, unseen):
            weighed = weigh(question, move)
            chances = weighed.chances
            assert chances is not None
            assert chances.exact
            deals = list(every_deal(here, unseen, int("draw" in move)))
            found = Counter(judge_move(built(**rules, **deal), move).verdict for deal in deals)
            said = (chances.legal, chances.illegal, chances.open)
            counted = tuple(found[verdict] for verdict in ("legal", "illegal", "open"))
            scale = chances.deals / len(deals)
            assert said == tuple(number * scale for number in counted), (move, here)
            for verdict in ("legal", "illegal"):
                witness = getattr(weighed, verdict)
                assert (witness is not None) == (found[verdict] > 0), (move, here, verdict)
                if witness is not None:
                    assert judge_move(witness, move).verdict == verdict, (move, here)
                    assert not any(witness.position.unknown)
            if len(found) == 1:
                assert weighed.judgement.verdict in found
