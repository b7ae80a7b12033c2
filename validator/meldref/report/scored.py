"""A hand that was counted and the score sheet of a game, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.core.cards import card_text
from meldref.core.text import in_csv, in_words, with_verb
from meldref.report.json import Data, facts, origin_data
from meldref.report.style import in_columns
from meldref.report.text import rules_text
from meldref.rules.game import only_out_ends
from meldref.scoring.counting import CountedHand, GameSheet


def counted_text(hand: CountedHand, *, quiet: bool = False) -> Iterator[str]:
    """Each play and card with its points, then each side's sum with the settings behind it.

    `quiet`: only the scores.
    """
    if quiet:
        yield from (f"{side.name} {side.score}" for side in hand.sides)
        return
    named = len(hand.sides) > 1
    held = [(name, f"holds {card_text(card)}", points) for name, card, points in hand.held]
    rows = []
    for name, text, points in (*hand.plays, *held):
        entry = f"{name}: {text}" if named else text
        rows.append((entry, f"{points:>4}"))
    yield from in_columns(rows)
    for side in hand.sides:
        yield f"{side.name}: {side.text}" if named else side.text
        yield from (f"  = rule: {text}" for text in rules_text(side.rules))


def counted_data(hand: CountedHand) -> dict[str, Data]:
    """Data for programs."""
    return {
        "plays": [
            {"player": name, "play": play, "points": points} for name, play, points in hand.plays
        ],
        "held": [
            {"player": name, "card": card_text(card), "points": points}
            for name, card, points in hand.held
        ],
        "sides": [
            {
                **facts(side, "name", "score"),
                "sum": side.text,
                "rules": [origin_data(rule) for rule in side.rules],
            }
            for side in hand.sides
        ],
    }


def sheet_text(sheet: GameSheet) -> Iterator[str]:
    """The hands in columns, the totals, and how the game stands."""
    rows = [["hand", *sheet.names]]
    for place, hand in enumerate(sheet.hands):
        rows.append([str(hand.hand), *_cells(sheet, place, "-")])
    rows.append(["total", *map(_number, sheet.totals)])
    if sheet.paid is not None:
        rows.append(["paid", *(f"{amount:+d}" for amount in sheet.paid)])
    yield from in_columns(rows, rest=">")
    yield _stands(sheet)


def sheet_data(sheet: GameSheet) -> dict[str, Data]:
    """Data for programs; None stands for what is not known."""
    verdict, game = sheet.verdict, sheet.ruleset.game
    hands: list[Data] = [
        {
            "hand": hand.hand,
            "scores": list(_scores(sheet, place)),
            **({"absent": list(hand.absent)} if hand.absent else {}),
        }
        for place, hand in enumerate(sheet.hands)
    ]
    winners = verdict.winners if verdict.over else ()
    return {
        "names": list(sheet.names),
        "hands": hands,
        "totals": list(sheet.totals),
        "target": game.target if game.ends == "at_target" else None,
        "over": verdict.over if verdict.known else None,
        "winners": [sheet.names[side] for side in winners],
        "paid": None if sheet.paid is None else list(sheet.paid),
    }


def _scores(sheet: GameSheet, place: int) -> Sequence[int | None]:
    """A hand's score of each side: as computed, else as recorded."""
    hand = sheet.hands[place]
    computed, recorded = hand.computed or {}, hand.recorded or {}
    return [computed.get(name, recorded.get(name)) for name in sheet.names]


def _cells(sheet: GameSheet, place: int, absent: str) -> list[str]:
    """A hand's scores as they are written, with a sign for who did not play it."""
    away = sheet.hands[place].absent
    scores = zip(sheet.names, _scores(sheet, place), strict=True)
    return [absent if name in away else _number(score) for name, score in scores]


def sheets_csv(sheets: Sequence[GameSheet]) -> Iterator[str]:
    """The sheets as CSV, a blank line between games: hands in rows, then the totals.

    A cell is empty where somebody did not play the hand, `?` where the score is not known.
    """
    for number, sheet in enumerate(sheets):
        if number:
            yield ""
        yield ",".join(map(in_csv, ("hand", *sheet.names)))
        for place, hand in enumerate(sheet.hands):
            yield ",".join((str(hand.hand), *_cells(sheet, place, "")))
        yield ",".join(("total", *map(_number, sheet.totals)))


def _number(score: int | None) -> str:
    return "?" if score is None else str(score)


def _stands(sheet: GameSheet) -> str:
    verdict, game = sheet.verdict, sheet.ruleset.game
    if not verdict.known:
        return "whether the game is over depends on what is not known"
    if verdict.over:
        winners = [sheet.names[side] for side in verdict.winners]
        return f"the game is over: {with_verb(winners, 'wins', 'win')}"
    if verdict.tied:
        return (
            f"the game goes on: {in_words([sheet.names[side] for side in verdict.tied])} are level"
        )
    if game.ends == "after_hands":
        low, high = game.hands
        return f"the game goes on, to {low if low == high else f'{low}-{high}'} hands"
    if only_out_ends(sheet.ruleset):
        return f"the game goes on, until all but one have more than {game.out_at}"
    return f"the game continues to {game.target}"
