"""Games that go on: from a position, from a line of a log, or as they were saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from meldref.core.events import (
    Deal,
    Event,
    HandStart,
    Reshuffle,
    StockOrder,
    Turn,
    Undo,
    UpCard,
    WildRank,
)
from meldref.core.records import NamedTuple, changed
from meldref.notation.reader import read_lines
from meldref.notation.scanner import lines_of
from meldref.position.game import Standing
from meldref.position.model import Position
from meldref.positions.build import Built, build_position
from meldref.positions.load import written_settings
from meldref.replay.game_score import GameScore, first_score
from meldref.replay.log import Overrides, Replay, stand_now
from meldref.report.position_file import NotWritable, position_file, rules_keys
from meldref.rulefiles.files import is_path
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.shelf import OneRuleset
from meldref.ruleset.model import Ruleset
from meldref_table.onward import cannot_play_on, dealt
from meldref_table.simulate.games import Beginning
from meldref_table.simulate.players import Bot
from meldref_table.simulate.playing import Game
from meldref_table.simulate.rng import Dice

_SEEN: Final = (Deal, Reshuffle, StockOrder, Turn, UpCard, WildRank)
"""The lines of a hand that say what was done; others may say what nobody at the table knows."""
_RULES: Final = ("rules", "with", "set")
_FIELDS: Final = {"rules", "players", "seats", "seed", "from", "chosen"}


class Origin(NamedTuple):
    """Where a game begins that goes on from somewhere: its rules, and the hand under way."""

    ruleset: Ruleset
    beginning: Beginning

    def game(
        self,
        seed: int,
        seats: Sequence[str | Bot] | None,
        chosen: Sequence[str] = (),
    ) -> Game:
        """The game, after what was chosen."""
        players = self.beginning.position.players
        return Game(self.ruleset, players, seed, seats, beginning=self.beginning, chosen=chosen)


def game_from_position(
    built: Built,
    seed: int = 1,
    seats: Sequence[str | Bot] | None = None,
    totals: Mapping[str, int] | None = None,
) -> Game:
    """A game that goes on from a position, and after its hand with others.

    Args:
        built: the position. Cards that nobody saw are dealt, so that they fit what is known.
        seed: what they, and the hands after this, are dealt from.
        seats: who decides for each player, as for `Game`.
        totals: what players had before this hand; else what the position says, or 0.

    Raises:
        ValueError: nobody can go on from it, as the sentence says.
    """
    return _at_position(built, seed, totals).game(seed, seats)


def _at_position(built: Built, seed: int, totals: Mapping[str, int] | None) -> Origin:
    ruleset, position = built.judge.given, built.position
    origin: dict[str, object] = {}
    keys = rules_keys(ruleset)
    with suppress(NotWritable):
        origin = {"position": position_file(built, keys), "totals": dict(totals or {})}
    beginning = _beginning(built, seed, _score_at(ruleset, position, totals or {}))
    return Origin(ruleset, changed(beginning, origin=origin))


def _score_at(ruleset: Ruleset, position: Position, totals: Mapping[str, int]) -> GameScore:
    """The score of a game whose hand is at a position, with the totals before that."""
    said = () if position.memory is None else position.memory.totals
    known = [
        totals.get(name, said[seat] if said else 0) for seat, name in enumerate(position.players)
    ]
    number = position.hand or 1

    def before(standing: Standing) -> Mapping[str, Any]:
        of_sides = [known[side[0]] for side in standing.sides]
        counted = [total if isinstance(total, int) else 0 for total in of_sides]
        return {"totals": tuple(counted), "skipped": number - 1}

    return first_score(ruleset, position.players).with_before(before).begin_hand(number)


def game_from_log(
    log: str,
    line: int | None = None,
    seed: int = 1,
    seats: Sequence[str | Bot] | None = None,
    *,
    beside: Path | None = None,
) -> Game:
    """A game that goes on before a line of a log, or at its end, in the hand that is played there.

    Args:
        log: the log. Cards that it does not name are dealt; the score is as the log has it.
        line: the line before which the game goes on.
        seed: what unnamed cards, and the hands after this, are dealt from.
        seats: who decides for each player, as for `Game`.
        beside: where paths in the log start; else the current folder.

    Raises:
        ValueError: no hand is being played there, or nobody can go on from it.
    """
    return _at_line(log, line, seed, Replay("", Overrides(beside=beside))).game(seed, seats)


def _at_line(log: str, line: int | None, seed: int, run: Replay) -> Origin:
    lines = [*lines_of(log)]
    number = len(lines) + 1 if line is None else line
    before = "".join(f"{text}\n" for text in lines[: number - 1])
    said: list[Event] = []
    for read in read_lines(before):
        run.feed((read,))
        event = read[0].event
        if isinstance(event, HandStart):
            said.clear()
        elif isinstance(event, Undo) and said:
            said.pop()
        elif isinstance(event, _SEEN):
            said.append(event)
    built, findings = stand_now(run, number)
    if built is None or run.game is None or run.game.hand is None:
        raise ValueError(findings[-1].message)
    game, dealer = run.game, run.game.hand.dealer
    beginning = changed(
        _beginning(built, seed, game.scores.state),
        dealer=dealer,
        lines=tuple(said),
        before=before,
        origin={"log": before, "line": number},
    )
    return Origin(game.ruleset, beginning)


def _beginning(built: Built, seed: int, score: GameScore) -> Beginning:
    """Where a hand stands with all unseen cards dealt."""
    why_not = cannot_play_on(built)
    if why_not is not None:
        raise ValueError(why_not)
    position = dealt(built, Dice(seed, "onward", 1)).position
    done = None
    if not position.begins:
        done = () if built.begun is None else built.begun[1]
    number = position.hand or 1 if score.record is None else score.record.number
    return Beginning(position, done, score, number, None)


def load_game(
    saved: Mapping[str, Any],
    ruleset: Ruleset | None = None,
    bots: Mapping[str, Bot] | None = None,
) -> Game:
    """A game that was saved by `Game.save`, as it was then.

    Args:
        saved: what it was saved as.
        ruleset: its rules, where files of one's own made them.
        bots: the bots at the table, by the names of their classes.

    Raises:
        ValueError: this is no saved game, or it cannot be played so.
    """
    if not isinstance(saved, Mapping) or not saved.keys() >= _FIELDS:
        raise ValueError("this is no saved game")
    if saved["rules"] is None and ruleset is None:
        raise ValueError("files of one's own made the rules of this game: give its ruleset")
    try:
        seats = [(bots or {}).get(one, one) for one in saved["seats"]]
        return _loaded(saved, ruleset, seats)
    except (KeyError, TypeError, AttributeError) as wrong:
        raise ValueError(f"this saved game cannot be played: {wrong}") from wrong


def _loaded(saved: Mapping[str, Any], ruleset: Ruleset | None, seats: list[str | Bot]) -> Game:
    start, seed, chosen = saved["from"], saved["seed"], saved["chosen"]
    rules = _rules_of(saved["rules"]) if ruleset is None else ruleset
    if start is None:
        return Game(rules, saved["players"], seed, seats, chosen=chosen)
    if "log" in start:
        run = Replay("", shelf=OneRuleset(rules))
        return _at_line(start["log"], start["line"], seed, run).game(seed, seats, chosen)
    built, findings = build_position(
        {key: value for key, value in start["position"].items() if key not in _RULES}, rules
    )
    if built is None:
        raise ValueError(findings[0].message)
    return _at_position(built, seed, start["totals"]).game(seed, seats, chosen)


def _rules_of(named: Mapping[str, Any]) -> Ruleset:
    """The ruleset that a saved game names: one that ships."""
    name, options = str(named["rules"]), [*map(str, named.get("with", ()))]
    if any(map(is_path, (name, *options))):
        raise ValueError("a saved game names rules that ship")
    ruleset, findings = load_ruleset(name, options, written_settings(named.get("set", {})))
    if ruleset is None:
        raise ValueError(findings[0].message)
    return ruleset
