"""Packages of target cuda: what nvcc says, and on a GPU their own test program."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from einsum_front.cli import main
from einsum_front.core.texts import read_source
from einsum_front.driver import Session, gpu_target, translate_text
from einsum_front.options import Level
from einsum_front.package import package_files
from einsum_front.package.host import CUDA
from tests.package.building import FEATURES, STRICT, compiled, needs, write

TEXT = "tensor Q[4]\ntensor P[4]\nkernel copy { Q[i] = 2*P[i] }\n"
LARGE = """temp T[90, 90]
tensor A[90, 90]
tensor B[90, 90]
kernel twice { T[i,j] = A[i,k] * A[k,j]  B[i,j] = T[i,k] * T[k,j] }
"""


@cache
def files(architecture: str = "sm_90") -> Mapping[str, str]:
    """A package with a kernel of each kind."""
    stages = translate_text(Session(gpu_target(architecture, "cuda")), read_source(FEATURES), Level.EIN)
    return package_files(stages, "all_kernels", FEATURES.name, CUDA, architecture)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(files(), tmp_path_factory.mktemp("package"))


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "wave.ein"
    path.write_text(TEXT, encoding="utf-8")
    return path


def toolkit() -> Path:
    """The folder of CUDA, as its compiler says."""
    needs("nvcc")
    said = compiled(["nvcc", "--dryrun", "-E", "-x", "cu", "/dev/null"]).stderr.splitlines()
    return Path(next(line for line in said if "TOP=" in line).partition("TOP=")[2].strip()).resolve()


def test_what_is_in_a_package() -> None:
    made = files()
    assert {"src/kernel_volume.cu", "src/launch.c", "src/device.h", "test/device.c"} <= set(made)
    header = made["include/all_kernels.h"]
    assert "all_kernels_stream stream,\n    double *Q,\n    const double *I_,\n" in header
    assert "double *const *P," in header  # a pointer for each element
    assert not any("@name@" in text or "@NAME@" in text for text in made.values())
    build = made["CMakeLists.txt"]
    assert "set(CMAKE_CUDA_ARCHITECTURES 90)" in build
    assert "set(CMAKE_HIP_ARCHITECTURES gfx90a)" in build
    assert "set(CMAKE_HIP_ARCHITECTURES gfx942)" in files("gfx942")["CMakeLists.txt"]


def test_no_compiler_warns_of_host_code(folder: Path) -> None:
    flags = [
        *STRICT,
        "-fsyntax-only",
        f"-I{folder / 'include'}",
        f"-I{folder / 'src'}",
        "-isystem",
        toolkit() / "include",
    ]
    sources = [*sorted((folder / "src").glob("*.c")), *sorted((folder / "test").glob("*.c"))]
    done = compiled([needs("gcc"), "-std=c11", *flags, *sources])
    assert (done.returncode, done.stderr) == (0, "")
    user = folder / "user.cpp"
    user.write_text("#include <all_kernels.hpp>\nint main() { return 0; }\n", encoding="utf-8")
    done = compiled([needs("g++"), "-std=c++17", *flags, user])
    assert (done.returncode, done.stderr) == (0, "")


def test_the_test_program_is_built_and_runs_where_a_gpu_is(folder: Path) -> None:
    """Without a GPU it says so, with 77."""
    program = folder / "tests"
    kept = ("kernel_once", "kernel_known", "kernel_group", "kernel_open", "kernel_longer")
    flags = ["-std=c++17", "-Werror=all-warnings", "-arch=sm_90", f"-I{folder / 'include'}", f"-I{folder / 'src'}"]
    objects = []
    for name in kept:
        objects.append(folder / f"{name}.o")
        done = compiled([needs("nvcc"), *flags, "-c", folder / "src" / f"{name}.cu", "-o", objects[-1]])
        assert (done.returncode, done.stderr) == (0, "")
    main_ = folder / "few.c"
    whole = files()["test/main.c"].splitlines(keepends=True)
    names = {f"test_of_{name.removeprefix('kernel_')}" for name in kept}
    few = [line for line in whole if "test_of_" not in line or line.strip(" &,;\n").split()[-1] in names]
    main_.write_text("".join(few), encoding="utf-8")
    tests = [folder / "test" / f"{name}.c" for name in (*kept, "harness", "device")]
    sources = [main_, *tests, *(folder / "src" / f"{name}.c" for name in ("launch", "errors"))]
    done = compiled(["nvcc", f"-I{folder / 'test'}", *flags, *sources, *objects, "-o", program, "-lm"])
    assert done.returncode == 0, done.stderr
    ran = compiled([program])
    if ran.returncode != 77:
        assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "4 kernels are right, 0 wrong, 0 left out")


def test_temporaries_have_all_of_the_shared_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.ein"
    path.write_text(LARGE, encoding="utf-8")
    for architecture, shared, scratch in (("sm_90", 64_832, 0), ("sm_75", 64_832, 0), ("gfx90a", 64_832, 0)):
        (stages,) = translate_text(Session(gpu_target(architecture, "cuda")), read_source(path), Level.EIN)
        assert (stages.artifact.local_memory, stages.artifact.scratch) == (shared, scratch)
    (stages,) = translate_text(Session(gpu_target("sm_90", "opencl")), read_source(path), Level.EIN)
    assert stages.artifact.scratch != 0  # OpenCL has 48 KiB


def test_the_command(text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["package", text.name, "--target", "cuda", "-o", "out"]) == 0
    assert capsys.readouterr().out == "out: wave_kernels, 1 kernel\n"
    assert "set(CMAKE_CUDA_ARCHITECTURES 80)" in Path("out/CMakeLists.txt").read_text(encoding="utf-8")
    assert main(["compile", text.name, "--emit", "cu", "--arch", "gfx942"]) == 0
    assert "KERNEL(" in capsys.readouterr().out
    assert main(["package", text.name, "--target", "opencl", "--arch", "sm_90", "-o", "opencl"]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--target", "cuda", "--arch", "sm_91"], 1, "error[E0165]: there is no GPU architecture `sm_91` here"),
        (["--target", "cuda", "--schedule", "packed"], 1, "error[E0305]: `copy` cannot have the schedule `packed`"),
        (["--target", "cuda", "--device", "0"], 2, "--device is for a device that is there"),
        (["--target", "opencl", "--arch", "sm_90", "--tune"], 2, "--tune is for a device that is there"),
        (["--target", "c", "--arch", "sm_90"], 2, "--arch is for GPUs: target `c` is for processors"),
    ],
)
def test_what_is_refused(
    arguments: list[str], code: int, words: str, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["package", text.name, "-o", "out", *arguments]
    if code == 2:
        with pytest.raises(SystemExit) as ended:
            main(command)
        assert ended.value.code == 2
    else:
        assert main(command) == code
    assert words in capsys.readouterr().err
