"""The comment above the code of an instruction: the instruction, and the characters that it came from."""

from einsum_front.core.diagnostics import Span
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.unparse import instruction_line


def statement(instruction: tl.Instruction) -> str:
    """The instruction without its regions, and without the types of its operands."""
    return instruction_line(instruction).removesuffix("{").partition(" : ")[0].strip()


def comment(instruction: tl.Instruction) -> tuple[str, ...]:
    """The instruction without its regions, then the place of each span of its origin."""
    text = instruction_line(instruction)
    return text, *(_place(span, text) for span in instruction.origin)


def _place(span: Span, instruction: str) -> str:
    """The place, and the first line of what stands there unless it is the instruction itself."""
    line, column = span.source.position(span.start)
    place = f"{span.source.name}:{line}:{column}"
    first = span.text.partition("\n")[0].partition(";!")[0].strip()
    return place if _squeezed(instruction).startswith(_squeezed(first)) else f"{place}: {first}"


def _squeezed(text: str) -> str:
    return "".join(text.split())
