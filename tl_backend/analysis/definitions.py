"""Where values come from."""

from collections.abc import Mapping

from tl_backend.instructions import ValueInstruction
from tl_backend.program import Function
from tl_backend.traverse import walk


def definitions(function: Function) -> Mapping[str, ValueInstruction]:
    """For every name the instruction that makes its value; arguments, loop variables and results of `if` have none."""
    return {
        instruction.result.name: instruction
        for instruction in walk(function.body)
        if isinstance(instruction, ValueInstruction)
    }
