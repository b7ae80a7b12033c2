"""Spoil a legal log in one place: most ways are sure to be wrong at that line, one way may be right."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from model import notation
from model.cards import RANKS, SUITS, is_card, one_pack
from model.logcheck import Audit
from model.settings import Settings
from model.table import Table

# kind of mutation, the new line, and the codes one of which must be found there (None: it may be
# legal)
Spoilt = tuple[str, str, tuple[str, ...] | None]

ACTION_WORDS = ("draw", "take", "meld", "lay", "discard", "rummy")
WORD = re.compile(r"[\w=-]+")


def mutations(
    log_text: str, rng: Random, settings: Settings | None = None
) -> Iterator[tuple[str, int, str, tuple[str, ...] | None]]:
    """Every sort of mistake in a random order: (text, line, kind, expected codes or None).

    The kinds `card_not_held`, `score_off_by_one`, `wrong_player`, `draw_for_take` and
    `no_such_meld` are sure to be wrong at that line. `any_word` replaces a word by another
    plausible one, `any_action` leaves an action out or changes places of two; half of these logs
    stop after that line, so that it alone decides. What is then wrong, if anything, the model says.
    The log itself must be clean, with all cards known.
    """
    lines = log_text.split("\n")
    audit = Audit(settings)
    places = []
    for number, line in enumerate(lines, 1):
        table = audit.hand.table if audit.hand else None
        places += [(number, *spoilt) for spoilt in spoil(line, table, audit, rng)]
        stripped = notation.strip(line)
        if stripped:
            audit.read(number, stripped)
    rng.shuffle(places)
    for number, kind, new_line, expected in places:
        rest = [""] if expected is None and rng.random() < 0.5 else lines[number:]
        yield "\n".join([*lines[: number - 1], new_line, *rest]), number, kind, expected


def spoil(line: str, table: Table | None, audit: Audit, rng: Random) -> Iterator[Spoilt]:
    """Ways to spoil a line; `table` is how things stand before it."""
    if not line or line[0] in "[#=" or audit.game is None:
        return
    parsed = notation.turn(line)
    if parsed and table:
        number, player, actions = parsed
        yield from card_not_held(line, table, player, actions, rng)
        if number is not None:
            yield from wrong_player(line, player, table, rng)
        yield from draw_for_take(line, table)
        yield from no_such_meld(line, rng)
        yield from any_action(line, rng)
    if line.startswith(("score ", "total ")):
        yield score_off_by_one(line, rng)
    near = table.hands[parsed[1]] + table.pile if parsed and table else []
    yield from any_word(line, audit, near, rng)


def replace(line: str, found: re.Match[str], word: str) -> str:
    return line[: found.start()] + word + line[found.end() :]


def card_not_held(
    line: str, table: Table, player: str, actions: list[Any], rng: Random
) -> Iterator[Spoilt]:
    """A card that is melded, laid off or discarded becomes one that the player cannot have."""
    may_hold = table.hands[player] + table.pile
    may_hold += [action[1] for action in actions if action[0] == "draw"]
    others = sorted({card for card in one_pack(0) if card not in may_hold})
    codes = {"meld": ("meld", "wild"), "lay": ("layoff",), "discard": ()}
    found = []
    for part in re.finditer(r"(meld|lay|discard) ([^;]*)", line):
        for word in re.finditer(r"\S+", part[2]):
            if is_card(word[0].partition("=")[0]):
                start = part.start(2)
                found.append((start + word.start(), start + word.end(), codes[part[1]]))
    if found and others:
        start, end, also = rng.choice(found)
        new_line = line[:start] + rng.choice(others) + line[end:]
        yield "card_not_held", new_line, ("hand.missing", *also)


def wrong_player(line: str, player: str, table: Table, rng: Random) -> Iterator[Spoilt]:
    """Somebody plays who is not to move."""
    other = rng.choice([name for name in table.players if name != player])
    yield "wrong_player", line.replace(f"{player}:", f"{other}:", 1), ("turn.order",)


def draw_for_take(line: str, table: Table) -> Iterator[Spoilt]:
    """A card taken from the pile is said to come from the stock."""
    found = re.search(r"take (\w+)( x\d+)?", line)
    if found and table.stock[:1] != [found[1]] and found[1] not in table.unseen:
        yield (
            "draw_for_take",
            replace(line, found, f"draw {found[1]}"),
            ("draw.stock", "log.copies"),
        )


def no_such_meld(line: str, rng: Random) -> Iterator[Spoilt]:
    """A card is laid off on a meld that is not there."""
    found = list(re.finditer(r"\bm\d+", line))
    if found:
        new_line = replace(line, rng.choice(found), f"m{rng.randrange(60, 99)}")
        yield "no_such_meld", new_line, ("log.name", "log.number", "layoff.target")


def score_off_by_one(line: str, rng: Random) -> Spoilt:
    """A point too many or too few."""
    found = rng.choice(list(re.finditer(r"-?\d+", line)))
    new_line = replace(line, found, str(int(found[0]) + rng.choice([-1, 1])))
    return (
        "score_off_by_one",
        new_line,
        ("score.hand" if line.startswith("score") else "score.total",),
    )


def any_action(line: str, rng: Random) -> Iterator[Spoilt]:
    """An action is left out, or two change places."""
    head, colon, rest = line.partition(": ")
    actions = rest.split("; ")
    if len(actions) < 2:
        return
    if len(actions) > 2 and rng.random() < 0.5:
        one, other = rng.sample(range(len(actions)), 2)
        actions[one], actions[other] = actions[other], actions[one]
    else:
        del actions[rng.randrange(len(actions))]
    yield "any_action", head + colon + "; ".join(actions), None


def any_word(line: str, audit: Audit, near: list[str], rng: Random) -> Iterator[Spoilt]:
    """Any word becomes another of its sort; a card mostly one that is near, in the hand or on the pile."""
    words = list(WORD.finditer(line))
    rng.shuffle(words)
    for found in words:
        cards = near if near and rng.random() < 0.8 else one_pack(2)
        word = other_word(found[0], line, audit, cards, rng)
        if word is not None and word != found[0]:
            yield "any_word", replace(line, found, word), None
            return


def other_word(word: str, line: str, audit: Audit, cards: list[str], rng: Random) -> str | None:
    """Another word of the same sort, or None where there is none."""
    card, equals, _ = word.partition("=")
    if is_card(card):
        if equals and rng.random() < 0.7:
            return f"{card}={rng.choice(RANKS)}{rng.choice(['', *SUITS])}"
        return rng.choice(cards)
    if word in audit.playing.players:
        return rng.choice(audit.playing.players)
    if word in ACTION_WORDS:
        return rng.choice(ACTION_WORDS)
    if re.fullmatch(r"m\d+", word):
        return f"m{rng.randrange(1, 10)}"
    if re.fullmatch(r"x\d+", word):
        return f"x{max(1, int(word[1:]) + rng.choice([-1, 1]))}"
    if re.fullmatch(r"-?\d+", word) and not line.startswith("hand"):
        return str(max(1, int(word) + rng.choice([-1, 1])))
    return {"out": "stock", "stock": "out"}.get(word) if line.startswith("end") else None
