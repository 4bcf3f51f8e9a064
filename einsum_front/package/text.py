"""Pieces of C text that several files of a package have."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

import numpy as np

from einsum_front.package.model import C_TYPES, Argument, PackagedKernel
from einsum_front.runtime.artifact import GroupParameter, ScalarParameter, TensorParameter
from einsum_front.runtime.describe import element_text

COLUMNS = 116


def template(name: str) -> str:
    """A file of `templates`, its placeholders as they are."""
    return files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def fill(text: str, places: Mapping[str, str]) -> str:
    """The text with words in its places; other words between two `@` are CMake's."""
    for place, word in places.items():
        text = text.replace(place, word)
    return text


def listed(words: Iterable[str], indent: str) -> str:
    """Words with commas between, as many on a line as fit."""
    lines, line = [], indent
    for word in words:
        if len(line) + len(word) > COLUMNS and line != indent:
            lines.append(line.rstrip())
            line = indent
        line += f"{word}, "
    return "\n".join([*lines, line.rstrip()] if line != indent else lines)


def literal(value: float, type_: str) -> str:
    """A number that C reads back exactly."""
    if type_ == "f64":
        return repr(float(value))
    if type_ == "f32":
        text = str(np.float32(value))
        return f"{text}f" if any(mark in text for mark in ".en") else f"{text}.0f"
    return str(int(value))


def quoted(line: str) -> str:
    """A line as a string of C; no three characters become another one."""
    escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("??", "?\\?")
    return f'"{escaped}\\n"'


def comment(text: str) -> str:
    """Text that ends no comment."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def operations_text(kernel: PackagedKernel) -> str:
    """What one element costs, for a comment."""
    counts = kernel.operations
    nonzero = "" if counts["nonzero"] is None else f"{counts['nonzero']} operations on nonzeros, "
    moved = "" if kernel.bytes is None else f"; {kernel.bytes} bytes read and written"
    return f"{nonzero}{counts['executed']} executed{moved}"


def argument_text(argument: Argument) -> str:
    """What an argument is, for a comment."""
    access = " and ".join(
        word for word, applies in (("read", argument.is_read), ("written", argument.is_written)) if applies
    )
    match argument.parameter:
        case None:
            return "a size"
        case ScalarParameter(_, scalar):
            return f"a number, {scalar}"
        case TensorParameter() as parameter:
            place = "of each element" if parameter.batched else "one for all elements"
            return f"{parameter.type} {element_text(parameter)}, {place}; {access}"
        case GroupParameter() as parameter if argument.type == "u64":
            what = " and ".join(
                word for word, applies in (("read", parameter.is_read), ("written", parameter.is_written)) if applies
            )
            return f"an address for each element, of {parameter.type} {element_text(parameter)}; {what}"
        case GroupParameter():
            return "a number for each element" if argument.is_memory else "entries in front of the first one"


def c_type(argument: Argument) -> str:
    """The type of an argument in C."""
    return "cl_mem" if argument.is_memory else C_TYPES[argument.type]


def function_head(kernel: PackagedKernel) -> str:
    """The declaration of a kernel's function, without what ends it."""
    parameters = ["@name@_library *kernels", "const @name@_launch *launch"]
    if kernel.takes_struct:
        parameters.append(f"const @name@_{kernel.name}_arguments *arguments")
    else:
        parameters += [f"{c_type(each)} {each.name}" for each in kernel.arguments]
        parameters.append("int64_t batch")
    return f"@name@_status @name@_{kernel.name}(\n    " + ",\n    ".join(parameters) + ")"


def aligned(rows: Sequence[tuple[str, str]], indent: str) -> str:
    """Code with a comment behind each line, all comments in one column."""
    width = max((len(code) for code, _ in rows), default=0)
    return "\n".join(f"{indent}{code.ljust(width)} /* {comment(words)} */" for code, words in rows)
