"""The edit of a hand's lines that explains a finding and leaves least, its own cost included.

What is found is a contradiction (the log cannot be so), conduct (anybody can do it, though no rule
allows it), or a figure. Conduct is no evidence, nor are figures; what a line proves by itself goes
only with that line; other conduct goes only by an edit of a line of that player; an edit may not
bring findings of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from math import inf
from typing import Final

from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.core.diagnostics import Edit as TextEdit
from meldref.core.diagnostics import Finding, Follows, Repair, Span, following, is_among
from meldref.core.effort import EFFORT, STATE
from meldref.core.events import Action, Event, Line, Meld, Missing, Turn
from meldref.core.records import NamedTuple, changed
from meldref.notation.columns import action_columns
from meldref.notation.reader import read_line
from meldref.notation.scanner import split
from meldref.notation.writer import write_line
from meldref.replay.playing import Playing
from meldref_evidence.repair.card_edits import named_too_often
from meldref_evidence.repair.codes import ORDER
from meldref_evidence.repair.course import ALL, Course, Edit, Found, Key, found_at
from meldref_evidence.repair.edits import (
    DRAWN,
    LAID,
    THROWN,
    Question,
    edits_for,
)
from meldref_evidence.repair.prospects import FIGURES, NO_MELDS, SCORE, Prospects, count_for_others
from meldref_evidence.repair.reach import (
    NOT_CALLED,
    NOT_FITTING,
    NOT_THERE,
    OfMeld,
    Rests,
    actions_in,
    actions_of,
    cards_are_there,
    is_touched,
    may_all_be_laid,
    rests_on,
)
from meldref_evidence.repair.table import TABLE

MOST_TRIES: Final = 800
"""How many edits are tried for a finding,"""
MOST_REPAIRS: Final = 6
"""the most findings of a hand for which this is done,"""
MOST_FINDINGS: Final = 300
MOST_LINES: Final = 1_500
"""how many lines a hand may have, for real ones are far shorter,"""
AHEAD: Final = 120
"""and how many lines are looked at after each."""
MARGIN: Final = 0.5
"""By how much the next best repair has to be less likely, so that there is no doubt."""
_NEW: Final = 2
"""What a finding counts that only an edit brings: an explanation that is no explanation."""
_NEW_CONDUCT: Final = 1
"""What it counts that by an edit a player did what no rule allows, however often."""
_OPEN: Final = 0.5
"""What a contradiction counts that an edit only makes undecided."""
_LONE: Final = 1.5
"""What an edit may cost that explains a contradiction from which nothing else follows,"""
_LONE_FIGURE: Final = 1.05
"""what one may cost that explains a figure alone: one of its line, or the line before,"""
_EFFORT_ON_LONE: Final = 8 * STATE
"""and how much effort goes into that for each line of the hand,"""
_EFFORT_ON_LONE_FIGURE: Final = 2 * STATE
"""or into a figure: of 113 that slips explain, each took less."""
_EFFORT_UNTIL_ONE: Final = 5 * STATE
"""After how much effort for each line a search ends that has no edit that explains the finding,"""
_EFFORT_FAR: Final = 24 * STATE
_FAR: Final = (
    "hand",
    "layoff",
    "log.name",
    "draw.stock",
    "turn.order",
    "turn.unfinished",
    "setup.deal",
    "buy",
    "stock",
)
"""or this much, where any line of the hand may be why: of 960 that slips explain, all but nine have
one before that,"""
_ELSEWHERE: Final = "log.copies"
"""and seven of these are a card that another line has: that is looked for to the end."""
_EFFORT_NEAR: Final = 3 * STATE
_NEAR: Final = ("call", "meld", "turn", "wild", "log.number")
"""How much goes into what lines nearby explain, and nothing else: of 160 that slips explain alone,
all have an edit before that."""
_EFFORT_IN_VAIN: Final = 5 * STATE
"""How much goes into what is found among others for each line once a search was in vain,"""
_SHORT: Final = 40
"""which are taken to be so many at least."""
_SHARE_OF_LONE: Final = 3
"""The part of the effort left, one in so many, that goes into findings told among others,"""
_SHARE_OF_CONDUCT: Final = 3
"""and the part that goes into what was simply done."""
_MOST_IN_VAIN: Final = 3
"""After so much conduct that nothing explains, contradictions are asked about first."""
_MOST_OF_A_CODE: Final = 2
"""How often the like is asked about among others in a hand, if nothing explains it."""
_OUTWEIGHS: Final = 3
"""How many findings more than one there must be for each thing done that missing turns excuse."""
_LEAST_COST: Final = 0.9
"""What the cheapest edit costs."""
_SLACK: Final = 4
"""How much more than a finding counts may be left after an edit, before one looks ahead."""
_WAIT: Final = 0.3
"""How much dearer the edits are that are tried before one looks ahead,"""
_LONG_WAIT: Final = 3.0
_MUCH: Final = 8
"""and how much if this much is found: missing turns, which are dear, may explain all of it."""
_MOST_AHEAD: Final = 5
"""After how many edits of a finding one looks ahead."""
_SHARE_AHEAD: Final = 4
"""One look ahead may take this part of the effort that is left: a quarter."""
_STAND_EVERY: Final = 8
"""The state of the hand is kept at this interval of lines in the first pass."""
_FAMILIES: Final = (NOT_FITTING, NOT_THERE, NOT_CALLED)
"""Codes of findings of which it may be known what they rest on."""
_ALIEN: Final = "line-alien"
"""The edit that takes a whole line away, be what it says right or wrong."""
_GOES_ON: Final = (events.Turn, events.HandEnd, events.Points)
_STOPPED: Final = (
    "meldref stopped searching here; the findings after this one may be consequences of it"
)


class Outcome(NamedTuple):
    """The least repair of a finding: the edit, its cost with what is left, and the course then.

    `explains_others`: more follows from the finding, so that the hand is followed as edited.
    `texts` are of edits after which about as little is left.
    """

    total: float
    edit: Edit
    course: Course
    explains_others: bool
    texts: tuple[str, ...] = ()


class Explained(NamedTuple):
    """A hand as it probably was: its findings, its lines, and how it began.

    `open` says of some lines what repairs leave open.
    """

    findings: list[Finding]
    lines: list[Line]
    begin: Playing
    open: tuple[tuple[Line, str], ...] = ()


def readable(lines: Iterable[Line]) -> list[Line]:
    """Lines of which unreadable ones, which were found, are read as far as they say what they are.

    A card was turned up, or the turn of the line before is broken off there.
    """
    read: list[Line] = []
    for line in lines:
        if line.event is None and line.text.split()[:1] == ["up"]:
            read.append(line._replace(event=events.UpCard(UNKNOWN)))
        elif line.event is None and read and type(read[-1].event) is Turn:
            before = read[-1]
            begun = before.text[: split(before.text).body_end]  # a comment ends no turn
            whole, wrong = read_line(f"{begun} {line.text}", before.number)
            read[-1:] = [before._replace(event=whole.event)] if not wrong else [before, line]
        else:
            read.append(line)
    return read


def _may_follow(figure: Found) -> bool:
    """Whether a figure may be wrong because of where it is written, of a call, or of the seats."""
    return is_among(figure.finding.code, FIGURES)


def explain(
    prospects: Prospects, begin: Playing, lines: Sequence[Line], doubt: float = 0.0
) -> Explained:
    """What is found in a hand, each mistake once, if it began so and its lines are read so.

    A repair says which others explain the finding about as well: those less than `doubt` dearer.
    Where house rules are asked no more, nothing is explained: what they found would be missing.
    """
    hand = prospects.hand
    findings = hand.mistakes
    if begin is hand.begin and not prospects.are_worth_it:
        return Explained(list(findings), list(lines), begin)
    if len(findings) <= MOST_FINDINGS and len(lines) <= MOST_LINES and not EFFORT.house.over:
        explained = _explained(begin, lines, findings, doubt, prospects)
        if not EFFORT.house.over:
            return explained
    return Explained([unexplained(findings[0]), *findings[1:]], list(lines), begin)


def unexplained(finding: Finding) -> Finding:
    """The first finding of a hand in which nobody looks, or looks on, for what explains it."""
    return changed(finding, notes=(*finding.notes, _STOPPED))


def _explained(
    begin: Playing,
    lines: Sequence[Line],
    findings: Sequence[Finding],
    doubt: float,
    prospects: Prospects,
) -> Explained:
    """Referees the hand again, and searches for an edit that explains each finding."""
    course = Course(begin, lines)
    with EFFORT.in_full():
        course.play_on(0, stands=range(_STAND_EVERY, len(lines), _STAND_EVERY))
    at_start = [found_at(0, one) for one in findings if one.span.line < lines[0].number]
    found_again = {fault.key for fault in course.found}
    course.found[:0] = [fault for fault in at_start if fault.key not in found_again]
    account = _Account(course, findings, doubt, prospects)
    account.tell_all()
    course = account.course
    return Explained(account.findings, course.lines, course.begin, tuple(account.left_open))


class _Account:
    """What is told of a hand, and the course that is followed.

    `told` is each finding with its repair, or None where it goes on with one that was told;
    `left_open` is what was done, as far as it is open whether it was, by line.
    """

    def __init__(
        self, course: Course, findings: Iterable[Finding], doubt: float, prospects: Prospects
    ) -> None:
        self.course, self.doubt = course, doubt
        self._written, self._prospects = course, prospects
        self.told: dict[Key, Finding | None] = {}
        self.left_open: list[tuple[Line, str]] = []
        self._helps = {found_at(0, finding).key: finding.help for finding in findings}
        self._searches = self._in_vain = 0
        self._left = ALL
        self._alone_in_vain: set[str] = set()
        self._vain_codes: Counter[str] = Counter()
        self._asked: dict[Key, _Asked] = {}

    @property
    def findings(self) -> list[Finding]:
        """The findings, each mistake once."""
        return [finding for finding in self.told.values() if finding is not None]

    def tell_all(self) -> None:
        """Tells what is found, the first line first, and then what explains one finding alone."""
        while left := [fault for fault in self.course.found if fault.key not in self.told]:
            conduct_last = self._in_vain >= _MOST_IN_VAIN
            first = min(
                left,
                key=lambda fault: (conduct_last and fault.is_conduct, fault.finding.span.line),
            )
            finding = first.finding
            self.told[first.key] = changed(finding, help=self._helps.get(first.key, ()))
            self._explain(first, left)
        with EFFORT.at_most((EFFORT.limit - EFFORT.spent) // _SHARE_OF_LONE):
            for fault in self.course.found if len(self.told) > 1 else ():
                if self._is_bare(fault):
                    self._explain_alone(fault)

    def _explain_alone(self, fault: Found) -> None:
        """Searches for what explains a finding and no other, once for each code in a game."""
        code = fault.finding.code
        if code not in self._alone_in_vain and not self._prospects.is_unexplained(fault):
            self._explain(fault, [fault])
            if self._is_bare(fault):
                self._alone_in_vain.add(code)

    def _is_bare(self, fault: Found) -> bool:
        """Whether a finding is told, and nothing explains it."""
        told = self.told[fault.key]
        return told is not None and told.repair is None

    def _explain(self, first: Found, left: Sequence[Found]) -> None:
        """Searches for the edit that explains a finding, and perhaps others that are left."""
        if self._searches >= MOST_REPAIRS or not _may_be_explained(self.course, first, left):
            return
        is_usual = len(left) > 1 and self._vain_codes[first.finding.code] >= _MOST_OF_A_CODE
        if is_usual or not self._has_prospects(first):
            return
        self._searches += 1
        finding = self.told[first.key]
        assert finding is not None
        asked = self._asked.get(first.key)
        if asked is None or asked.course is not self.course:
            asked = self._asked[first.key] = _Asked(self.course, first)
        before = EFFORT.spent
        with EFFORT.at_most(self._left if len(left) > 1 else ALL):
            outcome = _least_repair(self.course, first, {*self.told}, self.doubt, asked=asked)
        self._left -= EFFORT.spent - before
        if outcome is None:
            self._vain_codes[finding.code] += 1
            self._left = min(self._left, _EFFORT_IN_VAIN * _length(self.course))
        if outcome is not None:
            self._follow(first, left, outcome)
        elif EFFORT.over and len(left) > 1:
            self.told[first.key] = unexplained(finding)
            self._searches = MOST_REPAIRS
        elif first.is_conduct:
            self._in_vain += 1

    def _has_prospects(self, first: Found) -> bool:
        """Whether a slip may explain a finding; figures show that of the hand as it is written."""
        if self.course is self._written:
            return self._prospects.may_explain(first)
        return not self._prospects.is_usual(first)

    def _follow(self, first: Found, left: Sequence[Found], outcome: Outcome) -> None:
        """Tells a repair; the hand is followed as edited where that explains more."""
        before = self.course
        if outcome.explains_others:
            self.course = outcome.course
        if _changes_edits_only(before, outcome.edit) and not first.is_conduct:
            self.told[first.key] = None
            return
        shown = self._first_explained(before, first, outcome)
        if shown.key != first.key:
            self.told[first.key] = None
        finding = self.told[shown.key]
        assert finding is not None
        rest = [fault for fault in (first, *left) if fault.key != shown.key]
        if outcome.edit.kind == _ALIEN:
            proved = [fault for fault in rest if _is_no_meld(fault, finding.span.line)]
            self.told.update((fault.key, fault.finding) for fault in proved)
            rest = [fault for fault in rest if fault not in proved]
        if _is_vague(outcome.edit):
            rest = self._leave_open(rest, before, outcome)
        self.told[shown.key] = _with_repair(finding, before, outcome, rest)

    def _leave_open(self, rest: Sequence[Found], before: Course, outcome: Outcome) -> list[Found]:
        """Leaves open what was done unless turns are missing; the rest is what they explain."""
        still = {fault.key for fault in outcome.course.found}
        unsure = [fault for fault in rest if fault.is_conduct and fault.key not in still]
        for fault in unsure:
            what = f"{fault.finding.message}, unless {outcome.edit.text}"
            self.left_open.append((_line_at(before, fault), what))
        return [fault for fault in rest if fault not in unsure]

    def _first_explained(self, course: Course, first: Found, outcome: Outcome) -> Found:
        """The finding that carries a repair: one told before in its line, if it explains both."""
        number, still = first.finding.span.line, {fault.key for fault in outcome.course.found}
        for fault in course.found:
            told = self.told.get(fault.key)
            is_bare = told is not None and told.repair is None
            if is_bare and fault.finding.span.line == number and fault.key not in still:
                return fault
        return first


def _is_no_meld(fault: Found, number: int) -> bool:
    """Whether the cards of a line alone show that they are no meld."""
    finding = fault.finding
    return finding.span.line == number and finding.code in NO_MELDS


def _followers(rest: Iterable[Found], course: Course) -> tuple[Follows, ...]:
    """What is not found in a course any more."""
    still = {fault.key for fault in course.found}
    return following(fault.finding for fault in rest if fault.key not in still)


def _may_be_explained(course: Course, first: Found, left: Sequence[Found]) -> bool:
    """Whether what comes after a finding may say what was wrong."""
    if _line_at(course, first).expected:
        return False
    if first.is_figure:
        return _may_follow(first)
    if len({fault.finding.span.line for fault in left}) > 1:
        return True
    return any(type(line.event) in _GOES_ON for line in course.lines[first.at + 1 :])


def _rests_on(course: Course, fault: Found) -> Rests | None:
    """What a finding rests on: the meld on which cards do not fit, or cards that are not there.

    None if that is not known, or where something else is wrong with it before: it may have been
    otherwise after all.
    """
    meld = _meld_that_is_none(course, fault)
    if meld is not None:
        return OfMeld(meld)
    family = next((some for some in _FAMILIES if fault.finding.code in some), None)
    if family is None:
        return None
    index = _index(course, fault)
    position = course.hand(index).position
    if position is None:
        return None
    rests = rests_on(course.lines, index, fault.finding, position)
    if rests is None:
        return None
    others = [one for one in course.found if not is_among(one.finding.code, family)]
    numbers = {other.finding.span.line for other in others if other.contradicts}
    doubtful = [line for line in course.lines[: index + 1] if line.number in numbers]
    return None if rests.effects_of(doubtful) else rests


def _meld_that_is_none(course: Course, fault: Found) -> Action | None:
    """The meld whose cards are none, if that is what was found: wherever it is, it is found."""
    if fault.finding.code not in NO_MELDS:
        return None
    question = Question(course, _index(course, fault), fault)
    actions = enumerate(actions_of(question.line))
    melds = [one for at, one in actions if isinstance(one, Meld) and question.is_at_fault(at)]
    return melds[0] if len(melds) == 1 else None


def _line_at(course: Course, fault: Found) -> Line:
    """The line that a finding is about."""
    return course.lines[_index(course, fault)]


def _index(course: Course, fault: Found) -> int:
    number = fault.finding.span.line
    before = enumerate(course.lines[: fault.at])
    at = next((index for index, line in before if line.number == number and line.event), fault.at)
    return min(at, len(course.lines) - 1)


def _is_repeated(course: Course, fault: Found) -> bool:
    """Whether the line that a finding is about says the same as the line before."""
    at = _index(course, fault)
    return at > 0 and course.lines[at].event == course.lines[at - 1].event


def _changes_edits_only(course: Course, edit: Edit) -> bool:
    """Whether an edit changes only edited lines: it goes on with a repair that was told."""
    edited = course.lines[edit.start : edit.stop]
    return bool(edited) and not any(line.text for line in edited)


def _with_repair(
    finding: Finding, course: Course, outcome: Outcome, rest: Sequence[Found]
) -> Finding:
    """A finding with the edit that explains it, and with what would follow from it otherwise."""
    edit = outcome.edit
    place = edit.start if edit.start < edit.stop else min(edit.start, len(course.lines) - 1)
    rows = _followers(rest, outcome.course)
    changes = _written(course.lines, edit)
    hand = None if edit.begin is None else edit.begin.hand
    line = course.lines[place] if hand is None else hand.line
    repair = Repair(edit.kind, line.number, edit.text, rows, changes, outcome.texts)
    return changed(finding, repair=repair)


def _written(lines: Sequence[Line], edit: Edit) -> tuple[TextEdit, ...]:
    """An edit as changes of the log's text; none where nobody knows what is to be written.

    A turn that is missing beside a line that cannot be read is most likely that line.
    """
    old, new = lines[edit.start : edit.stop], edit.lines
    if any(isinstance(line.event, Missing) for line in new) or not all(line.text for line in old):
        return ()
    more = len(new) - len(old)
    beside = lines[max(edit.start - 1, 0) : edit.start + 1]
    if more > 0 and any(line.event is None for line in beside):
        return ()
    last = lines[-1].number + 1
    at = lines[edit.start].number if edit.start < len(lines) else last
    changes = [TextEdit(at, 1, at, 1, write_line(line) + "\n") for line in new[: max(more, 0)]]
    changes += [TextEdit(line.number, 1, line.number + 1, 1, "") for line in old[: max(-more, 0)]]
    for before, after in zip(old[max(-more, 0) :], new[max(more, 0) :], strict=True):
        if after.event != before.event:
            end = len(before.text) + 1
            changes.append(TextEdit(before.number, 1, before.number, end, write_line(after)))
    return tuple(changes)


def _touched(course: Course, edit: Edit) -> set[int]:
    """The numbers of the lines that an edit changes; numbering or moving one does not."""

    def content(line: Line) -> tuple[object, ...]:
        event = line.event
        return (line.number, getattr(event, "player", None), getattr(event, "actions", None))

    left = {content(line) for line in edit.lines}
    old = course.lines[edit.start : edit.stop]
    return {line.number for line in old if content(line) not in left}


def _is_vague(edit: Edit) -> bool:
    """Whether turns are missing of which nothing is known after an edit."""
    return any(isinstance(line.event, Missing) for line in edit.lines)


def _leaves_cards_open(edit: Edit) -> bool:
    """Whether nobody knows after an edit which cards were played."""
    turns = [line.event for line in edit.lines if type(line.event) is Turn]
    unknown = any(action in (DRAWN, THROWN) for turn in turns for action in turn.actions)
    return unknown or _is_vague(edit)


def _says_no_more(edit: Edit, other: Edit) -> bool:
    """Whether an edit says the same as another one, or less, with `?` for a card."""
    places = (edit.start, edit.stop, edit.begin) == (other.start, other.stop, other.begin)
    rows = zip(edit.lines, other.lines, strict=False)
    same_lines = places and len(edit.lines) == len(other.lines)
    return same_lines and all(_is_no_more_done(line.event, than.event) for line, than in rows)


def _is_no_more_done(event: Event | None, than: Event | None) -> bool:
    if type(event) is not Turn or type(than) is not Turn or len(event.actions) != len(than.actions):
        return event == than
    done = all(map(_is_the_same_play, event.actions, than.actions))
    return done and event._replace(actions=than.actions) == than


def _is_the_same_play(action: Action, other: Action) -> bool:
    """Whether two actions are one, in whatever order their cards are, or the first has a `?`."""
    if isinstance(action, LAID) and isinstance(other, LAID):
        same_cards = Counter(action.cards) == Counter(other.cards)
        return same_cards and changed(action, cards=other.cards) == other
    return action == other or (type(action) is type(other) and action in (DRAWN, THROWN))


class _Asked:
    """The edits that may explain a finding in a course, each made once, however often it is asked.

    Those after which it is still found are in vain, and so are, where nothing else is explained,
    those by which something else is found.
    """

    def __init__(self, course: Course, first: Found) -> None:
        question = Question(course, _index(course, first), first, _rests_on(course, first))
        self.course, self._made, self._rest = course, list[Edit](), edits_for(question, TABLE)
        self._in_vain: set[int] = set()
        self._in_vain_alone: set[int] = set()

    def __iter__(self) -> Iterator[Edit | None]:
        yield from self._made
        for edit in self._rest:
            if edit is not None:
                self._made.append(edit)
            yield edit

    def tried(self, edit: Edit, trial: _Trial) -> None:
        """Keeps what came of an edit."""
        if trial.is_in_vain:
            self._in_vain.add(id(edit))
        elif trial.brings_more:
            self._in_vain_alone.add(id(edit))

    def is_in_vain(self, edit: Edit, *, alone: bool) -> bool:
        """Whether an edit was tried that cannot explain the finding, or not `alone`."""
        return id(edit) in self._in_vain or (alone and id(edit) in self._in_vain_alone)


class _Evidence:
    """What speaks for and against edits that explain a finding.

    `near` is what else is found soon after it, `conduct` what of that speaks for no repair; `most`
    is what the finding and its consequences count: an edit that explains it has to be cheaper.
    `contradicted`: cards contradict it, too. `habits` are codes of what was done before it, too,
    and so is no consequence of it.
    """

    def __init__(self, course: Course, first: Found, told: set[Key]) -> None:
        self.course, self.first, self.told = course, first, told
        self.keys = {fault.key for fault in course.found}
        others = [fault for fault in course.found if fault.key != first.key]
        self.wrong_places = {_same_place(fault) for fault in others}
        before = [fault for fault in course.found if fault.at < first.at]
        self.habits = {fault.finding.code for fault in before if fault.is_conduct}
        self.figures = {fault.figure for fault in course.found if fault.is_figure}
        soon = [fault for fault in course.found if fault.at <= first.at + AHEAD]
        self.near = [fault for fault in soon if fault.key not in told]
        self.places = {fault.finding.span for fault in self.near}
        self.contradicted = any(fault.contradicts for fault in self.near)
        self.conduct = {fault.key: fault for fault in self.near if not self._counts(fault)}
        self.most = 1.0 + len(self.near) - len(self.conduct)
        is_evident = not first.is_conduct or _is_repeated(course, first)
        self.is_lone = self.most == 1 and is_evident
        if self.is_lone:
            self.most = _LONE_FIGURE if first.is_figure else _LONE
        others = [fault for fault in self.near if fault.key not in self.conduct]
        self._others = [_rests_on(course, one) for one in others]
        spans = [key[0] for key in self.keys | told if key != first.key]
        self._wrong_lines = {span.line for span in spans if isinstance(span, Span)}
        self.is_proved = course.proves(first)

    def may_leave_less(self, edit: Edit, bound: float) -> bool:
        """Whether an edit may leave less than `bound`: what it does not touch is still found."""
        if edit.begin is not None:
            return True
        if self.is_lone:
            return True
        old = self.course.lines[edit.start : edit.stop]
        left = sum([not is_touched(rests, old, edit.lines) for rests in self._others])
        return edit.cost + left < bound

    def may_be_so(self, edit: Edit) -> bool:
        """Whether the first turn of an edit may have its cards."""
        course, start = self.course, edit.start
        if edit.begin is not None or not edit.lines:
            return True
        event = edit.lines[0].event
        seat = course.begin.seats.get(event.player) if type(event) is Turn else None
        if type(event) is not Turn or seat is None:
            return True
        position = course.position(start)
        written = actions_in(course.lines[start : edit.stop])
        if edit.lines[0].number in self._wrong_lines:  # whose cards may not be there anyway
            return may_all_be_laid(position, event.actions, written)
        return cards_are_there(position, seat, event.actions, written)

    def _counts(self, fault: Found) -> bool:
        """Whether a finding that goes speaks for a repair: what was simply done does not."""
        first = self.first
        if first.is_conduct:
            figures_count = first.is_whose or first.proves_itself
            return not fault.is_conduct and (figures_count or not fault.is_figure)
        is_conduct = fault.is_conduct or fault.may_be_conduct
        if not is_conduct or fault.finding.span.line == first.finding.span.line:
            return True
        is_habit = fault.finding.code in self.habits
        return fault.proves_itself and not is_habit and not self.course.proves(fault)

    def weigh(self, rest: Iterable[Found], moved: int, touched: AbstractSet[int]) -> int:
        """What findings after an edit count; by it, later lines are `moved` by so many places.

        What was done is not new where something else was wrong with the same action before, nor is
        what is wrong in the same way, unless the edit `touched` that line; and what a player does
        once may be done again. Where cards contradict the finding, too, nothing is new in a line at
        which the hand was over.
        """

        def is_new(fault: Found) -> bool:
            if fault.is_figure and fault.figure in self.figures:
                return False
            was_done = fault.is_conduct and fault.finding.span in self.places
            is_rewritten = fault.finding.span.line in touched
            if was_done or (_same_place(fault) in self.wrong_places and not is_rewritten):
                return False
            return not (self.contradicted and self.course.is_over(fault.at - moved))

        counted = [fault for fault in rest if not is_new(fault)]
        new = [fault for fault in rest if is_new(fault)]
        habits = {(one.finding.code, one.finding.player) for one in new if one.is_conduct}
        others = [fault for fault in new if not fault.is_conduct]
        return len(counted) + _NEW * len(others) + _NEW_CONDUCT * len(habits)

    def excuses_too_much(self, edit: Edit, still: set[Key]) -> bool:
        """Whether an edit takes away what was done, and cannot be why it was none after all.

        Missing turns are why only if far more contradictions show them, and if nothing like it was
        done before. What was done after the end of the hand was not, if the hand went on.
        """
        gone = [fault for key, fault in self.conduct.items() if key not in still]
        if not gone or edit.begin is not None:
            return False
        touched = _touched(self.course, edit)
        old = [line.event for line in self.course.lines[edit.start : edit.stop]]
        new = [line.event for line in edit.lines]
        vague = _is_vague(edit)
        differ = [event for event in (*new, *old) if event not in new or event not in old]
        players = {getattr(event, "player", None) for event in differ}
        outweighed = not self.first.is_conduct and self.most > 1 + _OUTWEIGHS * len(gone)

        def may_go(fault: Found) -> bool:
            if fault.is_figure or fault.finding.span.line in touched:
                return True
            if self.course.proves(fault):
                return False
            if self.course.is_over(fault.at):
                return True
            if vague:
                return outweighed and fault.finding.code not in self.habits
            return not self.first.is_conduct or fault.finding.player in players

        return not all(map(may_go, gone))

    def price(self, edit: Edit, course: Course, still: set[Key]) -> int:
        """What an edit costs more that only makes undecided what it seems to explain.

        Missing turns do so with what was done, and with figures of those whose turns they are not.
        Whatever nobody knows does with figures: they excuse what was simply done only where they
        come out as they are written. So does a line that is taken away with figures, where the
        hand does not come to its end without it.
        """
        gone = [fault for fault in self.near if fault.key not in still]
        figures = [fault for fault in gone if fault.is_figure]
        if self.first.is_conduct and _leaves_cards_open(edit):
            return len(figures)
        opened = course.left_open - self.course.left_open
        undecided = [fault for fault in figures if fault.finding.span.line in opened]
        if _is_vague(edit) and not self.first.is_conduct:
            touched = _touched(self.course, edit)
            done = [fault for fault in gone if fault.is_conduct and fault.key not in self.conduct]
            excused = sum([fault.finding.span.line not in touched for fault in done])
            return excused + len(undecided) - self._of_missing(edit, undecided)
        return len(undecided) if len(edit.lines) < edit.stop - edit.start else 0

    def _of_missing(self, edit: Edit, figures: Iterable[Found]) -> int:
        """How many figures are of those whose turns are missing, or of anybody if cards held are."""
        begin, position = self.course.begin, self.course.position(edit.start)
        sides, seat, playing = begin.scores.sides, position.turn.seat, set[int | None]()
        missing = [line.event.turns for line in edit.lines if isinstance(line.event, Missing)]
        for _ in range(sum([max(turns, 1) for turns in missing])):
            playing.add(sides[begin.players[seat]])
            seat = position.after[seat]
        players = [fault.finding.player or "" for fault in figures]
        are_all = count_for_others(begin)
        return sum([are_all or sides.get(player) in playing for player in players])

    def is_only_opened(self, edit: Edit, course: Course) -> bool:
        """Whether missing turns only make undecided what a line shows of a turn: they explain nothing."""
        line = self.first.finding.span.line
        is_opened = line in course.left_open - self.course.left_open
        return self.first.proves_itself and _is_vague(edit) and is_opened

    def left_open(self, course: Course, still: set[Key]) -> int:
        """How many contradictions an edit only makes undecided, and does not explain.

        Where turns are out of order, or their numbers, some are missing, whatever was played in
        them.
        """
        if is_among(self.first.finding.code, (*ORDER, "log.number")):
            return 0
        opened = course.left_open - self.course.left_open
        gone = [fault for fault in (self.first, *self.near) if fault.key not in still]
        return sum([fault.contradicts and fault.finding.span.line in opened for fault in gone])


def _least_repair(
    course: Course,
    first: Found,
    told: set[Key],
    doubt: float = 0.0,
    most: float = inf,
    asked: _Asked | None = None,
) -> Outcome | None:
    """The edit after which least is found; None where none explains the finding and leaves less.

    Where it has to cost less than `most`, nobody looks ahead.
    """
    evidence = _Evidence(course, first, told)
    if evidence.most <= 1:
        return None
    effort = EFFORT.limit - EFFORT.spent
    if evidence.is_lone:
        each = _EFFORT_ON_LONE_FIGURE if first.is_figure else _EFFORT_ON_LONE
        effort = each * _length(course)
    elif first.is_conduct:
        effort = effort // _SHARE_OF_CONDUCT
    search = _Search(evidence, doubt, most)
    with EFFORT.at_most(effort):
        search.try_all(asked or _Asked(course, first))
    best = search.best
    if best is not None:
        _play_out(best)
        if first.is_conduct and most == inf and search.explains_without(best):
            return None
    return best


def _length(course: Course) -> int:
    """How many lines a hand has; short ones count as longer."""
    return max(len(course.lines), _SHORT)


def _effort_until_one(evidence: _Evidence) -> float:
    """After how much effort for each line a search ends that has nothing that explains a finding.

    Of scores, what takes longer is nothing but chance. A card that is elsewhere may have come there
    by any line.
    """
    code = evidence.first.finding.code
    if code == SCORE:
        return _EFFORT_ON_LONE_FIGURE
    if code == _ELSEWHERE:
        return inf
    if is_among(code, _FAR):
        return _EFFORT_FAR
    is_near = evidence.is_lone and is_among(code, _NEAR)
    return _EFFORT_NEAR if is_near else _EFFORT_UNTIL_ONE


def _play_out(outcome: Outcome) -> None:
    """Follows a hand to its end after an edit."""
    course, start = outcome.course, outcome.edit.start
    course.found[:] = [fault for fault in course.found if fault.at < start]
    with EFFORT.in_full():
        course.play_on(start)


class _Search:
    """The least repair of a finding among edits, with those about as good.

    If an edit leaves something, the least repair of what comes next counts, not what is found.
    """

    def __init__(self, evidence: _Evidence, doubt: float, most: float) -> None:
        self.evidence, self.doubt = evidence, doubt
        self._most = min(evidence.most, most)
        self._looks_ahead = most == inf
        self.best: Outcome | None = None
        self._totals: dict[str, tuple[float, Edit]] = {}
        self._waiting: list[Outcome] = []
        self._left: list[set[Key]] = []  # what is left after each edit after which one looked ahead

    @property
    def bound(self) -> float:
        """What an edit may cost with what is left after it, to be about as good as the best."""
        return self._most if self.best is None else min(self.best.total + self.doubt, self._most)

    def try_all(self, edits: _Asked) -> None:
        """Tries edits, the cheapest first; not those that counting shows to explain nothing."""
        course, first = self.evidence.course, self.evidence.first
        proved = self.evidence.is_proved
        is_much = self.evidence.most >= _MUCH and first.contradicts
        wait = _LONG_WAIT if is_much else _WAIT
        until_one = EFFORT.spent + _effort_until_one(self.evidence) * _length(course)
        tries = 0
        for edit in edits:
            if tries >= MOST_TRIES or EFFORT.over:
                break
            if self.best is None and EFFORT.spent >= until_one:
                break
            if edit is None:
                continue
            if self._waiting and edit.cost >= self._waiting[0].edit.cost + wait:
                self._look_ahead()
            if edit.cost >= self.bound:
                break
            if edits.is_in_vain(edit, alone=self.evidence.is_lone):
                continue
            if not self.evidence.may_leave_less(edit, self.bound):
                continue
            if proved and first.finding.span.line not in _touched(course, edit):
                continue
            EFFORT.spent += 1
            if self.evidence.may_be_so(edit):
                tries += 1
                self._try(edit, edits)
        self._look_ahead()
        if self.best is not None and self.doubt:
            self.best = self.best._replace(texts=self._others(self.best.edit))

    def _try(self, edit: Edit, edits: _Asked) -> None:
        """What is left after an edit, and whether that may follow from another mistake."""
        bound = self.bound
        may_be_cheaper = self._looks_ahead and edit.cost + _LEAST_COST < bound
        trial = _Trial(edit.written(), self.evidence, bound + _SLACK if may_be_cheaper else bound)
        outcome = trial.outcome()
        edits.tried(edit, trial)
        if outcome is not None and not EFFORT.over:  # else rules may have given up
            if may_be_cheaper and outcome.total > edit.cost:
                self._waiting.append(outcome)
            self._weigh(outcome)

    def _weigh(self, outcome: Outcome) -> None:
        if outcome.total < self.bound:
            self._totals.setdefault(outcome.edit.text, (outcome.total, outcome.edit))
            if self.best is None or outcome.total < self.best.total:
                self.best = outcome

    def _others(self, best: Edit) -> tuple[str, ...]:
        """The sentences of the edits about as good as the best that say anything else."""
        near = [edit for total, edit in self._totals.values() if total < self.bound]
        others = [edit for edit in near if edit.text != best.text]
        return tuple([edit.text for edit in others if not _says_no_more(edit, best)])

    def _look_ahead(self) -> None:
        """Looks at what is found next after the waiting edits, first those that leave least."""
        for outcome in sorted(self._waiting, key=lambda outcome: outcome.total):
            if EFFORT.over:
                break
            if outcome.edit.cost + _LEAST_COST < self.bound and len(self._left) < _MOST_AHEAD:
                self._weigh(self._looked_ahead(outcome))
        self._waiting.clear()

    def _looked_ahead(self, outcome: Outcome) -> Outcome:
        """The outcome of an edit with the least repair of what is found next after it."""
        course = outcome.course
        told = {*self.evidence.told, self.evidence.first.key}
        left = {fault.key for fault in course.found} - told
        if any(left >= other for other in self._left):
            return outcome
        self._left.append(left)
        _play_out(outcome)
        cost = outcome.edit.cost
        repair = self._repaired(course, self._untold(course), min(self.bound, outcome.total) - cost)
        return outcome if repair is None else outcome._replace(total=cost + repair.total)

    def explains_without(self, best: Outcome) -> bool:
        """Whether less is left where what was done stays as it is written, and is found.

        That the best edit leaves figures open speaks for neither.
        """
        course, first = self.evidence.course, self.evidence.first
        rest = [fault for fault in self._untold(course) if fault.contradicts]
        still = {fault.key for fault in best.course.found}
        price = self.evidence.price(best.edit, best.course, still)
        repair = self._repaired(course, rest, best.total - price - 1)
        return repair is not None and first.key in {fault.key for fault in repair.course.found}

    def _untold(self, course: Course) -> list[Found]:
        """What is found in a course besides the finding, and what was told before it."""
        told = {*self.evidence.told, self.evidence.first.key}
        return [fault for fault in course.found if fault.key not in told]

    def _repaired(self, course: Course, rest: Sequence[Found], most: float) -> Outcome | None:
        """The least repair of the first of the rest, if less than `most` is left after it."""
        if not rest:
            return None
        following = min(rest, key=lambda fault: fault.finding.span.line)
        if not _may_be_explained(course, following, rest):
            return None
        told = {*self.evidence.told, self.evidence.first.key, following.key}
        with EFFORT.at_most((EFFORT.limit - EFFORT.spent) // _SHARE_AHEAD):
            return _least_repair(course, following, told, most=most)


def _same_place(fault: Found) -> Key:
    """The action that a finding is about, and its code, whatever else is said of it."""
    return (fault.finding.span, fault.finding.code)


def _says_the_same(fault: Found, other: Found) -> bool:
    """Whether two findings are the same but for their place."""
    one, another = fault.finding, other.finding
    return (one.code, one.message) == (another.code, another.message)


class _Trial:
    """An edit that is tried: the hand is refereed again after it, until it is not worth it.

    `moved` is by how many places it moves later lines, `shown` the index of the line at which the
    finding showed then. `rest` is what is left after it; from `horizon` on, another mistake counts
    that the edit has nothing to do with. `is_in_vain`: the finding is still there; `brings_more`:
    something is found that was not found before.
    """

    def __init__(self, edit: Edit, evidence: _Evidence, bound: float) -> None:
        self.edit, self.evidence, self.bound = edit, evidence, bound
        self.first, before = evidence.first, evidence.course
        self.course = before.edited(edit)
        self.moved = len(edit.lines) - (edit.stop - edit.start)
        self.shown = self.first.at + self.moved
        self.rest: list[Found] = []
        self.horizon, self.is_in_vain, self.brings_more = ALL, False, False
        self._ends = len(before.lines)
        self._replaced = before.lines[edit.start : edit.stop]
        self._touched = _touched(before, edit)
        self._moved_to = {line.number for line in edit.lines} - {self.first.finding.span.line}

    def outcome(self) -> Outcome | None:
        """What is left after the edit, where that is less than the bound."""
        edit, evidence = self.edit, self.evidence
        is_through = self.course.play(edit.start, self._stops, self.shown + AHEAD)
        if not is_through and self.horizon == ALL:
            return None
        # To another mistake's consequences the course did not come: they count as if still found.
        beyond = [fault for fault in evidence.near if fault.at + self.moved >= self.horizon]
        self.rest += [fault for fault in beyond if fault.key not in evidence.conduct]
        still = {fault.key for fault in (*self.course.found, *beyond)}
        if evidence.excuses_too_much(edit, still) or evidence.is_only_opened(edit, self.course):
            return None
        total = self._least() + evidence.price(edit, self.course, still)
        total += _OPEN * evidence.left_open(self.course, still)
        if total >= self.bound:
            return None
        is_whole = self.first.is_figure or edit.begin is not None or not evidence.is_lone
        explains_others = is_whole or any(key not in still for key in evidence.conduct)
        return Outcome(total, edit, self.course, explains_others)

    def _least(self) -> float:
        """What the edit costs with what is left so far."""
        return self.edit.cost + self.evidence.weigh(self.rest, self.moved, self._touched)

    def _stops(self, fault: Found) -> bool:
        """Whether something that is found after the edit ends the trial; else it may be left."""
        evidence, first = self.evidence, self.first
        self.is_in_vain = fault.key == first.key
        if self.is_in_vain or self._is_moved(fault):
            return True
        is_told = fault.key in evidence.told or fault.key in evidence.conduct
        if is_told or self._follows_from_another(fault):
            return False
        is_new = fault.key not in evidence.keys
        if is_new and self._is_put_there(fault):
            return True
        if is_new and fault.at > self.shown and self._is_another(fault):
            self.horizon = fault.at
            return True
        self.brings_more = self.brings_more or is_new
        # What explains figures makes nothing else wrong.
        if is_new and first.is_figure and not self._is_dealt_wrongly():
            return True
        self.rest.append(fault)
        if fault.at <= self.shown < self._ends and not self._is_of_a_later_deal(fault):
            return True
        return self._least() >= self.bound

    def _is_moved(self, fault: Found) -> bool:
        """Whether the finding is still there, in a line that the edit put in its place."""
        return fault.finding.span.line in self._moved_to and _says_the_same(fault, self.first)

    def _is_put_there(self, fault: Found) -> bool:
        """Whether a finding is about an action that the edit puts on a line besides its own."""
        span = fault.finding.span
        before = {line.number: actions_of(line) for line in self._replaced}
        for line in self.edit.lines:
            done, old = actions_of(line), before.get(line.number, ())
            if line.number == span.line and len(done) > len(old) > 0:
                added = [at for at, action in enumerate(done) if action not in old]
                return span.column in [action_columns(line.text, at)[0] for at in added]
        return False

    def _follows_from_another(self, fault: Found) -> bool:
        """Whether a finding may follow from another mistake, which the edit leaves.

        A figure that was right may be wrong because of that, but not one that the edit writes, and
        how many cards the stock has, and which, because of another deal.
        """
        if self._is_of_all_deals(fault):
            return self._is_of_wrong_deals(fault)
        if not fault.is_figure or fault.figure in self.evidence.figures or self._writes(fault):
            return False
        left = self.course.found
        return any(other.contradicts and other.key in self.evidence.keys for other in left)

    def _writes(self, fault: Found) -> bool:
        """Whether the edit says what is on the line that a finding is about."""
        old = [line.event for line in self.evidence.course.lines[self.edit.start : self.edit.stop]]
        number = fault.finding.span.line
        written = [line.event for line in self.edit.lines if line.number == number]
        return any(event not in old for event in written)

    def _is_of_all_deals(self, fault: Found) -> bool:
        """Whether a finding is about the deck or the stock, which depend on each deal."""
        if fault.finding.code == "setup.deck":
            return fault.key not in self.evidence.keys
        is_there = _same_place(fault) in self.evidence.wrong_places
        return fault.finding.code == "log.copies" and is_there and fault.at == self.shown

    def _is_of_wrong_deals(self, fault: Found) -> bool:
        """Whether wrong deals are left that may be why, with all cards that are too many."""
        wrong = self._wrong_deals()
        if fault.finding.code != "log.copies":
            return bool(wrong)
        surplus = named_too_often(self.course)
        for deal in wrong:
            surplus -= Counter(deal.cards)
        return bool(wrong) and not surplus

    def _wrong_deals(self) -> list[events.Deal]:
        """The deals that are found wrong after the edit."""
        found = [fault.finding for fault in self.course.found if fault.finding.code == "setup.deal"]
        numbers = {finding.span.line for finding in found}
        deals = [line.event for line in self.course.lines if line.number in numbers]
        return [deal for deal in deals if isinstance(deal, events.Deal)]

    def _has_wrong_deal(self) -> bool:
        return any(other.finding.code == "setup.deal" for other in self.course.found)

    def _is_dealt_wrongly(self) -> bool:
        """Whether another deal is wrong, too, if the finding is about one."""
        return self.first.finding.code == "setup.deal" and self._has_wrong_deal()

    def _is_another(self, fault: Found) -> bool:
        """Whether a finding is a mistake of its own to which the course did not come before.

        Its line proves it, or the hand was over there.
        """
        was_played = not self.evidence.course.is_over(fault.at - self.moved)
        return self.course.proves(fault) or (fault.is_conduct and not was_played)

    def _is_of_a_later_deal(self, fault: Found) -> bool:
        """Whether a finding was there before, of a later deal: all deals show at one line."""
        if self.first.finding.code != "setup.deal" or fault.key not in self.evidence.keys:
            return False
        is_later = fault.finding.span.line > self.first.finding.span.line
        return fault.at == self.shown and is_later
