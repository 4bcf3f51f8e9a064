"""Runs kernels on whatever OpenCL device there is, made to be run under Oclgrind: `python -m tests.oclgrind`.

Every tensor has a buffer of its own and of just its size, so that the simulator sees each access outside of it. The
members of a group are buffers, too; a kernel is asked for their addresses. Results are compared with the interpreter's.
"""

import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
from hypothesis import HealthCheck, Phase, assume, given, seed, settings

from einsum_front.core.diagnostics import Source
from einsum_front.core.facts import Nonzeros, Values
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes, run
from einsum_front.tl_backend.program import Argument
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.schedules.choice import is_possible
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.traverse import walk
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type
from einsum_front.tl_backend.verify import check
from tests.tl_backend.opencl.harness import GUARD, Memory, dynamic, expect, integers, place
from tests.tl_backend.strategies import Case, cases

KERNELS = Path(__file__).parent / "kernels"
TARGET = replace(
    DEFAULT,
    name="Oclgrind",
    is_cpu=False,
    has_shuffles=True,
    has_conditional_barriers=True,
    has_prefetch=False,
)
"""With `shuffle2`: in a vector of shorter ones, `(double4)(a.s01, b.s01)`, Oclgrind 21.10 reads far outside of its own
memory when it looks for uninitialised values (`UndefValueVal` for -1 in its `Uninitialized.cpp`), and crashes."""
SHARED = passes(WorkGroupLimits(is_cpu=False, max_work_group_size=64))
ALONE = passes(WorkGroupLimits(is_cpu=True, max_work_group_size=64))
GROUPS, GAP, OFFSET = 3, 2, 3
TUNINGS = (*map(Tuning, ScheduleKind), Tuning(ScheduleKind.COLUMNS, stages=2))
WORK_GROUPS = ((4, 2), (8, 1), (1, 1))
ADDRESS_OF = "kernel void address_of(global char *memory, global ulong *address) { *address = (ulong)memory; }"


class Simulator:
    """A device, and the means to run a function on it."""

    def __init__(self) -> None:
        self.context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
        self.queue = cl.CommandQueue(self.context)
        self.address_kernel = self.build(ADDRESS_OF, "address_of")

    def build(self, source: str, entry: str) -> cl.Kernel:
        """The kernel of a source."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cl.CompilerWarning)
            return cl.Kernel(cl.Program(self.context, source).build(options="-cl-std=CL1.2"), entry)

    def compare(self, case: Case, tuning: Tuning) -> None:
        """The results of the function are those of the interpreter."""
        artifact = emit(case.function, TARGET, tuning)
        launch = Launch(self, case)
        together = artifact.elements_per_group
        m, n = artifact.work_group_size
        count = -(-case.groups // together) * artifact.groups_per_element
        more: list[Any] = [np.int64(case.groups)] if together > 1 or artifact.scratch else []
        if artifact.scratch:
            count = min(count, GROUPS - 1)
            more.append(cl.Buffer(self.context, cl.mem_flags.READ_WRITE, count * artifact.scratch_of({})))
        for entry in artifact.entries:
            kernel = self.build(artifact.source, entry)
            kernel.set_args(*launch.values, *more)
            cl.enqueue_nd_range_kernel(self.queue, kernel, (m, n, count), (m, n, 1)).wait()
        wanted = expect(case.function, case.arguments, case.groups)
        for name, memories in launch.memories.items():
            for memory, right in zip(memories, wanted[name], strict=True):
                np.testing.assert_array_equal(launch.fetch(memory), right, err_msg=f"%{name}")


@dataclass(frozen=True)
class Placed:
    """A tensor and the buffer that holds a copy of it."""

    memory: Memory
    buffer: cl.Buffer


class Launch:
    """The arguments of a kernel in the order of the calling convention."""

    def __init__(self, simulator: Simulator, case: Case) -> None:
        self.simulator = simulator
        self.values: list[Any] = []
        self.memories: dict[str, list[Placed]] = {}
        for argument in case.function.arguments:
            self._add(argument, case.arguments[argument.name.name])

    def _add(self, argument: Argument, value: Any) -> None:
        match argument.type:
            case ScalarType() as scalar:
                self.values.append(DTYPES[scalar].type(value))
            case MemrefType() as memref:
                placed = self._place(value, memref)
                self.memories[argument.name.name] = [placed]
                self.values += [placed.buffer, *map(np.int64, dynamic(placed.memory, memref))]
            case GroupType(memref=memref, offset=offset):
                members = [self._place(member, memref) for member in value]
                self.memories[argument.name.name] = members
                distance = (OFFSET if offset is None else offset) * DTYPES[memref.element].itemsize
                addresses = np.array([self._address(member.buffer) for member in members], np.uint64)
                columns = np.array([dynamic(member.memory, memref) for member in members], np.int64).T
                self.values += [self._buffer(addresses - np.uint64(distance)), *map(self._buffer, columns)]
                self.values += [np.int64(OFFSET)] if offset is None else []

    def _place(self, array: Any, memref: MemrefType) -> Placed:
        memory = place(array, memref, GAP)
        return Placed(memory, self._buffer(memory.bytes[GUARD:-GUARD]))

    def _buffer(self, host: Any) -> cl.Buffer:
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        return cl.Buffer(self.simulator.context, flags, hostbuf=np.ascontiguousarray(host))

    def _address(self, buffer: cl.Buffer) -> int:
        found = np.zeros(1, np.uint64)
        answer = self._buffer(found)
        self.simulator.address_kernel(self.simulator.queue, (1,), None, buffer, answer)
        cl.enqueue_copy(self.simulator.queue, found, answer)
        return int(found[0])

    def fetch(self, placed: Placed) -> Any:
        """What the kernel has made of the tensor."""
        cl.enqueue_copy(self.simulator.queue, placed.memory.bytes[GUARD:-GUARD], placed.buffer)
        return placed.memory.entries


def written_cases() -> Iterator[Case]:
    """The functions of the folder `kernels`."""
    for path in sorted(KERNELS.glob("*.tl")):
        program = parse(Source(path.name, path.read_text(encoding="utf-8")))
        check(program)
        for function in program.functions:
            arguments = {argument.name.name: _values(argument.type) for argument in function.arguments}
            for fact in function.facts:
                if isinstance(fact, Nonzeros):
                    _keep(arguments[fact.argument], fact)
                if isinstance(fact, Values):
                    _set(arguments[fact.argument], fact)
            yield Case(run(function, SHARED), arguments, GROUPS)
            if function.work_group_size is None:
                yield Case(run(function, ALONE), arguments, GROUPS)


def _keep(array: Any, nonzeros: Nonzeros) -> None:
    """Makes all other entries zero."""
    mask = np.zeros(array.size, bool)
    for start, stop in nonzeros.runs:
        mask[start:stop] = True
    array[~mask.reshape(array.shape, order="F")] = 0


def _set(array: Any, values: Values) -> None:
    """Makes all entries those that are known."""
    known = np.zeros(array.size)
    for position, number in values.entries:
        known[position] = number
    array[...] = known.reshape(array.shape, order="F")


def _values(type_: Type) -> Any:
    match type_:
        case ScalarType():
            return 2
        case MemrefType(element=element, shape=shape):
            return integers(element, *(GROUPS if size is None else size for size in shape))
        case GroupType(memref=memref):
            return [_values(memref) for _ in range(GROUPS)]


def generated_cases(count: int) -> list[Case]:
    """Up to so many generated functions, each for one of the work-groups."""
    found: list[Case] = []

    @seed(0)
    @settings(max_examples=count, phases=[Phase.generate], database=None, suppress_health_check=list(HealthCheck))
    @given(cases())
    def collect(case: Case) -> None:
        assume(not any(map(_exchanges, walk(case.function.body))))
        work_group = WORK_GROUPS[len(found) % len(WORK_GROUPS)]
        found.append(replace(case, function=run(replace(case.function, work_group_size=work_group), SHARED)))

    collect()
    return found


def _exchanges(instruction: tl.Instruction) -> bool:
    """Whether it writes by atomic exchanges: Oclgrind 21.10 takes what these write for uninitialized."""
    return isinstance(instruction, tl.Collective) and instruction.atomic and instruction.beta.is_number(0)


def main(count: int) -> None:
    """Runs all, `count` generated ones (at least one) among them, and says which."""
    simulator = Simulator()
    for case in (*written_cases(), *generated_cases(count)):
        for tuning in (each for each in TUNINGS if is_possible(case.function, TARGET, each)):
            print(f"@{case.function.name}", case.function.work_group_size, tuning, flush=True)
            simulator.compare(case, tuning)


if __name__ == "__main__":
    main(int(sys.argv[1]))
