"""Records behave as frozen dataclasses with slots do."""

import copy
import pickle
import typing
from inspect import signature

import pytest

from meldref.core.cards import Played, counted
from meldref.core.diagnostics import Finding, Span
from meldref.core.events import AssertHand, Discard, Draw, Meld, Pass
from meldref.core.records import NamedTuple, changed, derived, fields_of, fresh, hidden, record
from meldref.position.game import HandRecord
from meldref.ruleset.model import DutySetting, OutRules


@record
class Point:
    """Two coordinates, a label that does not count, and how far away they are."""

    x: int
    y: int = 0
    label: str = hidden(default="here")
    far: int = derived(lambda point: point.x + point.y)

    def moved(self, by: int) -> "Point":
        return changed(self, x=self.x + by)


@record(frozen=False)
class Bag:
    things: list[int] = fresh(default_factory=list)
    name: str = ""


def test_fields_are_given_by_place_by_name_or_by_default():
    assert Point(1, 2) == Point(x=1, y=2) == Point(1, y=2)
    assert Point(1) == Point(1, 0, "there")
    assert AssertHand("Ann", unknown=2) == AssertHand("Ann", None, (), 2)


@pytest.mark.parametrize("kind", [Draw, DutySetting, Point, AssertHand, OutRules, Bag])
@pytest.mark.parametrize("wrong", ["too many", "unknown", "twice"])
def test_what_is_no_field_is_refused(kind, wrong):
    values = range(len(fields_of(kind)))
    with pytest.raises(TypeError):
        kind(*values, 1) if wrong == "too many" else kind(
            *values, **{"none" if wrong == "unknown" else fields_of(kind)[0]: 1}
        )


@pytest.mark.parametrize("kind", [Draw, DutySetting, Point, AssertHand, Finding])
def test_a_field_without_a_default_has_to_be_given(kind):
    with pytest.raises(TypeError):
        kind()


def test_another_kind_of_record_with_the_same_values_is_not_equal():
    assert Draw(5) != Discard(5)
    assert Draw(5) != (5,)
    assert Pass() == Pass()
    assert len({Draw(5), Discard(5), Draw(5), Pass(), Pass()}) == 3


def test_hidden_and_derived_fields_are_neither_compared_nor_printed():
    assert Point(1, 2, "a") == Point(1, 2, "b")
    assert hash(Point(1, 2, "a")) == hash(Point(1, 2, "b"))
    assert repr(Point(1, 2, "a")) == "Point(x=1, y=2)"


def test_a_frozen_record_cannot_be_changed():
    with pytest.raises(AttributeError):
        Point(1).x = 2
    with pytest.raises(AttributeError):
        del Point(1).x
    with pytest.raises(AttributeError):
        Point(1).z = 2
    assert not hasattr(Point(1), "__dict__")


def test_a_record_that_is_not_frozen_can_be_changed_and_has_no_hash():
    bag = Bag()
    bag.name = "mine"
    bag.things.append(1)
    assert bag == Bag([1], "mine")
    assert Bag().things == []
    with pytest.raises(TypeError):
        hash(bag)
    with pytest.raises(AttributeError):
        bag.other = 1


def test_a_changed_copy_has_other_values_and_derives_anew():
    assert Point(1, 2).moved(3) == Point(4, 2)
    assert Point(1, 2).moved(3).far == 6
    with pytest.raises(TypeError, match="Point has no field z"):
        changed(Point(1), z=1)


@pytest.mark.parametrize(
    "one",
    [
        Pass(),
        Meld((Played(3), Played(4)), 2),
        Finding("a.b", "so", Span(1)),
        HandRecord(3, recorded={0: 5}),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_record_survives_pickling_and_copying(one):
    for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):  # noqa: S301
        assert again == one
        assert repr(again) == repr(one)
        assert type(again) is type(one)


def test_a_record_is_matched_by_place_and_has_its_docstring():
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
    assert Point.__doc__.startswith("Two coordinates")
    assert Point.__module__ == __name__
    assert fields_of(Point) == fields_of(Point(1)) == ("x", "y", "label")
    assert fields_of("a text") == ()


def test_the_cards_of_a_meld_are_counted_when_it_is_made():
    assert Meld((Played(3), Played(3), Played(4))).counted == counted([3, 3, 4])


def test_what_a_dataclass_would_do_after_init_has_to_be_derived():
    with pytest.raises(AssertionError, match="derived"):

        @record
        class Late:
            x: int

            def __post_init__(self):
                """Never called."""


class Ours(NamedTuple):
    """Three fields, two of which need not be given."""

    name: str
    number: int = 1
    rest: tuple[int, ...] = ()

    def doubled(self) -> int:
        return 2 * self.number


class Usual(typing.NamedTuple):
    """Three fields, two of which need not be given."""

    name: str
    number: int = 1
    rest: tuple[int, ...] = ()

    def doubled(self) -> int:
        return 2 * self.number


def said_of(kind):
    """What there is to be seen of a class of named tuples and of one of them."""
    one = kind("a", rest=(2,))
    name, *others = one
    with pytest.raises(AttributeError):
        one.name = "b"
    with pytest.raises(TypeError):
        kind("a", 1, (), 2)
    return [
        (
            name,
            others,
            one.name,
            one.number,
            one[2],
            one.doubled(),
            one == ("a", 1, (2,)),
            hash(one),
            len(one),
        ),
        (
            repr(one).partition("(")[2],
            one._asdict(),
            one._replace(number=3),
            isinstance(one, tuple),
        ),
        (
            kind._fields,
            kind._field_defaults,
            kind.__match_args__,
            kind.__doc__,
            typing.get_type_hints(kind),
        ),
        [(field.name, field.default) for field in signature(kind).parameters.values()],
        (copy.deepcopy(one) == one, type(copy.copy(one)) is kind),
        pickle.loads(pickle.dumps(one)) == one,  # noqa: S301  our own bytes
    ]


def test_a_named_tuple_is_what_it_is_in_the_standard_library():
    assert said_of(Ours) == said_of(Usual)
