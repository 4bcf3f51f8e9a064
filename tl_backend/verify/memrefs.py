"""Types of memory: sizes, strides and offsets that a memref or a group may have."""

from collections.abc import Iterator

from einsum_front.diagnostics import Diagnostic, Origin
from einsum_front.tl_backend.instructions import Alloca, Instruction
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type
from einsum_front.tl_backend.unparse import unparse_type
from einsum_front.tl_backend.verify.report import count, mistake


def check_type(type_: Type, origin: Origin) -> Iterator[Diagnostic]:
    """The written type of an argument or an alloca is a type that memory can have."""
    match type_:
        case ScalarType():
            return
        case MemrefType():
            yield from _check_memref(type_, origin)
        case GroupType(memref=memref, offset=offset):
            yield from _check_memref(memref, origin)
            if offset is not None and offset < 0:
                yield mistake("E0434", f"the offset of a group is {offset}", origin, "must not be negative")


def _check_memref(memref: MemrefType, origin: Origin) -> Iterator[Diagnostic]:
    name = f"`{unparse_type(memref)}`"
    sizes = [size for size in memref.shape if size is not None and size < 1]
    if sizes:
        yield mistake("E0430", f"{name} has a mode of size {sizes[0]}", origin, "a mode has at least one position")
    elif len(memref.strides) != memref.order:
        message = f"{name} has order {memref.order}, but {count(len(memref.strides), 'stride')}"
        yield mistake("E0431", message, origin, "one stride for every mode")
    else:
        yield from _check_strides(memref, origin)


def _check_strides(memref: MemrefType, origin: Origin) -> Iterator[Diagnostic]:
    """S_i >= S_(i-1) s_(i-1), where a dynamic size counts as 1 and a dynamic stride as what it is at least."""
    least = 1
    for mode, (size, stride) in enumerate(zip(memref.shape, memref.strides, strict=True)):
        if stride is not None and stride < least:
            message = f"stride {stride} of mode {mode} is too small"
            label = f"at least {least}, or positions overlap"
            note = "memrefs are column-major: 1 <= S_1, and S_(i-1) s_(i-1) <= S_i for every further mode"
            yield mistake("E0432", message, origin, label, notes=(note,))
            return
        least = (least if stride is None else stride) * (1 if size is None else size)


def check_alloca(instruction: Instruction) -> Iterator[Diagnostic]:
    """How much memory an alloca takes is known at compile time."""
    if not isinstance(instruction, Alloca):
        return
    found = list(check_type(instruction.type, instruction.origin))
    yield from found
    if not found and None in (*instruction.type.shape, *instruction.type.strides):
        message = f"`alloca` of `{unparse_type(instruction.type)}` has no known size"
        yield mistake("E0433", message, instruction.origin, "every size and stride must be a number")
