"""Functions that run before a kernel, once for all work items: their place in a text, and what they compute."""

from collections.abc import Iterable, Mapping

from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import instructions, target_of


def with_prologues(functions: Iterable[yir.Function]) -> tuple[yir.Function, ...]:
    """The functions as a text has them: a prologue stands in front of the first that has it."""
    found: list[yir.Function] = []
    for function in functions:
        if function.prologue is not None and function.prologue not in found:
            found.append(function.prologue)
        found.append(function)
    return tuple(found)


def owned_memory(prologue: yir.Function) -> Mapping[str, yir.MemrefType]:
    """Results of a prologue: the memrefs among its arguments that it writes, by name."""
    written = written_arguments(prologue)
    types = {argument.name.name: argument.type for argument in prologue.arguments}
    return {name: type_ for name, type_ in types.items() if isinstance(type_, yir.MemrefType) and name in written}


def written_arguments(function: yir.Function) -> frozenset[str]:
    """The memrefs among the arguments that a function writes, as a whole or a part of them."""
    base = {argument.name.name: argument.name.name for argument in function.arguments}
    written = set()
    for instruction in instructions(function.body):
        if isinstance(instruction, yir.Subview) and instruction.operand.name in base:
            base[instruction.result.name] = base[instruction.operand.name]
        elif (target := target_of(instruction)) is not None:
            written.add(base.get(target.value.name))
    return frozenset(name for name in written if name is not None)
