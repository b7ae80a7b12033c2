"""The players, the cards, and the deal."""

from __future__ import annotations

from typing import Final

from meldref.authoring.rulebook.model import Chapter, says
from meldref.authoring.rulebook.score import JOKERS
from meldref.authoring.rulebook.words import (
    NEIGHBOUR,
    UNIT,
    capital,
    folded,
    for_players,
    neighbour,
    number,
    number_of,
    span,
    tables,
)
from meldref.core.text import in_words
from meldref.ruleset.model import Ruleset, has_jokers, jokers_for


@says("players.min", "players.max")
def _how_many(rules: Ruleset) -> str:
    low, high = rules.players.min, rules.players.max
    return (
        f"{capital(span(low, high, 'player'))} can play." if low < high else f"This is a game for {number(low)}."
    )


@says("partnership.sides", "partnership.score")
def _sides(rules: Ruleset) -> str | None:
    if rules.partnership.sides == "none":
        return None
    scoring = {
        "together": "and score together: what partners lay and hold is counted as one",
        "apart": "but each keeps a score of their own",
    }[rules.partnership.score]
    return f"Players who sit opposite each other are partners, {scoring}."


@says("deck.packs", "deck.jokers", "deck.jokers_in_all", given=("players.min", "players.max"))
def _packs(rules: Ruleset) -> str:
    groups: dict[tuple[int, int], list[int]] = {}
    for players in tables(rules):
        groups.setdefault((rules.deck.packs[players], jokers_for(rules, players)), []).append(players)
    if len(groups) == 1:
        return f"Play with {_deck(*next(iter(groups)))}."
    by_table = [
        f"with {for_players(counts, rules.players.max)}, play with {_deck(*deck)}"
        for deck, counts in groups.items()
    ]
    return capital("; ".join(by_table)) + "."


def _deck(packs: int, jokers: int) -> str:
    if packs == 1:
        extra = f" and {number_of(jokers, 'joker')} ({52 + jokers} cards in all)" if jokers else ", without jokers"
        return f"one pack of 52 cards{extra}"
    extra = f", {number_of(jokers, 'joker')} among them" if jokers else ", without jokers"
    return f"{number(packs)} packs shuffled together ({packs * 52 + jokers} cards in all{extra})"


@says("players.direction", given=("players.max",))
def _direction(rules: Ruleset) -> str | None:
    if rules.players.max == 2:
        return None
    clockwise = rules.players.direction == "clockwise"
    way, side = ("clockwise", "left") if clockwise else ("counterclockwise", "right")
    return f"Turns pass {way}: after you, the player on your {side} plays."


@says("deal.first_dealer", "deal.cut_ace", given=JOKERS)
def _first_dealer(rules: Ruleset) -> str:
    who = rules.deal.first_dealer
    if who == "anybody":
        return "Agree on who deals first, in any way you like."
    places = {"low": "ranks below the two", "high": "ranks above the king"}[rules.deal.cut_ace]
    joker = ", and a joker above all" if has_jokers(rules) else ""
    return (
        f"Everybody draws a card from the shuffled pack, and whoever draws the {who} deals first. In this draw an "
        f"ace {places}{joker}; those who draw equal cards for the deal draw again."
    )


@says("melds.wild.cards")
def _named_rank(rules: Ruleset) -> str | None:
    if "named" not in rules.melds.wild.cards:
        return None
    return "Before the cards are dealt, the dealer names a rank: the cards of that rank are wild in this hand."


@says("deal.cards", given=("players.min", "players.max"))
def _cards(rules: Ruleset) -> str:
    groups = folded(rules.deal.cards, tables(rules))
    usual = max(groups, key=lambda group: len(group[1]))
    rest = [group for group in groups if group is not usual]
    others = [f"{number(dealt)} with {for_players(players, rules.players.max)}" for dealt, players in rest]
    but = f" ({in_words(others)})" if others else ""
    return f"The dealer shuffles and deals {number_of(usual[0], 'card')} to each player{but}, one at a time."


@says("deal.extra_card")
def _extra_card(rules: Ruleset) -> str | None:
    if rules.deal.extra_card == "nobody":
        return None
    return "The player who has the first turn is dealt one card more."


@says("deal.up_card")
def _up_card(rules: Ruleset) -> str:
    stock = "The rest of the cards lie face down in the middle as the stock."
    if rules.deal.up_card == "turned":
        return f"{stock} Turn its top card face up and lay it beside the stock: it begins the discard pile."
    return f"{stock} Nothing is turned up: the discard pile begins with the first discard."


def _first_player(rules: Ruleset) -> str:
    return "the dealer" if rules.players.first == "dealer" else neighbour(rules, "the dealer")


@says("players.first", given=NEIGHBOUR)
def _first(rules: Ruleset) -> str:
    return f"{capital(_first_player(rules))} has the first turn."


@says("deal.first_turn")
def _first_turn(rules: Ruleset) -> str | None:
    if rules.deal.first_turn == "draws":
        return None
    return "The first turn of a hand has no draw: its player may lay cards, and then discards."


@says("deal.next_dealer", given=(*NEIGHBOUR, *UNIT, "game.winner"))
def _next_dealer(rules: Ruleset) -> str:
    match rules.deal.next_dealer:
        case "same":
            return "The same player deals every hand."
        case "winner":
            together = rules.partnership.sides == "opposite" and rules.partnership.score == "together"
            who = "one of the side that" if together else "the player who"
            most = "least" if rules.game.winner == "lowest" else "most"
            return f"From then on, {who} scored {most} in a hand deals the next one."
        case _:
            if rules.players.max == 2:
                return "After that, the two players deal in turn."
            return f"After each hand the deal passes to {neighbour(rules, 'the dealer')}."


CHAPTERS: Final = (
    Chapter("Players and cards", ((_how_many, _sides, _packs, _direction),)),
    Chapter(
        "The deal",
        (
            (_first_dealer, _next_dealer),
            (_named_rank, _cards, _extra_card, _up_card),
            (_first, _first_turn),
        ),
    ),
)
