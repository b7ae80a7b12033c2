"""Pages about the end of a game, its winner, and ties."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="game.over",
        title="a hand after the end of the game",
        means=(
            "Another hand was begun although the totals, or the number of hands, had ended the game before it."
        ),
        why="A game that has been won cannot be lost again in a hand too many.",
        keys=("game.target", "game.hands", "game.ends", "game.reached", "game.reached_by"),
        clauses=(
            "P-GEN-02",
            "P-SCO-06",
            "P-SCO-09",
            "W-SCO-05",
            "W-MOD-07",
            "W-PAR-06",
            "W-PER-12",
            "G-SCO-05",
            "G-SCO-11",
            "O-GEN-01",
            "O-WIN-02",
            "O-WIN-04",
        ),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1
end out A
score A 500, B 120
hand 2
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1
end out A
score A 499, B 120
hand 2
"""
        ),
    ),
    Page(
        code="game.winner",
        title="the wrong winner",
        means=(
            "The record names a winner that the totals do not give, or names one before the game is over. The "
            "highest total wins; in some games only a player who went out can."
        ),
        why="It is what everybody played for.",
        keys=("game.winner", "game.target", "game.hands", "game.reached_by"),
        clauses=(
            "P-GEN-02",
            "P-SCO-06",
            "P-SCO-07",
            "P-SCO-10",
            "P-VWIN-01",
            "P-VWIN-02",
            "P-VWIN-03",
            "P-VWIN-04",
            "P-VWIN-05",
            "P-VWIN-06",
            "W-SCO-05",
            "W-SCO-06",
            "W-PAR-06",
            "W-PAR-08",
            "G-SCO-05",
            "G-SCO-06",
            "G-SCO-09",
            "G-VAR-01",
            "G-VAR-02",
            "O-GEN-01",
            "O-GEN-02",
            "O-WIN-01",
            "O-WIN-02",
            "O-TIE-03",
            "O-TIE-04",
            "O-TIE-05",
            "O-CHIP-02",
        ),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1
end out B
score A 520, B 505
result B
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1
end out B
score A 520, B 505
result A
"""
        ),
    ),
    Page(
        code="game.tie",
        title="a tie broken wrongly",
        means=(
            "Two or more are level at the top, and the record settles that otherwise than the rules: by naming "
            "a winner where the game goes on, by sharing where one wins, or with the wrong players in the hand "
            "that decides."
        ),
        why="How a tie is broken is agreed before it comes up, when nobody knows whom it will help.",
        keys=("game.tie.by", "game.tie.who"),
        clauses=(
            "P-SCO-08",
            "P-SCO-10",
            "W-SCO-07",
            "W-PAR-08",
            "W-PER-16",
            "G-SCO-07",
            "G-SCO-08",
            "G-SCO-09",
            "O-WIN-05",
            "O-TIE-01",
            "O-TIE-02",
            "O-TIE-03",
            "O-TIE-04",
            "O-TIE-05",
        ),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1
end out A
score A 510, B 510
result A
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1
end out A
score A 510, B 510
hand 2
end out B
score A 10, B 40
result B
"""
        ),
    ),
    Page(
        code="game.out",
        title="a player who is out of the game plays on",
        means="A total above a certain number puts a player out here, and that player plays no more hands.",
        why="Who is out waits for the next game; that is what everybody plays against.",
        keys=("game.out_at",),
        clauses=("KA-OUT-01",),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Set "game={winner: lowest, out_at: 150}"]
[Set "scoring.hands=add"]
[Players "A, B, C"]
hand 1
end out A
score A 0, B 151, C 40
hand 2
end out A
score A 0, B 20, C 30
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Set "game={winner: lowest, out_at: 150}"]
[Set "scoring.hands=add"]
[Players "A, B, C"]
hand 1
end out A
score A 0, B 151, C 40
hand 2
end out A
score A 0, C 120
result A
"""
        ),
    ),
)
