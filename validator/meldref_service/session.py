"""What is kept from one question to the next, so that the next is answered at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, Generic, TypeVar

from meldref.core.safe_files import MAX_BYTES, read_file
from meldref.notation import read_lines
from meldref.notation.scanner import lines_of
from meldref.replay.log import Replay
from meldref.rulefiles.shelf import RulesetCache
from meldref.ruleset.model import Ruleset
from meldref_authoring.rulebook import make_rulebook
from meldref_authoring.rulebook.model import Rulebook
from meldref_service.draft import Draft, Film
from meldref_service.given import EXPLAINER, LOG, NOWHERE, At, GivenPosition, Rules, at_in

MOST_SESSIONS: Final = 64
"""The most sessions that are kept; the one that was asked longest ago goes."""
MOST_KEPT: Final = 64
"""The most positions that are kept ready."""
_V = TypeVar("_V")


class Kept(Generic[_V]):
    """The last things that were made, by what they were made from."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._made: dict[Hashable, _V] = {}

    def get(self, key: Hashable, make: Callable[[], _V]) -> _V:
        """The one of this key, which is made where it is not there."""
        value = self._made.pop(key) if key in self._made else make()
        self._made[key] = value
        if len(self._made) > self._most:
            del self._made[next(iter(self._made))]
        return value

    def forget(self, key: Hashable) -> None:
        """Lets go of the one of this key."""
        self._made.pop(key, None)


class Session:
    """What one program, or one tab of a browser, is at: its rules, its log, its positions.

    Sessions share nothing, and a question asked in any of them has the same answer.
    """

    def __init__(self) -> None:
        self._shelves: Kept[RulesetCache] = Kept(8)
        self._positions: Kept[At] = Kept()
        self._books: Kept[Rulebook] = Kept(4)
        self.draft = Draft(self.replay)
        self.films: dict[str, Film] = {}
        """The films under way, by what they are for."""

    def shelf(self, rules: Rules) -> RulesetCache:
        """The rulesets that logs ask for with these rules; those read from changed files are not."""
        shelf = self._shelves.get(rules, RulesetCache)
        if _is_stale(shelf):
            self._shelves.forget(rules)
            shelf = self._shelves.get(rules, RulesetCache)
        return shelf

    def position(self, given: GivenPosition, rules: Rules) -> At:
        """A position by these rules; where no file can have to do with it, it is kept ready."""
        if rules.folder != NOWHERE:
            return rules.position(given)
        key = given if isinstance(given, str) else ("data", json.dumps(given, sort_keys=True))
        return self._positions.get((key, rules), lambda: rules.position(given))

    def rulebook(self, ruleset: Ruleset, rules: Rules) -> Rulebook:
        """The rulebook of a ruleset that these rules gave; where no file is behind it, it is kept."""
        if rules.folder != NOWHERE:
            return make_rulebook(ruleset)
        return self._books.get(rules, lambda: make_rulebook(ruleset))

    def before(self, log: str, line: int | None, rules: Rules) -> At:
        """Where a log stands before a line, or at its end; from the draft where that has it."""
        lines = [*lines_of(log)]
        last = len(lines) + 1 if line is None else line
        if self.draft.begins_with(lines[: last - 1], rules):
            return self.draft.before(last)
        run = self.replay(rules)
        run.feed(read_lines(lines[: last - 1]))
        return at_in(run, last, rules)

    def replay(self, rules: Rules) -> Replay:
        """A log about to be replayed by these rules."""
        return Replay(LOG, rules.overrides, self.shelf(rules), explainer=EXPLAINER)


def _is_stale(shelf: RulesetCache) -> bool:
    """Whether a file behind these rulesets is no more what it was; texts have no file."""
    for path, digest in shelf.used.items():
        with suppress(OSError):
            if sha256(read_file(Path(path), MAX_BYTES)).hexdigest() != digest:
                return True
    return False
