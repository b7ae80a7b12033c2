"""When a game is over, who wins, ties (P-SCO-06..10, P-VWIN, W-SCO, G-SCO, O-WIN, O-TIE)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from meldref.core.records import NamedTuple
from meldref.core.text import in_words, with_verb
from meldref.position.game import HandRecord, Standing
from meldref.rules.base import Undecided, Violation
from meldref.rules.declare import code, is_set, no_effect
from meldref.ruleset.model import Ruleset

code("game.over")
code("game.winner")
code("game.tie")
code("game.out", where=lambda rules: rules.game.out_at is not None)
code("score.hand")
code("score.total")
no_effect("game.hands", by="game.ends", at="at_target")
no_effect(
    "game.reached",
    "game.reached_by",
    by="game.ends",
    at="after_hands",
)
no_effect(
    "game.target",
    by="game.ends",
    where=lambda rules: rules.game.ends == "after_hands" and rules.game.winner != "player_out",
)
no_effect(
    "game.tie.who",
    by="game.tie.by",
    where=is_set("game.tie.by", "sharing", "melds_then_hand"),
)
no_effect(
    "scoring.nobody_out",
    by="scoring.hands",
    where=lambda rules: rules.scoring.hands != "to_player_out",
)
no_effect(
    "scoring.nobody_out",
    by="scoring.hands_at_stock_end",
    where=lambda rules: rules.scoring.hands_at_stock_end == "ignore" and rules.game.stop == "never",
)
no_effect("game.tie.who", by="players.max", at=2)
no_effect(
    "scoring.hands_at_stock_end",
    by="scoring.hands",
    at="ignore",
)
no_effect(
    "partnership.score",
    by="partnership.sides",
    at="none",
)


def _enough(ruleset: Ruleset, total: int) -> bool:
    game = ruleset.game
    return total >= game.target if game.reached == "at_least" else total > game.target


def only_out_ends(ruleset: Ruleset) -> bool:
    """Whether a game continues until one player is left: others are out at the target."""
    game = ruleset.game
    return (
        game.out_at is not None and game.ends == "at_target" and not _enough(ruleset, game.out_at)
    )


no_effect("game.target", "game.reached", "game.reached_by", by="game.out_at", where=only_out_ends)


class GameVerdict(NamedTuple):
    """How a game stands after a hand: over or not, who won, who is level at the top.

    `known` is False where unknown scores leave it open. Those who are level and winners as well may
    share, or play another hand.
    """

    over: bool
    winners: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    known: bool = True
    may_stop: bool = False


def stands(ruleset: Ruleset, standing: Standing) -> GameVerdict:
    """Whether the game is over after the hands so far, and who won."""
    game = ruleset.game
    played, last = standing.played, standing.last
    if last is None:
        return GameVerdict(over=False)
    if game.out_at is not None and (alone := _last_in(ruleset, standing, last)) is not None:
        return alone
    played, (low, high) = standing.hands, game.hands
    if game.ends == "after_hands" and played < low and not standing.agreed:
        return GameVerdict(over=False)
    totals = [total for total in standing.totals if total is not None]
    if len(totals) < len(standing.totals):
        return _with_unknown_totals(ruleset, standing)
    if standing.agreed or game.ends == "after_hands":
        verdict = _best(ruleset, standing, totals, last)._replace(may_stop=True)
        return verdict if standing.agreed or played >= high else verdict._replace(over=False)
    out = standing.out
    if not _known_out(ruleset, totals, out, last):
        return GameVerdict(over=False, known=False)
    if not standing.tied and not _reached(
        ruleset, {side: totals[side] for side in still_in(ruleset, standing)}, out
    ):
        return GameVerdict(over=False)
    if game.winner == "player_out":
        if out is None or not _enough(ruleset, totals[out]):
            return GameVerdict(over=False)
        return GameVerdict(over=True, winners=(out,))
    return _best(ruleset, standing, totals, last)


def _with_unknown_totals(ruleset: Ruleset, standing: Standing) -> GameVerdict:
    """Open, but where only the total of the player who went out counts (P-VWIN-01)."""
    out = standing.out
    total = None if out is None else standing.totals[out]
    alone = (
        ruleset.game.ends == "at_target"
        and ruleset.game.winner == "player_out"
        and not standing.agreed
    )
    if out is None or total is None or not alone:
        return GameVerdict(over=False, known=False)
    return (
        GameVerdict(over=True, winners=(out,))
        if _enough(ruleset, total)
        else GameVerdict(over=False)
    )


def leaders(ruleset: Ruleset, standing: Standing) -> tuple[int, ...]:
    """Who would have won, or be level at the top, were the game over after the hands so far."""
    if ruleset.game.winner == "player_out" and ruleset.game.ends == "at_target":
        return () if standing.out is None else (standing.out,)
    totals = [total for total in standing.totals if total is not None]
    if len(totals) < len(standing.totals) or standing.last is None:
        return ()
    verdict = _best(ruleset, standing, totals, standing.last)
    return verdict.winners or verdict.tied


def tie_break(ruleset: Ruleset, standing: Standing, verdict: GameVerdict) -> tuple[int, ...]:
    """The sides whose tie the next hand breaks.

    None if the number of hands lets the game go on anyway.
    """
    game = ruleset.game
    if game.ends == "after_hands" and standing.hands < game.hands[1]:
        return ()
    return verdict.tied


def _known_out(ruleset: Ruleset, totals: Sequence[int], out: int | None, last: HandRecord) -> bool:
    """Whether it is known who went out, where that decides the game."""
    game = ruleset.game
    if "player_out" not in {game.reached_by, game.winner} or out is not None:
        return True
    return _says_how_it_ended(last) or not any(_enough(ruleset, total) for total in totals)


def _says_how_it_ended(last: HandRecord) -> bool:
    """Whether a hand of which it is not known who went out surely ended in another way."""
    return last.reason not in {None, "out"}


def _reached(ruleset: Ruleset, totals: Mapping[int, int], out: int | None) -> bool:
    """Whether a counting total of those in the game has the target (P-SCO-09, P-VWIN-02)."""
    if ruleset.game.reached_by == "player_out":
        return out is not None and out in totals and _enough(ruleset, totals[out])
    return bool(totals) and _enough(ruleset, max(totals.values()))


def _best(
    ruleset: Ruleset, standing: Standing, totals: Sequence[int], last: HandRecord
) -> GameVerdict:
    """The best total wins; ties are settled by the ruleset (P-SCO-08, W-PER-16, O-TIE-01..04).

    Where one more hand was to decide and left them level, they may share, or play another one.
    """
    tie = ruleset.game.tie
    among: Sequence[int] = still_in(ruleset, standing) or standing.were_in or range(len(totals))
    if tie.who == "tied" and standing.tied:
        among = standing.tied
    best = _first_of(ruleset)(totals[side] for side in among)
    top = tuple(side for side in among if totals[side] == best)
    if len(top) > 1 and tie.first == "player_out":
        out = standing.out
        if out is None and not _says_how_it_ended(last):
            return GameVerdict(over=False, known=False)
        if out in top:
            return GameVerdict(over=True, winners=(out,))
    if len(top) == 1 or tie.by == "sharing":
        return GameVerdict(over=True, winners=top)
    if tie.by == "one_hand" and standing.tied:
        return GameVerdict(over=False, winners=top, tied=top, may_stop=True)
    if tie.by == "melds_then_hand":
        return _by_last_hand(top, last)
    return GameVerdict(over=False, tied=top)


def still_in(ruleset: Ruleset, standing: Standing) -> tuple[int, ...]:
    """The sides in the game: no total known to be above the one that puts them out."""
    most = ruleset.game.out_at
    totals = standing.totals
    if most is None:
        return tuple(range(len(totals)))
    return tuple(side for side, total in enumerate(totals) if total is None or total <= most)


def playing(ruleset: Ruleset, standing: Standing) -> tuple[int, ...]:
    """The sides that play the next hand: those in, or only the tied ones (G-SCO-08, O-TIE-02)."""
    among = still_in(ruleset, standing) or standing.tied
    tied = standing.tied if ruleset.game.tie.who == "tied" else ()
    return tuple(side for side in among if side in tied) or among


def _last_in(ruleset: Ruleset, standing: Standing, last: HandRecord) -> GameVerdict | None:
    """The last side that is in wins.

    Where the last hand put out all that were left, the best of those.
    """
    left = still_in(ruleset, standing)
    if len(left) > 1:
        return None
    if any(standing.totals[side] is None for side in left):
        return GameVerdict(over=False, known=False)
    totals = [
        total for total in standing.totals if total is not None
    ]  # who is out has a known total
    return _best(ruleset, standing, totals, last)


def _first_of(ruleset: Ruleset) -> Callable[..., Any]:
    """What finds the total that wins."""
    return min if ruleset.game.winner == "lowest" else max


def _by_last_hand(top: tuple[int, ...], last: HandRecord) -> GameVerdict:
    """Most melded in the last hand, then least held in it, then all that tie (O-TIE-03..05)."""
    if last.table is None:
        return GameVerdict(over=True, winners=top, tied=top, known=False)
    most = max(last.table[side] for side in top)
    left = tuple(side for side in top if last.table[side] == most)
    held = [last.held.get(side) if last.held else None for side in left]
    if len(left) > 1 and None in held:
        return GameVerdict(over=True, winners=left, tied=left, known=False)
    if len(left) > 1:
        least = min(points for points in held if points is not None)
        left = tuple(side for side, points in zip(left, held, strict=True) if points == least)
    return GameVerdict(over=True, winners=left)


def another_hand(ruleset: Ruleset, standing: Standing, verdict: GameVerdict) -> Violation | None:
    """No hand is played after the end of the game."""
    if not verdict.over:
        return None
    names = in_words([standing.names[side] for side in verdict.winners])
    total = standing.totals[verdict.winners[0]]
    how = "won with" if verdict.known else "were level at"
    return Violation(
        "game.over", f"the game was already over: {names} {how} {total}", key=_ended_by(ruleset)
    )


def winner(
    ruleset: Ruleset, standing: Standing, sides: tuple[int, ...], at_table: Standing | None = None
) -> Violation | Undecided | None:
    """The recorded winner is the one the totals give.

    `at_table`: the game by the table's own figures, if they differ. A table that stopped by its own
    figures has stopped; what remains is whether those who lead by the right ones won.
    """
    verdict = stands(ruleset, standing)
    stated = [standing.names[side] for side in sides]
    recorded, they_have = in_words(stated), with_verb(stated, "has", "have")
    if not verdict.known:
        wrong = (
            None if at_table is not None else _cannot_have_won(ruleset, standing, verdict, sides)
        )
        return wrong or Undecided(f"whether {recorded} won: it depends on something unknown")
    if at_table is not None and not verdict.winners and stands(ruleset, at_table).winners:
        ahead = leaders(ruleset, standing)
        if set(sides) <= set(ahead):
            return None
        they_are = with_verb([standing.names[side] for side in ahead], "is", "are")
        message = f"{they_have} not won: the game is not over, and {they_are} ahead"
        return Violation("game.winner", message, key="game.winner")
    if verdict.tied and not verdict.winners:
        names = in_words([standing.names[side] for side in verdict.tied])
        return Violation("game.tie", f"{names} are tied, so the game continues", key="game.tie.by")
    if not verdict.over and not verdict.may_stop:
        key = "game.winner" if ruleset.game.winner == "player_out" else _ended_by(ruleset)
        return Violation(
            "game.winner", f"the game is not over, so {they_have} not won yet", key=key
        )
    if set(sides) == set(verdict.winners):
        return None
    won = in_words([standing.names[side] for side in verdict.winners])
    code = "game.tie" if len(verdict.winners) > 1 or len(sides) > 1 else "game.winner"
    key = "game.tie.by" if code == "game.tie" else "game.winner"
    alone = " alone" if set(sides) < set(verdict.winners) else ""
    return Violation(code, f"{won} won, not {recorded}{alone}", key=key)


def _cannot_have_won(
    ruleset: Ruleset, standing: Standing, verdict: GameVerdict, sides: tuple[int, ...]
) -> Violation | None:
    """Where not all is known, who won is open.

    It may be certain anyway that somebody did not.
    """
    stated = [standing.names[side] for side in sides]
    they_have = with_verb(stated, "has", "have")
    if verdict.tied and not set(sides) <= set(verdict.tied):
        verb = with_verb(stated, "is", "are")
        return Violation(
            "game.winner", f"{verb} not among those level at the top", key="game.winner"
        )
    totals = [standing.totals[side] for side in sides]
    game = ruleset.game
    if _ended_by(ruleset) == "game.target" and not (standing.agreed or standing.tied):
        short = [total for total in totals if total is not None and not _enough(ruleset, total)]
        if short:
            return Violation(
                "game.winner", f"{they_have} not reached {game.target}", key="game.target"
            )
    if game.winner != "player_out" and not standing.tied:
        best = _first_of(ruleset)(
            (total for total in standing.totals if total is not None), default=None
        )
        if best is not None and any(
            total is not None and _first_of(ruleset)(total, best) != total for total in totals
        ):
            return Violation(
                "game.winner", f"{they_have} not won: another total is {best}", key="game.winner"
            )
    return None if standing.agreed else _cannot_win_alone(ruleset, standing, sides)


def _cannot_win_alone(
    ruleset: Ruleset, standing: Standing, sides: tuple[int, ...]
) -> Violation | None:
    """A total that another one equals does not win by itself, unless something else breaks ties."""
    game = ruleset.game
    breaks_ties = game.tie.first == "player_out" or game.tie.by == "melds_then_hand"
    if len(sides) > 1 or breaks_ties or game.winner == "player_out" or game.out_at is not None:
        return None
    total = standing.totals[sides[0]]
    level = [side for side, other in enumerate(standing.totals) if other == total]
    if total is None or len(level) < 2 or (standing.tied and not set(level) <= set(standing.tied)):
        return None
    names, stated = in_words([standing.names[side] for side in level]), standing.names[sides[0]]
    message = f"{names} are level, so {stated} has not won alone"
    return Violation("game.tie", message, key="game.tie.by")


def _ended_by(ruleset: Ruleset) -> str:
    """The key that says when a game is over."""
    if ruleset.game.ends == "after_hands":
        return "game.hands"
    return "game.out_at" if only_out_ends(ruleset) else "game.target"


def plays_on(
    ruleset: Ruleset, standing: Standing, sides: Sequence[int], *, whole: bool = False
) -> Violation | None:
    """Those play a hand who should (G-SCO-08, O-TIE-02); `whole`: these are all who do."""
    left = still_in(ruleset, standing) or standing.tied
    out = [
        f"{standing.names[side]} ({standing.totals[side]})" for side in sides if side not in left
    ]
    if out and len(left) > 1:  # else the game is over, and it is the hand that is wrong
        most = ruleset.game.out_at
        message = (
            f"{with_verb(out, 'is', 'are')} out of the game: nobody plays on with more than {most}"
        )
        return Violation("game.out", message, key="game.out_at")
    if not standing.tied:
        return None
    due = playing(ruleset, standing)
    extra = [standing.names[side] for side in sides if side not in due]
    if extra:
        message = f"{with_verb(extra, 'plays', 'play')} in a hand that only the tied players play"
        return Violation("game.tie", message, key="game.tie.who")
    absent = [standing.names[side] for side in due if side not in sides]
    if whole and absent:
        message = f"{with_verb(absent, 'does', 'do')} not play in the hand that breaks the tie"
        return Violation("game.tie", message, key="game.tie.who")
    return None


def total(
    ruleset: Ruleset,
    standing: Standing,
    side: int,
    recorded: int,
    readings: Sequence[int | None],
) -> Violation | None:
    """A recorded total is the sum of the hands (P-SCO-02), by any of the game's readings."""
    due = standing.totals[side]
    if due is None or recorded in readings:
        return None
    name = standing.names[side]
    floored = recorded < 0 and ruleset.scoring.below_zero.total == "forbidden"
    return Violation(
        "score.total",
        f"{name}'s total is {due}, not {recorded}",
        key="scoring.below_zero.total" if floored else "",
        notes=(f"recorded {recorded}, computed {due}, difference {recorded - due:+d}",),
    )
