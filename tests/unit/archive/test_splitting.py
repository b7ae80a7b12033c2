"""One large log is shared among processes, game by game, and what is said of it is the same to the byte."""

from __future__ import annotations

import gzip
from contextlib import nullcontext
from pathlib import Path
from random import Random

import pytest

from cli_logs import BAD, LOG
from meldref.core import effort
from meldref.report.json import log_text
from meldref.rulefiles.shelf import RulesetCache
from meldref_archive import audit as archive_audit
from meldref_archive import auditing, splitting
from meldref_archive.auditing import Task, TaskResult, audit_log
from meldref_archive.sources import Log

ROOT = Path(__file__).parents[3]
HOUSE = '[Rules "house.yaml"]\n' + LOG.partition("\n")[2]
FOUND = [
    path.read_text(encoding="utf-8", errors="surrogateescape")
    for folder in ("tests/games/found", "tests/games/slips", "examples")
    for path in sorted((ROOT / folder).glob("*.rgn"))
]
IN_BETWEEN = (
    "garbage",
    "# a note",
    "",
    "undo",
    '[Rules "500-rum"]',
    '[Players "Zoe, Yan"]',
    '[Dealer "ann"]',
    '[Options "floating"]',
    '[X-Table "4"]',
    "hand 1",
)
NOTHING_ASKED = (None, (), ())
WAYS = (
    {},
    {"scores": True, "expect": True, "suggestions": False},
    {"keep": 3, "scores": True, "spelling": True, "doubts": True},
)


@pytest.fixture(autouse=True)
def small_pieces(tmp_path, monkeypatch):
    """Logs are split that are no larger than those of the tests, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(splitting, "FIRST", 100)
    monkeypatch.setattr(splitting, "LARGE", 300)
    monkeypatch.setattr(archive_audit, "_SPLIT", 1)
    monkeypatch.setattr(archive_audit, "_LARGE", 1_000)


def in_pieces(task: Task) -> tuple[TaskResult, int]:
    """The audit of a log by its pieces, without processes; how many of them were taken in."""
    log, shelf = splitting.SplitLog(task), RulesetCache()
    results, taken = [], 0
    for piece in log.pieces():
        apart = splitting.replay_apart(task, piece.lines, shelf) if piece.is_whole else None
        taken += apart is not None
        result = log.add(piece, apart)
        results += [] if result is None else [result]
    (result,) = results
    return result, taken


def facts(result: TaskResult) -> list[object]:
    """All that can be told of the audit of a log."""
    audited = result.audited
    kept = [repr(hand) for hand in audited.scores]
    counts = (audited.hidden, audited.hidden_errors, audited.gave_up, audited.too_much)
    trouble = (result.trouble, result.cause, result.fault)
    texts = "".join(log_text(audited))
    return [texts, kept, counts, audited.respelled, result.headers, result.rules, trouble]


def check(text: str, **how) -> int:
    """Audits a log whole and in pieces; how many of those were taken in."""
    path = Path("large.rgn")
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    task = Task(str(path), NOTHING_ASKED, **how)
    result, taken = in_pieces(task)
    assert facts(result) == facts(audit_log(task))
    return taken


@pytest.mark.parametrize("how", WAYS)
def test_games_in_which_nothing_is_found_are_taken_in(how):
    for text in (
        LOG * 12,
        LOG * 3 + BAD + LOG * 6 + BAD,
        BAD + "\n# of another evening\n" + LOG * 5,
    ):
        assert check(text, **how) >= 4


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_torn_or_comes_between_games_is_told_as_without_pieces(seed):
    rng = Random(seed)
    texts = [rng.choice(FOUND) if rng.random() < 0.4 else rng.choice((LOG, BAD)) for _ in range(9)]
    lines = "\n".join(texts).split("\n")
    for _ in range(rng.randrange(6)):
        at = rng.randrange(len(lines))
        change = rng.randrange(4)
        if change == 0:
            del lines[at : at + rng.randrange(1, 30)]
        elif change == 1:
            lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]
        elif change == 2:
            lines[at] = lines[at].swapcase()
        else:
            lines.insert(at, rng.choice(IN_BETWEEN))
    check("\n".join(lines), **WAYS[seed % len(WAYS)])


@pytest.mark.parametrize("between", IN_BETWEEN)
def test_a_line_before_the_headers_of_a_game_belongs_where_it_did(between):
    for torn in (f"{between}\n", f"{between}\n\n", f"{between}\n[Rules"):
        check(LOG * 2 + torn + LOG + torn + LOG * 2)


@pytest.mark.parametrize(
    ("module", "name", "bound"),
    [
        (effort, "MOST_LOOKED_AT", 40),
        (auditing, "MOST_FINDINGS", 3),
        (auditing, "MOST_FINDINGS", 7),
    ],
)
def test_bounds_of_a_log_are_those_of_all_its_games(monkeypatch, module, name, bound):
    monkeypatch.setattr(module, name, bound)
    check((LOG * 3 + BAD) * 6)
    check((BAD * 3 + LOG) * 6, keep=4)


def test_a_log_by_a_rules_file_beside_it_and_one_of_whose_rules_is_faulty():
    Path("house.yaml").write_text("id: house\nextends: [500-rummy]\ntype: game\nname: Ours\n")
    assert check(HOUSE * 8 + LOG * 4) >= 6
    check(HOUSE * 2 + '[Rules "nowhere.yaml"]\n' + HOUSE.partition("\n")[2] * 2 + HOUSE * 3)


def test_the_hopeless_the_empty_and_a_single_game_are_none_to_split():
    for text in ("", "lorem ipsum\n" * 2_000, LOG, LOG + "lorem\n" * 12_000 + LOG):
        check(text)


def test_a_long_log_is_read_as_it_is_needed(monkeypatch):
    """No more than a piece is read ahead of what is handed over, also of a game without an end."""
    monkeypatch.setattr(splitting, "ENDLESS", 3_000)
    ahead = 1 << 18
    for text in (LOG * 2_000, LOG + "# nothing\n" * 100_000):
        Path("large.rgn").write_text(text)
        with Path("large.rgn").open("rb") as stream:
            monkeypatch.setattr(Log, "opened", lambda _, stream=stream: nullcontext(stream))
            handed_over = 0
            for piece in splitting.SplitLog(Task("large.rgn", NOTHING_ASKED)).pieces():
                size = sum(len(line) + 1 for _, line in piece.lines)
                assert size <= splitting.ENDLESS + 100
                handed_over += size
                assert stream.tell() <= handed_over + ahead
        assert handed_over == len(text)


def test_a_log_that_is_cut_off_is_told_as_one_that_cannot_be_read():
    packed = gzip.compress((LOG * 12).encode())
    Path("large.rgn.gz").write_bytes(packed[: len(packed) * 2 // 3])
    task = Task("large.rgn.gz", NOTHING_ASKED)
    result, _ = in_pieces(task)
    assert result.trouble
    assert facts(result) == facts(audit_log(task))


@pytest.mark.parametrize("format_", ["text", "json", "jsonl", "github", "sarif", "junit"])
@pytest.mark.sweep(every=2)
def test_processes_report_a_large_log_among_others_as_one_does(meldref, log, format_):
    names = [log(LOG, "a.rgn"), log((LOG * 4 + BAD) * 5, "b.rgn"), log(LOG * 9, "c.rgn"), "no.rgn"]
    alone = meldref("audit", *names, "--format", format_, "--jobs", 1)
    assert meldref("audit", *names, "--format", format_, "--jobs", 3) == alone
    assert meldref("audit", names[1], "--format", format_, "--jobs", 2) == meldref(
        "audit", names[1], "--format", format_, "--jobs", 1
    )


def test_games_whose_process_is_gone_are_replayed_here(meldref, log, monkeypatch):
    def dies(task, lines):
        raise SystemExit(9)
        yield

    name = log(LOG * 6 + BAD)
    alone = meldref("audit", name, "--jobs", 1)
    monkeypatch.setattr(archive_audit, "_replayed_apart", dies)
    assert meldref("audit", name, "--jobs", 2) == alone
