"""What the graph of a kernel is, node by node."""

import pytest

from einsum_front.core.storage import ElementType, Storage
from einsum_front.elaborate import elaborate
from einsum_front.ir.contraction.unparse import unparse
from einsum_front.ir.contraction.verify import verify
from einsum_front.notation import checked
from tests.ir.programs import graph_of

CASES = {
    "nested products become one contraction, and coefficients move out": (
        """
        tensor A[3, 4]
        tensor B[4, 5]
        tensor x[5]
        tensor y[3]
        scalar s
        kernel f { y[i] = 2 * A[i,k] * (s * B[k,j] * x[j]) }
        """,
        """
        graph f
          %0 = leaf A : f64 3x4 batched
          %1 = leaf B : f64 4x5 batched
          %2 = leaf x : f64 5 batched
          %3 = leaf y : f64 3 batched
          %4 = contract {ik, kj, j to i} %0, %1, %2 : i=3, sum k=4 j=5
          %5 = scale 2 * s, %4 : i=3
          %6 = y[i] := {i} %5 : i=3
        """,
    ),
    "adding to a tensor reads its present version; terms of both signs stand side by side": (
        """
        tensor A[3, 3]
        tensor B[3, 3]
        kernel f {
            A[i,j] -= B[i,j] - A[j,i]
            B[i,j] += A[i,j]
        }
        """,
        """
        graph f
          %0 = leaf A : f64 3x3 batched
          %1 = leaf B : f64 3x3 batched
          %2 = scale -1, %1 : i=3 j=3
          %3 = sum {ij, ij, ji to ij} %0, %2, %0 : i=3 j=3
          %4 = A[i, j] := {ij} %3 : i=3 j=3
          %5 = sum {ij, ij to ij} %1, %4 : i=3 j=3
          %6 = B[i, j] := {ij} %5 : i=3 j=3
        """,
    ),
    "a partial assignment keeps the version before; parts and diagonals are slices": (
        """
        tensor A[4, 4]
        tensor d[4]
        kernel f {
            d[i] = A[i,i]
            A[i,2] = d[i]
            d[i=1:3] = A[i=1:3, 0]
        }
        """,
        """
        graph f
          %0 = leaf A : f64 4x4 batched
          %1 = leaf d : f64 4 batched
          %2 = slice %0[i, i] : i=4
          %3 = d[i] := {i} %2 : i=4
          %4 = A[i, 2] := {i} %3, keep %0 : i=4
          %5 = slice %4[i+1, 0] : i=2
          %6 = d[i+1] := {i} %5, keep %3 : i=2
        """,
    ),
    "sums inside products stay one value, and scalars are values of rank 0": (
        """
        tensor A[3, 4]
        tensor B[4, 5] constant nonzeros [(0,0), (1,2)]
        tensor C[4]
        tensor y[3]
        scalar s
        kernel f { y[i] = A[i,k] * (B[k,j] + C[k] + s**2) }
        """,
        """
        graph f
          %0 = leaf A : f64 3x4 batched
          %1 = leaf B : f64 4x5 constant, 2 nonzeros
          %2 = leaf C : f64 4 batched
          %3 = leaf y : f64 3 batched
          %4 = contract {kj to k} %1 : k=4, sum j=5
          %5 = scalar s**2
          %6 = sum {k, k, _ to k} %4, %2, %5 : k=4
          %7 = contract {ik, k to i} %0, %6 : i=3, sum k=4
          %8 = y[i] := {i} %7 : i=3
        """,
    ),
}


def cleaned(text: str) -> str:
    lines = text.strip("\n").splitlines()
    margin = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[margin:] for line in lines).rstrip() + "\n"


@pytest.mark.parametrize("title", CASES)
def test_elaborate(title: str) -> None:
    text, expected = CASES[title]
    wanted = cleaned(expected)
    graph = graph_of(text, wanted.split()[1])
    assert unparse(graph) == wanted
    assert verify(graph) == ()


def test_a_name_that_stands_for_two_summed_indices_becomes_two_names() -> None:
    shapes = {"A": (3,), "B": (3, 4), "C": (3, 5)}
    tensors = tuple(
        checked.Tensor(name, name, ElementType.F64, Storage.BATCHED, shape, (1, 3)[: len(shape)])
        for name, shape in shapes.items()
    )

    def access(name: str, *indices: checked.Index) -> checked.Access:
        return checked.Access(name, tuple(checked.IndexPosition(index) for index in indices))

    i, short, long = checked.Index("i", 3), checked.Index("j", 4), checked.Index("j", 5)
    factors = checked.Reduction((short,), access("B", i, short)), checked.Reduction((long,), access("C", i, long))
    statement = checked.Assignment(access("A", i), checked.AssignmentOperator.SET, checked.Product(factors))
    kernel = checked.Kernel("f", (statement,))
    graph = elaborate(kernel, checked.CheckedProgram(tensors, (), (kernel,)))
    assert unparse(graph).splitlines()[4] == "  %3 = contract {ij, i j1 to i} %1, %2 : i=3, sum j=4 j1=5"
