"""What cards laid together are: groups, runs, jokers and wild ranks, as the clauses say by example."""

import pytest

from meldref.core.cards import JOKER, Played, counted, played_text, role_text
from meldref.melds import AROUND, HIGH, LOW, UNPLACED, Fault, Reading
from meldref.ruleset.model import Kind
from melds_hand import GROUP, JOKERS, SEQUENCE, book, cards, played, wild_rules


def read(text, its_book=None, barred=()):
    result = (its_book or book()).read(
        cards(text), sum(1 << card.card for card in cards(" ".join(barred)))
    )
    if isinstance(result, Fault):
        return result.code
    return f"{result.shape.kind}: {' '.join(map(role_text, result.shape.roles))}"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Jh Jc Jd", "group: Jc Jd Jh"),  # P-GRP-03
        ("9c 9d 9h 9s", "group: 9c 9d 9h 9s"),  # P-GRP-01
        ("5h 6h 7h", "sequence: 5h 6h 7h"),  # P-SEQ-02
        ("7h 5h 6h", "sequence: 5h 6h 7h"),
        ("Ad 2d 3d 4d", "sequence: Ad 2d 3d 4d"),  # P-SEQ-04
        ("Qc Kc Ac", "sequence: Qc Kc Ac"),  # P-SEQ-05
        ("Ks As 2s", "meld.shape"),  # P-SEQ-06
        ("Qd Kd Ad 2d", "meld.shape"),
        ("5h 6h 7d", "meld.shape"),  # P-SEQ-01
        ("5h 6h 8h", "meld.shape"),
        ("5h 5c 7d 9s Ks", "meld.shape"),
        ("9c 9d", "meld.size"),
        ("5h 6h", "meld.size"),
        ("5h 9d", "meld.size"),
        ("5h", "meld.size"),
        ("", "meld.size"),
    ],
)
def test_natural_cards_are_a_group_a_sequence_or_nothing(written, meant):
    assert read(written) == meant


def test_in_two_packs_a_group_has_no_suit_twice():
    """P-GRP-02, P-GRP-04, W-MELD-07."""
    two_packs = book(packs=2)
    assert read("6s 6s 6h", two_packs) == "meld.shape"
    assert read("6s 6h 6d", two_packs) == "group: 6d 6h 6s"


def test_five_of_a_rank_are_too_many_whatever_packs_and_jokers_there_are():
    """P-GRP-01, P-JOK-12, P-JOK-13."""
    for packs in (1, 2):
        for written in (
            "Kc Kd Kh Ks Jk",
            "Kc Kd Kh Ks Jk=K",
            "Kc Kd Kh Ks Kc",
            "Kc Kd Kh Jk=K Jk=K",
        ):
            assert read(written, book(packs=packs)) == "meld.size"
    fault = book().read(cards("Kc Kd Kh Ks Jk"))
    assert fault.key == "melds.kinds.group.size"


def test_a_run_of_three_is_too_short_where_sequences_have_four_cards():
    """W-MELD-03."""
    fours = book(kinds=(GROUP, Kind("sequence", 4, 13, ("same_suit", "consecutive_ranks"))))
    assert read("7d 8d 9d", fours) == "meld.size"
    assert read("7d 8d Jk", fours) == "meld.size"
    assert read("7d 8d 9d Td", fours) == "sequence: 7d 8d 9d Td"
    assert read("9d Jk Jk", fours) == "group: 9d 9 9", "then the only reading left"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("6c 7c Jk", "sequence: 6c 7c 8c"),  # P-JOK-05
        ("7c 6c Jk", "sequence: 5c 6c 7c"),
        ("Jk 6c 7c", "sequence: 5c 6c 7c"),
        ("Jk 7c 6c", "sequence: 6c 7c 8c"),
        ("6c Jk 8c", "sequence: 6c 7c 8c"),
        ("8c 6c Jk", "sequence: 6c 7c 8c"),
        ("7c Jk 6c", "wild.unbound"),
        ("Jk 2c 3c 4c Jk", "sequence: Ac 2c 3c 4c 5c"),
        ("Kc Ac Jk", "sequence: Qc Kc Ac"),
        ("2c Ac Jk", "sequence: Ac 2c 3c"),
        ("4c 4d Jk", "group: 4c 4d 4"),
        ("4c Jk 4d", "group: 4c 4d 4"),
        ("9d Jk Jk", "wild.unbound"),  # P-JOK-07
        ("9d Jk=9 Jk=9", "group: 9d 9 9"),
        ("9d Jk=9 Jk", "group: 9d 9 9"),
        ("Jk=8d 9d Jk=Td", "sequence: 8d 9d Td"),  # P-JOK-08
        ("Jk=8d 9d Jk", "sequence: 8d 9d Td"),
        ("Jk=8c 9c Jk=T", "sequence: 8c 9c Tc"),
        ("Jk=8 6c 7c", "sequence: 6c 7c 8c"),
        ("4c 4d Jk=4h", "group: 4c 4d 4"),
        ("4c 4d Jk=4c", "group: 4c 4d 4"),  # a suit binds nobody
        ("5c 5d 5h Jk", "group: 5c 5d 5h 5"),
        ("4h 5h 6h Jk=8h", "wild.binding"),
        ("6c 7c Jk=Kd", "wild.binding"),
        ("6c 7c Jk=6", "wild.binding"),
        ("4c 4d Jk=5", "wild.binding"),
        ("9d Jk=5 Jk=6", "wild.binding"),
        ("Jk Jk Jk", "wild.naturals"),  # P-JOK-15
        ("Jk=9 Jk=9 Jk=9", "wild.naturals"),
        ("Jk=7d Jk=8d Jk=9d", "wild.naturals"),
        ("5h 5c 3h=5", "wild.role"),
        ("5h 6h 9h=7h", "wild.role"),
        ("5h=5h 6h 7h", "sequence: 5h 6h 7h"),
        ("5h 8d Jk", "meld.shape"),
        ("5h Jk", "meld.size"),
    ],
)
def test_jokers_stand_for_what_is_said_or_for_the_one_thing_they_can_be(written, meant):
    assert read(written) == meant


def test_the_readings_of_an_unbound_joker_are_listed_as_they_could_be_written():
    """P-JOK-07, P-JOK-08."""
    fault = book().read(cards("9d Jk Jk"))
    assert isinstance(fault, Fault)
    assert {" ".join(map(played_text, way)) for way in fault.readings} == {
        "9d Jk=9 Jk=9",
        "Jk=7d Jk=8d 9d",
        "Jk=8d 9d Jk=Td",
        "9d Jk=Td Jk=Jd",
    }
    assert all(isinstance(book().read(way), Reading) for way in fault.readings)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("7c Jk=5c 6c", "7c 5c 6c"),
        ("5h Jk Jk 8h", "5h 6h 7h 8h"),
        ("8h Jk Jk 5h", "8h 7h 6h 5h"),
    ],
)
def test_the_cards_of_a_reading_stand_in_the_order_they_were_written(written, meant):
    reading = book().read(cards(written))
    assert [laid.card for laid in reading.laid] == [card.card for card in cards(written)]
    assert [role_text(laid.role) for laid in reading.laid] == meant.split()


def test_a_reading_says_of_each_wild_card_what_it_stands_for_and_of_no_other():
    wild = book(wild=wild_rules(("joker", "2")))
    assert wild.read(cards("2c=8h Jk 9h")).readings == (
        cards("Jk=7h 2c=8h 9h"),
        cards("2c=8h 9h Jk=Th"),
    )


@pytest.mark.parametrize(
    ("written", "places"),
    [
        ("Ad 2d 3d", [LOW, UNPLACED, UNPLACED]),
        ("3d 2d Ad", [UNPLACED, UNPLACED, LOW]),
        ("Jk=A 2d 3d", [LOW, UNPLACED, UNPLACED]),
        ("Qd Kd Ad", [UNPLACED, UNPLACED, HIGH]),
        ("Ac Ad As", [UNPLACED, UNPLACED, UNPLACED]),
        ("2d 3d 4d", [UNPLACED, UNPLACED, UNPLACED]),
    ],
)
def test_an_ace_has_a_place_in_a_run_alone(written, places):
    """P-VAL-05."""
    assert [laid.ace_place for laid in book().read(cards(written)).laid] == places


THIRTEEN = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
DOWNWARDS = " ".join(reversed(THIRTEEN.split()))


@pytest.mark.parametrize(
    ("written", "low"),
    [
        (f"Ac {THIRTEEN}", True),
        (f"{THIRTEEN} Ac", False),
        (THIRTEEN.replace("7c", "Ac 7c"), True),
        (f"Qc Kc Ac {THIRTEEN[:-6]}", True),
        (DOWNWARDS + " Ac", True),
        ("Ac " + DOWNWARDS, False),
        (DOWNWARDS.replace("7c", "Ac 7c"), True),
        (DOWNWARDS + " Jk", True),
        ("Jk " + DOWNWARDS, False),
        (DOWNWARDS.replace("9c", "Jk") + " Ac", True),
        ("Ac " + DOWNWARDS.replace("9c", "Jk=9"), False),
        (f"Jk {THIRTEEN}", True),
        (f"{THIRTEEN} Jk", False),
        (f"Jk=A {THIRTEEN}", True),
        (f"Ac {THIRTEEN.replace('9c', 'Jk')}", True),
        (f"{THIRTEEN.replace('9c', 'Jk=9')} Ac", False),
    ],
)
def test_a_run_of_thirteen_has_its_ace_where_it_is_written(written, low):
    reading = book().read(cards(written))
    assert any(laid.ace_place == LOW for laid in reading.laid) == low
    assert reading.shape.roles[0 if low else -1] == cards("Ac")[0].card


def test_in_a_run_of_any_suits_in_no_order_the_ace_is_low():
    mixed = book(kinds=(Kind("sequence", 3, 13, ("consecutive_ranks",)),))
    reading = mixed.read(cards("Ks 4h 2c As 5d 3d 6c 9s 8h Td 7h Qc Jh"))
    assert [role_text(laid.role) for laid in reading.laid if laid.ace_place == LOW] == ["As"]


def test_no_run_has_both_its_aces():
    """P-SEQ-07."""
    assert read(f"Ac {THIRTEEN} Jk") == "meld.size"
    assert read(f"Ac {THIRTEEN} Ac", book(packs=2)) == "meld.size"


def test_persian_jokers_are_melded_among_themselves_alone():
    """W-PER-04, -05, -06."""
    persian = book(kinds=(GROUP, SEQUENCE, JOKERS), wild=wild_rules(()), jokers=4)
    assert not persian.is_wild(JOKER)
    assert read("Jk Jk Jk", persian) == "jokers: Jk Jk Jk"
    assert read("Jk Jk Jk Jk", persian) == "jokers: Jk Jk Jk Jk"
    assert read("Jk Jk", persian) == "meld.size"
    assert read("5h 5c Jk=5", persian) == "wild.role"
    assert read("5h 5c Jk", persian) == "wild.role"
    assert read("6c 7c Jk", persian) == "wild.role"
    assert read("5h Jk Jk", persian) == "wild.role"
    assert read("5h 8c Jk", persian) == "meld.shape"


def test_jokers_that_are_not_wild_are_natural_cards():
    deuces = book(kinds=(GROUP, SEQUENCE, JOKERS), wild=wild_rules(("2",)), jokers=4)
    assert read("Jk Jk Jk", deuces) == "jokers: Jk Jk Jk"


def test_a_kind_that_the_ruleset_took_away_is_named():
    no_runs = book(kinds=(GROUP,))
    assert read("5h 6h 7h", no_runs) == "meld.kind"
    assert no_runs.read(cards("5h 6h 7h")).key == "melds.kinds.sequence"
    assert read("Jk Jk Jk", book(wild=wild_rules(()))) == "meld.kind"


def test_a_card_of_the_wild_rank_is_itself_unless_something_else_is_said():
    """G-VAR-03, G-VAR-06."""
    threes = book(wild=wild_rules(("named",)), jokers=0, wild_rank=2)
    assert threes.is_wild(played("3h").card)
    assert not threes.is_wild(played("4h").card)
    assert read("2c 3c 4c", threes) == "sequence: 2c 3c 4c"
    assert read("Kd Kh 3h=K", threes) == "group: Kd Kh K"
    assert read("Kd Kh 3h", threes) == "meld.shape"
    assert read("Kd Kh 4h=K", threes) == "wild.role"
    assert read("2c 3d=3c 4c", threes) == "sequence: 2c 3c 4c"
    assert read("3c=K 3d=K 3h=K", threes) == "wild.naturals"
    assert read("Kd Kh 3h=K", book(wild=wild_rules(("named",)))) == "wild.role", "no rank is named"


def test_more_natural_cards_can_be_asked_for():
    two = book(wild=wild_rules(("joker",), naturals=2))
    assert read("9d Jk=9 Jk=9", two) == "wild.naturals"
    assert read("9d 9h Jk", two) == "group: 9d 9h 9"


def test_where_suits_are_stated_a_joker_in_a_group_stands_for_one_card():
    stated = book(wild=wild_rules(("joker",), suit_in_group="stated"))
    assert read("9d 9h Jk", stated) == "wild.unbound"
    assert read("9d 9h Jk=9", stated) == "wild.unbound"
    assert stated.read(cards("9d 9h Jk=9")).key == "melds.wild.suit_in_group"
    assert read("9d 9h Jk=9c", stated) == "group: 9c 9d 9h"
    assert read("9d 9h Jk=9h", stated) == "wild.binding"
    assert read("9c 9d 9h Jk", stated) == "group: 9c 9d 9h 9s", "there is one suit left"


def test_a_barred_card_is_one_that_no_wild_card_stands_for():
    assert read("6c 7c Jk=8c", barred=["8c"]) == "wild.binding"
    assert book().read(cards("6c 7c Jk=8c"), 1 << played("8c").card).key == "melds.wild.twins"
    assert read("6c 7c Jk", barred=["5c"]) == "sequence: 6c 7c 8c"
    assert read("6c 7c Jk", barred=["8c"]) == "sequence: 5c 6c 7c", "the one reading that is left"
    assert read("6c 7c Jk", barred=["5c", "8c"]) == "wild.binding"
    assert read("6c 7c 8c", barred=["6c", "7c", "8c"]) == "sequence: 6c 7c 8c", (
        "natural cards are not barred"
    )
    assert read("9c 9d Jk", barred=["9h"]) == "group: 9c 9d 9"
    assert read("9c 9d Jk", barred=["9h", "9s"]) == "wild.binding"


def test_runs_may_go_round_the_corner():
    around = book(
        kinds=(Kind("sequence", 3, 13, ("same_suit", "consecutive_ranks"), None, ("around",)),)
    )
    assert read("Ks As 2s", around) == "sequence: Ks As 2s"
    assert [laid.ace_place for laid in around.read(cards("Ks As 2s")).laid] == [0, AROUND, 0]
    assert read("Ad 2d 3d", around) == "sequence: Ad 2d 3d"
    assert read("Qd Kd Ad", around) == "sequence: Qd Kd Ad"
    only_low = book(
        kinds=(Kind("sequence", 3, 13, ("same_suit", "consecutive_ranks"), None, ("low",)),)
    )
    assert read("Qd Kd Ad", only_low) == "meld.shape"
    assert read("Ad 2d 3d", only_low) == "sequence: Ad 2d 3d"


def test_house_rules_make_kinds_that_nobody_has_thought_of():
    colours = Kind("colours", 3, 13, ("consecutive_ranks", "alternating_colours"))
    flush = Kind("flush", 4, 13, ("same_suit", "distinct_ranks"))
    five_kings = Kind("royals", 5, 8, ("same_rank",), ("K", "Q"))
    house = book(kinds=(GROUP, SEQUENCE, colours, flush, five_kings), packs=2)
    assert read("5h 6c 7d", house) == "colours: 5h 6c 7d"
    assert read("5h 6d 7c", house) == "meld.shape"
    assert read("5h Jk=6 7d", house) == "wild.unbound", "the six of clubs, or of spades"
    assert read("5h Jk=6s 7d", house) == "colours: 5h 6s 7d"
    assert read("2h 5h 9h Kh", house) == "flush: 2h 5h 9h Kh"
    assert read("2h 2h 9h Kh", house) == "meld.shape"
    assert read("5h 6h 7h 8h", house) == "sequence: 5h 6h 7h 8h", "the first kind of two that fit"
    assert read("Kh Kh Kc Kc Jk", house) == "royals: Kc Kc Kh Kh K"
    assert read("5c 5c 5h 5h 5s", house) == "meld.size"


def test_cards_that_nobody_saw_are_no_meld():
    assert isinstance(book().read((Played(-1), Played(-1), Played(-1))), Fault)


def test_the_same_cards_are_read_once_and_give_the_same_shape():
    one = book()
    assert one.read(cards("5h 6h 7h")) is one.read(cards("5h 6h 7h"))
    assert one.read(cards("5h 6h 7h")).shape is one.read(cards("7h 6h 5h")).shape
    assert one.read(cards("5h 6h Jk=7")).shape is one.read(cards("7h 6h 5h")).shape


def test_the_melds_of_a_hand_are_written_with_what_wild_cards_stand_for():
    hand = counted(card.card for card in cards("6c 7c Jk 2d"))
    melds = {" ".join(map(played_text, meld)) for meld in book().melds_in(hand)}
    assert melds == {"Jk=5c 6c 7c", "6c 7c Jk=8c"}
    assert len(list(book().melds_in(hand, limit=1))) == 1
    assert book().possible(hand, JOKER)
    assert not book().possible(hand, played("2d").card)
    assert not book().possible(hand, played("8c").card), "a card that is not there"
