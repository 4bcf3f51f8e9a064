"""Packages, and programs that use them, built with the compilers of the machine."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pyopencl
import pytest

from einsum_front.core.texts import read_source
from einsum_front.driver import Session, translate_text
from einsum_front.driver.c_functions import INSTRUCTION_SETS, c_target
from einsum_front.driver.targets import DEFAULT
from einsum_front.options import Level
from einsum_front.package import package_files
from einsum_front.package.host import OPENCL, Host
from einsum_front.runtime.devices.unknown_processor import told_name

HERE = Path(__file__).parent
FEATURES = HERE / "features.ein"
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror")

LIBRARIES = Path(pyopencl.__file__).parent / ".libs"
"""Where pyopencl's wheel has the loader of OpenCL."""


@cache
def features(name: str = "all_kernels", host: Host = OPENCL) -> Mapping[str, str]:
    """The files of a package with a kernel of each kind."""
    session = Session(DEFAULT if host is OPENCL else c_target(INSTRUCTION_SETS[0]))
    return package_files(translate_text(session, read_source(FEATURES), Level.EIN), name, FEATURES.name, host)


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


USER = """cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES CXX)
find_package(all_kernels REQUIRED)
add_executable(user main.cpp)
target_link_libraries(user PRIVATE all_kernels::all_kernels)
"""


def install_and_use(folder: Path, main: str, place: Path, *options: str) -> Path:
    """Builds and installs a package with CMake, and a project of its user's, whose program has to end well."""
    cmake = needs("cmake")
    write({"CMakeLists.txt": USER, "main.cpp": main}, place / "user")
    own, users, prefix = place / "build", place / "user" / "build", place / "installed"
    for command in (
        [cmake, "-S", folder, "-B", own, "-DALL_KERNELS_TESTS=OFF", f"-DCMAKE_INSTALL_PREFIX={prefix}", *options],
        [cmake, "--build", own, "-j2"],
        [cmake, "--install", own],
        [cmake, "-S", place / "user", "-B", users, f"-DCMAKE_PREFIX_PATH={prefix}"],
        [cmake, "--build", users],
        [users / "user"],
    ):
        done = compiled(command)
        assert done.returncode == 0, done.stdout + done.stderr
    return prefix


NAMING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
typedef void *(*function)(const void *, unsigned, char *const *, void *, void *, int *);
void *clCreateContext(
    const void *properties, unsigned count, char *const *devices, void *notify, void *data, int *error)
{
    const char **const name = (const char **)(devices[0] + 640);
    if (strcmp(*name, "generic") == 0)
        *name = PROCESSOR;
    return ((function)dlsym(RTLD_NEXT, "clCreateContext"))(properties, count, devices, notify, data, error);
}
"""
"""What the runtime does for a processor that the driver's compiler does not know, in programs of C."""


def naming(folder: Path) -> dict[str, str]:
    """The variable with which a program can use PoCL on such a processor; nothing is needed on others."""
    devices = [each for platform in pyopencl.get_platforms() for each in platform.get_devices()]
    name = next((name for each in devices if (name := told_name(each)) is not None), None)
    if name is None:
        return {}
    source, place = folder / "naming.c", folder / "naming.so"
    source.write_text(NAMING, encoding="utf-8")
    options = [f'-DPROCESSOR="{name}"', "-shared", "-fPIC"]
    done = compiled([needs("gcc"), *options, source, "-o", place, "-ldl"])
    assert done.returncode == 0, done.stderr
    return {"LD_PRELOAD": str(place)}


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
    caches = {"XDG_CACHE_HOME": str(cache_folder), "POCL_EXTRA_BUILD_FLAGS": "-cl-opt-disable"}  # in half of the time
    environment = {**os.environ, **own, **caches, **naming(drivers), **variables}
    return subprocess.run([str(program)], capture_output=True, text=True, env=environment, check=False, timeout=300)
