"""Runs a function as a kernel tree in the interpreter and compares all arguments with the tensor language's."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.tl_backend.kernel import memory as simulated
from einsum_front.tl_backend.kernel.interpret import launch
from einsum_front.tl_backend.kernel.verify import verify
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.schedules.choice import analyse
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.schedules.tuning import Form, Tuning
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType
from tests.tl_backend.opencl.harness import Memory, dynamic, expect
from tests.tl_backend.opencl.harness import place as placed

Array = NDArray[Any]
GROUP = Tuning(Form.GROUP)
GROUPS = 2
"""Work-groups at most where they share the elements: some run several, one after the other."""


def lower(function: Function, target: Target, tuning: Tuning) -> Kernel:
    """The kernel of a function, which can have the schedule."""
    plan = analyse(function, target, tuning)
    assert not isinstance(plan, Reason), plan
    return plan.lower(frozenset())


def run(
    function: Function,
    arguments: dict[str, Any],
    groups: int,
    gap: int = 2,
    tuning: Tuning = GROUP,
    target: Target = DEFAULT,
) -> dict[str, list[Array]]:
    """What the kernel tree makes of its tensors; fails if it breaks a restriction, or writes anything else."""
    kernel = lower(function, target, tuning)
    assert [(each.code, each.message) for each in verify(kernel.file)] == []
    return interpreted(kernel, function, arguments, groups, gap)


def interpreted(
    kernel: Kernel, function: Function, arguments: dict[str, Any], groups: int, gap: int = 2
) -> dict[str, list[Array]]:
    memory = simulated.Memory()
    values: list[float] = []
    placements: dict[str, list[tuple[int, Memory]]] = {}
    for argument in function.arguments:
        name, value = argument.name.name, arguments[argument.name.name]
        match argument.type:
            case ScalarType():
                values.append(value)
            case MemrefType() as memref:
                tensor = placed(value, memref, gap)
                address = memory.place(name, tensor.inside)
                placements[name] = [(address, tensor)]
                values += [address, *dynamic(tensor, memref)]
            case GroupType(memref=memref, offset=offset):
                tensors = [placed(member, memref, gap) for member in value]
                addresses = [memory.place(f"{name}[{n}]", tensor.inside) for n, tensor in enumerate(tensors)]
                placements[name] = list(zip(addresses, tensors, strict=True))
                moved = (3 if offset is None else offset) * DTYPES[memref.element].itemsize
                values.append(memory.place(name, np.array(addresses, np.uint64) - np.uint64(moved)))
                columns = np.array([dynamic(tensor, memref) for tensor in tensors], np.int64).T
                values += [memory.place(f"{name}, sizes", column.copy()) for column in columns]
                values += [3] if offset is None else []
    count = -(-groups // kernel.elements_per_group) * kernel.groups_per_element
    values += [groups] if kernel.elements_per_group > 1 or kernel.scratch else []
    if kernel.scratch:
        count = min(count, GROUPS)
        values.append(memory.reserve("scratch", count * kernel.scratch))
    launch(kernel.file, kernel.file.functions[-1].name, values, count, memory)
    for name, parts in placements.items():
        for address, tensor in parts:
            memory.fetch(address, tensor.inside)
            assert tensor.is_intact(), f"%{name}: written outside of its entries"
    return {name: [tensor.entries for _, tensor in parts] for name, parts in placements.items()}


def compare(
    function: Function,
    arguments: dict[str, Any],
    groups: int = 1,
    *,
    exact: bool = True,
    gap: int = 2,
    tuning: Tuning = GROUP,
    target: Target = DEFAULT,
) -> None:
    """The tree and the tensor language agree; `exact` for arguments whose arithmetic has no rounding."""
    wanted = expect(function, arguments, groups)
    for name, arrays in run(function, arguments, groups, gap, tuning, target).items():
        for array, right in zip(arrays, wanted[name], strict=True):
            if exact:
                np.testing.assert_array_equal(array, right, err_msg=f"%{name}")
            else:
                largest = np.abs(right).max() * (1e-6 if right.itemsize == 4 else 1e-14)
                np.testing.assert_allclose(array, right, rtol=0, atol=largest, err_msg=f"%{name}")
