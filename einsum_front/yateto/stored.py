"""Kernels of a script on the memory that its C++ program has: boxes of entries, padded or not, and columns of entries.

A box is an argument as it lies: the plan of whole tensors is moved there. What has no strides, and what a plan would
leave the box of, is copied to memory of the call and back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise, product

import numpy as np

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent import static_shape
from einsum_front.core.storage import ElementType, Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.driver import Session
from einsum_front.driver.c_functions import SharedFunction, shared_functions
from einsum_front.elaborate import elaborate
from einsum_front.exporter.copies import Copy
from einsum_front.notation import checked
from einsum_front.runtime.artifact import Artifact
from einsum_front.yateto.aspp import ASpp
from einsum_front.yateto.evaluation import PatternTensor
from einsum_front.yateto.memory import CSCMemoryLayout
from einsum_front.yateto.mistakes import rejected
from einsum_front.yateto.translation import free
from einsum_front.yateto.type import Tensor


@dataclass(frozen=True, slots=True)
class StoredKernel:
    """A kernel down to the code of its target, and what has to be copied for it, by argument.

    `routines` are the functions that it calls: those of the same name are the same in all kernels. `kernel` has the
    statements, `program` what they may assume of tensors. `entries` are the tensors of the script by the names of
    arguments that are their entries in memory, one after the other, `prefetched` those that it prefetches.
    """

    planned: ir.Planned
    artifact: Artifact
    routines: tuple[SharedFunction, ...]
    copies: Mapping[str, Copy]
    kernel: checked.Kernel
    program: checked.CheckedProgram
    entries: Mapping[str, Tensor] = field(default_factory=dict)
    prefetched: Mapping[str, Tensor] = field(default_factory=dict)


def stored(
    session: Session,
    kernel: checked.Kernel,
    program: checked.CheckedProgram,
    tensors: Mapping[str, Tensor],
    prefetched: Iterable[Tensor] = (),
) -> StoredKernel:
    """A kernel of a program on the memory of its tensors, which `tensors` has by the names of the program.

    The memory of `prefetched` tensors is fetched while it runs, from where arguments of their own point to.

    A tensor that is written before it is read gets zeros in all of its memory where the formula has none. On a
    processor it computes one element. On a GPU tensors without values are groups of pointers, those with values are
    there once. What it writes for each element cannot be in columns: raises `CompileError` (E0169).
    """
    fresh, on_gpu = _written_first(kernel.statements), not session.target.is_cpu
    assumed = replace(program, tensors=tuple(_fact(each, tensors, fresh, on_gpu=on_gpu) for each in program.tensors))
    entries: Mapping[str, Tensor] = {}
    if on_gpu:
        _check_types(kernel, assumed, tensors)
        kernel, assumed, entries = _gathered(kernel, assumed, tensors)
    planned = session.plan_graph(elaborate(kernel, assumed))
    boxes, copies = dict[str, ir.Box](), dict[str, Copy]()
    for buffer in _buffers(planned.plan):
        name = buffer.tensor.name
        if name in tensors and not buffer.is_temporary and buffer.tensor.values is None:
            boxes[name], copied = _place(planned.plan, name, tensors[name])
            if copied is not None:
                copies[name] = copied
                if on_gpu and buffer.tensor.storage is not Storage.CONSTANT:
                    raise _without_place(kernel, tensors[name])
    plan = ir.in_boxes(planned.plan, boxes)
    taken = {each.name for each in assumed.tensors} | {each.name for each in assumed.scalars}
    fetched = _named(prefetched, taken)
    element = assumed.tensors[0].element_type
    memory = {
        name: (
            element if each.datatype is None else ElementType(str(each.datatype)),
            each.memoryLayout().requiredReals(),
        )
        for name, each in fetched.items()
    }
    routines: tuple[SharedFunction, ...] = ()
    if on_gpu:
        from einsum_front.driver import lower_alone  # noqa: PLC0415 - few scripts have kernels for GPUs

        planned = replace(planned, plan=ir.without_unused(plan))
        artifact = lower_alone(session, planned, memory).artifact
    else:
        planned = replace(planned, plan=ir.of_one_element(plan))
        artifact, routines = shared_functions(session, planned, memory)
    return StoredKernel(planned, artifact, routines, copies, kernel, assumed, entries, fetched)


def _named(prefetched: Iterable[Tensor], taken: set[str]) -> Mapping[str, Tensor]:
    """Tensors by the names of the arguments that are fetched for them."""
    found: dict[str, Tensor] = {}
    for tensor in dict.fromkeys(prefetched):
        name = "_".join(map(str, ("prefetch", tensor.baseName(), *tensor.group())))
        found[free(name, taken | found.keys())] = tensor
    return found


def _buffers(plan: ir.Plan) -> tuple[ir.Buffer, ...]:
    """Those of the plan and of its prologue, whose results are no tensors of the program."""
    return plan.buffers if plan.prologue is None else (*plan.buffers, *plan.prologue.buffers)


def _gathered(
    kernel: checked.Kernel, program: checked.CheckedProgram, tensors: Mapping[str, Tensor]
) -> tuple[checked.Kernel, checked.CheckedProgram, Mapping[str, Tensor]]:
    """The kernel with temporaries for what each element has in columns and only reads: first it fetches the entries.

    The last are the tensors of the script by the names of the arguments that are their entries.
    """
    written = {statement.written for statement in kernel.statements}
    read = {access.tensor for each in kernel.statements for access in _accesses(each.value)} - written
    names = {each.name for each in program.tensors} | {each.name for each in program.scalars}
    declared: list[checked.Tensor] = []
    fetched: list[checked.Assignment] = []
    entries: dict[str, Tensor] = {}
    for tensor in program.tensors:
        script = tensors[tensor.name]
        is_own = tensor.name in read and tensor.storage is Storage.GROUPED
        if not is_own or not isinstance(script.memoryLayout(), CSCMemoryLayout):
            declared.append(tensor)
            continue
        name = free(f"{tensor.name}_entries", names)
        names.add(name)
        entries[name] = script
        positions = list(stored_positions(script))
        packed = checked.packed(tensor.shape, range(len(tensor.shape)))
        declared.append(replace(tensor, storage=Storage.TEMPORARY, strides=packed))
        memory = replace(tensor, name=name, spelling=name, shape=(len(positions),), strides=(1,), nonzeros=None)
        declared.append(memory)
        own = set(zip(*(at.tolist() for at in script.spp(groupSpp=False).nonzero()), strict=True))
        for number, position in enumerate(positions):
            if position is not None and position in own:
                target = checked.Access(tensor.name, tuple(map(checked.FixedPosition, position)))
                value = checked.Access(name, (checked.FixedPosition(number),))
                fetched.append(checked.Assignment(target, checked.AssignmentOperator.SET, value))
    statements = (*fetched, *kernel.statements)
    return replace(kernel, statements=statements), replace(program, tensors=tuple(declared)), entries


def _check_types(kernel: checked.Kernel, program: checked.CheckedProgram, tensors: Mapping[str, Tensor]) -> None:
    """Raises `CompileError` for a tensor that would be widened once for all elements, which nothing does there."""
    used = {access.tensor for each in kernel.statements for access in _accesses(each.value)}
    for tensor in program.tensors:
        if tensor.name in used and tensors[tensor.name].is_compute_constant() and tensor.memory is not None:
            message = f"`{tensors[tensor.name].name()}` in the kernel `{kernel.name}` for GPUs has values and a type"
            note = "there, tensors with values have the type of the architecture: leave out `datatype=`"
            raise rejected("E0169", message, note)


def _without_place(kernel: checked.Kernel, tensor: Tensor) -> CompileError:
    message = f"`{tensor.name()}` in the kernel `{kernel.name}` for GPUs is not stored as the box around its entries"
    note = "a kernel for GPUs may read columns of entries, and not write them"
    return rejected("E0169", message, note)


def _written_first(statements: Sequence[checked.Assignment]) -> frozenset[str]:
    """The tensors whose entries are written before any of them is read."""
    read: set[str] = set()
    found: set[str] = set()
    for statement in statements:
        read |= {access.tensor for access in _accesses(statement.value)}
        name = statement.written
        if name not in read and statement.operator is checked.AssignmentOperator.SET:
            found.add(name)
        read.add(name)
    return frozenset(found)


def _accesses(expression: checked.Expression) -> Iterator[checked.Access]:
    if isinstance(expression, checked.Access):
        yield expression
    for part in checked.parts(expression):
        yield from _accesses(part)


def _fact(
    tensor: checked.Tensor, tensors: Mapping[str, Tensor], fresh: frozenset[str], *, on_gpu: bool
) -> checked.Tensor:
    """What the kernel may assume of a tensor: one in each call, and zeros where its memory has none or is not read."""
    script = tensors[tensor.name]
    if isinstance(script, PatternTensor):
        written = next((name for name, each in tensors.items() if each == script.target), None)
        if written not in fresh:
            return tensor
        pattern = memory_pattern(script.target)
        values = tuple(pattern.array().ravel(order="F").astype(np.float64).tolist())
        return replace(tensor, nonzeros=None if pattern.is_full else pattern, values=values)
    if tensor.storage is Storage.TEMPORARY or tensor.values is not None:
        return tensor
    nonzeros = tensor.nonzeros
    if tensor.name in fresh:
        pattern = memory_pattern(script)
        nonzeros = None if pattern.is_full else pattern
    shared = Storage.CONSTANT if script.is_compute_constant() else Storage.GROUPED
    return replace(tensor, storage=shared if on_gpu else Storage.BATCHED, nonzeros=nonzeros)


def entry_type(tensor: Tensor, typename: str) -> str:
    """The type of the entries of a tensor in C++, `typename` if it has none of its own."""
    return typename if tensor.datatype is None else tensor.datatype.ctype()


def memory_pattern(tensor: Tensor) -> Pattern:
    """The entries of a tensor that its memory has."""
    layout, shape = tensor.memoryLayout(), tensor.shape()
    if isinstance(layout, CSCMemoryLayout):
        return Pattern.of_positions(shape, (position for position in stored_positions(tensor) if position is not None))
    return Pattern.of_boxes(shape, [_stored_box(tensor)])


def _stored_box(tensor: Tensor) -> list[tuple[int, int]]:
    """The positions of each mode that the memory of a tensor has, without padding."""
    return [
        (mode.start, min(mode.stop, extent))
        for mode, extent in zip(tensor.memoryLayout().bbox(), tensor.shape(), strict=True)
    ]


def stored_runs(tensor: Tensor, *, only_nonzero: bool) -> list[tuple[int, int, int]]:
    """The stored entries of a tensor, all or those that may differ from zero, in runs.

    A run has its first place in the memory, its first entry in the packed tensor, and its length.
    """
    layout, shape = tensor.memoryLayout(), tensor.shape()
    packed = np.cumprod([1, *shape])[:-1]
    pattern = tensor.spp(groupSpp=False).entries if only_nonzero else memory_pattern(tensor)
    if isinstance(layout, CSCMemoryLayout):
        own = set(zip(*(at.tolist() for at in ASpp(pattern).nonzero()), strict=True))
        stored = ((place, at) for place, at in enumerate(stored_positions(tensor)) if at in own)
        return _joined((place, int(np.multiply(at, packed).sum()), 1) for place, at in stored)
    if not shape:
        return [(0, 0, 1)] if pattern.is_full else []
    box = _stored_box(tensor)
    sizes = [stop - start for start, stop in box]
    step = 1  # entries that follow each other in both
    for mode, size, extent in zip(layout.bbox(), sizes, shape, strict=True):
        step *= size
        if size < extent or mode.size() > size:
            break
    found: list[tuple[int, int]] = []
    for start, stop in pattern.part(box).runs():
        ends = [start, *range((start // step + 1) * step, stop, step), stop]
        found += pairwise(ends)
    starts = np.array([start for start, _ in found], np.int64)
    positions = np.array(np.unravel_index(starts, sizes, order="F"), np.int64).reshape(len(sizes), starts.size)
    first = np.array([start for start, _ in box], np.int64)
    lower = np.array([mode.start for mode in layout.bbox()], np.int64)
    places = np.array(layout.stride(), np.int64) @ (positions + (first - lower)[:, None])
    entries = packed.astype(np.int64) @ (positions + first[:, None])
    lengths = (stop - start for start, stop in found)
    return list(zip(places.tolist(), entries.tolist(), lengths, strict=True))


def _joined(runs: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Those that go on where another one ends, in both, as one."""
    found: list[tuple[int, int, int]] = []
    for place, entry, count in runs:
        if found and (place, entry) == (found[-1][0] + found[-1][2], found[-1][1] + found[-1][2]):
            found[-1] = (*found[-1][:2], found[-1][2] + count)
        else:
            found.append((place, entry, count))
    return found


def stored_positions(tensor: Tensor) -> Iterator[tuple[int, ...] | None]:
    """The entry at each place of the memory; None for padding outside of the shape."""
    layout, shape = tensor.memoryLayout(), tensor.shape()
    if isinstance(layout, CSCMemoryLayout):
        columns = np.repeat(np.arange(shape[1]), np.diff(layout.colPointer()))
        found: Iterable[tuple[int, ...]] = zip(layout.rowIndex().tolist(), columns.tolist(), strict=True)
    else:
        found = (p[::-1] for p in product(*(range(mode.start, mode.stop) for mode in reversed(layout.bbox()))))
    for position in found:
        yield position if all(at < extent for at, extent in zip(position, shape, strict=True)) else None


def _place(plan: ir.Plan, name: str, tensor: Tensor) -> tuple[ir.Box, Copy | None]:
    """Where a kernel takes an argument, and what is copied there if that is not the memory of the caller."""
    layout = tensor.memoryLayout()
    strides, stride = [], 1
    for mode in layout.bbox():
        strides.append(stride)
        stride *= mode.size()
    starts = tuple(mode.start for mode in layout.bbox())
    extents = (min(mode.stop, e) - mode.start for mode, e in zip(layout.bbox(), tensor.shape(), strict=True))
    box = ir.Box(starts, tuple(extents), tuple(strides))
    if not ir.stays_inside(plan, name, box):
        box = ir.Box(
            (0,) * len(starts), tensor.shape(), static_shape(checked.packed(tensor.shape(), range(len(starts))))
        )
    elif not isinstance(layout, CSCMemoryLayout):
        return box, None
    places = (None if position is None else _address(box, position) for position in stored_positions(tensor))
    return box, Copy(1 + _address(box, [s + e - 1 for s, e in zip(box.starts, box.shape, strict=True)]), tuple(places))


def _address(box: ir.Box, position: Sequence[int]) -> int:
    return sum((at - start) * stride for at, start, stride in zip(position, box.starts, box.strides, strict=True))
