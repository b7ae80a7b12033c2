"""The files that make up one ruleset, in the order in which they are laid over one another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from meldref.diagnostics import Finding, Severity, Span
from meldref.records import changed, fresh, record
from meldref.ruleset.files import BASE, Found, find, missing, words
from meldref.ruleset.merge import REST, Flattener, Leaf, Leaves, flow, merge
from meldref.source import Document, Value, read_in_part

_MOST_FILES: Final = 100


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
    ancestors: frozenset[str] = frozenset()


@record(frozen=False)
class Stack:
    """Files in the order of laying over: what a file builds on comes before it, and no file twice."""

    layers: dict[str, Layer] = fresh(default_factory=dict)
    findings: list[Finding] = fresh(default_factory=list)
    open: list[str] = fresh(default_factory=list)
    asked: dict[str, tuple[Document, int]] = fresh(default_factory=dict)
    """For each file that another one names in `extends`: where."""

    @property
    def has_errors(self) -> bool:
        """Whether anything found so far is an error."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def has_users_files(self) -> bool:
        """Whether any file is not one that ships."""
        return any(not layer.found.shipped for layer in self.layers.values())

    def report(self, code: str, message: str) -> None:
        """Note a finding about what was asked for."""
        self.findings.append(Finding(code, message, Span(1)))

    def add(self, found: Found) -> Layer | None:
        """Lay a file on top, below it what it builds on; None where it cannot be used."""
        if found.key in self.layers:
            return self.layers[found.key]
        self.open.append(found.key)
        try:
            layer = self.read(found)
        finally:
            self.open.pop()
        if layer is not None:
            self.layers[found.key] = layer
        return layer

    def read(self, found: Found) -> Layer | None:
        """Read one file and lay down what it builds on."""
        try:
            data = found.path.read_bytes()
        except OSError as error:
            self.findings.append(
                Finding("rules.yaml", f"cannot be read: {error.strerror}", Span(1), file=found.shown)
            )
            return None
        document, findings = read_in_part(data, found.shown)
        self.findings.extend(findings)
        if document is None:
            return None
        value = document.value
        if not isinstance(value, dict):
            self.findings.append(
                document.finding("rules.yaml", "a rules file has keys and values, as in `game:`", ())
            )
            return None
        if not found.shipped and not self.has_shape(document, {finding.span.line for finding in findings}):
            return None
        flattener = Flattener(found.shown, {path: span.line for path, span in document.key_places.items()})
        flattener.flatten(value)
        for problem in flattener.problems:
            self.findings.append(document.finding("rules.value", problem.message, problem.path))
        kind = str(value.get("type", "game"))
        ancestors = self.read_extends(found, document, kind, words(value.get("extends")))
        name = str(value.get("id") or found.path.stem)
        needs = value.get("needs")
        return Layer(
            found=found,
            id=name,
            type=kind,
            name=str(value.get("name") or name),
            about=str(value.get("about", "")),
            source=str(value.get("source", "")),
            aliases=words(value.get("aliases")),
            needs=needs if isinstance(needs, dict) else {},
            excludes=words(value.get("excludes")),
            leaves=flattener.leaves,
            document=document,
            text=data,
            ancestors=ancestors,
        )

    def has_shape(self, document: Document, told: set[int]) -> bool:
        """Check a user's file against the schema: a finding for each misfit, but at lines told of already."""
        from meldref.ruleset.shape import check_shape  # noqa: PLC0415  shipped files do not need it

        misfits = check_shape(document.value)
        for misfit in sorted(misfits, key=lambda misfit: document.key_place(misfit.path).line):
            finding = document.finding(misfit.code, misfit.message, misfit.path, at_key=misfit.at_key)
            if finding.span.line not in told:
                self.findings.append(finding)
        return not misfits and not told

    def read_extends(self, found: Found, document: Document, kind: str, names: tuple[str, ...]) -> frozenset[str]:
        """Lay down the files that one builds on; what is wrong with them stands at their names."""
        ancestors: set[str] = set()
        for place, name in enumerate(names):
            below = find(name, found.path.parent)
            message = ""
            if below is None:
                message = missing(name, found.path.parent)
            elif below.key in self.open:
                circle = [*self.open[self.open.index(below.key) :], below.key]
                message = f"files build on one another in a circle: {' → '.join(Path(key).name for key in circle)}"
            elif len(self.layers) + len(self.open) > _MOST_FILES:
                message = f"more than {_MOST_FILES} files build on one another"
            else:
                self.asked.setdefault(below.key, (document, place))
                layer = self.add(below)
                if layer is None:
                    message = f"{name} has errors of its own"
                elif kind == "option" and layer.type != "option":
                    message = f"an option builds on options alone, and {name} is a game"
                else:
                    ancestors |= layer.ancestors | {layer.found.key}
            if message:
                self.findings.append(document.finding("rules.extends", message, ("extends", place)))
        return frozenset(ancestors)

    def merged(self, below: frozenset[str]) -> Leaves:
        """All files laid over one another; a warning for each key that two of equal standing set differently.

        Args:
            below: the files of the game itself. Options asked for on top of them change them on purpose.
        """
        leaves: Leaves = {}
        setters: dict[str, Layer] = {}
        conflicts: dict[str, tuple[Layer, Leaf, Leaf]] = {}
        for layer in self.layers.values():
            for key, leaf in layer.leaves.items():
                other = setters.get(key)
                if other and key in leaves and leaves[key].value != leaf.value and _level(other, layer, below):
                    conflicts[key] = (layer, leaves[key], leaf)
                setters[key] = layer
            leaves = merge(leaves, layer.leaves)
        told: set[tuple[str, int, str, int]] = set()
        for key, (layer, first, second) in conflicts.items():
            pair = (first.origin.file, first.origin.line, second.origin.file, second.origin.line)
            if leaves.get(key) == second and pair not in told:
                told.add(pair)
                self.findings.append(_conflict(layer, first, second))
        return leaves

    def check_options(self, leaves: Mapping[str, Leaf]) -> None:
        """Findings for what options need of the rules, and for options that exclude one another."""
        ids = {layer.id for layer in self.layers.values()}
        for layer in self.layers.values():
            for key, wanted in layer.needs.items():
                below = leaves
                if key in layer.leaves:  # what the option itself changes is asked of the rules without it
                    below = self.without(layer)
                leaf = below.get(key) or below.get(f"{key}.{REST}")
                if leaf is None or leaf.value != wanted:
                    help_ = f"set {key} to {flow(wanted)}, or lay an option that does under {layer.id}"
                    self.refuse(layer, f"{layer.id} needs {key} = {flow(wanted)}", leaf, help_)
            for other in layer.excludes:
                if other in ids:
                    self.refuse(layer, f"{layer.id} cannot stand beside {other}", None, "leave one of the two out")

    def without(self, left_out: Layer) -> Leaves:
        """All files but one, laid over one another."""
        leaves: Leaves = {}
        for layer in self.layers.values():
            if layer is not left_out:
                leaves = merge(leaves, layer.leaves)
        return leaves

    def refuse(self, layer: Layer, message: str, leaf: Leaf | None, mend: str) -> None:
        """Note that an option does not go with the rest, where it was asked for."""
        rule = leaf.origin if leaf else None
        if rule is not None:
            message += f", and here it is {rule.value} ({rule.file}:{rule.line})"
        document, place = self.asked.get(layer.found.key, (None, 0))
        if document is None:
            finding = Finding("rules.sense", message, Span(1), rule=rule, help=(mend,))
        else:
            finding = changed(
                document.finding("rules.sense", message, ("extends", place)), rule=rule, help=(mend,)
            )
        self.findings.append(finding)

    def with_excerpt(self, finding: Finding) -> Finding:
        """A finding with the text of its line, and the place of what stands on it."""
        for layer in self.layers.values():
            if layer.found.shown == finding.file and not finding.excerpt:
                text = layer.document.excerpt(finding.span.line)
                start = len(text) - len(text.lstrip()) + 1
                span = Span(finding.span.line, start, len(text.split(" #")[0].rstrip()) + 1)
                return finding.at(span, text)
        return finding


def _level(one: Layer, other: Layer, below: frozenset[str]) -> bool:
    """Whether two files stand on one level, so that neither is meant to change the other."""
    if one.id == BASE or one.type != other.type or (one.found.key in below) != (other.found.key in below):
        return False
    return one.found.key not in other.ancestors


def _conflict(layer: Layer, first: Leaf, second: Leaf) -> Finding:
    """The warning that two files set one key differently."""
    one, two = first.origin, second.origin
    first_says = f"{one.value} in {one.file}:{one.line}"
    message = f"{two.key} is {first_says} and {two.value} in {two.file}:{two.line}; the later wins"
    text = layer.document.excerpt(two.line)
    return Finding(
        "rules.conflict",
        message,
        Span(two.line, len(text) - len(text.lstrip()) + 1, len(text.rstrip()) + 1),
        Severity.WARNING,
        two.file,
        text,
        rule=two,
    )
