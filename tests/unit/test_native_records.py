"""Records written out for the compiler do what records do."""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
import types

import pytest
import yaml
from native_build import ROOT, sources
from native_records import rewritten

from meldref.core.records import changed, copied, fields_of, hints_of

SOURCE = '''
"""A module."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from meldref.core.records import derived, fresh, hidden, passed, record

_new = tuple.__new__


def shout(text: str) -> str:
    return text.upper()


def double(one) -> int:
    return 2 * one.x


@record
class Point:
    """Two coordinates,
    on two lines."""

    x: int
    """How far."""
    name: str = passed(shout, default="here")
    label: str = hidden(default="a label")
    view: Mapping[str, int] = hidden(default=MappingProxyType({}))
    twice: int = derived(double)
    more: int = derived(lambda point: point.x + point.twice)

    @property
    def low(self) -> bool:
        """Whether it is low."""
        return self.x < 3

    def moved(self, by: int) -> Point:
        # a comment
        return Point(self.x + by)


def shown(one) -> str:
    return f"a bag of {one.things}"


@record(frozen=False)
class Bag:
    things: list[int] = fresh(default_factory=list)
    inner: Point = fresh(default_factory=lambda: Point(7))
    open: bool = True
    size: int = derived(lambda bag: len(bag.things))
    seen: list[int] = derived(lambda bag: [])
    __str__ = shown


@record
class Same:
    a: int
    b: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.a == other.a

    def __hash__(self) -> int:
        return self.a


@record
class Nothing:
    """Nothing at all."""


class Pair(NamedTuple):
    """Two."""

    left: int
    right: str = "r"

    def both(self) -> str:
        return f"{self.left}{self.right}"


class Names(dict[str, str]):
    """A dictionary."""


def pairs() -> list[Pair]:
    made = [_new(Pair, (1, "a")), _new(Pair, (2, _new(Pair, (3, "c"))))]
    return made
'''


def _module(name, source):
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, name, "exec"), module.__dict__)  # noqa: S102  our own source
    return module


@pytest.fixture(scope="module")
def plain():
    """The module written out."""
    return _module("written_out", rewritten(SOURCE))


@pytest.fixture(scope="module")
def records():
    """The module as it is."""
    return _module("as_it_is", SOURCE)


@pytest.fixture(params=["plain", "records"])
def either(request):
    return request.getfixturevalue(request.param)


def test_both_make_the_same_of_fields(either):
    point = either.Point(2, "there")
    assert (point.x, point.name, point.label, point.twice, point.more) == (
        2,
        "THERE",
        "a label",
        4,
        6,
    )
    assert either.Point(2, name="there", label="b") == point
    assert hash(either.Point(2, name="there", label="b")) == hash(point)
    assert point != either.Point(3, "there")
    assert either.Point(0).name == "HERE"
    assert either.Nothing() == either.Nothing() != point
    assert point.low
    assert point.moved(2).x == 4


def test_both_say_the_same_of_themselves(plain, records):
    for make in (
        lambda one: one.Point(2, "there"),
        lambda one: one.Bag([1]),
        lambda one: one.Nothing(),
        lambda one: one.Pair(1),
    ):
        assert repr(make(plain)) == repr(make(records))
    for name in ("Point", "Bag", "Same", "Nothing"):
        here, there = getattr(plain, name), getattr(records, name)
        assert str(inspect.signature(here)) == str(inspect.signature(there))
        assert here.__doc__ == there.__doc__ or not there.__doc__
        assert (fields_of(here), here.__match_args__, dict(hints_of(here))) == (
            fields_of(there),
            there.__match_args__,
            dict(hints_of(there)),
        )


def test_what_changes_is_made_and_copied_alike(either):
    bag, other = either.Bag([1], open=False), either.Bag()
    assert str(bag) == "a bag of [1]"
    assert (other.things, other.inner, other.open) == ([], either.Point(7), True)
    assert other.things is not either.Bag().things
    bag.size += 1
    again = copied(bag)
    again.open = True
    assert (again.things, again.size, bag.open) == ([1], 2, False)
    assert again.seen is bag.seen  # it is not worked out anew
    assert again != bag


def test_both_are_copied_changed_and_pickled_alike(either):
    point = either.Point(2, "there", "b", types.MappingProxyType({"a": 1}))
    pickled = pickle.loads(pickle.dumps(point))  # noqa: S301  our own
    for again in (pickled, copy.copy(point), copy.deepcopy(point), copied(point)):
        assert again == point
        assert (again.label, dict(again.view), type(again.view)) == (
            "b",
            {"a": 1},
            types.MappingProxyType,
        )
    assert changed(point, x=5).more == 15
    with pytest.raises(TypeError):
        changed(point, z=5)


def test_what_starts_anew_is_nobody_elses(either):
    one, other = either.Bag(), either.Bag(open=False)
    one.things.append(1)
    assert (other.things, other.inner, one != other) == ([], either.Point(7), True)
    with pytest.raises(TypeError):
        hash(one)


def test_methods_of_its_own_stay(either):
    assert either.Same(1, 2) == either.Same(1, 3)
    assert hash(either.Same(8)) == 8


def test_a_named_tuple_stays_what_people_do_with_it(either):
    pair = either.Pair(4)
    left, right = pair
    assert (left, right, pair[1], pair.both()) == (4, "r", "r", "4r")
    assert pair == either.Pair(4, "r") == (4, "r")
    assert hash(pair) == hash((4, "r"))
    assert pair._replace(left=5) == either.Pair(5)
    assert [one.left for one in either.pairs()] == [1, 2]
    assert either.pairs()[1].right.right == "c"
    match pair:
        case either.Pair(4, text):
            assert text == "r"


def test_a_source_without_records_stays_as_it_is():
    source = 'x = 1  # a comment\n\n\nclass Plain:\n    """One."""\n'
    assert rewritten(source) == source


@pytest.mark.parametrize(
    "wrong", ["@other\n@record\nclass A:\n    x: int\n", "@record\nclass A(B):\n    x: int\n"]
)
def test_what_no_rule_is_about_is_refused(wrong):
    with pytest.raises(AssertionError):
        rewritten(wrong)


@pytest.mark.sweep
def test_every_module_that_is_compiled_can_be_written_out():
    found = list(sources(ROOT / "validator"))
    assert len(found) > 50
    for path in found:
        text = rewritten(path.read_text(encoding="utf-8"))
        compile(text, str(path), "exec")
        assert "@record" not in text


def test_what_is_left_out_on_the_compiled_wheel_is_there():
    listed = yaml.safe_load((ROOT / "tests" / "compiled.yaml").read_text(encoding="utf-8"))
    for group in listed:
        for test in group["tests"]:
            path, _, name = test.partition("::")
            assert f"\ndef {name}(" in (ROOT / path).read_text(encoding="utf-8"), test
