"""One mistake in a clean game is found once, wherever the log goes on as it was at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from random import Random

import pytest

from audits import found, positions
from meldref.core.cards import JOKER, card_text, count
from meldref.position.model import Position
from tables import at_each_table, game

Slip = tuple[str, int, str]
"""The log with a slip, the line where that is found, and the code."""

EACH = 3
"""How many slips of each kind are tried in a game."""


@lru_cache(maxsize=4)  # several kinds of slip look at the same game
def turns(text: str) -> list[tuple[int, str, str, Position]]:
    """The ordinary turns of a log: the number of the line, its text, who plays, and the position before it."""
    before: Position | None = None
    lines = text.split("\n")
    every = []
    for number, position in positions(text):
        line = lines[number - 1]
        found_here = re.match(r"\d+\. (\w+): ", line)
        if found_here and before is not None:
            every.append((number, line, found_here[1], before))
        before = position.copy() if position is not None else None
    return every


def changed(text: str, number: int, line: str) -> str:
    """A log with another line in the place of one of its own."""
    lines = text.split("\n")
    return "\n".join([*lines[: number - 1], line, *lines[number:]])


def some(text: str, rng: Random) -> list[tuple[int, str, str, Position]]:
    """Some turns of a log."""
    every = turns(text)
    return rng.sample(every, min(EACH, len(every)))


def cards_of(position: Position) -> list[str]:
    """Every card that the deck has."""
    return [card_text(card) for card in range(JOKER + 1) if position.copies[card]]


def turn_numbers(text: str, rng: Random) -> Iterator[Slip]:
    """A number is wrong; the log goes on from the true one, or from the slip."""
    for number, line, _, _ in some(text, rng):
        written, _, rest = line.partition(". ")
        wrong = int(written) + rng.choice([-1, 1, 2, 10])
        if wrong < 1:
            continue
        slipped = changed(text, number, f"{wrong}. {rest}")
        if rng.random() < 0.5:
            lines = slipped.split("\n")
            for later in range(number, len(lines)):
                if lines[later].startswith("hand "):
                    break
                if re.match(r"\d+\. ", lines[later]):
                    due, _, rest = lines[later].partition(". ")
                    lines[later] = f"{int(due) + wrong - int(written)}. {rest}"
            slipped = "\n".join(lines)
        yield slipped, number, "log.number"


def discards(text: str, rng: Random) -> Iterator[Slip]:
    """A card is said to be thrown that its player does not hold; another one was."""
    for number, line, player, before in some(text, rng):
        head, discard, _ = line.rpartition("discard ")
        seat = before.players.index(player)
        mine = set(re.findall(r"\b[2-9TJQKA][cdhs]\b|Jk", head))
        others = [
            card for card in cards_of(before) if card not in mine and not held(before, seat, card)
        ]
        if discard and " take " not in line and others:
            yield (
                changed(text, number, f"{head}{discard}{rng.choice(others)}"),
                number,
                "hand.missing",
            )


def held(position: Position, seat: int, card: str) -> bool:
    return any(
        card_text(one) == card and count(position.hands[seat], one) for one in range(JOKER + 1)
    )


def draws(text: str, rng: Random) -> Iterator[Slip]:
    """A card is said to be drawn that is not the next of the stock."""
    for number, line, _, before in some(text, rng):
        drawn = re.search(r"draw (\w+)", line)
        if drawn:
            others = [card for card in cards_of(before) if card != drawn[1]]
            other = rng.choice(others)
            yield (
                changed(text, number, line.replace(drawn[0], f"draw {other}", 1)),
                number,
                "draw.stock",
            )


def draws_too_many(text: str, rng: Random) -> Iterator[Slip]:
    """A turn draws once more, and nothing comes of it."""
    for number, line, _, before in some(text, rng):
        drawn = re.search(r"(draw|take) \w+( x\d+)?", line)
        if drawn:
            second = f"{drawn[0]}; draw {rng.choice([*cards_of(before), '?'])}"
            yield changed(text, number, line.replace(drawn[0], second, 1)), number, "turn.draw"


def deals(text: str, rng: Random) -> Iterator[Slip]:
    """A card of the deal is misread: another one is there twice."""
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith("deal "))
    last = next(number for number, line in enumerate(lines) if line.startswith("stock "))
    everything = " ".join(lines[first : last + 1]).split()
    for _ in range(EACH):
        number = rng.randrange(first, last + 1)
        words = lines[number].split()
        place = rng.randrange(2 if words[0] == "deal" else 1, len(words))
        other = rng.choice(
            [word for word in everything if re.fullmatch(r"[2-9TJQKA][cdhs]|Jk", word)]
        )
        if other == words[place]:
            continue
        words[place] = other
        slipped = [*lines[:number], " ".join(words), *lines[number + 1 :]]
        where = max(at for at in range(first, last + 1) if other in slipped[at].split())
        yield "\n".join(slipped), where + 1, "log.copies"


def deal_sizes(text: str, rng: Random) -> Iterator[Slip]:
    """A card is missing in a line of the deal, or one of the stock is written there too."""
    lines = text.split("\n")
    at = rng.choice([number for number, line in enumerate(lines) if line.startswith("deal ")])
    stock = next(line for line in lines[at:] if line.startswith("stock ")).split()
    words = lines[at].split()
    place = rng.randrange(2, len(words))
    for cards in (words[:place] + words[place + 1 :], [*words, rng.choice(stock[1:])]):
        yield changed(text, at + 1, " ".join(cards)), at + 1, "setup.deal"


def discards_not_written(text: str, rng: Random) -> Iterator[Slip]:
    """A turn has no discard."""
    for at, (line, _) in whole_turns(text, rng, 2)[:1]:
        yield changed(text, at + 1, line.rpartition("; ")[0]), at + 1, "turn.unfinished"


def after_the_end(text: str, rng: Random) -> Iterator[Slip]:
    """A turn, and more turns and calls, stand where the hand is over."""
    lines = text.split("\n")
    ends = [number for number, line in enumerate(lines) if line.startswith("end ")]
    names = next(line for line in lines if line.startswith("[Players")).split('"')[1].split(", ")
    for number in ends:
        more = [
            f"{rng.choice(names)}: {deed}"
            for deed in (
                "draw ?; discard 2c",
                *rng.choices(["take 4h; discard 5d", "rummy 7s", "draw 9h"], k=3),
            )
        ]
        at = number + rng.randrange(2)
        yield "\n".join([*lines[:at], *more, *lines[at:]]), at + 1, "turn.over"


def hand_lines(text: str) -> list[tuple[int, int, str]]:
    """The lines that begin a hand: which, the number of the hand, and its dealer."""
    lines = enumerate(text.split("\n"))
    return [
        (at, int(line.split()[1]), line.split()[-1])
        for at, line in lines
        if line.startswith("hand ")
    ]


def hand_numbers(text: str, rng: Random) -> Iterator[Slip]:
    """The number of a hand is wrong; the log goes on from the true one, or from the slip."""
    lines = text.split("\n")
    hands = hand_lines(text)
    for at, number, dealer in hands[1:]:
        wrong = number + rng.choice([-1, 1, 2])
        for by in (0, wrong - number):
            slipped = list(lines)
            slipped[at] = f"hand {wrong} dealer {dealer}"
            for later, due, other in hands[number:]:
                slipped[later] = f"hand {due + by} dealer {other}"
            yield "\n".join(slipped), at + 1, "log.number"


def missing_hands(text: str, rng: Random) -> Iterator[Slip]:
    """A hand was not written down."""
    lines = text.split("\n")
    starts = [at for at, _, _ in hand_lines(text)]
    for left_out, following in pairwise(starts[1:]):
        yield "\n".join([*lines[:left_out], *lines[following:]]), left_out + 1, "log.number"


def dealers(text: str, rng: Random) -> Iterator[Slip]:
    """Another dealer is named than the one who dealt."""
    lines = text.split("\n")
    players = next(line for line in lines if line.startswith("[Players")).split('"')[1].split(", ")
    for at, number, dealer in hand_lines(text):
        other = rng.choice([player for player in players if player != dealer])
        slipped = [*lines[:at], f"hand {number} dealer {other}", *lines[at + 1 :]]
        yield "\n".join(slipped), at + 1, "setup.dealer"


def whole_turns(text: str, rng: Random, many: int) -> list[tuple[int, list[str]]]:
    """Some runs of a number of turns that each begin with a draw: the index of their first line, and the lines."""
    lines = text.split("\n")
    runs = [(at, lines[at : at + many]) for at in range(len(lines) - many)]
    whole = [
        run
        for run in runs
        if all(re.match(r"\d+\. \w+: (draw|take).*discard", line) for line in run[1])
    ]
    return rng.sample(whole, min(EACH, len(whole)))


def names(text: str, rng: Random) -> Iterator[Slip]:
    """A turn has the name of another player."""
    lines = text.split("\n")
    players = next(line for line in lines if line.startswith("[Players")).split('"')[1].split(", ")
    for at, (line, _) in whole_turns(text, rng, 2):
        number, player, rest = re.fullmatch(r"(\d+\. )(\w+)(: .*)", line).groups()
        other = rng.choice([name for name in players if name != player])
        yield changed(text, at + 1, number + other + rest), at + 1, "turn.order"


def twice(text: str, rng: Random) -> Iterator[Slip]:
    """A turn is written down twice."""
    for at, (line, _) in whole_turns(text, rng, 2):
        lines = text.split("\n")
        yield "\n".join([*lines[: at + 1], line, *lines[at + 1 :]]), at + 2, "turn.order"


def swapped(text: str, rng: Random) -> Iterator[Slip]:
    """Two turns stand in the wrong order."""
    for at, (first, second, _) in whole_turns(text, rng, 3):
        yield changed(changed(text, at + 1, second), at + 2, first), at + 1, "turn.order"


def missing_turns(text: str, rng: Random) -> Iterator[Slip]:
    """A turn is not written down; which one shows in the numbers of the others.

    Of two packs, a card may be taken for its double.
    """
    for at, _ in [] if "Eve" in text else whole_turns(text, rng, 3):
        lines = text.split("\n")
        yield "\n".join([*lines[:at], *lines[at + 1 :]]), at + 1, "turn.order"


def hands_without_a_line(text: str, rng: Random) -> Iterator[Slip]:
    """The line that begins a hand is missing, or cannot be read."""
    lines = text.split("\n")
    for at, _, _ in hand_lines(text)[1:]:
        yield "\n".join([*lines[:at], *lines[at + 1 :]]), at + 1, "setup.deal"
        yield changed(text, at + 1, f"h{lines[at][2:]}"), at + 1, "log.syntax"


def hands_begun_twice(text: str, rng: Random) -> Iterator[Slip]:
    """The line that begins a hand is there twice."""
    lines = text.split("\n")
    for at, _, _ in hand_lines(text):
        yield "\n".join([*lines[: at + 1], *lines[at:]]), at + 2, "log.number"


def first_dealers(text: str, rng: Random) -> Iterator[Slip]:
    """Another dealer is named in the first hand; who begins shows who dealt."""
    lines = [line for line in text.split("\n") if not line.startswith("[Dealer")]
    players = next(line for line in lines if line.startswith("[Players")).split('"')[1].split(", ")
    at, _, dealer = hand_lines("\n".join(lines))[0]
    first = next(number for number, line in enumerate(lines) if line.startswith("1. "))
    sizes = {len(line.split()) for line in lines[:first] if line.startswith("deal ")}
    for other in players:
        if other != dealer and len(sizes) == 1:  # else a card more says otherwise, too
            yield (
                "\n".join([*lines[:at], f"hand 1 dealer {other}", *lines[at + 1 :]]),
                first + 1,
                "turn.order",
            )


IN_A_HAND = [
    turn_numbers,
    discards,
    discards_not_written,
    draws,
    draws_too_many,
    deals,
    deal_sizes,
    after_the_end,
]
IN_ORDER = [names, twice, swapped, missing_turns]
BETWEEN_HANDS = [
    hand_numbers,
    missing_hands,
    dealers,
    hands_without_a_line,
    hands_begun_twice,
    first_dealers,
]
KINDS = [*((kind, 2) for kind in [*IN_A_HAND, *IN_ORDER]), *((kind, 4) for kind in BETWEEN_HANDS)]


@pytest.mark.sweep(every=60)
@pytest.mark.parametrize(
    ("kind", "hands"), KINDS, ids=lambda value: getattr(value, "__name__", value)
)
@at_each_table
def test_one_mistake_is_found_once(
    rules: str, options: tuple[str, ...], kind: Callable, hands: int
) -> None:
    log = game(rules, options, 1, hands)
    for slipped, line, code in kind(log, Random(1)):
        assert found(slipped) == [(line, code)], slipped
