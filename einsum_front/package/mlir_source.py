"""`src/mlir.c`: the functions that programs compiled by MLIR call, `_mlir_ciface_NAME`, for kernels of target c.

MLIR hands over descriptors of memrefs. Memory that lies as the kernel takes it is used in place; else it is copied, and
copied back where the kernel writes. That interface has no way to report: what goes wrong ends the program, and says so.
"""

from collections.abc import Iterator, Mapping, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.package.c_words import C_TYPES
from einsum_front.package.model import Argument, PackagedKernel
from einsum_front.package.text import template
from einsum_front.runtime import memref_axes
from einsum_front.runtime.artifact import TensorParameter


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
