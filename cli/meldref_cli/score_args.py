"""What the options of `meldref score` say: a hand that was played, or the hands of a score sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from meldref.core import events
from meldref.core.cards import Card
from meldref.core.events import LayOff, Line, Meld
from meldref_cli.card_args import cards_named, check_wild, rank_for, table_for
from meldref_cli.errors import Unusable
from meldref_cli.ruleset_args import RulesetRequest, usable

if TYPE_CHECKING:
    from meldref.notation.reader import Read
    from meldref.ruleset.model import Ruleset
    from meldref.scoring.counting import CountedHand

_T = TypeVar("_T")
_ONTO: Final = re.compile(r"\bm[0-9]{1,3}\s*$")
_NAME_BEFORE_FIGURE: Final = (
    r"(?<![\w\"])(?!and\b)([^\W\d_][^\d,;:=+\"]*[^\s\d,;:=+\"-])(?= *[:=]? *[-+−–]?\d)"
)


class HandOptions(NamedTuple):
    """The options that describe a hand, as they were written."""

    laid: Sequence[str] = ()
    held: Sequence[str] = ()
    players: str | None = None
    out: str | None = None
    wild: str | None = None


class _LaidCards(NamedTuple):
    """A meld or lay-off as it was written, and what it is; without a name, the first player's."""

    text: str
    name: str | None
    play: Meld | LayOff


class _HeldCards(NamedTuple):
    """Cards still held; without a name, the first player's."""

    name: str | None
    cards: tuple[Card, ...]


class _Mistakes(list[str]):
    """What is wrong with options, gathered so that all of it is reported in one run."""

    def attempt(self, read: Callable[..., _T], *arguments: Any) -> _T | None:
        """What a function returns; None if it says that something is wrong, which is noted."""
        try:
            return read(*arguments)
        except Unusable as wrong:
            self.extend(map(str, wrong.args))
            return None

    def attempt_each(self, read: Callable[[str], _T], texts: Iterable[str]) -> list[_T]:
        """What a function makes of each text that is right."""
        results = (self.attempt(read, text) for text in texts)
        return [result for result in results if result is not None]


def counted_hand(options: HandOptions, ask: Callable[[], RulesetRequest]) -> CountedHand:
    """The hand that the options describe, by the rules asked for.

    Raises:
        Unusable: with everything that is wrong.
    """
    from meldref.scoring.counting import Uncountable, count_hand

    mistakes = _Mistakes()
    laid = mistakes.attempt_each(_laid, options.laid)
    held = mistakes.attempt_each(_held, options.held)
    rank = mistakes.attempt(rank_for, options.wild)
    request = mistakes.attempt(ask)
    if request is None:
        raise Unusable(*mistakes)
    ruleset = usable(request, *mistakes)
    mistakes.attempt(check_wild, ruleset, options.wild)
    if len(laid) < len(options.laid):  # nobody knows which melds the others mean
        laid = [row for row in laid if not isinstance(row.play, LayOff)]
    players = mistakes.attempt(_players, ruleset, options, laid, held)
    if players is None:
        raise Unusable(*mistakes)

    def seat_of(name: str | None) -> int:
        return 0 if name is None else players.index(name)

    cards_of: dict[int, list[Card]] = {}
    for row in held:
        cards_of.setdefault(seat_of(row.name), []).extend(row.cards)
    plays = [(seat_of(row.name), row.play) for row in laid]
    out = None if options.out is None else seat_of(options.out)
    try:
        hand = count_hand(ruleset, players, plays, cards_of, out, rank)
    except Uncountable as uncountable:
        for place, message in uncountable.faults:
            before = "" if place is None else f'--laid "{laid[place].text}": '
            mistakes.append(before + message)
    if mistakes:
        raise Unusable(*mistakes)
    return hand


def _laid(text: str) -> _LaidCards:
    """A meld or a lay-off that `--laid` describes."""
    from meldref.notation.reader import read_actions

    name, cards = _owner(text)
    verb = "lay" if _ONTO.search(cards) else "meld"
    actions, findings = read_actions(f"{verb} {cards}")
    if findings:
        raise Unusable(f'--laid "{text}": {findings[0].message}')
    if len(actions) != 1 or not isinstance(actions[0], Meld | LayOff):
        raise Unusable(f'--laid "{text}": write one meld or lay-off')
    return _LaidCards(text, name, actions[0])


def _held(text: str) -> _HeldCards:
    """The cards that `--held` names."""
    name, cards = _owner(text)
    if not cards:
        return _HeldCards(name, ())
    try:
        return _HeldCards(name, cards_named(cards, "only cards that are known can be counted"))
    except Unusable as wrong:
        option = f'--held "{text}":'
        messages = [str(message).replace("CARDS:", option, 1) for message in wrong.args]
        raise Unusable(*messages) from None


def _owner(text: str) -> tuple[str | None, str]:
    """`Bob: 5h 6h`: the name before the colon, if there is one, and what comes after it."""
    name, _, rest = text.rpartition(":")
    return name.strip().strip('"') or None, rest.strip()


def _players(
    ruleset: Ruleset, options: HandOptions, laid: Sequence[_LaidCards], held: Sequence[_HeldCards]
) -> list[str]:
    """Who plays: as `--players` says, else those named and others, at the smallest table."""
    from meldref_table.simulate import cannot_play

    owners = [*(row.name for row in laid), *(row.name for row in held), options.out]
    named = list(dict.fromkeys(filter(None, owners)))
    if options.players is not None:
        players = listed_names(options.players)
    else:
        cards = [played.card for row in laid for played in row.play.cards]
        cards += [card for row in held for card in row.cards]
        fewest = table_for(ruleset, cards) if cards else ruleset.players.min
        others = [letter for letter in ascii_uppercase if letter not in named]
        players = named + others[: max(0, fewest - len(named))]
    mistakes = [
        f"{name} is not one of --players {options.players}" for name in named if name not in players
    ]
    reason = cannot_play(ruleset, len(players))
    if reason is not None:
        before = "" if options.players is None else f"--players {options.players}: "
        mistakes.append(before + reason)
    if mistakes:
        raise Unusable(*mistakes)
    return players


def listed_names(players: str) -> list[str]:
    """The names that `--players` lists."""
    parts = (part.strip().strip('"') for part in players.split(","))
    names = list(filter(None, parts))
    if len(set(names)) < len(names):
        raise Unusable(f"--players {players}: a player is named twice")
    return names


def sheet_lines(hands: Sequence[str], players: str | None) -> list[Read]:
    """The hands that `--hand` describes, as the lines of a log.

    Raises:
        Unusable: with everything that cannot be read.
    """
    from meldref.notation.reader import read_line
    from meldref.notation.roster import Roster

    listed = None if players is None else listed_names(players)
    roster = Roster(_long_names(hands) if listed is None else listed)
    mistakes: list[str] = []
    lines: list[Line] = []
    scored: list[str] = []
    for number, text in enumerate(hands, start=1):
        lines.append(Line(number, text, events.HandStart(number)))
        scores, _, out = map(str.strip, text.partition(";"))
        entries = [f"score {scores}"]
        if out:
            entries.insert(0, f"end {out}")
        for words in entries:
            line, findings = read_line(words, roster=roster)
            mistakes += [f'--hand "{text}": {finding.message}' for finding in findings]
            lines.append(line._replace(number=number, text=text))
            if isinstance(line.event, events.Points):
                scored += [*[name for name, _ in line.event.amounts], *line.event.absent]
    if mistakes:
        raise Unusable(*mistakes)
    if listed is None:
        listed = _members(list(dict.fromkeys(scored)))
    header = Line(0, "", events.Header("Players", ", ".join(listed)))
    return [(line, ()) for line in (header, *lines)]


def _long_names(hands: Iterable[str]) -> list[str]:
    """The names of several words before figures, which need no quotes."""
    names = (name for text in hands for name in re.findall(_NAME_BEFORE_FIGURE, text))
    return [name for name in names if " " in name]


def _members(sides: Sequence[str]) -> list[str]:
    """The players behind the sides of a sheet: one of each side first, as partners sit."""
    members = [side.split("+") for side in sides]
    rounds = zip_longest(*members)
    return [name for names in rounds for name in names if name is not None]
