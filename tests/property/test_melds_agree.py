"""Tables, the solver and a search that tries everything say the same about kinds nobody has thought of."""

import random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import melds_oracle
from meldref.core.cards import ANY_SUIT, JOKER, RANKS, Played, bits_of, counted
from meldref.melds import Fault, MeldIndex, Reading, solver
from meldref.melds import interpret as readings_module
from meldref.melds.kinds import Pattern
from meldref.melds.lay_off_index import NaturalMelds, Solved
from meldref.ruleset.model import Kind
from melds_hand import WILD, wild_rules
from tiers import examples

GROUP = Kind("group", 3, 4, ("same_rank", "distinct_suits"))
SEQUENCE = Kind("sequence", 3, 13, ("same_suit", "consecutive_ranks"))

REQUIRE = (
    "same_rank",
    "same_suit",
    "same_colour",
    "distinct_suits",
    "distinct_ranks",
    "consecutive_ranks",
    "alternating_colours",
)
LIMITS = (0, 1000)
"""With a limit of 0 everything is solved when asked, else what is modest is tabled."""

MODEST = 20_000
"""No more melds than this, where each question is solved anew."""

ACES = (("low", "high"), ("low",), ("high",), ("around",), ("low", "high", "around"), ())

checked = settings(
    derandomize=True, max_examples=examples(100), suppress_health_check=list(HealthCheck)
)


@st.composite
def kinds(draw, name="kind", sizes=(1, 4)):
    """Any kind of meld the ruleset format can say."""
    least = draw(st.integers(sizes[0], sizes[1]))
    most = draw(st.integers(least, sizes[1]))
    require = tuple(draw(st.lists(st.sampled_from(REQUIRE), unique=True, max_size=3)))
    only = draw(
        st.none()
        | st.lists(st.sampled_from(("joker", *RANKS)), unique=True, min_size=1, max_size=6).map(
            tuple
        )
    )
    return Kind(name, least, most, require, only, draw(st.sampled_from(ACES)))


@st.composite
def wilds(draw):
    """Any setting of wild cards."""
    cards = draw(st.lists(st.sampled_from(("joker", "2", "named")), unique=True, max_size=3))
    naturals, suit_in_group = draw(st.integers(0, 2)), draw(st.sampled_from(("open", "stated")))
    twins = draw(st.sampled_from(("allowed", "forbidden")))
    colour = draw(st.sampled_from(("any", "same")))
    said = {"naturals": naturals, "suit_in_group": suit_in_group, "twins": twins}
    return wild_rules(tuple(cards), colour=colour, **said)


def a_meld_or_nearly(rng, kind, packs, jokers, size):
    """Cards that often are a meld of the kind: from one of its melds, with some cards changed."""
    pattern = Pattern(kind, packs, jokers)
    some = []
    if size in pattern.sizes:
        for number, roles in enumerate(solver.melds(pattern, size)):
            some.append(roles)
            if number > 60:
                break
    if some and rng.random() < 0.8:
        return list(rng.choice(some))
    return [rng.choice((*range(52), JOKER)) for _ in range(size)]


def laid_somehow(rng, roles, most_wild, wild):
    """Cards that stand for these roles: themselves, jokers bare or bound, or cards of a wild rank."""
    cards = []
    for role in roles:
        bound = role if role == JOKER or rng.random() < 0.6 else ANY_SUIT + role % 13
        other = rng.random() < 0.15
        if most_wild > 0 and role != JOKER and rng.random() < 0.5:
            most_wild -= 1
            said = rng.choice((None, None, bound, rng.randrange(52) if other else bound))
            card = JOKER if said is None or rng.random() < 0.6 else 1 + 13 * rng.randrange(4)
            cards.append(Played(card, said))
        else:
            cards.append(Played(role))
    rng.shuffle(cards)
    return tuple(cards)


def canonical(possible, cards, book):
    """A reading as the oracle writes it."""
    bare = [played.role is None and played.card == JOKER and book.wilds.jokers for played in cards]
    return possible.pattern.kind.name, *melds_oracle.sort_interchangeable(
        cards, possible.roles, bare
    )


@checked
@given(kinds(), st.integers(1, 2), st.integers(0, 3), st.integers(0, 9))
def test_the_solver_finds_all_natural_melds_and_no_other(kind, packs, jokers, start):
    """Over four neighbouring ranks, all sets of cards are tried."""
    faces = [RANKS[(start + step) % 13] for step in range(4 if packs == 1 else 2)]
    only = tuple(face for face in (*faces, "joker") if kind.only is None or face in kind.only)
    kind = Kind(kind.name, kind.min_size, kind.max_size, kind.require, only, kind.ace)
    pattern = Pattern(kind, packs, jokers)
    found = [roles for size in pattern.sizes for roles in solver.melds(pattern, size)]
    assert len(found) == len(set(found)), "no meld comes twice"
    assert set(found) == melds_oracle.natural_melds(kind, packs, jokers, faces)
    assert pattern.bound(10**9) >= len(found), "there are not more than the estimate"
    for roles in found:
        assert roles in pattern.arranged(random.Random(1).sample(roles, len(roles)))


@checked
@given(
    kinds(name="one"),
    kinds(name="two"),
    wilds(),
    st.integers(1, 2),
    st.integers(0, 3),
    st.integers(0, 10**9),
)
def test_readings_are_the_same_by_table_by_solver_and_by_trying(
    one, two, wild, packs, jokers, seed
):
    rng = random.Random(seed)
    size = rng.randint(one.min_size, min(one.max_size, 4))
    cards = laid_somehow(rng, a_meld_or_nearly(rng, one, packs, jokers, size), 2, wild)
    barred = rng.choice((0, 0, rng.getrandbits(52), 1 << rng.randrange(52)))
    assume(sum(played.role is None and played.card == JOKER for played in cards) <= 2)
    expected = melds_oracle.readings((one, two), wild, cards, packs, jokers, barred)
    allowed = melds_oracle.wild_cards(wild, 5)
    assume(all(played.role in {None, played.card} or played.card in allowed for played in cards))
    for limit in LIMITS:
        book = MeldIndex((one, two), wild, packs, jokers, 5, table_limit=limit)
        found = readings_module.readings(book._kinds, book.wilds, cards, barred)
        assert {canonical(possible, cards, book) for possible in found} == expected
        assert len(found) == len(expected)
        result = book.read(cards, barred)
        if len(expected) == 1:
            assert isinstance(result, Reading)
            assert tuple(laid.card for laid in result.laid) == tuple(
                played.card for played in cards
            )
            assert sorted(laid.role for laid in result.laid) == sorted(result.shape.roles)
        elif not expected:
            assert isinstance(result, Fault)
            assert result.code != "wild.unbound"


@checked
@given(kinds(), wilds(), st.integers(1, 2), st.integers(0, 3), st.integers(0, 10**9))
def test_a_card_fits_where_the_meld_with_it_is_one(kind, wild, packs, jokers, seed):
    rng = random.Random(seed)
    size = rng.randint(kind.min_size, kind.max_size)
    cards = laid_somehow(rng, a_meld_or_nearly(rng, kind, packs, jokers, size), 2, wild)
    for limit in LIMITS:
        book = MeldIndex((kind,), wild, packs, jokers, 5, table_limit=limit)
        result = book.read(cards)
        assume(isinstance(result, Reading))
        shape = result.shape
        for card in {*rng.sample(range(52), 25), JOKER}:
            expected = melds_oracle.fits(kind, wild, shape.roles, card, packs, jokers)
            assert (card in shape.growth) == expected
            if card != JOKER or not book.wilds.jokers:
                assert bool(shape.accepts >> card & 1) == expected
                extended = book.extend(shape, Played(card))
                assert isinstance(extended, Fault) != expected
                if expected:
                    assert sorted(extended[0].roles) == sorted((*shape.roles, card))
                    assert extended[1].role == card
        if book.wilds.jokers:
            assert bool(shape.accepts >> JOKER & 1) == bool(shape.growth)
            for role in range(52):
                fits = not isinstance(book.extend(shape, Played(JOKER, role)), Fault)
                if shape.pattern.leaves_suits_open and wild.suit_in_group == "open":
                    assert fits == any(other % 13 == role % 13 for other in shape.growth)
                else:
                    assert fits == (role in shape.growth)


@checked
@given(kinds(name="one"), kinds(name="two"), wilds(), st.integers(0, 10**9))
def test_the_melds_in_a_hand_are_all_there_are_each_once(one, two, wild, seed):
    rng = random.Random(seed)
    packs, jokers = rng.choice(((1, 2), (2, 4)))
    for kind in (one, two):
        assume(Pattern(kind, packs, jokers).bound(MODEST) <= MODEST)
    low = rng.randrange(13)
    near = [
        suit * 13 + (low + step) % 13 for suit in rng.sample(range(4), 2) for step in range(4)
    ] * packs
    hand = rng.sample(near, 4) + [JOKER] * rng.randint(0, 1) + rng.choice(([], [1], [5]))
    hand = [card for card in hand if card == JOKER or hand.count(card) <= packs]
    wild_ones = melds_oracle.wild_cards(wild, 5)
    assume(sum(card in wild_ones for card in hand) <= 2)
    expected = melds_oracle.melds_in((one, two), wild, hand, packs, jokers, 5)
    for limit in LIMITS:
        book = MeldIndex((one, two), wild, packs, jokers, 5, table_limit=limit)
        found = [
            tuple(
                sorted((card, -1 if role is None or role == card else role) for card, role in meld)
            )
            for meld in book.melds_in(counted(hand))
        ]
        assert set(found) == expected
        full_runs = sum(len(meld) == 13 for meld in found)
        assert full_runs or len(found) == len(set(found)), "each once"
        for card in rng.sample(sorted(set(hand)), 2 if len(set(hand)) > 1 else 1):
            with_it = {meld for meld in expected if any(laid == card for laid, _ in meld)}
            must = list(book.melds_in(counted(hand), must=card))
            assert len(must) == len(with_it)
            assert all(any(played.card == card for played in meld) for meld in must)
            assert book.possible(counted(hand), card) == bool(with_it)


def several_of_a_rank(rng, kind, packs, wild):
    """Cards of one rank, some of them wild, more often than not more than the deck has."""
    nines = [suit * 13 + 8 for suit in range(4)] * packs
    naturals = rng.sample(nines, rng.randint(min(4, kind.max_size), min(len(nines), 5)))
    cards = [Played(card) for card in naturals]
    said = (ANY_SUIT + 8, *nines) if rng.random() < 0.8 else (None, ANY_SUIT + 7, 3)
    for suit in rng.sample(range(4), rng.randint(1, 2)):
        role = rng.choice(said)
        card = 1 + 13 * suit if "2" in wild.cards and role is not None else JOKER
        cards.append(Played(card, role))
    if sum(played.role is None and played.card == JOKER for played in cards) > 1:
        cards.pop()
    return tuple(cards)


@settings(checked, max_examples=examples(40))
@given(
    st.integers(3, 8),
    st.sampled_from(((), ("same_colour",), ("same_suit",))),
    wilds(),
    st.integers(1, 2),
    st.integers(0, 10**9),
)
def test_wild_cards_may_be_more_of_a_rank_than_the_deck_has(most, also, wild, packs, seed):
    """In groups of one rank that need not be of different suits; asked in every way there is."""
    rng = random.Random(seed)
    kind = Kind("group", min(most, 3), most, ("same_rank", *also))
    cards = several_of_a_rank(rng, kind, packs, wild)
    allowed = melds_oracle.wild_cards(wild, 5)
    assume(all(played.role is None or played.card in allowed for played in cards))
    expected = melds_oracle.readings((kind,), wild, cards, packs, 2)
    hand = [played.card for played in cards]
    listed = melds_oracle.melds_in((kind,), wild, hand[-5:], packs, 2, 5)
    for limit in LIMITS:
        book = MeldIndex((kind,), wild, packs, 2, 5, table_limit=limit)
        found = readings_module.readings(book._kinds, book.wilds, cards)
        assert {canonical(possible, cards, book) for possible in found} == expected
        melds = [
            tuple(
                sorted((card, -1 if role is None or role == card else role) for card, role in meld)
            )
            for meld in book.melds_in(counted(hand[-5:]))
        ]
        assert set(melds) == listed
        assert len(melds) == len(set(melds))
        result = book.read(cards)
        if isinstance(result, Reading):
            for card in range(52):
                expected_to_fit = melds_oracle.fits(kind, wild, result.shape.roles, card, packs, 2)
                assert (card in result.shape.growth) == expected_to_fit


@settings(checked, max_examples=examples(40))
@given(st.integers(3, 8), wilds(), st.integers(1, 2), st.integers(0, 10**9))
def test_a_group_of_one_rank_is_the_same_laid_at_once_and_card_by_card(most, wild, packs, seed):
    """Wherever it is clear at once what its wild cards stand for, and three natural cards come first."""
    rng = random.Random(seed)
    kind = Kind("group", 3, most, ("same_rank",))
    book = MeldIndex((kind,), wild, packs, 4, 5)
    cards = several_of_a_rank(rng, kind, packs, wild)
    whole = book.read(cards)
    start = book.read(cards[:3])
    assume(isinstance(start, Reading) and all(role is not None for _, role in cards[-1:]))
    shape = start.shape
    for played in cards[3:]:
        extended = book.extend(shape, played)
        if isinstance(extended, Fault):
            assert isinstance(whole, Fault)
            return
        shape = extended.shape
    assert isinstance(whole, Reading)
    assert whole.shape is shape


@settings(checked, max_examples=examples(40))
@given(st.integers(0, 10**9), st.sampled_from((1, 2)))
def test_melds_in_a_hand_of_500_rummy_read_back_as_they_are_written(seed, packs):
    rng = random.Random(seed)
    deck = [*range(52), JOKER, JOKER] * packs
    hand = rng.sample(deck, 20)
    book = MeldIndex((GROUP, SEQUENCE), WILD, packs, 2 * packs)
    melds = list(book.melds_in(counted(hand)))
    assert len(melds) == len({tuple(sorted(map(str, meld))) for meld in melds})
    for meld in melds:
        reading = book.read(meld)
        assert isinstance(reading, Reading)
        assert tuple(laid.role for laid in reading.laid) == reading.shape.roles
        for laid, played in zip(reading.laid, meld, strict=True):
            assert laid.card == played.card
            assert laid.role == (played.card if played.role is None else played.role)


@pytest.mark.sweep
@pytest.mark.parametrize("packs", [1, 2])
def test_500_rummy_has_373_ordered_melds_in_a_table_that_solver_and_search_confirm(packs):
    """Of them four twice, the runs of thirteen: with their ace low, and high."""
    total = 0
    for kind in (GROUP, SEQUENCE):
        pattern = Pattern(kind, packs, 2 * packs)
        solved = {roles for size in pattern.sizes for roles in solver.melds(pattern, size)}
        total += len(solved)
        table = NaturalMelds(pattern, sorted(solved))
        search = Solved(pattern)
        for roles in solved:
            assert set(melds_oracle.orders(kind, roles, packs, 2 * packs)) == set(
                pattern.arranged(roles)
            )
            assert roles in table.containing(len(roles), roles)
            for left in range(len(roles)):
                wanted = roles[:left] + roles[left + 1 :]
                assert sorted(table.containing(len(roles), wanted)) == sorted(
                    search.containing(len(roles), wanted)
                )
    assert total == 373


@checked
@given(kinds(), st.sampled_from((1, 2)), st.sampled_from((0, 3)), st.data())
def test_the_cards_of_a_natural_meld_are_enough_for_it_and_one_may_be_replaced_by_a_wild_card(
    kind, packs, jokers, data
):
    pattern = Pattern(kind, packs, jokers)
    assume(0 < pattern.bound(MODEST) <= MODEST)
    melds = [roles for size in pattern.sizes for roles in solver.melds(pattern, size)]
    assume(melds)
    roles = data.draw(st.sampled_from(melds))
    left_out = data.draw(st.integers(0, len(roles) - 1))
    fewer = roles[:left_out] + roles[left_out + 1 :]
    for known in (NaturalMelds(pattern, melds), Solved(pattern)):
        for among in (None, bits_of(roles), bits_of(range(JOKER + 1))):
            assert roles in list(known.within(counted(roles), 0, among=among))
            assert roles in list(known.within(counted(fewer), 1, among=among))
            assert roles not in list(known.within(counted(fewer), 0, among=among))
        assert roles not in list(
            known.within(counted(roles), 0, among=bits_of(roles) & ~(1 << roles[0]))
        )
