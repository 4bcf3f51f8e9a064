"""The C++17 header of a package: the same functions with typed memory, and what is known when compiling."""

from collections.abc import Iterator, Sequence
from math import prod

from einsum_front.core.extent_text import word
from einsum_front.package.host import Host, constant
from einsum_front.package.model import Argument, PackagedKernel
from einsum_front.package.names import C_TYPES, Supply, listed
from einsum_front.package.tensors import PackagedTensor
from einsum_front.package.text import (
    aligned,
    argument_text,
    comment,
    function_head,
    operations_text,
    template,
)
from einsum_front.runtime import distance, has_run_time_extents, span
from einsum_front.runtime.artifact import COMPLEX, Extent, ScalarParameter, TensorParameter

INDENT = "    "

METHODS = frozenset(
    {"kernels", "create", "prepare", "compiled", "handle", "status", "launch", "memory", "tensor", "kernel", "range"}
    | {"threads", "serial", "parallel", "dynamic", "instructions"}
)
"""Names of the header that methods and structs of kernels must not hide."""


def cpp_header(kernels: Sequence[PackagedKernel], tensors: Sequence[PackagedTensor], host: Host) -> str:
    """`NAME.hpp`."""
    names = Supply(METHODS)
    named = [(kernel, names.give(kernel.name)) for kernel in kernels]
    text = template(f"{host.name}/header.hpp")
    text = text.replace("@tensors@", "\n\n".join(_tensor(each) for each in tensors))
    text = text.replace("@facts@", "\n\n".join(_facts(kernel, name) for kernel, name in named))
    return text.replace("@methods@", "\n\n".join(_method(kernel, name, host) for kernel, name in named))


def _tensor(tensor: PackagedTensor) -> str:
    order = len(tensor.shape)
    lines = [
        f"// {comment(tensor.text)}",
        f"struct {tensor.name} {{",
        f"    using value_type = {_cpp_type(tensor.type)};",
        f"    static constexpr std::size_t order = {order};",
        f"    static constexpr std::array<std::int64_t, {order}> shape{_braces(tensor.shape)};",
        f"    static constexpr std::array<std::int64_t, {order}> strides{_braces(tensor.strides)};",
        f"    static constexpr std::int64_t size = {tensor.size or 'dynamic'};",
        f"    static constexpr bool is_batched = {_bool(tensor.is_batched or tensor.is_group)};",
    ]
    if tensor.nonzeros is not None:
        runs = [f"{{{start}, {stop}}}" for start, stop in tensor.nonzeros]
        head = f"    static constexpr std::array<range, {len(runs)}> nonzeros"
        lines.append(f"{head}{{{{\n{listed(runs, '        ')}\n    }}}};" if runs else f"{head}{{}};")
    return "\n".join([*lines, "};"])


def _facts(kernel: PackagedKernel, name: str) -> str:
    counts = {
        "nonzero_operations": kernel.operations["nonzero"],
        "operations": kernel.operations["executed"],
        "bytes": kernel.bytes,
    }
    lines = [f"struct {name} {{", f'    static constexpr const char *name = "{kernel.stages.name}";']
    lines += [
        f"    static constexpr std::int64_t {word} = {count};"
        for word, count in counts.items()
        if isinstance(count, int) and type(count) is int
    ]
    return "\n".join([*lines, "};"])


def _method(kernel: PackagedKernel, name: str, host: Host) -> str:
    parameters = [host.cpp_before]
    parameters += _parameters(kernel, host)
    parameters.append("std::int64_t batch")
    notes = "\n".join(f"    //   {each.name}: {comment(argument_text(each))}" for each in kernel.arguments)
    head = f"    // `{kernel.stages.name}`: {comment(operations_text(kernel))}, for each element.\n{notes}"
    body = list(_checks(kernel, host))
    given = [_given(each, host) for each in kernel.arguments]
    if kernel.takes_struct:
        body.append(f"        const @name@_{kernel.name}_arguments all{{{', '.join([*given, 'batch'])}}};")
        call = "&all"
    else:
        call = ", ".join([*given, "batch"])
    body.append(f"        return ::@name@_{kernel.name}({host.cpp_given}, {call});")
    joined = ",\n        ".join(parameters)
    before, behind = host.cpp_method
    text = f"{head}\n    {before.format(name)}\n        {joined}{behind}\n    {{\n" + "\n".join(body) + "\n    }"
    return "\n".join(line.removeprefix(INDENT[len(host.cpp_indent) :]) for line in text.split("\n"))


def _checks(kernel: PackagedKernel, host: Host) -> Iterator[str]:
    """In debug builds: all memory has the entries that the batch needs, and integers of the host are places."""
    checks = []
    for each in kernel.arguments:
        if not each.is_memory:
            continue
        if isinstance(each.parameter, TensorParameter):
            if has_run_time_extents(each.parameter):
                continue  # the library knows the sizes
            entries = span(each.parameter), distance(each.parameter) if each.parameter.batched else 0
        else:
            entries = 1, 1
        checks.append(
            f'        if (const status found = {each.name}.check("{kernel.stages.name}", "{each.name}", batch,'
            f" {entries[0]}, {entries[1]}); !found)\n            return found;"
        )
        if host.name == "c" and isinstance(each.parameter, TensorParameter):
            checks += _place_checks(kernel, each, each.parameter)
    if checks:
        yield "#ifndef NDEBUG"
        yield from checks
        yield "#endif"


def _place_checks(kernel: PackagedKernel, argument: Argument, parameter: TensorParameter) -> Iterator[str]:
    """Integers that lie without gaps."""
    shape = [size for mode, size in enumerate(parameter.shape) if mode != parameter.batch_mode]
    entries, names = span(parameter), {limit.name: given for limit, given in kernel.sizes}
    if entries != prod(size or 0 for size in shape) or (parameter.batched and distance(parameter) != entries):
        return
    for bound in parameter.indices:
        size = "batch" if bound is None else str(bound) if isinstance(bound, int) else names.get(word(bound), "")
        if size:
            count = f"(batch > 0 ? batch : 0) * {entries}" if parameter.batched else str(entries)
            given = f'"{kernel.stages.name}", "{argument.name}", {argument.name}.handle(), {C_BYTES[argument.type]}'
            call = f"@name@_check_places({given}, {count}, {size})"
            yield f"        if (const status found = {call}; !found)\n            return found;"


C_BYTES = {"i32": 4, "i64": 8}
"""Of integers that say places."""


def _parameter_type(argument: Argument, host: Host) -> str:
    if not argument.is_memory:
        return _cpp_type(argument.type)
    entry = _cpp_type(argument.type) if argument.type in COMPLEX else _in_std(host.entry_type(argument))
    return f"memory<{constant(entry, argument)}>"


def _parameters(kernel: PackagedKernel, host: Host) -> Iterator[str]:
    """The parameters of a method: both parts of a complex number are one."""
    for each in kernel.arguments:
        whole = _whole(each)
        if whole is None:
            yield f"{_parameter_type(each, host)} {each.name}"
        elif each.name == whole.parts()[0].name:
            yield f"{_cpp_type(whole.type)} {whole.name}"


def _given(argument: Argument, host: Host) -> str:
    """What the function of C gets for an argument."""
    whole = _whole(argument)
    if whole is not None:
        return f"{whole.name}.{'real' if argument.name == whole.parts()[0].name else 'imag'}()"
    if not argument.is_memory:
        return argument.name
    if argument.type in COMPLEX and host.name != "opencl":
        return f"reinterpret_cast<{host.c_type(argument)}>({argument.name}.handle())"
    return f"{argument.name}.handle()"


def _whole(argument: Argument) -> ScalarParameter | None:
    """The complex number that an argument is a part of."""
    parameter = argument.parameter
    return parameter.whole() if isinstance(parameter, ScalarParameter) and parameter.part_of else None


def _cpp_type(element: str) -> str:
    name = _in_std(C_TYPES[element])
    return f"std::complex<{name}>" if element in COMPLEX else name


def _in_std(type_: str) -> str:
    return type_ if "float" in type_ or "double" in type_ else f"std::{type_}"


def _braces(extents: Sequence[Extent]) -> str:
    return "{" + ", ".join("dynamic" if extent is None else str(extent) for extent in extents) + "}"


def _bool(value: bool) -> str:
    return "true" if value else "false"


# -- the C header of a package: one function for each kernel -----------------------------------------------------------


def c_header(kernels: Sequence[PackagedKernel], tensors: Sequence[PackagedTensor], host: Host) -> str:
    """`NAME.h`."""
    text = template(f"{host.name}/header.h")
    text = text.replace("@sizes@", "\n".join(_sizes(tensors)))
    return text.replace("@kernels@", "\n\n".join(_declaration(kernel, host) for kernel in kernels))


def _sizes(tensors: Sequence[PackagedTensor]) -> Iterator[str]:
    """Macros: entries from one element to the next."""
    known = [tensor for tensor in tensors if tensor.size]
    rows = [(f"#define @NAME@_SIZE_{tensor.name} INT64_C({tensor.size})", tensor.text) for tensor in known]
    if rows:
        yield "/* Entries of memory for each element, or for all of them where they share it. */"
        yield aligned(rows, "")


def _declaration(kernel: PackagedKernel, host: Host) -> str:
    words = [f" * {comment(operations_text(kernel))}, for each element."]
    named = [f" *   {each.name}: {comment(argument_text(each))}" for each in kernel.arguments]
    head = f"/* `{kernel.stages.name}`:\n" + "\n".join(words)
    if not kernel.takes_struct:
        return "\n".join([head, " *", *named, " */", f"{function_head(kernel, host)};"])
    rows = [(f"{host.c_type(each)}{each.name};", argument_text(each)) for each in kernel.arguments]
    rows.append(("int64_t batch;", "number of elements"))
    struct = "\n".join(["typedef struct {", aligned(rows, "    "), f"}} @name@_{kernel.name}_arguments;"])
    return "\n".join([f"{head} */", struct, "", f"{function_head(kernel, host)};"])
