"""The C source of a kernel: its OpenCL C as strings, tables, and the function that callers call."""

from collections.abc import Iterator, Sequence

from einsum_front.package.host import OPENCL
from einsum_front.package.model import Known, PackagedKernel, Setting, known_scratch
from einsum_front.package.names import C_TYPES
from einsum_front.package.text import (
    comment,
    function_head,
    not_null,
    operations_text,
    quoted,
    size_checks,
    values_table,
)
from einsum_front.runtime import ELEMENT_TYPES, KernelArgument, Kind, kernel_arguments, span
from einsum_front.runtime.artifact import Artifact, TensorParameter


def opencl_source(kernel: PackagedKernel, number: int) -> str:
    """`src/KERNEL.c`; `number` is the place of the kernel among all."""
    parts = [
        f'/* `{kernel.stages.name}`: {comment(operations_text(kernel))}, for each element. */\n#include "internal.h"',
        _opencl(kernel.artifact),
        *(_values(each) for each in kernel.known),
        *_tables(kernel),
        _description(kernel, number),
        _function(kernel),
    ]
    return "\n\n".join(parts) + "\n"


def list_of_kernels(kernels: Sequence[PackagedKernel]) -> str:
    """`src/kernels.c`: the descriptions in their order."""
    declared = [f"extern const @name@_description @name@_description_of_{kernel.name};" for kernel in kernels]
    entries = [f"    &@name@_description_of_{kernel.name}," for kernel in kernels]
    return "\n".join(
        [
            "/* All kernels, in the order of the text. */",
            '#include "internal.h"',
            "",
            *declared,
            "",
            "const @name@_description *const @name@_descriptions[] = {",
            *entries,
            "};",
            "",
            "const unsigned @name@_count = sizeof @name@_descriptions / sizeof @name@_descriptions[0];",
            "",
        ]
    )


def _opencl(artifact: Artifact) -> str:
    lines = "\n".join(f"    {quoted(line)}," for line in artifact.source.splitlines())
    return f"static const char *const source[] = {{\n{lines}\n}};"


def _array(known: Known) -> str:
    """The C name of the values of a constant; arguments have no names that begin so."""
    return f"values_at_{known.position}"


def _values(known: Known) -> str:
    return values_table(known.parameter, f"static const {C_TYPES[known.parameter.type]} {_array(known)}")


def _tables(kernel: PackagedKernel) -> Iterator[str]:
    if kernel.known:
        rows = (
            f"    {{{each.position}, {each.prologue_position}, {_array(each)}, sizeof {_array(each)}}},"
            for each in kernel.known
        )
        yield "static const @name@_constant constants[] = {\n" + "\n".join(rows) + "\n};"
    prologue = kernel.artifact.prologue
    if prologue is None:
        return
    own, its = kernel_arguments(kernel.artifact), kernel_arguments(prologue)
    rows = (_result(parameter, own, its) for parameter in kernel.artifact.owned.values())
    yield "static const @name@_result results[] = {\n" + "\n".join(rows) + "\n};"
    yield f"static const @name@_function prologue = {_launched(prologue, '')};"


def _result(parameter: TensorParameter, own: Sequence[KernelArgument], its: Sequence[KernelArgument]) -> str:
    memory = KernelArgument(Kind.MEMORY, parameter.type, parameter.name)
    place = own.index(memory) if memory in own else -1  # a temporary of the prologue
    size = span(parameter) * ELEMENT_TYPES[parameter.type].itemsize
    return f"    {{{place}, {its.index(memory)}, {size}}}, /* {comment(parameter.name)} */"


def _launched(artifact: Artifact, indent: str) -> str:
    """How functions of the source are launched."""
    kinds = [each.kind for each in kernel_arguments(artifact)]
    rows, columns = artifact.work_group_size
    entries = ", ".join(f'"{each}"' for each in artifact.entries)
    members = {
        "entries": f"(const char *const[]){{{entries}}}",
        "entry_count": len(artifact.entries),
        "rows": rows,
        "columns": columns,
        "elements_per_group": artifact.elements_per_group,
        "groups_per_element": artifact.groups_per_element,
        "local_memory": artifact.local_memory,
        "scratch": known_scratch(artifact),
        "elements_position": kinds.index(Kind.ELEMENTS) if Kind.ELEMENTS in kinds else -1,
        "scratch_position": kinds.index(Kind.SCRATCH) if Kind.SCRATCH in kinds else -1,
    }
    lines = "\n".join(f"{indent}    .{name} = {value}," for name, value in members.items())
    return f"{{\n{lines}\n{indent}}}"


def _description(kernel: PackagedKernel, number: int) -> str:
    artifact = kernel.artifact
    has_prologue = artifact.prologue is not None
    members = {
        "number": number,
        "name": f'"{kernel.stages.name}"',
        "source": "source",
        "lines": "sizeof source / sizeof source[0]",
        "needs_fp64": int(artifact.needs_fp64),
        "kernel": _launched(artifact, "    "),
        "prologue": "&prologue" if has_prologue else "NULL",
        "constants": "constants" if kernel.known else "NULL",
        "constant_count": len(kernel.known),
        "results": "results" if has_prologue else "NULL",
        "result_count": len(artifact.owned),
    }
    name = f"@name@_description_of_{kernel.name}"
    lines = "\n".join(f"    .{member} = {value}," for member, value in members.items())
    return f"extern const @name@_description {name};\nconst @name@_description {name} = {{\n{lines}\n}};"


def _function(kernel: PackagedKernel) -> str:
    """Checks sizes, lays the arguments out as OpenCL takes them, and hands them on."""
    body = []
    if kernel.takes_struct:
        body.append(not_null(kernel, "arguments", "arguments"))
        body += [f"    const {OPENCL.c_type(each)}{each.name} = arguments->{each.name};" for each in kernel.arguments]
        body.append("    const int64_t batch = arguments->batch;")
    if kernel.sizes:
        body.append("    @name@_status size_status;")
    body += size_checks(kernel, "size_status")
    body += [f"    const cl_long {name} = {value};" for name, value in kernel.locals]
    settings = [_setting(each) for each in kernel.settings]
    if settings:
        body.append("    const @name@_argument settings[] = {\n" + "\n".join(settings) + "\n    };")
    given = "settings, sizeof settings / sizeof settings[0]" if settings else "NULL, 0"
    body.append(
        f"    return @name@_run(kernels, &@name@_description_of_{kernel.name}, launch, {given}, batch,"
        f" {kernel.open_scratch});"
    )
    return f"{function_head(kernel, OPENCL)}\n{{\n" + "\n".join(body) + "\n}"


def _setting(setting: Setting) -> str:
    places = f"{setting.position}, {setting.prologue_position}"
    if setting.memory is not None:
        value = setting.value
        return (
            f'        {{"{setting.memory.name}", &{value}, sizeof {value}, {places},'
            f" {setting.span}, {setting.distance}}},"
        )
    type_ = C_TYPES[setting.type]
    return f"        {{NULL, &({type_}){{{setting.value}}}, sizeof({type_}), {places}, 0, 0}},"
