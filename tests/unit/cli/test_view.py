"""`meldref view`: a log as one player, or everybody, could have written it."""

from __future__ import annotations

from cli_logs import LOG

PUBLIC = (
    LOG.replace('[Players "Ann, Bob"]\n', '[Players "Ann, Bob"]\n[View "public"]\n')
    .replace("4d 4h 9h 2h 7c 7d 7s Ks Qd Jc 2c 3s 5s", "?*13")
    .replace("draw 8s", "draw ?")
    .replace("draw 9s", "draw ?")
)


def test_the_view_is_written_to_standard_output_or_into_a_file(meldref, log, tmp_path):
    ran = meldref("view", log(), "--for", "public")
    assert (ran.code, ran.out, ran.err) == (0, PUBLIC, "")
    assert meldref("view", "-", "--for", "public", stdin=LOG).out == PUBLIC
    ran = meldref("view", "friday.rgn", "--for", "ann", "-o", "ann.rgn")
    assert (ran.code, ran.out, ran.err) == (0, "", "ann.rgn: written\n")
    assert (tmp_path / "ann.rgn").read_text() == PUBLIC.replace('"public"', '"Ann"').replace(
        "deal Ann ?*13", "deal Ann 4d 4h 9h 2h 7c 7d 7s Ks Qd Jc 2c 3s 5s"
    ).replace("1. Ann: draw ?", "1. Ann: draw 8s").replace("3. Ann: draw ?", "3. Ann: draw 9s")


def test_a_file_is_overwritten_only_if_asked_and_the_log_itself_never(meldref, log, tmp_path):
    meldref("view", log(), "--for", "public", "-o", "public.rgn")
    ran = meldref("view", "friday.rgn", "--for", "Ann", "-o", "public.rgn")
    assert (ran.code, "already exists" in ran.err) == (2, True)
    assert meldref("view", "friday.rgn", "--for", "Ann", "-o", "public.rgn", "--force").code == 0
    ran = meldref("view", "friday.rgn", "--for", "Ann", "-o", "./friday.rgn", "--force")
    assert (ran.code, "lose its cards" in ran.err) == (2, True)
    assert (tmp_path / "friday.rgn").read_text() == LOG


def test_a_line_that_cannot_be_read_is_told_and_not_kept(meldref, log):
    ran = meldref("view", log(LOG + "4. Bob: got 5h\n"), "--for", "public")
    assert (ran.code, ran.lines[-1]) == (1, "Bob: ?")
    assert "friday.rgn: 1 line cannot be read, and nothing of it is kept" in ran.err
    assert meldref("view", "friday.rgn", "--for", "public", "--exit-zero").code == 0


def test_nothing_is_written_for_a_stranger_or_without_a_game_or_its_rules(meldref, log):
    ran = meldref("view", log(), "--for", "Zed")
    assert (ran.code, ran.out) == (2, "")
    assert "nobody of that name plays in friday.rgn" in ran.err
    ran = meldref("view", log("cards: 5h\n", "other.rgn"), "--for", "public")
    assert (ran.code, ran.out) == (2, "")
    ran = meldref("view", log(LOG.replace("500-rummy", "500-rumy")), "--for", "public")
    assert (ran.code, ran.out) == (2, "")
    assert "500-rummy" in ran.err
    assert meldref("view", "friday.rgn", "--for", "public", "--rules", "500-rummy").code == 0
    assert meldref("view", "friday.rgn").code == 2


def test_free_texts_are_kept_only_if_they_are_asked_for(meldref, log):
    log(LOG + "# Bob ma 8 kier\n")
    assert meldref("view", "friday.rgn", "--for", "public").out == PUBLIC + "# ?\n"
    kept = meldref("view", "friday.rgn", "--for", "public", "--text")
    assert (kept.code, kept.out) == (0, PUBLIC + "# Bob ma 8 kier\n")
