"""What a glance confirms, the referee finds clean, with the same scores; of all else it says nothing."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from meldref.core.cards import NATURALS, RANKS, card_text
from meldref.notation.reader import read_lines
from meldref.replay.log import replay
from meldref.report.json import log_text
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.shelf import RulesetCache
from meldref_archive import splitting
from meldref_archive.auditing import Task, TaskResult, audit_log, facts_of
from meldref_archive.confirming.actions import Unclear
from meldref_archive.confirming.game import Game
from meldref_archive.confirming.settings import settings_of
from meldref_table.simulate import LogSource, Seats, log_lines, play_hands

NOTHING_ASKED = (None, (), ())
CARDS = [*map(card_text, NATURALS), "Jk"]
ANY_CARD = re.compile(r"\b[A2-9TJQK][cdhs]\b|\bJk\b")
LOOSER = (
    "discard.taken_top=allowed",
    "draw.deep.must=nothing",
    "draw.deep.when=this_turn",
    "draw.dead_end=allowed",
    "draw.takes=that_card",
    "calls.by=anybody",
    "calls.until=any_time",
    "calls.takes=called_cards",
    "calls.then=unchanged",
    "calls.discard=none",
    "layoff.onto=own",
    "out.melding_all=forbidden",
    "out.claimed=takes_pile",
    "stock.reshuffle=but_top",
    "melds.wild.naturals=0",
    "melds.wild.twins=forbidden",
    "scoring.wild=represented",
    "scoring.low_ace=same",
    "players.direction=counterclockwise",
)
"""Settings of other games, most of which allow what 500 Rummy forbids."""
UNDERSTOOD = (
    (),
    ("layoff.onto=nothing",),
    ("draw.top.must=be_used", "draw.deep.must=nothing"),
    ("draw.use=[meld]", "draw.depth=top"),
    ("draw.deep.must=nothing", "calls.of=none", "discard.taken_top=forbidden"),
    ("out.melding_all=forbidden", "stock.reshuffle=but_top"),
    ("deck.jokers=0", "melds.wild.cards=[]", "scoring.high_ace=20"),
)
"""Settings by which games are confirmed."""
ROUNDS = int(os.environ.get("MELDREF_FUZZ", "1"))


@cache
def played(seats: str, hands: int, seed: int, *settings: str, told: bool = False) -> str:
    """A log that was played by some settings; only if they are `told`, it says so."""
    ruleset, findings = load_ruleset("500-rummy", (), settings)
    assert ruleset is not None, findings
    at_table = Seats.of(seats.split(","))
    source = LogSource("500-rummy", (), settings if told else (), seed)
    return "".join(log_lines([*play_hands(ruleset, at_table, seed, hands)], source, at_table))


@cache
def rules(settings: tuple[str, ...]):
    """500 Rummy with some settings."""
    ruleset, findings = load_ruleset("500-rummy", (), settings)
    assert ruleset is not None, findings
    return ruleset


def audits(text: str, folder: Path, **how: bool) -> tuple[TaskResult, TaskResult, int]:
    """A log as it is audited with a glance and without one, and how many games that confirmed."""
    path = folder / "log.rgn"
    path.write_text(text, encoding="utf-8")
    taken: list[object] = []
    confirmed = splitting.confirmed

    def counting(*asked: object) -> object:
        clean = confirmed(*asked)
        taken.extend([] if clean is None else [clean])
        return clean

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitting, "confirmed", counting)
        glanced = audit_by_games(Task(str(path), NOTHING_ASKED, scores=True, **how))
    return (
        glanced,
        audit_log(Task(str(path), NOTHING_ASKED, scores=True)),
        len(taken),
    )


def audit_by_games(task: Task) -> TaskResult:
    """The audit of a log in which games may be confirmed."""
    return splitting.audit_by_games(task, None, RulesetCache())


def facts(result: TaskResult) -> list[object]:
    """All that is told of a log."""
    scores = [facts_of(score) for score in result.audited.scores]
    return ["".join(log_text(result.audited)), scores, result.headers, result.rules, result.fault]


@pytest.mark.parametrize(
    ("seats", "settings"),
    [
        ("random,random", ()),
        ("greedy,random,greedy", ()),
        ("random,greedy,random,random", ()),
        (
            "greedy,greedy",
            ("calls.of=none", "game.target=150", "deck.jokers=0", "melds.wild.cards=[]"),
        ),
        ("random,random,random", ("scoring.values.A=20", "scoring.low_ace=5", "deal.cards.3=9")),
        ("random,random", ("draw.depth=top", "scoring.held.joker=30", "deck.jokers=1")),
    ],
)
def test_clean_games_are_confirmed_and_come_to_what_the_referee_says(tmp_path, seats, settings):
    log = played(seats, 40, 3, *settings, told=True)
    glanced, judged, confirmed = audits(log, tmp_path, twice=True)
    games = judged.audited.report.games
    assert facts(glanced) == facts(judged)
    assert judged.audited.report.verdict == "clean"
    assert confirmed >= games - 2


@pytest.mark.parametrize(
    "settings", ["layoff.onto=own", "out.bonus=25", "melds.wild.swap=for_natural"]
)
def test_games_by_settings_that_are_not_understood_are_replayed(tmp_path, settings):
    log = played("greedy,greedy,greedy", 6, 1, settings, told=True)
    glanced, judged, confirmed = audits(log, tmp_path)
    assert facts(glanced) == facts(judged)
    assert confirmed == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("up ", "# a comment\nup "),
        ("draw ", "Draw "),
        ("stock ", "stock ? "),
        ('[Players "', '[View "public"]\n[Players "'),
        ("hand 1 dealer ", "hand 2 dealer "),
        ("end ", "= table m1 2h\nend "),
        ("; discard", ";discard"),
        ("score ", "score  "),
    ],
)
def test_whatever_is_unusual_is_replayed(tmp_path, old, new):
    log = played("greedy,greedy,greedy", 1, 2).replace(old, new)
    assert new in log
    glanced, judged, confirmed = audits(log, tmp_path)
    assert facts(glanced) == facts(judged)
    assert confirmed == 0


@pytest.mark.parametrize("seed", range(12 * ROUNDS))
def test_a_spoilt_log_is_told_as_the_referee_tells_it(tmp_path, seed):
    rng = Random(seed)
    lines = played("random,greedy,random", 12, seed % 5).split("\n")
    for _ in range(rng.randrange(1, 4)):
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        change = rng.randrange(5)
        if change == 0:
            lines[at], lines[other] = lines[other], lines[at]
        elif change == 1:
            lines.insert(other, lines[at])
        elif change == 2:
            del lines[at]
        elif change == 3:
            lines[at] = ANY_CARD.sub(rng.choice(CARDS), lines[at], count=1)
        else:
            lines[at] = re.sub(r"\d+", str(rng.randrange(60)), lines[at], count=1)
    glanced, judged, _ = audits("\n".join(lines), tmp_path)
    assert facts(glanced) == facts(judged)


def hands_of(log: str) -> list[tuple[list[str], list[str]]]:
    """The hands of a log up to their ends, each as the first of a game, with its players."""
    hands = []
    for game in log.split("[Rules ")[1:]:
        listed = re.search(r'\[Players "([^"]*)"', game)
        assert listed is not None
        for hand in re.split(r"\n\nhand \d+ ", game)[1:]:
            lines = f"hand 1 {hand}".split("\n")
            ends = [at for at, line in enumerate(lines) if line.startswith("end")]
            hands += [(listed[1].split(", "), lines[:at]) for at in ends[:1]]
    return hands


def completed(
    names: list[str], lines: list[str], settings: tuple[str, ...]
) -> tuple[str, Game] | None:
    """A log of a hand with the end and the figures that a glance works out; None if it is unclear."""
    understood = settings_of(rules(settings), len(names))
    assert understood is not None
    game, closing = Game(understood, names, ""), []

    def close(text: str) -> None:
        closing.append(text)
        game.play([text])

    try:
        game.play(lines)
        hand = game.hand
        if hand is None or not hand.is_over:
            return None
        close("end stock" if hand.out < 0 else f"end out {names[hand.out]}")
        close(game.figures("score", game.points))
        close(game.figures("total", game.totals))
        if not game.is_whole:
            close(f"result {names[game.totals.index(max(game.totals))]}")
    except (Unclear, LookupError, ValueError, StopIteration):
        return None
    headers = ['[Rules "500-rummy"]', *[f'[Set "{setting}"]' for setting in settings]]
    headers += [f'[Players "{", ".join(names)}"]', ""]
    return "\n".join([*headers, *lines, *closing, ""]), game


def spoilt(rng: Random, names: list[str], lines: list[str]) -> list[str]:
    """The lines of a hand with a few changes that leave it nearly as it was."""
    lines = [*lines]
    turns = [at for at, line in enumerate(lines) if ": " in line]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at, other = rng.choice(turns), rng.choice(turns)
        head, _, text = lines[at].partition(": ")
        actions = text.split("; ")
        change = rng.randrange(10)
        if change == 0:
            lines = _exchanged(rng, lines, 0)
        elif change == 1:
            lines = _exchanged(rng, lines, at)
        elif change == 2:
            del actions[rng.randrange(len(actions))]
        elif change == 3:
            rng.shuffle(actions)
        elif change == 4:
            actions = ANY_CARD.sub(rng.choice(CARDS), text, count=rng.randrange(1, 3)).split("; ")
        elif change == 5:
            thrown = f"discard {rng.choice(ANY_CARD.findall(text) or CARDS)}"
            actions = [*actions[:-1], thrown]
        elif change == 6:
            actions = re.sub(r"\bm\d+", f"m{rng.randrange(1, 8)}", text, count=1).split("; ")
        elif change == 7:
            roles = ("Jk", f"Jk={rng.choice(CARDS)}", f"Jk={rng.choice(RANKS)}", rng.choice(CARDS))
            actions = re.sub(r"Jk(=\w+)?", rng.choice(roles), text, count=1).split("; ")
        elif change == 8:
            taken = f"take {rng.choice(CARDS)}{rng.choice(('', f' x{rng.randrange(1, 9)}'))}"
            actions = [taken, *actions[1:]]
        else:
            actions.insert(
                rng.randrange(len(actions) + 1),
                rng.choice(lines[other].split("; ")[1:] or ["pass"]),
            )
        if change > 1:
            lines[at] = f"{rng.choice((head, head, head, rng.choice(names)))}: {'; '.join(actions)}"
    return lines


def _exchanged(rng: Random, lines: list[str], since: int) -> list[str]:
    """Lines in which two cards have changed their places, from one on."""
    one, other = rng.sample(CARDS[:-1], 2)
    swap = {one: other, other: one}
    return [
        ANY_CARD.sub(lambda card: swap.get(card[0], card[0]), line) if at >= since else line
        for at, line in enumerate(lines)
    ]


@pytest.mark.parametrize("seed", range(21 * ROUNDS))
def test_a_hand_that_is_confirmed_with_due_figures_is_clean_for_the_referee(seed):
    rng = Random(seed)
    looser = LOOSER[seed % len(LOOSER)]
    settings = UNDERSTOOD[seed % len(UNDERSTOOD)] if seed % 3 else ()
    seats = ("random,random", "random,greedy,random", "random,random,random,random")[seed % 3]
    hands = hands_of(played(seats, 12, seed, looser) + played(seats, 12, seed, *settings))
    confirmed = 0
    for _ in range(400):
        names, lines = rng.choice(hands)
        if rng.random() < 0.9:
            lines = spoilt(rng, names, lines)
        glanced = completed(names, lines, settings)
        if glanced is None:
            continue
        confirmed += 1
        text, game = glanced
        report = replay(read_lines(text))
        assert (report.findings, report.open) == ([], []), text
        assert report.turns == game.turns
        assert [facts_of(score) for score in report.scores] == [
            facts_of(score) for score in game.scores
        ]
    assert confirmed


def test_twice_a_game_of_which_the_judges_say_different_things_is_a_fault(tmp_path, monkeypatch):
    log = tmp_path / "log.rgn"
    log.write_text(played("greedy,greedy", 3, 1), encoding="utf-8")
    assert audit_by_games(Task(str(log), NOTHING_ASKED, twice=True)).fault == ""
    monkeypatch.setattr(splitting, "_facts", lambda report: report)
    assert "TwoVerdicts" in audit_by_games(Task(str(log), NOTHING_ASKED, twice=True)).fault


def test_the_option_twice_prints_what_is_printed_without_it(tmp_path, meldref):
    log = tmp_path / "log.rgn"
    log.write_text(played("greedy,greedy", 3, 1), encoding="utf-8")
    once, twice = meldref("audit", log), meldref("audit", log, "--twice")
    assert (once.code, once.out) == (twice.code, twice.out)
    assert "clean (3 hands" in once.out
