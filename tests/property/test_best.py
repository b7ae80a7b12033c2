"""The best way to lay down a hand is legal, brings what it says, and nothing brings more."""

import random

import pytest

import best_oracle as oracle
from meldref.core.cards import JOKER, Played, counted, each, played_text, size
from meldref.rulefiles.load import load_ruleset
from meldref_table.best import best_at, terms_for
from meldref_table.best.choice import catalogue
from meldref_table.best.options import Offers
from meldref_table.best.packing import Field, Packing
from meldref_table.best_plays import best_plays, legal_turns
from tiers import examples

UNTABLED = "a kind too large for a table"

RULES = {
    "500 Rummy": ("500-rummy",),
    "no wild cards": ("500-rum",),
    "four at once twice": ("persian-rummy",),
    "floating": ("gilfoy-500-rummy",),
    "jokers as what they stand for, a card kept": ("online-rummy-500",),
    "two packs": ("500-rummy", "deck.packs=2", "deck.jokers=2"),
    "four aces": ("500-rummy", "scoring.four_aces=100", "scoring.low_ace=5"),
    "four aces that cost": ("500-rummy", "scoring.four_aces=10"),
    "first points": ("500-rummy", "melds.first_points=40"),
    "first points, a card kept": (
        "500-rummy",
        "melds.first_points=30",
        "out.melding_all=forbidden",
    ),
    "no lay-off before a meld": ("500-rummy", "layoff.before_melding=forbidden"),
    "own melds alone": ("500-rummy", "layoff.onto=own"),
    "no lay-offs": ("500-rummy", "layoff.onto=nothing", "scoring.four_at_once=2"),
    "for the melder": ("500-rummy", "layoff.counts_for=melder"),
    "two naturals": ("500-rummy", "melds.wild.naturals=2"),
    "no naturals": ("500-rummy", "melds.wild.naturals=0", "deck.jokers=4"),
    "no twins": ("500-rummy", "melds.wild.twins=forbidden", "deck.packs=2", "deck.jokers=2"),
    "stated suits": ("500-rummy", "melds.wild.suit_in_group=stated"),
    "jokers and four at once": ("500-rummy", "scoring.four_at_once=3"),
    "deuces wild": ("500-rummy", "melds.wild.cards=[joker, 2]"),
    "deuces wild and stated": (
        "500-rummy",
        "melds.wild.cards=[2]",
        "melds.wild.suit_in_group=stated",
    ),
    "deuces wild, of their colour": (
        "500-rummy",
        "melds.wild.cards=[joker, 2]",
        "melds.wild.colour=same",
    ),
    "deuces wild and stated, of their colour": (
        "500-rummy",
        "melds.wild.cards=[joker, 2]",
        "melds.wild.suit_in_group=stated",
        "melds.wild.colour=same",
    ),
    "aces wild": ("500-rummy", "melds.wild.cards=[joker, A]", "scoring.four_aces=50"),
    "round the corner": (
        "500-rummy",
        "melds.kinds.sequence.ace=[low, high, around]",
        "scoring.four_at_once=2",
    ),
    "a queen that costs": ("500-rummy", "scoring.values={Qs: -13}"),
    "a dear low ace": (
        "500-rummy",
        "scoring.low_ace=25",
        "melds.kinds.sequence.ace=[low, high, around]",
    ),
    "an ace as dear as its place": (
        "500-rummy",
        "scoring.high_ace=30",
        "scoring.around_ace=2",
        "scoring.four_at_once=2",
        "melds.kinds.sequence.ace=[low, high, around]",
    ),
    "an ace dear in the middle": (
        "500-rummy",
        "scoring.high_ace=3",
        "scoring.around_ace=40",
        "scoring.wild=represented",
        "melds.kinds.sequence.ace=[low, high, around]",
    ),
    "large groups": (
        "500-rummy",
        "melds.kinds.group.size=3-6",
        "melds.kinds.group.require=[same_rank]",
    ),
    "large groups, four at once": (
        "500-rummy",
        "melds.kinds.group.size=3-6",
        "melds.kinds.group.require=[same_rank]",
        "scoring.four_at_once=2",
        "deck.packs=2",
    ),
    "large groups, four aces": (
        "500-rummy",
        "melds.kinds.group.size=3-6",
        "melds.kinds.group.require=[same_rank]",
        "scoring.four_aces=90",
        "deck.packs=2",
    ),
    "wild ranks and four at once": (
        "500-rummy",
        "melds.wild.cards=[joker, 2, 3]",
        "scoring.four_at_once=2",
    ),
    "pairs and short runs": (
        "500-rummy",
        "melds.kinds.group.size=2-4",
        "melds.kinds.sequence.size=2-5",
    ),
    "two kinds claim cards": (
        "500-rummy",
        "melds.kinds.flush={size: 4, require: [same_suit, distinct_ranks]}",
    ),
    "jokers of their own": (
        "500-rummy",
        "melds.kinds.jokers={size: 2-4, require: [only: [joker]]}",
        "melds.wild.naturals=0",
    ),
    UNTABLED: ("500-rummy", "melds.kinds.any={size: 3, require: [same_colour]}"),
    "hands do not count": ("500-rummy", "scoring.hands=ignore"),
}

COSTLY = (
    UNTABLED,
    "two kinds claim cards",
    "wild ranks and four at once",
    "aces wild",
    "large groups, four at once",
)
"""Where trying everything takes long: fewer and smaller hands will do."""


def ruleset(name):
    rules, *settings = RULES[name]
    found, findings = load_ruleset(rules, (), tuple(settings))
    assert found is not None, findings
    return found


def few_ranks(rng, rules, players, most):
    """A hand in which much can be melded: cards of few ranks, with jokers, in any order."""
    first, width = rng.randrange(13), rng.choice((4, 5, 13))
    deck = [card for card in range(52) if (card - first) % 13 < width] * rules.deck.packs[players]
    jokers = min(rng.choice((0, 1, 2, 3)), rules.copies(JOKER, players))
    hand = rng.sample(deck, rng.randint(3, most - jokers)) + [JOKER] * jokers
    rng.shuffle(hand)
    return hand


def table_beside(rng, rules, hand, players):
    """Up to two melds of cards that are not in the hand, each laid by somebody."""
    found = oracle.built(rules, hand, (), players)
    deck = [card for card in range(53) for _ in range(rules.copies(card, len(players)))]
    rest = counted(deck) - counted(hand)
    table = []
    for _ in range(rng.choice((0, 1, 1, 2))):
        some = list(each(rest))
        rng.shuffle(some)
        melds = list(found.position.book.melds_in(counted(some[:16]), limit=60))
        if melds:
            meld = rng.choice(melds)
            rest -= counted(card for card, _ in meld)
            table.append({rng.choice(players): " ".join(map(played_text, meld))})
    return table


@pytest.mark.parametrize("name", RULES)
def test_nothing_that_can_be_played_brings_more(name):
    rules = ruleset(name)
    rng = random.Random(name)
    players = "ABCD"[: max(rules.players.min, 2)]
    for number in range(2 if name in COSTLY else 6):
        hand = few_ranks(rng, rules, len(players), 6 if name in COSTLY else 8)
        table = [] if name == UNTABLED else table_beside(rng, rules, hand, players)
        found = oracle.built(rules, hand, table, players)
        goal = ("score", "points")[number % 2]
        best = best_at(found.judge, found.position, goal)
        wanted = oracle.most(found, goal)
        assert (best.gain, len(hand) - size(best.left)) == wanted, (hand, table, best)
        position = oracle.played(found, best)
        assert oracle.gained(found, found.position, position, goal) == wanted, (hand, table, best)
        assert position.hands[0] == best.left
        assert sum(best.brings) == best.points
        assert best.bound == best.gain


OF_TURNS = {
    "exchanged for the hand": ("online-rummy-500",),
    "exchanged at the ends": ("online-rummy-500", "melds.wild.swap=at_end"),
    "exchanged to the end": ("online-rummy-500", "melds.wild.swapped=to_end"),
    "exchanged once a meld is dear": ("online-rummy-500", "melds.first_points=30"),
    "exchanged and laid in the turn": ("kalooki-40",),
    "exchanged, in a contract": ("shanghai-rummy",),
    "a contract": ("contract-rummy",),
    "a hand laid whole": ("three-thirteen",),
    "a hand laid whole or not": (
        "basic-rummy",
        "house_rules.whole={forbid: end, when: count(turn.melds) > 0 and player.cards > 0, says: No.}",
    ),
}
"""Where more than the cards decides how a turn may end, or wild cards are exchanged."""


@pytest.mark.parametrize("name", OF_TURNS)
def test_what_is_proved_is_the_most_that_a_whole_turn_brings(name):
    rules, *settings = OF_TURNS[name]
    rules, findings = load_ruleset(rules, (), tuple(settings))
    assert rules is not None, findings
    rng = random.Random(name)
    players = "ABCD"[: max(rules.players.min, 2)]
    for _ in range(examples(240)):
        hand = few_ranks(rng, rules, len(players), 8)
        found = oracle.built(rules, hand, table_beside(rng, rules, hand, players), players)
        _, found = rng.choice(found.in_hands or [("the only hand", found)])
        best = best_plays(found, "points")
        assert best.bound == best.gain
        assert oracle.played(found, best).hands[0] == best.left
        turns, search = legal_turns(found)
        if search.complete:
            assert best.gain == max([turn.points for turn in turns], default=0), (hand, best)


@pytest.mark.parametrize(
    "name",
    ["500 Rummy", "jokers as what they stand for, a card kept", "two packs", "four at once twice"],
)
def test_what_is_best_for_many_cards_can_be_played(name):
    rules = ruleset(name)
    rng = random.Random(name)
    players = "ABCD"[: max(rules.players.min, 2)]
    packs, jokers = rules.deck.packs[len(players)], rules.copies(JOKER, len(players))
    for _ in range(5):
        hand = rng.sample(list(range(52)) * packs, 24) + [JOKER] * min(jokers, 4)
        found = oracle.built(rules, hand, (), players)
        best = best_at(found.judge, found.position)
        position = oracle.played(found, best)
        assert oracle.gained(found, found.position, position, "score")[0] == best.gain


def test_more_cards_never_bring_less():
    rules = ruleset("500 Rummy")
    rng = random.Random("more")
    for _ in range(20):
        hand = [*rng.sample(range(52), 17), JOKER]
        gains = []
        for number in (9, 13, 18):
            found = oracle.built(rules, hand[-number:])
            gains.append(best_at(found.judge, found.position).gain)
        assert gains == sorted(gains)


def test_the_answer_is_the_same_however_the_hand_is_sorted():
    rules = ruleset("500 Rummy")
    hand = [*random.Random(3).sample(range(52), 16), JOKER, JOKER]
    one, other = (oracle.built(rules, row) for row in (hand, hand[::-1]))
    assert best_at(one.judge, one.position) == best_at(other.judge, other.position)


def test_played_cards_say_what_wild_cards_stand_for():
    rules = ruleset("500 Rummy")
    found = oracle.built(rules, [JOKER, 4, 5, 20, 33, 46])
    best = best_at(found.judge, found.position)
    assert all(card.role is not None for meld in best.melds for card in meld if card.card == JOKER)
    assert Played(JOKER) not in [card for meld in best.melds for card in meld]


@pytest.mark.sweep
def test_what_two_melds_equal_is_left_out_for_nothing():
    rng = random.Random("whole")
    for name in (
        "500 Rummy",
        "jokers and four at once",
        "round the corner",
        "no naturals",
        "deuces wild",
    ):
        terms = terms_for(ruleset(name), 2)
        for _ in range(6):
            jokers = rng.choice((0, 2, min(4, terms.jokers)))
            hand = counted([*rng.sample(range(52), 13), *[JOKER] * jokers])
            offers = [
                Offers(terms, catalogue(terms), hand, (), 0, whole=whole) for whole in (False, True)
            ]
            least, most = (one.packing().solve(one.every) for one in offers)
            assert least == most
            assert len(offers[0].worth) <= len(offers[1].worth)


def test_a_choice_is_the_best_of_all_choices():
    rng = random.Random("packing")
    for _ in range(150):
        fields, copies_of, shift = [], [], 0
        for _ in range(rng.randint(2, 6)):
            copies = rng.choice((1, 1, 2, 3))
            fields.append(Field.at(shift, copies, most=40))
            copies_of.append(copies)
            shift = fields[-1].end
        every = sum(field.unit * copies for field, copies in zip(fields, copies_of, strict=True))
        worth = {}
        for _ in range(rng.randint(1, 8)):
            cards = sum(
                field.unit * rng.choice((0, 0, 0, 1, copies))
                for field, copies in zip(fields, copies_of, strict=True)
            )
            if cards:
                worth[cards] = rng.randint(0, 39)
        packing = Packing(fields, worth)
        assert packing.solve(every) == by_trying(fields, worth, every)
        chosen = packing.chosen(every)
        assert sum(map(worth.get, chosen)) == packing.solve(every)
        assert within(fields, sum(chosen), every)


def within(fields, cards, whole):
    """Whether a whole has all of these cards, each counted in its field."""
    return all((cards & field.mask) <= (whole & field.mask) for field in fields)


def by_trying(fields, worth, rest):
    """The most that offers bring together, each of them as often as there are cards for it."""
    return max(
        (
            value + by_trying(fields, worth, rest - cards)
            for cards, value in worth.items()
            if within(fields, cards, rest)
        ),
        default=0,
    )
