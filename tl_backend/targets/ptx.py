"""Instructions of NVIDIA's GPUs that kernels name: CUDA C++ and NVIDIA's OpenCL C take PTX as inline assembly."""

from collections.abc import Callable

from einsum_front.tl_backend.kernel import tree


def multiply(multiply: tree.MatrixMultiplyAdd, text: Callable[[tree.Expression], str]) -> str:
    """The instruction of tensor cores, `mma.sync`, for matrices of f64; `text` prints an operand."""
    left, sums = len(multiply.left), len(multiply.sums)
    total, rows, last = (
        ", ".join(f"%{number}" for number in numbers)
        for numbers in (range(sums), range(sums, sums + left), (sums + left,))
    )
    by = multiply.instruction
    shape, types = f"m{by.rows}n{by.columns}k{by.depth}", ".".join([by.element.value] * 4)
    outputs = ", ".join(f'"+d"({text(each)})' for each in multiply.sums)
    inputs = ", ".join(f'"d"({text(each)})' for each in (*multiply.left, multiply.right))
    name = f"mma.sync.aligned.{shape}.row.col.{types}"
    return f'asm volatile("{name} {{{total}}}, {{{rows}}}, {{{last}}}, {{{total}}};" : {outputs} : {inputs})'
