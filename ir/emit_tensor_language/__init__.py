"""The door from the YATeTo immediate language to the tensor language.

`emit` is complete: every program that the verifier of the YATeTo language accepts has a program of the tensor language
with the same meaning. One module for each instruction writes loops around the instructions of the tensor language:

    log            log.py           gemm, gemv, ger, axpby or a dot product
    product        product.py       hadamard_product, ger or axpby
    sum            sum.py           sum or axpby
    axpby, broadcast, fill          elementwise.py   axpby, or foreach over single entries (entry.py)
    get_work_item  work_item.py     a view on the batch, or a pointer of the group

`access.py` sees operands by index names, `nest.py` makes loops, `types.py` says what arguments become.
"""

from einsum_front.ir.emit_tensor_language.function import emit_function
from einsum_front.ir.yateto import nodes as yir
from einsum_front.tl_backend.program import Function as TensorLanguageFunction
from einsum_front.tl_backend.program import Program

__all__ = ["TensorLanguageFunction", "emit"]


def emit(program: yir.Program) -> Program:
    """The program in the tensor language; every instruction carries the origin of the one it stands for.

    Arguments keep their names and order; `types.argument_type` says what becomes of groups. Values keep their names
    where no new value needed one before.
    """
    return Program(tuple(emit_function(function) for function in program.functions))
