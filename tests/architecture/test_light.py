"""A light start: who translates loads nothing that only devices, tables on terminals or rare types need."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BLOCKED = ("pyopencl", "ml_dtypes", "sympy", "grandalf", "shtab", "torch", "jax", "cupy", "dask")
"""Packages that translating does without."""

RUN = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"{name} is blocked", name=name)
BLOCKED = sys.argv.pop(1).split(",")
sys.meta_path.insert(0, Blocked())
from einsum_front.__main__ import main
status = main()
with open(sys.argv[0] + ".loaded", "w") as file:
    file.write("\\n".join(sys.modules))
sys.exit(status)
"""

TEXT = """tensor Q[20, 9]
tensor I[20, 9]
tensor A[9, 9]
tensor K[20, 20] constant
kernel volume { Q[k,p] += K[k,l] * I[l,q] * A[q,p] }
"""

SCRIPT = """
from yateto import Generator, Tensor, useArchitectureIdentifiedBy
g = Generator(useArchitectureIdentifiedBy("dhsw"))
A, B, C = (Tensor(name, (8, 8)) for name in "ABC")
g.add("product", C["ij"] <= A["ik"] * B["kj"])
g.generate("out")
"""

COMMANDS = {
    "opencl": ["compile", "wave.ein", "--emit", "cl"],
    "c": ["compile", "wave.ein", "--emit", "c"],
    "cuda": ["compile", "wave.ein", "--emit", "cu"],
    "schedule": ["compile", "wave.ein", "--emit", "schedule"],
    "json": ["compile", "wave.ein", "--emit", "json"],
    "linalg": ["compile", "wave.ein", "--emit", "linalg-loops"],
    "dump": ["compile", "wave.ein", "--dump-to", "levels"],
    "string": ["compile", "--einsum", "ik,kj->ij", "--shape", "8,8", "--shape", "8,8"],
    "check": ["check", "wave.ein"],
    "package c": ["package", "wave.ein", "--target", "c", "-o", "in_c"],
    "package opencl": ["package", "wave.ein", "--target", "opencl", "-o", "in_opencl"],
    "inspect": ["inspect", "wave.ein", "-o", "wave.html"],
    "explain": ["explain", "wave.ein"],
    "targets": ["targets"],
    "yateto": ["yateto", "--emit", "ein", "script.py"],
    "yateto, opencl": ["yateto", "--emit", "cl", "script.py"],
    "yateto, list": ["yateto", "script.py"],
}


def run(folder: Path, *arguments: str, blocked: tuple[str, ...] = BLOCKED) -> set[str]:
    """The packages that a command has loaded when it ends well; no packages that are blocked."""
    program = folder / "program.py"
    program.write_text(RUN, encoding="utf-8")
    (folder / "wave.ein").write_text(TEXT, encoding="utf-8")
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    (folder / "out").mkdir(exist_ok=True)
    command = [sys.executable, str(program), ",".join(blocked), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(Path(f"{program}.loaded").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=list(COMMANDS))
def test_translating_needs_no_device(arguments: list[str], tmp_path: Path) -> None:
    loaded = run(tmp_path, *arguments)
    assert not loaded & {"einsum_front.runtime.devices.opencl", "einsum_front.runtime.devices.device"}


def test_what_is_blocked_is_missed_by_who_needs_it(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="pyopencl is blocked"):
        run(tmp_path, "compile", "wave.ein", "--device", "0")


@pytest.mark.parametrize("level", ["cl", "c", "tl", "plan"])
def test_texts_need_no_tables(level: str, tmp_path: Path) -> None:
    run(tmp_path, "compile", "wave.ein", "--emit", level, blocked=(*BLOCKED, "rich", "pygments", "numpy.random"))


def test_another_language_is_not_loaded(tmp_path: Path) -> None:
    loaded = run(tmp_path, "compile", "wave.ein", "--emit", "cl")
    others = (
        "mlir",
        "tc.parse",
        "tl_backend.parse",
        "ir.yateto.parse",
        "inspector",
        "chunked",
        "dask_arrays",
        "yateto",
    )
    assert not {name for name in loaded if name.startswith(tuple(f"einsum_front.{each}" for each in others))}


def test_frozen_classes_are_made_in_the_short_time() -> None:
    tops = (ROOT / name for name in ("core", "runtime", "tl_backend", "ir", "einsum_front"))
    files = {path.resolve() for top in tops for path in top.rglob("*.py")} - {ROOT / "core" / "dataclass.py"}
    slow = re.compile(r"^from dataclasses import .*\bdataclass\b", re.MULTILINE)
    assert [path for path in sorted(files) if slow.search(path.read_text(encoding="utf-8"))] == []


def test_help_loads_no_compiler(tmp_path: Path) -> None:
    loaded = run(tmp_path, "completion", "bash", blocked=("numpy", "lark", "rich"))
    assert "einsum_front.ir" not in loaded
