"""Cases written in other ways: what they are about stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any

from meldref.core.cards import JOKER, Played
from meldref.core.events import Action, Call, LayOff, Meld, Swap, Turn
from meldref.core.records import changed
from meldref.notation.reader import read_line
from meldref.notation.scanner import split
from meldref.notation.writer import write_action

Case = dict[str, Any]
Respell = Callable[[Sequence[Action]], list[Action]]

CARD = re.compile(r"(?<!\w)(10|[A2-9TJQK])([cdhs♣♦♥♠])(?!\w)")
OTHER_SUIT = dict(
    zip("cdsh♣♦♠♥", "dshc♦♠♥♣", strict=True)
)  # black for red: some games have sequences of both
NEW_NAMES = ("Zoe", "Yan", "Xia", "Wim", "Vic", "Una", "Tom", "Sid", "Ray", "Quin", "Pam", "Oz")
SIDES = ("hands", "points", "score", "turns", "totals", "buys")


def lines_of(case: Case) -> list[str]:
    """The lines of a case's moves, or of its log."""
    return case["log"].splitlines() if "log" in case else [str(move) for move in case["moves"]]


def with_lines(case: Case, lines: Sequence[str]) -> Case:
    """A case with other lines."""
    return (
        {**case, "log": "\n".join(lines) + "\n"}
        if "log" in case
        else {**case, "moves": list(lines)}
    )


def respelled(case: Case, how: Respell, but: frozenset[int] = frozenset()) -> Case | None:
    """The case with its turns written in another way, but for some lines; None: all stay the same."""
    lines = [
        line if number in but else respelled_line(line, how)
        for number, line in enumerate(lines_of(case), start=1)
    ]
    return None if lines == lines_of(case) else with_lines(case, lines)


def respelled_line(text: str, how: Respell) -> str:
    """A line with the actions of its turn written in another way; as it is where they stay the same."""
    actions = actions_of(text)
    written = how(actions)
    if list(actions) == written:
        return text
    parts = split(text)
    trailer = text[parts.body_end :]
    return f"{text[: parts.colon + 1]} {'; '.join(map(write_action, written))}{' ' if trailer else ''}{trailer}"


def actions_of(text: str) -> tuple[Action, ...]:
    """The actions of a line; none where it is no turn, or cannot be read."""
    line, findings = read_line(text)
    return line.event.actions if isinstance(line.event, Turn) and not findings else ()


# --- actions --------------------------------------------------------------------------------------


def bare(played: Played) -> bool:
    """Whether a card is a joker of which nothing is said."""
    return played.card == JOKER and played.role is None


def reordered(rng: Random) -> Respell:
    """The cards of plays and calls in another order; a meld with a bare joker, which its place tells, stays."""

    def how(actions: Sequence[Action]) -> list[Action]:
        return [
            turned(action) if isinstance(action, (Meld, LayOff, Call)) else action
            for action in actions
        ]

    def turned(action: Meld | LayOff | Call) -> Action:
        if isinstance(action, Meld) and any(map(bare, action.cards)):
            return action
        cards = list(action.cards)
        rng.shuffle(cards)
        return changed(action, cards=tuple(cards))

    return how


def without_targets(actions: Sequence[Action]) -> list[Action]:
    """Lay-offs and exchanges that do not name their meld."""
    return [
        changed(action, target=None) if isinstance(action, (LayOff, Swap)) else action
        for action in actions
    ]


def without_roles(actions: Sequence[Action]) -> list[Action]:
    """Jokers of which nothing is said; other wild cards have to say that they are not themselves."""
    return [
        changed(
            action,
            cards=tuple(Played(one.card) if one.card == JOKER else one for one in action.cards),
        )
        if isinstance(action, (Meld, LayOff))
        else action
        for action in actions
    ]


def joined(actions: Sequence[Action]) -> list[Action]:
    """Lay-offs on one meld that follow one another as one."""
    written: list[Action] = []
    for action in actions:
        last = written[-1] if written else None
        together = (
            isinstance(action, LayOff) and isinstance(last, LayOff) and action.target == last.target
        )
        if together and action.target is not None:
            written[-1] = changed(last, cards=last.cards + action.cards)
        else:
            written.append(action)
    return written


def counts_cards_of_play(case: Case) -> bool:
    """Whether a house rule of the case asks how many cards a play has.

    Cards that are legal together may then be illegal one by one, and the other way round.
    """
    return "count(cards" in str(case.get("set"))


def taken_apart(case: Case) -> Iterator[list[Case]]:
    """For each lay-off of several cards that say what they are, the case with each order of single lay-offs."""
    lines = lines_of(case)
    for index, text in enumerate(lines):
        actions = actions_of(text)
        for step, action in enumerate(actions):
            if (
                isinstance(action, LayOff)
                and 1 < len(action.cards) <= 5
                and not any(map(bare, action.cards))
            ):
                orders = [
                    [
                        *actions[:step],
                        *[changed(action, cards=(one,)) for one in order],
                        *actions[step + 1 :],
                    ]
                    for order in dict.fromkeys(permutations(action.cards))
                ]
                written = [respelled_line(text, lambda _, order=order: order) for order in orders]
                yield [
                    with_lines(case, [*lines[:index], line, *lines[index + 1 :]])
                    for line in written
                ]


# --- suits and names ------------------------------------------------------------------------------


def with_other_suits(case: Case) -> Case:
    """The case with its suits exchanged, those of one colour for those of the other."""
    return {
        key: exchanged(value) if key in {"given", "moves", "log", "expect"} else value
        for key, value in case.items()
    }


def exchanged(value: Any) -> Any:
    """Any part of a case with its suits exchanged."""
    if isinstance(value, dict):
        return {key: exchanged(part) for key, part in value.items()}
    if isinstance(value, list):
        return [exchanged(part) for part in value]
    return (
        CARD.sub(lambda found: found[1] + OTHER_SUIT[found[2]], value)
        if isinstance(value, str)
        else value
    )


def with_other_names(case: Case) -> Case:
    """The case with all its players renamed."""
    if "log" in case:
        names = [name for line in case["log"].splitlines() for name in players_of(line)]
        return renamed_log(case, dict(zip(dict.fromkeys(names), NEW_NAMES, strict=False)))
    given = case["given"] or {}
    new = dict(zip(map(str, given.get("players", ["A", "B"])), NEW_NAMES, strict=False))
    told = {key: renamed_part(key, part, new) for key, part in given.items()}
    told["players"] = list(new.values())
    expect = {key: renamed_part(key, part, new) for key, part in case["expect"].items()}
    moves = [renamed_line(str(move), new) for move in case["moves"]]
    return {**case, "given": told, "moves": moves, "expect": expect}


def players_of(line: str) -> list[str]:
    """The names that a header lists."""
    found = re.fullmatch(r'\s*\[Players "(.*)"\]\s*', line)
    return [name.strip() for name in found[1].split(",")] if found else []


def renamed_part(key: str, value: Any, new: dict[str, str]) -> Any:
    """A part of a position or of what is expected, with its players renamed."""
    if key in SIDES:
        return {renamed(str(name), new): part for name, part in value.items()}
    if key == "table":
        return {number: renamed_part("hands", layers, new) for number, layers in value.items()}
    if key == "floating":
        return [renamed(str(name), new) for name in value]
    if key in {"to_move", "discarded_by", "then"}:
        return renamed(str(value), new)
    return value


def renamed(text: str, new: dict[str, str]) -> str:
    """A text with names in it."""
    names = "|".join(sorted(map(re.escape, new), key=len, reverse=True))
    return re.sub(rf"(?<![\w=.'-])(?:{names})(?![\w.'-])", lambda found: new[found[0]], text)


def renamed_log(case: Case, new: dict[str, str]) -> Case:
    """A log with its players renamed."""
    expect = {key: renamed_part(key, part, new) for key, part in case["expect"].items()}
    return {
        **with_lines(case, [renamed_line(line, new) for line in lines_of(case)]),
        "expect": expect,
    }


def renamed_line(line: str, new: dict[str, str]) -> str:
    """A line with its players renamed; what a turn says after the player's name has none."""
    begins = line.lstrip()
    if (
        not new
        or begins.startswith("wild ")
        or (begins.startswith("[") and not begins.startswith(("[Pl", "[De", "[Vi")))
    ):
        return line
    head, colon, rest = line.partition(":")
    return renamed(head, new) + colon + rest if colon and actions_of(line) else renamed(line, new)
