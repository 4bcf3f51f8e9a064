"""Products as functions of their own: equal ones have one name, in whatever kernel, and mean the same."""

from dataclasses import replace

import pytest

from einsum_front.core.instruction_sets import AVX512
from einsum_front.core.machines import ZEN5_C
from einsum_front.driver.c_functions import c_target
from einsum_front.tl_backend.emit import SharedFunction, artifact_and_routines
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import schedule
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.kernel.harness import compare
from tests.tl_backend.opencl.harness import function_of, integers

GROUP = Tuning(ScheduleKind.WORK_GROUP)
TARGET = replace(c_target(AVX512, machine=ZEN5_C), outlines_products=True)


def chain(names: str, rows: int = 10, alpha: str = "1.0") -> Function:
    """`C := alpha (A B) D + C`, with other names for the four."""
    a, b, c, d = tuple(names)
    m, n = f"memref<f64x{rows}x6>", f"memref<f64x{rows}x9>"
    return function_of(f"""
    func @f(%alpha: f64, %{a}: {m}, %{b}: memref<f64x6x9>, %{c}: {n}, %{d}: memref<f64x9x9>) {{
      %t = alloca -> {n}
      gemm.n.n 1.0, %{a}, %{b}, 0.0, %t : f64, {m}, memref<f64x6x9>, f64, {n}
      gemm.n.n {alpha}, %t, %{d}, 1.0, %{c} : f64, {n}, memref<f64x9x9>, f64, {n}
    }}""")


def routines(function: Function) -> tuple[SharedFunction, ...]:
    return artifact_and_routines(schedule(function, TARGET, GROUP))[1]


def test_equal_products_are_one_function() -> None:
    assert routines(chain("ABCD")) == routines(chain("kijC"))


def test_other_sizes_are_other_functions() -> None:
    here, there = ({each.name for each in routines(chain("ABCD", rows))} for rows in (10, 11))
    assert len(here) == len(there) == 2
    assert not here & there


def test_a_kernel_calls_them_and_has_none() -> None:
    artifact, found = artifact_and_routines(schedule(chain("ABCD"), TARGET, GROUP))
    assert "for (" not in artifact.source
    for each in found:
        assert artifact.source.count(f"{each.name}_avx512(") == 1
        assert f"static __attribute__((noinline)) void {each.name}_avx512(" in each.source


def test_a_number_of_the_launch_keeps_a_product_in_the_kernel() -> None:
    assert len(routines(chain("ABCD", alpha="%alpha"))) == 1


@pytest.mark.parametrize("alpha", ["0.0", "-0.0"])
def test_the_sign_of_zero_is_kept(alpha: str) -> None:
    artifact, found = artifact_and_routines(schedule(chain("ABCD", alpha=alpha), TARGET, GROUP))
    text = "\n".join((artifact.source, *(each.source for each in found)))
    assert f" + {alpha} * " in text


def test_what_is_the_same_is_lowered_once() -> None:
    kernels = (schedule(chain(names), TARGET, GROUP).lower() for names in ("ABCD", "kijC"))
    first, second = (kernel.file.functions[:-1] for kernel in kernels)
    assert len(first) == 2
    assert all(one is other for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("rows", [8, 10, 20, 35])
@pytest.mark.parametrize("alpha", ["1.0", "-2.0", "%alpha"])
def test_they_mean_the_same(rows: int, alpha: str) -> None:
    shapes = {"A": (rows, 6), "B": (6, 9), "C": (rows, 9), "D": (9, 9)}
    matrices = {name: integers(ScalarType.F64, *shape, seed=ord(name)) for name, shape in shapes.items()}
    compare(chain("ABCD", rows, alpha), {"alpha": 3.0, **matrices}, tuning=GROUP, target=TARGET)
