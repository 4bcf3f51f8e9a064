"""A package: a folder with the kernels of a text as a library for C, C++ and Fortran programs.

    include/   NAME.h, NAME.hpp
    src/       a file for each kernel; errors.c, launch.c, programs.c, which are the same in every package; NAME.f90
    test/      a program that compares each kernel with loops
    cmake/     CMake's and pkg-config's descriptions of what is installed

The same input gives the same bytes. Names of the package stand as `@name@` in all texts until the end.
"""

from collections.abc import Iterable, Mapping

from einsum_front.driver import Stages
from einsum_front.package.c_header import c_header
from einsum_front.package.cpp_header import cpp_header
from einsum_front.package.fortran import fortran_module
from einsum_front.package.model import PackagedKernel, packaged
from einsum_front.package.source import kernel_source, list_of_kernels
from einsum_front.package.tensors import packaged_tensors
from einsum_front.package.test_program import kernel_test, test_main
from einsum_front.package.text import comment, fill, template
from einsum_front.runtime.artifact import BUILD_OPTIONS, ROUNDED_OPTION

VERSION = "1.0.0"
"""Of the interface of packages: the first number changes when programs have to."""

MARK = "made by einsum-front"
"""What the build file of a package says: a folder with it may be written again."""

FUNCTIONS = frozenset(
    {"message", "create", "destroy", "prepare", "compiled", "check_entries", "check_size", "run", "build", "fail"}
    | {"fail_opencl", "times", "plus", "descriptions", "count", "launch", "status", "argument", "constant", "result"}
    | {"function", "description", "library"}
)
"""Names that a package has besides those of its kernels."""


def package_files(stages: Iterable[Stages], name: str, file: str) -> Mapping[str, str]:
    """The files of a package by their paths, `file` is what the kernels are from."""
    kernels = packaged(stages, FUNCTIONS)
    tensors = packaged_tensors(kernels)
    texts = {
        "CMakeLists.txt": _build(kernels),
        "cmake/config.cmake.in": template("config.cmake.in"),
        "cmake/pkgconfig.pc.in": template("pkgconfig.pc.in"),
        "include/@name@.h": c_header(kernels, tensors),
        "include/@name@.hpp": cpp_header(kernels, tensors),
        "src/@name@.f90": fortran_module(kernels),
        "src/internal.h": template("internal.h"),
        "src/errors.c": template("errors.c"),
        "src/launch.c": template("launch.c"),
        "src/programs.c": template("programs.c"),
        "src/kernels.c": list_of_kernels(kernels),
        "test/harness.h": template("harness.h"),
        "test/harness.c": template("harness.c"),
        "test/main.c": test_main(kernels),
    }
    for number, kernel in enumerate(kernels):
        texts[f"src/{_file(kernel)}.c"] = kernel_source(kernel, number)
        texts[f"test/{_file(kernel)}.c"] = kernel_test(kernel)
    places = {
        "@name@": name,
        "@NAME@": name.upper(),
        "@file@": comment(file).replace("\n", " "),
        "@version@": VERSION,
        "@build_options@": BUILD_OPTIONS,
        "@rounded_option@": ROUNDED_OPTION,
    }
    return {fill(path, places): fill(text, places) for path, text in texts.items()}


def _file(kernel: PackagedKernel) -> str:
    """The name of a kernel's files; those of a package's own have none of these."""
    return f"kernel_{kernel.name}"


def _build(kernels: Iterable[PackagedKernel]) -> str:
    files = [_file(kernel) for kernel in kernels]
    text = template("CMakeLists.txt").replace("@sources@", "\n".join(f"  src/{each}.c" for each in files))
    return text.replace("@tests@", "\n".join(f"    test/{each}.c" for each in files))
