"""What a meld is, once more and without the library: every way is tried, nothing is clever.

Kinds and settings are the ruleset's records; the definitions here share no code with
`meldref.melds`.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations, pairwise, product

from meldref.core.cards import ANY_SUIT, JOKER, RANKS, Played

RED = {1, 2}


def run_orders(kind, roles):
    """The orders in which these natural cards follow each other in rank, aces where the kind has them."""
    size = len(roles)
    if size > 13:
        return []
    found = []
    for start in range(13):
        wanted = [(start + step) % 13 for step in range(size)]
        if sorted(wanted) != sorted(role % 13 for role in roles):
            continue
        if size == 13 and start > 1:
            continue
        inside = 0 in wanted[1:-1]
        first = wanted[0] == 0
        last = wanted[-1] == 0
        allowed = (
            (first and "low" in kind.ace)
            or (last and "high" in kind.ace)
            or "around" in kind.ace
            or not (first or last or inside)
        )
        if allowed and not (inside and "around" not in kind.ace):
            found.append(
                tuple(sorted(roles, key=lambda role, wanted=wanted: wanted.index(role % 13)))
            )
    return found


def orders(kind, roles, packs, jokers):
    """The orders in which whole cards are a meld of this kind: none, one, or two for a run of thirteen."""
    copies = Counter(roles)
    if not kind.min_size <= len(roles) <= kind.max_size:
        return []
    if any(number > (jokers if role == JOKER else packs) for role, number in copies.items()):
        return []
    if kind.only is not None:
        for role in roles:
            if ("joker" if role == JOKER else RANKS[role % 13]) not in kind.only:
                return []
    require = set(kind.require)
    if JOKER in roles:
        return [] if require else [tuple(sorted(roles))]
    ranks = [role % 13 for role in roles]
    suits = [role // 13 for role in roles]
    reds = [suit in RED for suit in suits]
    if "same_rank" in require and len(set(ranks)) > 1:
        return []
    if "same_suit" in require and len(set(suits)) > 1:
        return []
    if "same_colour" in require and len(set(reds)) > 1:
        return []
    if "distinct_suits" in require and len(set(suits)) < len(suits):
        return []
    if "distinct_ranks" in require and len(set(ranks)) < len(ranks):
        return []
    if "consecutive_ranks" in require:
        found = run_orders(kind, roles)
        if "alternating_colours" in require:
            found = [
                order
                for order in found
                if all((a // 13 in RED) != (b // 13 in RED) for a, b in pairwise(order))
            ]
        return found
    if "alternating_colours" in require and abs(reds.count(True) - reds.count(False)) > 1:
        return []
    return [tuple(sorted(roles))]


ANY_NUMBER = 99  # of packs: as many as a group can use


def takes_more(kind, wild):
    """Whether wild cards may be more cards of a rank than there are: in groups that only ask for one rank."""
    require = set(kind.require)
    others = {"distinct_suits", "distinct_ranks", "consecutive_ranks"} & require
    return "same_rank" in require and not others and bool(wild.cards) and wild.twins == "allowed"


def are_there(naturals, packs, jokers):
    """Whether the deck has these cards."""
    return all(
        number <= (jokers if card == JOKER else packs) for card, number in Counter(naturals).items()
    )


def wild_jokers(wild):
    return "joker" in wild.cards


def wild_cards(wild, wild_rank=None):
    """All wild cards."""
    ranks = [face for face in wild.cards if face in RANKS]
    if "named" in wild.cards and wild_rank is not None:
        ranks.append(RANKS[wild_rank])
    naturals = {card for card in range(52) if RANKS[card % 13] in ranks}
    return naturals | ({JOKER} if wild_jokers(wild) else set())


def options(played, wild):
    """All whole cards that one card can count as, whatever it is laid with."""
    card, role = played
    if role is None and card == JOKER and wild_jokers(wild):
        return list(range(53))
    if role is None or role == card:
        return [card]
    if role >= ANY_SUIT:
        return [role - ANY_SUIT + 13 * suit for suit in range(4)]
    return [role] if role != JOKER else []


def keeps_colour(card, role, wild):
    """Whether a wild card may stand for another card by its colour; jokers have none."""
    if wild.colour == "any" or JOKER in {card, role}:
        return True
    return (card // 13 in RED) == (role // 13 in RED)


def is_itself(played, wild):
    card, role = played
    return (role is None and not (card == JOKER and wild_jokers(wild))) or role == card


def readings(kinds, wild, cards, packs, jokers, barred=0):
    """Every legal reading, by trying every card for every wild one.

    A reading is the kind's name and the roles of cards as `sort_interchangeable` has them. A wild
    card in a kind of one rank has a rank for its role, unless suits are stated.
    """
    found = {}
    bare = [played.role is None and not is_itself(played, wild) for played in cards]
    naturals = sum(
        is_itself(played, wild) and not (played.card == JOKER and wild_jokers(wild))
        for played in cards
    )
    if any(wild.cards) and naturals < wild.naturals:
        return set()
    for kind in kinds:
        opens = "same_rank" in kind.require and wild.suit_in_group == "open"
        given = [
            Played(card, ANY_SUIT + role % 13) if opens and role is not None and role != card and role < JOKER
            else Played(card, role)
            for card, role in cards
        ]  # fmt: skip
        ways = list(product(*(options(played, wild) for played in given)))
        in_deck = [roles for roles in ways if orders(kind, roles, packs, jokers)]
        naturals_laid = [card for card, role in cards if is_itself(Played(card, role), wild)]
        if not in_deck and takes_more(kind, wild) and are_there(naturals_laid, packs, jokers):
            in_deck = [roles for roles in ways if orders(kind, roles, ANY_NUMBER, jokers)]
        for roles in in_deck:
            if any(
                not is_itself(played, wild) and role != JOKER and barred >> role & 1
                for played, role in zip(cards, roles, strict=True)
            ):
                continue
            if not opens and not all(
                keeps_colour(played.card, role, wild)
                for played, role in zip(cards, roles, strict=True)
            ):
                continue
            counts_as = [
                ANY_SUIT + role % 13 if opens and not is_itself(played, wild) else role
                for played, role in zip(cards, roles, strict=True)
            ]
            found.setdefault(sort_interchangeable(cards, counts_as, bare), kind.name)
    return {(name, *roles) for roles, name in found.items()}


def sort_interchangeable(cards, roles, bare):
    """The roles of cards that are said whole; sorted, those said by rank alone, and those of bare jokers.

    Which of two such cards has which role makes no other meld.
    """
    whole, ranked, free = [], [], []
    for played, role, is_bare in zip(cards, roles, bare, strict=True):
        by_rank = played.role is not None and played.role >= ANY_SUIT
        (free if is_bare else ranked if by_rank else whole).append(role)
    return tuple(whole), tuple(sorted(ranked)), tuple(sorted(free))


@lru_cache(maxsize=1000)  # asked of one shape for each way to answer
def fits(kind, wild, roles, card, packs, jokers):
    """Whether a card, as itself, extends a shape with these roles.

    Where wild cards make more of a rank than there are, all of its cards do once the deck has no more; where
    suits are stated, they always do: nothing says which of two cards is the wild one.
    """
    opened = [
        [role - ANY_SUIT + 13 * suit for suit in range(4)] if role >= ANY_SUIT else [role]
        for role in roles
    ]
    wholes = list(product(*opened))
    stated = wild.suit_in_group == "stated"
    if takes_more(kind, wild) and (
        stated
        or not any(
            orders(kind, (*whole, other), packs, jokers) for whole in wholes for other in range(52)
        )
    ):
        packs = ANY_NUMBER
    return any(orders(kind, (*whole, card), packs, jokers) for whole in wholes)


def natural_melds(kind, packs, jokers, faces):
    """Every set of natural cards and jokers, of these ranks alone, that is a meld of this kind."""
    deck = [card for card in range(52) if RANKS[card % 13] in faces for _ in range(packs)] + [
        JOKER
    ] * jokers
    found = set()
    for size in range(kind.min_size, kind.max_size + 1):
        for roles in set(combinations(deck, size)):
            found.update(orders(kind, roles, packs, jokers))
    return found


def melds_in(kinds, wild, hand, packs, jokers, wild_rank=None):
    """Every meld of all or some of the cards of a hand, as sorted pairs of card and role (-1: itself)."""
    wilds = wild_cards(wild, wild_rank)
    found = set()
    for size in range(1, len(hand) + 1):
        for cards in set(combinations(sorted(hand), size)):
            ways = product(*(((False, True) if card in wilds else (False,)) for card in cards))
            for as_wild in ways:
                found.update(_meld_ways(kinds, wild, cards, as_wild, packs, jokers))
    return found


def _meld_ways(kinds, wild, cards, as_wild, packs, jokers):
    """The melds of all these cards in which just those said to be are wild, standing for another card."""
    naturals = sum(
        not is_wild and not (card == JOKER and wild_jokers(wild))
        for card, is_wild in zip(cards, as_wild, strict=True)
    )
    if any(wild.cards) and naturals < wild.naturals:
        return
    for kind in kinds:
        if not kind.min_size <= len(cards) <= kind.max_size:
            continue
        opens = "same_rank" in kind.require and wild.suit_in_group == "open"
        enough = ANY_NUMBER if takes_more(kind, wild) and any(as_wild) else packs
        choices = [
            range(52) if is_wild else [card] for card, is_wild in zip(cards, as_wild, strict=True)
        ]
        for roles in product(*choices):
            if not orders(kind, roles, enough, jokers):
                continue
            laid = []
            for card, is_wild, role in zip(cards, as_wild, roles, strict=True):
                if not is_wild:
                    laid.append((card, -1))
                elif opens:
                    laid.append((card, ANY_SUIT + role % 13))
                elif role == card or not keeps_colour(card, role, wild):
                    break
                else:
                    laid.append((card, role))
            else:
                yield tuple(sorted(laid))
