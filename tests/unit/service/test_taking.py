"""A file that is given is known by what is in it, and becomes a log."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from zipfile import ZipFile

import pytest

from meldref_service import Service
from paths import ROOT

DISPUTED = (ROOT / "examples" / "disputed.rgn").read_text("utf-8")
SERVICE = Service()


def take_in(name, text):
    return SERVICE.ask("take_in", name=name, text=text)


def test_a_log_stays_as_it_is():
    assert take_in("friday.txt", DISPUTED)["log"] == DISPUTED


def test_a_score_sheet_becomes_a_log_whose_scores_are_its_own():
    answer = take_in("friday.csv", "Ann,Bob,Cy\n45,-20,10\n60,115,5\n")
    assert answer["kind"] == "sheet"
    [game] = SERVICE.ask("score", log=answer["log"], rules="500-rummy")["games"]
    assert game["totals"] == [105, 95, 15]


def test_what_is_neither_is_refused_with_a_sentence():
    for name, text in (
        ("poem.txt", "the quick brown fox"),
        ("data.json", '{"text": "nothing here"}'),
    ):
        answer = take_in(name, text)
        assert answer["kind"] == "unreadable"
        assert answer["why"]


def test_nothing_is_no_file():
    assert take_in("empty.csv", "")["log"] is None


def encoded(name, data):
    return SERVICE.ask("take_in", name=name, text=b64encode(data).decode(), encoded=True)


def test_a_workbook_becomes_a_log_from_its_bytes():
    openpyxl = pytest.importorskip("openpyxl")
    book, data = openpyxl.Workbook(), BytesIO()
    for row in (["Ann", "Bob", "Cy"], [45, -20, 10], [60, 115, 5]):
        book.active.append(row)
    book.save(data)
    answer = encoded("friday.xlsx", data.getvalue())
    assert answer["kind"] == "sheet"
    [game] = SERVICE.ask("score", log=answer["log"], rules="500-rummy")["games"]
    assert game["totals"] == [105, 95, 15]


def test_a_log_or_a_sheet_in_another_encoding_is_read_from_its_bytes():
    assert encoded("friday.txt", DISPUTED.encode("utf-16"))["log"] == DISPUTED
    sheet = "Zoë;Bob\n45;-20\n60;115\n".encode("cp1252")
    assert "Zoë" in encoded("friday.csv", sheet)["log"]


def test_a_packed_file_that_is_no_workbook_is_refused_with_a_sentence():
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("friday.rgn", DISPUTED)
    assert "no workbook is in it" in encoded("logs.zip", packed.getvalue())["why"]
    assert "damaged" in encoded("broken.xlsx", b"PK\3\4 and nothing else")["why"]
    answer = SERVICE.ask("take_in", name="friday.xlsx", text="not Base64", encoded=True)
    assert "Base64" in answer["why"]
