"""The ruleset that options ask for, and what is wrong with what they ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from meldref_cli.errors import Unusable

if TYPE_CHECKING:
    from meldref.diagnostics import Finding
    from meldref.ruleset.model import Ruleset

DEFAULT = "500-rummy"


class Asked(NamedTuple):
    """What `--rules`, `--with` and `--set` ask for; paths are full, since they start at the current folder."""

    rules: str | None
    options: tuple[str, ...]
    settings: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.rules or self.options or self.settings)


def asked(rules: str | None, options: Sequence[str] | None, settings: Sequence[str] | None) -> Asked:
    """What the options ask for.

    Raises:
        Unusable: a setting is no `KEY=VALUE`, or there is no such ruleset, option or key.
    """
    found = Asked(None if rules is None else _full(rules), tuple(map(_full, options or ())), tuple(settings or ()))
    wrong = list(_wrong(found, rules, options or ())) if found else []
    if wrong:
        raise Unusable(*wrong)
    return found


def _full(name: str) -> str:
    from meldref.ruleset.files import is_path

    return str(Path(name).absolute()) if is_path(name) else name


def _wrong(found: Asked, rules: str | None, options: Sequence[str]) -> Iterator[str]:
    """What is asked for and not there; how things go together is judged where they are used."""
    from meldref.ruleset.files import find, missing
    from meldref.ruleset.load import load_ruleset

    named = [("--rules", rules, found.rules)] if rules and found.rules else []
    named += [("--with", option, full) for option, full in zip(options, found.options, strict=True)]
    for option, name, full in named:
        if find(full) is None:
            yield f"{option} {name}: {missing(name)}"
    for setting in found.settings:
        if "=" not in setting:
            yield f"--set {setting}: a setting is written KEY=VALUE, as in --set game.target=1000"
            continue
        _, findings = load_ruleset(DEFAULT, (), (setting,))
        wrong = next((one for one in findings if one.file == "--set" and one.code != "rules.sense"), None)
        if wrong is not None:
            yield f"--set {setting}: {wrong.message}"


def load(
    found: Asked, default: str | None = DEFAULT, beside: Path | None = None
) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """The ruleset asked for, or the default one, and what is wrong with it."""
    from meldref.ruleset.load import load_ruleset

    name = found.rules or default
    if name is None:
        raise Unusable("no ruleset is named: give one with --rules")
    return load_ruleset(name, found.options, found.settings, beside)
