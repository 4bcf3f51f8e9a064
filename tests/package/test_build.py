"""What compilers and machines say of a package: its own test program, and programs of users."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session, translate_text
from einsum_front.driver.gpus import gpu_target
from einsum_front.driver.stages import Decision
from einsum_front.options import Level
from einsum_front.package import package_files
from einsum_front.tl_backend.schedules.tuning import read_tuning
from tests.package.building import (
    FEATURES,
    HERE,
    STRICT,
    built,
    compiled,
    features,
    headers,
    install_and_use,
    library,
    needs,
    run,
    write,
)

KERNELS = FEATURES.read_text(encoding="utf-8").count("\nkernel ")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(features(), tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("caches")


@pytest.fixture(scope="module")
def objects(folder: Path) -> list[Path]:
    return library(folder)


@pytest.fixture(scope="module")
def program(folder: Path, objects: list[Path]) -> Path:
    """The test program of the package."""
    return program_of(folder, objects)


def program_of(folder: Path, objects: list[Path]) -> Path:
    sources = [*sorted((folder / "test").glob("*.c")), *objects]
    return built("gcc", sources, folder / "tests", "-std=c11", "-O1", *STRICT, f"-I{folder / 'include'}")


@pytest.fixture(scope="module")
def host(folder: Path, objects: list[Path]) -> Path:
    """A program in C++ that makes mistakes, and calls kernels from threads."""
    wraps = [f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "clGetDeviceInfo")]
    options = ["-std=c++17", *STRICT, f"-I{folder / 'include'}", *wraps]
    return built("g++", [HERE / "host.cpp", *objects], folder / "host", *options)


def test_each_kernel_agrees_with_loops(program: Path, caches: Path) -> None:
    done = run(program, caches)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("16 kernels are right, 0 wrong, 0 left out\n")


IN_STAGES = """
tensor K[5, 5] constant
tensor I[5, 3]
tensor R[5, 3]
tensor Q[5, 3]
kernel two { R[k,p] = K[k,l] * I[l,p]  Q[k,p] += K[k,l] * R[l,p] }
"""


def test_stages_run_one_after_the_other(tmp_path: Path) -> None:
    """A kernel of a GPU with two functions, the second of which reads what the first one writes."""
    tuning = read_tuning("columns:stages=2")
    session = Session(gpu_target("gfx90a", "opencl"), decide=lambda _function, _target: Decision(tuning))
    stages = translate_text(session, Source("two.ein", IN_STAGES), Level.EIN)
    files = package_files(stages, "all_kernels", "two.ein")
    assert '.entries = (const char *const[]){"two", "two_1"}' in files["src/kernel_two.c"]
    folder = write(files, tmp_path / "package")
    done = run(program_of(folder, library(folder)), tmp_path)
    assert done.stdout.endswith("1 kernels are right, 0 wrong, 0 left out\n"), done.stdout
    assert done.returncode == 0


def test_a_second_run_compiles_nothing(host: Path, tmp_path: Path) -> None:
    first = run(host, tmp_path)
    assert (first.returncode, first.stdout) == (0, f"{KERNELS} compiled, 0 wrong\n")
    again = run(host, tmp_path)
    assert (again.returncode, again.stdout) == (0, "0 compiled, 0 wrong\n")


def damages(file: Path) -> Iterator[bytes]:
    """A file of the cache that was cut off, one whose binary is another, one that is empty."""
    whole = file.read_bytes()
    yield whole[: len(whole) // 2]
    yield whole[:-100] + bytes(100)
    yield b""


def test_damaged_binaries_are_compiled_again(host: Path, caches: Path) -> None:
    run(host, caches)
    files = sorted((caches / "all_kernels").iterdir())
    assert len(files) == KERNELS
    for damaged in damages(files[0]):
        files[0].write_bytes(damaged)
        assert run(host, caches).stdout == "1 compiled, 0 wrong\n"


def test_a_cache_that_cannot_be_written_is_no_error(host: Path, caches: Path) -> None:
    for place in ("", "/dev/null/nowhere"):
        assert run(host, caches, ALL_KERNELS_CACHE=place).stdout == f"{KERNELS} compiled, 0 wrong\n"


def test_the_test_program_finds_a_wrong_kernel(folder: Path, objects: list[Path], tmp_path: Path, caches: Path) -> None:
    text = (folder / "src" / "kernel_known.c").read_text(encoding="utf-8")
    assert "0.25, 1.0, -2.0" in text
    write({**features(), "src/kernel_known.c": text.replace("0.25, 1.0, -2.0", "0.25, 1.0, -2.5")}, tmp_path)
    (wrong,) = library(tmp_path, pattern="kernel_known.c")
    done = run(program_of(tmp_path, [wrong, *(each for each in objects if each.name != wrong.name)]), caches)
    assert done.returncode == 1
    assert "known: `R` of element 0 is" in done.stdout
    assert done.stdout.endswith(f"{KERNELS - 1} kernels are right, 1 wrong, 0 left out\n")


def test_release_builds_check_no_memory(objects: list[Path], tmp_path: Path) -> None:
    write(features(), tmp_path)
    (release,) = library(tmp_path, "-DNDEBUG", "-O2", pattern="launch.c")
    debug = next(each for each in objects if each.name == release.name)
    assert b"clGetMemObjectInfo" in debug.read_bytes()
    assert b"clGetMemObjectInfo" not in release.read_bytes()


@pytest.mark.parametrize("compiler", ["clang", "gcc"])
def test_no_compiler_warns(compiler: str, folder: Path) -> None:
    flags = ["-std=c11", *STRICT, "-fsyntax-only", f"-I{folder / 'include'}", *headers()]
    sources = [*sorted((folder / "src").glob("*.c")), *sorted((folder / "test").glob("*.c"))]
    done = compiled([needs(compiler), *flags, *sources])
    assert (done.returncode, done.stderr) == (0, "")


FORTRAN = """
program host
  use all_kernels
  implicit none
  type(c_ptr) :: kernels
  type(launch) :: place
  type(arguments_of_many) :: many
  many%batch = 1
  if (create_library(c_null_ptr, c_null_ptr, kernels) /= null_pointer) error stop "create"
  if (run_many(c_null_ptr, place, many) /= null_pointer) error stop "many"
  if (run_known(c_null_ptr, place, c_null_ptr, c_null_ptr, 0.5_c_double, 1_c_int64_t) /= null_pointer) &
    error stop "known"
  if (prepare_library(c_null_ptr) /= null_pointer .or. compiled_programs(c_null_ptr) /= 0) error stop "prepare"
  call destroy_library(c_null_ptr)
  print '(a)', "done"
end program host
"""


def test_fortran_calls_the_library(folder: Path, objects: list[Path], tmp_path: Path, caches: Path) -> None:
    file = tmp_path / "host.f90"
    file.write_text(FORTRAN, encoding="utf-8")
    sources = [folder / "src" / "all_kernels.f90", file, *objects]
    host = built("gfortran", sources, tmp_path / "host", "-std=f2018", *STRICT, f"-J{tmp_path}")
    assert run(host, caches).stdout == "done\n"


MAIN = """#include <all_kernels.hpp>
int main() { return all_kernels::kernels{}.prepare().code() == ALL_KERNELS_NULL_POINTER ? 0 : 1; }
"""


def test_another_project_finds_what_is_installed(folder: Path, tmp_path: Path) -> None:
    needs("cmake")
    if headers():
        pytest.skip("no headers of OpenCL on this machine: CMake's FindOpenCL finds none")
    prefix = install_and_use(folder, MAIN, tmp_path)
    assert (prefix / "lib" / "pkgconfig" / "all_kernels.pc").exists()


CALL = """#include <all_kernels.hpp>
all_kernels::status call(
    const all_kernels::kernels &kernels, const all_kernels::launch &where, all_kernels::memory<double> Q,
    all_kernels::memory<const double> I, {type} S)
{{
    return kernels.volume(where, {first}, I, S, 1);
}}
"""


@pytest.mark.parametrize("compiler", ["clang++", "g++"])
@pytest.mark.parametrize(
    ("type_", "first", "is_right"),
    [
        ("all_kernels::memory<const double>", "Q", True),
        ("all_kernels::memory<double>", "Q", True),
        ("all_kernels::memory<const float>", "Q", False),
        ("cl_mem", "Q", False),
        ("all_kernels::memory<const double>", "I", False),
    ],
)
def test_the_header_refuses_wrong_types(
    compiler: str, type_: str, first: str, is_right: bool, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "call.cpp"
    file.write_text(CALL.format(type=type_, first=first), encoding="utf-8")
    done = compiled(
        [needs(compiler), "-std=c++17", *STRICT, "-fsyntax-only", f"-I{folder / 'include'}", *headers(), file]
    )
    assert (done.returncode == 0) == is_right, done.stderr


def test_every_kernel_of_the_text_is_there(folder: Path) -> None:
    kernels = [
        line.split()[1] for line in FEATURES.read_text(encoding="utf-8").splitlines() if line.startswith("kernel")
    ]
    header = (folder / "include" / "all_kernels.h").read_text(encoding="utf-8")
    assert all(f"* `{name}`:" in header for name in kernels)
