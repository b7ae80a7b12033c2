"""Tables of logs that others made: what they cost, what is written of them, and what is said of damage."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from archives import by_log, csv_rows, in_this_process, rows
from cli_logs import BAD, LOG
from meldref_archive import rows as tables
from meldref_archive import sources
from meldref_cli import archiving
from processes import measured

TOO_DENSE = "it unpacks to more than 30 times its size, which no log does"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(archiving, "on_this_machine", in_this_process)


def jsonl(*given):
    """A table of rows, each an object or a line as it is."""
    Path("t.jsonl").write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in given)
    )
    return "t.jsonl"


def strictly(text):
    """JSON as its standard has it."""

    def refuse(word):
        raise ValueError(word)

    return json.loads(text, parse_constant=refuse)


# --- what is passed through -----------------------------------------------------------------------


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_no_number_is_infinite_and_none_is_lost(meldref, form):
    if form == "parquet":
        pytest.importorskip("pyarrow")
    numbers = ["1e999", "-1E+400", "[1e999]", '{"a": [-1e999, 1]}', "1" + "0" * 400, "1e308"]
    given = ", ".join(f'"n{number}": {text}' for number, text in enumerate(numbers))
    jsonl(f'{{"log": "", {given}}}', '{"log": "", "n0": NaN}', '{"log": "", "n0": -Infinity}')
    assert meldref("audit", "t.jsonl", "--into", "out", "--as", form).code == 2
    strictly(Path("out/run.json").read_text())
    if form == "jsonl":
        first = strictly(Path("out/logs.jsonl").read_text().splitlines()[0])
        assert [first[f"n{number}"] for number in range(6)] == [
            "1e999",
            "-1E+400",
            '["1e999"]',
            '{"a": ["-1e999", 1]}',
            "1" + "0" * 400,
            1e308,
        ]


@pytest.mark.parametrize("depth", [50, 300, 900, 950, 990, 2_000, 100_000])
@pytest.mark.parametrize("parts", ["[]", "{}"])
def test_what_is_nested_deeply_is_passed_through_or_said_to_be(meldref, depth, parts):
    inside = "[" * depth + "]" * depth if parts == "[]" else '{"a":' * depth + "1" + "}" * depth
    jsonl(f'{{"log": {json.dumps(LOG)}, "deep": {inside}}}', {"log": BAD})
    ran = meldref("audit", "t.jsonl", "--into", "out")
    assert ran.code in {1, 2}
    first, second = rows("out")
    assert first["verdict"] == "clean" or "nested too deeply" in first["message"]
    assert second["verdict"] == "violations"


def test_columns_that_hardly_any_row_has_share_one_where_they_would_fill_the_disk(meldref):
    given = [{"log": "x", f"c{number}": number, "site": 1} for number in range(600)]
    size = Path(jsonl(*given)).stat().st_size
    meldref("audit", "t.jsonl", "--into", "out")
    assert sum(path.stat().st_size for path in Path("out").iterdir()) < 100 * size
    found = rows("out")
    assert len(found) == 600
    for number, row in enumerate(found):
        shared = json.loads(row["given"]) if row["given"] else {}
        assert row["site"] == 1
        assert {**row, **shared}[f"c{number}"] == number


def test_a_long_name_of_a_column_is_not_repeated_in_every_row(meldref):
    jsonl({"log": "", "k" * 100_000: 1}, {"log": "", "given": "theirs"}, *[{"log": ""}] * 500)
    meldref("audit", "t.jsonl", "--into", "out")
    assert Path("out/logs.jsonl").stat().st_size < 1_000_000
    found = rows("out")
    assert json.loads(found[0]["given_given"]) == {"k" * 100_000: 1}
    assert found[1]["given"] == "theirs"


@pytest.mark.parametrize("many", [10, 1_000])
def test_a_column_that_few_rows_have_is_a_column(meldref, many):
    """As long as it costs next to nothing."""
    jsonl(*[{"log": "", "note": "late"} if number == 5 else {"log": ""} for number in range(many)])
    meldref("audit", "t.jsonl", "--into", "out")
    assert [row["note"] for row in rows("out")] == [None] * 5 + ["late"] + [None] * (many - 6)


# --- CSV ------------------------------------------------------------------------------------------

SIGNS = "=+-@＝＋－＠"
HARMLESS = ["-5", "-", "+4.5", "a=b", "x-1", "", "a, b", 'he said "no"', "ä", " plain", "1+1"]


@pytest.mark.parametrize(
    "before", ["", " ", "\t", "\r", "\n", "\0", "\u00a0", "\u3000", "\ufeff", "\u200b", "\u2060 "]
)
def test_no_cell_is_a_formula_whatever_comes_before_its_sign(meldref, before):
    cells = [f"{before}{sign}1+cmd|' /C calc'!A0" for sign in SIGNS]
    jsonl(
        {
            "log": LOG,
            **{f"c{number}": cell for number, cell in enumerate(cells)},
            f"{before}＝name": 1,
        }
    )
    meldref("audit", "t.jsonl", "--into", "out", "--as", "csv")
    (row,) = csv_rows("out")
    assert [row[f"c{number}"] for number in range(len(cells))] == [f"'{cell}" for cell in cells]
    assert f"'{before}＝name" in row


def test_what_is_no_formula_is_as_it_was(meldref):
    jsonl(
        {
            "log": LOG,
            **{f"c{number}": cell for number, cell in enumerate(HARMLESS)},
            "yes": True,
            "half": 0.5,
        }
    )
    meldref("audit", "t.jsonl", "--into", "out", "--as", "csv")
    (row,) = csv_rows("out")
    assert [row[f"c{number}"] for number in range(len(HARMLESS))] == HARMLESS
    assert (row["yes"], row["half"]) == ("true", "0.5")


@pytest.mark.parametrize("end", [*',;"\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029', "\r\n"])
def test_what_ends_a_cell_or_a_line_anywhere_is_in_quotes(meldref, end):
    text = f"a{end}=1+1"
    jsonl({"log": LOG, "note": text, f"name{end}=x": 1})
    meldref("audit", "t.jsonl", "--into", "out", "--as", "csv")
    whole = Path("out/logs.csv").read_bytes().decode()
    for cell in (text, f"name{end}=x"):
        assert '"' + cell.replace('"', '""') + '"' in whole
    assert csv_rows("out")[0]["note"] == text


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\x1b", "\x9b", "\u200f", "\u00ad"])
def test_what_steers_a_terminal_or_turns_a_text_is_an_escape(meldref, sign):
    jsonl({"log": LOG.replace("Ann", f'"A{sign}nn"'), "note": f"{sign}note", f"na{sign}me": 1})
    meldref("audit", "t.jsonl", "--into", "out", "--as", "csv")
    for table in Path("out").glob("*.csv"):
        assert sign not in table.read_bytes().decode()
    assert csv_rows("out")[0]["note"] == ascii(sign)[1:-1] + "note"


def test_csv_is_what_the_library_of_python_reads(meldref):
    cells = [
        "",
        "a",
        'a"b',
        '"',
        "a,b",
        "\n",
        "'",
        "x\0y",
        None,
        1,
        2.5,
        True,
        -1,
        "1e999",
    ]
    stream = io.StringIO()
    stream.writelines(
        ",".join(map(tables._in_csv, [cell])) + ",x\n" for cell in cells if cell != "\n"
    )
    read = [row[0] for row in csv.reader(stream.getvalue().splitlines(keepends=True))]
    expected = [
        "true" if cell is True else "" if cell is None else str(cell)
        for cell in cells
        if cell != "\n"
    ]
    assert read == expected


# --- rows without a log ---------------------------------------------------------------------------


@pytest.mark.parametrize("row", ["{}", "x", '{"log": 1}', "[]", "null"])
@pytest.mark.sweep(every=3)
def test_a_table_without_a_single_log_is_not_read_to_its_end(meldref, row):
    jsonl(*[row] * 3_000)
    ran = meldref("audit", "t.jsonl", "--into", "out")
    assert ran.code == 2
    assert len(rows("out")) == 1_001
    assert (
        rows("out")[-1]["message"]
        == "none of the first 1,000 rows has a log; the rest was not read"
    )
    jsonl({"log": LOG}, *[row] * 2_000, {"log": BAD})
    meldref("audit", "t.jsonl", "--into", "whole")
    assert by_log("whole")["t.jsonl:2002"]["verdict"] == "violations"


# --- Parquet --------------------------------------------------------------------------------------


@pytest.fixture
def arrow():
    return pytest.importorskip("pyarrow")


def write(arrow, name="t.parquet", **columns):
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table(columns), name, compression="zstd")
    return name


def shared(arrow, text, many):
    """A column that has one text many times, and once in a file."""
    return arrow.DictionaryArray.from_arrays(
        arrow.array([0] * many, arrow.int32()), arrow.array([text])
    )


@pytest.mark.parametrize("column", ["log", "note", "list", "map", "struct"])
def test_texts_that_are_repeated_from_one_copy_are_counted_each_time(meldref, arrow, column):
    many = shared(arrow, "#" * 900_000, 3_000)
    offsets = arrow.array([0, 3_000], arrow.int32())
    columns = {
        "log": {"log": many},
        "note": {"log": [LOG] * 3_000, "note": many},
        "list": {"log": [LOG], "list": arrow.ListArray.from_arrays(offsets, many)},
        "map": {
            "log": [LOG],
            "map": arrow.MapArray.from_arrays(
                offsets, [str(number) for number in range(3_000)], many
            ),
        },
        "struct": {"log": [LOG] * 3_000, "struct": arrow.StructArray.from_arrays([many], ["a"])},
    }
    assert Path(write(arrow, **columns[column])).stat().st_size < 40_000
    code, said, peak = measured("t.parquet", "audit", "t.parquet", "--into", "out")
    assert (code, TOO_DENSE in said) == (2, True)
    assert peak < 300 << 20


@pytest.mark.parametrize(
    "columns",
    [
        lambda arrow: {"log": ["#" * 100_000] * 100},
        lambda arrow: {"log": [LOG] * 100_000},
        lambda arrow: {"log": [LOG], "list": [["#" * 10_000] * 1_000]},
        lambda arrow: {
            "log": [LOG],
            "wide": arrow.array([bytes(9_000_000)], arrow.binary(9_000_000)),
        },
        lambda arrow: {"log": arrow.array([LOG] + [None] * 100_000)},
    ],
    ids=["text", "logs", "list", "bytes", "nothing"],
)
def test_a_parquet_file_that_is_all_alike_stops_as_packed_archives_do(meldref, arrow, columns):
    write(arrow, **columns(arrow))
    ran = meldref("audit", "t.parquet", "--into", "out")
    assert (ran.code, TOO_DENSE in ran.err) == (2, True)
    assert len(rows("out")) < 50_000


def test_what_is_dense_and_small_is_read(meldref, arrow, monkeypatch):
    write(arrow, log=shared(arrow, LOG, 100), note=shared(arrow, "x" * 5_000, 100))
    assert meldref("audit", "t.parquet", "--into", "out").code == 0
    assert [row["note"] for row in rows("out")] == ["x" * 5_000] * 100
    monkeypatch.setattr(sources, "_LARGE", 1 << 16)
    assert meldref("audit", "t.parquet", "--into", "two").code == 2


def test_a_text_that_is_not_utf_8_is_damage(meldref, arrow):
    bad = arrow.StringArray.from_buffers(
        2, arrow.py_buffer(bytes([0, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0])), _bytes(arrow)
    )
    for columns in (
        {"log": bad},
        {"log": [LOG, BAD], "note": bad},
        {"log": [LOG], "list": _lists(arrow, bad)},
    ):
        write(arrow, **columns)
        ran = meldref("audit", "t.parquet", "--into", "out", "--force")
        assert (ran.code, ran.err.count("it is damaged: ")) == (2, 1)


def _bytes(arrow):
    return arrow.py_buffer(b"\xff\xfe\xfd\xfcgood")


def _lists(arrow, values):
    return arrow.ListArray.from_arrays(arrow.array([0, 2], arrow.int32()), values)


def test_times_that_python_has_no_type_for_cost_no_log(meldref, arrow):
    write(
        arrow,
        log=[LOG] * 2,
        far=arrow.array([2**62, None], arrow.timestamp("us")),
        day=arrow.array([2**31 - 1, 0], arrow.date32()),
        fine=arrow.array([1, 2], arrow.timestamp("ns")),
        long=arrow.array([2**62, 1], arrow.duration("s")),
        zone=arrow.array([1, 2], arrow.timestamp("us", "Nowhere/Land")),
    )
    assert meldref("audit", "t.parquet", "--into", "out").code == 0
    assert rows("out")[0]["far"] is not None


@pytest.mark.parametrize("seed", range(60))
def test_damage_anywhere_in_a_parquet_file_is_no_crash(meldref, arrow, seed):
    whole = Path(
        write(arrow, log=[LOG, BAD] * 20, note=["x", None] * 20, list=[["a"], []] * 20)
    ).read_bytes()
    spoilt = bytearray(whole)
    spoilt[(seed * 7919) % len(whole)] ^= 1 << seed % 8
    Path("t.parquet").write_bytes(spoilt)
    ran = meldref("audit", "t.parquet", "--into", "out", "--exit-zero")
    assert ran.code in {0, 2}, ran
