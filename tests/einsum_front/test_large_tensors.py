"""What compiling takes does not depend on how large the tensors are, but on what is said of them."""

import tracemalloc
from pathlib import Path

import pytest

import einsum_front as ef
from einsum_front.yateto import Generator, Tensor, useArchitectureIdentifiedBy

MOST_BYTES = 2**25
"""At one time while compiling; an array of truth values for the smallest tensor below has 2**26 and more."""

DECLARED = """
tensor R[40000, 50000] constant
tensor K[40000, 50000] constant nonzeros [(0,0), (3,7), (39999,49999)]
tensor S[40000, 50000]
tensor W[50000, 10]
tensor x[50000]
tensor y[40000]
tensor z[10]
"""


@pytest.mark.parametrize(
    "statements",
    [
        "z[i] += R[i=0:10, j]",
        pytest.param("y[i] += K[i,j] * x[j]", marks=pytest.mark.slow),
        "S[i=0:10, j] = K[i=0:10, j]",
        "z[i] += 2 * K[i=0:10, k] * W[k, i]",
        "z[i] = (R[i=0:10, j=5:9] + K[i=0:10, j=5:9]) * x[j=5:9]",
        "S[i=0:10, j=0:10] = R[i=0:10, j=0:10] S[i=5:20, j=1:4] += 1",
        "S[i=0:40000, i=5:40005] = y[i]",
    ],
)
def test_kernels_on_parts_of_large_tensors_compile(statements: str) -> None:
    program = ef.parse(f"{DECLARED}\nkernel f {{ {statements} }}")
    tracemalloc.start()
    try:
        assert ef.compile(program)["f"].opencl
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()


def test_scripts_with_large_tensors_are_generated(tmp_path: Path) -> None:
    A, B, C = (Tensor(name, (96, 96, 96, 96)) for name in "ABC")
    generator = Generator(useArchitectureIdentifiedBy("dhsw"))
    generator.add("contract", C["abij"] <= A["acik"] * B["cbkj"])
    tracemalloc.start()
    try:
        generator.generate(str(tmp_path))
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()
