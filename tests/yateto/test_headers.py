"""`tensor.h` and `init.h`, compiled without a warning and used by a program."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from einsum_front.yateto import INCLUDE, CSCMemoryLayout, Generator, Scalar, Tensor, useArchitectureIdentifiedBy

CPP = Path(__file__).parent / "cpp"


def generate(folder: Path) -> None:
    arch = useArchitectureIdentifiedBy("dhsw")
    K = Tensor("K(1,2)", (4, 4), {(1, 2): "2.5", (3, 3): "-1"})
    W = Tensor("W", (4, 3), {(0, 0): "1", (2, 0): "1.5", (3, 2): "0.5"}, CSCMemoryLayout)
    Q, T = Tensor("Q", (10, 3), np.ones((10, 3), bool), alignStride=True), Tensor("T", (), namespace="nodal")
    generator = Generator(arch)
    generator.add("f", Q["kp"] <= Scalar("power(2)") * Tensor("temp", (10, 4), temporary=True)["kl"] * W["lp"] * T[""])
    generator.kernels()[0].ast.insert(0, Tensor("temp", (10, 4), temporary=True)["kl"] <= Q["km"] * W["lm"])
    generator.generate(str(folder), "waves", include_tensors={K})


def test_what_is_written(tmp_path: Path) -> None:
    generate(tmp_path)
    header = (tmp_path / "tensor.h").read_text(encoding="utf-8")
    assert "struct temp" not in header
    assert header.index("struct K ") < header.index("struct Q ") < header.index("struct power ")
    values = (tmp_path / "init.cpp").read_text(encoding="utf-8")
    assert "double const init::K::Values5[] = {2.5, 0., 0., 0., 0., -1};" in values
    assert (
        "double const* init::K::Values[] = {nullptr, nullptr, nullptr, nullptr, nullptr, init::K::Values5};" in values
    )


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_views_and_helpers_for_memory(tmp_path: Path) -> None:
    flags = ["-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{INCLUDE}"]
    subprocess.run(["g++", *flags, str(CPP / "views.cpp"), "-o", str(tmp_path / "views")], check=True)
    assert subprocess.run([str(tmp_path / "views")], check=False).returncode == 0


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_a_program_uses_them(tmp_path: Path) -> None:
    generate(tmp_path)
    sources = [str(CPP / "main.cpp"), *(str(tmp_path / name) for name in ("tensor.cpp", "init.cpp"))]
    flags = ["-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{CPP}", f"-I{INCLUDE}", f"-I{tmp_path}"]
    subprocess.run(["g++", *flags, *sources, "-o", str(tmp_path / "main")], check=True)
    assert subprocess.run([str(tmp_path / "main")], check=False).returncode == 0
