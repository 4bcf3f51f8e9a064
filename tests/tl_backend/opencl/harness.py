"""Runs a function on the device and in the interpreter and compares all arguments, and the memory around them.

Every tensor lies between two guards, and between its entries (strides may leave gaps) there is the same filling: a
kernel that writes where it must not is caught. A device with memory of its own gets copies of all of it, and what it
makes of them is brought back.
"""

from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Source
from einsum_front.core.numbers import is_bf16
from einsum_front.driver.targets import target_of
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.launches.build import build
from einsum_front.tl_backend.analysis.open_temporaries import sizes_shown
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Argument, Function
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType
from einsum_front.tl_backend.verify import check

Array = NDArray[Any]
READ_WRITE, SHARED = cl.mem_flags.READ_WRITE, cl.svm_mem_flags.READ_WRITE
FILLING = 0xA5
GROUPS = 2
"""Work-groups at most where they share the elements: some run several, one after the other."""
GROUP = Tuning(ScheduleKind.WORK_GROUP)
DEVICE = find_device()
OWN = target_of(DEVICE.facts)
GUARD = 64 if DEVICE.facts.shares_host_memory else max(64, DEVICE.facts.base_alignment)
"""Bytes of a guard: behind it a part of a buffer may start."""
TARGET = (
    replace(
        DEFAULT,
        vector_bytes=OWN.vector_bytes,
        native_vector_bytes=OWN.native_vector_bytes,
        has_prefetch=OWN.has_prefetch,
        has_shuffles=OWN.has_shuffles,
        vector_registers=OWN.vector_registers,
        instructions=OWN.instructions,
    )
    if OWN.is_cpu
    else OWN
)
"""What a CPU must have, with the vectors of the device at hand; another device as it is."""

ONLY_CPUS_HAVE_TILES = "tiles are for CPUs: elsewhere a work-item has no room for their panels"


def function_of(text: str, work_group: tuple[int, int] | None = None) -> Function:
    """The first function of the text, verified, made for a work-group."""
    program = parse(Source("test.tl", text))
    check(program)
    function = program.functions[0]
    return function if work_group is None else replace(function, work_group_size=work_group)


@dataclass(frozen=True)
class Memory:
    """A tensor in guarded memory: `entries` is a view on `bytes`, of which it owns those that are `owned`."""

    bytes: Array
    owned: Array
    entries: Array

    def is_intact(self) -> bool:
        """Whether all bytes that belong to no entry are as they were."""
        return bool((self.bytes[~self.owned] == FILLING).all())

    @property
    def inside(self) -> Array:
        """The bytes between the guards, from the first entry to the last."""
        return self.bytes[GUARD:-GUARD]

    @property
    def address(self) -> int:
        """Where the first entry is."""
        return self.bytes.ctypes.data + GUARD

    def steps(self, mode: int) -> int:
        """The stride in entries."""
        return self.entries.strides[mode] // self.entries.itemsize


def place(array: Array, memref: MemrefType, gap: int) -> Memory:
    """A copy of the array with the strides of the memref; a dynamic stride leaves `gap` entries unused if it can."""
    strides: list[int] = []
    for mode, stride in enumerate(memref.strides):
        packed = strides[-1] * array.shape[mode - 1] + gap if mode else 1
        strides.append(min(packed, _room(array, memref, mode)) if stride is None else stride)
    steps = [stride * array.itemsize for stride in strides]
    span = sum((size - 1) * step for size, step in zip(array.shape, steps, strict=True)) + array.itemsize
    memory = np.full(span + 2 * GUARD, FILLING, np.uint8)
    owned = np.zeros(span + 2 * GUARD, bool)
    as_strided(owned[GUARD:], (*array.shape, array.itemsize), (*steps, 1))[...] = True
    entries = as_strided(memory[GUARD:-GUARD].view(array.dtype), array.shape, steps)
    entries[...] = array
    return Memory(memory, owned, entries)


def _room(array: Array, memref: MemrefType, mode: int) -> int:
    """The largest stride of the mode that the static strides of later modes leave."""
    later = enumerate(memref.strides[mode + 1 :], mode + 1)
    return min((stride // prod(array.shape[mode:i]) for i, stride in later if stride is not None), default=2**62)


class Marshal:
    """The arguments of a kernel in the order of the calling convention, and the memory behind them."""

    def __init__(self, function: Function, arguments: dict[str, Any], gap: int, context: cl.Context) -> None:
        self.values: list[Any] = []
        self.memories: dict[str, list[Memory]] = {}
        self._kept: list[Any] = []
        self._context = context
        self._copies: list[tuple[Array, cl.Buffer]] = []
        self._shared: list[tuple[list[Memory], cl.SVMAllocation]] = []
        for argument in function.arguments:
            self._add(argument, arguments[argument.name.name], gap)

    def _add(self, argument: Argument, value: Any, gap: int) -> None:
        match argument.type:
            case ScalarType() as scalar:
                self.values.append(DTYPES[scalar].type(value))
            case MemrefType() as memref:
                memory = place(value, memref, gap)
                self.memories[argument.name.name] = [memory]
                self.values += [self._tensor(memory), *map(np.int64, dynamic(memory, memref))]
            case GroupType(memref=memref, offset=offset):
                memories = [place(member, memref, gap) for member in value]
                self.memories[argument.name.name] = memories
                distance = (3 if offset is None else offset) * DTYPES[memref.element].itemsize
                columns = np.array([dynamic(memory, memref) for memory in memories], np.int64).T
                self.values += [self._group(memories, distance), *(self._buffer(column.copy()) for column in columns)]
                self.values += [np.int64(3)] if offset is None else []

    def fetch(self) -> None:
        """Brings what a device with memory of its own has made of its copies."""
        for host, buffer in self._copies:
            cl.enqueue_copy(DEVICE.queue, host, buffer)
        for memories, shared in self._shared:
            with shared.map_ro(DEVICE.queue) as memory:
                for each, start in zip(memories, _starts(memories), strict=True):
                    each.bytes[...] = memory[start : start + each.bytes.nbytes]

    def _tensor(self, memory: Memory) -> cl.Buffer:
        if DEVICE.facts.shares_host_memory:
            return self._buffer(memory.bytes[GUARD:])
        copy = cl.Buffer(self._context, READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=memory.bytes)
        self._copies.append((memory.bytes, copy))
        return copy.get_sub_region(GUARD, memory.bytes.nbytes - GUARD)

    def _group(self, memories: list[Memory], distance: int) -> cl.Buffer | cl.SVMAllocation:
        """The addresses of the members; a device with memory of its own has them in front of its copies."""
        if DEVICE.facts.shares_host_memory:
            return self._buffer(np.array([memory.address - distance for memory in memories], np.uint64))
        starts = _starts(memories)
        shared = cl.SVMAllocation(self._context, starts[-1] + memories[-1].bytes.nbytes, 64, SHARED)
        self._shared.append((memories, shared))
        addresses = np.array(starts, np.uint64) + np.uint64(shared.svm_ptr) + np.uint64(GUARD) - np.uint64(distance)
        with shared.map_rw(DEVICE.queue) as memory:
            memory[: addresses.nbytes] = addresses.view(np.uint8)
            for each, start in zip(memories, starts, strict=True):
                memory[start : start + each.bytes.nbytes] = each.bytes
        return shared

    def _buffer(self, host: Array) -> cl.Buffer:
        if not DEVICE.facts.shares_host_memory:
            return cl.Buffer(self._context, READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=host)
        self._kept.append(host)
        return cl.Buffer(self._context, READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=host)


def _starts(memories: list[Memory]) -> list[int]:
    """Where the copy of each member is behind their addresses, in bytes."""
    sizes = [8 * len(memories), *(memory.bytes.nbytes for memory in memories[:-1])]
    return list(accumulate(-(-size // 64) * 64 for size in sizes))


def dynamic(memory: Memory, memref: MemrefType) -> list[int]:
    """What the kernel is told about a memref: its dynamic sizes, then its dynamic strides."""
    sizes = [memory.entries.shape[mode] for mode, size in enumerate(memref.shape) if size is None]
    return sizes + [memory.steps(mode) for mode, stride in enumerate(memref.strides) if stride is None]


def run(
    function: Function,
    arguments: dict[str, Any],
    groups: int,
    gap: int = 2,
    tuning: Tuning = GROUP,
    target: Target | None = None,
) -> dict[str, list[Array]]:
    """What the kernel makes of its tensors; fails if it writes anything else."""
    artifact = emit(function, target or TARGET, tuning)
    kernels = build(artifact, DEVICE.context, DEVICE.handle).take()
    marshal = Marshal(function, arguments, gap, DEVICE.context)
    per_group = artifact.elements_per_group
    count = -(-groups // per_group) * artifact.groups_per_element
    more: list[Any] = [np.int64(groups)] if per_group > 1 or artifact.scratch else []
    if artifact.scratch:
        count = min(count, GROUPS)
        each = artifact.scratch_of(sizes_shown(function, arguments))
        more.append(cl.Buffer(DEVICE.context, READ_WRITE, count * each))
    kernels.set_args(*marshal.values, *more)
    kernels.enqueue(DEVICE.queue, artifact.work_group_size, count)[-1].wait()
    marshal.fetch()
    for name, memories in marshal.memories.items():
        assert all(memory.is_intact() for memory in memories), f"%{name}: written outside of its entries"
    return {name: [memory.entries for memory in memories] for name, memories in marshal.memories.items()}


def expect(function: Function, arguments: dict[str, Any], groups: int) -> dict[str, list[Array]]:
    """What the interpreter makes of the same arguments."""
    changed = deepcopy(arguments)
    interpret(function, changed, groups)
    arrays = {name: value for name, value in changed.items() if isinstance(value, np.ndarray | list)}
    return {name: value if isinstance(value, list) else [value] for name, value in arrays.items()}


def _plain(array: Array) -> Array:
    """As a type that NumPy itself has, whose NaNs are equal to it."""
    return array.astype(np.float32) if is_bf16(array.dtype) else array


def check_results(found: dict[str, list[Array]], wanted: dict[str, list[Array]], *, exact: bool) -> None:
    """The arrays of all arguments are those that are wanted, to the bit if they are to be `exact`."""
    for name, arrays in found.items():
        for array, right in zip(arrays, wanted[name], strict=True):
            if exact:
                np.testing.assert_array_equal(_plain(array), _plain(right), err_msg=f"%{name}")
            else:
                largest = np.abs(right).max() * (1e-6 if right.itemsize == 4 else 1e-14)
                np.testing.assert_allclose(array, right, rtol=0, atol=largest, err_msg=f"%{name}")


def compare(
    function: Function,
    arguments: dict[str, Any],
    groups: int = 1,
    *,
    exact: bool = True,
    gap: int = 2,
    tuning: Tuning = GROUP,
    target: Target | None = None,
) -> None:
    """The device and the interpreter agree; `exact` for arguments whose arithmetic has no rounding."""
    check_results(
        run(function, arguments, groups, gap, tuning, target), expect(function, arguments, groups), exact=exact
    )


def integers(element: ScalarType, *shape: int, seed: int = 0, limit: int = 8) -> Array:
    """Small integers in the type: sums and products of them are exact in every type of at least 32 bits."""
    random = np.random.default_rng([seed, *shape])
    low = 0 if element is ScalarType.BOOL or not (element.is_signed or element.is_floating) else -limit
    return np.array(random.integers(low, limit, shape), DTYPES[element], order="F")
