"""The page about what is paid when a game is over."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="settle.chips",
        title="chips that do not follow from the totals",
        means=(
            "The settlement recorded is not the one the final totals give, with the ratio, the bonus and the "
            "prize of this game; or nothing is paid in it, or it is not over yet. A prize that is shared is "
            "rounded down to whole chips for each winner."
        ),
        why="What each point is worth is agreed before the deal, and everybody can work it out again.",
        keys=("settlement.pays", "settlement.ratio", "settlement.prize", "game.bonus"),
        clauses=(
            "W-PER-13",
            "W-PER-14",
            "W-PER-18",
            "O-TIE-01",
            "O-CHIP-01",
            "O-CHIP-02",
            "O-CHIP-03",
            "O-CHIP-04",
            "O-CHIP-05",
        ),
        illegal=Example(
            given="""\
[Rules "online-rummy-500"]
[Options "multi-table"]
[Set "settlement.ratio=3"]
[Players "David, Bob, John"]
hand 1
score David 70, Bob 60, John 100
chips David -70, Bob -60, John 130
"""
        ),
        legal=Example(
            given="""\
[Rules "online-rummy-500"]
[Options "multi-table"]
[Set "settlement.ratio=3"]
[Players "David, Bob, John"]
hand 1
score David 70, Bob 60, John 100
chips David -90, Bob -120, John 210
"""
        ),
    ),
)
