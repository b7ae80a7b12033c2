"""Questions of those who write rules by touch: what each key says now, and the file with it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from meldref.core.cards import ACE, JOKER, NATURALS, card_text
from meldref.core.diagnostics import Finding, errors_in
from meldref.documents.reader import Value, read_yaml
from meldref.rulefiles.files import BASE, list_rulesets
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.merge import CARD_TABLES, HOUSE, PLAYER_TABLES, flow
from meldref.rulefiles.vocabulary import Key, describe_key
from meldref.rules.points import own_values_in_runs
from meldref.rules.setup import table_size
from meldref.ruleset.changes import SECTIONS
from meldref.ruleset.model import Ruleset, ScoringRules
from meldref_authoring.cookbook import Recipe, read_recipes
from meldref_authoring.meaning import resting_in
from meldref_authoring.rulefiles.show import merged_values
from meldref_authoring.setting import CannotChange, change_keys
from meldref_authoring.wizard import QUESTIONS
from meldref_service.given import RULES, GivenRules, Rules, found
from meldref_service.session import Session
from meldref_service.told import Answer, unusable

_ENTRIES: Final = (*CARD_TABLES, "melds.kinds")
"""Tables each entry of which is a setting of its own."""


class Written(NamedTuple):
    """The data of a rules file: all of it, and the game and the options that it extends."""

    data: Mapping[str, Value]
    game: str
    options: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Written:
        """What a text says; nothing where it cannot be read."""
        document, _ = read_yaml(text, RULES)
        data = document.value if document is not None and isinstance(document.value, dict) else {}
        names = data.get("extends", [])
        ids = [str(name) for name in names] if isinstance(names, list) else [str(names)]
        games = {ruleset.id for ruleset in list_rulesets() if ruleset.type == "game"}
        game = next((name for name in ids if name in games), BASE)
        return cls(data, game, tuple(name for name in ids if name != game))

    def at(self, path: str) -> Value:
        """What is written at a key path; None where nothing is."""
        value: Value = dict(self.data)
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return value


def settings(session: Session, *, text: str, folder: str = "") -> Answer:
    """What a rules file says on every key, section by section, and in what it differs from its game."""
    ruleset, findings = _loaded(text, folder)
    written = Written.of(text)
    game, _ = load_ruleset(written.game)
    if ruleset is None or game is None:
        return unusable(findings, RULES)
    before, off = _values(game), resting_in(ruleset)
    rows: dict[str, list[Answer]] = {section: [] for section in SECTIONS}
    for key, value in _values(ruleset).items():
        row = _setting(key, value, before.get(key), off.get(key, ""))
        rows[key.partition(".")[0]].append(row)
    return {
        "verdict": "clean",
        "findings": [],
        "name": ruleset.name,
        "game": written.game,
        "options": [*written.options],
        "recipes": [recipe.id for recipe in read_recipes() if _is_written(recipe, written)],
        "house_rules": [rule.name for rule in ruleset.house_rules if rule not in game.house_rules],
        "asked_first": [*_asked_first()],
        "sections": [
            {"name": section, "text": _said(section).text, "settings": those}
            for section, those in rows.items()
        ],
    }


def _loaded(text: str, folder: str) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    place = Rules.of("", folder).folder
    return load_ruleset(found(text, place), (), (), place)


def _asked_first() -> Iterator[str]:
    """The keys on which tables differ most: those that the questions of a new file are about."""
    keys: dict[str, None] = {}
    for question in QUESTIONS:
        if question.number:
            keys[question.number] = None
        for answer in question.answers:
            keys |= dict.fromkeys(answer.says)
    return iter(keys)


def _values(ruleset: Ruleset) -> dict[str, Value]:
    """What the rules say on each key; a table by numbers of players is one value."""
    values: dict[str, Value] = {}
    for key, value, _ in merged_values(ruleset):
        table, _, entry = key.rpartition(".")
        if key.startswith((HOUSE, "hands.")):
            continue
        if table in PLAYER_TABLES:
            entries = values.setdefault(table, {})
            assert isinstance(entries, dict)
            entries[entry] = value
        else:
            values[key] = value
    return values


def _said(key: str) -> Key:
    """What the schema says of a key; of an entry of a table, what it says of the table."""
    described = describe_key(key) or describe_key(key.rpartition(".")[0])
    assert described is not None
    return described


def _setting(key: str, value: Value, before: Value, rests: str) -> Answer:
    said = _said(key)
    return {
        "key": key,
        "entry": _entry(key),
        "text": said.text,
        "takes": said.takes,
        "kind": _kind(said, value),
        "words": [{"value": word.value, "text": word.text} for word in said.words],
        "least": said.least,
        "most": said.most,
        "value": value,
        "written": flow(value),
        "before": None if before is None else flow(before),
        "differs": value != before,
        "rests": rests or None,
    }


def _entry(key: str) -> str:
    """Of which entry of a table a key speaks, such as the aces among the points of cards."""
    for table in _ENTRIES:
        if key.startswith(f"{table}."):
            return key.removeprefix(f"{table}.").partition(".")[0]
    return ""


def _kind(key: Key, value: Value) -> str:
    """How a key is set: by a `word`, a `number`, a list of `words`, or as `text`."""
    if key.takes == "one of these words":
        return "word"
    if key.takes == "a list of these words":
        return "words"
    is_number = isinstance(value, int) or value in [word.value for word in key.words]
    return "number" if key.least is not None and is_number else "text"


def _is_written(recipe: Recipe, written: Written) -> bool:
    """Whether everything that a recipe writes stands in a file."""
    return all(written.at(path) == value for path, value in _paths(recipe).items())


def _paths(recipe: Recipe) -> dict[str, Value]:
    """What a recipe writes, each house rule by its path."""
    paths = {key: value for key, value in recipe.writes.items() if key != "house_rules"}
    rules = recipe.writes.get("house_rules", {})
    assert isinstance(rules, dict)
    return paths | {f"{HOUSE}{name}": rule for name, rule in rules.items()}


# --- changes --------------------------------------------------------------------------------------


def change_rules(
    session: Session,
    *,
    text: str,
    settings: Mapping[str, str | None] | None = None,
    recipes: Mapping[str, bool] | None = None,
    options: Mapping[str, bool] | None = None,
    game: str | None = None,
    folder: str = "",
) -> Answer:
    """A rules file with keys, recipes of the cookbook, options or the game changed in its text."""
    changes: dict[str, Value] = {}
    try:
        for recipe in read_recipes():
            if recipe.id in (recipes or {}):
                on = (recipes or {})[recipe.id]
                changes |= _paths(recipe) if on else dict.fromkeys(_paths(recipe))
        if game is not None or options:
            changes["extends"] = _extended(Written.of(text), game, options or {})
        text = change_keys(text, changes)
        for key, value in (settings or {}).items():
            text = _set(text, key, value, folder)
    except CannotChange as reason:
        return {"text": None, "wrong": [str(reason)]}
    return {"text": text, "wrong": []}


def _extended(written: Written, game: str | None, options: Mapping[str, bool]) -> list[Value]:
    """What a file extends: its game, and the options that are played."""
    kept = [option for option in written.options if options.get(option, True)]
    added = [option for option, on in options.items() if on and option not in kept]
    return [game or written.game, *kept, *added]


def _set(text: str, key: str, written: str | None, folder: str) -> str:
    """The file with a key set to a value as YAML has it; not written where the rest says so already."""
    without = change_keys(text, {key: None})
    if written is None:
        return without
    document, wrong = read_yaml(written, RULES)
    if document is None:
        raise CannotChange(f"{key}: {wrong[0].message}")
    ruleset, findings = _loaded(without, folder)
    if ruleset is not None and not errors_in(findings):
        said = _values(ruleset).get(key)
        if said is not None and flow(said) == flow(document.value):
            return without
    return change_keys(text, {key: document.value})


# --- points of cards ------------------------------------------------------------------------------


def card_values(
    session: Session, *, players: int = 0, rules: GivenRules = "", folder: str = ""
) -> Answer:
    """What each card brings whoever laid it, in each place where that differs, or whoever holds it.

    The deck is that of `players`, or of the fewest who can play if so many cannot.
    """
    ruleset, findings = Rules.of(rules, folder).load()
    if ruleset is None:
        return unusable(findings, RULES)
    scoring = ruleset.scoring
    table = players if table_size(ruleset, players) is None else ruleset.players.min
    cards = [card for card in (*NATURALS, JOKER) if ruleset.copies(card, table)]
    return {
        "verdict": "clean",
        "findings": [],
        "name": ruleset.name,
        "cards": [
            {
                "card": card_text(card),
                "copies": ruleset.copies(card, table),
                "laid": [*_shares(scoring, _laid(ruleset, card))],
                "held": next(_shares(scoring, [_held(scoring, card)])),
            }
            for card in cards
        ],
    }


def _shares(scoring: ScoringRules, points: Iterable[int]) -> Iterator[int]:
    """Points as they go into a score."""
    return (value // scoring.divide_by for value in points)


def _laid(ruleset: Ruleset, card: int) -> list[int]:
    """What a card may count on the table, what it counts in most places first."""
    scoring = ruleset.scoring
    if scoring.melds == "ignore":
        return [0]
    values = [scoring.values[card]]
    if card != JOKER and card % 13 == ACE:
        values += own_values_in_runs(scoring)
    if card == JOKER and scoring.wild == "represented":
        values = sorted(
            {*(scoring.values[card] for card in NATURALS), *own_values_in_runs(scoring)},
            reverse=True,
        )
    return [*dict.fromkeys(values)]


def _held(scoring: ScoringRules, card: int) -> int:
    """What a card that is held counts for its holder: nothing where it is somebody else's to count."""
    sign = {"subtract": -1, "add": 1}.get(scoring.hands, 0)
    return sign * scoring.held[card]
