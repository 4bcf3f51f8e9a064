"""A graph that breaks it, and the words for it, for every rule of the contraction graph."""

from collections.abc import Callable

import pytest

from einsum_front.core.coefficient import ScalarUse
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.core.storage import ElementType, Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import NodeTable
from einsum_front.ir.contraction.verify import CHECKS, verify
from einsum_front.ir.index import Index, IterationSpace
from einsum_front.ir.tensor import Tensor

A = Tensor("A", ElementType.F64, Storage.BATCHED, (3, 4), (1, 3))
ROW, COLUMN, OTHER = Index("i", 3), Index("j", 4), Index("k", 3)
IJ = IterationSpace((ROW, COLUMN))
WHOLE = (cg.Along("i"), cg.Along("j"))


def own_operand(builder: NodeTable) -> None:
    builder.add(cg.Scaling(IJ, ScalarUse("s")), (0,))


def missing_operand(builder: NodeTable) -> None:
    leaf = builder.add(cg.Leaf(A))
    builder.add(cg.Assignment(A, IJ, WHOLE, ("i", "j")), (builder.add(cg.Sum(IJ, (("i", "j"),) * 2), (leaf,)),))


def one_name_twice(builder: NodeTable) -> None:
    space = IterationSpace((ROW,), (Index("i", 4),))
    value = builder.add(cg.Contraction(space, (("i", "i"),)), (builder.add(cg.Leaf(A)),))
    builder.add(cg.Assignment(A, IJ, WHOLE, ("i",)), (value,))


def wrong_extent(builder: NodeTable) -> None:
    value = builder.add(cg.Sum(IJ, (("j", "i"),)), (builder.add(cg.Leaf(A)),))
    builder.add(cg.Assignment(A, IJ, WHOLE, ("i", "j")), (value,))


def diagonal_in_a_map(builder: NodeTable) -> None:
    value = builder.add(cg.Sum(IterationSpace((ROW,)), (("i", "i"),)), (builder.add(cg.Leaf(A)),))
    builder.add(cg.Assignment(A, IJ, WHOLE, ("i",)), (value,))


def idle_index(builder: NodeTable) -> None:
    value = builder.add(
        cg.Contraction(IterationSpace((ROW, COLUMN), (OTHER,)), (("i", "j"),)), (builder.add(cg.Leaf(A)),)
    )
    builder.add(cg.Assignment(A, IJ, WHOLE, ("i", "j")), (value,))


def reducing_sum(builder: NodeTable) -> None:
    value = builder.add(cg.Sum(IterationSpace((ROW,), (COLUMN,)), (("i", "j"),)), (builder.add(cg.Leaf(A)),))
    builder.add(cg.Assignment(A, IJ, WHOLE, ("i",)), (value,))


def embedded_outside(builder: NodeTable) -> None:
    embedding = cg.Embedding(IJ, (1, 0), (3, 4))
    builder.add(cg.Assignment(A, IJ, WHOLE, ("i", "j")), (builder.add(embedding, (builder.add(cg.Leaf(A)),)),))


def outside(builder: NodeTable) -> None:
    value = builder.add(cg.Slice(IterationSpace((ROW,)), (cg.Along("i", 1), cg.At(0))), (builder.add(cg.Leaf(A)),))
    builder.add(cg.Assignment(A, IJ, WHOLE, ("i",)), (value,))


def other_indices(builder: NodeTable) -> None:
    value = builder.add(cg.Slice(IJ, (cg.Along("i"), cg.At(0))), (builder.add(cg.Leaf(A)),))
    builder.add(cg.Assignment(A, IJ, WHOLE, ("i", "j")), (value,))


def forgotten_version(builder: NodeTable) -> None:
    leaf = builder.add(cg.Leaf(A))
    value = builder.add(cg.Slice(IterationSpace((ROW,)), (cg.Along("i"), cg.At(0))), (leaf,))
    builder.add(cg.Assignment(A, IterationSpace((ROW,)), (cg.Along("i"), cg.At(1)), ("i",)), (value,))


def old_version(builder: NodeTable) -> None:
    leaf = builder.add(cg.Leaf(A))
    for column in (1, 2):
        value = builder.add(cg.Slice(IterationSpace((ROW,)), (cg.Along("i"), cg.At(0))), (leaf,))
        builder.add(cg.Assignment(A, IterationSpace((ROW,)), (cg.Along("i"), cg.At(column)), ("i",)), (value, leaf))


def idle_value(builder: NodeTable) -> None:
    builder.add(cg.Scaling(IJ, ScalarUse("s")), (builder.add(cg.Leaf(A)),))


def unknown_scalar(builder: NodeTable) -> None:
    builder.add(cg.Leaf(A))
    builder.add(cg.Assignment(A, IJ, WHOLE, ()), (builder.add(cg.ScalarTerm(ScalarUse("t"))),))


def gathered_without_integers(builder: NodeTable) -> None:
    operands = (
        builder.add(cg.Leaf(A)),
        builder.add(cg.Leaf(Tensor("n", ElementType.F64, Storage.BATCHED, (3,), (1,)))),
    )
    node = cg.Gather(IJ, 1, (cg.Entry(1, (cg.Along("i"),)), cg.Along("j")))
    builder.add(cg.Assignment(A, IJ, WHOLE, ("i", "j")), (builder.add(node, operands),))


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (own_operand, "E0310: node %0: the operand %0 is not computed before"),
        (missing_operand, "E0310: node %1: 1 operands where there have to be 2 to 2"),
        (one_name_twice, "E0311: node %1: two indices of the space have one name"),
        (wrong_extent, "E0312: node %1: the map of %0 does not fit its shape (3, 4)"),
        (diagonal_in_a_map, "E0312: node %1: an index walks two modes of %0"),
        (idle_index, "E0313: node %1: index `k` walks no operand"),
        (reducing_sum, "E0313: node %1: only a contraction and a reduction have reduction indices"),
        (outside, "E0314: node %1: a part leaves the shape (3, 4)"),
        (embedded_outside, "E0314: node %1: a part leaves the shape (3, 4)"),
        (other_indices, "E0314: node %1: the parts and the space have different indices"),
        (forgotten_version, "E0315: node %2: the version before is an operand if and only if entries of it survive"),
        (old_version, "E0315: node %3: %0 is not the version before"),
        (idle_value, "E0316: node %1: nothing reads this value"),
        (gathered_without_integers, "E0318: node %2: it reads what the kernel writes"),
        (unknown_scalar, "E0317: node %1: `t` is no scalar argument"),
    ],
    ids=lambda case: case.__name__ if callable(case) else "",
)
def test_a_broken_rule_is_named(build: Callable[[NodeTable], None], expected: str) -> None:
    builder = NodeTable()
    build(builder)
    (found,) = verify(builder.graph("f", ()))
    assert f"{found.code}: {found.message}" == expected


def test_every_check_has_a_code_of_its_own() -> None:
    codes = {code for code in TITLES if "E0310" <= code <= "E0319"}
    assert len(codes) == len(CHECKS)
