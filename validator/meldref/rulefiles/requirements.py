"""What options need of the rules below them, and what they cannot stand beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from meldref.core.diagnostics import Finding, Span
from meldref.core.records import changed
from meldref.documents.reader import Path, Value, read_in_part
from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.fixes import finding_for
from meldref.rulefiles.layers import Layer, Stack
from meldref.rulefiles.merge import REST, Fix, Flattener, Leaf, Leaves, Problem, flow, merge
from meldref.rulefiles.shape import key_paths
from meldref.rulefiles.suggestions import name_for


def check_options(stack: Stack, leaves: Mapping[str, Leaf]) -> Iterator[Finding]:
    """Findings for what options need and `leaves` lack, and for options that exclude one another."""
    ids = {layer.id for layer in stack.layers.values()}
    for layer in stack.layers.values():
        for key, wanted in layer.needs.items():
            if key.partition(".")[0] in stack.doubtful:
                continue
            below = leaves
            if key in layer.leaves:  # what the option itself changes is asked of the rules without it
                below = _without(stack, layer)
            leaf = below.get(key) or below.get(f"{key}.{REST}")
            if leaf is None and not layer.found.shipped and not _is_key(key):
                yield _no_such_key(layer, key)
            elif leaf is None or leaf.value != wanted:
                help_ = f"set {key} to {flow(wanted)}{_or_option(key, wanted, layer)}"
                yield _refusal(
                    stack, layer, f"{layer.id} needs {key} = {flow(wanted)}", leaf, help_, ("needs", key)
                )
        for place, other in enumerate(layer.excludes):
            if other in ids:
                message = f"{layer.id} cannot be combined with {other}"
                yield _refusal(stack, layer, message, None, "leave one of the two out", ("excludes", place))


def _without(stack: Stack, left_out: Layer) -> Leaves:
    """All files but one, laid over one another."""
    leaves: Leaves = {}
    for layer in stack.layers.values():
        if layer is not left_out:
            leaves = merge(leaves, layer.leaves)
    return leaves


def _refusal(stack: Stack, layer: Layer, message: str, leaf: Leaf | None, fix: str, path: Path) -> Finding:
    """The finding that an option does not go with the rest, where it was asked for, or where its file says so."""
    rule = leaf.origin if leaf else None
    if rule is not None:
        message += f", but here it is {rule.value} ({rule.file}:{rule.line})"
    document, place = stack.asked.get(layer.found.key, (None, 0))
    if document is not None:
        finding = document.finding("rules.sense", message, ("extends", place))
    elif layer.found.shipped:
        finding = Finding("rules.sense", message, Span(1))
    else:
        finding = layer.document.finding("rules.sense", message, path, at_key=True)
    return changed(finding, rule=rule, help=(fix,))


def _is_key(key: str) -> bool:
    """Whether rules can say a key; a table and the kinds of meld have keys of their own below them."""
    return any(key == path or key.startswith(f"{path}.") for path in key_paths())


def _no_such_key(layer: Layer, key: str) -> Finding:
    """The finding that an option needs a key that no rules have."""
    meant = name_for(key, key_paths())
    message = f"there is no key {key}" + (f"; did you mean {meant.text}?" if meant else "")
    fix = Fix(key=meant.text) if meant and meant.sure else None
    return finding_for(Problem(("needs", key), message, "rules.key", at_key=True, fix=fix), layer.document)


def _or_option(key: str, wanted: Value, layer: Layer) -> str:
    """The shipped options that say what another one needs, as the end of an advice."""
    names = []
    for shipped in list_rulesets():
        document, _ = read_in_part(shipped.file.read_bytes(), shipped.file.name)
        if shipped.type == "option" and shipped.id != layer.id and document and isinstance(document.value, dict):
            flattener = Flattener(shipped.file.name, {})
            flattener.flatten(document.value)
            if key in flattener.leaves and flattener.leaves[key].value == wanted:
                names.append(shipped.id)
    return f", or name {' or '.join(names)} before {layer.id}" if names else ""
