"""Temporaries in global memory: each work-group has its part, and runs several elements."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.launches.launch import Kernel
from einsum_front.runtime.launches.set_arguments import THREAD_GROUPS, UNIT_GROUPS, resident_groups
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import TARGET, compare, function_of, integers

F64 = ScalarType.F64
WORK_GROUPS = [(1, 1), (4, 1), (8, 4)]
CHAIN = """;! batched %A
;! batched %C
func @f(%A: memref<f64x9x7x?>, %C: memref<f64x9x9x?>) {
  %g = group_id
  %n = group_size
  %n64 = cast %n : index -> f64
  %a = subview %A[:, :, %g] : memref<f64x9x7x?>
  %c = subview %C[:, :, %g] : memref<f64x9x9x?>
  %far = alloca.global -> memref<f64x9x9,strided<1,11>>
  gemm.n.t 1.0, %a, %a, 0.0, %far : f64, memref<f64x9x7>, memref<f64x9x7>, f64, memref<f64x9x9,strided<1,11>>
  barrier
  %near = alloca -> memref<f64x9x9>
  axpby.t %n64, %far, 0.0, %near : f64, memref<f64x9x9,strided<1,11>>, f64, memref<f64x9x9>
  lifetime_stop %far
  barrier
  %other = alloca.global -> memref<f64x9x9>
  axpby.n 1.0, %near, 0.0, %other : f64, memref<f64x9x9>, f64, memref<f64x9x9>
  barrier
  gemm.n.n 1.0, %other, %near, 1.0, %c : f64, memref<f64x9x9>, memref<f64x9x9>, f64, memref<f64x9x9>
}
"""


@pytest.mark.parametrize("work_group", WORK_GROUPS)
def test_results(work_group: tuple[int, int]) -> None:
    """Five elements for two work-groups; memory that one has given up is that of the next, and `group_size` is 5."""
    function = function_of(CHAIN, work_group)
    compare(function, {"A": integers(F64, 9, 7, 5), "C": integers(F64, 9, 9, 5)}, groups=5)


@pytest.mark.parametrize("batch", [1, 1003])
def test_a_launch_allocates_what_its_work_groups_need(batch: int) -> None:
    function = function_of(CHAIN, (8, 4))
    artifact = emit(function, TARGET, Tuning(ScheduleKind.WORK_GROUP))
    assert artifact.scratch == 832  # 97 entries of the padded matrix, and the end of a line of 64 bytes
    a, c = integers(F64, batch, 9, 7), np.zeros((batch, 9, 9))
    Kernel(artifact, find_device())(A=a, C=c)
    square = batch * (a @ a.transpose(0, 2, 1))
    np.testing.assert_array_equal(c, square @ square)


def test_as_many_work_groups_as_run_at_a_time() -> None:
    artifact = emit(function_of(CHAIN, (8, 4)), TARGET, Tuning(ScheduleKind.WORK_GROUP))
    bytes_ = artifact.scratch_of({})
    facts = replace(find_device().facts, compute_units=10, max_allocation=2**30, global_memory=2**33)
    cpu, gpu = (replace(facts, kind=kind) for kind in (type(facts.kind).CPU, type(facts.kind).GPU))
    assert resident_groups(artifact, gpu, 10**6, bytes_) == 10 * UNIT_GROUPS
    assert resident_groups(replace(artifact, work_group_size=(32, 32)), gpu, 10**6, bytes_) == 10 * 2
    assert resident_groups(artifact, cpu, 10**6, bytes_) == 10 * THREAD_GROUPS
    assert resident_groups(artifact, cpu, 7, bytes_) == 7
    assert resident_groups(artifact, replace(cpu, max_allocation=5 * bytes_), 10**6, bytes_) == 5
    assert resident_groups(artifact, replace(cpu, global_memory=bytes_), 10**6, bytes_) == 1


def test_a_part_that_the_device_cannot_allocate() -> None:
    artifact = emit(function_of(CHAIN, (8, 4)), TARGET, Tuning(ScheduleKind.WORK_GROUP))
    device = find_device()
    with pytest.raises(CompileError, match="bytes of memory for each work-group, the device allocates 512 at once"):
        Kernel(artifact, replace(device, facts=replace(device.facts, max_allocation=512)))
