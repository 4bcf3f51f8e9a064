"""The source of a kernel of targets cuda and sycl: device code, constants, and the function that callers call."""

from collections.abc import Iterator, Sequence

from einsum_front.driver import dynamic_memory
from einsum_front.package.host import CUDA, Host
from einsum_front.package.model import PackagedKernel, known_scratch
from einsum_front.package.names import C_TYPES
from einsum_front.package.text import comment, function_head, operations_text, pointer_checks, size_checks, values_table
from einsum_front.runtime import ELEMENT_TYPES, KernelArgument, Kind, kernel_arguments, span
from einsum_front.runtime.artifact import Artifact, TensorParameter

LINE = 256
"""Bytes that results of the prologue are aligned to, as memory of CUDA is."""


def gpu_source(kernel: PackagedKernel, host: Host) -> str:
    """`src/KERNEL.cu`, or `.cpp` in SYCL."""
    space = f"@name@_device_{kernel.name}"
    device = [
        f"namespace {space} {{",
        *(("#define KERNEL(threads) static __global__ __launch_bounds__(threads)",) if host is CUDA else ()),
        kernel.artifact.source.rstrip(),
        *_constants(kernel, host),
        f"}} // namespace {space}",
    ]
    parts = [
        f"/* `{kernel.stages.name}`: {comment(operations_text(kernel))}, for each element. */\n"
        '#include "internal.h"\n\n#include "device.h"',
        "\n".join(device),
        "\n".join(_tables(kernel, space)),
        _function(kernel, space, host),
    ]
    return "\n\n".join(parts) + "\n"


def _constants(kernel: PackagedKernel, host: Host) -> Iterator[str]:
    """Constants whose values are known."""
    before = "static __device__ const" if host is CUDA else "static const"
    for number, each in enumerate(kernel.known):
        yield values_table(each.parameter, f"{before} {C_TYPES[each.parameter.type]} values_{number}")


def _tables(kernel: PackagedKernel, space: str) -> Iterator[str]:
    """How the functions are launched, and where the results of the prologue are."""
    artifact, prologue = kernel.artifact, kernel.artifact.prologue
    for each in (artifact, *(() if prologue is None else (prologue,))):
        codes = ", ".join(f"gpuCode({space}::{entry})" for entry in each.entries)
        yield f"static const void *const {_codes(each)}[] = {{{codes}}};"
    size = 0
    if prologue is not None:
        own, its = kernel_arguments(artifact), kernel_arguments(prologue)
        rows = []
        for parameter in artifact.owned.values():
            rows.append(_result(parameter, own, its, size))
            size += -(-span(parameter) * ELEMENT_TYPES[parameter.type].itemsize // LINE) * LINE
        yield "static const @name@_result results[] = {\n" + "\n".join(rows) + "\n};"
        yield f"static const @name@_function prologue = {_launched(prologue, '')};"
    members = [
        f'"{kernel.stages.name}"',
        _launched(artifact, "    "),
        "NULL" if prologue is None else "&prologue",
        "NULL" if prologue is None else "results",
        str(len(artifact.owned)),
        str(size),
    ]
    yield "static const @name@_kernel about = {\n" + "\n".join(f"    {each}," for each in members) + "\n};"


def _result(parameter: TensorParameter, own: Sequence[KernelArgument], its: Sequence[KernelArgument], at: int) -> str:
    memory = KernelArgument(Kind.MEMORY, parameter.type, parameter.name)
    place = own.index(memory) if memory in own else -1  # a temporary of the prologue
    return f"    {{{place}, {its.index(memory)}, {at}}}, /* {comment(parameter.name)} */"


def _codes(artifact: Artifact) -> str:
    """The name of the table of the functions of a launch."""
    return f"codes_of_{artifact.entry}"


def _launched(artifact: Artifact, indent: str) -> str:
    """Functions of a launch: their code, the shape of their blocks, and the arguments that a launch adds."""
    kinds = [each.kind for each in kernel_arguments(artifact)]
    rows, columns = artifact.work_group_size
    members = [
        _codes(artifact),
        str(len(artifact.entries)),
        f"{rows}, {columns}",
        f"{artifact.elements_per_group}, {artifact.groups_per_element}",
        f"{dynamic_memory(artifact)}, {known_scratch(artifact)}",
        f"{kinds.index(Kind.ELEMENTS) if Kind.ELEMENTS in kinds else -1}",
        f"{kinds.index(Kind.SCRATCH) if Kind.SCRATCH in kinds else -1}",
    ]
    return "{\n" + "\n".join(f"{indent}    {each}," for each in members) + f"\n{indent}}}"


def _function(kernel: PackagedKernel, space: str, host: Host) -> str:
    """Checks what the caller gives, lays the arguments out as the kernel takes them, and launches."""
    artifact, body = kernel.artifact, pointer_checks(kernel, host)
    if kernel.sizes or kernel.known:
        body.append("    @name@_status found;")
    body += size_checks(kernel, "found")
    body += [f"    const int64_t {name} = {value};" for name, value in kernel.locals]
    body += list(_given(kernel, space, host))
    where = host.fortran_before[0][0]
    prologue = "NULL" if artifact.prologue is None else "given_before"
    results = "NULL" if artifact.prologue is None else "results_of"
    body.append(f"    return @name@_run(&about, {where}, given, {prologue}, {results}, batch, {kernel.open_scratch});")
    return f'extern "C" {function_head(kernel, host)}\n{{\n' + "\n".join(body) + "\n}"


def _given(kernel: PackagedKernel, space: str, host: Host) -> Iterator[str]:
    """The addresses of all arguments, of the kernel and of what runs before it."""
    artifact = kernel.artifact
    own = ["NULL"] * max(1, len(kernel_arguments(artifact)))
    before = ["NULL"] * (0 if artifact.prologue is None else max(1, len(kernel_arguments(artifact.prologue))))
    for number, known in enumerate(kernel.known):
        yield f"    void *values_{number};"
        call = f"gpuGetSymbolAddress(&values_{number}, {space}::values_{number})"
        check = f'@name@_check("{kernel.stages.name}", "gpuGetSymbolAddress", {call})'
        yield f"    if ((found = {check}) != @NAME@_SUCCESS)"
        yield "        return found;"
        _put(own, before, known.position, known.prologue_position, f"&values_{number}")
    for number, each in enumerate(kernel.settings):
        type_ = f"{C_TYPES[each.type]} " if each.memory is None else host.c_type(each.memory)
        yield f"    {type_}const argument_{number} = {each.value};"
        _put(own, before, each.position, each.prologue_position, f"(void *)&argument_{number}")
    yield f"    void *given[] = {{{', '.join(own)}}};"
    if before:
        yield f"    void *given_before[] = {{{', '.join(before)}}};"
        yield f"    void *results_of[{max(1, len(artifact.owned))}];"


def _put(own: list[str], before: list[str], position: int, there: int, value: str) -> None:
    if position >= 0:
        own[position] = value
    if there >= 0:
        before[there] = value
