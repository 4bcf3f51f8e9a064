"""Packages and texts of target sycl: what compilers say, and what kernels compute on the processor."""

import ctypes
import shutil
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from einsum_front.cli import main
from einsum_front.core.diagnostics import Source
from einsum_front.core.texts import read_source
from einsum_front.driver import Session, Stages, gpu_target, gpu_text, translate_text
from einsum_front.driver.choice import chooser
from einsum_front.options import Level, ScheduleOptions
from einsum_front.package import package_files
from einsum_front.package.host import SYCL
from einsum_front.runtime import Kind, kernel_arguments
from tests.emulated_sycl import command, compilers, compiles
from tests.package.building import FEATURES, HERE, STRICT, compiled, needs, write

SESSION = Session(gpu_target("sm_80", "sycl"))


@cache
def files() -> Mapping[str, str]:
    """A package with a kernel of each kind."""
    return package_files(translate_text(SESSION, read_source(FEATURES), Level.EIN), "all_kernels", FEATURES.name, SYCL)


@pytest.fixture(scope="module", params=compilers())
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A compiler, and the folder of a package with the objects that it made of all kernels."""
    compiler: str = request.param
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    folder = write(files(), tmp_path_factory.mktemp("package"))
    folders = [folder / each for each in ("include", "src", "test")]
    for source in sorted(folder.glob("*/*.cpp")):
        compiles(compiler, source, folder / f"{source.parent.name}_{source.stem}.o", folders)
    for source in sorted(folder.glob("*/*.c")):
        made = folder / f"{source.parent.name}_{source.stem}.o"
        flags = ["-std=c11", *STRICT, *(f"-I{each}" for each in folders)]
        done = compiled([needs("gcc"), *flags, "-c", source, "-o", made])
        assert (done.returncode, done.stderr) == (0, "")
    return compiler, folder


def run(compiler: str, program: Path, *parts: object) -> str:
    done = compiled([*command(compiler, *parts), "-o", program, "-lm"])
    assert done.returncode == 0, done.stderr
    ran = compiled([program])
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


def test_what_is_in_a_package() -> None:
    made = files()
    assert {"src/kernel_volume.cpp", "src/launch.c", "src/sycl.cpp", "src/device.h", "test/sycl.cpp"} <= set(made)
    assert "all_kernels_queue queue,\n    double *Q,\n    const double *I_,\n" in made["include/all_kernels.h"]
    assert "inline status volume(\n    ::sycl::queue &where,\n" in made["include/all_kernels.hpp"]
    assert not any("@name@" in text or "@NAME@" in text for text in made.values())


def test_kernels_may_have_names_of_the_host() -> None:
    names = ("queue", "unpack", "syclMalloc", "sycl", "check")
    text = "tensor A[4]\n" + "".join(f"kernel {name} {{ A[i] = 2 * A[i] }}\n" for name in names)
    stages = translate_text(SESSION, Source("text", text), Level.EIN)
    header = package_files(stages, "own", "text", SYCL)["include/own.h"]
    assert "own_sycl(" in header
    assert not any(f"own_{name}(" in header for name in names if name != "sycl")


@pytest.mark.slow  # a compiler takes 17 s for all kernels; `test_texts_compute_what_numpy_does` has fewer
def test_each_kernel_agrees_with_loops(built: tuple[str, Path]) -> None:
    compiler, folder = built
    assert run(compiler, folder / "tests", *folder.glob("*.o")).endswith("16 kernels are right, 0 wrong, 0 left out\n")


@pytest.mark.slow
def test_a_program_that_makes_mistakes(built: tuple[str, Path]) -> None:
    compiler, folder = built
    assert run(
        compiler, folder / "host", f"-I{folder / 'include'}", HERE / "host_sycl.cpp", *folder.glob("src_*.o")
    ) == ("0 wrong\n")


TEXT = """tensor A[9, 7]
tensor B[7, 5]
tensor C[9, 5]
kernel product { C[i,j] += A[i,l] * B[l,j] }
kernel function { C[i,j] = exp(C[i,j]) - max(C[i,j], 0) }
"""
SUM = """func @sum(%A: memref<f32x6x?>, %C: memref<f32x6>) {
  %g = group_id
  %e = subview %A[:, %g] : memref<f32x6x?>
  axpby.n.atomic 2.0, %e, 1.0, %C : f32, memref<f32x6>, f32, memref<f32x6>
}
"""


def computed(compiler: str, folder: Path, stages: Stages, arrays: Mapping[str, np.ndarray], batch: int) -> None:
    """Runs the text of a kernel on the arrays."""
    artifact = stages.artifact
    own, given = [], []
    for each in kernel_arguments(artifact):
        if each.kind is Kind.MEMORY:
            own.append(f"{'float' if each.type == 'f32' else 'double'} *{each.parameter}")
            given.append(each.parameter)
        else:
            given.append("batch")
    names = [each.split("*")[1] for each in own]
    groups = -(-batch // artifact.elements_per_group) * artifact.groups_per_element
    (folder / "text.cpp").write_text(
        gpu_text([artifact], "sycl")
        + f'extern "C" void run(long long batch, {", ".join(own)})\n{{\n'
        + "    sycl::queue queue{sycl::property::queue::in_order()};\n"
        + f"    {artifact.entry}(queue, {groups}, {', '.join(map(str, given))}).wait();\n}}\n",
        encoding="utf-8",
    )
    made = folder / f"{artifact.entry}_{len(list(folder.iterdir()))}.so"
    done = compiled(command(compiler, "-shared", "-fPIC", folder / "text.cpp", "-o", made))
    assert done.returncode == 0, done.stderr
    pointers = [ctypes.c_void_p(arrays[name].ctypes.data) for name in names]
    ctypes.CDLL(str(made)).run(ctypes.c_longlong(batch), *pointers)


@pytest.mark.parametrize("compiler", compilers())
def test_texts_compute_what_numpy_does(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    random, n = np.random.default_rng(1), 37
    A, B, C = (random.integers(-3, 4, size=(n, *shape)).astype(float) for shape in ((7, 9), (5, 7), (5, 9)))
    total = C + np.einsum("bli,bjl->bji", A, B)
    expected = np.exp(total) - np.maximum(total, 0)
    for schedule in (None, "batch_simd"):
        session = replace(SESSION, decide=chooser(ScheduleOptions(schedule=schedule), None))
        arrays = {"A": A, "B": B, "C": C.copy()}
        for stages in translate_text(session, Source("text", TEXT), Level.EIN):
            computed(compiler, tmp_path, stages, arrays, n)
        np.testing.assert_allclose(arrays["C"], expected, rtol=8 * np.finfo(float).eps)
    (stages,) = translate_text(SESSION, Source("text", SUM), Level.TL)
    entries, sums = random.integers(-9, 9, size=(n, 6)).astype(np.float32), np.ones(6, np.float32)
    computed(compiler, tmp_path, stages, {"A": entries, "C": sums}, n)
    np.testing.assert_array_equal(sums, 1 + 2 * entries.sum(axis=0))


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wave.ein").write_text(TEXT, encoding="utf-8")
    assert main(["package", "wave.ein", "--target", "sycl", "-o", "out"]) == 0
    assert capsys.readouterr().out == "out: wave_kernels, 2 kernels\n"
    assert main(["package", "wave.ein", "--target", "sycl", "--arch", "sm_91", "-o", "other"]) == 1
    assert "error[E0165]: there is no GPU architecture `sm_91` here" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["package", "wave.ein", "--target", "sycl", "--device", "0", "-o", "other"])
    assert "--device is for a device that is there" in capsys.readouterr().err


def test_cmake_builds_a_package_with_adaptivecpp(tmp_path: Path) -> None:
    """The names of its own compiler say where it is installed."""
    prefix = Path(shutil.which(needs("acpp")) or "").resolve().parents[1]
    folder, stages = tmp_path / "package", translate_text(SESSION, Source("text", TEXT), Level.EIN)
    write(package_files(stages, "two_kernels", "text", SYCL), folder)
    options = [f"-DCMAKE_PREFIX_PATH={prefix}", "-DACPP_TARGETS=omp.library-only", "-DCMAKE_BUILD_TYPE=Debug"]
    for call in (
        [needs("cmake"), "-S", folder, "-B", tmp_path / "build", *options],
        ["cmake", "--build", tmp_path / "build", "-j2"],
        ["ctest", "--test-dir", tmp_path / "build"],
    ):
        done = compiled(call)
        assert done.returncode == 0, done.stdout + done.stderr


def test_cmake_says_what_is_missing(tmp_path: Path) -> None:
    folder = write(files(), tmp_path / "package")
    nothing = ["-DCMAKE_DISABLE_FIND_PACKAGE_AdaptiveCpp=ON", "-DCMAKE_CXX_COMPILER=g++"]
    needs("g++")
    done = compiled([needs("cmake"), "-S", folder, "-B", tmp_path / "build", *nothing])
    assert done.returncode == 1
    assert "all_kernels needs SYCL: AdaptiveCpp (CMAKE_PREFIX_PATH)" in done.stderr
