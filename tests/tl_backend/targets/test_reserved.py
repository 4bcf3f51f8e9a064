"""Kernels and tensors may have names that OpenCL C has taken."""

import json

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.driver.texts import artifacts_as_json

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


def test_messages_name_the_kernel_as_the_text_does() -> None:
    """What OpenCL calls it, `step_1`, nobody has written."""
    kernel = ef.compile(ef.parse("scalar dt\ntensor A[4]\nkernel step { A[i] = dt * A[i] }"))["step"]
    wrong: list[dict[str, object]] = [{}, {"A": np.zeros((3, 5)), "dt": 1.0}, {"B": 1, "dt": 1.0}, {"A": np.zeros(4)}]
    said = []
    for arguments in wrong:
        with pytest.raises(ef.CompileError) as caught:
            kernel(**arguments)
        said.append(str(caught.value))
    with pytest.raises(ef.CompileError) as caught:
        kernel(np.zeros((3, 4)), 0.5)  # type: ignore[arg-type] # that is the test
    with pytest.raises(ef.CompileError) as other:
        kernel.prepare(A=np.zeros((3, 4)), dt=1.0).set(ds=0.5)
    said += [str(caught.value), str(other.value)]
    assert kernel.artifact.entry == "step_1"
    assert all("step_1" not in each for each in said)
    assert "`step` has no argument `B`" in said[2]


def test_the_description_has_both_names() -> None:
    artifact = ef.compile(ef.parse("tensor A[4]\nkernel dot { A[i] = 2 * A[i] }"))["dot"].artifact
    (described,) = json.loads(artifacts_as_json([artifact]))
    assert (described["name"], described["entry"]) == ("dot", "dot_1")
