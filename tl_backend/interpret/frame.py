"""The values of the names while one work-group runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from diagnostics import CompileError, CompilerBug, Diagnostic, Label
from tl_backend.instructions import IndexOperand, Instruction, Local, Operand
from tl_backend.scalars import Scalar, make
from tl_backend.types import ScalarType

Memory = np.ndarray[Any, np.dtype[Any]]
"""A memref: a view on an argument or on the memory of an alloca, with the modes of the memref."""

Value = Scalar | Memory | Sequence[Memory]
"""A scalar, a memref, or a group."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The last value of every name so far, the number of the group and of all groups."""

    values: dict[str, Value]
    group: int
    groups: int

    def scalar(self, operand: Operand, type_: ScalarType) -> Scalar:
        """The value of a scalar operand of the type."""
        if not isinstance(operand, Local):
            return make(operand.value, type_)
        value = self.values[operand.name]
        if isinstance(value, np.generic):
            return value
        raise CompilerBug(f"`%{operand.name}` is no scalar")

    def index(self, operand: IndexOperand) -> int:
        """The value of an operand of type `index`."""
        return int(self.scalar(operand, ScalarType.INDEX))

    def memory(self, local: Local) -> Memory:
        """The memref of the name."""
        value = self.values[local.name]
        if isinstance(value, np.ndarray):
            return value
        raise CompilerBug(f"`%{local.name}` is no memref")

    def group_memory(self, local: Local) -> Sequence[Memory]:
        """The memrefs of the group of the name."""
        value = self.values[local.name]
        if isinstance(value, np.generic | np.ndarray):
            raise CompilerBug(f"`%{local.name}` is no group")
        return value


def undefined(instruction: Instruction, why: str) -> CompileError:
    """The error for an instruction that does what the language leaves undefined."""
    labels = tuple(Label(span, "undefined") for span in instruction.origin[:1])
    return CompileError([Diagnostic("E0451", why, labels)])
