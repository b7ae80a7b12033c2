"""Records: classes that are their fields, like dataclasses, with next to no generated source.

A frozen dataclass with slots writes and compiles the source of five methods when its module is
imported, which takes half a millisecond a class. The program has over a hundred, and a question
from the command line should be answered at once. A record's methods are closures over the names of
its fields; records with as many fields share one compiled `__init__`. Type checkers take records
for dataclasses.

`NamedTuple` is `typing.NamedTuple` without what that costs: a compilation for the type of each
field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter
from types import CodeType, FunctionType, MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    NoReturn,
    TypeAlias,
    TypeVar,
    dataclass_transform,
    overload,
)


def compiled(name: str, source: str, **space: object) -> Any:
    """The named function of a source that holds only numbers and names of our own."""
    exec(_code(source), space)  # noqa: S102  as just said
    return space[name]


@lru_cache(maxsize=256)
def _code(source: str) -> CodeType:
    return compile(source, "<string>", "exec")


if TYPE_CHECKING:
    from inspect import Signature
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414  so it can be imported from here
else:
    from collections import _tuplegetter

    _new_tuple = tuple.__new__

    _methods = {
        "__slots__": (),
        "__repr__": lambda self: _printed(self._fields)(self),
        "__getnewargs__": lambda self: (*self,),
        "_asdict": lambda self: dict(zip(self._fields, self, strict=True)),
        "_replace": lambda self, **changes: type(self)(**(self._asdict() | changes)),
    }
    _Tuple = type("_Tuple", (tuple,), _methods)

    class _NamedTupleMaker(type):
        def __new__(cls, name: str, _bases: tuple[type, ...], members: dict[str, Any]) -> type:
            fields = tuple(hints := _hints_in(members))
            defaults = {field: members[field] for field in fields if field in members}
            code = _tuple_maker(len(fields)).__code__.replace(co_varnames=("_cls", *fields))
            make = members["__new__"] = FunctionType(
                code, globals(), "__new__", tuple(defaults.values())
            )
            make.__annotations__ = hints
            members |= {field: _tuplegetter(at, f"Field {at}") for at, field in enumerate(fields)}
            members |= {
                "__slots__": (),
                "_fields": fields,
                "__match_args__": fields,
                "_field_defaults": defaults,
            }
            return type(name, (_Tuple,), members)

    def _hints_in(members: dict[str, Any]) -> dict[str, Any]:
        """What the body of a class says of its fields; since Python 3.14 it is asked, not kept."""
        if "__annotations__" in members:
            return members["__annotations__"]
        import annotationlib  # noqa: PLC0415  only Python 3.14 has it, and ours says it in the older way

        annotate = annotationlib.get_annotate_from_class_namespace(members)
        return annotationlib.call_annotate_function(annotate, annotationlib.Format.FORWARDREF)

    @cache
    def _tuple_maker(size: int) -> Callable[..., object]:
        """What makes tuples of a size; only its arguments have other names."""
        values = "".join([f"a{at}, " for at in range(size)])
        return compiled("make", f"def make(_cls, {values}): return _new_tuple(_cls, ({values}))")

    NamedTuple = type.__new__(_NamedTupleMaker, "NamedTuple", (), {})

_T = TypeVar("_T")
_Put: TypeAlias = Callable[[object, object], None]


class _Field(NamedTuple):
    """What a class says of a field beyond its type."""

    default: object
    default_factory: Callable[[], object] | None = None
    derive: Callable[[Any], object] | None = None
    hidden: bool = False
    through: Callable[[Any], object] | None = None


_NOTHING: Final[Any] = object()

# To type checkers, the four functions below return the values of their fields.


def fresh(*, default_factory: Callable[[], _T]) -> _T:
    """A field that starts with a new value in each instance."""
    return _Field(_NOTHING, default_factory)  # type: ignore[return-value]


def hidden(*, default: _T = _NOTHING) -> _T:
    """A field that is neither compared nor printed."""
    return _Field(default, hidden=True)  # type: ignore[return-value]


def passed(through: Callable[[_T], _T], *, default: _T = _NOTHING) -> _T:
    """A field whose values go through a function when an instance is made; a default does, too."""
    return _Field(default, through=through)  # type: ignore[return-value]


def derived(derive: Callable[[Any], _T], *, init: Literal[False] = False) -> _T:
    """A field that is computed from the others when an instance is made.

    Neither compared nor printed.
    """
    return _Field(_NOTHING, None, derive, hidden=True)  # type: ignore[return-value]


@overload
def record(described: type[_T]) -> type[_T]: ...


@overload
def record(*, frozen: bool) -> Callable[[type[_T]], type[_T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(fresh, hidden, passed, derived))
def record(
    described: type[_T] | None = None, *, frozen: bool = True
) -> type[_T] | Callable[[type[_T]], type[_T]]:
    """Makes a class that names fields one with slots: comparable, printable, hashable if frozen.

    Fields are annotations, with or without a default, in the order of the arguments; those of a
    base class do not count. A record is frozen by default, and equal only to records of its class.
    """
    if described is None:
        return lambda described: _record(described, frozen=frozen)
    return _record(described, frozen=frozen)


def fields_of(record: object) -> tuple[str, ...]:
    """The names of the fields that a record, or a class of records, is made of.

    Of anything else, none.
    """
    fields: tuple[str, ...] = getattr(record, "_fields_of_record", ())
    return fields


def hints_of(kind: type) -> Mapping[str, str]:
    """The types of a record's fields, as its class writes them."""
    hints: Mapping[str, str] = getattr(kind, "_hints_of_record", kind.__annotations__)
    return hints


def copied(value: _T) -> _T:
    """A record with the same values, made as quickly as can be."""
    kind: Any = type(value)
    made: _T = kind._copied_record(value)  # noqa: SLF001  a record's own
    return made


def reduced(kind: type, row: tuple[object, ...]) -> tuple[object, ...]:
    """What pickling and copying make a record of again.

    A mapping that is only to be read stays one.
    """
    views = tuple([at for at, value in enumerate(row) if type(value) is MappingProxyType])
    if not views:
        return kind, row
    values: list[Any] = list(row)
    for at in views:
        values[at] = dict(values[at])
    return _with_views, (kind, values, views)


def _with_views(kind: type, values: list[Any], views: tuple[int, ...]) -> object:
    for at in views:
        values[at] = MappingProxyType(values[at])
    return kind(*values)


class Signed:
    """The signature of a record's class, made on demand (`help`, `inspect.signature`)."""

    def __init__(self, defaults: Mapping[str, object]) -> None:
        self._defaults = defaults

    def __get__(self, value: object, kind: type) -> Signature:
        from inspect import Parameter, Signature  # noqa: PLC0415  rarely asked for

        hints, nothing = hints_of(kind), Parameter.empty
        fields = [
            Parameter(
                name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=self._defaults.get(name, nothing),
                annotation=hints.get(name, nothing),
            )
            for name in fields_of(kind)
        ]
        return Signature(fields)


def sign(kind: type, doc: str, defaults: Mapping[str, object]) -> None:
    """Puts docstring and signature to a class that was compiled."""
    made: Any = kind
    made.__doc__ = doc
    made.__signature__ = Signed(defaults)


def undecorated(kind: type[_T]) -> type[_T]:
    """A class as it is: a compiler leaves a class alone that has a decorator."""
    return kind


class _Fresh:
    """The default of a field with a new value in each instance, as a signature shows it."""

    def __repr__(self) -> str:
        return "<new>"


FRESH: Final = _Fresh()


def changed(instance: _T, **fields: Any) -> _T:
    """A copy of a record with other values for some fields.

    TypeError if it has no such field.
    """
    kind: Any = type(instance)
    if kind._changes_itself:  # noqa: SLF001  compiled
        made_native: _T = kind._changed_record(instance, fields)  # noqa: SLF001
        return made_native
    puts: Mapping[str, _Put] = kind._puts_of_record  # noqa: SLF001
    if puts:
        copy: _T = kind._copied_record(instance)  # noqa: SLF001
        try:
            for name, value in fields.items():
                puts[name](copy, value)
        except KeyError:
            pass  # no such field, or one of which others are derived
        else:
            return copy
    row = kind._row_of_record(instance)  # noqa: SLF001
    values = dict(zip(fields_of(kind), row, strict=True))
    for name in fields.keys() - values.keys():
        raise TypeError(f"{kind.__name__} has no field {name}")
    made: _T = kind(**(values | fields))
    return made


def _record(described: type[_T], *, frozen: bool) -> type[_T]:
    members = dict(described.__dict__)
    assert "__post_init__" not in members, "a record's fields are given, or `derived`"
    members.pop("__dict__", None)
    members.pop("__weakref__", None)
    fields: dict[str, _Field] = {}
    for name in described.__annotations__:
        value = members.pop(name, _NOTHING)
        fields[name] = value if isinstance(value, _Field) else _Field(value)
    names = [name for name, field in fields.items() if field.derive is None]
    compared = [name for name, field in fields.items() if not field.hidden]
    defaults = {
        name: FRESH if fields[name].default_factory else fields[name].default
        for name in names
        if fields[name].default_factory or fields[name].default is not _NOTHING
    }
    assert [*defaults] == names[len(names) - len(defaults) :], (
        "a field without a default comes before the others"
    )
    members["__slots__"] = (*names, *(name for name in fields if name not in names))
    members["__match_args__"] = members["_fields_of_record"] = tuple(names)
    key = _key(compared)
    members.setdefault("__eq__", _equal(key))
    members.setdefault("__repr__", _printed(compared))
    if frozen:
        members.setdefault("__hash__", lambda self: hash(key(self)))
        members["__setattr__"] = members["__delattr__"] = _refuse
    else:
        members["__hash__"] = None
    whole = _key(names)
    members["_row_of_record"] = staticmethod(whole)
    members["__reduce__"] = lambda self: reduced(type(self), whole(self))
    members["__signature__"] = Signed(defaults)
    members["_changes_itself"], members["_puts_of_record"] = False, {}
    make: Any = type(described)
    made: Any = make(described.__name__, described.__bases__, members)
    made._copied_record = staticmethod(_copier(made, frozen=frozen))  # noqa: SLF001  a record's own
    puts = {name: _put(getattr(made, name).__set__, fields[name]) for name in names}
    if names == [*fields]:  # no field is derived from the others
        made._puts_of_record = puts  # noqa: SLF001  a record's own
    values = tuple(defaults.values())
    if frozen:
        made.__init__ = _filling(made, puts, fields, values)
    else:
        made.__init__ = _setting_when_needed(made, fields, values)
    made.__init__.__qualname__ = f"{described.__qualname__}.__init__"
    return made  # type: ignore[no-any-return]


def _filling(
    kind: type,
    puts: Mapping[str, _Put],
    fields: Mapping[str, _Field],
    defaults: tuple[object, ...],
) -> FunctionType:
    """The `__init__` of a frozen record: slots are filled through their descriptors."""
    derives = [
        (getattr(kind, name).__set__, field.derive)
        for name, field in fields.items()
        if field.derive
    ]
    fill = _filler(len(puts), len(derives))(*puts.values(), *chain(*derives))
    code = fill.__code__.replace(co_varnames=("self", *puts))
    return FunctionType(code, globals(), "__init__", defaults, fill.__closure__)


def _setting_when_needed(
    kind: Any, fields: Mapping[str, _Field], defaults: tuple[object, ...]
) -> Any:
    """The `__init__` of a record that is not frozen, which is compiled for the first one made."""

    def first(self: object, *given: object, **named: object) -> None:
        init = _setting(fields)
        init.__defaults__, init.__qualname__ = defaults, kind.__init__.__qualname__
        kind.__init__ = init
        init(self, *given, **named)

    return first


def _setting(fields: Mapping[str, _Field]) -> Any:
    """An `__init__` that sets attributes by their names: quicker, but compiled for one class."""
    space: dict[str, object] = {"FRESH": FRESH}
    names = [name for name, field in fields.items() if field.derive is None]
    sets: list[str] = []
    for name in (*names, *[name for name in fields if name not in names]):
        field, value = fields[name], name
        if field.derive is not None:
            value = f"of_{name}(self)"
        elif field.through is not None:
            value = f"of_{name}({name})"
        elif field.default_factory is not None:
            value = f"of_{name}() if {name} is FRESH else {name}"
        space[f"of_{name}"] = field.derive or field.through or field.default_factory
        sets.append(f"self.{name} = {value}")
    source = "\n ".join([f"def __init__({', '.join(['self', *names])}):", *sets, "pass"])
    return compiled("__init__", source, **space)


@cache
def _filler(number: int, derived: int) -> Any:
    """What makes the `__init__` of every record with as many fields.

    Only its arguments have other names.
    """
    numbers, more = range(number), range(derived)
    outer = [*(f"put_{n}" for n in numbers), *(f"keep_{n}, derive_{n}" for n in more)]
    steps = [
        *(f"put_{n}(self, a{n})" for n in numbers),
        *(f"keep_{n}(self, derive_{n}(self))" for n in more),
    ]
    inner = ["self", *(f"a{n}" for n in numbers)]
    body = "; ".join(steps) or "pass"
    source = (
        f"def make({', '.join(outer)}):\n def fill({', '.join(inner)}):\n  {body}\n return fill"
    )
    return compiled("make", source)


def _put(put: _Put, field: _Field) -> _Put:
    """What fills a slot: a new value if none is given, and what it becomes on the way."""
    through, fresh_value = field.through, field.default_factory
    if through is not None:
        return lambda self, value: put(self, through(value))
    if fresh_value is not None:
        return lambda self, value: put(self, fresh_value() if value is FRESH else value)
    return put


def _copier(kind: Any, *, frozen: bool) -> Callable[[object], object]:
    """Copies a record.

    Compiled when it is first needed, since that makes it several times as quick.
    """

    def copy(value: object) -> object:
        sets = [f"other.{name} = one.{name}" for name in kind.__slots__]
        lines = ["def copy(one):", "other = new(open)", *sets, "return other"]
        space = {"new": object.__new__, "open": kind, "kind": kind}
        if frozen:
            # A class with the same slots, of which one can be set: it becomes frozen at the end.
            space["open"] = type(kind.__name__, kind.__bases__, {"__slots__": kind.__slots__})
            lines.insert(-1, "other.__class__ = kind")
        made = compiled("copy", "\n ".join(lines), **space)
        kind._copied_record = staticmethod(made)  # noqa: SLF001  a record's own
        return made(value)

    return copy


def _key(names: Sequence[str]) -> Callable[[object], tuple[object, ...]]:
    """The values of some fields."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    only = attrgetter(names[0])
    return lambda value: (only(value),)


def _equal(key: Callable[[object], tuple[object, ...]]) -> Callable[[object, object], object]:
    def equal(self: object, other: object) -> object:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return key(self) == key(other)

    return equal


def _printed(names: list[str]) -> Callable[[object], str]:
    def printed(self: object) -> str:
        inside = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        return f"{type(self).__qualname__}({inside})"

    return printed


def _refuse(self: object, name: str, _value: object = None) -> NoReturn:
    raise AttributeError(f"a {type(self).__name__} is frozen: {name} cannot be set")
