"""Kernels for GPUs in `kernel.h`: compiled for the processor, with a thread for each thread of a block."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.yateto import (
    INCLUDE,
    Datatype,
    Generator,
    Scalar,
    Tensor,
    simpleParameterSpace,
    useArchitectureIdentifiedBy,
)
from einsum_front.yateto.memory import CSCMemoryLayout
from tests import emulated_cuda

CPP = Path(__file__).parent / "cpp"

RUNTIME = """
using cudaError_t = int; using cudaStream_t = void *;
enum { cudaSuccess };
static const char *cudaGetErrorString(int) { return ""; }
static int cudaGetLastError() { return 0; }
static int cudaMallocAsync(void **place, std::size_t size, void *) { *place = std::malloc(size); return 0; }
static int cudaMemsetAsync(void *place, int byte, std::size_t n, void *) { std::memset(place, byte, n); return 0; }
static int cudaFreeAsync(void *place, void *) { std::free(place); return 0; }
struct dim3 { unsigned x, y; dim3(unsigned x, unsigned y = 1) : x(x), y(y) {} };
void recorded(const void *address); // from many threads
#define PREFETCH(address) recorded(address)
template <class F> void launch(unsigned blocks, dim3 size, F kernel) { each_thread(blocks, size.x, size.y, kernel); }
"""


def generate(folder: Path, device: str | None = "dsm_90", backend: str | None = "cuda") -> Generator:
    """Boxes, columns of entries, patterns, values, a scalar, a family, and a product of constants."""
    generator = Generator(useArchitectureIdentifiedBy("dnoarch", device, backend))
    box = np.zeros((10, 10), dtype=bool)
    box[2:7, 3:9] = True
    Q, I = Tensor("Q", (10, 3), alignStride=True), Tensor("I", (10, 3))  # noqa: E741
    star = [Tensor(f"star({d})", (3, 3), spp=np.eye(3, k=d, dtype=bool)) for d in range(2)]
    K = [Tensor(f"K({d})", (10, 10), spp=np.where(box, 1.5 + d, 0.0)) for d in range(2)]
    W = Tensor("W", (10, 10), np.eye(10, k=2) * 0.5, CSCMemoryLayout)
    V = Tensor("V", (3, 3), np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0]], dtype=bool), CSCMemoryLayout)
    for target, prefix in (("cpu", ""), ("gpu", "gpu_")):
        value = Q["kp"] + Scalar("dt") * W["kl"] * I["lq"] * V["qp"]
        for d in range(2):
            value = value + K[d]["kl"] * I["lq"] * star[d]["qp"]
        generator.add(f"{prefix}update", Q["kp"] <= value, prefetch=[I] if target == "gpu" else None, target=target)
        generator.addFamily(
            f"{prefix}flux",
            simpleParameterSpace(2),
            lambda d: Q["kp"] <= Q["kp"] + K[d]["km"] * K[1 - d]["ml"] * I["lp"],
            target=target,
        )
    generator.generate(str(folder), namespace="waves")
    return generator


@pytest.mark.skipif(not emulated_cuda.is_possible(), reason="needs a g++ that knows barriers")
def test_they_are_called_as_yatetos(tmp_path: Path) -> None:
    generate(tmp_path)
    kernels = tmp_path / "gpulike_subroutine.cpp"
    text = kernels.read_text(encoding="utf-8")
    launched, count = re.subn(
        r"(\w+)<<<(.+?), (dim3\(.*?\)|\d+), 0, on>>>\((.*?)\);", r"launch(\2, \3, [=] { \1(\4); });", text
    )
    assert count == text.count("<<<") == 6  # a product of constants for each of two members, and the columns of one
    kernels.write_text(launched.replace("static __device__", "__device__"), encoding="utf-8")
    (tmp_path / "cuda_runtime.h").write_text(
        f"#include <cstdlib>\n{emulated_cuda.SHIM}{emulated_cuda.THREADS}{RUNTIME}", encoding="utf-8"
    )
    sources = [kernels, *(tmp_path / f"{name}.cpp" for name in ("kernel", "subroutine", "init")), CPP / "on_gpu.cpp"]
    command = [
        "g++",
        "-std=c++20",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Wno-unused",
        f"-I{CPP}",
        f"-I{INCLUDE}",
        f"-I{tmp_path}",
    ]
    subprocess.run([*command, *map(str, sources), "-pthread", "-o", str(tmp_path / "program")], check=True)
    done = subprocess.run([str(tmp_path / "program")], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "right\n")


def test_the_same_script_gives_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        generate(folder)
        made.append({path.name: path.read_bytes() for path in sorted(folder.glob("*.[ch]*"))})
    assert made[0] == made[1]
    assert "gpulike_subroutine.cpp" in made[0]


@pytest.mark.parametrize(("device", "backend"), [(None, None), ("dpvc", "oneapi")])
def test_other_devices_have_them_in_the_program_only(tmp_path: Path, device: str | None, backend: str | None) -> None:
    generate(tmp_path, device, backend)
    text = (tmp_path / "gpulike_subroutine.cpp").read_text(encoding="utf-8")
    assert text == "// There are no kernels for GPUs.\n"  # builds name it among the outputs of every script
    assert "gpu_update" not in (tmp_path / "kernel.h").read_text(encoding="utf-8")
    assert "kernel gpu_update" in (tmp_path / "kernel.ein").read_text(encoding="utf-8")


def test_what_has_no_place_on_a_gpu(tmp_path: Path) -> None:
    generator = Generator(useArchitectureIdentifiedBy("dhsw", "dsm_90", "cuda"))
    A, B = Tensor("A", (4, 4)), Tensor("B", (4, 4))
    columns = Tensor("C", (4, 4), np.eye(4, dtype=bool), CSCMemoryLayout)
    generator.add("f", columns["ij"] <= A["ik"] * B["kj"], target="gpu")
    with pytest.raises(CompileError, match=r"E0169.*: `C` in the kernel `f` for GPUs is not stored"):
        generator.generate(str(tmp_path))
    with pytest.raises(CompileError, match="E0165"):
        generate(tmp_path, "dsm_91", "cuda")


def test_a_tensor_with_values_has_the_type_of_the_architecture(tmp_path: Path) -> None:
    K = Tensor("K", (4, 4), {(0, 1): "2.5"}, datatype=Datatype.F32)
    A, B = Tensor("A", (4, 4), datatype=Datatype.F32), Tensor("B", (4, 4))
    for value, is_right in ((B["ij"], True), (K["ik"] * B["kj"], False)):
        generator = Generator(useArchitectureIdentifiedBy("dhsw", "dsm_80", "cuda"))
        generator.add("f", A["ij"] <= value, target="gpu")
        if is_right:
            generator.generate(str(tmp_path))
            continue
        with pytest.raises(CompileError, match=r"E0169.*`K` in the kernel `f` for GPUs has values and a type"):
            generator.generate(str(tmp_path))
