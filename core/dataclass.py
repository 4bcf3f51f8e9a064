"""The decorator `dataclass`, which makes frozen classes in an eighth of the time that the standard library takes.

A process defines hundreds of nodes before it does anything. The standard library compiles the text of six functions for
each (3.11: 320 µs), which was a quarter of the time of a translation. Here it finds the fields and makes the slots.
`__init__` is that of other classes with other names, and what compares and prints is compiled at its first use. What
is seen of a class is the same, hashes included, and any other class is made by the standard library.
"""

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, fields
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

Class = type[Any]


def _dataclass(written: Class | None = None, /, **options: bool) -> Any:
    slots, eq = options.get("slots", False), options.get("eq", True)
    if not options.get("frozen", False) or options.keys() - {"frozen", "slots", "eq"}:
        return dataclasses.dataclass(written, **options)

    def decorate(written: Class) -> Class:
        own = dict(vars(written))
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(written)
        functions: dict[str, object] = {
            "__init__": _init(made),
            "__repr__": _at_first_use(made, "__repr__", _repr),
            "__setattr__": _setattr,
            "__delattr__": _delattr,
        }
        if slots:
            functions |= {"__getstate__": _getstate, "__setstate__": _setstate}
        if eq:
            functions |= {
                "__eq__": _at_first_use(made, "__eq__", _eq),
                "__hash__": _at_first_use(made, "__hash__", _hash),
            }
            if own.get("__hash__") is None:  # Python says None for a class with an `__eq__` of its own
                own.pop("__hash__", None)
        for name, function in functions.items():
            if name not in own:
                setattr(made, name, function)
        return made

    return decorate


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass


# -- functions that are compiled for a class ---------------------------------------------------------------------------


def _init(made: Class) -> object:
    """`__init__`: its defaults and the types of its arguments are those of the fields."""
    found = fields(made)
    if any(not field.init or field.default_factory is not MISSING for field in found):
        init = _init_with_factories(made)
    else:
        pattern = _pattern(len(found), hasattr(made, "__post_init__"))
        named = dict(zip(_placeholders(len(found)), (field.name for field in found), strict=True))
        code = pattern.__code__
        variables = tuple(named.get(name, name) for name in code.co_varnames)
        constants = tuple(named.get(each, each) if isinstance(each, str) else each for each in code.co_consts)
        defaults = tuple(field.default for field in found if field.default is not MISSING)
        own = vars(sys.modules[made.__module__])
        init = FunctionType(
            code.replace(co_varnames=variables, co_consts=constants), own, "__init__", defaults, pattern.__closure__
        )
        init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__annotations__ = {**{field.name: field.type for field in found if field.init}, "return": None}
    return init


@cache
def _pattern(count: int, has_post_init: bool) -> Any:
    """An `__init__` of so many arguments, which is compiled once: that of a class differs from it by names."""
    placeholders = _placeholders(count)
    body = [f"_set_field(self, {name!r}, {name})" for name in placeholders]
    lines = f"def __init__({', '.join(['self', *placeholders])}):", *_indented(body, has_post_init)
    return _compiled(object, "__init__", lines, {"_set_field": object.__setattr__})


def _placeholders(count: int) -> list[str]:
    return [f"_field_{number}" for number in range(count)]


def _indented(body: list[str], has_post_init: bool) -> list[str]:
    return [f" {line}" for line in (*body, *(["self.__post_init__()"] if has_post_init else [])) or ["pass"]]


def _init_with_factories(made: Class) -> Any:
    given: dict[str, object] = {"_set_field": object.__setattr__, "_missing": MISSING}
    arguments, body = ["self"], []
    for field in fields(made):
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
            body.append(f"_set_field(self, {name!r}, {name})")
    lines = f"def __init__({', '.join(arguments)}):", *_indented(body, hasattr(made, "__post_init__"))
    return _compiled(made, "__init__", lines, given)


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


COMPARED = {"__eq__": _eq, "__hash__": _hash}


def _tuple(owner: str, names: list[str]) -> str:
    return f"({''.join(f'{owner}.{name}, ' for name in names)})"


def _at_first_use(made: Class, name: str, lines: Callable[[Class], tuple[str, ...]]) -> object:
    """A function that puts the compiled one of this name in its own place, and does what that does."""

    def stub(*arguments: object) -> object:
        function = _compiled(made, name, lines(made), {})
        if vars(made).get(name) is stub:
            setattr(made, name, function)
        return function(*arguments)

    stub.__qualname__ = f"{made.__qualname__}.{name}"
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
