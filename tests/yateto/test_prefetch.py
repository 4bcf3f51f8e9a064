"""What a script prefetches: `_prefetch` leads to memory of which every line is fetched, on processors and on GPUs."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from einsum_front.yateto import Generator, Tensor, simpleParameterSpace, useArchitectureIdentifiedBy
from tests.yateto.test_cpp import FLAGS, processor

CPP = Path(__file__).parent / "cpp"
RECORDER = """\
#include <memory>
extern "C" void recorded(const void *address);
#define __builtin_prefetch(address, ...) recorded(address)
"""


def generate(folder: Path, arch: str, device: str | None = None) -> None:
    """A kernel, and a family whose members prefetch one tensor of a group, two tensors, and nothing."""
    generator = Generator(useArchitectureIdentifiedBy(arch, device, None if device is None else "cuda"))
    Q, I = Tensor("Q", (20, 9), alignStride=True), Tensor("I", (20, 9))  # noqa: E741
    A, K = Tensor("A", (9, 9)), Tensor("K", (20, 20), np.eye(20, k=3))
    D = [Tensor(f"D({d})", (7 + d, 3)) for d in range(2)]
    generator.add("flux", Q["kp"] <= Q["kp"] + K["kl"] * I["lq"] * A["qp"], prefetch=I)
    prefetched: list[Tensor | list[Tensor] | None] = [D[1], [Q, I], None]
    generator.addFamily(
        "step", simpleParameterSpace(3), lambda d: Q["kp"] <= Q["kp"] + float(d + 2) * I["kp"], lambda d: prefetched[d]
    )
    if device is not None:
        generator.add("gpu_flux", Q["kp"] <= Q["kp"] + K["kl"] * I["lq"] * A["qp"], prefetch=[I, D[1]], target="gpu")
    generator.generate(str(folder), "waves", include_tensors=D)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("recorded", [True, False])
def test_a_set_member_is_fetched_and_a_null_one_is_not(tmp_path: Path, *, recorded: bool) -> None:
    generate(tmp_path, f"d{processor()}")
    (tmp_path / "recorder.h").write_text(RECORDER, encoding="utf-8")
    more = ["-DRECORDED", "-include", str(tmp_path / "recorder.h")] if recorded else []
    sources = [CPP / "prefetch.cpp", *(tmp_path / f"{name}.cpp" for name in ("kernel", "subroutine", "tensor"))]
    program = tmp_path / "program"
    subprocess.run(["g++", *FLAGS, *more, f"-I{tmp_path}", *map(str, sources), "-o", str(program)], check=True)
    done = subprocess.run([str(program)], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "right\n")


def test_they_are_arguments_of_the_functions(tmp_path: Path) -> None:
    generate(tmp_path, "dskx")
    kernels = (tmp_path / "kernel.cpp").read_text(encoding="utf-8")
    calls = [line.strip() for line in kernels.splitlines() if "subroutine::" in line]
    assert calls == [
        "::waves::subroutine::flux(Q, K, I, A, _prefetch.I);",
        "::waves::subroutine::step_0(Q, I, _prefetch.D(1));",
        "::waves::subroutine::step_1(Q, I, _prefetch.Q, _prefetch.I);",
        "::waves::subroutine::step_2(Q, I);",
    ]
    header = (tmp_path / "kernel.h").read_text(encoding="utf-8")
    found = re.findall(r"struct Prefetch \{(.*?)\n +\};", header, re.DOTALL)
    assert [[line.strip() for line in each.split("\n") if line.strip()] for each in found] == [
        ["double const* I{};"],
        ["tensor::D::Container<double const*> D;", "double const* I{};", "double const* Q{};"],
    ]
    functions = (tmp_path / "subroutine.cpp").read_text(encoding="utf-8")
    assert "const double *restrict prefetch_I)" in functions
    assert functions.count("__builtin_prefetch((const char *)((uintptr_t)prefetch_D_1 + ") > 0
    assert "prefetch" not in (tmp_path / "kernel.ein").read_text(encoding="utf-8")


def test_gpus_ask_for_the_second_level_cache(tmp_path: Path) -> None:
    generate(tmp_path, "dskx", "dsm_90")
    assert re.search(r"einsum_front_\w+\(.*, _prefetch\.I, _prefetch\.D\(1\), numElements, flags, streamPtr\);",
                     (tmp_path / "kernel.cpp").read_text(encoding="utf-8"))  # fmt: skip
    kernels = (tmp_path / "gpulike_subroutine.cpp").read_text(encoding="utf-8")
    assert "prefetch.global.L2" in kernels
    for name, size in (("prefetch_I", 20 * 9 * 8), ("prefetch_D_1", 8 * 3 * 8)):
        assert f"prefetch({name}, min(64 * line, {size - 1}));" in kernels
