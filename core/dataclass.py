"""The decorator `dataclass`, which makes classes in a fifteenth of the time that the standard library takes.

A process defines hundreds of nodes before it does anything. The standard library makes each class twice, and compiles
the text of up to six functions for it (3.11: 320 µs), which was a quarter of the time of a translation. Here `__init__`
is that of other classes with other names, and what compares and prints is compiled at its first use. What is seen of a
class is the same, hashes included. All annotations are fields: there is no `ClassVar`, `InitVar` or `KW_ONLY`. Classes
with other options than `frozen`, `slots` and `eq` are made by the standard library.
"""

import dataclasses
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from functools import cache
from inspect import signature
from types import FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

Class = type[Any]


@dataclasses.dataclass(init=False, repr=False, eq=False)
class _Sample:
    """What the standard library writes into a class and its fields, and gives no name to."""

    field: int


_SHARED = {name: value for name, value in vars(_Sample).items() if name in {"__dataclass_params__", "__replace__"}}
"""The second since Python 3.13."""

_IS_FIELD = fields(_Sample)[0]._field_type  # type: ignore[attr-defined] # the library's own mark


def _dataclass(written: Class | None = None, /, **options: bool) -> Any:
    if options.keys() - {"frozen", "slots", "eq"}:
        return dataclasses.dataclass(written, **options)
    return (lambda each: _made(each, **options)) if written is None else _made(written, **options)


def _made(written: Class, frozen: bool = False, slots: bool = False, eq: bool = True) -> Class:
    own = dict(vars(written))
    inherited = (vars(base).get("__dataclass_fields__", {}) for base in reversed(written.__mro__[1:]))
    found: dict[str, Field[Any]] = {name: each for base in inherited for name, each in base.items()}
    found |= {name: _field(name, type_, own.get(name, MISSING)) for name, type_ in written.__annotations__.items()}
    several = list(found.values())
    home: list[Class] = []
    functions: dict[str, object] = {
        "__init__": _init(written, several, frozen),
        "__repr__": _at_first_use(written, home, "__repr__", _repr),
    }
    if frozen:
        functions |= {"__setattr__": _setattr, "__delattr__": _delattr}
        if slots:
            functions |= {"__getstate__": _getstate, "__setstate__": _setstate}
    if eq:
        hash_ = _at_first_use(written, home, "__hash__", _hash) if frozen else None
        functions |= {"__eq__": _at_first_use(written, home, "__eq__", _eq), "__hash__": hash_}
        if own.get("__hash__") is None:  # Python says None for a class with an `__eq__` of its own
            own.pop("__hash__", None)
    given = {
        **_SHARED,
        "__dataclass_fields__": found,
        "__match_args__": tuple(each.name for each in several if each.init),
        **{name: function for name, function in functions.items() if name not in own},
    }
    made = _with_slots(written, own | given, found) if slots else _with_defaults(written, own, given, several)
    home.append(made)
    if not made.__doc__:
        made.__doc__ = f"{made.__name__}{signature(made)}".replace(" -> None", "")
    return made


def _field(name: str, type_: Any, default: Any) -> Field[Any]:
    found: Field[Any] = default if isinstance(default, Field) else dataclasses.field(default=default)
    if type(found.default).__hash__ is None:
        raise ValueError(f"the field {name} has {found.default!r} as its default: several instances would share it")
    found.name, found.type, found.kw_only = name, type_, False
    found._field_type = _IS_FIELD  # type: ignore[attr-defined] # as above
    return found


def _with_slots(written: Class, namespace: dict[str, Any], found: dict[str, Field[Any]]) -> Class:
    """The class once more: slots are known when it is made."""
    for name in (*found, "__dict__", "__weakref__"):
        namespace.pop(name, None)
    known = {name for base in written.__mro__[1:-1] for name in vars(base).get("__slots__", ())}
    namespace["__slots__"] = tuple(name for name in found if name not in known)
    namespace["__qualname__"] = written.__qualname__
    metaclass: Any = type(written)
    made: Class = metaclass(written.__name__, written.__bases__, namespace)
    return made


def _with_defaults(
    written: Class, own: dict[str, Any], given: dict[str, object], several: Sequence[Field[Any]]
) -> Class:
    """The class itself, which has the defaults where `field` was written."""
    for each in several:
        if isinstance(own.get(each.name), Field):
            if each.default is MISSING:
                delattr(written, each.name)
            else:
                setattr(written, each.name, each.default)
    for name, value in given.items():
        setattr(written, name, value)
    return written


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass


# -- functions that are compiled for a class ---------------------------------------------------------------------------


def _init(written: Class, several: Sequence[Field[Any]], frozen: bool) -> object:
    """`__init__`: its defaults and the types of its arguments are those of the fields."""
    if any(not each.init or each.default_factory is not MISSING for each in several):
        init = _init_with_factories(written, several, frozen)
    else:
        pattern = _pattern(len(several), hasattr(written, "__post_init__"), frozen)
        named = dict(zip(_placeholders(len(several)), (each.name for each in several), strict=True))
        code = pattern.__code__
        variables = tuple(named.get(name, name) for name in code.co_varnames)
        attributes = tuple(named.get(name, name) for name in code.co_names)
        constants = tuple(named.get(each, each) if isinstance(each, str) else each for each in code.co_consts)
        defaults = tuple(each.default for each in several if each.default is not MISSING)
        own = vars(sys.modules[written.__module__])
        code = code.replace(co_varnames=variables, co_names=attributes, co_consts=constants)
        init = FunctionType(code, own, "__init__", defaults, pattern.__closure__)
        init.__qualname__ = f"{written.__qualname__}.__init__"
    init.__annotations__ = {**{each.name: each.type for each in several if each.init}, "return": None}
    return init


@cache
def _pattern(count: int, has_post_init: bool, frozen: bool) -> Any:
    """An `__init__` of so many arguments, which is compiled once: that of a class differs from it by names."""
    placeholders = _placeholders(count)
    body = [_stored(name, frozen) for name in placeholders]
    lines = f"def __init__({', '.join(['self', *placeholders])}):", *_indented(body, has_post_init)
    return _compiled(object, "__init__", lines, {"_set_field": object.__setattr__})


def _placeholders(count: int) -> list[str]:
    return [f"_field_{number}" for number in range(count)]


def _stored(name: str, frozen: bool) -> str:
    return f"_set_field(self, {name!r}, {name})" if frozen else f"self.{name} = {name}"


def _indented(body: list[str], has_post_init: bool) -> list[str]:
    return [f" {line}" for line in (*body, *(["self.__post_init__()"] if has_post_init else [])) or ["pass"]]


def _init_with_factories(written: Class, several: Sequence[Field[Any]], frozen: bool) -> Any:
    given: dict[str, object] = {"_set_field": object.__setattr__, "_missing": MISSING}
    arguments, body = ["self"], []
    for field in several:
        name, argument = field.name, ""
        if field.default is not MISSING:
            given[f"_default_{name}"] = field.default
            argument = f"=_default_{name}"
        elif field.default_factory is not MISSING:
            given[f"_make_{name}"] = field.default_factory
            argument = "=_missing"
            body.append(f"{name} = _make_{name}()" + (f" if {name} is _missing else {name}" if field.init else ""))
        if field.init:
            arguments.append(name + argument)
        if field.init or field.default_factory is not MISSING:
            body.append(_stored(name, frozen))
    lines = f"def __init__({', '.join(arguments)}):", *_indented(body, hasattr(written, "__post_init__"))
    return _compiled(written, "__init__", lines, given)


def _eq(made: Class) -> tuple[str, ...]:
    names = [field.name for field in fields(made) if field.compare]
    same = f"{_tuple('self', names)} == {_tuple('other', names)}"
    return "def __eq__(self, other):", f" return {same} if other.__class__ is self.__class__ else NotImplemented"


def _hash(made: Class) -> tuple[str, ...]:
    names = [field.name for field in fields(made) if (field.compare if field.hash is None else field.hash)]
    return "def __hash__(self):", f" return hash({_tuple('self', names)})"


def _repr(made: Class) -> tuple[str, ...]:
    shown = ", ".join(f"{field.name}={{self.{field.name}!r}}" for field in fields(made) if field.repr)
    return "def __repr__(self):", f" return f'{{self.__class__.__qualname__}}({shown})'"


def _tuple(owner: str, names: list[str]) -> str:
    return f"({''.join(f'{owner}.{name}, ' for name in names)})"


def _at_first_use(written: Class, home: list[Class], name: str, lines: Callable[[Class], tuple[str, ...]]) -> object:
    """A function that puts the compiled one of this name in its own place, and does what that does.

    `home` is the class, which is made after its functions.
    """

    def stub(*arguments: object) -> object:
        (made,) = home
        function = _compiled(made, name, lines(made), {})
        if vars(made).get(name) is stub:
            setattr(made, name, function)
        return function(*arguments)

    stub.__qualname__ = f"{written.__qualname__}.{name}"
    return stub


def _compiled(made: Class, name: str, lines: tuple[str, ...], given: dict[str, object]) -> Any:
    """A function of these lines in the module of the class, which sees what is `given` besides."""
    text = "\n".join([f"def _within({', '.join(given)}):", *(f" {line}" for line in lines), f" return {name}"])
    within: dict[str, Any] = {}
    exec(text, vars(sys.modules[made.__module__]), within)
    function = within["_within"](**given)
    function.__qualname__ = f"{made.__qualname__}.{name}"
    return function


# -- functions that all classes share ----------------------------------------------------------------------------------


def _setattr(_self: object, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(_self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in fields(self)]


def _setstate(self: Any, state: list[object]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
