"""What rules allow and nobody ever does: stricter rules, and questions for the table.

A game of players of chance shows how often something is done that is allowed. If that is often, and
logs never show it, the rules that forbid it describe the logs in fewer bits. Stricter settings are
taken up if that pays for them; conditions of house rules, and what pays too little, are questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from meldref.core.effort import EFFORT
from meldref.core.events import Event, StockOrder
from meldref.core.records import NamedTuple, record
from meldref.core.text import many, times
from meldref.documents.reader import read_data
from meldref.rulefiles.consistency import ineffective
from meldref.rulefiles.merge import flow
from meldref.rules.setup import table_size
from meldref.ruleset.model import Ruleset
from meldref_authoring.example.search import find_example
from meldref_authoring.otherwise import lines_of, players
from meldref_authoring.rulefiles.show import merged_values
from meldref_evidence.inferring.corpus import PlayedLog, log_of
from meldref_evidence.inferring.draft import Draft, options, same_rules
from meldref_evidence.inferring.facts import Facts, fits
from meldref_evidence.inferring.judging import Bench, judge_log
from meldref_evidence.inferring.measure import A_NAME, bits_of_liberties, bits_of_mistakes
from meldref_evidence.inferring.search import OF_PLAY, other_values, with_part
from meldref_evidence.inferring.wording import part_in_words
from meldref_table.simulate import Seats, play_hands


class Template(NamedTuple):
    """A house rule to ask about, its sentence, and a rule about acts like those that it bans."""

    rule: str
    says: str
    beside: str | None


def _templates() -> Iterator[tuple[str, Template]]:
    """The house rules that are put as questions, by name."""
    for name, parts in read_data(Path(__file__).with_name("templates.yaml")).items():
        alike = parts.pop("beside", None)
        beside = None if alike is None else flow({**parts, "when": alike})
        yield name, Template(flow(parts), parts["says"], beside)


TEMPLATES: Final = dict(_templates())
PLAY: Final = ("melds.", "layoff.", "draw.", "discard.", "out.", "floating.", "calls.", "stock.")
_NOT_PLAY: Final = ("layoff.target", "layoff.counts_for", "draw.dead_end", "melds.wild.cards")
"""Keys there about writing or scores, that no record shows, or with too many values."""
_HANDS: Final = 8
"""The number of hands that are played by chance."""
_HANDS_FOR_TEMPLATES: Final = 24
"""The number of them for house rules, which forbid what is rarer."""
_EFFORT: Final = 200_000
"""What playing them may take; a hand that takes more is annulled, and the last."""
_SOME: Final = 2.0
"""What is expected less often than this says nothing."""
_MISTAKES: Final = 2
"""A rule that is broken more often is not tried further."""
_MOST: Final = 8
"""The most stricter settings that are taken up."""
_QUESTIONS: Final = 6
"""The most questions that are asked, the surest first."""
_EXAMPLES: Final = 2
"""The first questions have an example."""
_WALKS: Final = 20
_ENOUGH: Final = 2
_A_QUESTION: Final = 3.0
"""What is not taken up is a question if it costs fewer bits than this,"""
_A_CONDITION: Final = 1.5
"""and a condition from fewer: if players of chance would have done it some eleven times."""


@record
class Unseen:
    """A change that forbids what nobody does, or hardly ever.

    `expected` is how often it would be broken by chance, and `broken` how often it is. `key` and
    `value` are those of a setting, or `extends` and an option; `saved` are the bits that it saves,
    less what it takes. `instead` is the part that it replaces.
    """

    draft: Draft
    key: str
    value: str
    expected: float
    broken: int
    saved: float
    instead: tuple[str, str] | None = None


class Chance:
    """Hands that players of chance and greed play by a draft."""

    def __init__(self, draft: Draft, facts: Facts, hands: int = _HANDS) -> None:
        ruleset = draft.ruleset
        assert ruleset is not None
        self.log = _played(ruleset, facts.usual_players, hands)
        self.own = judge_log(ruleset, self.log)

    def acts(self, ruleset: Ruleset) -> int:
        """How often these hands have what a stricter ruleset forbids, not what follows from it."""
        verdict = judge_log(ruleset, self.log)
        first: dict[tuple[int, int], str] = {}
        for finding in verdict.findings:
            if finding.code in OF_PLAY:
                first.setdefault((finding.game, finding.hand), finding.code)
        if not first:
            return 0
        code = Counter(first.values()).most_common(1)[0][0]
        return verdict.lines[code] - self.own.lines.get(code, 0)

    def count(self, draft: Draft, code: str) -> int:
        """On how many lines of these hands a draft finds something of a kind."""
        ruleset = draft.ruleset
        return 0 if ruleset is None else judge_log(ruleset, self.log).lines.get(code, 0)


def _played(ruleset: Ruleset, table: int, hands: int) -> PlayedLog:
    """Hands that players of chance and of greed play in turn, at a table of a usual size."""
    if table_size(ruleset, table) is not None:
        table = ruleset.players.min
    seats = Seats.of([("random", "greedy")[seat % 2] for seat in range(table)])
    lines: list[Event] = [players(seats.names)]
    with EFFORT.at_most(_EFFORT):
        for hand in play_hands(ruleset, seats, 1, hands):
            # The draws show the order of the stock, and rules by which it is another one forbid those.
            lines += [event for event in hand.lines if not isinstance(event, StockOrder)]
            if EFFORT.over:
                break
    return log_of("", lines_of(lines))


def stricter(draft: Draft, bench: Bench, facts: Facts) -> tuple[Draft, list[Unseen], list[Unseen]]:
    """The draft with stricter rules that pay, these rules, and other ones that nobody breaks."""
    if bench.budget.over:
        return draft, [], []
    taken_up: list[Unseen] = []
    not_taken_up: list[Unseen] = []
    chance = Chance(draft, facts)
    candidates = sorted(
        _unseen(draft, _changes(draft), bench, chance), key=lambda candidate: -candidate.saved
    )
    for candidate in candidates:
        now = candidate
        if taken_up:  # what was taken up may say the same
            change = _changed(draft, candidate.key, candidate.value, candidate.instead)
            still_unseen = next(_unseen(draft, [change], bench, chance), None)
            if still_unseen is None:
                continue
            now = still_unseen
        if now.saved > 0 and len(taken_up) < _MOST:
            draft = now.draft
            taken_up.append(now)
            chance = Chance(draft, facts)
        else:
            not_taken_up.append(now)
    draft, taken_up = _less_what_others_say(draft, taken_up, bench, facts)
    worth_asking = [
        candidate
        for candidate in not_taken_up
        if candidate.saved + _A_QUESTION > 0 and candidate.instead is None
    ]
    chance = Chance(draft, facts, _HANDS_FOR_TEMPLATES)
    return draft, taken_up, [*worth_asking, *_conditions(draft, bench, chance)]


def _less_what_others_say(
    draft: Draft, taken_up: Sequence[Unseen], bench: Bench, facts: Facts
) -> tuple[Draft, list[Unseen]]:
    """The draft without stricter rules that forbid only what the others forbid as well."""
    needed = list(taken_up)
    for rule in taken_up:
        less = draft.without(rule.key, rule.value)
        ruleset = draft.ruleset
        if less.ruleset is None or ruleset is None or not fits(less, facts):
            continue
        if _broken(draft, less, bench) != 0:
            continue
        if Chance(less, facts).acts(ruleset) <= 0:
            draft = less
            needed.remove(rule)
    return draft, needed


Part: TypeAlias = tuple[str, str]
"""A setting, or `extends` and an option."""
_Made: TypeAlias = tuple[Draft, str, str, Part | None]
"""A changed draft, the key and the value that are new, and the part that they replace."""


def _changed(draft: Draft, key: str, value: str, instead: Part | None = None) -> _Made:
    base = draft if instead is None else draft.without(*instead)
    return with_part(base, key, value), key, value, instead


def _changes(draft: Draft) -> Iterator[_Made]:
    """Options, and other values of keys about play: added to a draft, or in place of a part."""
    yield from (_changed(draft, *part) for part in parts_besides(draft, PLAY))
    for instead in draft.parts:
        sets = options()[instead[1]].sets if instead[0] == "extends" else (instead[0],)
        sections = tuple({f"{key.partition('.')[0]}." for key in sets} & {*PLAY})
        less = draft.without(*instead)
        if sections and less.ruleset is not None:
            yield from (_changed(draft, *part, instead) for part in parts_besides(less, sections))


def parts_besides(draft: Draft, sections: tuple[str, ...]) -> Iterator[Part]:
    """The options and settings of some sections that a draft does not have."""
    ruleset = draft.ruleset
    assert ruleset is not None
    for name, option in options().items():
        if name not in draft.options and any(key.startswith(sections) for key in option.sets):
            yield "extends", name
    idle = {key for key, _ in ineffective(ruleset)}
    for key, _, _ in merged_values(ruleset):
        if not key.startswith(sections) or key in idle or key.startswith(_NOT_PLAY):
            continue
        if not key.endswith(".require"):
            yield from (part for part in other_values(ruleset, key, Facts()) if part[0] == key)


def _conditions(draft: Draft, bench: Bench, chance: Chance) -> Iterator[Unseen]:
    """House rules that some tables play by, that nobody breaks and players of chance would."""
    by_turns = bench.turns / max(chance.log.turns, 1)
    for name, template in TEMPLATES.items():
        key, code = f"house_rules.{name}", f"house.{name}"
        other = draft.with_setting(key, template.rule)
        expected = by_turns * chance.count(other, code)
        broken = _broken(draft, other, bench) if expected >= _SOME else None
        if broken is None:
            continue
        if template.beside is not None:
            alike = draft.with_setting(key, template.beside)
            if not bench.may_judge(alike):
                continue
            if by_chance := by_turns * chance.count(alike, code):
                expected *= min(1.0, bench.lines(alike, code) / by_chance)
        if expected < _SOME:
            continue
        saved = bits_of_liberties(broken, bench.turns, expected)
        saved -= bits_of_mistakes(broken, bench.turns) + A_NAME
        if saved + _A_CONDITION > 0:
            yield Unseen(other, key, template.says, expected, broken, saved)


def _unseen(
    draft: Draft, changes: Iterable[_Made], bench: Bench, chance: Chance
) -> Iterator[Unseen]:
    """The changes that forbid what is done by chance and hardly ever in logs."""
    for other, key, value, instead in changes:
        ruleset = other.ruleset
        if ruleset is None or same_rules(ruleset, draft.ruleset):
            continue
        expected = chance.acts(ruleset) * bench.turns / max(chance.log.turns, 1)
        broken = _broken(draft, other, bench) if expected >= _SOME else None
        if broken is None:
            continue
        saved = bits_of_liberties(broken, bench.turns, expected)
        saved -= bits_of_mistakes(broken, bench.turns) + other.bits - draft.bits
        yield Unseen(other, key, value, expected, broken, saved, instead)


def _broken(draft: Draft, other: Draft, bench: Bench) -> int | None:
    """The number of findings that a stricter draft adds in all logs.

    None if there are too many, or if it may not be judged any more.
    """
    if not bench.may_judge(other):
        return None
    more = 0
    for number in range(len(bench.logs)):
        before, after = bench.verdict(draft, number), bench.verdict(other, number)
        for code, count in after.counts.items():
            more += max(0, count - before.counts.get(code, 0))
        if more > _MISTAKES:
            return None
    return more


@record
class Question:
    """A question for the table, and the lines of the shortest game found that would tell."""

    text: str
    example: tuple[str, ...] = ()


def questions(draft: Draft, candidates: Sequence[Unseen], hands: int) -> tuple[Question, ...]:
    """What nobody does, as questions for the table, the surest of each section of the rules."""
    surest: dict[str, Unseen] = {}
    for unseen in sorted(candidates, key=lambda unseen: -unseen.saved):
        surest.setdefault(_section(unseen), unseen)
    made: list[Question] = []
    for unseen in [*surest.values()][:_QUESTIONS]:
        example = _shortest(draft, unseen.draft) if len(made) < _EXAMPLES else ()
        made.append(Question(_in_words(draft, unseen, hands), example))
    return tuple(made)


def _section(unseen: Unseen) -> str:
    """The section of a setting, or of what an option sets first; the whole key of a house rule."""
    key = next(iter(options()[unseen.value].sets)) if unseen.key == "extends" else unseen.key
    return key if key.startswith("house_rules.") else key.partition(".")[0]


def _in_words(draft: Draft, unseen: Unseen, hands: int) -> str:
    before, after = draft.ruleset, unseen.draft.ruleset
    assert before is not None
    assert after is not None
    rule = part_in_words(unseen.key, unseen.value, before, after)
    in_hands = many(hands, "hand")
    broken = times(unseen.broken) if unseen.broken else "never"
    return (
        f'Is this a rule? "{rule}" In {in_hands} it was {broken} broken, '
        f"where {round(unseen.expected)} times would be expected by chance."
    )


def _shortest(draft: Draft, other: Draft) -> tuple[str, ...]:
    """The shortest game found in a short search that only one of two drafts allows."""
    first, second = draft.ruleset, other.ruleset
    assert first is not None
    assert second is not None
    example, _ = find_example(first, second, _WALKS, 1, enough=_ENOUGH)
    return () if example is None else tuple(example.text.splitlines())
