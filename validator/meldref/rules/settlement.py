"""The recorded settlement follows from the totals (W-PER-14, O-CHIP-03)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldref.core.text import in_words
from meldref.position.game import Standing
from meldref.rules.base import Undecided, Violation
from meldref.rules.declare import code, no_effect
from meldref.rules.game import leaders, stands
from meldref.ruleset.model import Ruleset


def compares_totals(ruleset: Ruleset) -> bool:
    """Whether what is paid depends on how far the totals lie apart."""
    return ruleset.settlement.pays not in {"nothing", "prize"}


code("settle.chips")
_paid = "settlement.pays"
no_effect(
    *("settlement.ratio", "game.bonus"), by=_paid, where=lambda rules: not compares_totals(rules)
)
no_effect("settlement.prize", by=_paid, where=lambda rules: rules.settlement.pays != "prize")


def chips(
    ruleset: Ruleset,
    standing: Standing,
    recorded: Mapping[int, int],
    at_table: Standing | None = None,
) -> Violation | Undecided | None:
    """Whether the chips are what the totals give; `at_table` is as for the winner."""
    if ruleset.settlement.pays == "nothing":
        return Violation("settle.chips", "nothing is paid in this game")
    verdict = stands(ruleset, standing)
    totals = [value for value in standing.totals if value is not None]
    if not verdict.known or len(totals) < len(standing.totals):
        return Undecided("what is paid: it depends on something unknown")
    winners = verdict.winners
    if not winners and at_table is not None and stands(ruleset, at_table).winners:
        winners = leaders(ruleset, standing)
    if not winners:
        return Violation("settle.chips", "the game is not over, so nothing is paid yet")
    due = payments(ruleset, totals, winners, standing.hands)
    if due is None:
        return None
    for side, amount in recorded.items():
        if amount != due[side]:
            return Violation(
                "settle.chips",
                f"{standing.names[side]} gets {due[side]}, not {amount}",
                notes=(
                    f"recorded {amount}, computed {due[side]}, difference {amount - due[side]:+d}",
                    *_added(ruleset, standing, totals, winners),
                ),
            )
    return None


def _added(
    ruleset: Ruleset, standing: Standing, totals: Sequence[int], winners: Sequence[int]
) -> Sequence[str]:
    """What house rules add to totals before they are settled, as a note if it is anything."""
    if not compares_totals(ruleset):
        return ()
    awards = awarded(ruleset, totals, winners, standing.hands) or ()
    amounts = [
        f"{points:+d} for {standing.names[side]}" for side, points in enumerate(awards) if points
    ]
    return (f"house rules add to the totals first: {in_words(amounts)}",) if amounts else ()


def awarded(
    ruleset: Ruleset, totals: Sequence[int], winners: Sequence[int], hands: int
) -> list[int] | None:
    """The points that house rules add to each side's total once the game is over.

    None if their conditions take more work than they may.
    """
    awards = [rule for rule in ruleset.house_rules if rule.for_game]
    if not awards:
        return [0] * len(totals)
    # Rulesets without house rules do not need their language.
    from meldref.rules.bound import awards_of_game  # noqa: PLC0415

    return awards_of_game(awards, totals, winners, hands)


def payments(
    ruleset: Ruleset, totals: Sequence[int], winners: Sequence[int], hands: int
) -> list[int] | None:
    """What each side gains (negative: pays), by the final totals; None if nothing is settled.

    What house rules award for the game, after as many `hands`, joins the totals first. With several
    winners only a prize can be shared, rounded down to whole chips for each of them; a difference
    or chips go to one.
    """
    settlement = ruleset.settlement
    if settlement.pays == "nothing" or not winners:
        return None
    gains = [0] * len(totals)
    if settlement.pays == "prize":
        for winner in winners:
            gains[winner] = settlement.prize // len(winners)
        return gains
    if len(winners) > 1:
        return None
    awards = awarded(ruleset, totals, winners, hands)
    if awards is None:
        return None
    totals = [total + points for total, points in zip(totals, awards, strict=True)]
    best = winners[0]
    better = -1 if ruleset.game.winner == "lowest" else 1
    top = better * totals[best] + ruleset.game.bonus
    ratio = settlement.ratio if settlement.pays == "chips" else 1
    for side, total in enumerate(totals):
        if side != best:
            gains[side] = -(top - better * total) * ratio
            gains[best] += (top - better * total) * ratio
    return gains
