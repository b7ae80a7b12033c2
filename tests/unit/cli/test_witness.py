"""`meldref audit --witness DIR`: full logs that fit, each in a file."""

import re

MASKED = """[Rules "500-rummy"]
[Set "deal.cards=3"]
[Players "Ann, Bob"]
[View "public"]

hand 1 dealer Bob
deal Ann ?*3   # mine
up 6c
1. Ann: draw ?; meld 5h 6h 7h; discard 2c
end out Ann
score Ann 18, Bob -35
"""


def audited(meldref, *names):
    ran = meldref("audit", *names)
    return ran.code, re.findall(r"(clean|undecided|violation)", ran.out)


def test_a_log_that_is_possible_has_a_witness_in_its_own_words(meldref, log, tmp_path):
    log(MASKED)
    ran = meldref("audit", "friday.rgn", "--witness", "out")
    assert ran.code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "friday.line-11.rgn",
        "friday.rgn",
    ]
    text = (tmp_path / "out" / "friday.rgn").read_text(encoding="utf-8")
    assert "?" not in text
    assert "# mine" in text
    assert '[View "full"]' in text
    assert audited(meldref, "out/friday.rgn") == (0, ["clean"])
    code, said = audited(meldref, "out/friday.line-11.rgn")
    assert (code, said[-1]) == (1, "violation")


def test_a_log_with_a_violation_has_none_and_others_keep_their_own_names(meldref, log, tmp_path):
    log(MASKED.replace("-35", "-99"), "bad.rgn")
    log(MASKED, "a/one.rgn")
    log(MASKED, "b/one.rgn")
    ran = meldref("audit", "bad.rgn", "a", "b", "--witness", "out")
    assert ran.code == 1
    assert "bad.rgn: no witness, since it has violations" in ran.err
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"one.rgn", "one-2.rgn"}


def test_a_folder_for_witnesses_is_new_or_empty_and_tables_are_no_witnesses(meldref, log, tmp_path):
    log(MASKED)
    assert meldref("audit", "friday.rgn", "--witness", ".").code == 2
    assert meldref("audit", "friday.rgn", "--witness", "friday.rgn").code == 2
    assert meldref("audit", "friday.rgn", "--witness", "out", "--into", "tables").code == 2
