"""The arguments of a function as values: checked against their types, copied where they do not lie as these say."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.lib.stride_tricks import as_strided

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, raise_any
from einsum_front.core.facts import Nonzeros
from einsum_front.core.runs import mask_from_runs
from einsum_front.tl_backend.analysis.effects import argument_access, owned_memory
from einsum_front.tl_backend.interpret.frame import Memory, Value, allocate, bytes_of, run_time_strides
from einsum_front.tl_backend.program import Argument, Function, of_element
from einsum_front.tl_backend.scalars import DTYPES, Scalar, integer_bounds, make
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

Copies = list[tuple[Memory, Memory]]


@dataclass(frozen=True, slots=True)
class Bound:
    """The values of the arguments, and the caller's arrays that are written with the copies to write back."""

    values: dict[str, Value] = field(default_factory=dict)
    copies: Copies = field(default_factory=list)


class _Misfit(Exception):  # noqa: N818 - never leaves this file
    """Kind of the argument, and the expected one."""


def bind(function: Function, arguments: Mapping[str, object]) -> Bound:
    """The values that the arguments have in the function; CompileError with E0450 for those that do not fit."""
    bound = Bound()
    found: list[Diagnostic] = []
    access = argument_access(function)
    for argument in function.arguments:
        name = argument.name.name
        is_written = name in access and access[name].is_written
        try:
            if name not in arguments:
                raise _Misfit("is missing")
            bound.values[name] = _value(argument, arguments[name], bound.copies, is_written=is_written)
        except _Misfit as misfit:
            labels = tuple(Label(span) for span in argument.origin[:1])
            found.append(Diagnostic("E0450", f"argument `%{name}` {misfit}", labels))
    known = {argument.name.name for argument in function.arguments}
    found += [_unknown(function, name) for name in arguments if name not in known]
    raise_any(found)
    return bound


def behind_prologue(
    function: Function, arguments: Mapping[str, object], run: Callable[[Function, Mapping[str, object]], None]
) -> Mapping[str, object]:
    """The arguments that the function has once `run` has run its prologue; what is wrong with them, `bind` says."""
    prologue = function.prologue
    if prologue is None:
        return arguments
    owned = {
        name: np.zeros(tuple(size or 0 for size in type_.shape), DTYPES[type_.element])
        for name, type_ in owned_memory(prologue).items()
    }
    names = [argument.name.name for argument in prologue.arguments]
    run(prologue, {name: arguments[name] for name in names if name in arguments} | owned)
    own = {argument.name.name for argument in function.arguments}
    return {**arguments, **{name: array for name, array in owned.items() if name in own}}


def _unknown(function: Function, name: str) -> Diagnostic:
    return Diagnostic("E0450", f"`@{function.name}` has no argument `%{name}`")


def check_nonzeros(function: Function, bound: Bound) -> None:
    """Raises CompileError with E0450 if an argument holds something where its nonzeros leave it out."""
    batched = function.batch_modes
    for fact in function.facts:
        value = bound.values.get(fact.argument)
        if not isinstance(fact, Nonzeros) or value is None or isinstance(value, np.generic):
            continue
        for memory in [value] if isinstance(value, np.ndarray) else value:
            elements = memory if fact.argument not in batched else np.moveaxis(memory, batched[fact.argument], -1)
            shape = of_element(memory.shape, batched.get(fact.argument))
            zeros = ~mask_from_runs(fact.runs, shape).reshape((*shape, *[1] * (memory.ndim - len(shape))))
            wrong = (zeros & (elements != 0)).reshape((zeros.size, -1), order="F").any(axis=1)
            if wrong.any():
                labels = tuple(Label(span) for span in fact.origin[:1])
                holds = f"holds something at position {np.flatnonzero(wrong)[0]}"
                message = f"argument `%{fact.argument}` {holds}, which its nonzeros leave out"
                raise CompileError([Diagnostic("E0450", message, labels)])


def write_back(bound: Bound) -> None:
    """Bring what was written to copies to the caller's arrays."""
    for array, copy in bound.copies:
        array[...] = copy


def _value(argument: Argument, value: object, copies: Copies, *, is_written: bool) -> Value:
    match argument.type:
        case ScalarType():
            return _scalar(value, argument.type)
        case MemrefType():
            return _memory(value, argument.type, copies, is_written=is_written)
        case GroupType(memref=memref):
            if not isinstance(value, Sequence):
                raise _Misfit("is no sequence of arrays")
            once = {id(array): _memory(array, memref, copies, is_written=is_written) for array in value}
            return [once[id(array)] for array in value]


def _scalar(value: object, type_: ScalarType) -> Scalar:
    if type_.is_complex and isinstance(value, complex | np.complexfloating):
        return make(value, type_)
    if not isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, DTYPES[type_].type):
        raise _Misfit(f"is no number, expected `{type_.value}`")
    if not type_.is_integer:
        return make(value, type_)
    low, high = integer_bounds(type_)
    if not isinstance(value, int | np.integer) or not low <= value <= high:
        raise _Misfit(f"is {value}, expected `{type_.value}`")
    return make(value, type_)


def _memory(value: object, memref: MemrefType, copies: Copies, *, is_written: bool) -> Memory:
    if not isinstance(value, np.ndarray):
        raise _Misfit("is no array")
    if value.dtype != DTYPES[memref.element]:
        raise _Misfit(f"has elements of type {value.dtype}, expected {DTYPES[memref.element]}")
    expected = tuple("?" if size is None else size for size in memref.shape)
    fits = value.ndim == memref.order and all(
        size in ("?", given) for size, given in zip(expected, value.shape, strict=True)
    )
    if not fits:
        raise _Misfit(f"has shape {_shape(value.shape)}, expected {_shape(expected)}")
    if is_written and not value.flags.writeable:
        raise _Misfit("is written, but the array is read-only")
    declared = run_time_strides(memref, value.shape, (None,) * value.ndim)
    if value.size and not _is_apart(value.shape, declared):
        raise _Misfit(f"has shape {_shape(value.shape)}, and strides {_shape(declared)}, at which entries overlap")
    lying = _in_place(value, memref)
    if lying is not None:
        return lying
    copy = allocate(memref, value.shape)
    copy[...] = value
    if is_written:
        copies.append((value, copy))
    return copy


def _in_place(value: Memory, memref: MemrefType) -> Memory | None:
    """The array as the memref sees it, if it lies as the type allows; the stride of a mode of size 1 is never used."""
    if value.size == 0 or any(step % value.itemsize for step in value.strides):
        return None
    steps = zip(value.shape, value.strides, strict=True)
    found = tuple(None if size == 1 else step // value.itemsize for size, step in steps)
    strides = run_time_strides(memref, value.shape, found)
    is_declared = all(step in (None, stride) for step, stride in zip(found, strides, strict=True))
    if not is_declared or not _is_apart(value.shape, strides):
        return None
    return as_strided(value, value.shape, bytes_of(strides, value.dtype))


def _is_apart(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """True if each mode starts behind the one before it."""
    leasts = (1, *(size * stride for size, stride in zip(shape, strides, strict=True)))
    return all(stride >= least for stride, least in zip(strides, leasts, strict=False))


def _shape(sizes: tuple[int | str, ...]) -> str:
    return f"({', '.join(map(str, sizes))})"
