"""Laying off and exchanging: what fits a meld on the table, and what becomes of it."""

import pytest

from meldref.core.cards import ANY_SUIT, JOKER, card_text, played_text, role_text
from meldref.core.records import changed
from meldref.melds import HIGH, LOW, UNPLACED, Fault, Shape
from meldref.ruleset.model import Kind
from melds_hand import GROUP, JOKERS, SEQUENCE, book, cards, played, wild_rules


def extend(meld, card, its_book=None, barred=0):
    """The roles of the meld with the card, or the code of the fault."""
    its_book = its_book or book()
    shape = its_book.read(cards(meld)).shape
    result = its_book.extend(shape, played(card), barred)
    if isinstance(result, Fault):
        return result.code
    assert result[1].card == played(card).card
    assert isinstance(result[0], Shape)
    return " ".join(map(role_text, result[0].roles))


@pytest.mark.parametrize(
    ("meld", "card", "becomes"),
    [
        ("5h 6h 7h", "4h", "4h 5h 6h 7h"),  # P-LAY-04
        ("5h 6h 7h", "8h", "5h 6h 7h 8h"),
        ("5h 6h 7h", "9h", "layoff.fit"),
        ("5h 6h 7h", "3h", "layoff.fit"),
        ("5h 6h 7h", "8c", "layoff.fit"),
        ("5h 6h 7h", "6h", "layoff.fit"),
        ("Jc Jd Jh", "Js", "Jc Jd Jh Js"),  # P-LAY-02, G-LAY-03
        ("Jc Jd Jh", "Jh", "layoff.fit"),
        ("Jc Jd Jh Js", "Jc", "layoff.fit"),
        ("2d 3d 4d", "Ad", "Ad 2d 3d 4d"),
        ("Jd Qd Kd", "Ad", "Jd Qd Kd Ad"),
        ("Ad 2d 3d 4d", "Kd", "layoff.fit"),  # P-SEQ-06
        ("Qd Kd Ad", "2d", "layoff.fit"),
        ("Qd Kd Ad", "Jk", "Jd Qd Kd Ad"),
        ("6c 7c Jk=8c", "5c", "5c 6c 7c 8c"),  # P-JOK-06
        ("6c 7c Jk=8c", "9c", "6c 7c 8c 9c"),
        ("6c 7c Jk=8c", "4c", "layoff.fit"),
        ("6c 7c Jk=8c", "8c", "layoff.fit"),
        ("6c 7c Jk=8c", "Jk", "wild.unbound"),
        ("6c 7c Jk=8c", "Jk=9", "6c 7c 8c 9c"),
        ("6c 7c Jk=8c", "Jk=5c", "5c 6c 7c 8c"),
        ("6c 7c Jk=8c", "Jk=4c", "layoff.fit"),
        ("6c 7c Jk=8c", "Jk=9d", "layoff.fit"),
        ("6c 7c Jk=8c", "9h=9c", "wild.role"),
        ("9d Jk=9 Jk=9", "9c", "9c 9d 9 9"),  # P-JOK-10
        ("9d Jk=9 Jk=9", "9d", "layoff.fit"),  # P-JOK-14
        ("9d Jk=9 Jk=9", "Jk", "9d 9 9 9"),
        ("9d Jk=9 Jk=9", "Jk=9", "9d 9 9 9"),
        ("9d Jk=9 Jk=9", "Jk=9s", "9d 9 9 9"),
        ("9d Jk=9 Jk=9", "Jk=8", "layoff.fit"),
        ("Kc Kd Kh Ks", "Jk", "layoff.fit"),  # P-JOK-12
        ("Kc Kd Kh Ks", "Jk=K", "layoff.fit"),
    ],
)
def test_a_card_extends_a_meld_by_what_may_stand_beside_it(meld, card, becomes):
    assert extend(meld, card) == becomes


def test_a_run_of_thirteen_and_a_full_group_accept_nothing():
    """P-SEQ-07, P-JOK-12."""
    one = book()
    for full in ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", "Kc Kd Kh Ks", "Kc Kd Kh Jk=K"):
        shape = one.read(cards(full)).shape
        assert shape.accepts == 0
        fault = one.extend(shape, played("Jk"))
        assert fault.code == "layoff.fit"
        assert fault.key == f"melds.kinds.{shape.kind}.size"


@pytest.mark.parametrize(
    ("meld", "card", "said", "key"),
    [
        ("Kc Kd Kh", "Qc", "Qc does not extend this group", "group.require"),
        ("Kc Kd Kh Ks", "Qc", "this group is full: it already has 4 cards", "group.size"),
        ("5h 6h 7h", "9h", "9h does not extend this sequence", "sequence.require"),
        ("5h 6h 7h", "Ah", "Ah does not extend this sequence", "sequence.require"),
        ("5h 6h 7h", "8s", "8s does not extend this sequence", "sequence.require"),
        ("Jh Qh Kh", "As", "As does not extend this sequence", "sequence.require"),
        (
            "Qh Kh Ah",
            "2h",
            "2h does not extend this sequence: an ace goes below the two or above the king, not between them",
            "sequence.ace",
        ),
        (
            "Ah 2h 3h",
            "Jk=K",
            "Jk=K does not extend this sequence: an ace goes below the two or above the king, not between them",
            "sequence.ace",
        ),
    ],
)
def test_what_extends_no_meld_is_told_whether_it_is_full_or_the_card_is_another(
    meld, card, said, key
):
    one = book()
    fault = one.extend(one.read(cards(meld)).shape, played(card))
    assert (fault.message, fault.key) == (said, f"melds.kinds.{key}")


def test_an_ace_that_completes_two_to_king_goes_on_top():
    run = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
    for card in ("Ac", "Jk", "Jk=A"):
        result = book().extend(book().read(cards(run)).shape, played(card))
        assert role_text(result[0].roles[-1]) == "Ac"
        assert result[1].ace_place == HIGH


def test_an_ace_laid_off_below_a_two_is_low_also_where_a_joker_stands_for_it():
    """P-VAL-05."""
    shape = book().read(cards("2d 3d 4d")).shape
    assert book().extend(shape, played("Ad"))[1].ace_place == LOW
    assert book().extend(shape, played("Jk=A"))[1].ace_place == LOW
    assert book().extend(shape, played("5d"))[1].ace_place == UNPLACED


def test_what_a_meld_accepts_is_one_mask():
    accepts = book().read(cards("9d Jk=9 Jk=9")).shape.accepts
    assert [card_text(card) for card in range(53) if accepts >> card & 1] == [
        "9c",
        "9h",
        "9s",
        "Jk",
    ]
    no_wild = book(wild=wild_rules(()), jokers=0)
    accepts = no_wild.read(cards("5h 6h 7h")).shape.accepts
    assert [card_text(card) for card in range(53) if accepts >> card & 1] == ["4h", "8h"]


def test_the_ways_of_an_unbound_lay_off_are_listed():
    fault = book().extend(book().read(cards("6c 7c 8c")).shape, played("Jk"))
    assert [" ".join(map(played_text, way)) for way in fault.readings] == ["Jk=5c", "Jk=9c"]


def test_a_lay_off_repeated_gives_the_same_shape():
    shape = book().read(cards("5h 6h 7h")).shape
    assert book().extend(shape, played("8h")) is book().extend(shape, played("8h"))
    assert book().extend(shape, played("8h"))[0] is book().read(cards("5h 6h 7h 8h")).shape
    assert book().extend(shape, played("8h"))[0] is book().extend(shape, played("Jk=8"))[0]


def test_a_fourth_persian_joker_extends_three_and_nothing_else():
    """W-PER-09."""
    persian = book(kinds=(GROUP, SEQUENCE, JOKERS), wild=wild_rules(()), jokers=4)
    assert extend("Jk Jk Jk", "Jk", persian) == "Jk Jk Jk Jk"
    assert extend("Jk Jk Jk", "9c", persian) == "layoff.fit"
    assert extend("9c 9d 9h", "Jk", persian) == "layoff.fit"
    assert extend("9c 9d 9h", "Jk=9", persian) == "wild.role"
    assert persian.read(cards("Jk Jk Jk")).shape.accepts == 1 << JOKER


def test_a_card_of_the_wild_rank_is_laid_off_as_itself_or_as_what_is_said():
    threes = book(wild=wild_rules(("named",)), jokers=0, wild_rank=2)
    assert extend("4c 5c 6c", "3c", threes) == "3c 4c 5c 6c"
    assert extend("4c 5c 6c", "3c=7c", threes) == "4c 5c 6c 7c"
    assert extend("Kc Kd Kh", "3c=K", threes) == "Kc Kd Kh K"
    assert extend("Kc Kd Kh", "3c", threes) == "layoff.fit"


def test_a_wild_card_does_not_stand_for_a_barred_card():
    eight = 1 << played("8h").card
    four = 1 << played("4h").card
    assert extend("5h 6h 7h", "Jk", barred=eight) == "4h 5h 6h 7h"
    assert extend("5h 6h 7h", "Jk=8", barred=eight) == "wild.binding"
    assert extend("5h 6h 7h", "Jk", barred=eight | four) == "wild.binding"
    assert extend("5h 6h 7h", "8h", barred=eight) == "5h 6h 7h 8h"
    shape = book().read(cards("5h 6h 7h")).shape
    assert book().extend(shape, played("Jk=8h"), eight).key == "melds.wild.twins"
    assert extend("9c 9d 9h", "Jk=9", barred=1 << played("9s").card) == "wild.binding"


def test_where_suits_are_stated_a_joker_laid_on_a_group_has_to_say_which():
    stated = book(wild=wild_rules(("joker",), suit_in_group="stated"))
    assert extend("9c 9d 9h", "Jk", stated) == "9c 9d 9h 9s"
    assert extend("9c 9d Jk=9h", "9h", stated) == "layoff.fit"
    twice = book(kinds=(Kind("group", 2, 4, ("same_rank", "distinct_suits")),), wild=stated_wild())
    assert extend("9c 9d", "Jk", twice) == "wild.unbound"
    assert extend("9c 9d", "Jk=9", twice) == "wild.unbound"
    assert extend("9c 9d", "Jk=9s", twice) == "9c 9d 9s"
    assert extend("9c 9d", "Jk=9d", twice) == "layoff.fit"


def stated_wild():
    return wild_rules(("joker",), suit_in_group="stated")


def test_a_natural_card_replaces_the_joker_that_stands_for_it():
    """O-JOK-01."""
    one = book()
    run = one.read(cards("6c 7c Jk=8c")).shape
    eight, nine = played("8c").card, played("9c").card
    assert one.replace(run, eight, eight) is run
    assert one.replace(run, eight, nine) is None
    assert one.replace(run, nine, nine) is None, "nothing there stands for it"
    group = one.read(cards("9d Jk=9 Jk=9")).shape
    any_nine = ANY_SUIT + 8
    assert " ".join(map(role_text, one.replace(group, any_nine, nine).roles)) == "9c 9d 9"
    assert one.replace(group, any_nine, played("9d").card) is None, "that suit is shown"
    assert one.replace(group, any_nine, eight) is None
    assert one.replace(group, any_nine, JOKER) is None


def test_a_run_round_the_corner_grows_to_thirteen():
    around = book(
        kinds=(Kind("sequence", 3, 13, ("same_suit", "consecutive_ranks"), None, ("around",)),)
    )
    twelve = "Kc Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc"
    assert "Qc" in extend(twelve, "Qc", around)
    assert extend("Kc Ac 2c", "Qc", around) == "Qc Kc Ac 2c"
    assert extend("Kc Ac 2c", "3c", around) == "Kc Ac 2c 3c"


@pytest.mark.parametrize(
    ("meld", "laid", "order", "fit"),
    [
        ("8c 8d", "8s Jk", "8s Jk=8", 2),
        ("5h 6h 7h", "9h 8h", "8h 9h", 2),
        ("5h 6h 7h", "4h 8h Kc", "4h 8h Kc", 2),
        ("5h 6h 7h", "Kc 8h", "8h Kc", 1),
        ("9c 9d 9h", "Jk 9s", "9s Jk", 1),
        ("5h 6h 7h", "9h Jk 8h", "Jk 8h 9h", 3),
        ("5h 6h 7h", "Kc 9c=8h", "9c=8h Kc", 0),
    ],
)
def test_cards_laid_off_together_keep_their_order_where_it_fits(meld, laid, order, fit):
    """Where not all fit, as many as can come first, natural ones before a joker in their place.

    Of the others those come first that could fit nowhere, such as a nine that is said to be an
    eight.
    """
    pairs = book(kinds=(changed(GROUP, min_size=2), SEQUENCE))
    row = pairs.row(pairs.read(cards(meld)).shape, cards(laid))
    assert (" ".join(map(played_text, row.cards)), row.laid) == (order, fit)
