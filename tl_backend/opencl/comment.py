"""The comment above the code of an instruction: the instruction, and the characters that it came from."""

from einsum_front.core.diagnostics import Span
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.unparse import unparse_instruction


def statement(instruction: tl.Instruction) -> str:
    """The instruction without its regions, and without the types of its operands."""
    return _first_line(instruction).removesuffix("{").partition(" : ")[0].strip()


def _first_line(instruction: tl.Instruction) -> str:
    lines = (line.strip() for line in unparse_instruction(instruction).split("\n"))
    return next(line for line in lines if not line.startswith(";!"))


def comment(instruction: tl.Instruction) -> tuple[str, ...]:
    """The instruction without its regions, then the place of each span of its origin."""
    text = _first_line(instruction)
    return text, *(_place(span, text) for span in instruction.origin)


def _place(span: Span, instruction: str) -> str:
    """The place, and the first line of what stands there unless it is the instruction itself."""
    line, column = span.source.position(span.start)
    place = f"{span.source.name}:{line}:{column}"
    first = span.text.partition("\n")[0].partition(";!")[0].strip()
    return place if _squeezed(instruction).startswith(_squeezed(first)) else f"{place}: {first}"


def _squeezed(text: str) -> str:
    return "".join(text.split())
