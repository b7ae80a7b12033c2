"""From the tables of a sheet to a log, each line with its place in the sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from meldref.core.events import (
    Adjust,
    Event,
    HandEnd,
    HandStart,
    Header,
    Points,
    Result,
    Void,
)
from meldref.notation.writer import write_event
from meldref_intake.sheets.cells import Amount, Cell, Kind, Row, amount, day, plain, round_number
from meldref_intake.sheets.labels import (
    WINNER,
    Role,
    Sum,
    says_annulled,
    summary_of,
    without_annulment,
)
from meldref_intake.sheets.leftovers import left_over
from meldref_intake.sheets.paging import Page
from meldref_intake.sheets.sums import is_annulled, is_running, sort_out
from meldref_intake.sheets.tables import Entry, Table
from meldref_intake.source import NOBODY, Doubt, Intake, LogLine, Place, in_row

_LONGEST_NOTE: Final = 2_000
_NOT_IN_NAMES: Final = re.compile(r'["\x00-\x1f\x7f\ud800-\udfff]')
_MARKED: Final = re.compile(r"\s*(?:\((?:d|dealer|g|geber)\)|[*†])$", re.IGNORECASE)
"""What says beside a name who deals."""
_NOT_SEEN: Final = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_NOT_IN_NOTES: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")
_WINNER: Final = re.compile(
    rf"(?:.*\b(?:{WINNER})(?: is)?|won by|result)\s*[:=-]?\s+(?P<after>\S.*)"
    r"|(?:.*:\s*)?(?P<before>\S.*?)\s+(?:wins?|won|gewinnt|gewann|hat gewonnen)"
    r"(?:[\s,;(-]+(?:with|by|mit|the|das|den|this|tonight|overall|again|\d).*)?[\s!.]*",
    re.IGNORECASE,
)
_AROUND: Final = re.compile(r"^[\W_]+|[^\w)]+$|_+$")
_OF_ALL: Final = re.compile(r"grand|overall|season|all|gesamt", re.IGNORECASE)
"""What totals over several games are called."""
_STOCK: Final = frozenset(["stock", "nobody", "none", "no-one", "deck", "draw", "out-of-cards"])
_NUMBERED_NOTE: Final = re.compile(r"(?P<label>\D*\d{1,3})[.:)]?\s+(?P<said>\D.*)")
_FIVES: Final = 8
"""From so many scores on, all multiples of five show which game is played."""

RULES: Final = "500-rummy"


class Sheet:
    """A log that is written from tables: lines, doubts and notes so far."""

    def __init__(self, readings: Sequence[str], rules: str | None) -> None:
        self.lines: list[LogLine] = []
        self.doubts: list[Doubt] = []
        self.notes: list[Doubt] = []
        self.fair: set[int] = set()
        self.readings = frozenset(readings)
        self.rules = rules or RULES
        self.scored = self.games = 0
        self.all_fives = True

    def intake(self) -> Intake:
        """What came of the sheet."""
        if not self.lines[-1].text:
            self.lines.pop()
        if self.rules == RULES and self.scored >= _FIVES and self.all_fives:
            self.note(
                Place(), "all scores are multiples of five: --with values-5-10-15 may be your game"
            )
        return Intake(self.lines, self.doubts, self.notes, True, frozenset(self.fair))

    def line(
        self, event: Event, place: Place, by_player: Mapping[str, Place] | None = None
    ) -> None:
        """Writes a line of the log."""
        self.lines.append(LogLine(write_event(event), place, by_player or NOBODY))

    def count(self, scores: Iterable[int | None]) -> None:
        """Notes scores of hands, which show by which values of cards they came about."""
        for score in scores:
            if score:
                self.scored += 1
                self.all_fives = self.all_fives and not score % 5

    def remark(self, text: str, place: Place) -> None:
        """Keeps a text as a comment."""
        text = _NOT_IN_NOTES.sub(" ", text)
        for begin in range(0, len(text), _LONGEST_NOTE):
            self.lines.append(LogLine(f"# {text[begin : begin + _LONGEST_NOTE]}", place))

    def doubt(self, place: Place, text: str, option: str = "") -> None:
        """Something is not certain: it is said, and stands in the log as a comment."""
        self.doubts.append(Doubt(place, text, option))
        self.remark(f"{text}{f' ({option} reads it so)' if option else ''}", place)

    def note(self, place: Place, text: str) -> None:
        """Something was read in another form than it is written in the log."""
        self.notes.append(Doubt(place, text))


class _Game:
    """A table that becomes a game of the log, a page after the other."""

    def __init__(self, sheet: Sheet, table: Table) -> None:
        self.sheet, self.table = sheet, table
        self.players = _players(sheet, table.names)
        self.by_spelling = {
            spelled.lower(): name
            for written, name in self.players.items()
            for spelled in (written, name)
        }
        self.totals = dict.fromkeys(self.players.values(), 0)
        self.unknown: set[str] = set()
        self.amounts: dict[int, dict[str, Amount]] = {}
        self.running = False
        self.hand = 0
        self.counted_from = 1
        self.results: list[tuple[list[str], Place]] = []
        self.date = ""
        self.date_asked = False

    def begin(self) -> None:
        """Writes the headers and the first page."""
        self.sheet.games += 1
        sort_out(self.table)
        self._read_cells()
        self._decide_running()
        self._headers()
        self._write_rows()

    def go_on(self, page: Table) -> None:
        """Writes another page."""
        self.table = page
        self._read_cells()
        self._write_rows()

    def _write_rows(self) -> None:
        notes: dict[int, list[Cell]] = {}
        for at, cell in self.table.notes:
            notes.setdefault(min(at, len(self.table.entries)), []).append(cell)
        for at, entry in enumerate(self.table.entries):
            for cell in notes.get(at, ()):
                self._note(cell)
            self._entry(at, entry)
        for cell in notes.get(len(self.table.entries), ()):
            self._note(cell)
        for cell in self.table.no_players:
            what = f"`{cell.text}` has no total, as players have: its numbers are no scores"
            self.sheet.doubt(cell.place, what)
        for cell in self.table.unheaded.values():
            what = f"`{cell.text}` stands in a column without a name: its numbers are no scores"
            self.sheet.doubt(cell.place, what)
        for cell in self.table.strange:
            self.sheet.doubt(cell.place, f"`{cell.text}` is a score of nobody that is named")

    def end(self) -> None:
        """Writes who won, as far as the sheet says it."""
        self._write_results()
        self.sheet.lines.append(LogLine("", Place()))

    def _read_cells(self) -> None:
        self.amounts = {}
        for at, entry in enumerate(self.table.entries):
            self.amounts[at] = {name: amount(cell) for name, cell in entry.scores.items()}

    def _decide_running(self) -> None:
        readings = self.sheet.readings
        self.running, certain = is_running(self.table, self.amounts)
        place = self.table.entries[0].place
        if readings & {"totals", "scores"}:
            self.running = "totals" in readings
        elif not certain:
            read, other = ("running totals", "scores") if self.running else ("scores", "totals")
            self.sheet.doubt(
                place,
                "are these scores of hands or running totals? They grow from row to row, and are "
                f"read as {read}",
                f"--sheet {other}",
            )

    def _headers(self) -> None:
        first = next(iter(self.table.names.values())).place
        sheet = self.sheet
        sheet.line(Header("Rules", sheet.rules), first)
        by_player = {self.players[name]: cell.place for name, cell in self.table.names.items()}
        sheet.line(Header("Players", ", ".join(self.players.values())), first, by_player)
        self.date, place = self._first_date()
        if self.date:
            sheet.line(Header("Date", self.date), place)
        sheet.lines.append(LogLine("", first))
        if self.table.unnamed:
            sheet.doubt(
                first, "whose are these columns? Nobody is named, so that they are P1, P2, …"
            )

    def _first_date(self) -> tuple[str, Place]:
        for entry in self.table.entries:
            cell = entry.aside.get(Role.DATE)
            found = None if cell is None else day(cell.text)
            if cell is not None and found is not None:
                return found.iso, cell.place
        for _, cell in self.table.notes:
            for part in re.split(r"[,;:|()]|\s[-\u2013\u2014]\s|\son\s", cell.text):
                found = day(part.strip("#*_[] "))
                if found is not None and found.iso:
                    return found.iso, cell.place
            words = cell.text.split()
            for size, begin in product((4, 3, 2, 1), range(len(words))):
                found = day(" ".join(words[begin : begin + size]).strip(",;:()."))
                if found is not None and found.iso:
                    return found.iso, cell.place
        return "", Place()

    def _note(self, cell: Cell) -> None:
        numbered = _NUMBERED_NOTE.fullmatch(cell.text)
        is_next = numbered is not None and round_number(numbered["label"]) == self._next
        if numbered and is_next and says_annulled(numbered["said"]):
            self._void(cell.place, numbered["said"].strip("()[] "))
            return
        winners = self._winners_in(cell.text)
        if winners:
            self.results.append((winners, cell.place))
        elif self._tells_scores(cell.text):
            what = f"`{cell.text}` is not understood, and left out of the scores"
            self.sheet.doubt(cell.place, what)
            return
        self.sheet.remark(cell.text.lstrip("# "), cell.place)

    def _tells_scores(self, text: str) -> bool:
        """Whether a text looks as if it told scores: of a hand, or of somebody who plays."""
        label, colon, told = text.partition(":")
        if colon and round_number(label) is not None and any(map(str.isdigit, told)):
            return True
        names = "|".join(map(re.escape, self.by_spelling))
        return re.search(rf"(?i)(?<!\w)(?:{names})[\s:=(]+[-+\u2212]?\d", text) is not None

    def _winners_in(self, text: str) -> list[str]:
        match = _WINNER.fullmatch(_AROUND.sub("", plain(text)))
        if match is None:
            return []
        told = match["after"] or match["before"]
        parts = re.split(r"\s*(?:,|&|\band\b|\bund\b)\s*", re.sub(r"\s*[(\d].*$", "", told))
        found = [self._player(part) for part in parts if part]
        return [name for name in found if name] if all(found) else []

    def _player(self, text: str) -> str:
        """The player whose name a text is, or begins; none where it is nobody's alone."""
        wanted = plain(text).strip("*. ").lower()
        if not wanted:
            return ""
        if wanted in self.by_spelling:
            return self.by_spelling[wanted]
        begun = {name for spelled, name in self.by_spelling.items() if spelled.startswith(wanted)}
        return begun.pop() if len(begun) == 1 else ""

    # --- rows ---

    def _entry(self, at: int, entry: Entry) -> None:
        if entry.sums is Sum.WINNER:
            self._winner_row(entry)
        elif entry.sums in {Sum.TOTAL, Sum.SUBTOTAL}:
            self._sum_row(at, entry)
        elif entry.sums is Sum.ADJUSTED:
            self._adjusted_row(at, entry)
        elif entry.sums is not None:
            self._aside_row(at, entry)
        else:
            self._hand(at, entry)

    def _winner_row(self, entry: Entry) -> None:
        cells = [cell for cell in (*entry.scores.values(), *entry.remarks) if cell.text]
        marked = [
            self.players[name]
            for name, cell in entry.scores.items()
            if cell.text and not self._player(cell.text)
        ]
        named = [name for cell in cells if (name := self._player(cell.text))]
        winners = named or marked
        if winners:
            self.results.append((list(dict.fromkeys(winners)), entry.place))
        self.sheet.remark(" ".join([entry.label, *[cell.text for cell in cells]]), entry.place)

    def _aside_row(self, at: int, entry: Entry) -> None:
        if entry.sums is Sum.PAID:
            paid = [(name, a.score) for name, a in self._named(at) if a.score is not None]
            if paid and self.hand:
                self.sheet.line(Points("chips", tuple(paid)), entry.place, self._places(entry))
                return
        if summary_of(entry.label) is None:
            what = f"`{entry.label}` is no hand: the row is left out of the scores"
            self.sheet.doubt(entry.place, what)
        self.sheet.remark(_joined(entry), entry.place)

    def _adjusted_row(self, at: int, entry: Entry) -> None:
        """Points beside those of hands; above the hands they are what players begin with."""
        if not self.hand:
            self._sum_row(at, entry)
            return
        for name, found in self._named(at):
            if found.kind == "unread":
                self.sheet.doubt(
                    entry.place, found.doubt or f"`{entry.label}` of {name} is not known"
                )
            elif found.score:
                self._adjust(name, found.score, entry.label.lower(), entry.place)
        self._remarks(entry)

    def _adjust(self, name: str, points: int, why: str, place: Place) -> None:
        self.sheet.line(Adjust(name, points, _NOT_IN_NAMES.sub(" ", why)), place)
        self.totals[name] += points

    def _sum_row(self, at: int, entry: Entry) -> None:
        figures = []
        for written, found in self.amounts[at].items():
            name = self.players[written]
            score = found.standing if found.standing is not None else found.score
            if found.kind == "unread":
                self.sheet.doubt(entry.place, found.doubt or f"the total of {name} cannot be read")
            elif score is not None:
                figures.append((name, score))
        if self.sheet.games > 1 and _OF_ALL.match(plain(entry.label)):
            self.sheet.remark(_joined(entry), entry.place)
        elif figures and self.hand:
            self.sheet.line(Points("total", tuple(figures)), entry.place, self._places(entry))
            for name, total in figures:
                if name in self.unknown:
                    self.totals[name] = total
                    self.unknown.discard(name)
        elif figures:
            self._hand_of_totals(entry, figures)
        self._remarks(entry)

    def _hand_of_totals(self, entry: Entry, figures: Sequence[tuple[str, int]]) -> None:
        """Totals of hands that the sheet does not have: the first one that it has is the second."""
        if not any(total for _, total in figures):
            self.sheet.remark(_joined(entry), entry.place)
            return
        numbers = [_number_of(other) for other in self.table.entries if other.sums is None]
        first = numbers[0] if numbers else None
        self.hand, self.counted_from = (first - 1, 1) if first and first > 1 else (1, 0)
        self.totals |= dict(figures)
        self.sheet.line(HandStart(self.hand), entry.place)
        self.sheet.line(Points("total", tuple(figures)), entry.place, self._places(entry))

    def _named(self, at: int) -> Iterator[tuple[str, Amount]]:
        for name, found in self.amounts[at].items():
            yield self.players[name], found

    def _places(self, entry: Entry, *, standings: bool = False) -> Mapping[str, Place]:
        cells = entry.standings if standings and entry.standings else entry.scores
        places = {self.players[name]: cell.place for name, cell in cells.items()}
        return in_row(entry.place, places)

    def _hand(self, at: int, entry: Entry) -> None:
        amounts = self.amounts[at]
        kinds = {found.kind for found in amounts.values()}
        beside = {
            name: found.score
            for name, cell in entry.standings.items()
            if name in self.players and (found := amount(cell)).score is not None
        }
        if not kinds & {"score", "unread"} and not beside:
            what = "is empty" if kinds == {"blank"} else "was not played by anybody"
            self.sheet.remark(f"row {entry.label or entry.place.line} {what}", entry.place)
            self._remarks(entry)
            annulled = is_annulled(entry, self.table)
            if self._is_next(at) and (annulled or kinds != {"blank"}):
                self._void(entry.place, "annulled" if annulled else "not played")
            return
        if is_annulled(entry, self.table):
            self._annulled(at, entry)
            return
        if entry.label == "0" and not self.hand and not any(f.score for f in amounts.values()):
            self.sheet.remark(f"row 0: {_joined(entry)}", entry.place)
            return
        self._begin_hand(entry)
        for name, found in amounts.items():
            place = entry.scores[name].place
            if found.doubt:
                self.sheet.doubt(place, f"{found.doubt}: it is left open")
            elif found.note:
                self.sheet.note(place, found.note)
        self._remarks(entry)
        self._out(entry)
        scores, absent, totals = self._figures(entry, amounts, beside)
        self.sheet.count([score for _, score in scores])
        self.sheet.line(
            Points("score", tuple(scores), tuple(absent)), entry.place, self._places(entry)
        )
        if totals:
            places = self._places(entry, standings=True)
            self.sheet.line(Points("total", tuple(totals.items())), entry.place, places)
        self._bonus(entry)

    @property
    def _next(self) -> int:
        """The number that the sheet gives the hand after the last one."""
        return self.hand + self.counted_from

    def _is_next(self, at: int) -> bool:
        """Whether a row is that of the next hand: by its number, or by that of the row after it."""
        number, following = self._number_at(at), self._number_at(at + 1)
        if number is None:
            return bool(self.hand) and following == self._next + 1
        return bool(self.hand) and number == self._next != following

    def _number_at(self, at: int) -> int | None:
        """The number of the hand of a row, annulled or not."""
        if at >= len(self.table.entries):
            return None
        return round_number(without_annulment(self.table.entries[at].label))

    def _annulled(self, at: int, entry: Entry) -> None:
        """A hand that does not count: its number is free for the next row, if that has it too."""
        self.sheet.doubt(entry.place, f"this row is annulled, and does not count: {_joined(entry)}")
        if self._is_next(at):
            self._void(entry.place, "annulled")

    def _void(self, place: Place, why: str) -> None:
        """A hand that was annulled."""
        self.hand += 1
        self.sheet.line(HandStart(self.hand), place)
        self.sheet.line(Void(_NOT_IN_NAMES.sub(" ", why)), place)

    def _figures(
        self, entry: Entry, amounts: Mapping[str, Amount], beside: Mapping[str, int | None]
    ) -> tuple[list[tuple[str, int | None]], list[str], dict[str, int]]:
        """The scores of a hand, who did not play it, and the totals that are written after it."""
        scores: list[tuple[str, int | None]] = []
        absent: list[str] = []
        totals: dict[str, int] = {}
        for written, found in amounts.items():
            name = self.players[written]
            standing = found.standing if found.standing is not None else beside.get(written)
            score = found.score
            if self.running and found.kind == "score":
                standing = score
                score = None if name in self.unknown else (score or 0) - self.totals[name]
            kind = found.kind
            if kind in {"blank", "absent"} and standing is not None:
                kind, score = self._by_standing(name, kind, standing, entry.scores[written].text)
            if kind in {"blank", "absent"}:
                absent.append(name)
            else:
                scores.append((name, score))
            if standing is not None:
                totals[name] = standing
            self._carry(name, kind, score, standing)
        return scores, absent, totals

    def _by_standing(
        self, name: str, kind: Kind, standing: int, written: str
    ) -> tuple[Kind, int | None]:
        """What a hand brought of which only the standing after it is written."""
        if name in self.unknown:
            return "score", None
        grown = standing - self.totals[name]
        return ("score", grown) if grown and not written else (kind, None)

    def _carry(self, name: str, kind: str, score: int | None, standing: int | None) -> None:
        """What the sum so far is; in running totals and standings, as it is written."""
        if self.running and standing is not None:
            self.totals[name] = standing
            self.unknown.discard(name)
        elif kind not in {"blank", "absent"}:
            if score is None:
                self.unknown.add(name)
            else:
                self.totals[name] += score

    def _begin_hand(self, entry: Entry) -> None:
        cell = entry.aside.get(Role.ROUND) or entry.aside.get(Role.LABEL)
        written = _number_of(entry)
        if cell is not None and written is None and day(cell.text):
            self._dated(cell)
        if cell is not None and written is not None:
            found = day(cell.text)
            if found is not None and found.may_be_round and cell.text != str(written):
                written = self._date_or_round(cell, written)
        if written is not None:
            if written == self.hand == 0:  # rows that are counted from 0
                self.counted_from = 0
            written += 1 - self.counted_from
        number = self.hand + 1 if written is None or written <= self.hand else written
        if self.hand and number > self.hand + 1 and cell is not None:
            missing = "a hand is" if number == self.hand + 2 else "hands are"
            text = f"{missing} missing before hand {number}: totals are not checked from there on"
            self.sheet.doubt(cell.place, text)
        if written is not None and written <= self.hand and cell is not None and written:
            self.sheet.doubt(cell.place, f"hand {written} comes after hand {self.hand}")
        if cell is not None and written is None and not day(cell.text) and cell.text:
            self.sheet.remark(cell.text, cell.place)
        dealer = self._dealer(entry)
        date = entry.aside.get(Role.DATE)
        if date is not None and date is not cell:
            self._dated(date)
        self.hand = number
        self.sheet.line(HandStart(number, dealer or None), entry.place)

    def _date_or_round(self, cell: Cell, written: int) -> int | None:
        labels = [
            entry.aside.get(Role.ROUND) or entry.aside.get(Role.LABEL)
            for entry in self.table.entries
            if entry.sums is None
        ]
        texts = [plain(label.text) for label in labels if label is not None]
        if "rounds" in self.sheet.readings:
            return written
        ends = {text.partition("/")[2] for text in texts}
        begins = [text.partition("/")[0] for text in texts]
        counts = len(ends) == 1 and begins == [str(n) for n in range(1, len(begins) + 1)]
        if counts and "dates" not in self.sheet.readings:
            return written
        self._ask_date_or_round(cell)
        self._dated(cell)
        return None

    def _ask_date_or_round(self, cell: Cell) -> None:
        """Asks once about a cell that is read as a date, and may be the number of a round."""
        if self.date_asked or "dates" in self.sheet.readings:
            return
        self.date_asked = True
        question = f"is `{cell.text}` a date or a round? It is read as a date"
        self.sheet.doubt(cell.place, question, "--sheet rounds")

    def _dated(self, cell: Cell) -> None:
        found = day(cell.text)
        if found is None:
            self.sheet.remark(cell.text, cell.place)
        elif not found.iso or found.iso != self.date or ":" in cell.text:
            self.sheet.remark(f"date {cell.text}", cell.place)
            if found.may_be_round and not self.table.says_dates:
                self._ask_date_or_round(cell)

    def _dealer(self, entry: Entry) -> str:
        cell = entry.aside.get(Role.DEALER)
        if cell is None or amount(cell).kind == "blank":
            return ""
        name = self._player(cell.text)
        is_somebody = amount(cell).kind != "absent" or any(map(str.isalpha, cell.text))
        if not name and is_somebody:
            self.sheet.doubt(cell.place, f"the dealer `{cell.text}` is none of the players")
        return name

    def _out(self, entry: Entry) -> None:
        won = entry.aside.get(Role.WINNER)
        if won is not None and won.text:
            self.sheet.remark(f"won by {won.text}", won.place)
        cell = entry.aside.get(Role.OUT)
        if cell is None or not cell.text:
            return
        name = self._player(cell.text)
        if name:
            self.sheet.line(HandEnd("out", name), cell.place)
        elif "-".join(plain(cell.text).lower().split()) in _STOCK:
            self.sheet.line(HandEnd("stock"), cell.place)
        elif any(map(str.isalnum, cell.text)):
            self.sheet.remark(f"out: {cell.text}", cell.place)

    def _bonus(self, entry: Entry) -> None:
        for name, points in entry.bonus.items():
            self._adjust(self.players[name], points, "bonus", entry.place)

    def _remarks(self, entry: Entry) -> None:
        text = ", ".join(cell.text for cell in entry.remarks)
        if text:
            self.sheet.remark(text, entry.remarks[0].place)

    def _write_results(self) -> None:
        if not self.hand:
            return
        known = {name: total for name, total in self.totals.items() if name not in self.unknown}
        best = max(known.values(), default=0)
        leaders = {name for name, total in known.items() if total == best}
        for winners, place in self.results[-1:]:
            self.sheet.line(Result(tuple(winners)), place)
            if set(winners) == leaders:
                self.sheet.fair.add(len(self.sheet.lines))


def _number_of(entry: Entry) -> int | None:
    """The number that a row gives its hand."""
    cell = entry.aside.get(Role.ROUND) or entry.aside.get(Role.LABEL)
    return None if cell is None else round_number(cell.text)


def _joined(entry: Entry) -> str:
    cells = [*entry.scores.values(), *entry.remarks]
    return " ".join([entry.label, *[cell.text for cell in cells if cell.text]]).strip()


def _players(sheet: Sheet, names: Mapping[str, Cell]) -> dict[str, str]:
    """The names as a log can have them, by those that are written."""
    result: dict[str, str] = {}
    for written, cell in names.items():
        name = " ".join(_NOT_IN_NAMES.sub("'", _NOT_SEEN.sub("", written)).split())
        name = _MARKED.sub("", name) or name
        name = name.replace(", ", " ").replace(",", " ").replace("+", " & ").strip()
        while name.lower() in {other.lower() for other in result.values()}:
            name += "'"
        result[written] = name
        if name != cell.text and not (cell.text.startswith("'") and cell.text[1:] == name):
            sheet.note(cell.place, f"`{cell.text}` is written as {name}")
    return result


def write_pages(pages: Iterable[Page], readings: Sequence[str], rules: str | None) -> Intake | None:
    """The log that the tables of pages become, in which no number is left out; None without one."""
    sheet = Sheet(readings, rules)
    game: _Game | None = None
    without: list[Row] = []
    for page in pages:
        first = len(sheet.lines)
        for table in page.tables:
            if table.goes_on and game is not None:
                game.go_on(table)
                continue
            if game is not None:
                game.end()
            game = _Game(sheet, table)
            game.begin()
        if game is None:
            without += page.rows
            continue
        _name_left_over(sheet, [*without, *page.rows], first)
        without = []
    if game is None:
        return None
    game.end()
    return sheet.intake()


def _name_left_over(sheet: Sheet, rows: Sequence[Row], first: int) -> None:
    """Says which numbers of rows are in none of the lines from the first one on."""
    for cell in list(left_over(rows, sheet.lines[first:], [*sheet.doubts, *sheet.notes])):
        sheet.doubt(cell.place, f"`{cell.text}` is not understood, and left out of the scores")
