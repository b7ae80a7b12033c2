"""Score sheets as logs: what is read, where it stands, and what stays doubtful."""

from __future__ import annotations

import random
import re
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml

from meldref.notation.reader import read_lines
from meldref.replay.log import replay
from meldref_intake.sheets import Unreadable, read_sheet
from meldref_intake.source import kind_of

SHEETS = yaml.safe_load(Path(__file__).with_name("sheets.yaml").read_text(encoding="utf-8"))
PLAIN = SHEETS[0]["sheet"]


def log_of(sheet, **asked):
    """The lines of the log that a sheet becomes, blank ones left out."""
    data = sheet if isinstance(sheet, bytes) else sheet.encode()
    intake = read_sheet(data, **asked)
    assert intake is not None
    return [line.text for line in intake.lines if line.text]


@pytest.mark.parametrize("example", SHEETS, ids=lambda example: example["name"])
def test_each_form_becomes_the_log_that_it_tells(example):
    intake = read_sheet(example["sheet"].encode())
    lines = [line.text for line in intake.lines if line.text]
    head = ['[Rules "500-rummy"]', lines[lines.index('[Rules "500-rummy"]') + 1]]
    if "players" in example:
        assert head[1] == f'[Players "{example["players"]}"]'
    rest = [line for at, line in enumerate(lines) if at > lines.index(head[1]) or line not in head]
    assert rest == example["log"].splitlines()
    places = [f"{doubt.place.line}:{doubt.place.column}" for doubt in intake.doubts]
    assert places == example.get("doubts", [])


@pytest.mark.parametrize("example", SHEETS, ids=lambda example: example["name"])
def test_each_log_can_be_read(example):
    text = read_sheet(example["sheet"].encode()).text
    assert not [findings for _, findings in read_lines(text) if findings]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_every_encoding_is_read(encoding):
    sheet = "Runde;Jürgen;Zoë\n1;45;−20\n2;5;7\n".encode(encoding)
    assert "score Jürgen 45, Zoë -20" in log_of(sheet)


def test_windows_letters_are_read():
    assert "score Jürgen 45, Bob -20" in log_of("Runde;Jürgen;Bob\n1;45;–20\n".encode("cp1252"))


def test_other_readings_are_taken_where_they_are_asked_for():
    sheet = "Ann,Bob\n40,50\n95,130\n180,210\n260,300\n"
    assert "score Ann 95, Bob 130" in log_of(sheet, readings=["scores"])
    assert "score Ann 55, Bob 80" in log_of(sheet, readings=["totals"])
    assert "hand 12" in log_of(",Ann,Bob\n12/20,45,20\n", readings=["rounds"])
    with pytest.raises(Unreadable, match="the readings are scores, totals"):
        read_sheet(sheet.encode(), readings=["upwards"])


def test_findings_point_to_the_cell_in_the_sheet():
    intake = read_sheet(PLAIN.replace("Total,105,95", "Total,105,96").encode())
    report = replay(read_lines(intake.text), "evening.csv")
    intake.tell(report)
    (finding,) = report.findings
    assert (finding.code, finding.span.line, finding.span.column) == ("score.total", 4, 11)
    assert finding.excerpt == "Total,105,96,5"


def test_only_sums_and_winners_are_violations():
    sheet = "Round,Dealer,Ann,Bob\n1,Ann,300,10\n2,Ann,250,10\n3,Bob,10,10\nWinner,,Bob,\n"
    intake = read_sheet(sheet.encode())
    report = replay(read_lines(intake.text), "evening.csv")
    intake.tell(report)
    severities = {finding.code: str(finding.severity) for finding in report.findings}
    assert severities["game.winner"] == "error"
    assert severities["setup.dealer"] == severities["game.over"] == "warning"


def test_who_leads_may_be_declared_the_winner_before_the_target():
    intake = read_sheet((PLAIN + "Winner,Ann,,\n").encode())
    report = replay(read_lines(intake.text), "evening.csv")
    intake.tell(report)
    assert report.verdict == "clean"


def test_what_is_no_sheet_is_none():
    for text in ("", "Dear Ann,\nsee you on Friday at 8.\n", "a,b\n", '{"a": 1}', "[1, 2"):
        assert read_sheet(text.encode()) is None


def test_logs_are_told_from_sheets():
    assert kind_of('# mine\n[Rules "500-rummy"]\n') == "log"
    assert kind_of("score Ann 45, Bob -20\n") == "log"
    assert kind_of(PLAIN) == "sheet"
    assert kind_of('{"players": []}') == "events"


def test_a_workbook_is_read_by_the_values_that_are_saved():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["Round", "Ann", "Bob"], [1, 45, -20], [2, 60.0, None], ["Total", 105, -20]):
        book.active.append(row)
    stream = BytesIO()
    book.save(stream)
    assert log_of(stream.getvalue())[2:] == [
        "hand 1",
        "score Ann 45, Bob -20",
        "hand 2",
        "score Ann 60, Bob -",
        "total Ann 105, Bob -20",
    ]


def _packed(name, content):
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def _ods(content):
    return _packed("content.xml", content)


_ODS = (
    '<d xmlns:t="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><t:table>'
    "<t:table-row><t:table-cell/><t:table-cell><p>Ann</p></t:table-cell>"
    "<t:table-cell><p>Bob</p></t:table-cell></t:table-row>"
    '<t:table-row><t:table-cell o:value="1"/>'
    '<t:table-cell o:value="45" t:number-columns-repeated="2"/></t:table-row></t:table></d>'
)


def test_an_ods_workbook_is_read_and_entities_in_it_are_refused():
    pytest.importorskip("defusedxml")
    assert log_of(_ods(_ODS))[2:] == ["hand 1", "score Ann 45, Bob 45"]
    with pytest.raises(Unreadable, match="damaged"):
        read_sheet(_ods('<!DOCTYPE d [<!ENTITY a "b">]>' + _ODS.replace("Ann", "&a;")))
    with pytest.raises(Unreadable, match="neither"):
        read_sheet(_packed("other", "x"))


def _mutated(text, dice):
    """A sheet with some signs changed, and the numbers that are in it."""
    letters = list(text)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(letters))
        match dice.randrange(5):
            case 0:
                letters[at] = dice.choice('",;|\t x?-()0759\n.é"')
            case 1:
                letters.insert(at, dice.choice("\n ,;-5\"'|#"))
            case 2:
                del letters[at]
            case 3:
                lines = "".join(letters).split("\n")
                lines.insert(dice.randrange(len(lines)), dice.choice(lines))
                letters = list("\n".join(lines))
            case _:
                letters[at : at + 3] = reversed(letters[at : at + 3])
    return "".join(letters)


def _another_sheet(text, dice):
    """A sheet as somebody else has it: columns swapped, rows doubled, cells merged, and the like."""
    rows = [line.split(",") for line in text.split("\n")]
    at = dice.randrange(len(rows))
    match dice.randrange(7):
        case 0:
            first, second = dice.randrange(4), dice.randrange(4)
            for row in rows:
                if len(row) > max(first, second):
                    row[first], row[second] = row[second], row[first]
        case 1:
            rows.insert(at, list(rows[at]))
        case 2:
            rows[at][:2] = [" ".join(rows[at][:2])]
        case 3:
            rows[at] = [f'"{cell},50"' if cell.isdigit() else cell for cell in rows[at]]
        case 4:
            rows.insert(at, list(rows[0]))
        case 5:
            rows += [[], [f"* {dice.randrange(100)} points were forgotten in hand {at}"]]
        case _:
            other = dice.choice([["", "Uwe", "Ria"], ["Hand", "Uwe", "Ria"]])
            beside = [other, *[[str(n), str(10 * n), str(99 - n)] for n in range(1, len(rows))]]
            rows = [[*row, "", *more] for row, more in zip(rows, beside, strict=True)]
    return "\n".join(",".join(row) for row in rows)


def _numbers(text):
    """The digits of a text that stand together, without zeros before them."""
    return {found.lstrip("0") for found in re.findall(r"\d+", text) if len(found) < 9}


def _is_kept(number, kept):
    """Whether a number is there, or a larger one that was written in groups of three digits."""
    whole = (other for other in kept if len(other) > 3)
    return number in kept or any(
        other.startswith(number) or other.endswith(number) for other in whole
    )


@pytest.mark.parametrize(
    "text",
    [
        "Deal   Ann   Bob\n1       45    20\n2       60   -10\n",
        "Up to 500\nHand,Ann,Bob\n1,45,20\n2,60,-10\nEnd of the evening\n",
    ],
)
def test_words_that_open_lines_of_logs_may_stand_in_sheets(text):
    assert kind_of(text, "evening.txt") == "sheet"
    assert "score Ann 60, Bob -10" in log_of(text)


@pytest.mark.parametrize(
    "line", ["deal Ann 5h 6h", "deal Ann: 5♥ 10♠", "up 6c", "end out Ann", "End stock", "up ?"]
)
def test_lines_that_only_logs_have_show_a_log(line):
    assert kind_of(f"hand 1\n{line}\n", "evening.txt") == "log"


def _long_sheet(rows, *, running):
    """A sheet of so many rows, a remark among them, and its totals below."""
    dice = random.Random(rows)
    totals, lines = [0, 0], ["Hand,Lindqvist Per,Bob"]
    for number in range(1, rows + 1):
        scores = [dice.randint(-50, 150) for _ in totals]
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
        lines.append(f"{number},{','.join(map(str, totals if running else scores))}")
    lines.insert(rows // 2, "Bob spilled the tea,,")
    return "\n".join([*lines, f"Total,{totals[0]},{totals[1]}"]) + "\n", totals


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("rows", [1_990, 4_003, 6_001])
def test_a_long_sheet_is_read_by_the_page_and_is_one_game(rows, running):
    text, totals = _long_sheet(rows, running=running)
    intake = read_sheet(text.encode(), ["totals" if running else "scores"])
    lines = [line.text for line in intake.lines]
    assert intake.doubts == []
    assert sum(line.startswith("hand ") for line in lines) == rows
    assert lines.count("# Bob spilled the tea") == 1
    assert lines[-1] == f'total "Lindqvist Per" {totals[0]}, Bob {totals[1]}'
    at = lines.index("hand 1234") + 2
    assert intake.place(at, "Bob").line == 1235 + (rows // 2 <= 1234)
    scores = [re.findall(r"-?\d+", line) for line in lines if line.startswith("score ")]
    assert [sum(map(int, column)) for column in zip(*scores, strict=True)] == totals


def test_a_long_sheet_may_repeat_its_head_wherever_a_page_of_paper_ends():
    text, _ = _long_sheet(4_100, running=False)
    head, *lines = text.splitlines()
    printed = [line for at, line in enumerate(lines) for line in ([head] * (at % 50 == 0) + [line])]
    intake = read_sheet("\n".join(printed).encode())
    assert sum(line.text.startswith("[Players") for line in intake.lines) == 1
    assert sum(line.text.startswith("hand ") for line in intake.lines) == 4_100


def test_a_long_sheet_may_have_another_table_below_the_first():
    first, _ = _long_sheet(4_500, running=False)
    intake = read_sheet((first + "\nAnn,Kit\n45,20\n60,-10\n").encode())
    lines = [line.text for line in intake.lines]
    assert lines[-2:] == ["hand 2", "score Ann 60, Kit -10"]
    assert sum(line.startswith("[Players") for line in lines) == 2


@pytest.mark.parametrize("seed", range(20))
def test_no_number_of_a_changed_sheet_is_lost_without_a_word(seed):
    dice = random.Random(seed)
    for _ in range(100):
        text = dice.choice(SHEETS)["sheet"]
        text = dice.choice([_mutated, _another_sheet])(text, dice)
        intake = read_sheet(text.encode())
        if intake is None:
            continue
        assert not [findings for _, findings in read_lines(intake.text) if findings], text
        said = intake.text + " ".join(d.text for d in (*intake.doubts, *intake.notes))
        kept = _numbers(said) | _sums_of(intake)
        lost = {n for n in _numbers(text) if len(n) > 1 and not _is_kept(n, kept)}
        assert lost == set(), f"{text}\n---\n{said}"


def _sums_of(intake):
    """The numbers that stand in the rows of lines that were read, of which scores are differences."""
    return _numbers(" ".join(line.place.excerpt for line in intake.lines if "total" in line.text))
