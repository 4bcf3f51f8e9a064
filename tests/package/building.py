"""Packages, and programs that use them, built with the compilers of the machine."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pyopencl
import pytest

from einsum_front.driver import Session, translate_text
from einsum_front.driver.targets import DEFAULT
from einsum_front.notation.parse import read_source
from einsum_front.options import Level
from einsum_front.package import package_files

HERE = Path(__file__).parent
FEATURES = HERE / "features.ein"
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror")

LIBRARIES = Path(pyopencl.__file__).parent / ".libs"
"""Where pyopencl's wheel has the loader of OpenCL."""


@cache
def features(name: str = "all_kernels") -> Mapping[str, str]:
    """The files of a package with a kernel of each kind."""
    return package_files(translate_text(Session(DEFAULT), read_source(FEATURES), Level.EIN), name, FEATURES.name)


def write(files: Mapping[str, str], folder: Path) -> Path:
    """Writes files by their paths."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def needs(compiler: str) -> str:
    """Skips the test if the machine does not have it."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    return compiler


def headers() -> list[str]:
    """Where the headers of OpenCL are: on the system, or beside this file."""
    return [] if Path("/usr/include/CL/cl.h").exists() else [f"-I{HERE / 'opencl'}"]


def loader() -> str:
    """The library of OpenCL: the one that came with pyopencl."""
    found = sorted(LIBRARIES.glob("libOpenCL*.so*"))
    if not found:
        pytest.skip("pyopencl brings no OpenCL library on this machine")
    return str(found[0])


def compiled(command: Iterable[object]) -> subprocess.CompletedProcess[str]:
    """Runs a compiler."""
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def built(compiler: str, sources: Iterable[Path], program: Path, *options: object) -> Path:
    """A program; fails the test with the words of the compiler."""
    libraries = [loader(), f"-Wl,-rpath,{LIBRARIES}", "-lpthread", "-lm"]
    done = compiled([needs(compiler), *sources, "-o", program, *headers(), *options, *libraries])
    assert done.returncode == 0, done.stderr
    return program


def library(folder: Path, *options: object, pattern: str = "*.c") -> list[Path]:
    """The object files of a package, or of some of its sources."""
    objects = []
    for source in sorted((folder / "src").glob(pattern)):
        objects.append(folder / f"{source.stem}.o")
        flags = ["-std=c11", *STRICT, f"-I{folder / 'include'}", *headers(), *options]
        done = compiled([needs("gcc"), *flags, "-c", source, "-o", objects[-1]])
        assert done.returncode == 0, done.stderr
    return objects


def run(program: Path, cache_folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a program on PoCL, with caches of its own."""
    drivers = cache_folder / "drivers"
    (cache_folder / "pocl").mkdir(parents=True, exist_ok=True)
    drivers.mkdir(exist_ok=True)
    pocl = next(iter(sorted(LIBRARIES.glob("libpocl*.so*"))), None)
    if pocl is None:
        pytest.skip("pyopencl brings no driver on this machine")
    (drivers / "pocl.icd").write_text(f"{pocl}\n", encoding="utf-8")
    own = {"OCL_ICD_VENDORS": str(drivers), "POCL_CACHE_DIR": str(cache_folder / "pocl")}
    caches = {"XDG_CACHE_HOME": str(cache_folder)}
    environment = {**os.environ, **own, **caches, **variables}
    return subprocess.run([str(program)], capture_output=True, text=True, env=environment, check=False, timeout=300)
