"""The function that transposes vectors in registers, for all vectors that kernels may have."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.interpret import launch
from einsum_front.tl_backend.kernel.memory import Memory
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.kernel.values import dtype_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import transpose_function
from einsum_front.tl_backend.opencl.target import DEFAULT


@pytest.mark.parametrize("has_shuffles", [False, True])
@pytest.mark.parametrize("width", [2, 4, 8, 16])
@pytest.mark.parametrize("element", [Scalar.F32, Scalar.F64])
def test_what_was_a_vector_becomes_a_lane(element: Scalar, width: int, has_shuffles: bool) -> None:
    vector = Vector(element, width)
    transpose = transpose_function("transpose", vector, replace(DEFAULT, has_shuffles=has_shuffles))
    entries = np.arange(width * width, dtype=dtype_of(element))
    result, memory = np.zeros_like(entries), Memory()
    arguments = memory.place("A", entries), memory.place("C", result)
    launch(tree.File((transpose, _kernel(vector))), "transposed", arguments, groups=1, memory=memory)
    memory.fetch(arguments[1], result)
    square = entries.reshape(width, width)
    assert (result.reshape(width, width) == square.T).all()


def _kernel(vector: Vector) -> tree.Function:
    """Transposes the square of entries that `A` points to into the one of `C`."""
    pointer = Pointer(vector.element, AddressSpace.GLOBAL)
    rows, a, c = (tree.Name(name) for name in ("rows", "A", "C"))
    lines = [tree.Subscript(rows, index.constant(line)) for line in range(vector.width)]
    memory = Pointer(replace(vector, is_unaligned=True), AddressSpace.GLOBAL)

    def at(base: tree.Name, line: int) -> tree.Access:
        return tree.Access(memory, index.add(base, index.constant(line * vector.width)))

    body: tree.Statements = (
        tree.DeclareArray(vector, rows.text, vector.width, AddressSpace.PRIVATE),
        *(tree.Assign(line, at(a, number)) for number, line in enumerate(lines)),
        tree.Call("transpose", (rows,)),
        *(tree.Assign(at(c, number), line) for number, line in enumerate(lines)),
    )
    return tree.Function(
        "transposed", (tree.Parameter(pointer, a.text), tree.Parameter(pointer, c.text)), body, (1, 1, 1)
    )
