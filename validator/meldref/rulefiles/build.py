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
from meldref.rulefiles.merge import HANDS, HOUSE, KINDS, REST, Leaf, expand, merge, rank_word
from meldref.ruleset import model
from meldref.ruleset.changes import SECTIONS, differences

_FACES: Final = {rank: min(place, 10) for place, rank in enumerate(RANKS, start=1)}

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
        return None if hint.endswith(" | None") and isinstance(value, str) else value

    def ruleset(self, game: Layer, options: tuple[str, ...]) -> model.Ruleset:
        """The whole of it."""
        base = {key: leaf for key, leaf in self.leaves.items() if not key.startswith(f"{HANDS}.")}
        by_hands, self.leaves = self.leaves, base
        ruleset = self.in_all_hands(game, options)
        if len(by_hands) == len(base) or self.findings:
            return ruleset
        numbers = sorted(
            {int(key.split(".")[1]) for key in by_hands if key.startswith(f"{HANDS}.")}
        )
        hands: list[model.HandRules] = []
        origins: dict[str, Origin] = {}
        for number in numbers:
            prefix = f"{HANDS}.{number}."
            own = {
                key.removeprefix(prefix): leaf
                for key, leaf in by_hands.items()
                if key.startswith(prefix)
            }
            self.leaves = own
            traced = self.origins(ruleset.players.max if ruleset else 0)
            origins.update({prefix + key: origin for key, origin in traced.items()})
            self.leaves = merge(base, own)
            changes = tuple(differences(ruleset, self.in_all_hands(game, options)))
            if hands and hands[-1].last == number - 1 and hands[-1].changes == changes:
                hands[-1] = changed(hands[-1], last=number)
            else:
                hands.append(model.HandRules(number, number, changes))
        self.leaves = by_hands
        return changed(
            ruleset, hands=tuple(hands), origins=MappingProxyType({**ruleset.origins, **origins})
        )

    def in_all_hands(self, game: Layer, options: tuple[str, ...]) -> model.Ruleset:
        """The rules that the leaves of all hands describe, or with the changes of one hand."""
        hints = hints_of(model.Ruleset)
        customs = self.leaves.get("customs")
        return model.Ruleset(
            game.id,
            game.name,
            game.about,
            game.source,
            game.aliases,
            options,
            **{name: self.section(name, getattr(model, hints[name])) for name in SECTIONS},
            customs=tuple(cast("list[str]", customs.value)) if customs else (),
            house_rules=self.house_rules(),
            origins=MappingProxyType(self.origins(self.value("players.max"))),
        )

    def house_rules(self) -> tuple[model.HouseRule, ...]:
        """The rules of the ruleset's own.

        A finding where there are too many to be asked at every action.
        """
        values = {
            key.removeprefix(HOUSE): leaf.value
            for key, leaf in self.leaves.items()
            if key.startswith(HOUSE)
        }
        rules = house_rules(values)
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
            listed = ", ".join(map(str, missing))
            run = f"{missing[0]}-{missing[-1]}" if len(missing) > 1 else listed
            section, _, name = key.partition(".")
            advice = f"add {section}: {{{name}: {{{run}: …}}}}, or allow fewer players"
            self.lacks(
                f"{key} has no number for {listed} players", key, "players.max", advice=advice
            )
        return model.ByPlayers(MappingProxyType(numbers))

    def numbers(self, key: str) -> dict[int, int]:
        """The numbers of a table by players, from two players to the most that are allowed."""
        leaves = {
            players: self.leaves.get(f"{key}.{players}") or self.leaves.get(f"{key}.{REST}")
            for players in range(2, self.value("players.max") + 1)
        }
        return {
            players: self.number(leaf)
            for players, leaf in leaves.items()
            if leaf and leaf.value != "none"
        }

    def kinds(self) -> tuple[model.Kind, ...]:
        """The kinds of meld, in the order in which files name them."""
        names = dict.fromkeys(
            key.split(".")[2]
            for key in self.leaves
            if key.startswith(f"{KINDS}.") and key.count(".") == 3
        )
        if len(names) > MOST_KINDS:
            message = f"there are {len(names)} kinds of meld; at most {MOST_KINDS} are possible"
            self.lacks(message, f"{KINDS}.{list(names)[-1]}.")
            return ()
        return tuple(kind for name in names if (kind := self.kind(name)) is not None)

    def wild_cards(self) -> tuple[str, ...]:
        """The ranks of wild cards, each once."""
        return tuple(dict.fromkeys(map(rank_word, self.value("melds.wild.cards"))))

    def kind(self, name: str) -> model.Kind | None:
        """One kind of meld; a finding where its size or its constraints are missing."""
        prefix = f"{KINDS}.{name}"
        absent = [part for part in ("size", "require") if f"{prefix}.{part}" not in self.leaves]
        if absent:
            examples = {"size": "size: 3-4", "require": "require: [same_rank]"}
            advice = f"add {' and '.join(examples[part] for part in absent)}, for example"
            message = f"the kind of meld {name} has no {' and no '.join(absent)}"
            self.lacks(message, f"{prefix}.", f"{prefix}.ace", advice=advice)
            return None
        low, high = expand(self.value(f"{prefix}.size"))
        constraints = self.value(f"{prefix}.require")
        require = dict.fromkeys(item for item in constraints if not isinstance(item, dict))
        rows = [
            dict.fromkeys(map(rank_word, item["only"]))
            for item in constraints
            if isinstance(item, dict)
        ]
        only = tuple(face for face in rows[0] if all(face in row for row in rows)) if rows else None
        kind = model.Kind(name, low, high, tuple(require), only)
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
        held, wild = (
            self.points("scoring.held", self.points("scoring.values")),
            self.wild_points("scoring.held"),
        )
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
        bearing = [
            leaf.origin
            for key in keys
            for name, leaf in self.leaves.items()
            if name.startswith(key)
        ]
        self.findings.append(about("rules.value", message, bearing, advice))


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
