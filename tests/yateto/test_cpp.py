"""Generated C++ compiles without a warning, passes its own tests, and is called as YATeTo's."""

import platform
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.yateto import (
    INCLUDE,
    CSCMemoryLayout,
    Datatype,
    Generator,
    GlobalRoutineCache,
    NamespacedGenerator,
    Tensor,
    parameterSpaceFromRanges,
    useArchitectureIdentifiedBy,
)
from einsum_front.yateto.run import run_script
from einsum_front.yateto.session import session

CPP = Path(__file__).parent / "cpp"
SCRIPT = Path(__file__).parents[2] / "examples" / "yateto" / "seismic.py"
FLAGS = ("-std=c++17", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{CPP}", f"-I{INCLUDE}")
A, B = Tensor("A", (4, 4)), Tensor("B", (4, 4))


def processor() -> str:
    """An architecture of YATeTo that every machine of this kind is."""
    if platform.machine() in ("aarch64", "arm64"):
        return "neon"
    flags = Path("/proc/cpuinfo")
    has_avx2 = flags.is_file() and " avx2 " in flags.read_text(encoding="utf-8")
    return "hsw" if has_avx2 else "noarch"


def build(program: Path, *sources: Path) -> Path:
    folder = program.parent
    subprocess.run(["g++", *FLAGS, f"-I{folder}", *map(str, sources), "-o", str(program)], check=True)
    return program


@pytest.fixture(scope="module")
def seismic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seismic")
    run_script(SCRIPT, ["--arch", processor(), "--output", str(folder)], promises_values=False)
    return folder


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_example_passes_its_tests_and_is_called(seismic: Path) -> None:
    objects = []
    for name in ("kernel", "subroutine", "init", "tensor"):
        objects.append(build(seismic / f"{name}.o", Path("-c"), seismic / f"{name}.cpp"))
    tests = build(seismic / "tests", seismic / "test-kernel.cpp", *objects)
    done = subprocess.run([str(tests)], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "59 of 59\n")
    calls = str(build(seismic / "calls", CPP / "calls.cpp", *objects))
    assert subprocess.run([calls], check=False).returncode == 0
    stopped = subprocess.run([calls, "unset"], check=False, capture_output=True, text=True)
    assert stopped.returncode < 0
    assert "nullptr" in stopped.stderr


def test_the_same_script_gives_the_same_bytes(seismic: Path, tmp_path: Path) -> None:
    run_script(SCRIPT, ["--arch", processor(), "--output", str(tmp_path)], promises_values=False)
    for name in ("kernel.h", "kernel.cpp", "subroutine.cpp", "test-kernel.cpp"):
        assert (tmp_path / name).read_bytes() == (seismic / name).read_bytes(), name


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_values_that_are_promised_are_built_in(tmp_path: Path) -> None:
    """Those of the script, and those of ours that keep a statement inside of a pattern."""
    K = Tensor("K", (4, 4), {(0, 1): "2.5", (3, 2): "-1"})
    D = Tensor("D", (4, 4), np.eye(4, dtype=bool))
    generator = Generator(useArchitectureIdentifiedBy(f"d{processor()}"))
    generator.add("f", A["ij"] <= K["ik"] * B["kj"])
    generator.add("g", [D["ij"] <= D["ij"] + B["ij"], A["ij"] <= D["ij"]])
    with session(promises_values=True):
        generator.generate(str(tmp_path))
    sources = [tmp_path / f"{name}.cpp" for name in ("kernel", "subroutine", "init", "test-kernel")]
    tests = build(tmp_path / "tests", *sources)
    assert subprocess.run([str(tests)], check=False, capture_output=True, text=True).stdout == "2 of 2\n"


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("precision", "ds")
def test_tensors_have_types_of_their_own(precision: str, tmp_path: Path) -> None:
    """In memory; kernels compute with that of the architecture. Generated tests compare with loops in C++."""
    Q, I = (Tensor(name, (20, 9), datatype=Datatype.F32) for name in "QI")  # noqa: E741 - SeisSol's name
    R = Tensor("R", (20, 9), datatype=Datatype.F64)
    M = Tensor("M", (9, 9), {(0, 1): "2.", (8, 3): "-1"}, datatype=Datatype.I8)
    N = Tensor("N", (9, 9), np.eye(9, k=1, dtype=bool), datatype=Datatype.BOOL)
    members = [Tensor(f"S({number})", (9, 9), datatype=Datatype.I32) for number in range(2)]
    generator = Generator(useArchitectureIdentifiedBy(f"{precision}{processor()}"))
    generator.add("f", Q["kp"] <= Q["kp"] + I["kq"] * M["qp"] + R["kp"], prefetch=[I, N])
    generator.add("h", R["kp"] <= I["kq"] * N["qp"])
    generator.addFamily("g", parameterSpaceFromRanges(range(2)), lambda i: R["kp"] <= I["kq"] * members[i]["qp"])
    generator.generate(str(tmp_path))
    header = (tmp_path / "kernel.h").read_text(encoding="utf-8")
    for declared in (
        "float* Q{};",
        "float const* I{};",
        "double* R{};",
        "int8_t const* M{};",
        "bool const* N{};",
        "<int32_t const*> S;",
    ):
        assert declared in header
    assert "int8_t const init::M::Values[] = {2, 0" in (tmp_path / "init.cpp").read_text(encoding="utf-8")
    sources = [tmp_path / f"{name}.cpp" for name in ("kernel", "subroutine", "init", "test-kernel")]
    tests = build(tmp_path / "tests", *sources)
    assert subprocess.run([str(tests)], check=False, capture_output=True, text=True).stdout == "4 of 4\n"


def test_members_of_a_group_have_one_type(tmp_path: Path) -> None:
    one, other = Tensor("S(0)", (4, 4)), Tensor("S(1)", (4, 4), datatype=Datatype.F32)
    generator = Generator(useArchitectureIdentifiedBy("dhsw"))
    generator.add("f", A["ij"] <= one["ik"] * other["kj"])
    with pytest.raises(CompileError, match=r"E0180.*`S\(0\)` has None, `S\(1\)` has f32"):
        generator.generate(str(tmp_path))


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("folder", [INCLUDE, CPP / "without_const"], ids=["of today", "until 2026"])
def test_headers_of_several_years_have_the_views(folder: Path, tmp_path: Path) -> None:
    """tandem compiles with the `yateto.h` of the version that it pins, of 2021."""
    K = Tensor("K", (4, 4), {(0, 1): "2.5", (3, 2): "-1"}, CSCMemoryLayout)
    generator = Generator(useArchitectureIdentifiedBy(f"d{processor()}"))
    generator.add("f", A["ij"] <= K["ik"] * B["kj"])
    generator.generate(str(tmp_path), "views")
    program = tmp_path / "views"
    flags = ("-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{folder}", f"-I{tmp_path}")
    sources = (CPP / "const_views.cpp", tmp_path / "init.cpp")
    subprocess.run(["g++", *flags, *map(str, sources), "-o", str(program)], check=True)
    assert subprocess.run([str(program)], check=False).returncode == 0


def test_gaps_in_families(tmp_path: Path) -> None:
    generator = Generator(useArchitectureIdentifiedBy("dhsw"))
    generator.add("f(3)", A["ij"] <= B["ij"])
    generator.addFamily("g", parameterSpaceFromRanges([0, 2], [1]), lambda _i, _j: A["ij"] <= B["ij"])
    NamespacedGenerator(generator, "inner").add("h", A["ij"] <= B["ik"] * A["kj"])
    generator.generate(str(tmp_path), "outer")
    header = (tmp_path / "kernel.h").read_text(encoding="utf-8")
    assert "ExecutePtrs[] = {nullptr, nullptr, nullptr, &f::execute3};" in header
    assert "NonZeroFlops[] = {0, 0, 0, 0};" in header
    assert "return ExecutePtrs[1*i0 + 3*i1];" in header
    assert re.search(r"namespace outer \{\s*namespace inner \{\s*namespace kernel \{\s*struct h \{", header)


def test_a_cache_puts_the_functions_of_several_programs_into_one_file(tmp_path: Path) -> None:
    cache = GlobalRoutineCache()
    for name in ("one", "two"):
        generator = Generator(useArchitectureIdentifiedBy("dhsw"))
        generator.add("f", A["ij"] <= B["ij"])
        (tmp_path / name).mkdir()
        generator.generate(str(tmp_path / name), name, routine_cache=cache)
    cache.generate(str(tmp_path))
    assert (tmp_path / "one" / "subroutine.h").read_text(encoding="utf-8") == '#include "../subroutine.h"\n'
    assert not (tmp_path / "one" / "subroutine.cpp").exists()
    assert not (tmp_path / "one" / "gpulike_subroutine.cpp").exists()
    assert (tmp_path / "gpulike_subroutine.cpp").read_text(encoding="utf-8") == "// There are no kernels for GPUs.\n"
    header = (tmp_path / "subroutine.h").read_text(encoding="utf-8")
    assert header.count("void f(double* A_, double const* B_);") == 2
    assert "namespace one {" in header
    assert "namespace two {" in header
