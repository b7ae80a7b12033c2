"""Merged leaves become a `Ruleset`; what is still missing then is a finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, cast

from meldref.core.cards import JOKER, NATURALS, RANKS, card_text
from meldref.core.diagnostics import Finding, Origin
from meldref.core.records import changed, fields_of, hints_of
from meldref.rulefiles.house_rules import MOST, house_rules
from meldref.rulefiles.layers import Layer, about
from meldref.rulefiles.merge import (
    HANDS,
    HOUSE,
    KINDS,
    REST,
    Leaf,
    expand,
    merge,
    rank_word,
    written_range,
)
from meldref.ruleset import model
from meldref.ruleset.changes import SECTIONS, differences

_FACES: Final = {rank: min(place, 10) for place, rank in enumerate(RANKS, start=1)}
_KIND_EXAMPLES: Final = {"size": "3-4", "require": "[same_rank]"}
"""What a kind of meld has to say, with an example."""

MOST_KINDS: Final = 40
"""Games have two or three kinds of meld; each one more is asked of every card that is laid."""


def build(
    game: Layer, options: tuple[str, ...], leaves: Mapping[str, Leaf]
) -> tuple[model.Ruleset | None, tuple[Finding, ...]]:
    """Make the ruleset that merged leaves describe.

    Every key has to be there, as in the base file.
    """
    builder = _Builder(leaves)
    ruleset = builder.ruleset(game, options)
    return (None if builder.findings else ruleset), tuple(builder.findings)


class _Builder:
    """Reads leaves; findings are about keys that the merged files leave without a value."""

    def __init__(self, leaves: Mapping[str, Leaf]) -> None:
        self.leaves = leaves
        self.findings: list[Finding] = []

    def value(self, key: str) -> Any:
        """The value of a key; lists become tuples."""
        value = self.leaves[key].value
        if isinstance(value, float):
            return int(value)
        return tuple(value) if isinstance(value, list) else value

    def section(self, key: str, kind: type[Any]) -> Any:
        """A record of the model, made of the leaves below a key."""
        hints = hints_of(kind)
        return kind(*[self.field(f"{key}.{name}", hints[name]) for name in fields_of(kind)])

    def field(self, key: str, hint: str) -> Any:
        """A field of its type: the leaf of its name, a record of leaves, or what `_MADE` says."""
        kind: Any = getattr(model, hint, None)
        if key in _MADE:
            return _MADE[key](self)
        if kind is model.ByPlayers:
            return self.by_players(key)
        if fields_of(kind):
            return self.section(key, kind)
        value = self.value(key)
        if isinstance(value, str) and hint.endswith(" | None"):
            return None  # such as none, where others write a number
        return value

    def ruleset(self, game: Layer, options: tuple[str, ...]) -> model.Ruleset:
        """The whole of it."""
        base: dict[str, Leaf] = {}
        by_hand: dict[int, dict[str, Leaf]] = {}
        for key, leaf in self.leaves.items():
            section, _, rest = key.partition(".")
            if section == HANDS and rest:
                hand, _, own_key = rest.partition(".")
                by_hand.setdefault(int(hand), {})[own_key] = leaf
            else:
                base[key] = leaf
        self.leaves = base
        ruleset = self.in_all_hands(game, options)
        if self.findings or not by_hand:
            return ruleset
        hands: list[model.HandRules] = []
        origins = dict(ruleset.origins)
        for number, own in sorted(by_hand.items()):
            self.leaves = own
            for key, origin in self.origins(ruleset.players.max).items():
                origins[f"{HANDS}.{number}.{key}"] = origin
            self.leaves = merge(base, own)
            changes = tuple(differences(ruleset, self.in_all_hands(game, options)))
            if hands and hands[-1].last == number - 1 and hands[-1].changes == changes:
                hands[-1] = changed(hands[-1], last=number)
            else:
                hands.append(model.HandRules(number, number, changes))
        return changed(ruleset, hands=tuple(hands), origins=MappingProxyType(origins))

    def in_all_hands(self, game: Layer, options: tuple[str, ...]) -> model.Ruleset:
        """The rules that the leaves of all hands describe, or with the changes of one hand."""
        hints = hints_of(model.Ruleset)
        sections = {name: self.section(name, getattr(model, hints[name])) for name in SECTIONS}
        customs: tuple[str, ...] = ()
        if "customs" in self.leaves:
            customs = self.value("customs")
        return model.Ruleset(
            game.id,
            game.name,
            game.about,
            game.source,
            game.aliases,
            options,
            **sections,
            customs=customs,
            house_rules=self.house_rules(),
            origins=MappingProxyType(self.origins(self.value("players.max"))),
        )

    def house_rules(self) -> tuple[model.HouseRule, ...]:
        """The rules of the ruleset's own.

        A finding where there are too many to be asked at every action.
        """
        keys = [key for key in self.leaves if key.startswith(HOUSE)]
        rules = house_rules({key.removeprefix(HOUSE): self.leaves[key].value for key in keys})
        if len(rules) > MOST:
            number = f"there are {len(rules)} house rules"
            message = f"{number}, but at most {MOST} can be checked at every action"
            self.lacks(message, f"{HOUSE}{rules[MOST].name}")
            return ()
        return rules

    def origins(self, most: int) -> dict[str, Origin]:
        """Who set each key: leaves under their own path, tables and kinds under theirs too."""
        origins: dict[str, Origin] = {}
        for key, leaf in self.leaves.items():
            table, _, last = key.rpartition(".")
            if last == REST:
                origins[table] = leaf.origin
                for number in range(1, most + 1):
                    origins.setdefault(f"{table}.{number}", leaf.origin)
                continue
            origins[key] = leaf.origin
            if last == "size":
                origins[table] = leaf.origin
        return origins

    def by_players(self, key: str) -> model.ByPlayers:
        """A table by players; a finding if an allowed number has no value."""
        least, most = self.value("players.min"), self.value("players.max")
        numbers = self.numbers(key)
        missing = [number for number in range(least, most + 1) if number not in numbers]
        if missing:
            message = f"{key} has no number for {', '.join(map(str, missing))} players"
            entry = written_range(missing[0], missing[-1])
            section, _, name = key.partition(".")
            advice = f"add {section}: {{{name}: {{{entry}: …}}}}, or allow fewer players"
            self.lacks(message, key, "players.max", advice=advice)
        return model.ByPlayers(MappingProxyType(numbers))

    def numbers(self, key: str) -> dict[int, int]:
        """The numbers of a table by players, from two players to the most that are allowed."""
        numbers: dict[int, int] = {}
        for players in range(2, self.value("players.max") + 1):
            leaf = self.leaves.get(f"{key}.{players}") or self.leaves.get(f"{key}.{REST}")
            if leaf is not None and leaf.value != "none":
                numbers[players] = self.number(leaf)
        return numbers

    def kinds(self) -> tuple[model.Kind, ...]:
        """The kinds of meld, in the order in which files name them."""
        below_kinds = [key.split(".") for key in self.leaves if key.startswith(f"{KINDS}.")]
        names = list(dict.fromkeys([parts[2] for parts in below_kinds if len(parts) == 4]))
        if len(names) > MOST_KINDS:
            message = f"there are {len(names)} kinds of meld; at most {MOST_KINDS} are possible"
            self.lacks(message, f"{KINDS}.{names[-1]}.")
            return ()
        kinds = map(self.kind, names)
        return tuple([kind for kind in kinds if kind is not None])

    def wild_cards(self) -> tuple[str, ...]:
        """The ranks of wild cards, each once."""
        return tuple(dict.fromkeys(map(rank_word, self.value("melds.wild.cards"))))

    def kind(self, name: str) -> model.Kind | None:
        """One kind of meld; a finding where its size or its constraints are missing."""
        prefix = f"{KINDS}.{name}"
        absent = [part for part in _KIND_EXAMPLES if f"{prefix}.{part}" not in self.leaves]
        if absent:
            examples = [f"{part}: {_KIND_EXAMPLES[part]}" for part in absent]
            advice = f"add {' and '.join(examples)}, for example"
            message = f"the kind of meld {name} has no {' and no '.join(absent)}"
            self.lacks(message, f"{prefix}.", f"{prefix}.ace", advice=advice)
            return None
        low, high = expand(self.value(f"{prefix}.size"))
        words: list[Any] = []
        only: tuple[str, ...] | None = None
        for constraint in self.value(f"{prefix}.require"):
            if isinstance(constraint, dict):
                # A card has to be among the ranks of each such list.
                ranks = tuple(dict.fromkeys(map(rank_word, constraint["only"])))
                only = ranks if only is None else tuple([rank for rank in only if rank in ranks])
            else:
                words.append(constraint)
        kind = model.Kind(name, low, high, tuple(dict.fromkeys(words)), only)
        ace = f"{prefix}.ace"
        return changed(kind, ace=self.value(ace)) if ace in self.leaves else kind

    def points(self, key: str, otherwise: Sequence[int] = (0,) * (JOKER + 1)) -> tuple[int, ...]:
        """The points of each card: its own entry, that of its rank, or another value."""
        names = [(card_text(card), RANKS[card % 13]) for card in NATURALS] + [("joker", "joker")]
        row = []
        for (name, rank), other in zip(names, otherwise, strict=True):
            leaf = self.leaves.get(f"{key}.{name}") or self.leaves.get(f"{key}.{rank}")
            row.append(other if leaf is None else self.number(leaf, rank))
        return tuple(row)

    def held(self) -> tuple[int, ...]:
        """The points of each card in hand.

        A wild joker that no line names counts what other wild cards do.
        """
        held = self.points("scoring.held", self.points("scoring.values"))
        wild = self.wild_points("scoring.held")
        if wild is None or "scoring.held.joker" in self.leaves or "joker" not in self.wild_cards():
            return held
        return (*held[:JOKER], wild)

    def number(self, leaf: Leaf, rank: str = "") -> int:
        """The number that a leaf stands for; a rank may count its face."""
        return _FACES[rank] if leaf.value == "face" else int(cast("int", leaf.value))

    def wild_points(self, key: str) -> int | None:
        """The points of wild cards of any rank, if a table says them."""
        leaf = self.leaves.get(f"{key}.wild")
        return None if leaf is None else self.number(leaf)

    def lacks(self, message: str, *keys: str, advice: str = "") -> None:
        """Notes that a value is missing, at the place that bears on it most."""
        origins: list[Origin] = []
        for key in keys:
            origins += [leaf.origin for name, leaf in self.leaves.items() if name.startswith(key)]
        self.findings.append(about("rules.value", message, origins, advice))


_MADE: Final[Mapping[str, Callable[[_Builder], object]]] = {
    "deck.jokers_in_all": lambda self: model.ByPlayers(
        MappingProxyType(self.numbers("deck.jokers_in_all"))
    ),
    "melds.kinds": _Builder.kinds,
    "melds.wild.cards": _Builder.wild_cards,
    "scoring.values": lambda self: self.points("scoring.values"),
    "scoring.held": _Builder.held,
    "scoring.wild_cards": lambda self: self.wild_points("scoring.values"),
    "scoring.wild_held": lambda self: self.wild_points("scoring.held"),
    "game.hands": lambda self: expand(self.value("game.hands")),
}
"""What becomes of leaves that are not a field as they are."""
