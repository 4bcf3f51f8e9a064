"""The files of a package."""

from collections.abc import Iterable, Mapping

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.driver import Stages
from einsum_front.package.c_source import c_launch, c_source
from einsum_front.package.cpp_header import c_header, cpp_header
from einsum_front.package.fortran import fortran_module
from einsum_front.package.gpu_source import gpu_source
from einsum_front.package.host import OPENCL, SYCL, Host
from einsum_front.package.mlir_source import mlir_source
from einsum_front.package.model import PackagedKernel, packaged
from einsum_front.package.opencl_source import list_of_kernels, opencl_source
from einsum_front.package.tensors import packaged_tensors
from einsum_front.package.test_program import kernel_test, test_main
from einsum_front.package.text import comment, fill, template
from einsum_front.runtime.artifact import BUILD_OPTIONS, ROUNDED_OPTION

VERSION = "1.0.0"
"""Of the interface of packages: the first number changes when programs have to."""

MARK = "made by einsum-front"
"""What the build file of a package says: a folder with it may be written again."""


def package_files(
    stages: Iterable[Stages],
    name: str,
    file: str,
    host: Host = OPENCL,
    architecture: str = "",
    memrefs: Mapping[str, Mapping[str, int]] | None = None,
) -> Mapping[str, str]:
    """The files of a package by their paths, `file` is what the kernels are from; `architecture` that of its GPU.

    With `memrefs`, programs of MLIR call the kernels: the ranks of what they pass, by kernel and argument.
    """
    kernels = packaged(stages, host.functions, host.words)
    tensors = packaged_tensors(kernels)
    texts = {
        "CMakeLists.txt": _build(kernels, host, ("mlir.c",) if memrefs else ()),
        "cmake/config.cmake.in": template("config.cmake.in"),
        "cmake/pkgconfig.pc.in": template("pkgconfig.pc.in"),
        "include/@name@.h": c_header(kernels, tensors, host),
        "include/@name@.hpp": cpp_header(kernels, tensors, host),
        "src/@name@.f90": fortran_module(kernels, host),
        "src/internal.h": template(f"{host.name}/internal.h"),
        "src/errors.c": template("errors.c"),
        "test/harness.h": template("harness.h"),
        "test/harness.c": template("harness.c"),
        "test/device.c": template(f"{host.name}/device.c"),
        "test/main.c": test_main(kernels),
    }
    texts |= {f"src/{each}": template(f"{host.name}/{each}") for each in host.sources}
    for kernel in kernels:
        texts[f"test/{_file(kernel)}.c"] = kernel_test(kernel, host)
    match host.name:
        case "opencl":
            texts["src/kernels.c"] = list_of_kernels(kernels)
            texts |= {f"src/{_file(each)}.c": opencl_source(each, number) for number, each in enumerate(kernels)}
        case "cuda" | "sycl":
            texts["src/device.h"] = template(f"{host.name}/device.h")
            texts |= {f"src/{_file(each)}.{host.suffix}": gpu_source(each, host) for each in kernels}
            if host is SYCL:
                texts["test/sycl.cpp"] = template("sycl/test.cpp")
        case "c":
            texts["src/launch.c"] = c_launch(texts["src/launch.c"])
            texts |= {f"src/{_file(each)}.c": c_source(each) for each in kernels}
        case other:
            raise CompilerBug(f"nobody writes a package for `{other}`")
    if memrefs:
        texts["src/mlir.c"] = mlir_source(kernels, memrefs)
    places = {
        "@place@": f"/* Where a kernel of a test runs. */\ntypedef struct {{\n{host.place}\n}} place;",
        "@dependencies@": host.dependencies,
        "@pkg_cflags@": host.pkg_cflags,
        "@pkg_libs@": host.pkg_libs,
        "@name@": name,
        "@NAME@": name.upper(),
        "@file@": comment(file).replace("\n", " "),
        "@version@": VERSION,
        "@cuda_architecture@": architecture.removeprefix("sm_") if architecture.startswith("sm_") else "80",
        "@hip_architecture@": architecture if architecture.startswith("gfx") else "gfx90a",
        "@build_options@": BUILD_OPTIONS,
        "@rounded_option@": ROUNDED_OPTION,
    }
    return {fill(path, places): fill(text, places) for path, text in texts.items()}


def _file(kernel: PackagedKernel) -> str:
    """The name of a kernel's files; those of a package's own have none of these."""
    return f"kernel_{kernel.name}"


def _build(kernels: Iterable[PackagedKernel], host: Host, more: Iterable[str]) -> str:
    files = [_file(kernel) for kernel in kernels]
    own = sorted({*host.sources, *more, *(("kernels.c",) if host is OPENCL else ())})
    sources = [*own, *(f"{each}.{host.suffix}" for each in files)]
    text = template("CMakeLists.txt").replace("@sources@", "\n".join(f"  src/{each}" for each in sources))
    text = text.replace("@tests@", "\n".join(f"    test/{each}.c" for each in files))
    for place in ("find", "links", "more_tests"):
        text = text.replace(f"@{place}@\n", template(f"{host.name}/{place}.cmake"))
    return text.replace("@device_sources@", "\n".join(f"    src/{each}.{host.suffix}" for each in files))
