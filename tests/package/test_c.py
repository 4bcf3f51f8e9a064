"""What compilers and machines say of a package of target c: its own test program, and programs of users."""

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.core.instruction_sets import INSTRUCTION_SETS
from einsum_front.driver import Session, translate_text
from einsum_front.driver.c_functions import FLAGS, c_target, c_text
from einsum_front.options import Level
from einsum_front.package.host import C
from tests.package.building import HERE, STRICT, compiled, features, install_and_use, needs, write

HOST = HERE / "host_c.cpp"
QUICK = ("-O1", *FLAGS[1:])
"""Kernels as they are built, but for the time that compilers take."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(features(host=C), tmp_path_factory.mktemp("package"))


def built(compiler: str, sources: Iterable[Path], folder: Path, *options: object) -> list[Path]:
    """The object files of sources of a package in C."""
    objects = []
    for source in sources:
        objects.append(folder / f"{source.parent.name}_{source.stem}.o")
        flags = ["-std=c11", *STRICT, f"-I{source.parent.parent / 'include'}", *options]
        done = compiled([needs(compiler), *flags, "-c", source, "-o", objects[-1]])
        assert done.returncode == 0, done.stderr
    return objects


def linked(compiler: str, program: Path, *parts: object) -> Path:
    done = compiled([needs(compiler), *parts, "-o", program, "-lpthread", "-lm"])
    assert done.returncode == 0, done.stderr
    return program


def run(program: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run([program], capture_output=True, text=True, env=environment, check=False, timeout=300)


@pytest.fixture(scope="module")
def objects(folder: Path) -> list[Path]:
    return built("gcc", sorted((folder / "src").glob("*.c")), folder, *QUICK, "-fopenmp")


@pytest.fixture(scope="module")
def program(folder: Path, objects: list[Path]) -> Path:
    """The test program of the package."""
    tests = built("gcc", sorted((folder / "test").glob("*.c")), folder, "-O1")
    return linked("gcc", folder / "tests", *tests, *objects, "-fopenmp")


@pytest.mark.parametrize("instructions", ["", "avx2", "basic"])
def test_each_kernel_agrees_with_loops(program: Path, instructions: str) -> None:
    done = run(program, ALL_KERNELS_INSTRUCTIONS=instructions)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("16 kernels are right, 0 wrong, 0 left out\n")


def test_a_program_that_makes_mistakes(folder: Path, objects: list[Path]) -> None:
    options = ["-std=c++17", *STRICT, f"-I{folder / 'include'}", "-DCOUNTED", "-Wl,--wrap=malloc", "-fopenmp"]
    done = run(linked("g++", folder / "host", *options, HOST, *objects))
    assert (done.returncode, done.stdout) == (0, "0 wrong\n")


@pytest.mark.parametrize("sanitizer", ["address,undefined", pytest.param("thread", marks=pytest.mark.slow)])
def test_sanitizers_find_nothing(sanitizer: str, folder: Path, tmp_path: Path) -> None:
    """With threads of the caller: those of OpenMP wait in ways that a sanitizer of threads does not see."""
    flags = [f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all", "-g"]
    names = (
        "errors",
        "launch",
        *map("kernel_{}".format, ("volume", "once", "many", "open", "longer", "narrow", "apart")),
    )
    plain = ("-O0", *FLAGS[1:])  # what is optimized away is not looked at, and takes compilers four times as long
    objects = built("gcc", [folder / "src" / f"{name}.c" for name in names], tmp_path, *plain, *flags)
    options = ["-std=c++17", *STRICT, f"-I{folder / 'include'}", *flags, "-DTHREADS"]
    done = run(linked("g++", tmp_path / "host", *options, HOST, *objects))
    assert (done.returncode, done.stdout) == (0, "0 wrong\n"), done.stderr


@pytest.mark.parametrize("compiler", ["clang", "gcc"])
def test_no_compiler_warns(compiler: str, folder: Path) -> None:
    flags = ["-std=c11", *STRICT, "-fsyntax-only", f"-I{folder / 'include'}"]
    sources = [*sorted((folder / "src").glob("*.c")), *sorted((folder / "test").glob("*.c"))]
    done = compiled([needs(compiler), *flags, *sources])
    assert (done.returncode, done.stderr) == (0, "")


def test_aarch64(folder: Path, tmp_path: Path) -> None:
    emulator, compiler = needs("qemu-aarch64"), needs("aarch64-linux-gnu-gcc")
    sources = [*sorted((folder / "src").glob("*.c")), *sorted((folder / "test").glob("*.c"))]
    sources = [each for each in sources if "large" not in each.name or "src" in each.parts]
    main = (folder / "test" / "main.c").read_text(encoding="utf-8")
    files = {"test/main.c": "\n".join(line for line in main.splitlines() if "test_of_large" not in line)}
    files["test/harness.h"] = (folder / "test" / "harness.h").read_text(encoding="utf-8")
    write(files, tmp_path)
    sources = [tmp_path / "test" / "main.c" if each.name == "main.c" else each for each in sources]
    done = compiled(
        [compiler, "-static", "-std=c11", *QUICK, f"-I{folder / 'include'}", *sources, "-o", tmp_path / "tests", "-lm"]
    )
    assert done.returncode == 0, done.stderr
    ran = compiled([emulator, tmp_path / "tests"])
    assert ran.stdout.startswith("instructions: neon\n")
    assert ran.stdout.endswith("8 kernels are right, 0 wrong, 0 left out\n"), ran.stdout


MAIN = """#include <all_kernels.hpp>
#include <vector>
int main()
{
    std::vector<double> Q(24, 1.0), I(24, 1.0), S(16, 0.0);
    S[0] = 1;
    return all_kernels::volume(all_kernels::parallel, Q, I, S, 1) && Q[0] == 2 && Q[6] == 1 ? 0 : 1;
}
"""


def test_another_project_finds_what_is_installed(folder: Path, tmp_path: Path) -> None:
    prefix = install_and_use(folder, MAIN, tmp_path, "-DCMAKE_BUILD_TYPE=Debug")
    assert (prefix / "lib" / "pkgconfig" / "all_kernels.pc").exists()


FORTRAN = """
program host
  use all_kernels
  implicit none
  type(arguments_of_many) :: many
  real(c_double), target :: Q(24) = 1, I(24) = 1, S(16) = 0
  complex(c_double_complex), target :: Z(24) = (1, 2), Y(36) = 0
  S(1) = 1
  many%batch = 1
  if (run_many(serial, many) /= null_pointer) error stop "many"
  if (run_volume(parallel, c_loc(Q), c_loc(I), c_loc(S), 1_c_int64_t) /= success) error stop "volume"
  if (any(abs(Q([1, 7]) - [2, 1]) > 0)) error stop "numbers"
  Y(1) = (0, 1)
  if (run_waves(serial, c_loc(I), c_loc(Z), c_loc(Y), 1d0, -1d0, 1_c_int64_t) /= success) error stop "waves"
  if (any(abs(Z(1:2) - [(4, -1), (1, 0)]) > 1d-12)) error stop "complex numbers"
  print '(a)', "done"
end program host
"""


def test_fortran_calls_the_library(folder: Path, objects: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "host.f90"
    file.write_text(FORTRAN, encoding="utf-8")
    flags = ["-std=f2018", *STRICT, f"-J{tmp_path}", "-fopenmp"]
    host = linked("gfortran", tmp_path / "host", *flags, folder / "src" / "all_kernels.f90", file, *objects)
    assert run(host).stdout == "done\n"


CALL = """#include <all_kernels.hpp>
all_kernels::status call(all_kernels::memory<double> Q, all_kernels::memory<const double> I, {type} S)
{{
    return all_kernels::volume(all_kernels::serial, {first}, I, S, 1);
}}
"""


@pytest.mark.parametrize("compiler", ["clang++", "g++"])
@pytest.mark.parametrize(
    ("type_", "first", "is_right"),
    [
        ("all_kernels::memory<const double>", "Q", True),
        ("all_kernels::memory<double>", "Q", True),
        ("all_kernels::memory<const float>", "Q", False),
        ("double *", "Q", False),
        ("all_kernels::memory<const double>", "I", False),
    ],
)
def test_the_header_refuses_wrong_types(
    compiler: str, type_: str, first: str, is_right: bool, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "call.cpp"
    file.write_text(CALL.format(type=type_, first=first), encoding="utf-8")
    done = compiled([needs(compiler), "-std=c++17", *STRICT, "-fsyntax-only", f"-I{folder / 'include'}", file])
    assert (done.returncode == 0) == is_right, done.stderr


def test_all_kernels_in_one_text(tmp_path: Path) -> None:
    """Kernels that define the same helpers, and one with the name of a helper."""
    text = """
tensor A[9, 9]
tensor B[9, 9]
kernel first     { A[i,j] += B[i,k] * A[k,j] }
kernel second    { B[i,j] = A[k,i] * B[k,j] }
kernel transpose { A[i,j] = 2 * B[j,i] * B[i,j] }
"""
    session = Session(c_target(INSTRUCTION_SETS[0]))
    source = c_text(translate_text(session, Source("all.ein", text), Level.EIN))
    assert "static void transpose_batch_avx2(" in source
    helpers = re.findall(r"^static inline \S+ (\w+)\(", source, re.MULTILINE)
    assert len(helpers) == len(set(helpers)) > 3
    write({"all.c": source}, tmp_path)
    done = compiled([needs("gcc"), "-std=c11", "-Wall", "-Werror", "-fsyntax-only", tmp_path / "all.c"])
    assert (done.returncode, done.stderr) == (0, "")
