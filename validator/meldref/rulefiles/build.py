"""Merged leaves become a `Ruleset`; what is still missing then is a finding."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, cast

from meldref.core.cards import JOKER, NATURALS, RANKS, card_text
from meldref.core.diagnostics import Finding, Origin, Span
from meldref.core.records import changed, fields_of, record
from meldref.documents.reader import Value
from meldref.rulefiles.files import BASE
from meldref.rulefiles.house_rules import MOST, house_rules
from meldref.rulefiles.merge import HANDS, HOUSE, KINDS, REST, Leaf, merge, rank_word
from meldref.ruleset import model
from meldref.ruleset.changes import differences

_FACES: Final = {rank: min(place, 10) for place, rank in enumerate(RANKS, start=1)}

MOST_KINDS: Final = 40
"""Games have two or three kinds of meld; each one more is asked of every card that is laid."""

_PLAIN: Final[tuple[tuple[str, type[Any]], ...]] = (
    ("players", model.PlayersRules),
    ("layoff", model.LayOffRules),
    ("discard", model.DiscardRules),
    ("out", model.OutRules),
    ("floating", model.FloatingRules),
    ("calls", model.CallRules),
    ("buys", model.BuyRules),
    ("stock", model.StockRules),
    ("partnership", model.PartnershipRules),
    ("settlement", model.SettlementRules),
)
"""Sections whose fields are their leaves, as they are."""


@record
class RulesetHead:
    """What a file says of itself."""

    id: str
    name: str
    about: str
    source: str
    aliases: tuple[str, ...]


def build(
    head: RulesetHead, options: tuple[str, ...], leaves: Mapping[str, Leaf]
) -> tuple[model.Ruleset | None, tuple[Finding, ...]]:
    """Make the ruleset that merged leaves describe; every key has to be there, as in the base file."""
    builder = _Builder(leaves)
    ruleset = builder.ruleset(head, options)
    return (None if builder.findings else ruleset), tuple(builder.findings)


def expand(value: Value) -> tuple[int, int]:
    """The least and the greatest number of `3`, `3-4`, or `"3-4"`."""
    low, _, high = str(value).partition("-")
    return int(low), int(high or low)


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

    def number(self, key: str) -> int | None:
        """The number that a key says, None where it says the word beside it."""
        value = self.value(key)
        return value if isinstance(value, int) else None

    def section(self, name: str, kind: type[Any], **special: object) -> Any:
        """A section: each field is the leaf of its name, but for those given."""
        plain = {field: self.value(f"{name}.{field}") for field in fields_of(kind) if field not in special}
        return kind(**plain, **special)

    def ruleset(self, head: RulesetHead, options: tuple[str, ...]) -> model.Ruleset:
        """The whole of it."""
        base = {key: leaf for key, leaf in self.leaves.items() if not key.startswith(f"{HANDS}.")}
        by_hands, self.leaves = self.leaves, base
        ruleset = self.in_all_hands(head, options)
        if len(by_hands) == len(base) or self.findings:
            return ruleset
        numbers = sorted({int(key.split(".")[1]) for key in by_hands if key.startswith(f"{HANDS}.")})
        hands: list[model.HandRules] = []
        origins: dict[str, Origin] = {}
        for number in numbers:
            prefix = f"{HANDS}.{number}."
            own = {key.removeprefix(prefix): leaf for key, leaf in by_hands.items() if key.startswith(prefix)}
            self.leaves = own
            found = self.origins(ruleset.players.max if ruleset else 0)
            origins.update({prefix + key: origin for key, origin in found.items()})
            self.leaves = merge(base, own)
            changes = tuple(differences(ruleset, self.in_all_hands(head, options)))
            if hands and hands[-1].last == number - 1 and hands[-1].changes == changes:
                hands[-1] = changed(hands[-1], last=number)
            else:
                hands.append(model.HandRules(number, number, changes))
        self.leaves = by_hands
        return changed(ruleset, hands=tuple(hands), origins=MappingProxyType({**ruleset.origins, **origins}))

    def in_all_hands(self, head: RulesetHead, options: tuple[str, ...]) -> model.Ruleset:
        """The rules, as the leaves of all hands, or with those of one, say."""
        players = self.section("players", model.PlayersRules)
        sections: dict[str, Any] = {name: self.section(name, kind) for name, kind in _PLAIN}
        customs = self.leaves.get("customs")
        return model.Ruleset(
            id=head.id,
            name=head.name,
            about=head.about,
            source=head.source,
            aliases=head.aliases,
            options=options,
            **sections,
            deck=self.section(
                "deck",
                model.DeckRules,
                packs=self.by_players("deck.packs", players),
                jokers_in_all=self.jokers_in_all(players),
            ),
            deal=self.section("deal", model.DealRules, cards=self.by_players("deal.cards", players)),
            melds=self.melds(),
            draw=self.section(
                "draw",
                model.DrawRules,
                top=self.section("draw.top", model.DutySetting),
                deep=self.section("draw.deep", model.DutySetting),
            ),
            scoring=self.scoring(),
            game=self.section(
                "game",
                model.GameRules,
                hands=expand(self.value("game.hands")),
                out_at=self.number("game.out_at"),
                tie=self.section("game.tie", model.TieRules),
            ),
            customs=tuple(cast("list[str]", customs.value)) if customs else (),
            house_rules=self.house_rules(),
            origins=MappingProxyType(self.origins(players.max)),
        )

    def house_rules(self) -> tuple[model.HouseRule, ...]:
        """The rules of the ruleset's own; a finding where there are too many to be asked at every action."""
        rules = house_rules({
            key.removeprefix(HOUSE): leaf.value for key, leaf in self.leaves.items() if key.startswith(HOUSE)
        })  # fmt: skip
        if len(rules) > MOST:
            message = f"there are {len(rules)} house rules, and {MOST} at most can be asked at every action"
            self.lacks(message, f"{HOUSE}{rules[MOST].name}")
            return ()
        return rules

    def origins(self, most: int) -> dict[str, Origin]:
        """Who set each key: leaves under their own path, tables and kinds under theirs too."""
        found: dict[str, Origin] = {}
        for key, leaf in self.leaves.items():
            table, _, last = key.rpartition(".")
            if last == REST:
                found[table] = leaf.origin
                for number in range(1, most + 1):
                    found.setdefault(f"{table}.{number}", leaf.origin)
                continue
            found[key] = leaf.origin
            if last == "size":
                found[table] = leaf.origin
        return found

    def by_players(self, key: str, players: model.PlayersRules) -> model.ByPlayers:
        """A table by players; a finding for each allowed number that has no value."""
        prefix = f"{key}."
        rest = self.leaves.get(prefix + REST)
        numbers: dict[int, int] = {}
        if rest is not None:
            numbers = dict.fromkeys(range(2, players.max + 1), int(cast("int", rest.value)))
        for name, leaf in self.leaves.items():
            if name.startswith(prefix) and not name.endswith(REST):
                number = int(name.removeprefix(prefix))
                if number <= players.max:
                    numbers[number] = int(cast("int", leaf.value))
        missing = [number for number in range(players.min, players.max + 1) if number not in numbers]
        if missing:
            said = ", ".join(map(str, missing))
            run = f"{missing[0]}-{missing[-1]}" if len(missing) > 1 else said
            section, _, name = key.partition(".")
            advice = f"add {section}: {{{name}: {{{run}: …}}}}, or allow fewer players"
            self.lacks(f"{key} has no number for {said} players", key, "players.max", advice=advice)
        return model.ByPlayers(MappingProxyType(dict(sorted(numbers.items()))))

    def jokers_in_all(self, players: model.PlayersRules) -> model.ByPlayers:
        """The numbers of players of whom something is said; for others jokers are counted by packs."""
        key = "deck.jokers_in_all"
        named = {
            one: self.leaves.get(f"{key}.{one}", self.leaves.get(f"{key}.{REST}"))
            for one in range(2, players.max + 1)
        }
        numbers = {one: leaf.value for one, leaf in named.items() if leaf is not None and leaf.value != "none"}
        return model.ByPlayers(MappingProxyType({one: int(cast("int", value)) for one, value in numbers.items()}))

    def melds(self) -> model.MeldRules:
        """The kinds of meld, in the order in which files name them, and wild cards."""
        names: dict[str, None] = {}
        for key in self.leaves:
            if key.startswith(f"{KINDS}.") and key.count(".") == 3:
                names[key.split(".")[2]] = None
        wild = self.section(
            "melds.wild",
            model.WildRules,
            cards=tuple(dict.fromkeys(map(rank_word, self.value("melds.wild.cards")))),
        )
        if len(names) > MOST_KINDS:
            message = f"there are {len(names)} kinds of meld, and {MOST_KINDS} at most can be looked at together"
            self.lacks(message, f"{KINDS}.{list(names)[-1]}.")
            names = {}
        return model.MeldRules(
            kinds=tuple(kind for name in names if (kind := self.kind(name)) is not None),
            wild=wild,
            first_points=self.value("melds.first_points"),
            first_points_of=self.value("melds.first_points_of"),
            contract=self.contract(),
        )

    def contract(self) -> tuple[str, ...] | None:
        """The melds of a first laying, each as it is written; None where there is no contract."""
        written = self.value("melds.contract")
        return None if written == "none" else written

    def kind(self, name: str) -> model.Kind | None:
        """One kind of meld; a finding where its size or its constraints are missing."""
        prefix = f"{KINDS}.{name}"
        absent = [part for part in ("size", "require") if f"{prefix}.{part}" not in self.leaves]
        if absent:
            examples = {"size": "size: 3-4", "require": "require: [same_rank]"}
            advice = f"add {' and '.join(examples[part] for part in absent)}, or what it is to be"
            message = f"the kind of meld {name} has no {' and no '.join(absent)}"
            self.lacks(message, f"{prefix}.", f"{prefix}.ace", advice=advice)
            return None
        low, high = expand(self.value(f"{prefix}.size"))
        require: list[Any] = []
        only: tuple[str, ...] | None = None
        for item in self.value(f"{prefix}.require"):
            if isinstance(item, dict):
                faces = tuple(dict.fromkeys(map(rank_word, item["only"])))
                only = faces if only is None else tuple(face for face in only if face in faces)
            else:
                require.append(item)
        require = list(dict.fromkeys(require))
        ace: tuple[model.AcePlace, ...] = ("low", "high")
        if f"{prefix}.ace" in self.leaves:
            ace = self.value(f"{prefix}.ace")
        return model.Kind(name, low, high, tuple(require), only, ace)

    def scoring(self) -> model.ScoringRules:
        """Points, with a value for each of the fifty-three cards."""
        values = tuple(self.points("scoring.values", card, 0) for card in range(JOKER + 1))
        held = tuple(self.points("scoring.held", card, values[card]) for card in range(JOKER + 1))
        low_ace = self.value("scoring.low_ace")
        four_aces = self.value("scoring.four_aces")
        return cast(
            "model.ScoringRules",
            self.section(
                "scoring",
                model.ScoringRules,
                values=values,
                held=held,
                wild_cards=self.points_of("scoring.values.wild"),
                wild_held=self.points_of("scoring.held.wild"),
                low_ace=None if low_ace == "same" else low_ace,
                four_aces=None if four_aces == "none" else four_aces,
                below_zero=self.section("scoring.below_zero", model.FloorAtZero),
            ),
        )

    def points(self, key: str, card: int, otherwise: int) -> int:
        """Points of a card: its own entry, that of its rank, or another value."""
        text = card_text(card) if card in NATURALS else "joker"
        leaf = self.leaves.get(f"{key}.{text}") or self.leaves.get(
            f"{key}.{text[0] if card in NATURALS else text}"
        )
        if leaf is None:
            return otherwise
        return _FACES[text[0]] if leaf.value == "face" else int(cast("int", leaf.value))

    def points_of(self, key: str) -> int | None:
        """The points of a line that may be missing."""
        leaf = self.leaves.get(key)
        return None if leaf is None else int(cast("int", leaf.value))

    def lacks(self, message: str, *keys: str, advice: str = "") -> None:
        """Note that a value is missing, at the best place that bears on it: what a house rule or option says."""
        bearing = [leaf.origin for key in keys for name, leaf in self.leaves.items() if name.startswith(key)]
        origin = next((one for one in bearing if one.file != f"{BASE}.yaml"), bearing[0] if bearing else None)
        self.findings.append(
            Finding(
                "rules.value",
                message,
                Span(max(origin.line, 1) if origin else 1),
                file=origin.file if origin else "",
                rule=origin,
                help=(advice,) if advice else (),
            )
        )
