"""The types behind views: those of what is viewed here, of the view in Tiny Tensor Compiler 0.4."""

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Program


def views_fit(program: Program) -> bool:
    """False if the first view of an argument has another type than the argument.

    All other instructions of such a text are the same in both languages, so nothing else tells them apart.
    """
    for function in program.functions:
        types = {argument.name.name: argument.type for argument in function.arguments}
        for instruction in function.body:
            if isinstance(instruction, tl.Subview | tl.Expand | tl.Fuse) and instruction.operand.name in types:
                return types[instruction.operand.name] == instruction.type
    return True
