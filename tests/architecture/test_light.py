"""A light start: who translates loads nothing that only devices, tables on terminals or rare types need."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources import modules

NEEDED = ("einsum_front", "lark", "numpy")
"""The packages that translating needs; all others may be left out of an installation."""

RUN = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in BLOCKED or not (top in ALLOWED or top in sys.stdlib_module_names or top.startswith("__editable__")):
            raise ModuleNotFoundError(f"No module named {top!r}", name=top)
ALLOWED, BLOCKED = sys.argv.pop(1).split(","), sys.argv.pop(1).split(",")
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

HALF = """func.func @twice(%A: memref<4x4xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%A : memref<4x4xbf16>) {
  ^bb0(%a: bf16):
    %sum = arith.addf %a, %a : bf16
    linalg.yield %sum : bf16
  }
  return
}
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
    "explain, orders": ["explain", "wave.ein", "--orders", "3"],
    "drawing": ["explain", "wave.ein", "--draw", "out.dot"],
    "targets": ["targets"],
    "yateto": ["yateto", "--emit", "ein", "script.py"],
    "yateto, opencl": ["yateto", "--emit", "cl", "script.py"],
    "yateto, list": ["yateto", "script.py"],
}

LEFT_OUT = {
    "cache": ["cache"],
    "devices": ["devices"],
    "yateto, explain": ["yateto", "--explain", "script.py"],
    "yateto, inspect": ["yateto", "--inspect", "page.html", "script.py"],
    "yateto, compile": ["yateto", "--compile", "script.py"],
    "run": ["run", "wave.ein", "--batch", "3", "--verify"],
}
"""Commands that know of devices, and do without pyopencl where it is left out."""


def run(folder: Path, *arguments: str, blocked: tuple[str, ...] = (), allowed: tuple[str, ...] = NEEDED) -> set[str]:
    """The modules that a command has loaded when it ends well; no packages but those allowed, and none blocked."""
    program = folder / "program.py"
    program.write_text(RUN, encoding="utf-8")
    (folder / "wave.ein").write_text(TEXT, encoding="utf-8")
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    (folder / "half.mlir").write_text(HALF, encoding="utf-8")
    (folder / "out").mkdir(exist_ok=True)
    command = [sys.executable, str(program), ",".join(allowed), ",".join(blocked), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(Path(f"{program}.loaded").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=list(COMMANDS))
def test_translating_needs_no_device(arguments: list[str], tmp_path: Path) -> None:
    loaded = run(tmp_path, *arguments)
    assert not loaded & {"einsum_front.runtime.devices.opencl", "einsum_front.runtime.devices.device"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["compile", "wave.ein", "--device", "0"], "pyopencl does not load: No module named 'pyopencl'"),
        (["explain", "wave.ein", "--draw", "out.svg"], "E0116.*: a drawing needs grandalf, which is not installed"),
        (["completion", "bash"], "E0116.*: completion in a shell needs shtab, which is not installed"),
        (["run", "half.mlir"], "E0116.*: the type bf16 in NumPy needs ml_dtypes, which is not installed"),
    ],
    ids=["device", "drawing", "completion", "bf16"],
)
def test_what_is_left_out_is_named(arguments: list[str], words: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=words) as error:
        run(tmp_path, *arguments)
    assert "Traceback" not in str(error.value)


@pytest.mark.skipif(shutil.which("cc") is None, reason="device `c` needs a C compiler")
@pytest.mark.parametrize("arguments", LEFT_OUT.values(), ids=list(LEFT_OUT))
def test_pyopencl_may_be_left_out(arguments: list[str], tmp_path: Path) -> None:
    run(tmp_path, *arguments)


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


def test_a_schedule_that_is_wanted_has_no_rivals(tmp_path: Path) -> None:
    loaded = run(tmp_path, *COMMANDS["yateto, list"])
    rivals = tuple(f"einsum_front.tl_backend.schedules.{name}" for name in ("batch_simd", "columns", "packed", "tiled"))
    assert not {name for name in loaded if name.startswith(rivals)}
    assert "einsum_front.tl_backend.schedules.work_group.lower" in loaded


def test_a_script_loads_no_reader_and_nothing_that_its_kernels_do_not_need(tmp_path: Path) -> None:
    """What is made from Python is printed, and no text is read again."""
    loaded = run(tmp_path, *COMMANDS["yateto, list"])
    others = ("notation.parse", "tl_backend.verify", "package.model", "exporter.routine", "driver.gpus", "driver.texts")
    assert not loaded & {"lark", "json", "xml.etree.ElementTree", *(f"einsum_front.{each}" for each in others)}


def test_frozen_classes_are_made_in_the_short_time() -> None:
    slow = re.compile(r"^from dataclasses import .*\bdataclass\b", re.MULTILINE)
    assert [name for name, path in modules().items() if slow.search(path.read_text(encoding="utf-8"))] == []


def test_help_loads_no_compiler(tmp_path: Path) -> None:
    loaded = run(tmp_path, "completion", "bash", allowed=("einsum_front", "shtab"))
    assert "einsum_front.ir" not in loaded
