"""Interpreter of functions by their kernel trees: the way from NumPy arrays to the kernel's parameters.

    plan = schedule(function, target)
    interpret_kernel(plan, {"A": array_a, "C": array_c}, groups=4)

Arguments are those of the tensor language's interpreter, and results are in place. Each array is copied to a memory of
its own, where it lies as there; what is between its entries must be as it was afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, raise_any
from einsum_front.core.extent import bytes_at
from einsum_front.tl_backend.analysis.effects import argument_access
from einsum_front.tl_backend.analysis.open_temporaries import sizes_shown
from einsum_front.tl_backend.interpret.arguments import behind_prologue, bind, write_back
from einsum_front.tl_backend.interpret.scattering import Scattering
from einsum_front.tl_backend.kernel.interpret import launch
from einsum_front.tl_backend.kernel.memory import Memory
from einsum_front.tl_backend.kernel.verify import verify
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.schedules.choice import Scheduled
from einsum_front.tl_backend.types import GroupType, MemrefType

Array = NDArray[Any]

FILLING = 0xA5
"""All bytes that belong to no entry."""

OFFSET = 3
"""The offset of a group where the launch says it: entries in front of each member that are skipped."""

WORK_GROUPS = 2
"""Work-groups at most where they share the elements: some run several, one after the other."""


def interpret_kernel(
    scheduled: Scheduled, arguments: Mapping[str, object], groups: int, most: int | None = None
) -> None:
    """Runs the kernel for `groups` work-groups of the tensor language; its prologue runs first.

    Raises `CompileError` if the tree breaks a restriction (E0701 to E0709), if the kernel makes a mistake (E0711 to
    E0716), and for arguments that do not fit (E0450); `TooLongError` if it or its prologue runs more than `most`
    statements.
    """
    function, kernel, first = scheduled.function, scheduled.lower(), scheduled.prologue
    raise_any(verify(kernel.file))
    if first is not None:
        arguments = behind_prologue(function, arguments, lambda _, own: interpret_kernel(first, own, 1, most))
    scattering = Scattering.of(function, arguments, groups)
    bound = bind(function, scattering.arguments)
    parameters, access = _Parameters(), argument_access(function)
    written = {name for name, effects in access.items() if effects.is_written}
    for argument in function.arguments:
        name = argument.name.name
        match argument.type, bound.values[name]:
            case MemrefType() as memref, np.ndarray() as array:
                parameters.add_tensor(name, array, memref, is_written=name in written)
            case GroupType() as group, Sequence() as members:
                parameters.add_group(name, members, group, is_written=name in written)
            case _, number:
                parameters.values.append(number)
    scratch = bytes_at(kernel.scratch, sizes_shown(function, bound.values))
    _launch(kernel, parameters, groups, scratch, most)
    parameters.fetch()
    write_back(bound)
    scattering.add()


def _launch(kernel: Kernel, parameters: "_Parameters", groups: int, scratch: int, most: int | None) -> None:
    count = -(-groups // kernel.elements_per_group) * kernel.groups_per_element
    more = [groups] if kernel.elements_per_group > 1 or scratch else []
    if scratch:
        count = min(count, WORK_GROUPS)
        more.append(parameters.memory.reserve("scratch", count * scratch))
    for entry in kernel.entries:
        launch(kernel.file, entry, [*parameters.values, *more], count, parameters.memory, most)


@dataclass(frozen=True, slots=True)
class _Placed:
    """An array in the memory of a launch, and the `bytes` that were there from its first entry to its last."""

    name: str
    address: int
    array: Array
    bytes: NDArray[np.uint8]
    is_written: bool


@dataclass(slots=True)
class _Parameters:
    """The parameters of a kernel in the order of the calling convention, and what they point to."""

    memory: Memory = field(default_factory=Memory)
    values: list[Any] = field(default_factory=list)
    placed: list[_Placed] = field(default_factory=list)

    def add_tensor(self, name: str, array: Array, memref: MemrefType, *, is_written: bool) -> None:
        """The address of an array, its dynamic sizes, then its dynamic strides."""
        self.values += [self._place(name, array, is_written), *_run_time_numbers(array, memref)]

    def add_group(self, name: str, members: Sequence[Array], group: GroupType, *, is_written: bool) -> None:
        """The address of addresses, which are in front of the members, and of each number of all; then the offset."""
        once: dict[int, int] = {}
        for number, member in enumerate(members):
            if id(member) not in once:
                once[id(member)] = self._place(f"{name}[{number}]", member, is_written)
        distance = (OFFSET if group.offset is None else group.offset) * DTYPES[group.memref.element].itemsize
        addresses = np.array([once[id(member)] for member in members], np.uint64) - np.uint64(distance)
        self.values.append(self.memory.place(name, addresses))
        numbers = (group.memref.shape + group.memref.strides).count(None)
        table = [_run_time_numbers(member, group.memref) for member in members]
        columns = np.array(table, np.int64).reshape(len(members), numbers).T
        self.values += [self.memory.place(f"{name}, sizes", column) for column in columns]
        self.values += [OFFSET] if group.offset is None else []

    def _place(self, name: str, array: Array, is_written: bool) -> int:
        raw = np.full(_span(array), FILLING, np.uint8)
        _entries(raw, array)[...] = array
        address = self.memory.place(name, raw)
        self.placed.append(_Placed(name, address, array, raw, is_written))
        return address

    def fetch(self) -> None:
        """Brings what the kernel has made of the arrays; raises `CompileError` (E0711) if it has changed more."""
        for placed in self.placed:
            now = np.empty_like(placed.bytes)
            self.memory.fetch(placed.address, now)
            if placed.is_written:
                placed.array[...] = _entries(now, placed.array)
                _entries(now, placed.array)[...] = _entries(placed.bytes, placed.array)
            if not np.array_equal(now, placed.bytes):
                where = "between entries of" if placed.is_written else "of"
                why = "which is not the kernel's to write"
                raise CompileError([Diagnostic("E0711", f"memory {where} `{placed.name}` was changed, {why}")])


def _run_time_numbers(array: Array, memref: MemrefType) -> list[int]:
    sizes = [array.shape[mode] for mode, size in enumerate(memref.shape) if size is None]
    return sizes + [array.strides[mode] // array.itemsize for mode, step in enumerate(memref.strides) if step is None]


def _span(array: Array) -> int:
    """Bytes from the first entry to the last."""
    if array.size == 0:
        return 0
    last: int = sum((size - 1) * step for size, step in zip(array.shape, array.strides, strict=True))
    return last + array.itemsize


def _entries(raw: NDArray[np.uint8], array: Array) -> Array:
    """The bytes as an array that lies as the other one."""
    return as_strided(raw.view(array.dtype), array.shape, array.strides)
