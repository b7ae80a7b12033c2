"""The end of the game, level totals, what is paid, and a group's own customs."""

from __future__ import annotations

from typing import Final

from meldref.authoring.rulebook.model import Chapter, Items, Lists, Sentence, says
from meldref.authoring.rulebook.words import UNIT, number, number_of, points, side_or_player, that
from meldref.core.text import in_words
from meldref.rules.game import only_out_ends
from meldref.ruleset.model import Ruleset


def _by_going_out(rules: Ruleset) -> bool:
    """Whether only whoever goes out at the target wins."""
    return rules.game.ends == "at_target" and rules.game.winner == "player_out"


def _enough(rules: Ruleset) -> str:
    target = points(rules.game.target)
    return f"{target} or more" if rules.game.reached == "at_least" else f"more than {target}"


def _best(rules: Ruleset) -> str:
    return "lowest" if rules.game.winner == "lowest" else "highest"


@says("game.out_at", given=UNIT)
def _out(rules: Ruleset) -> str | None:
    if rules.game.out_at is None:
        return None
    who = side_or_player(rules)
    return (
        f"A {who} with a total of more than {points(rules.game.out_at)} is out, and plays no further hand. The "
        f"last {who} {that(who)} is in wins the game; if a hand puts out all that were left, the lowest of their "
        "totals wins."
    )


@says(
    "game.ends",
    "game.target",
    "game.reached",
    "game.reached_by",
    "game.hands",
    "game.winner",
    given=("game.out_at", *UNIT),
)
def _end(rules: Ruleset) -> str | None:
    if only_out_ends(rules):
        return None
    game, who = rules.game, side_or_player(rules)
    highest = f"the {who} with the {_best(rules)} total wins"
    if game.ends == "after_hands":
        low, high = game.hands
        if low == high:
            return f"The game is over after {number_of(low, 'hand')}, and {highest}."
        return f"The game is over after {_or(low, high)} hands, as agreed, and {highest}."
    if _by_going_out(rules):
        return (
            f"The game is won by going out: it is over when the {who} {that(who)} went out then has a total of "
            f"{_enough(rules)}, and that {who} wins, even if another has a higher total. Until that happens, hand "
            "follows hand."
        )
    if game.reached_by == "player_out":
        return (
            f"The game is over when the {who} {that(who)} went out in the last hand has {_enough(rules)} in all; "
            f"other totals do not end it. Then {highest}."
        )
    return f"The game is over after the hand in which a {who} comes to a total of {_enough(rules)}; {highest}."


def _or(low: int, high: int) -> str:
    return (
        in_words(map(number, range(low, high + 1)), "or") if high - low < 3 else f"{number(low)} to {number(high)}"
    )


@says("game.stop", given=("game.winner", *UNIT))
def _stop(rules: Ruleset) -> str | None:
    if rules.game.stop == "never":
        return None
    who = side_or_player(rules)
    return f"The players may agree to stop before the end: then the {who} with the {_best(rules)} total wins."


def _only_two(rules: Ruleset) -> bool:
    """Whether all that play are level when two are."""
    return rules.players.max <= (4 if side_or_player(rules) == "side" else 2)


@says(
    "game.tie.by",
    "game.tie.who",
    given=("game.ends", "game.winner", "game.stop", "players.max", *UNIT),
)
def _tie(rules: Ruleset) -> str | None:
    if _by_going_out(rules) and rules.game.stop == "never":
        return None
    who, by = side_or_player(rules), rules.game.tie.by
    then = "then " if _by_going_out(rules) else ""
    shared = f"If both {who}s {then}have the same total"
    if not _only_two(rules):
        shared = f"If two {who}s or more {then}share the {_best(rules)} total"
    if by == "sharing":
        return f"{shared}, they share the win."
    if by == "melds_then_hand":
        return (
            f"{shared}, the one of them {that(who)} laid most points in the last hand wins; if that is level too, "
            f"the one {that(who)} held fewest points at its end; if even that is level, they share the win."
        )
    players = before = ""
    if not _only_two(rules):
        everybody = rules.game.tie.who == "all"
        players = " by everybody" if everybody else f" by the tied {who}s alone"
        before = ", tied before or not" if everybody else ""
    if by == "more_hands":
        return f"{shared}, more hands are played{players} until one {who} is ahead{before}."
    return (
        f"{shared}, one more hand is played{players}. Whoever is ahead after it wins{before}; those still level "
        "may share the win, or play another."
    )


@says(
    "settlement.pays",
    "settlement.ratio",
    "settlement.prize",
    "game.bonus",
    given=("game.tie.by", "players.max", *UNIT),
)
def _settlement(rules: Ruleset) -> str | None:
    settlement, who = rules.settlement, side_or_player(rules)
    bonus = ""
    if settlement.pays in {"difference", "chips"} and rules.game.bonus:
        bonus = f"The winner first adds {points(rules.game.bonus)} to the total. "
    payer = f"The other {who} pays" if _only_two(rules) else f"Each other {who} pays"
    match settlement.pays:
        case "nothing":
            return None
        case "prize":
            shared = (
                ""
                if rules.game.tie.by == "more_hands"
                else f"; {who}s {that(who)} share the win share it equally, rounded down"
            )
            prize = f"a prize of {settlement.prize:,}" if settlement.prize else "whatever prize was agreed on"
            return f"The winner gets {prize}{shared}."
        case "difference":
            return f"{bonus}{payer} the winner the difference between their totals."
        case _:
            chips = "one chip" if settlement.ratio == 1 else f"{settlement.ratio:,} chips"
            return f"{bonus}{payer} the winner {chips} for each point that separates their totals."


def _customs(rules: Ruleset) -> Items | None:
    if not rules.customs:
        return None
    return Items(tuple(Sentence(custom, ("customs",)) for custom in rules.customs))


CHAPTERS: Final = (
    Chapter("The end of the game", ((_out, _end, _stop, _tie), (_settlement,))),
    Chapter("Our customs", (Lists(("customs",), (), _customs),)),
)
