"""Kernels and tensors may have names that OpenCL C has taken."""

import numpy as np
import pytest

import einsum_front as ef

NAMES = [
    "convert_int_rte",
    "convert_double4_sat_rtz",
    "double16",
    "as_double",
    "vload4",
    "vloada_half2",
    "atomic_fetch_add",
    "work_group_all",
    "sub_group_any",
    "abs_diff",
    "printf",
    "complex",
    "linux",
    "M_PI",
    "main",
    "float4x4",
    "to_global",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_the_language_are_names_of_kernels(name: str) -> None:
    kernel = ef.compile(ef.parse(f"tensor A[4]\ntensor B[4]\nkernel {name} {{ A[i] = 2 * B[i] }}"))[name]
    assert kernel.artifact.entry != name
    assert kernel.name == name


def test_such_kernels_run() -> None:
    """In one text, with a tensor of such a name as well."""
    text = "tensor A[4]\ntensor convert_int_rte[4]\n"
    text += "\n".join(f"kernel {name} {{ A[i] = 2 * convert_int_rte[i] }}" for name in NAMES[1:6])
    for kernel in ef.compile(ef.parse(text)).values():
        A, B = np.zeros((3, 4)), np.ones((3, 4))
        kernel(A=A, convert_int_rte=B)
        assert np.all(A == 2)
