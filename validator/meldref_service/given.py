"""Rules, logs and positions as questions give them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from meldref.core.diagnostics import Finding
from meldref.core.records import record
from meldref.documents.reader import read_yaml
from meldref.positions.build import Built
from meldref.positions.load import load_position, read_position
from meldref.replay.log import Overrides, Replay, stand_now
from meldref.report.position_file import said_of_rules
from meldref.rulefiles.files import BASE, Found, LogName, Name, Setting, is_path
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import Ruleset
from meldref_evidence.explaining import RecordExplainer

LOG: Final = "log.rgn"
RULES: Final = "rules.yaml"
POSITION: Final = "position.yaml"
"""What messages call texts that have no file."""
EXPLAINER: Final = RecordExplainer()
"""What explains the findings of logs."""
NOWHERE: Final = Path(os.devnull) / "nowhere"
"""The folder of what has none: no file can be in it."""

GivenRules: TypeAlias = str | Mapping[str, Any]
"""The id of a game, or `name` or `text` of rules with `options` and `settings`."""
GivenPosition: TypeAlias = str | Mapping[str, Any]
"""A position file, as its text or its data."""


@record
class Rules:
    """The rules that a question asks by; `name` is None where it leaves them to a log or position.

    `folder` is where names of files start, and what they do not lead out of.
    """

    name: Name | None
    options: tuple[Name, ...]
    settings: tuple[str, ...]
    folder: Path

    @classmethod
    def of(cls, rules: GivenRules, folder: str = "") -> Rules:
        """Rules as they are given, in a folder or in none."""
        place = Path(folder) if folder else NOWHERE
        said = {"name": rules} if isinstance(rules, str) else rules
        name: Name | None = _named(said["name"], place) if said.get("name") else None
        if said.get("text", "").strip():
            name = found(said["text"], place)
        options = [_named(option, place) for option in said.get("options", ())]
        return cls(name, tuple(options), tuple(said.get("settings", ())), place)

    @property
    def overrides(self) -> Overrides:
        """What goes over the headers of a log."""
        return Overrides(self.name, self.options, self.settings, self.folder)

    def named_over(self, own: Mapping[str, object]) -> dict[str, object]:
        """The keys by which a position file names these rules over its own, or those of a log."""
        rules, options, settings = (own.get(key) for key in ("rules", "with", "set"))
        if self.name is not None:
            rules = f"./{RULES}" if isinstance(self.name, Found) else _text(self.name)
        all_options = [*(options if isinstance(options, list) else ()), *map(_text, self.options)]
        all_settings = dict(settings) if isinstance(settings, dict) else {}
        all_settings |= {one.key: one.value for one in map(Setting.of, self.settings)}
        said = {"rules": rules, "with": all_options, "set": all_settings}
        return {key: value for key, value in said.items() if value}

    def load(self) -> tuple[Ruleset | None, tuple[Finding, ...]]:
        """The ruleset, 500-rummy where none is named; None and what is wrong with it."""
        return load_ruleset(self.name or BASE, self.options, self.settings, self.folder)

    def position(self, given: GivenPosition) -> At:
        """A position by these rules, over those that it names."""
        if isinstance(given, str):
            built, findings = read_position(
                given,
                POSITION,
                self.name,
                self.options,
                self.settings,
                self.folder,
                within=self.folder,
            )
            document, _ = read_yaml(given, POSITION, "log.syntax")
            own = None if document is None else document.value
        else:
            own = dict(given)
            built, findings = load_position(
                own, self.name, self.options, self.settings, within=self.folder
            )
        return At(built, findings, self.named_over(own if isinstance(own, dict) else {}))


@record
class At:
    """A position that is asked about, and the keys by which a file names its rules.

    None and what is wrong, if there is none.
    """

    built: Built | None
    findings: tuple[Finding, ...]
    named: Mapping[str, object]


def at_in(run: Replay, line: int, rules: Rules) -> At:
    """Where a log that was replayed up to a line stands."""
    built, findings = stand_now(run, line)
    own = said_of_rules(header for _, header in run.headers)
    return At(built, findings, rules.named_over(own))


def found(text: str, folder: Path) -> Found:
    """The text of a rules file as a file that was found; what it names stays in the folder."""
    data = text.encode("utf-8", "surrogatepass")
    return Found(folder / RULES, RULES, text=data, log=LogName(RULES, folder))


def _named(name: str, folder: Path) -> Name:
    """A name of rules; a path stays in the folder."""
    return LogName(name, folder) if is_path(name) else name


def _text(name: Name) -> str:
    return name if isinstance(name, str) else name.shown
