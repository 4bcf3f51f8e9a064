"""The files of a package."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic
from einsum_front.driver import Stages
from einsum_front.package.c_source import c_launch, c_source
from einsum_front.package.cpp_header import c_header, cpp_header
from einsum_front.package.fortran import fortran_module
from einsum_front.package.gpu_source import gpu_source
from einsum_front.package.host import OPENCL, SYCL, Host
from einsum_front.package.model import Argument, PackagedKernel, packaged
from einsum_front.package.names import C_TYPES
from einsum_front.package.opencl_source import list_of_kernels, opencl_source
from einsum_front.package.tensors import packaged_tensors
from einsum_front.package.test_program import kernel_test, test_main
from einsum_front.package.text import comment, fill, template
from einsum_front.runtime import memref_axes
from einsum_front.runtime.artifact import BUILD_OPTIONS, ROUNDED_OPTION, TensorParameter

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


# -- `src/mlir.c` ------------------------------------------------------------------------------------------------------
# The functions that programs compiled by MLIR call, `_mlir_ciface_NAME`, for kernels of target c. MLIR hands over
# descriptors of memrefs. Memory that lies as the kernel takes it is used in place; else it is copied, and copied back
# where the kernel writes. That interface has no way to report: what goes wrong ends the program, and says so.


def mlir_source(kernels: Sequence[PackagedKernel], ranks: Mapping[str, Mapping[str, int]]) -> str:
    """The functions of kernels; `ranks` are those of the memrefs, by kernel and argument.

    Raises CompileError (E0849) for a kernel that takes something else.
    """
    functions = (_function(each, ranks[each.stages.name]) for each in kernels)
    return "\n".join([template("c/mlir.c").rstrip() + "\n", *functions])


@dataclass(frozen=True, slots=True)
class _Memref:
    """An argument that MLIR passes; with one more mode than an element has, it leads with the batch."""

    argument: Argument
    parameter: TensorParameter
    rank: int

    @property
    def has_batch(self) -> bool:
        return self.rank > len(self.parameter.modes)

    def places(self) -> Iterator[tuple[int, int]]:
        """Each mode of the kernel's parameter that the memref has, with its mode there."""
        for mode, axis in enumerate(memref_axes(self.parameter)):
            place = axis - int(self.parameter.batched) + int(self.has_batch)
            if place >= 0:
                yield mode, place


def _function(kernel: PackagedKernel, ranks: Mapping[str, int]) -> str:
    name, memrefs = kernel.stages.name, _memrefs(kernel, ranks)
    lines = [f"    const int64_t {given} = {_size(memrefs, limit.name)};" for limit, given in kernel.sizes]
    batch = next((f"{each.argument.name}_given->numbers[0]" for each in memrefs if each.has_batch), "1")
    lines.append(f"    const int64_t batch = {batch};")
    sizes = {limit.name: given for limit, given in kernel.sizes}
    for each in memrefs:
        extents, strides = _layout(each, sizes)
        own = each.argument.name
        lines.append(f"    const int64_t {own}_sizes[] = {{{', '.join(extents)}}};")
        lines.append(f"    const int64_t {own}_strides[] = {{{', '.join(strides)}}};")
        about = f'"{name}", "{each.parameter.name}", {own}_given, {each.rank}, sizeof({C_TYPES[each.argument.type]})'
        lines.append(f"    argument {own} = brought({about}, {own}_sizes, {own}_strides);")
    passed = [f"{each.name}.memory" if each.is_memory else each.name for each in kernel.arguments]
    lines.append(f'    ended("{name}", @name@_{kernel.name}(@NAME@_PARALLEL, {", ".join(passed)}, batch));')
    lines += [f"    returned(&{each.argument.name}, {int(each.argument.is_written)});" for each in memrefs]
    head = ", ".join(f"const memref *{each.argument.name}_given" for each in memrefs)
    text = "\n".join(lines)
    return f"void _mlir_ciface_{name}({head});\n\nvoid _mlir_ciface_{name}({head})\n{{\n{text}\n}}\n"


def _memrefs(kernel: PackagedKernel, ranks: Mapping[str, int]) -> list[_Memref]:
    """In the order of the function of MLIR."""
    found = {
        each.parameter.name: _Memref(each, each.parameter, ranks[each.parameter.name])
        for each in kernel.arguments
        if each.is_memory and isinstance(each.parameter, TensorParameter)
    }
    if kernel.takes_struct or found.keys() != ranks.keys():
        raise CompileError([Diagnostic("E0849", f"`{kernel.stages.name}` has arguments that MLIR cannot pass")])
    return [found[name] for name in ranks]


def _size(memrefs: Sequence[_Memref], size: str) -> str:
    """A size that only the launch knows, as the extent of a memref."""
    for each in memrefs:
        for mode, place in each.places():
            if str(each.parameter.extent_of(mode)) == size:
                return f"{each.argument.name}_given->numbers[{place}]"
    raise CompileError([Diagnostic("E0849", f"no memref has the extent `{size}`")])


def _layout(memref: _Memref, sizes: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Extents and strides of the modes of the memref, in entries, as the kernel has them."""
    parameter = memref.parameter
    extents, strides, least = ["batch"] * memref.rank, ["0"] * memref.rank, "1"
    for mode, place in memref.places():
        if mode != parameter.batch_mode:
            known = parameter.shape[mode]
            extents[place] = sizes[str(parameter.extent_of(mode))] if known is None else str(known)
        stride = parameter.strides[mode]
        strides[place] = least if stride is None else str(stride)
        least = f"{extents[place]} * {strides[place]}"
    return extents, strides
