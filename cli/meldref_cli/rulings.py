"""The ruleset that options ask for, and what is wrong with what they ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from meldref_cli.errors import Unusable, both
from meldref_cli.files import STANDARD_INPUT

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


NOTHING_ASKED: Final = Asked(None, (), ())


def asked(
    rules: str | None, options: Sequence[str] | None, settings: Sequence[str] | None, *, said: str = "--rules "
) -> Asked:
    """What the options ask for; `said` stands before the ruleset in messages: the option that names it.

    Raises:
        Unusable: a setting is no `KEY=VALUE`, or there is no such ruleset, option or key.
    """
    found = Asked(None if rules is None else _full(rules), tuple(map(_full, options or ())), tuple(settings or ()))
    wrong = list(_wrong(found, rules, options or (), said))
    if wrong:
        raise Unusable(*wrong)
    return found


def _full(name: str) -> str:
    """A name as it is; of a path, the full one. What is no id, and lies in this folder, is a path."""
    from meldref.ruleset.files import find, is_path

    meant = is_path(name) or (bool(name) and find(name) is None and Path(name).exists())
    return str(Path(name).absolute()) if meant else name


def asked_for_one(written: str, options: Sequence[str] | None, settings: Sequence[str] | None) -> Asked:
    """What is asked for of the one ruleset that a command is about; its path stays as it was written.

    Raises:
        Unusable: as `asked`.
    """
    found = asked(written, options, settings, said="")
    return found._replace(rules=_from_here(written, found.rules))


def _from_here(name: str, full: str | None) -> str:
    """A name as messages show it: one that is a path though it does not look it begins with the folder."""
    from meldref.ruleset.files import is_path

    return name if name == full or is_path(name) else f"./{name}"


def _wrong(found: Asked, rules: str | None, options: Sequence[str], said: str) -> Iterator[str]:
    """What is asked for and not there; how things go together is judged where they are used."""
    from meldref.ruleset.files import find, missing
    from meldref.ruleset.load import load_ruleset

    named = [(said, rules, found.rules)] if rules is not None and found.rules is not None else []
    named += [("--with ", option, full) for option, full in zip(options, found.options, strict=True)]
    for option, name, full in named:
        what = f"{option}{name}: " if option else ""
        if not name:
            yield f"{option or 'the ruleset '}is empty: give an id, as `meldref rules list` shows them, or a file"
        elif name == STANDARD_INPUT:
            yield f"{what}rules are read from a file, not from standard input"
        elif find(full) is None and "+" in name and all(map(find, name.split("+"))):
            base, *more = name.split("+")
            yield f"{what}an option is laid over the game with --with: {base} --with {' --with '.join(more)}"
        elif find(full) is None:
            yield f"{what}{missing(_from_here(name, full))}"
    for setting in found.settings:
        if "=" not in setting:
            yield f"--set {setting}: a setting is written KEY=VALUE, as in --set game.target=1000"
            continue
        _, findings = load_ruleset(DEFAULT, (), (setting,))
        wrong = next((one for one in findings if one.file == "--set" and one.code != "rules.sense"), None)
        if wrong is not None:
            yield f"--set {setting}: {wrong.message}"


def parts_of(written: str) -> list[str]:
    """A ruleset and the options behind it; a file whose name has a plus is that file.

    Raises:
        Unusable: nothing stands before or behind a plus.
    """
    from meldref.ruleset.files import find

    parts = [written] if find(written) is not None else written.split("+")
    if not all(parts):
        raise Unusable(f"{written}: options stand behind a plus, as in 500-rummy+floating")
    return parts


def load(
    found: Asked, default: str | None = DEFAULT, beside: Path | None = None
) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """The ruleset asked for, or the default one, and what is wrong with it."""
    from meldref.ruleset.load import load_ruleset

    name = found.rules or default
    if name is None:
        raise Unusable("no ruleset is named: give one with --rules")
    return load_ruleset(name, found.options, found.settings, beside)


def load_both(
    written: tuple[str, str], with_: Sequence[str] | None, set_: Sequence[str] | None
) -> tuple[Ruleset, Ruleset] | None:
    """Two rulesets with the options behind each; None where one cannot be used, as was told.

    Raises:
        Unusable: something that is asked for is not there.
    """
    from meldref_cli.findings import tell

    def wanted(one: str) -> Asked:
        name, *more = parts_of(one)
        return asked(name, [*more, *(with_ or ())], set_, said="")

    first, second = (load(one) for one in both(lambda: wanted(written[0]), lambda: wanted(written[1])))
    for _, findings in (first, second):
        tell(findings, to_errors=True)
    return None if first[0] is None or second[0] is None else (first[0], second[0])
