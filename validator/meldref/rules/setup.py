"""Players, deck, dealer and deal (P-PLY, P-DECK, P-DEAL, W-DEAL)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldref.core.cards import ACE, JOKER, RANKS, UNKNOWN, Card, card_text, count, rank_of
from meldref.core.text import many
from meldref.position.model import Position
from meldref.rules.base import Binding, Violation
from meldref.rules.declare import code, no_effect
from meldref.ruleset.model import Ruleset

code("setup.players")
code("setup.dealer")
code("setup.deal")
code("setup.deck", undone=True, too_often=True)


def _all_jokers_counted(rules: Ruleset) -> bool:
    """Whether a number of jokers in all is given for every number of players."""
    tables = rules.players.numbers
    return bool(tables) and all(
        rules.deck.jokers_in_all.get(number) is not None for number in tables
    )


no_effect("deck.jokers", by="deck.jokers_in_all", where=_all_jokers_counted)
no_effect("deal.cards", by="deal.cards_by", at="first_card")
no_effect("deal.cut_ace", by="deal.first_dealer", at="anybody")


def turns_up(binding: Binding, position: Position, card: Card) -> Violation | None:
    """Whether an unknown card can turn up: the deck has it, and a copy has no known place."""
    copies = position.copies[card]
    return once_too_often(binding, card, copies) if count(position.seen, card) >= copies else None


def once_too_often(binding: Binding, card: Card, copies: int) -> Violation:
    """A card turns up although all of its copies are known to be elsewhere."""
    key = _key_of_jokers(binding)
    if not copies:
        name = "joker" if card == JOKER else card_text(card)
        return Violation("setup.deck", f"there is no {name} in this deck", key=key)
    return Violation(
        "log.copies",
        f"this is one {card_text(card)} too many: the deck has only {copies}, and "
        f"{'it is' if copies == 1 else 'all are'} elsewhere",
        key=key if card == JOKER else "deck.packs",
    )


def _key_of_jokers(binding: Binding) -> str:
    """The key that says how many jokers there are at this table: in all, or in each pack."""
    in_all = binding.ruleset.deck.jokers_in_all.get(binding.players)
    return "deck.jokers" if in_all is None else f"deck.jokers_in_all.{binding.players}"


def table_size(ruleset: Ruleset, players: int) -> Violation | None:
    """Whether the game is for this many players (P-PLY-01, W-PAR-01, O-PLY-01)."""
    low, high = ruleset.players.min, ruleset.players.max
    if low <= players <= high and ruleset.deck.packs.get(players) is not None:
        return None
    allowed = f"{low}" if low == high else f"{low} to {high}"
    key = "players.min" if players < low else "players.max"
    return Violation(
        "setup.players", f"{many(players, 'player')}: this game is for {allowed} players", key=key
    )


def cards_dealt(
    binding: Binding, playing: int, *, first: bool, first_card: Card = UNKNOWN
) -> range:
    """How many cards a player of a hand may be dealt: one number, if nothing is unknown.

    `first_card` is the player's own (P-DEAL-01, P-DEAL-02, W-DEAL-06, W-DEAL-07, F-DEAL-02).
    """
    ruleset = binding.ruleset
    deal = ruleset.deal
    extra = 1 if first and deal.extra_card == "first_player" else 0
    if deal.cards_by == "first_card":
        jokers = ruleset.copies(JOKER, binding.players)
        if first_card == JOKER or (first_card == UNKNOWN and jokers):
            # A joker has no rank, and nothing is said of one that is dealt first.
            return range(1, ruleset.deck_size(binding.players) + 1)
        if first_card == UNKNOWN:
            return range(size_by(ACE) + extra, size_by(len(RANKS) - 1) + extra + 1)
        number = size_by(first_card)
    else:
        of_table = deal.cards.get(playing)
        number = deal.cards[binding.players] if of_table is None else of_table
    return range(number + extra, number + extra + 1)


def size_by(first_card: Card) -> int:
    """How many cards a player has whose first one says how many more there are (F-DEAL-02)."""
    return 2 + rank_of(first_card)


def ranks_shown(ruleset: Ruleset, dealt: Sequence[Card], *, whole: bool) -> set[int]:
    """The wild ranks that the dealer's first card may show; none if it may be any.

    `dealt` are the dealer's cards as they are written, and whether they are the `whole` hand. They
    come as they were dealt where the first one says how many a player gets, else in any order.
    """
    if ruleset.deal.cards_by == "first_card":
        dealt, whole = dealt[:1], bool(dealt)
    if not (whole and ruleset.melds.wild.shown_by_deal) or {JOKER, UNKNOWN}.intersection(dealt):
        return set()
    return set(map(rank_of, dealt))


def deal_size(
    binding: Binding, player: str, dealt: int, due: range, *, extra: bool
) -> Violation | None:
    """Whether a player was dealt the right number of cards."""
    if dealt in due:
        return None
    key = "deal.cards" if binding.ruleset.deal.cards_by == "number" else "deal.cards_by"
    if extra and (dealt + 1 in due or dealt - 1 in due):
        key = "deal.extra_card"
    least, most = due[0], due[-1]
    right = f"{least}" if least == most else f"{least} to {most}"
    return Violation("setup.deal", f"{player} was dealt {dealt} cards instead of {right}", key=key)


def first_seat(binding: Binding, dealer: int, active: Sequence[int]) -> int:
    """Who takes a hand's first turn (P-TURN-01)."""
    if binding.ruleset.players.first == "dealer" and dealer in active:
        return dealer
    return next_in(dealer, active, binding.players, binding.step)


def next_in(seat: int, active: Sequence[int], players: int, step: int) -> int:
    """The next seat in a direction that plays."""
    for distance in range(1, players):
        other = (seat + step * distance) % players
        if other in active:
            return other
    return seat


def cut_cards(
    binding: Binding, copies: Sequence[int], drawn: Sequence[tuple[str, Card]]
) -> Violation | None:
    """Whether these cards can be drawn for the deal: each player draws one of the deck."""
    names = [name for name, _ in drawn]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        return Violation("log.name", f"{twice} is on this line twice", key="")
    cards = [card for _, card in drawn]
    card = next((card for card in cards if cards.count(card) > copies[card]), None)
    return None if card is None else once_too_often(binding, card, copies[card])


def cut_dealer(ruleset: Ruleset, cards: Mapping[int, Card]) -> tuple[int, ...]:
    """Who deals by the cards drawn (W-DEAL-01, W-DEAL-02); those who tie draw again (W-DEAL-12)."""
    high_ace = ruleset.deal.cut_ace == "high"

    def height(card: Card) -> int:
        if card == JOKER:
            return 14
        rank = rank_of(card)
        return 13 if rank == ACE and high_ace else rank

    heights = {seat: height(card) for seat, card in cards.items()}
    best = min(heights.values()) if ruleset.deal.first_dealer == "lowest" else max(heights.values())
    return tuple(seat for seat, value in heights.items() if value == best)


def next_dealer(
    binding: Binding, dealer: int, winners: Sequence[int] | None, active: Sequence[int]
) -> tuple[int, ...]:
    """Who may deal the next hand (P-DEAL-07, W-DEAL-08); empty if the log does not tell.

    `winners` are those with the best score of the hand, None if it is not known; `active` those
    who play the next hand. The deal passes only by the tied players if they play on without the
    rest.
    """
    rule = binding.ruleset.deal.next_dealer
    if rule == "same":
        return (dealer,)
    if rule == "winner":
        return tuple(winners) if winners else ()
    left = next_in(dealer, range(binding.players), binding.players, binding.deal_step)
    among = next_in(dealer, active, binding.players, binding.deal_step)
    return left, among
