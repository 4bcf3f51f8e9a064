"""Programs that declare what they call: those that are generated do, others get the header of all functions."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from einsum_front.core.functions import Function
from einsum_front.runtime.devices.drivers import driver_of
from einsum_front.runtime.launches import build
from einsum_front.runtime.launches.declarations import with_declarations
from einsum_front.tl_backend.targets.opencl import OPENCL_C
from tests.runtime.kernels import DEVICE, FILL, kernel
from tests.tl_backend.targets.every_node import files

KERNELS = sorted(Path(__file__).parents[1].rglob("text/*.cl"))


def test_everything_that_is_printed_is_declared() -> None:
    """Another function than these would make builds four times as long."""
    for file in files(items=32):
        assert with_declarations(OPENCL_C.printer().unparse(file)) is not None


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_kernels_are_declared_with_what_they_call(path: Path) -> None:
    assert with_declarations(path.read_text("utf-8")) is not None


@pytest.mark.parametrize(
    "text",
    [
        "kernel void k(global float *a) { a[0] = dot(a[1], a[2]); }",
        "#define twice(x) (2 * (x))\nkernel void k(global float *a) { a[0] = twice(a[1]); }",
        "float f(float);\nkernel void k(global float *a) { a[0] = f(a[1]); }",
    ],
)
def test_what_calls_something_else_gets_the_header(text: str) -> None:
    assert with_declarations(text) is None


def test_words_of_the_language_and_functions_of_the_program_are_no_calls_of_others() -> None:
    text = """\
/* dot(a, b) */
float f(float a) // dot(a, b)
{
    return as_float(convert_int(a) << 1);
}
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(global float *a)
{
    for (int i = 0; i < 4; ++i) if (i) while (a[i] > sizeof(a)) a[i] = (float)(f(a[i]));
}
"""
    declared = with_declarations(text)
    assert declared is not None
    assert declared.endswith(f"#line 1\n{text}")
    assert declared.count(" convert_int(") == 10  # types of operands


def values(source: str, header: str | None, monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    facts = replace(driver_of(DEVICE.handle.platform.name.strip(), DEVICE.handle.platform.version), header=header)
    monkeypatch.setattr(build, "driver_of", lambda *_: facts)
    C = np.linspace(0.1, 3, 5)
    kernel(replace(FILL, source=source))(5, first=1, C=C)
    return C


@pytest.mark.skipif("PoCL 3.0" not in DEVICE.handle.platform.version, reason="the driver reads no header for all")
def test_calls_mean_what_they_mean_with_the_header(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each function on numbers and vectors of both types, and the overloads of vectors with numbers."""
    lines = []
    for function in (each.row for each in Function if each.row.c):
        single, double, entry, wide = (
            f"{function.c}({', '.join([operand] * function.arity)})" for operand in ("f", "d", "f.s1", "d.s1")
        )
        lines += [f"sum += convert_double4({single}) + {double};", f"sum.s0 += {entry} + {wide};"]
    lines += [f"sum += {name}(sum, own);" for name in ("fmax", "fmin", "max", "min")]
    lines += ["sum.s0 += min(7, (int)get_group_id(2)) + max((long)own, 3L) + min((uint)3, (uint)own);"]
    lines += ["sum = shuffle2(sum, d, (ulong4)(7, 0, 5, 2)) + select(sum, -sum, sum > 1.0);"]
    body = "\n".join(f"    {line}" for line in lines)
    source = f"""\
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void fill(long first, global double *C, long n)
{{
    double4 sum = 0, d = (double4)(0.3, 0.6, 0.8, 0.9);
    double own = C[get_group_id(2)];  // groups write the others
    float4 f = convert_float4(d);
{body}
    C[get_group_id(2)] = sum.s0 + sum.s1;
}}
"""
    assert with_declarations(source) is not None
    with_header = values(source, None, monkeypatch)
    assert values(f"{source}// again\n", "_OPENCL_H_", monkeypatch).tobytes() == with_header.tobytes()
