"""Loops that a GPU's compiler is asked to leave as they are.

for (int i = 0; i < 256; ++i) …        ->        #pragma unroll 1
                                                 for (int i = 0; i < 256; ++i) …

Such compilers unroll every loop of known length, because private arrays become registers then. Where an element has too
many entries for that it is in vain, and it takes minutes: NVIDIA's compiler (CUDA 13.0) needs 0.4 s for a product of
matrices of 8 rows and columns, 4.6 s with 12, 20 s with 16, more than 70 s with 20, and 0.1 s for each if loops stay.
"""

from dataclasses import replace

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.positions.facts import Facts

MOST_UNROLLED = 1024
"""Summands of all products that a GPU's compiler may write one by one: a second of its time."""


def keeps_loops(facts: Facts, target: Target) -> bool:
    """True if the loops of a function should stay loops on the target."""
    return not target.is_cpu and sum(facts.counts.values()) > MOST_UNROLLED


def roll(statements: tree.Statements) -> tree.Statements:
    """The same with every loop left as it is, except those that are to be unrolled for sure."""
    return tuple(map(_roll, statements))


def _roll(statement: tree.Statement) -> tree.Statement:
    match statement:
        case tree.For(body=body, unroll=tree.Unroll.FULLY):
            return replace(statement, body=roll(body))
        case tree.For(body=body):
            return replace(statement, body=roll(body), unroll=tree.Unroll.NEVER)
        case tree.If(then=then, otherwise=otherwise):
            return replace(statement, then=roll(then), otherwise=roll(otherwise))
        case tree.DoWhile(body=body) | tree.Block(body=body) | tree.Section(body=body):
            return replace(statement, body=roll(body))
        case (
            tree.Declare()
            | tree.DeclareArray()
            | tree.Assign()
            | tree.Call()
            | tree.AtomicUpdate()
            | tree.MatrixMultiplyAdd()
            | tree.Barrier()
            | tree.Prefetch()
        ):
            return statement
