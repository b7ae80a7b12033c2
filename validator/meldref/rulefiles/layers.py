"""The files that make up one ruleset, in the order in which they are laid over one another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Final

from meldref.core.diagnostics import Finding, Origin, Severity, Span, errors_in
from meldref.core.meant import did_you_mean
from meldref.core.records import changed, fresh, record
from meldref.documents.reader import MAX_FINDINGS, Document, Value, read_in_part
from meldref.documents.reader import Path as KeyPath
from meldref.rulefiles.advice import finding_for, findings_for
from meldref.rulefiles.files import (
    BASE,
    Found,
    LogName,
    find,
    is_path,
    is_refused,
    is_shipped,
    meant_name,
    missing,
    words,
)
from meldref.rulefiles.house_rules import HOUSE_RULES, NamedKind, check_beside, check_house_rules
from meldref.rulefiles.merge import HEAD, Flattener, Leaf, Leaves, Problem, merge
from meldref.rulefiles.schema_errors import find_schema_errors
from meldref.rulefiles.vocabulary import schema

_MOST_FILES: Final = 100
_MOST_ENTRIES: Final = 10_000
"""How many entries a list of a rules file may have: to check a single one takes time."""


@record
class Layer:
    """One file: what it says of itself, its leaves, and the keys of all files that it builds on."""

    found: Found
    id: str
    type: str
    name: str
    about: str
    source: str
    aliases: tuple[str, ...]
    needs: Mapping[str, Value]
    excludes: tuple[str, ...]
    leaves: Leaves
    document: Document
    text: bytes
    extends: tuple[str, ...]
    ancestors: frozenset[str] = frozenset()


@record(frozen=False)
class Stack:
    """Files in the order of layering: what a file builds on comes before it, none twice."""

    layers: dict[str, Layer] = fresh(default_factory=dict)
    findings: list[Finding] = fresh(default_factory=list)
    open: list[str] = fresh(default_factory=list)
    extended_at: dict[str, tuple[Document, int]] = fresh(default_factory=dict)
    """For each file that another one names in `extends`: where."""
    texts: dict[Path, bytes] = fresh(default_factory=dict)
    """The content of files where it differs from the disk."""
    doubtful: set[str] = fresh(default_factory=set)
    """Sections from which something unreadable was left out."""
    tolerated: int = 0
    """How many errors are of that kind: the other sections can still be judged."""
    kinds: list[NamedKind] = fresh(default_factory=list)
    """The kinds of meld that house rules name."""
    faulty: set[str] = fresh(default_factory=set)
    """The keys of files with errors of their own."""
    broken: bool = False
    """Whether something was left out that belongs to no known section."""

    @property
    def is_broken(self) -> bool:
        """Whether an error leaves open what the rules are, even outside the sections it is in."""
        return self.broken or len(errors_in(self.findings)) > self.tolerated

    @property
    def has_users_files(self) -> bool:
        """Whether any file is not one that ships."""
        return any(not layer.found.shipped for layer in self.layers.values())

    def report(self, code: str, message: str) -> None:
        """Note a finding about what was asked for."""
        self.findings.append(Finding(code, message, Span(1)))

    def add(self, file: Found) -> Layer | None:
        """Lay a file on top, below it what it builds on; None where it cannot be used."""
        if file.key in self.layers:
            return self.layers[file.key]
        self.open.append(file.key)
        try:
            layer = self.read(file)
        finally:
            self.open.pop()
        if layer is not None:
            self.layers[file.key] = layer
        return layer

    def read(self, file: Found) -> Layer | None:
        """Read one file and lay down what it builds on."""
        try:
            data = self.texts.get(file.path)
            if data is None:
                data = file.read()
        except OSError as error:
            self.findings.append(
                Finding("rules.yaml", f"cannot be read: {error.strerror}", Span(1), file=file.shown)
            )
            return None
        read = _read_shipped if file.shipped else read_in_part
        document, findings = read(data, file.shown)
        self.findings.extend(findings)
        if document is None:
            return None
        value = self.take_usable(file, document, {finding.span.line for finding in findings})
        if value is None:
            return None
        if findings or value is not document.value:
            self.faulty.add(file.key)
        lines = {path: span.line for path, span in document.key_places.items()}
        flattener = Flattener(file.shown, lines)
        flattener.flatten(value)
        for problem in flattener.problems:
            self.tolerate(finding_for(problem, document))
            self.doubtful.add(str(problem.path[0]))
            self.faulty.add(file.key)
        kind = str(value.get("type", "game"))
        extends = words(value.get("extends"))
        ancestors = self.read_extends(file, document, kind, extends)
        name = str(value.get("id") or file.path.stem)
        needs = value.get("needs")
        if not isinstance(needs, dict):
            needs = {}
        return Layer(
            found=file,
            id=name,
            type=kind,
            name=str(value.get("name") or name),
            about=str(value.get("about", "")),
            source=str(value.get("source", "")),
            aliases=words(value.get("aliases")),
            needs=needs,
            excludes=words(value.get("excludes")),
            leaves=flattener.leaves,
            document=document,
            text=data,
            extends=extends,
            ancestors=ancestors,
        )

    def take_usable(
        self, file: Found, document: Document, reported: set[int]
    ) -> dict[str, Value] | None:
        """What a file says that can be used, None if nothing; a finding about anything else."""
        value = document.value
        if not isinstance(value, dict):
            what = "a list" if isinstance(value, list) else "a text"
            message = (
                f"this is {what}; a rules file has keys and values, as in extends: [500-rummy]"
            )
            self.findings.append(document.finding("rules.yaml", message, ()))
            return None
        too_long = None if file.shipped else _too_long(value)
        if too_long is not None:
            path, entries = too_long
            message = f"this list has {entries:,} entries; at most {_MOST_ENTRIES:,} are allowed"
            self.findings.append(document.finding("rules.value", message, path))
            return None
        if not file.shipped:
            value = self.take_fitting(value, document, reported)
        return self.drop_faulty_house_rules(value, document) if HOUSE_RULES in value else value

    def take_fitting(
        self, value: dict[str, Value], document: Document, reported: set[int]
    ) -> dict[str, Value]:
        """What a user's file says that the schema allows.

        A finding for the rest, but not on `reported` lines.
        """
        schema_errors = find_schema_errors(value)
        if not schema_errors:
            return value
        if len(schema_errors) > MAX_FINDINGS:
            self.broken = True
            self.findings.extend(findings_for(schema_errors[:MAX_FINDINGS], document))
            message = (
                f"there are more than {MAX_FINDINGS} errors in this file: the rest are not reported"
            )
            self.findings.append(document.finding(schema_errors[-1].code, message, ()))
            return {}
        findings = findings_for(schema_errors, document)
        self.tolerate(*[finding for finding in findings if finding.span.line not in reported])
        paths = [schema_error.path for schema_error in schema_errors]
        self.tolerate(*check_beside(value, paths, document))
        sections = {str(path[0]) for path in paths if path}
        self.doubtful |= sections
        # A mistake about the file itself, or a key that no rules have, belongs to no section.
        known_sections = set(schema()["properties"]) - HEAD
        if () in paths or not sections <= known_sections:
            self.broken = True
        return _without(value, paths)

    def drop_faulty_house_rules(
        self, value: dict[str, Value], document: Document
    ) -> dict[str, Value]:
        """Returns the file without house rules that cannot be used, and reports each of them."""
        checked = check_house_rules(value, document)
        self.tolerate(*checked.findings)
        self.kinds += checked.kinds
        rules = value[HOUSE_RULES]
        if not checked.unusable or not isinstance(rules, dict):
            return value
        self.doubtful.add(HOUSE_RULES)
        usable = {name: rule for name, rule in rules.items() if name not in checked.unusable}
        return {**value, HOUSE_RULES: usable}

    def strange_kinds(self, kinds: Collection[str], leaves: Leaves) -> list[Finding]:
        """Findings about kinds of meld that house rules name and the rules do not have."""
        findings: list[Finding] = []
        for key, name, finding in self.kinds:
            leaf = leaves.get(key)
            if name not in kinds and leaf is not None and leaf.origin.file == finding.file:
                hint = did_you_mean(name, kinds, f"; there are {', '.join(kinds)}")
                findings.append(changed(finding, message=f"{finding.message}{hint}"))
        return findings

    def tolerate(self, *findings: Finding) -> None:
        """Note errors beside which other sections can be judged."""
        self.findings += findings
        self.tolerated += len(findings)

    def read_extends(
        self, file: Found, document: Document, kind: str, names: tuple[str, ...]
    ) -> frozenset[str]:
        """Lay down the files that one builds on.

        What is wrong with them is reported at their names.
        """
        ancestors: set[str] = set()
        most = len(self.findings) + MAX_FINDINGS
        places: dict[str, int] = {}
        for place, base in enumerate(names):
            places.setdefault(base, place)
        for written, place in places.items():
            if len(self.findings) > most:
                message = "there are more errors among these names: the rest are not checked"
                self.findings.append(document.finding("rules.extends", message, ("extends", place)))
                break
            name = file.below(written)
            below = find(name, file.path.parent)
            message, help_ = "", ""
            instead: str | None = None
            if below is None and isinstance(name, LogName) and is_refused(name, file.path.parent):
                self.report("rules.extends", missing(name, file.path.parent))
            elif below is None:
                message = missing(name, file.path.parent)
                meant = meant_name(name, file.path.parent)
                if meant is not None and meant.sure:
                    instead = meant.text
                elif meant is None and is_path(written):
                    help_ = "a path starts from the folder of the file that names it"
            elif below.key in self.open:
                circle = [*self.open[self.open.index(below.key) :], below.key]
                names_around = " → ".join(Path(key).name for key in circle)
                message = f"files extend each other in a circle: {names_around}"
                help_ = "one of them has to extend something else"
            elif len(self.layers) + len(self.open) > _MOST_FILES:
                message = f"more than {_MOST_FILES} files extend one another"
            else:
                self.extended_at.setdefault(below.key, (document, place))
                layer = self.add(below)
                if layer is None or below.key in self.faulty:
                    message = f"{written} has errors of its own"
                elif kind == "option" and layer.type != "option":
                    message = f"an option extends only options, and {written} is a game"
                    combined = "any game can be combined with an option, by --with or [Options]"
                    help_ = f"leave it out: {combined}"
                else:
                    ancestors |= layer.ancestors | {layer.found.key}
            if message:
                path = ("extends", place)
                problem = Problem(path, message, "rules.extends", instead=instead)
                finding = finding_for(problem, document)
                if help_:
                    finding = changed(finding, help=(help_,))
                self.findings.append(finding)
        return frozenset(ancestors)

    def merged(self, below: frozenset[str]) -> Leaves:
        """All files laid over one another; a warning for each key that two of equal standing set.

        `below` are the files of the game itself: options asked for on top of them change them on
        purpose.
        """
        leaves: Leaves = {}
        setters: dict[str, Layer] = {}
        conflicts: dict[str, tuple[Layer, Leaf, Leaf]] = {}
        for layer in self.layers.values():
            for key, leaf in layer.leaves.items():
                other = setters.get(key)
                differ = other is not None and key in leaves and leaves[key].value != leaf.value
                if other and differ and _level(other, layer, below):
                    conflicts[key] = (layer, leaves[key], leaf)
                setters[key] = layer
            leaves = merge(leaves, layer.leaves)
        reported: set[tuple[str, int, str, int]] = set()
        for key, (layer, first, second) in conflicts.items():
            pair = (first.origin.file, first.origin.line, second.origin.file, second.origin.line)
            if leaves.get(key) == second and pair not in reported:
                reported.add(pair)
                self.findings.append(self.conflict(layer, first, second))
        return leaves

    def conflict(self, layer: Layer, first: Leaf, second: Leaf) -> Finding:
        """The warning that two files set one key differently, where the user combined them."""
        origin, two = first.origin, second.origin
        first_says = f"{origin.value} in {origin.file}:{origin.line}"
        message = (
            f"{two.key} is {first_says} and {two.value} in {two.file}:{two.line}; the later wins"
        )
        code = "rules.conflict"
        severity = Severity.WARNING
        document, place = self.extended_at.get(layer.found.key, (None, 0))
        if document is not None and layer.found.shipped:
            path = ("extends", place)
            advice = "leave one of the two out, or set the value here"
            return document.finding(
                code, message, path, severity=severity, rule=two, help=(advice,)
            )
        text = layer.document.excerpt(two.line)
        span = _span_of_text(text, two.line, text)
        return Finding(code, message, span, severity, two.file, text, rule=two)

    def report_of_rules(self, findings: Iterable[Finding]) -> None:
        """Note findings about the merged rules, except for what may come from what was left out."""
        for finding in findings:
            if not self.is_doubtful(finding):
                self.findings.append(self.with_excerpt(finding))

    def is_doubtful(self, finding: Finding) -> bool:
        """Whether a finding may only come from what was left out of some sections."""
        if not self.doubtful:
            return False
        keys = [note.partition(" = ")[0] for note in finding.notes]
        if finding.rule is not None:
            keys.append(finding.rule.key)
        return not keys or any(key.partition(".")[0] in self.doubtful for key in keys)

    def with_excerpt(self, finding: Finding) -> Finding:
        """A finding with the text of its line, and the columns of that text or of a list's item."""
        layers = [layer for layer in self.layers.values() if layer.found.shown == finding.file]
        if not layers or finding.excerpt:
            return finding
        document, rule = layers[0].document, finding.rule
        above, _, last = rule.key.rpartition(".") if rule else ("", "", "")
        if rule and last.isdigit():
            # So ends the key of an item of a list, but that of an entry of a table as well.
            item = document.places.get((*above.split("."), int(last)))
            if item is not None:
                placed = finding.at(item, document.excerpt(item.line))
                return changed(placed, rule=changed(rule, key=above))
        text = document.excerpt(finding.span.line)
        return finding.at(_span_of_text(text, finding.span.line, text.split(" #")[0]), text)


_read_shipped: Final = lru_cache(maxsize=64)(read_in_part)
"""What a shipped file says; it is read once, however often rules are laid over it."""


def about(
    code: str,
    message: str,
    origins: Sequence[Origin],
    advice: str = "",
    severity: Severity = Severity.ERROR,
) -> Finding:
    """A finding about keys of merged rules, at the one that its reader is likeliest to change.

    That is the first one set in a file of the user's own, then the first one that differs from
    500 Rummy.
    """
    help_ = (advice,) if advice else ()
    origin = min(origins, key=_distance, default=None)
    if origin is None:
        return Finding(code, message, Span(1), severity, help=help_)
    span = Span(max(origin.line, 1))
    return Finding(code, message, span, severity, origin.file, rule=origin, help=help_)


def _distance(origin: Origin) -> int:
    """How far a setting is from what the user wrote: theirs, a shipped file's, that of the base."""
    if origin.file == f"{BASE}.yaml":
        return 2
    return 1 if is_shipped(origin.file) else 0


def _span_of_text(line: str, number: int, until: str) -> Span:
    """The columns of a line from the first that is no space to the end of its beginning `until`."""
    return Span(number, len(line) - len(line.lstrip()) + 1, len(until.rstrip()) + 1)


def _too_long(value: Value, path: KeyPath = ()) -> tuple[KeyPath, int] | None:
    """The first list with too many entries, by its path, and how many it has."""
    if isinstance(value, list):
        if len(value) > _MOST_ENTRIES:
            return path, len(value)
        parts: Iterable[tuple[str | int, Value]] = enumerate(value)
    elif isinstance(value, dict):
        parts = value.items()
    else:
        return None
    too_long = (_too_long(part, (*path, key)) for key, part in parts)
    return next(filter(None, too_long), None)


def _level(layer: Layer, other: Layer, below: frozenset[str]) -> bool:
    """Whether two files are on one level, so that neither is meant to change the other."""
    if layer.id == BASE or layer.type != other.type:
        return False
    if (layer.found.key in below) != (other.found.key in below):
        return False
    if layer.found.key in other.ancestors:
        return False
    return layer.id not in other.excludes and other.id not in layer.excludes


def _without(value: dict[str, Value], paths: Iterable[KeyPath]) -> dict[str, Value]:
    """What a file says, less what does not fit.

    A list goes whole for one item, and so do a kind of meld and a house rule.
    """
    for path in paths:
        whole = tuple(takewhile(lambda part: isinstance(part, str), path))
        if whole[:2] == ("melds", "kinds"):
            whole = whole[:3]
        elif whole[:1] == (HOUSE_RULES,):
            whole = whole[:2]
        value = _pruned(value, whole)
    return value


def _pruned(value: dict[str, Value], path: KeyPath) -> dict[str, Value]:
    """A mapping without the value at a path."""
    if not path:
        return {}
    key, *deeper = map(str, path)
    remaining = dict(value)
    below = remaining.pop(key, None)
    if deeper and isinstance(below, dict):
        remaining[key] = _pruned(below, tuple(deeper))
    return remaining
