"""Needs of a function that a target may lack: all of them are reported at once, before any code is made."""

from collections.abc import Iterator
from math import prod
from typing import TypeGuard

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Origin, raise_any
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.placement import local_memory, near_allocas, private_bytes
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import memrefs
from einsum_front.tl_backend.traverse import regions, walked
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type


def check_target(function: Function, target: Target) -> None:
    """Raises `CompileError` with everything that the target cannot do: E0616, or E0620 to E0627."""
    check_numbers(function)
    found = [
        *_double_precision(function, target),
        *_atomics(function, target),
        *_work_group(function, target),
        *_subgroups(function, target),
        *_barriers(function, target),
        *_memory(function, target),
        *_parameters(function, target),
    ]
    raise_any(found)


def check_numbers(function: Function) -> None:
    """Raises `CompileError` (E0616) at the first number of a type that no device computes with."""
    for argument in function.arguments:
        element = argument.type if isinstance(argument.type, ScalarType) else _element(argument.type)
        if not element.is_computed and (isinstance(argument.type, ScalarType) or not element.is_narrow):
            raise CompileError([_of_no_device(element, argument.origin)])
    for instruction in function.get(walked):
        for type_ in _computed_with(instruction):
            if not type_.is_computed:
                raise CompileError([_of_no_device(type_, instruction.origin)])


def _of_no_device(type_: ScalarType, place: Origin) -> Diagnostic:
    message = f"kernels do not compute with `{type_.value}`"
    note = "numbers of `bf16` and `f16` lie in memory, and are cast to `f32` and back; the interpreter runs all types"
    return _diagnostic("E0616", message, place, notes=(note,))


def _computed_with(instruction: tl.Instruction) -> Iterator[ScalarType]:
    """Types of numbers, but for narrow ones that are copied or cast to `f32` and back."""
    match instruction:
        case tl.ArithBinary(type=type_) | tl.ArithUnary(type=type_) | tl.Compare(type=type_) | tl.MathCall(type=type_):
            yield type_
        case tl.Cast(from_type=source, to_type=target):
            is_copy = source is target or ScalarType.F32 in (source, target)
            yield from (each for each in (source, target) if not (each.is_narrow and is_copy))
        case tl.If(types=types) | tl.Yield(types=types):
            yield from types
        case tl.Alloca(type=memref) if not memref.element.is_narrow:
            yield memref.element
        case tl.Collective():
            elements = {each.type.element for each in memrefs(instruction)}
            is_copy = isinstance(instruction, tl.Axpby) or len(elements) > 1
            yield from (each for each in elements if not (each.is_narrow and is_copy))
        case (
            tl.Alloca() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.Size() | tl.Subview()
            | tl.For() | tl.Foreach() | tl.Store() | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            return


def needs_double_precision(function: Function) -> bool:
    """True if the kernel computes with f64 or holds it in memory."""
    return _first_double(function) is not None


def _diagnostic(code: str, message: str, place: Origin, label: str = "", notes: tuple[str, ...] = ()) -> Diagnostic:
    return Diagnostic(code, message, _labels(place, label), notes)


def _labels(place: Origin, text: str) -> tuple[Label, ...]:
    return tuple(Label(span, text) for span in place[:1])


def _double_precision(function: Function, target: Target) -> Iterator[Diagnostic]:
    place = _first_double(function)
    if place is not None and not target.has_fp64:
        message = f"`@{function.name}` computes with `f64`, but {target.name} has single precision only"
        yield _diagnostic("E0620", message, place, "the first `f64`")


def _first_double(function: Function) -> Origin | None:
    """The first place where an f64 comes from: every other one is copied or computed from these."""
    for argument in function.arguments:
        if _element(argument.type) is ScalarType.F64:
            return argument.origin
    for instruction in function.get(walked):
        if ScalarType.F64 in _introduced(instruction):
            return instruction.origin
    return None


def _element(type_: Type) -> ScalarType:
    match type_:
        case ScalarType():
            return type_
        case MemrefType(element=element) | GroupType(memref=MemrefType(element=element)):
            return element


def _introduced(instruction: tl.Instruction) -> tuple[ScalarType, ...]:
    """The types that an instruction may be the first to bring in."""
    match instruction:
        case tl.Alloca(type=memref):
            return (memref.element,)
        case tl.ArithBinary(type=type_) | tl.ArithUnary(type=type_) | tl.Compare(type=type_) | tl.MathCall(type=type_):
            return (type_,)
        case tl.Cast(from_type=from_type, to_type=to_type):
            return from_type, to_type
        case tl.If(types=types):
            return types
        case (
            tl.Barrier() | tl.Collective() | tl.Expand() | tl.For() | tl.Foreach() | tl.Fuse() | tl.GroupId()
            | tl.GroupSize() | tl.LifetimeStop() | tl.Load() | tl.Size() | tl.Store() | tl.Subview() | tl.Yield()
        ):  # fmt: skip
            return ()


def _atomics(function: Function, target: Target) -> Iterator[Diagnostic]:
    if target.has_int64_atomics:
        return
    for instruction in function.get(walked):
        if isinstance(instruction, tl.Collective) and instruction.atomic:
            element = instruction.target.type.element
            if element.bits == 64:
                message = f"`{element.value}` is updated atomically, but {target.name} has 32-bit atomics only"
                yield _diagnostic("E0621", message, instruction.origin)
                return


def _work_group(function: Function, target: Target) -> Iterator[Diagnostic]:
    size = function.work_items
    if prod(size) > target.max_work_group_size:
        message = f"a work-group of {size[0]} x {size[1]} = {prod(size)} work-items is too large for {target.name}"
        yield _diagnostic(
            "E0622", message, function.origin, "", (f"at most {target.max_work_group_size} are possible",)
        )


def _subgroups(function: Function, target: Target) -> Iterator[Diagnostic]:
    size = function.subgroup_size
    if size is None or size in target.subgroup_sizes:
        return
    offered = ", ".join(map(str, target.subgroup_sizes)) or "no sub-groups at all"
    message = f"`@{function.name}` asks for sub-groups of {size} work-items, which {target.name} does not have"
    yield _diagnostic("E0623", message, function.origin, notes=(f"it has {offered}",))


def _barriers(function: Function, target: Target) -> Iterator[Diagnostic]:
    """One work-item alone needs no barriers."""
    if target.has_conditional_barriers or prod(function.work_items) == 1:
        return
    found = next(conditional_barriers(function.body), None)
    if found is not None:
        barrier, condition = found
        message = f"work-items meet at a barrier under a condition, for which {target.name} makes wrong code"
        labels = (*_labels(barrier.origin, "a barrier is needed here"), *_labels(condition.origin, "the condition"))
        helps = ("with `work_group_size(1, 1)` one work-item runs a group, and needs no barriers",)
        yield Diagnostic("E0627", message, labels, helps=helps)


def conditional_barriers(
    region: tl.Region, condition: tl.If | tl.For | None = None
) -> Iterator[tuple[tl.Barrier, tl.If | tl.For]]:
    """Every barrier in an `if`, or in a `for` that may have no iteration, with the innermost of these."""
    for instruction in region:
        inner = instruction if _may_not_run(instruction) else condition
        if isinstance(instruction, tl.Barrier) and condition is not None:
            yield instruction, condition
        for body in regions(instruction):
            yield from conditional_barriers(body, inner)


def _may_not_run(instruction: tl.Instruction) -> TypeGuard[tl.If | tl.For]:
    """True if the regions inside the instruction may be left out."""
    match instruction:
        case tl.For(start=tl.IntegerConstant(value=start), stop=tl.IntegerConstant(value=stop)):
            return start >= stop
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
            | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Collective()
            | tl.If() | tl.For() | tl.Foreach() | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            return isinstance(instruction, tl.If | tl.For)


def _memory(function: Function, target: Target) -> Iterator[Diagnostic]:
    """Memory that is never alive together shares a place, in private memory only if it is large."""
    if prod(function.work_items) > 1:
        ends = [place.stop for place in local_memory(function).places.values()]  # in the order of `near_allocas`
        most = target.most_local_memory or target.local_memory
        yield from _too_large(function, "E0624", "local memory", ends, most, target)
    else:
        ends = list(private_bytes(function))
        yield from _too_large(function, "E0625", "private memory", ends, target.private_memory, target)


def _too_large(
    function: Function, code: str, kind: str, ends: list[int], limit: int, target: Target
) -> Iterator[Diagnostic]:
    """`ends` has the byte behind each temporary; the place is the first one that does not fit."""
    over = [temporary for temporary, end in zip(near_allocas(function), ends, strict=True) if end > limit]
    if over:
        message = f"the temporaries of `@{function.name}` need {max(ends)} bytes of {kind}, {target.name} has {limit}"
        yield _diagnostic(code, message, over[0].origin, "does not fit any more")


def _parameters(function: Function, target: Target) -> Iterator[Diagnostic]:
    needed = sum(_parameter_bytes(argument.type) for argument in function.arguments)
    if needed > target.max_parameter_bytes:
        message = (
            f"the arguments of `@{function.name}` need {needed} bytes, {target.name} takes {target.max_parameter_bytes}"
        )
        note = "a memref needs 8 bytes, and 8 more for every `?` of its shape and strides"
        yield _diagnostic("E0626", message, function.origin, notes=(note,))


def _parameter_bytes(type_: Type) -> int:
    """Bytes of the kernel parameters of an argument: pointers and extents have 8."""
    match type_:
        case ScalarType(size=size):
            return size
        case MemrefType(shape=shape, strides=strides):
            return 8 + 8 * (*shape, *strides).count(None)
        case GroupType(memref=memref, offset=offset):
            return _parameter_bytes(memref) + 8 * (offset is None)
