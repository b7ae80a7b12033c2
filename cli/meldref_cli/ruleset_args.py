"""The ruleset that options ask for, and what is wrong with what they ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from meldref.core.records import NamedTuple
from meldref.core.text import in_words
from meldref.rulefiles.files import Found, Name, find, is_path, missing
from meldref_cli.errors import Unusable, both
from meldref_cli.files import STANDARD_INPUT, is_there, read_document
from meldref_cli.findings import tell

if TYPE_CHECKING:
    from meldref.core.diagnostics import Finding
    from meldref.replay.log import Overrides
    from meldref.ruleset.model import Ruleset

DEFAULT = "500-rummy"
SHOWN_INPUT: Final = "standard input"
"""How messages name rules that come from there."""


class RulesetRequest(NamedTuple):
    """What `--rules`, `--with` and `--set` ask for; paths are full, from the current folder.

    What comes from standard input is a file that was found already.
    """

    rules: Name | None = None
    options: tuple[Name, ...] = ()
    settings: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rules or self.options or self.settings)


NOTHING_ASKED: Final = RulesetRequest()


def asked(
    rules: str | None,
    options: Sequence[str] | None,
    settings: Sequence[str] | None,
    *,
    named_by: str = "--rules ",
    read: Sequence[tuple[str, str | None]] = (),
) -> RulesetRequest:
    """What the options ask for, all of which has to exist.

    `named_by` comes before the ruleset in messages: the option that names it. `read` is what else
    the command reads, and the names given for it, one of which may be `-` already.
    """
    over = options or ()
    named = [
        *read,
        (named_by.strip() or "the ruleset", rules),
        *(("--with", option) for option in over),
    ]
    inputs = [what for what, name in named if name == STANDARD_INPUT]
    if len(inputs) > 1:
        raise Unusable(
            f"- is standard input, which can be only one thing, not {in_words(inputs)}: give files"
        )
    wrong = list(_wrong(rules, over, settings or (), named_by))
    if wrong:
        raise Unusable(*wrong)
    return RulesetRequest(
        None if rules is None else _full(rules), tuple(map(_full, over)), tuple(settings or ())
    )


def from_input() -> Found:
    """The rules read from standard input; names in them start at the current folder."""
    return Found(Path.cwd() / SHOWN_INPUT, SHOWN_INPUT, text=read_document(STANDARD_INPUT))


def _full(name: str) -> Name:
    """A name as it is; of a path, the full one; of `-` and of a pipe, the content."""
    if name == STANDARD_INPUT:
        return from_input()
    path = _path(name)
    shipped = find(path, any_kind=True)
    if shipped is None or not shipped.any_kind:
        return path
    return Found(shipped.path, shipped.shown, text=read_document(path))


def _path(name: str) -> str:
    """A name as it is; of a path, the full one.

    What is not an id, and is in this folder, is a path.
    """
    meant = is_path(name) or (bool(name) and find(name) is None and is_there(name))
    return str(Path(name).absolute()) if meant else name


def asked_for_one(
    written: str, options: Sequence[str] | None, settings: Sequence[str] | None
) -> RulesetRequest:
    """What is asked for of the one ruleset that a command is about.

    Paths stay as they were written.
    """
    request = asked(written, options, settings, named_by="")
    both_ways = zip((written, *(options or ())), (request.rules, *request.options), strict=True)
    first, *over = [
        _from_here(name, full) if isinstance(full, str) else full for name, full in both_ways
    ]
    return request._replace(rules=first, options=tuple(filter(None, over)))


def _from_here(name: str, full: str) -> str:
    """A name as messages show it; a path that does not look like one begins with its folder."""
    return name if name == full or is_path(name) else f"./{name}"


def with_hint(message: str, name: str) -> str:
    """The sentence that there is no such ruleset, with where to see the list or what is near."""
    return (
        message
        if ";" in message or is_path(name)
        else f"{message}; `meldref rules list` lists them"
    )


def _wrong(
    rules: str | None, options: Sequence[str], settings: Sequence[str], named_by: str
) -> Iterator[str]:
    """What is asked for and not there; how things go together is judged where they are used."""
    from meldref.rulefiles.load import load_ruleset

    named = [] if rules is None else [(named_by, rules)]
    named += [("--with ", option) for option in options]
    for option, name in named:
        if name == STANDARD_INPUT:
            continue
        what = f"{option}{name}: " if option else ""
        full = _path(name)
        if not name:
            advice = "give an id, as `meldref rules list` shows them, or a file"
            yield f"{option or 'the ruleset '}is empty: {advice}"
        elif find(full, any_kind=True) is None and "+" in name and all(map(find, name.split("+"))):
            command = name.replace("+", " --with ")
            yield f"{what}options are added to a game with --with: {command}"
        elif find(full, any_kind=True) is None:
            yield what + with_hint(missing(_from_here(name, full)), full)
    for setting in settings:
        if not setting.partition("=")[0].strip() or "=" not in setting:
            yield f"--set {setting}: a setting is written KEY=VALUE, as in --set game.target=1000"
            continue
        _, findings = load_ruleset(DEFAULT, (), (setting,))
        wrong = next(
            (
                finding
                for finding in findings
                if finding.file == "--set" and finding.code != "rules.sense"
            ),
            None,
        )
        if wrong is not None:
            yield f"--set {setting}: {wrong.message}"


def parts_of(written: str) -> list[str]:
    """A ruleset and the options behind it; a file whose name has a plus is that file."""
    parts = [written] if find(written, any_kind=True) is not None else written.split("+")
    if not all(parts):
        raise Unusable(f"{written}: options come after a plus, as in 500-rummy+floating")
    return parts


def shown(written: str) -> str:
    """A ruleset with its options as headings name it."""
    first, *more = written.split("+")
    return "+".join((SHOWN_INPUT, *more)) if first == STANDARD_INPUT else written


def over_log(request: RulesetRequest, log: str | None, *, trust_paths: bool = False) -> Overrides:
    """What is asked for over what a log says, whose folder its own rules are named from."""
    from meldref.replay.log import Overrides

    beside = None if log is None or log == STANDARD_INPUT else Path(log).parent
    return Overrides(request.rules, request.options, request.settings, beside, trust_paths)


def load(request: RulesetRequest) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """The ruleset asked for, or the default one, and what is wrong with it."""
    from meldref.rulefiles.load import load_ruleset

    return load_ruleset(request.rules or DEFAULT, request.options, request.settings)


def usable(request: RulesetRequest, *otherwise: str) -> Ruleset:
    """The ruleset asked for, or the default one.

    What is wrong with it is reported, then `otherwise`.
    """
    ruleset, findings = load(request)
    tell(findings, to_errors=True)
    if ruleset is None:
        raise Unusable(*otherwise)
    return ruleset


def load_both(
    written: tuple[str, str], with_: Sequence[str] | None, set_: Sequence[str] | None
) -> tuple[Ruleset, Ruleset]:
    """Two rulesets with the options after each."""

    def wanted(wanted_rules: str) -> RulesetRequest:
        name, *more = parts_of(wanted_rules)
        return asked(name, [*more, *(with_ or ())], set_, named_by="")

    each = [("one of two rulesets", part) for name in written for part in name.split("+")]
    if sum(part == STANDARD_INPUT for _, part in each) > 1 or STANDARD_INPUT in (with_ or ()):
        raise Unusable(
            "- is standard input, which is read once: it can be A or B, and nothing else"
        )
    first, second = both(lambda: wanted(written[0]), lambda: wanted(written[1]))
    return both(lambda: usable(first), lambda: usable(second))
