"""Makes a ruleset out of files: a game with what it builds on, options, and single settings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from meldref.core.diagnostics import Finding, Origin, Severity, Span, errors_in
from meldref.core.meant import did_you_mean, nearest
from meldref.core.records import changed
from meldref.documents.reader import MAX_FINDINGS, Value, read_yaml
from meldref.documents.reader import Path as KeyPath
from meldref.rulefiles.advice import finding_for
from meldref.rulefiles.build import build
from meldref.rulefiles.files import (
    BASE,
    Found,
    Name,
    Setting,
    Settings,
    find,
    list_rulesets,
    missing,
)
from meldref.rulefiles.house_rules import HOUSE_RULES, check_house_rules
from meldref.rulefiles.layers import Layer, Stack, about
from meldref.rulefiles.merge import (
    HANDS,
    HEAD,
    REST,
    Flattener,
    Leaf,
    Leaves,
    Problem,
    flow,
    hands_text,
    is_within,
    merge,
    where,
)
from meldref.rulefiles.schema_errors import find_schema_errors, wrong_value
from meldref.rulefiles.vocabulary import is_valid, key_paths
from meldref.ruleset.model import Ruleset


class Composed(NamedTuple):
    """A ruleset, the findings, the texts of its files if all of them ship, and the files.

    `merged` is the ruleset as far as it could be made, where it has errors that leave most of it
    readable.
    """

    ruleset: Ruleset | None
    findings: tuple[Finding, ...]
    shipped: Mapping[Path, bytes]
    stack: Stack
    merged: Ruleset | None = None


class Layered(NamedTuple):
    """Files in layers: the game's own and those asked for on top, then single settings in order."""

    stack: Stack
    game: Layer | None
    below: frozenset[str]
    chosen: tuple[Layer, ...]
    settings: tuple[Leaves, ...]


def lay(
    name: Name,
    options: Sequence[Name],
    settings: Settings,
    beside: Path | None,
    texts: Mapping[Path, bytes] = MappingProxyType({}),
) -> Layered:
    """Find and read the files of a game and its options, and single settings; see `compose`."""
    stack = Stack(texts=dict(texts))
    base = find(BASE)
    if base is not None:
        stack.add(base)
    game = _added(stack, name, beside)
    if game is not None and game.type == "option":
        stack.report(
            "rules.extends",
            f"{game.id} is an option: combine it with a game by --with or [Options]",
        )
    below = frozenset(stack.layers)
    chosen: list[Layer] = []
    for option in _few(stack, options):
        layer = _added(stack, option, beside)
        if layer is not None:
            chosen.append(layer)
            if layer.type != "option":
                stack.report("rules.extends", f"{layer.id} is a game, not an option")
    return Layered(stack, game, below, tuple(chosen), tuple(_read_settings(stack, settings)))


_T = TypeVar("_T")


def _few(stack: Stack, items: Iterable[_T]) -> Iterator[_T]:
    """The things asked for, until too many of them are wrong.

    A finding then says that there are more.
    """
    most = len(stack.findings) + MAX_FINDINGS
    for item in items:
        if len(stack.findings) >= most:
            stack.report(
                "rules.extends",
                "there are more errors in the options or settings: the rest are not checked",
            )
            return
        yield item


def compose(
    name: Name,
    options: Sequence[Name],
    settings: Settings,
    beside: Path | None,
    texts: Mapping[Path, bytes] = MappingProxyType({}),
) -> Composed:
    """Lays the files of a game, its options and single settings over one another.

    `texts`: the content of files, used in place of what is on the disk.
    """
    layered = lay(name, options, settings, beside, texts)
    stack, game = layered.stack, layered.game
    if game is None or stack.is_broken:
        return Composed(None, tuple(stack.findings), {}, stack)
    leaves = reduce(merge, layered.settings, stack.merged(layered.below))
    stack.findings += islice(_check_options(stack, leaves), MAX_FINDINGS)
    chosen = dict.fromkeys([layer.id for layer in layered.chosen])
    ruleset, findings = build(game, tuple(chosen), leaves)
    stack.report_of_rules(findings)
    if ruleset is not None and stack.kinds:
        stack.findings += stack.strange_kinds([kind.name for kind in ruleset.melds.kinds], leaves)
    is_changed = stack.has_users_files or options or any(layered.settings)
    if ruleset is not None and is_changed and not stack.is_broken:
        from meldref.rulefiles.consistency import check_sense  # noqa: PLC0415  not for plain games

        stack.report_of_rules(islice(_passed_over(stack, leaves), MAX_FINDINGS))
        stack.report_of_rules(check_sense(ruleset))
    shipped: dict[Path, bytes] = {}
    if not stack.has_users_files:
        shipped = {layer.found.path: layer.text for layer in stack.layers.values()}
    usable = None if errors_in(stack.findings) else ruleset
    return Composed(usable, tuple(stack.findings), shipped, stack, ruleset)


def _added(stack: Stack, name: Name, beside: Path | None) -> Layer | None:
    """The layer of a file that was asked for by name."""
    file = name if isinstance(name, Found) else find(name, beside)
    if file is None:
        assert not isinstance(name, Found)
        stack.report("rules.extends", missing(name, beside))
        return None
    return stack.add(file)


def _read_settings(stack: Stack, settings: Settings) -> Iterator[Leaves]:
    """The leaves of each single setting, in their order."""
    if isinstance(settings, Mapping):
        single = [(Setting(key, ""), value) for key, value in settings.items()]
    else:
        single = [(setting, None) for setting in map(Setting.of, settings)]
    for setting, value in _few(stack, single):
        yield _read_setting(stack, setting, value)


def _read_setting(stack: Stack, setting: Setting, value: Value) -> Leaves:
    """The leaves of one setting; findings where it is no key or no value."""

    def report(message: str, code: str = "rules.value") -> Leaves:
        stack.findings.append(Finding(code, message, span, file=setting.file))
        return {}

    span = Span(max(setting.line, 1))

    if not setting.key or setting.key.partition(".")[0] in HEAD:
        return report(f"{setting.key or 'nothing'} is not a key that can be set", "rules.key")
    if setting.value:
        document, findings = read_yaml(setting.value, setting.file, "rules.value")
        if document is None:
            reasons = "; ".join(finding.message for finding in findings)
            return report(f"{setting.key}={setting.value} cannot be read: {reasons}")
        value = document.value
    nested = _nested(setting.key, value)
    schema_errors = find_schema_errors(nested)
    for schema_error in schema_errors:
        message = schema_error.message
        meant = _keys_meant(schema_error, setting.key, value)
        if meant:
            message = f"there is no key {setting.key}; did you mean {' or '.join(meant)}?"
        report(message, schema_error.code)
    if schema_errors:
        return {}
    if HOUSE_RULES in nested:
        document, _ = read_yaml(json.dumps(nested), setting.file)
        assert document is not None
        checked = check_house_rules(nested, document)
        for finding in checked.findings:
            report(finding.message, finding.code)
        if checked.findings:
            return {}
        for kind in checked.kinds:
            strange = Finding("rules.value", kind.finding.message, span, file=setting.file)
            stack.kinds.append(kind._replace(finding=strange))
    flattener = Flattener(setting.file, {})
    flattener.flatten(nested)
    for problem in flattener.problems:
        report(problem.message)
    return {
        key: changed(leaf, origin=changed(leaf.origin, line=setting.line))
        for key, leaf in flattener.leaves.items()
    }


def _nested(key: str, value: Value) -> dict[str, Value]:
    """What a file says that sets a single key."""
    above, _, last = key.rpartition(".")
    nested = {last: value}
    return _nested(above, nested) if above else nested


def _keys_meant(schema_error: Problem, key: str, value: Value) -> list[str]:
    """The keys that may have been meant by one of which a part is wrong, as they can be set.

    Below the part that is wrong, the rest is taken over where there is such a key.
    """
    parts, length = key.split("."), len(schema_error.path)
    if length > len(parts):
        return []  # it is the value that has a wrong key
    below = parts[length:]
    whole = [name for one in schema_error.meant for name in (".".join((one, *below)), one)]
    behind = f".{'.'.join(below)}" if below else ""
    fitting = [name for name in whole if name.endswith(behind) and _is_key(name, value)]
    return list(dict.fromkeys(fitting or schema_error.meant))


def _is_key(name: str, value: Value) -> bool:
    """Whether there is a key of that name, even if it does not take the value."""
    parts = name.split(".")
    wrong = find_schema_errors(_nested(name, value))
    return not any(
        len(one.path) < len(parts) or (one.code == "rules.key" and len(one.path) == len(parts))
        for one in wrong
    )


# --- what is set for a game whose hands say their own


def _passed_over(stack: Stack, leaves: Leaves) -> Iterator[Finding]:
    """Warnings about what is set over a game for all hands, where some hands say their own."""
    layers = list(stack.layers.values())
    heights = {layer.found.shown: height for height, layer in enumerate(layers)}
    top = len(heights)  # what no file sets, but a header or the command line
    # A game that ships knows its own hands.
    games = {layer.found.shown for layer in layers if layer.found.shipped and layer.type == "game"}
    above = {key: leaf for key, leaf in leaves.items() if leaf.origin.file not in games}
    hands: dict[Origin, set[int]] = {}
    own: dict[Origin, Origin] = {}
    for number, key, leaf in _of_single_hands(leaves):
        over = _set_for_all(above, key)
        if over is None or over.value == leaf.value:
            continue
        if heights.get(leaf.origin.file, top) < heights.get(over.origin.file, top):
            hands.setdefault(over.origin, set()).add(number)
            own.setdefault(over.origin, leaf.origin)
    for origin, numbers in hands.items():
        yield _passed_over_in(sorted(numbers), origin, own[origin])


def _of_single_hands(leaves: Leaves) -> Iterator[tuple[int, str, Leaf]]:
    """What stands under `hands`: the number of the hand, its key without that, and the value."""
    for path, leaf in leaves.items():
        section, _, rest = path.partition(".")
        number, _, key = rest.partition(".")
        if section == HANDS and key:
            yield int(number), key, leaf


def _set_for_all(above: Leaves, key: str) -> Leaf | None:
    """What sets a key for all hands: itself, or in a table the entry for the rest.

    For the rest of a table, any entry of it does.
    """
    table, _, entry = key.rpartition(".")
    leaf = above.get(key) or above.get(f"{table}.{REST}")
    if leaf is not None or entry != REST:
        return leaf
    entries = [above[path] for path in above if path.startswith(f"{table}.")]
    return entries[0] if entries else None


def _passed_over_in(hands: Sequence[int], origin: Origin, own: Origin) -> Finding:
    """The warning that a setting does not hold in some hands."""
    have = "which have their own" if len(hands) > 1 else "which has its own"
    message = f"{origin.key} = {origin.value} does not hold in {hands_text(hands)}, {have}"
    advice = "set it under hands for these as well, or for those alone that are meant"
    finding = about("rules.sense", message, [origin], advice, Severity.WARNING)
    return changed(finding, notes=(f"{own.key} = {own.value}   ({where(own)})",))


# --- what options need, and what they cannot stand beside


def _check_options(stack: Stack, leaves: Mapping[str, Leaf]) -> Iterator[Finding]:
    """Findings for what options need and `leaves` lack, and options that exclude each other."""
    ids = {layer.id for layer in stack.layers.values()}
    for layer in stack.layers.values():
        for key, wanted in layer.needs.items():
            if key.partition(".")[0] in stack.doubtful:
                continue
            # What the option itself changes is asked of the rules without it.
            below = _without(stack, layer) if key in layer.leaves else leaves
            leaf = below.get(key) or below.get(f"{key}.{REST}")
            exists = any(is_within(key, path) for path in key_paths())
            if leaf is None and not layer.found.shipped and not exists:
                yield _no_such_key(layer, key)
            elif not layer.found.shipped and not _can_be(key, wanted):
                problem = wrong_value(("needs", key), wanted, key_paths()[key])
                yield finding_for(problem, layer.document)
            elif leaf is None or leaf.value != wanted:
                message = f"{layer.id} needs {key} = {flow(wanted)}"
                advice = f"set {key} to {flow(wanted)}{_or_option(key, wanted, layer)}"
                yield _refusal(stack, layer, message, leaf, advice, ("needs", key))
        for place, other in enumerate(layer.excludes):
            if other in ids:
                message = f"{layer.id} cannot be combined with {other}"
                advice = "leave one of the two out"
                yield _refusal(stack, layer, message, None, advice, ("excludes", place))


def _without(stack: Stack, left_out: Layer) -> Leaves:
    """All files but one, laid over one another."""
    others = [layer.leaves for layer in stack.layers.values() if layer is not left_out]
    return reduce(merge, others, {})


def _refusal(
    stack: Stack, layer: Layer, message: str, leaf: Leaf | None, fix: str, path: KeyPath
) -> Finding:
    """The finding that an option does not fit the rest, where it was asked for or says so."""
    rule = leaf.origin if leaf else None
    if rule is not None:
        message += f", but here it is {rule.value} ({rule.file}:{rule.line})"
    document, place = stack.extended_at.get(layer.found.key, (None, 0))
    if document is not None:
        finding = document.finding("rules.sense", message, ("extends", place))
    elif layer.found.shipped:
        finding = Finding("rules.sense", message, Span(1))
    else:
        finding = layer.document.finding("rules.sense", message, path, at_key=True)
    return changed(finding, rule=rule, help=(fix,))


def _no_such_key(layer: Layer, key: str) -> Finding:
    """The finding that an option needs a key that no rules have."""
    meant = nearest(key, key_paths())
    message = f"there is no key {key}{did_you_mean(key, key_paths())}"
    instead = meant.text if meant and meant.sure else None
    problem = Problem(("needs", key), message, "rules.key", at_key=True, instead=instead)
    return finding_for(problem, layer.document)


def _can_be(key: str, value: Value) -> bool:
    """Whether a key takes a value; that of a table's entry is not looked at."""
    node = key_paths().get(key)
    return node is None or is_valid(value, node)


def _or_option(key: str, wanted: Value, layer: Layer) -> str:
    """The shipped options that say what another one needs, as the end of an advice."""
    names: list[str] = []
    for shipped in list_rulesets():
        if shipped.type != "option" or shipped.id == layer.id:
            continue
        option = Stack().add(shipped.found)
        if option is not None and key in option.leaves and option.leaves[key].value == wanted:
            names.append(option.id)
    return f", or name {' or '.join(names)} before {layer.id}" if names else ""
