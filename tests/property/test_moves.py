"""What is listed is what trying everything finds: moves, calls and whole turns, under shipped and random rules.

`MELDREF_POSITIONS` is how many positions are looked at under each set of rules (one by default).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import combinations, count, islice, product
from random import Random

import pytest

from meldref.answers.legal import judge_move
from meldref.answers.listing import legal_moves, turn_moves
from meldref.core.cards import JOKER, RANKS, SUITS, Cards, card_text, counted, each, played_text
from meldref.core.diagnostics import Span
from meldref.engine.judge import judge_for
from meldref.position.model import Position
from meldref.positions.build import Built, build_position
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import Ruleset
from meldref_table.best_plays import legal_turns
from property.test_options import sensible

TABLES = [
    ("500-rummy", ()),
    ("500-rummy", ("call-last-discard-only",)),
    ("500-rummy", ("floating", "claimable-last-discard")),
    ("500-rummy", ("discard-to-go-out", "meld-taken-card")),
    ("500-rummy", ("new-meld-for-taken-card",)),
    ("500-rum", ()),
    ("500-rum", ("reshuffle-stock", "sequences-of-four")),
    ("partnership-500-rum", ()),
    ("persian-rummy", ()),
    ("gilfoy-500-rummy", ()),
    ("gilfoy-500-rummy", ("chosen-wild-rank", "keep-taken-card")),
    ("online-rummy-500", ()),
]
at_each_table = pytest.mark.parametrize(
    ("rules", "options"),
    TABLES,
    ids=lambda value: value if isinstance(value, str) else "+".join(value) or "plain",
)
NAMES = "ABCDEFGHIJ"
POSITIONS = int(os.environ.get("MELDREF_POSITIONS", "1"))
RANDOM_RULES = range(8 * POSITIONS)


def loaded(rules: str, options: tuple[str, ...]) -> tuple[Ruleset, int]:
    ruleset, findings = load_ruleset(rules, options)
    assert ruleset is not None, findings
    return ruleset, max(3, ruleset.players.min) if ruleset.players.max > 2 else 2


def small_position(
    rng: Random, ruleset: Ruleset, players: int, most: int, turn: str = ""
) -> Built | None:
    """A few cards that are near each other in the first player's hand, in the pile and in melds; None: no luck."""
    judge = judge_for(ruleset, players)
    wild = rng.randrange(13) if "named" in ruleset.melds.wild.cards else None
    book = judge.book(wild)
    deck = [card for card, copies in enumerate(judge.copies) for _ in range(copies)]
    suits = rng.sample(range(4), 2)
    low = rng.randrange(9)
    near = [
        card
        for card in deck
        if card == JOKER or (card // 13 in suits and low <= card % 13 < low + 6)
    ]
    near += [
        card for card in deck if card != JOKER and card % 13 == low + 2 and card // 13 not in suits
    ]
    rng.shuffle(near)
    table = {}
    for number in range(rng.randrange(3)):
        found = list(book.melds_in(counted(near[:14])))
        if found:
            meld = rng.choice(found)
            table[f"m{number + 1}"] = {
                rng.choice(NAMES[:players]): " ".join(map(played_text, meld))
            }
            for played in meld:
                near.remove(played.card)
    at = rng.randint(0, 1) if turn else rng.randint(1, most)
    hand, pile = near[: at + 2], near[at + 2 : at + 2 + rng.randint(1, 3)]
    given = {
        "players": list(NAMES[:players]),
        "hands": dict.fromkeys(NAMES[1:players], "") | {"A": texts(hand)},
        "table": table,
        "pile": texts(pile),
        "stock": rng.choice([0, 9]),
    }
    for name in NAMES[1:players]:
        given["hands"][name] = "?"
    if turn:
        given["turn"] = turn
    if wild is not None:
        given["wild"] = RANKS[wild]
    built, _ = build_position(given, ruleset, lambda path: Span(1))
    return built


def texts(cards: list[int]) -> str:
    return " ".join(map(card_text, cards))


def held(cards: Cards) -> list[str]:
    return [card_text(card) for card in each(cards)]


def ways_to_write(position: Position, card: str) -> list[str]:
    """A card that is laid as itself, and where it is wild with each thing it may be said to stand for."""
    wild = position.book.wilds.cards
    number = JOKER if card == "Jk" else RANKS.index(card[0]) + 13 * SUITS.index(card[1])
    if number not in wild:
        return [card]
    about = position.seen | sum(
        1 << 5 * (laid.role % 64) for meld in position.melds for laid in meld.cards
    )
    ranks = sorted(
        {
            (near % 13 + step) % 13
            for near in range(52)
            if about >> 5 * near & 31
            for step in (-1, 0, 1)
        }
    )
    suits = sorted({near // 13 for near in range(52) if about >> 5 * near & 31})
    whole = [f"{card}={RANKS[rank]}{SUITS[suit]}" for rank in ranks for suit in suits]
    return [card, *(f"{card}={RANKS[rank]}" for rank in ranks), *whole]


def every_play(position: Position) -> Iterator[str]:
    """Every meld, lay-off of one card, exchange and discard that could be written down."""
    hand = held(position.hands[position.turn.seat])
    cards = set(hand)
    yield from (f"discard {card}" for card in cards)
    for number in range(1, len(position.melds) + 1):
        for card in cards:
            yield from (f"lay {word} m{number}" for word in ways_to_write(position, card))
            yield f"swap {card} m{number}"
    for size in range(3, len(hand) + 1):
        for some in set(combinations(hand, size)):
            ways = [ways_to_write(position, card) for card in some]
            if sum(len(way) > 1 for way in ways) < 2:
                yield from (f"meld {' '.join(way)}" for way in product(*ways))


def tried(built: Built, move: str) -> tuple[str, Position]:
    """The verdict on a move, and what it leads to."""
    judged = judge_move(built, move)
    return judged.verdict, judged.after.position


def lies(position: Position, first_new: int = 99) -> object:
    """What tells one outcome from another; melds from that number on in any order."""
    melds = [
        tuple(sorted((one.card, one.role, one.seat) for one in meld.cards))
        for meld in position.melds
    ]
    turn = position.turn
    return (
        tuple(melds[:first_new]),
        tuple(sorted(melds[first_new:])),
        tuple(position.hands),
        tuple(position.unknown),
        tuple(position.pile),
        position.stock_size,
        tuple(position.points),
        position.ending,
        turn.seat,
        turn.duty is None,
        turn.call.wanted if turn.call else 0,
    )


def check_moves(built: Built) -> None:
    """Each listed move is legal and brings its points; each legal play leads to where a listed one leads."""
    listed = {}
    for one in turn_moves(built):
        verdict, state = tried(built, one.move)
        assert verdict != "illegal", one.move
        seat = built.position.turn.seat
        assert state.points[seat] - built.position.points[seat] == one.points, one.move
        listed[lies(state)] = one.move
    if built.position.begins:
        firsts = {move.split("; ")[0] for move in listed.values()}
        pile = built.position.pile
        named = {f"take {card_text(card)}": f"take {card_text(card)}" for card in pile}
        named |= {
            f"take {card_text(card)} x{len(pile) - at}": f"take {card_text(card)}"
            for at, card in enumerate(pile)
        }
        legal = {short for move, short in named.items() if tried(built, move)[0] == "legal"}
        assert legal == {first.partition(" x")[0] for first in firsts if first.startswith("take")}
        for move in ("draw ?", "pass", "reshuffle"):
            assert (tried(built, move)[0] != "illegal") == (move in firsts), move
        return
    for move in every_play(built.position):
        verdict, state = tried(built, move)
        assert verdict != "legal" or lies(state) in listed, (move, list(listed.values()))


def check_calls(built: Built) -> None:
    """Each listed call or buy is legal with its plays; each that a player may make is listed."""
    listed, bought = set(), set()
    position = built.position
    for one in legal_moves(built):
        name, colon, actions = one.move.partition(": ")
        if not colon:
            continue
        verdict, state = tried(built, one.move)
        assert verdict != "illegal", one.move
        seat = position.players.index(name)
        assert state.points[seat] - position.points[seat] == one.points, one.move
        if actions.startswith("buy "):
            bought.add(one.move)
            continue
        call = f"{name}: {actions.partition('; ')[0]}"
        listed.add(lies(tried(built, call)[1]))
        owed = tried(built, call)[1]
        assert owed.turn.call is not None
        assert owed.turn.call.wanted
    pile = [card_text(card) for card in position.pile]
    buys = {f"{name}: buy {card}" for name in position.players for card in pile}
    assert bought == {buy for buy in buys if tried(built, buy)[0] != "illegal"}
    for size in range(1, len(pile) + 1):
        for some in set(combinations(pile, size)):
            for name in position.players:
                verdict, state = tried(built, f"{name}: rummy {' '.join(some)}")
                assert verdict == "illegal" or lies(state) in listed, (name, some)


def check_turns(built: Built) -> None:
    """The whole turns are those that trying every play after every play comes to, best first."""
    first_new = len(built.position.melds)
    turns, search = legal_turns(built)
    assert search.complete
    listed = {}
    for one in turns:
        verdict, state = tried(built, one.move)
        assert verdict != "illegal", one.move
        assert one.points == state.points[0] - built.position.points[0]
        listed[lies(state, first_new)] = one.points
    assert list(listed.values()) == sorted(listed.values(), reverse=True)
    if any(built.position.unknown[:1]) or "draw ?" in {move.move for move in turn_moves(built)}:
        return
    found, todo, seen = set(), [()], set()
    while todo:
        done = todo.pop()
        begun = tried(built, "; ".join(done))[1] if done else built.position
        for play in every_play(begun) if done or not built.position.begins else takes(begun):
            verdict, state = tried(built, "; ".join((*done, play)))
            outcome = lies(state, first_new), state.turn.plays
            if verdict != "legal" or outcome in seen:
                continue
            seen.add(outcome)
            if state.begins or state.ending or state.turn.seat:
                found.add(outcome[0])
            else:
                todo.append((*done, play))
    assert found <= set(listed), list(listed.values())


def takes(position: Position) -> list[str]:
    pile = position.pile
    return [f"take {card_text(card)} x{len(pile) - at}" for at, card in enumerate(pile)] + [
        f"take {card_text(card)}" for card in pile
    ]


def positions(
    seed: object, ruleset: Ruleset, players: int, number: int, most: int
) -> Iterator[Built]:
    rng = Random(str(seed))
    made = 0
    while made < number:
        built = small_position(rng, ruleset, players, most)
        if built is not None:
            made += 1
            yield built


def after_the_draw(built: Built) -> Iterator[Built]:
    """The position after the first draw of each kind that can be made."""
    for move in dict.fromkeys(one.move.split("; ")[0] for one in turn_moves(built)):
        if move.startswith(("draw", "take")):
            drawn = judge_move(built, move).after
            if not drawn.position.begins:
                yield drawn


@pytest.mark.sweep
@at_each_table
def test_moves_and_calls_are_those_that_trying_everything_finds(rules, options):
    ruleset, players = loaded(rules, options)
    for built in positions(f"{rules} {options}", ruleset, players, 2 * POSITIONS, 2):
        check_moves(built)
        check_calls(built)
        for drawn in islice(after_the_draw(built), 2):
            check_moves(drawn)
            check_calls(drawn)


@at_each_table
def test_whole_turns_are_those_that_trying_everything_finds(rules, options):
    ruleset, players = loaded(rules, options)
    for built in positions(f"turns {rules} {options}", ruleset, players, POSITIONS, 1):
        check_turns(built)


@pytest.mark.parametrize("number", RANDOM_RULES)
def test_under_any_rules_moves_and_calls_are_those_that_trying_everything_finds(number):
    found = (sensible(f"moves {number}.{attempt}", 3) for attempt in count())
    ruleset, players, _ = next(one for one in found if one is not None)
    for built in positions(number, ruleset, players, 1, 2):
        check_moves(built)
        check_calls(built)
        for drawn in islice(after_the_draw(built), 1):
            check_moves(drawn)
        check_turns(built)
