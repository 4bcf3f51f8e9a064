"""What the corpus says of a change: names alone, or what a kernel does."""

from dataclasses import replace

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from tests.corpus.__main__ import Row, direction
from tests.corpus.counts import Counts, counts, tree_digest

MEMORY = Pointer(Scalar.F64, AddressSpace.GLOBAL)
I32 = Scalar.I32


def scaled(array: str, variable: str, count: int, factor: str = "factor") -> tree.File:
    """`array[i] = 2 array[i]` for the first entries, the factor in a private array; then a barrier."""
    place = tree.Subscript(tree.Name(array), tree.Name(variable))
    number = tree.Subscript(tree.Name(factor), tree.Integer(0))
    product = tree.Binary(tree.BinaryOperator.MULTIPLY, number, place)
    body = (
        tree.DeclareArray(Scalar.F64, factor, 1, AddressSpace.PRIVATE),
        tree.Assign(number, tree.Floating(2.0, Scalar.F64)),
        tree.For(I32, variable, tree.Integer(0), tree.Integer(count), tree.Integer(1), (tree.Assign(place, product),)),
        tree.Barrier((AddressSpace.LOCAL,)),
    )
    return tree.File((tree.Function("scale", (tree.Parameter(MEMORY, array),), body, (1, 1, 1)),))


def test_counts_are_those_of_all_iterations() -> None:
    assert counts(scaled("A", "i", 7)) == Counts(multiplications=7, loads=7, stores=7, barriers=1, bytes=8)


def test_an_update_in_place_reads_too() -> None:
    place = tree.Subscript(tree.Name("A"), tree.Integer(0))
    add = tree.Assign(place, tree.Floating(1.0, Scalar.F64), tree.BinaryOperator.ADD)
    file = tree.File((tree.Function("add", (tree.Parameter(MEMORY, "A"),), (add,)),))
    assert counts(file) == Counts(loads=1, stores=1)


def test_what_a_called_function_does_counts_for_each_call() -> None:
    (helper,) = scaled("A", "i", 3).functions
    calls = (tree.Call("scale", (tree.Name("B"),)),) * 2
    file = tree.File((helper, tree.Function("twice", (tree.Parameter(MEMORY, "B"),), calls)))
    assert counts(file) == Counts(multiplications=6, loads=6, stores=6, barriers=2, bytes=16)


def test_names_and_comments_do_not_make_another_tree() -> None:
    file = scaled("A", "i", 7)
    renamed = scaled("B", "j", 7, "by")
    (function,) = renamed.functions
    commented = replace(function, body=(tree.Section(("a comment",), function.body[:2]), *function.body[2:]))
    assert tree_digest(file) == tree_digest(renamed) == tree_digest(replace(renamed, functions=(commented,)))


def test_another_bound_or_name_that_means_something_else_is_another_tree() -> None:
    digests = {
        tree_digest(scaled("A", "i", 7)),
        tree_digest(scaled("A", "i", 8)),
        tree_digest(scaled("A", "i", 7, "A")),
    }
    assert len(digests) == 3


def test_a_change_is_told_by_its_direction() -> None:
    before = Row("text", "tree", Counts(8, 4, 2, 1, 64))
    assert direction(before, replace(before, text="other")) == "text differs, tree the same"
    assert direction(before, replace(before, tree="other")) == "tree differs, counts the same"
    fewer, more = replace(before.counts, loads=3), replace(before.counts, barriers=2)
    assert direction(before, replace(before, tree="other", counts=fewer)) == "counts better: loads 4 -> 3"
    assert direction(before, replace(before, tree="other", counts=more)) == "counts worse: barriers 1 -> 2"
    both = replace(fewer, barriers=2)
    found = direction(before, replace(before, tree="other", counts=both))
    assert found == "counts differ: loads 4 -> 3, barriers 1 -> 2"
