"""Pieces of C text that several files of a package have."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from einsum_front.core.extent_text import word as text_of
from einsum_front.package.extents import user_order, values_in_memory
from einsum_front.package.host import Host
from einsum_front.package.model import Argument, PackagedKernel
from einsum_front.package.names import listed, literal
from einsum_front.runtime import element_text, shape_text
from einsum_front.runtime.artifact import ArrayParameter, GroupParameter, ScalarParameter, TensorParameter

SHOWN = {"c32": "c64", "c64": "c128"}
"""The notation's names of complex types."""


def template(name: str) -> str:
    """A file of `templates`, its placeholders as they are; a line `@include NAME@` is another one of them."""
    text = files(__package__).joinpath("templates", name).read_text(encoding="utf-8")
    return re.sub(r"^@include (\S+)@\n", lambda line: template(line[1]), text, flags=re.MULTILINE)


def fill(text: str, places: Mapping[str, str]) -> str:
    """The text with words in its places; other words between two `@` are CMake's."""
    for place, word in places.items():
        text = text.replace(place, word)
    return text


def quoted(line: str) -> str:
    """A line as a string of C; no three characters become another one."""
    escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("??", "?\\?")
    return f'"{escaped}\\n"'


def comment(text: str) -> str:
    """Text that ends no comment."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def operations_text(kernel: PackagedKernel) -> str:
    """Costs of one element, for a comment."""
    counts = kernel.operations
    nonzero = "" if counts["nonzero"] is None else f"{counts['nonzero']} operations on nonzeros, "
    moved = "" if kernel.bytes is None else f"; {kernel.bytes} bytes read and written"
    return f"{nonzero}{counts['executed']} on boxes{moved}"


def argument_text(argument: Argument) -> str:
    """Description of an argument, for a comment."""
    access = " and ".join(
        word for word, applies in (("read", argument.is_read), ("written", argument.is_written)) if applies
    )
    match argument.parameter:
        case None:
            return "a size"
        case ScalarParameter(name, scalar, part_of):
            part = "imaginary" if name.endswith("im") else "real"
            return f"the {part} part of `{part_of}`, {scalar}" if part_of else f"a number, {scalar}"
        case TensorParameter() as parameter:
            return f"{memory_text(parameter)}; {access}"
        case GroupParameter() as parameter if argument.type == "u64":
            what = " and ".join(
                word for word, applies in (("read", parameter.is_read), ("written", parameter.is_written)) if applies
            )
            return f"an address for each element, of {_layout_text(parameter)}; {what}"
        case GroupParameter():
            return "a number for each element" if argument.is_memory else "entries in front of the first one"


def memory_text(parameter: ArrayParameter) -> str:
    """Type, shape and strides of an element, and whose it is: `f64 (5, 6), strides (1, 5), of each element`."""
    if isinstance(parameter, GroupParameter):
        place = "behind an address"
    else:
        place = "of each element" if parameter.batched else "one for all elements"
        if parameter.batch_mode is not None and parameter.batch_mode < len(parameter.modes):
            place += ", which are neighbours" if parameter.batch_mode == 0 else " between its modes"
    bounds = ["the number of elements" if bound is None else text_of(bound) for bound in parameter.indices]
    places = f", places below {' and '.join(bounds)}, or negative: kernels do not look" if bounds else ""
    return f"{_layout_text(parameter)}, {place}{places}"


def _layout_text(parameter: ArrayParameter) -> str:
    """Strides count entries, from one position of a mode to the next; there are none to say of a single entry."""
    strides = user_order(parameter, parameter.strides)
    words = f", strides {shape_text('of the call' if stride is None else stride for stride in strides)}"
    return f"{SHOWN.get(parameter.type, parameter.type)} {element_text(parameter)}{words if strides else ''}"


def function_head(kernel: PackagedKernel, host: Host) -> str:
    """The declaration of a kernel's function, without what ends it."""
    parameters = list(host.before)
    if kernel.takes_struct:
        parameters.append(f"const @name@_{kernel.name}_arguments *arguments")
    else:
        parameters += [f"{host.c_type(each)}{each.name}" for each in kernel.arguments]
        parameters.append("int64_t batch")
    return f"@name@_status @name@_{kernel.name}(\n    " + ",\n    ".join(parameters) + ")"


def values_table(parameter: TensorParameter, declared: str, attribute: str = "") -> str:
    """An array of the known values of a constant, where its layout has them; `declared` is its type and its name."""
    values = values_in_memory(parameter)
    words = listed((literal(value, parameter.type) for value in values), "    ")
    return f"/* {comment(parameter.name)} */\n{declared}[{len(values)}]{attribute} = {{\n{words}\n}};"


def not_null(kernel: PackagedKernel, name: str, words: str) -> str:
    """A statement that refuses a pointer which is null."""
    fail = f'@name@_fail(@NAME@_NULL_POINTER, "`{kernel.stages.name}`: {words} is null")'
    return f"    if ({name} == NULL)\n        return {fail};"


def pointer_checks(kernel: PackagedKernel, host: Host) -> list[str]:
    """Statements that take arguments out of their struct, and refuse null pointers of a batch that is not empty."""
    body = []
    if kernel.takes_struct:
        body.append(not_null(kernel, "arguments", "arguments"))
        body += [f"    {host.c_type(each)}const {each.name} = arguments->{each.name};" for each in kernel.arguments]
        body.append("    const int64_t batch = arguments->batch;")
    body.append(f'    if (batch <= 0)\n        return @name@_check_batch("{kernel.stages.name}", batch);')
    return body + [
        not_null(kernel, each.name, f"argument `{each.name}`") for each in kernel.arguments if each.is_memory
    ]


def size_checks(kernel: PackagedKernel, status: str) -> list[str]:
    """Statements that refuse sizes out of their limits; `status` is a variable for that."""
    body = []
    for limit, given in kernel.sizes:
        most = "INT32_MAX" if limit.most is None else str(limit.most)
        check = f'@name@_check_size("{kernel.stages.name}", "{limit.name}", {given}, {limit.least}, {most})'
        body.append(f"    if (({status} = {check}) != @NAME@_SUCCESS)\n        return {status};")
    return body


def aligned(rows: Sequence[tuple[str, str]], indent: str) -> str:
    """Code with a comment behind each line, all comments in one column."""
    width = max((len(code) for code, _ in rows), default=0)
    return "\n".join(f"{indent}{code.ljust(width)} /* {comment(words)} */" for code, words in rows)
