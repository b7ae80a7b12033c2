"""The one change of rules that makes most findings of an audit disappear, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from meldref.core.diagnostics import Finding, errors_in
from meldref.core.records import changed, record
from meldref.notation.reader import Read
from meldref.replay.log import Overrides, Replay
from meldref.rulefiles.merge import is_within
from meldref.rulefiles.shelf import RulesetCache
from meldref.ruleset.model import Ruleset
from meldref_evidence.explaining import RecordExplainer
from meldref_evidence.inferring.draft import options
from meldref_evidence.inferring.facts import Facts
from meldref_evidence.inferring.judging import keys_of
from meldref_evidence.inferring.search import other_values
from meldref_evidence.inferring.wording import part_in_words

MOST_LINES: Final = 3_000
"""The most lines that are audited again under the best change."""
_TRIAL_LINES: Final = 400
"""The most lines that are audited under each change that is tried."""
_TRIALS: Final = 24
"""The most changes that are tried."""


@record
class Remedy:
    """A change of rules in words, and how many findings disappear with it, of how many."""

    words: str
    gone: int
    findings: int


@record
class Audited:
    """Lines of a log, and what goes over its headers."""

    lines: tuple[Read, ...]
    overrides: Overrides


def remedy(logs: Sequence[Audited], code: str) -> Remedy | None:
    """The change that makes most findings disappear, at least half; None if there is none.

    Args:
        logs: logs that have findings of this kind, with at most `MOST_LINES` lines in all.
        code: the kind of finding that comes back again and again.
    """
    shelf = RulesetCache()
    few = list(_beginning(logs))
    before, ruleset = _findings(few, shelf, repairs=False)
    if ruleset is None:
        return None
    tried: list[tuple[int, tuple[str, str]]] = []
    for part in islice(_parts(ruleset, before, code), _TRIALS):
        after, changed_rules = _findings([_with(log, part) for log in few], shelf, repairs=False)
        if changed_rules is not None:
            tried.append((len(before) - len(after), part))
    if not tried:
        return None
    gain, part = max(tried, key=lambda trial: trial[0])
    if 2 * gain < len(before) or not gain:
        return None

    before, ruleset = _findings(logs, shelf, repairs=True)
    after, otherwise = _findings([_with(log, part) for log in logs], shelf, repairs=True)
    assert ruleset is not None
    assert otherwise is not None
    gone = len(before) - len(after)
    return Remedy(part_in_words(*part, ruleset, otherwise), gone, len(before)) if gone else None


def _beginning(logs: Sequence[Audited]) -> Iterator[Audited]:
    """The logs as far as `_TRIAL_LINES` lines go, with one at least."""
    lines = 0
    for log in logs:
        if lines and lines + len(log.lines) > _TRIAL_LINES:
            return
        lines += len(log.lines)
        yield log


def _findings(
    logs: Iterable[Audited], shelf: RulesetCache, *, repairs: bool
) -> tuple[list[Finding], Ruleset | None]:
    """The errors in logs, and the ruleset of the last game; None if it cannot be loaded."""
    errors: list[Finding] = []
    ruleset: Ruleset | None = None
    for log in logs:
        run = Replay("", log.overrides, shelf, 0, RecordExplainer(repairs=repairs))
        run.feed(log.lines)
        judge = None if run.game is None else run.game.judge
        ruleset = None if judge is None else judge.ruleset
        errors += errors_in(run.finish().findings)
        if ruleset is None:
            break
    return errors, ruleset


def _parts(ruleset: Ruleset, findings: Sequence[Finding], code: str) -> Iterator[tuple[str, str]]:
    """Options, each under the key `extends`, and settings that a kind of finding depends on."""
    keys: Counter[str] = Counter()
    for finding in findings:
        if finding.code == code:
            keys.update(keys_of(finding))
    for key, _ in keys.most_common():
        for name, option in options().items():
            if any(is_within(path, key) for path in option.sets):
                yield "extends", name
        yield from other_values(ruleset, key, Facts())


def _with(log: Audited, part: tuple[str, str]) -> Audited:
    """A log with one more option or setting."""
    over, (key, value) = log.overrides, part
    if key == "extends":
        return changed(log, overrides=changed(over, options=(*over.options, value)))
    return changed(log, overrides=changed(over, settings=(*over.settings, f"{key}={value}")))
