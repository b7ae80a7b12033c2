"""How much memory commands take: no more for a long log than for a short one, and little for either."""

from __future__ import annotations

from itertools import islice

import pytest

from processes import measured
from simulated import log_of

pytestmark = pytest.mark.sweep

pytest.importorskip("resource", reason="this system does not tell how much memory a process took")

MB = 1 << 20
MOST = 90 * MB
ROOM = 1536 * MB
"""The address space in which everything has to go."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Games in files of about 300, 1,200 and 4,000 hands, in canonical form and not."""
    folder = tmp_path_factory.mktemp("logs")
    text, hands = log_of("500-rummy", (), (), ("random", "greedy"), games=80)
    for name, times in (("short", 1), ("long", 4), ("longest", 4000 // len(hands) + 1)):
        (folder / f"{name}.rgn").write_text(text * times)
        (folder / f"{name}-loose.rgn").write_text(text.replace("; ", ";") * times)
        if name != "longest":
            measured(folder / f"{name}.rgn", "convert", "-", "-o", folder / f"{name}-told.jsonl")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "audit {}.rgn",
        "audit -",
        "audit --format json {}.rgn",
        "audit --verbose {}.rgn",
        "fmt --check {}-loose.rgn --format sarif",
        "fmt --diff {}-loose.rgn",
        "fmt {}-loose.rgn",
        "fmt -",
        "convert {}.rgn -o {}.jsonl --force",
        "convert {}-told.jsonl -o again.rgn --force",
        "convert - --to json",
        "replay {}.rgn --at 5000",
    ],
)
def test_memory_does_not_grow_with_the_length_of_a_log(logs, monkeypatch, command):
    monkeypatch.chdir(logs)
    peaks = []
    for name in ("short", "long"):
        code, said, peak = measured(f"{name}.rgn", *command.replace("{}", name).split())
        assert code in {0, 1}, said
        peaks.append(peak)
    assert peaks[1] < peaks[0] + 4 * MB


@pytest.mark.parametrize(
    "command", ["audit {}", "audit --format json {}", "fmt -", "convert --to json {}"]
)
def test_four_thousand_hands_take_little_memory(logs, command):
    code, said, peak = measured(
        logs / "longest-loose.rgn", *command.format(logs / "longest.rgn").split()
    )
    assert code == 0, said
    assert peak < MOST


def test_a_replay_of_every_line_takes_no_more_for_a_longer_log(logs):
    peaks = []
    with (logs / "long.rgn").open() as log:
        for lines in (1_000, 5_000):
            (logs / "part.rgn").write_text("".join(islice(log, lines)))
            peaks.append(measured(logs / "part.rgn", "replay", logs / "part.rgn")[2])
    assert peaks[1] < min(MOST, peaks[0] + 8 * MB)


HEAD = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1\n'
ODD = {
    "blank lines": "\n" * 300_000,
    "bytes that are no text": b"\xff\n" * 30_000,
    "lines with many findings": HEAD + ("1. Ann: " + "pass;" * 1_600 + "\n") * 60,
    "hands of one game": HEAD
    + "".join(f"hand {n}\nend out Ann\nscore Ann 1, Bob -1\n" for n in range(2, 8_000)),
    "headers": '[Set "deal.cards=7"]\n' * 100_000,
}


@pytest.mark.parametrize("command", ["audit -", "fmt --diff -", "convert - --to json"])
@pytest.mark.parametrize("kind", ODD)
def test_odd_logs_take_little_memory_too(tmp_path, command, kind):
    text = ODD[kind]
    (tmp_path / "odd.rgn").write_bytes(text if isinstance(text, bytes) else text.encode())
    code, said, peak = measured(tmp_path / "odd.rgn", *command.split(), limit=ROOM)
    assert code in {0, 1, 2}, said
    assert "Traceback" not in said
    assert peak < MOST
