"""Texts for AMD's GPUs, and what Clang says of them: HIP is the CUDA C++ that we print."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.tl_backend.targets.test_cuda import FOLDER

PRELUDE = Path(__file__).parent / "emulated_hip.h"
CLANG = shutil.which("clang")
FLAGS = (
    "-x",
    "hip",
    "-nogpuinc",
    "-nogpulib",
    "--cuda-device-only",
    "--offload-arch=gfx90a",
    "-std=c++17",
    "-O2",
    "-Wall",
)
UNDECIDED = "-Wno-undefined-internal"
"""What the emulated header only declares, a library of HIP defines."""


def assembly(file: Path, folder: Path) -> str:
    """The code that Clang makes for an MI200; fails with what it says."""
    assert CLANG is not None
    made = folder / "made.s"
    command = [CLANG, *FLAGS, UNDECIDED, "-include", str(PRELUDE), "-S", str(file), "-o", str(made)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert "warning" not in found.stderr, found.stderr
    return made.read_text(encoding="utf-8")


@cache
def why_not() -> str | None:
    """Why Clang makes no code for AMD's GPUs here; None if it does."""
    if CLANG is None:
        return "there is no clang"
    targets = subprocess.run([CLANG, "--print-targets"], capture_output=True, text=True, check=False).stdout
    return None if "amdgcn" in targets else "this clang knows no GPUs of AMD"


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.cu")))
def test_clang_makes_code_for_gpus_of_amd(name: str, tmp_path: Path) -> None:
    if (reason := why_not()) is not None:
        pytest.skip(reason)
    code = assembly(FOLDER / f"{name}.cu", tmp_path)
    assert ".amdhsa_kernel" in code
    assert "v_fma" in code or "v_pk_fma" in code or "v_mul" in code


def test_a_mistake_is_found(tmp_path: Path) -> None:
    if (reason := why_not()) is not None:
        pytest.skip(reason)
    text = (FOLDER / "product.work_group.cu").read_text(encoding="utf-8").replace("blockIdx", "blockIndex", 1)
    (tmp_path / "wrong.cu").write_text(text, encoding="utf-8")
    with pytest.raises(AssertionError, match="blockIndex"):
        assembly(tmp_path / "wrong.cu", tmp_path)
