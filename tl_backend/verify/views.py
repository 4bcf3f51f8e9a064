"""Views, types of memory, element accesses, and what a target may share with operands."""

from collections.abc import Iterable, Iterator
from math import prod

from einsum_front.core.diagnostics import Diagnostic, Origin, mistake
from einsum_front.core.words import counted
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.fused import impossible_fusions
from einsum_front.tl_backend.analysis.open_temporaries import open_temporaries
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import is_elementwise
from einsum_front.tl_backend.traverse import walked
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType, Type
from einsum_front.tl_backend.unparse import unparse_type
from einsum_front.tl_backend.unparse.instructions import mnemonic
from einsum_front.tl_backend.verify.scope import Scope

View = tl.Expand | tl.Fuse | tl.Size


def check_view(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """Whether the operand has what the instruction picks from it."""
    if isinstance(instruction, tl.Load | tl.Store | tl.Subview):
        yield from list(check_count(instruction)) or check_bounds(instruction)
    elif isinstance(instruction, tl.Expand | tl.Fuse | tl.Size):
        yield from list(check_modes(instruction)) or check_new_shape(instruction)


def check_modes(instruction: View) -> Iterator[Diagnostic]:
    """Modes are counted from 0 and lie below the order."""
    order, name = instruction.type.order, f"`%{instruction.operand.name}`"
    modes = (instruction.first, instruction.last) if isinstance(instruction, tl.Fuse) else (instruction.mode,)
    wrong = next((mode for mode in modes if not 0 <= mode < order), None)
    if wrong is not None:
        last = f"the last mode is {order - 1}" if order else "it has no modes"
        message = f"`{mnemonic(instruction)}` asks for mode {wrong} of {name}, which has rank {order}"
        yield mistake("E0435", message, instruction.origin, last)
    elif isinstance(instruction, tl.Fuse) and instruction.first >= instruction.last:
        message = f"`fuse` from mode {instruction.first} to mode {instruction.last} fuses nothing"
        yield mistake("E0435", message, instruction.origin, "the first mode must be before the last")


def check_count(instruction: tl.Load | tl.Store | tl.Subview) -> Iterator[Diagnostic]:
    """There is one index for every mode of a memref, and one for a group."""
    given = len(instruction.slices if isinstance(instruction, tl.Subview) else instruction.indices)
    if isinstance(instruction.type, GroupType):
        wanted, what = 1, "a group takes 1"
    else:
        wanted, what = instruction.type.order, f"`{unparse_type(instruction.type)}` has rank {instruction.type.order}"
    if given != wanted:
        message = f"`{mnemonic(instruction)}` has {given} {'index' if given == 1 else 'indices'}, but {what}"
        yield mistake("E0436", message, instruction.origin)


def check_bounds(instruction: tl.Load | tl.Store | tl.Subview) -> Iterator[Diagnostic]:
    """Indices and slices that are known lie inside their mode, as far as its size is known."""
    sizes = (None,) if isinstance(instruction.type, GroupType) else instruction.type.shape
    picks: Iterable[tl.Position | tl.Slice] = (
        instruction.slices if isinstance(instruction, tl.Subview) else map(tl.Position, instruction.indices)
    )
    for mode, (pick, size) in enumerate(zip(picks, sizes, strict=True)):
        match pick:
            case tl.Position(index=index):
                yield from _check_position(index, mode, size)
            case tl.Slice():
                yield from _check_slice(pick, mode, size)


def _check_position(index: tl.IndexOperand, mode: int, size: Extent) -> Iterator[Diagnostic]:
    if not isinstance(index, tl.IntegerConstant):
        return
    if index.value < 0:
        yield mistake(
            "E0437", f"index {index.value} of mode {mode} is negative", index.origin, "positions count from 0"
        )
    elif size is not None and index.value >= size:
        message = f"index {index.value} is outside of mode {mode}, which has size {size}"
        yield mistake("E0437", message, index.origin, f"the last position is {size - 1}")


def _check_slice(slice_: tl.Slice, mode: int, mode_size: Extent) -> Iterator[Diagnostic]:
    """The part of the mode that is known to be cut out is in the mode: at least one position from the offset on."""
    offset, size = _known(slice_.offset), _known(slice_.size)
    if size is not None and size < 1:
        place = slice_.size.origin if slice_.size is not None else ()
        yield mistake("E0438", f"the slice of mode {mode} has size {size}", place, "must be at least 1")
        return
    yield from _check_position(slice_.offset, mode, mode_size)
    if offset is None or size is None or mode_size is None or offset >= mode_size or offset < 0:
        return
    if offset + size > mode_size:
        message = f"the slice {offset}:{size} reaches beyond mode {mode}, which has size {mode_size}"
        place = slice_.size.origin if slice_.size is not None else ()
        yield mistake("E0437", message, place, f"at most {mode_size - offset} positions follow offset {offset}")


def _known(operand: tl.IndexOperand | None) -> int | None:
    return operand.value if isinstance(operand, tl.IntegerConstant) else None


def check_new_shape(instruction: View) -> Iterator[Diagnostic]:
    """A mode can be split, or modes fused, as the instruction says."""
    match instruction:
        case tl.Expand():
            yield from check_expand(instruction)
        case tl.Fuse():
            yield from check_fuse(instruction)
        case tl.Size():
            return


def check_expand(instruction: tl.Expand) -> Iterator[Diagnostic]:
    """The new modes have as many positions as the old one; one of them may be left to infer."""
    shape = instruction.shape
    given = [entry.value for entry in shape if isinstance(entry, tl.IntegerConstant)]
    least = prod(given)
    mode_size = instruction.type.shape[instruction.mode]
    what = f"mode {instruction.mode} of size {mode_size}"
    if len(shape) < 2:
        yield mistake("E0439", "`expand` needs at least two new modes", instruction.origin)
    elif shape.count(None) > 1:
        yield mistake("E0439", "`expand` leaves more than one size to infer", instruction.origin, "one `?` at most")
    elif any(size < 1 for size in given):
        yield mistake("E0438", f"`expand` makes a mode of size {min(given)}", instruction.origin, "must be at least 1")
    elif mode_size is None:
        return
    elif len(given) == len(shape) and least != mode_size:
        message = f"`expand` makes {least} positions of {what}"
        yield mistake("E0439", message, instruction.origin, f"the product of the sizes must be {mode_size}")
    elif mode_size % least != 0:
        message = f"`expand` cannot divide {what} by {least}"
        yield mistake("E0439", message, instruction.origin, "the sizes must divide the mode")


def check_fusions(function: Function) -> Iterator[Diagnostic]:
    """No mode that a slice cuts is fused with the next one, whatever their strides are; all else keeps the rules."""
    for fuse in impossible_fusions(function):
        message = f"modes {fuse.first} to {fuse.last} of `%{fuse.operand.name}` cannot be fused"
        label = "a slice leaves out positions of a mode, which lie before the next one"
        yield mistake("E0445", message, fuse.origin, label)


def check_fuse(instruction: tl.Fuse) -> Iterator[Diagnostic]:
    """Positions of neighbouring fused modes follow each other in memory, as far as sizes and strides are known."""
    shape, strides = instruction.type.shape, instruction.type.strides
    for mode in range(instruction.first, instruction.last):
        size, stride, following = shape[mode], strides[mode], strides[mode + 1]
        if size is None or stride is None or following is None or stride * size == following:
            continue
        message = f"modes {mode} and {mode + 1} of `%{instruction.operand.name}` cannot be fused"
        label = f"stride {stride} times size {size} is {stride * size}, but the next stride is {following}"
        yield mistake("E0445", message, instruction.origin, label)
        return


# -- types of memory: sizes, strides and offsets that a memref or a group may have -------------------------------------


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
        message = f"{name} has rank {memref.order}, but {counted(len(memref.strides), 'stride')}"
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


def check_alloca(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """How much memory an alloca takes is known at compile time, or follows from the sizes that it names."""
    if not isinstance(instruction, tl.Alloca):
        return
    memref, given = instruction.type, len(instruction.sizes)
    found = list(check_type(memref, instruction.origin))
    yield from found
    wanted, text = memref.shape.count(None), unparse_type(memref)
    if found:
        return
    if not given and None in (*memref.shape, *memref.strides):
        message, label = f"`alloca` of `{text}` has no known size", "every size and stride must be a number"
        note = "`alloca.global %n -> …` takes the sizes of modes that are `?`"
        yield mistake("E0433", message, instruction.origin, label, notes=(note,))
    elif given and not instruction.is_global:
        message = "`alloca` takes sizes in global memory only: `alloca.global %n -> …`"
        yield mistake("E0433", message, instruction.origin)
    elif given != wanted:
        message = f"`alloca.global` of `{text}` has {counted(given, 'size')} for {counted(wanted, 'mode')} that are `?`"
        yield mistake("E0433", message, instruction.origin)
    elif given and not memref.is_packed:
        message = f"`alloca.global` of `{text}` has strides of its own"
        yield mistake("E0433", message, instruction.origin, "with sizes it is packed")
    elif given and instruction.nonzeros is not None:
        message = f"nonzeros of `%{instruction.result.name}` are stated, whose sizes are not known when compiling"
        yield mistake("E0433", message, instruction.origin)


def check_open_temporaries(function: Function) -> Iterator[Diagnostic]:
    """The launch knows before it begins how large a temporary with sizes of its own is."""
    entries = open_temporaries(function)
    for instruction in function.get(walked):
        if not isinstance(instruction, tl.Alloca) or not instruction.sizes:
            continue
        name = instruction.result.name
        if name not in entries:
            message = f"`%{name}` has sizes of its own inside a loop or a branch"
            yield mistake("E0433", message, instruction.origin, "it has its place in front of all of them")
        elif entries[name] is None:
            message = f"the launch cannot know how large `%{name}` is"
            note = "its sizes are computed from those of arguments that `;! sizes` names, by sums and products"
            yield mistake("E0433", message, instruction.origin, notes=(note,))


# -- the target of a collective instruction and the memory that it reads -----------------------------------------------


def check_overlap(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """The target shares no memory with an operand for certain, unless each element depends on itself alone.

    Where the update is atomic it may not, either: reading the operand is no part of the update. What depends on the
    values of indices, or on the caller's arguments, cannot be seen here: it is undefined.
    """
    if not isinstance(instruction, tl.Collective):
        return
    for operand in instruction.inputs:
        if _is_shared(operand, instruction, scope):
            yield _mistake(operand, instruction.target, instruction)
            return


def _is_shared(operand: tl.TypedMemref, by: tl.Collective, scope: Scope) -> bool:
    read, written = scope.access_of(operand.value), scope.access_of(by.target.value)
    may_be_target = is_elementwise(by) and not by.atomic
    if operand.value == by.target.value:
        return not may_be_target
    if read is None or written is None or (may_be_target and read == written):
        return False
    return read.area.must_overlap(written.area)


def _mistake(operand: tl.TypedMemref, written: tl.TypedMemref, by: tl.Collective) -> Diagnostic:
    word, target_name, operand_name = mnemonic(by), written.value.name, operand.value.name
    if operand.value == written.value:
        message = f"`{word}` reads `%{target_name}` and writes it"
    else:
        message = f"`{word}` writes `%{target_name}`, which shares memory with its operand `%{operand_name}`"
    also = [(operand.value.origin, "read here")]
    others = "work-groups" if by.atomic else "work-items"
    note = f"{others} would read elements that others have written already"
    return mistake("E0444", message, written.value.origin, "written here", also=also, notes=(note,))
