"""Records: classes that are their fields, as dataclasses are, made without generating source.

A frozen dataclass with slots writes and compiles the text of five methods when its module is imported, half a
millisecond a class; the program has over a hundred, and a question from the command line should answer at once.
A record's methods are closures over the names of its fields: making the class takes some twenty microseconds,
making an instance about as long as of a dataclass. Type checkers take records for dataclasses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, TypeAlias, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:
    from inspect import Signature

_T = TypeVar("_T")
_Put: TypeAlias = Callable[[object, object], None]


class _Field:
    """What a class says of a field beyond its type."""

    __slots__ = ("default", "default_factory", "derive", "hidden", "through")

    def __init__(
        self,
        default: object,
        default_factory: Callable[[], object] | None = None,
        derive: Callable[[Any], object] | None = None,
        *,
        hidden: bool = False,
        through: Callable[[Any], object] | None = None,
    ) -> None:
        self.default = default
        self.default_factory = default_factory
        self.derive = derive
        self.hidden = hidden
        self.through = through


_NOTHING: Final[Any] = object()


def fresh(*, default_factory: Callable[[], _T]) -> _T:
    """A field that starts with a new value in each instance."""
    made: Any = _Field(_NOTHING, default_factory)
    return made  # type: ignore[no-any-return]


def hidden(*, default: _T = _NOTHING) -> _T:
    """A field that is neither compared nor printed."""
    made: Any = _Field(default, hidden=True)
    return made  # type: ignore[no-any-return]


def passed(through: Callable[[_T], _T], *, default: _T = _NOTHING) -> _T:
    """A field whose values go through a function when an instance is made; a default does, too."""
    made: Any = _Field(default, through=through)
    return made  # type: ignore[no-any-return]


def derived(derive: Callable[[Any], _T], *, init: Literal[False] = False) -> _T:
    """A field that is computed from the others when an instance is made; neither compared nor printed."""
    made: Any = _Field(_NOTHING, None, derive, hidden=True)
    return made  # type: ignore[no-any-return]


@overload
def record(described: type[_T]) -> type[_T]: ...


@overload
def record(*, frozen: bool, quick: bool = False) -> Callable[[type[_T]], type[_T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(fresh, hidden, passed, derived))
def record(
    described: type[_T] | None = None, *, frozen: bool = True, quick: bool = False
) -> type[_T] | Callable[[type[_T]], type[_T]]:
    """A class with slots from one that names fields: comparable, printable, and if frozen, hashable.

    Fields are annotations, with or without a default, in the order of the arguments; those of a base class
    are none of it. Frozen is the default; another record compares equal to nothing but its own kind. `quick` is
    for one that changes, has many fields and is made often: its methods are compiled, as those of dataclasses are.
    """
    if described is None:
        return lambda described: _record(described, frozen=frozen, quick=quick)
    return _record(described, frozen=frozen, quick=quick)


def fields_of(one: object) -> tuple[str, ...]:
    """The names of the fields that a record, or a class of records, is made of; of anything else, none."""
    found: tuple[str, ...] = getattr(one, "_fields_of_record", ())
    return found


def hints_of(kind: type) -> Mapping[str, str]:
    """The types of a record's fields, as its class writes them."""
    found: Mapping[str, str] = getattr(kind, "_hints_of_record", kind.__annotations__)
    return found


def copied(one: _T) -> _T:
    """A record with the same values, made as quickly as can be."""
    kind: Any = type(one)
    made: _T = kind._copied_record(one)  # noqa: SLF001  a record's own
    return made


def reduced(kind: type, row: tuple[object, ...]) -> tuple[object, ...]:
    """What pickling and copying make a record of again; a mapping that is only to be read stays one."""
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
    """The signature of a record's class, which is made when somebody asks for it (`help`, `inspect.signature`)."""

    def __init__(self, defaults: Mapping[str, object]) -> None:
        self._defaults = defaults

    def __get__(self, one: object, kind: type) -> Signature:
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
    """The default of a field that starts with a new value in each instance, as a signature shows it."""

    def __repr__(self) -> str:
        return "<new>"


FRESH: Final = _Fresh()


def changed(one: _T, **fields: Any) -> _T:
    """A copy of a record with other values for some fields.

    Raises:
        TypeError: it has no such field.
    """
    kind: Any = type(one)
    puts: Mapping[str, _Put] = getattr(kind, "_puts_of_record", {})
    if puts and puts.keys() >= fields.keys():
        copy = copied(one)
        for name, value in fields.items():
            puts[name](copy, value)
        return copy
    values = list(kind._row_of_record(one))  # noqa: SLF001  a record's own
    names = fields_of(kind)
    for name, value in fields.items():
        if name not in names:
            raise TypeError(f"{kind.__name__} has no field {name}")
        values[names.index(name)] = value
    made: _T = kind(*values)
    return made


def _record(described: type[_T], *, frozen: bool, quick: bool) -> type[_T]:
    members = dict(described.__dict__)
    assert "__post_init__" not in members, "a record's fields are given, or `derived`"
    members.pop("__dict__", None)
    members.pop("__weakref__", None)
    names: list[str] = []
    compared: list[str] = []
    defaults: dict[str, _Field] = {}
    derives: list[tuple[str, Callable[[Any], object]]] = []
    throughs: dict[str, Callable[[Any], object]] = {}
    for name in described.__annotations__:
        value = members.pop(name, _NOTHING)
        field = value if isinstance(value, _Field) else _Field(value)
        if field.derive is not None:
            derives.append((name, field.derive))
            continue
        names.append(name)
        if field.through is not None:
            throughs[name] = field.through
        if field.default is not _NOTHING or field.default_factory is not None:
            defaults[name] = field
        if not field.hidden:
            compared.append(name)
    members["__slots__"] = (*names, *(name for name, _ in derives))
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
    members["__signature__"] = Signed(
        {name: FRESH if field.default is _NOTHING else field.default for name, field in defaults.items()}
    )
    make: Any = type(described)
    made: Any = make(described.__name__, described.__bases__, members)
    puts = [getattr(made, name).__set__ for name in names]
    made._copied_record = staticmethod(_copier(made, frozen=frozen))  # noqa: SLF001  a record's own
    if quick:
        made.__init__ = _quick_init(names, defaults)
        return made  # type: ignore[no-any-return]
    for name, through in throughs.items():
        puts[names.index(name)] = _through(puts[names.index(name)], through)
    if not derives:
        made._puts_of_record = dict(zip(names, puts, strict=True))  # noqa: SLF001  a record's own
    fill = _init(names, puts, defaults, _completed(described.__name__, names, defaults))
    if derives:
        fill = _derive(fill, [(getattr(made, name).__set__, derive) for name, derive in derives])
    fill.__qualname__ = f"{described.__qualname__}.__init__"
    made.__init__ = fill
    return made  # type: ignore[no-any-return]


def _init(
    names: list[str],
    puts: list[_Put],
    defaults: dict[str, _Field],
    complete: Callable[[tuple[object, ...], dict[str, object]], Iterable[object]],
) -> Callable[..., None]:
    """The `__init__` of a record: slots are filled through their descriptors, frozen or not.

    Records of one, two or three fields are made while logs are read: theirs is a function with these names.
    """
    if len(names) in _FILLS and all(field.default_factory is None for field in defaults.values()):
        fill: Any = _FILLS[len(names)](*puts)
        code = fill.__code__.replace(co_varnames=("self", *names))
        starts = tuple([field.default for field in defaults.values()])
        return FunctionType(code, globals(), "__init__", starts, fill.__closure__)
    wanted = len(puts)

    def fill_all(self: object, *values: object, **named: object) -> None:
        row = complete(values, named) if named or len(values) != wanted else values
        for put, value in zip(puts, row):  # noqa: B905  as many of both, and asking costs time
            put(self, value)

    return fill_all


def _fill_one(put_a: _Put) -> Callable[..., None]:
    def fill(self: object, a: object) -> None:
        put_a(self, a)

    return fill


def _fill_two(put_a: _Put, put_b: _Put) -> Callable[..., None]:
    def fill(self: object, a: object, b: object) -> None:
        put_a(self, a)
        put_b(self, b)

    return fill


def _fill_three(put_a: _Put, put_b: _Put, put_c: _Put) -> Callable[..., None]:
    def fill(self: object, a: object, b: object, c: object) -> None:
        put_a(self, a)
        put_b(self, b)
        put_c(self, c)

    return fill


_FILLS: Final[dict[int, Callable[..., Callable[..., None]]]] = {1: _fill_one, 2: _fill_two, 3: _fill_three}


def _copier(kind: Any, *, frozen: bool) -> Callable[[object], object]:
    """Copies a record; compiled from text when it is first needed, since that is several times as quick."""

    def copy(one: object) -> object:
        space: dict[str, Any] = {"new": object.__new__, "kind": kind}
        lines = ["def copy(one):", "other = new(kind)"]
        for at, name in enumerate(kind.__slots__):
            space[f"put_{at}"] = getattr(kind, name).__set__
            lines.append(f"put_{at}(other, one.{name})" if frozen else f"other.{name} = one.{name}")
        quick = _compiled("copy", [*lines, "return other"], space)
        kind._copied_record = staticmethod(quick)  # noqa: SLF001  a record's own
        return quick(one)  # type: ignore[no-any-return]

    return copy


def _quick_init(names: list[str], defaults: dict[str, _Field]) -> Any:
    """The `__init__` of a record that changes, compiled from text: several times as quick as a closure."""
    space: dict[str, Any] = {"nothing": _NOTHING}
    parameters, lines = ["self"], []
    for at, name in enumerate(names):
        field = defaults.get(name)
        if field is None:
            parameters.append(name)
            lines.append(f"self.{name} = {name}")
            continue
        space[f"default_{at}"] = field.default_factory or field.default
        parameters.append(f"{name}={'nothing' if field.default_factory else f'default_{at}'}")
        made = f"default_{at}() if {name} is nothing else " if field.default_factory else ""
        lines.append(f"self.{name} = {made}{name}")
    return _compiled("__init__", [f"def __init__({', '.join(parameters)}):", *lines], space)


def _compiled(name: str, lines: list[str], space: dict[str, Any]) -> Any:
    """The function of that name that is defined by a line and the lines of its body."""
    exec("\n    ".join(lines), space)  # noqa: S102  it is made of the names of a class's fields
    return space[name]


def _through(put: _Put, through: Callable[[Any], object]) -> _Put:
    return lambda self, value: put(self, through(value))


def _derive(fill: Callable[..., None], derives: list[tuple[_Put, Callable[[Any], object]]]) -> Callable[..., None]:
    """An `__init__` that also computes the fields that follow from the others."""

    def fill_and_derive(self: object, *values: object, **named: object) -> None:
        fill(self, *values, **named)
        for put, derive in derives:
            put(self, derive(self))

    return fill_and_derive


def _completed(
    kind: str, names: list[str], defaults: dict[str, _Field]
) -> Callable[[tuple[object, ...], dict[str, object]], Iterable[object]]:
    """Every field's value, from positional arguments, those by name, and defaults."""
    given_by = {name: at for at, name in enumerate(names)}
    starts = [defaults[name].default if name in defaults else _NOTHING for name in names]
    makes = [
        (at, make)
        for at, name in enumerate(names)
        if name in defaults and (make := defaults[name].default_factory)
    ]
    needed = [at for at, name in enumerate(names) if name not in defaults]

    def complete(values: tuple[object, ...], named: dict[str, object]) -> Iterable[object]:
        given = len(values)
        if given > len(names):
            raise TypeError(f"{kind} has {len(names)} fields, not {given}")
        row = [*values, *starts[given:]]
        for name, value in named.items():
            at = given_by.get(name, -1)
            if at < given:
                raise TypeError(f"{kind} has no field {name}, or it is given twice")
            row[at] = value
        for at, make in makes:
            if row[at] is _NOTHING:
                row[at] = make()
        for at in needed:
            if row[at] is _NOTHING:
                raise TypeError(f"{kind} needs {names[at]}")
        return row

    return complete


def _key(names: Sequence[str]) -> Callable[[object], tuple[object, ...]]:
    """The values of some fields."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    only = attrgetter(names[0])
    return lambda one: (only(one),)


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
