"""Files that have every node of the kernel tree, for whoever prints it: a language is complete if it prints these."""

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import features_of_file
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.kernel.verify import verify

A, B, P, X = map(tree.Name, "abpx")
INTEGERS = (Scalar.I8, Scalar.U16, Scalar.I32, Scalar.I64, Scalar.U64)
FLOATING = (Scalar.F32, Scalar.F64)
COMPARISONS = frozenset(each for each in tree.BinaryOperator if "LESS" in each.name or "EQUAL" in each.name) | {
    tree.BinaryOperator.GREATER
}
OF_NUMBERS = (
    tree.BinaryOperator.ADD,
    tree.BinaryOperator.SUBTRACT,
    tree.BinaryOperator.MULTIPLY,
    tree.BinaryOperator.DIVIDE,
)
ONE = tree.Integer(1)


def local(name: str, count: int, element: Scalar = Scalar.F64) -> tree.DeclareArray:
    return tree.DeclareArray(element, name, count, AddressSpace.LOCAL, 64)


def kernel(items: int, pointer: Pointer, body: tuple[tree.Statement, ...], *before: tree.Function) -> tree.File:
    """A file that the verifier has nothing against: a kernel of so many work-items with memory `p`."""
    table = tree.Table(Scalar.F64, "numbers", (0.5, 1e-300))
    parameters = tree.Parameter(pointer, "p"), tree.Parameter(Scalar.I64, "n")
    file = tree.File((*before, tree.Function("k", parameters, body, (items, 1, 1))), tables=(table,))
    assert not verify(file), verify(file)
    return file


def of_vectors(items: int, element: Scalar) -> tree.File:
    """All operators of vectors of this element, and all atomic updates that it can have."""
    vector, pointer = Vector(element, 4), Pointer(element, AddressSpace.GLOBAL)
    unaligned = Pointer(replace(vector, is_unaligned=True), AddressSpace.GLOBAL)
    memory = tree.Subscript(tree.Cast(unaligned, P), tree.Integer(0))
    body: list[tree.Statement] = [local("near", 8 * 1024), tree.Declare(vector, "a", memory)]
    body.append(tree.Declare(vector, "b", memory))
    for each in tree.BinaryOperator:
        if each in COMPARISONS:
            body.append(tree.Assign(A, tree.Conditional(tree.Binary(each, A, B), A, B)))
        elif element in INTEGERS or each in OF_NUMBERS:
            body.append(tree.Assign(A, B, each))
    body += [tree.Assign(A, tree.Unary(tree.UnaryOperator.NEGATE, B)), tree.Assign(memory, A)]
    if element in FLOATING:
        body += [tree.Assign(A, tree.Math(each, (A, B)[: each.row.arity])) for each in Function if each.row.c]
    if element not in (Scalar.I8, Scalar.U16):
        entry = tree.Subscript(P, ONE)
        for update in tree.Update:
            beta = tree.Lanes(B, (1,)) if update is tree.Update.SCALE_ADD else None
            if element not in (Scalar.I32, Scalar.I64) or beta is None:
                value = tree.Lanes(A, (0,))
                body.append(tree.AtomicUpdate(update, entry, value, beta, element, element, AddressSpace.GLOBAL))
    return kernel(items, pointer, tuple(body))


def of_statements(items: int) -> tree.File:
    """Everything else but products of matrices."""
    vector, half = Vector(Scalar.F64, 4), Vector(Scalar.F64, 2)
    entry, n = tree.Subscript(P, tree.Integer(0)), tree.Name("n")
    wide = Vector(Scalar.F64, 8)
    narrow = tree.Subscript(tree.Name("narrow"), ONE)
    place = tree.Binary(tree.BinaryOperator.MULTIPLY, tree.GroupId(), tree.GroupCount())
    part = tree.Function("part", (tree.Parameter(Pointer(Scalar.F64, AddressSpace.GLOBAL), "q"),), ())
    is_first = tree.Binary(tree.BinaryOperator.LESS, tree.ItemId(0), tree.Integer(1, Scalar.I64))
    return kernel(
        items,
        Pointer(Scalar.F64, AddressSpace.GLOBAL),
        (
            local("near", 32),
            tree.DeclareArray(Scalar.F64, "own", 4, AddressSpace.PRIVATE, 32, is_zero=True),
            tree.DeclareArray(Scalar.BF16, "narrow", 4, AddressSpace.PRIVATE),
            tree.Declare(Scalar.I64, "i", tree.Binary(tree.BinaryOperator.ADD, place, tree.ItemId(1))),
            tree.Assign(tree.Subscript(tree.Name("near"), tree.ItemId(0)), tree.Subscript(tree.Name("numbers"), ONE)),
            tree.Barrier((AddressSpace.LOCAL, AddressSpace.GLOBAL)),
            tree.Declare(vector, "a", tree.Pack(vector, (entry,)), is_held=True),
            tree.Declare(vector, "b", tree.Pack(vector, (tree.Pack(half, (entry, entry)), entry, entry))),
            tree.Assign(A, tree.Shuffle(vector, A, B, (0, 4, 1, 5)), tree.BinaryOperator.ADD),
            tree.Declare(half, "c", tree.Lanes(A, (2, 3))),
            tree.Assign(tree.Access(Pointer(half, AddressSpace.GLOBAL), P), tree.Name("c")),
            tree.Assign(narrow, tree.Cast(Scalar.BF16, tree.Floating(0.5, Scalar.F32))),
            tree.Declare(Scalar.F32, "wide", tree.Cast(Scalar.F32, narrow)),
            tree.Declare(Scalar.F16, "half", tree.Cast(Scalar.F16, tree.Name("wide"))),
            tree.Assign(tree.Name("wide"), tree.Cast(Scalar.F32, tree.Name("half"))),
            tree.Declare(Vector(Scalar.F32, 4), "single", tree.Cast(Vector(Scalar.F32, 4), A)),
            tree.Declare(Vector(Scalar.F16, 4), "halves", tree.Cast(Vector(Scalar.F16, 4), tree.Name("single"))),
            tree.Assign(A, tree.Cast(vector, tree.Cast(Vector(Scalar.F32, 4), tree.Name("halves")))),
            tree.Declare(Scalar.I64, "m", tree.Math(tree.MathFunction.MINIMUM, (n, tree.Integer(5, Scalar.I64)))),
            tree.Assign(entry, tree.Math(tree.MathFunction.REMAINDER, (entry, tree.Floating(0.5, Scalar.F64)))),
            tree.Assign(A, tree.Math(tree.MathFunction.SIGNIFICAND, (A,))),
            tree.Prefetch(P, tree.Integer(64)),
            tree.Assign(
                tree.Access(Pointer(wide, AddressSpace.GLOBAL), P), tree.Pack(wide, (entry,)), is_streamed=True
            ),
            tree.Fence(),
            tree.Section(("a part",), (tree.Block((tree.Call("part", (P,)),)),)),
            tree.If(is_first, (tree.Assign(entry, tree.Floating(1.0, Scalar.F64)),), (tree.Assign(entry, entry),)),
            tree.For(
                Scalar.I32, "j", tree.Integer(0), tree.Integer(4), ONE, (tree.Assign(entry, entry),), tree.Unroll.FULLY
            ),
            tree.DoWhile(
                (tree.Assign(tree.Name("i"), ONE, tree.BinaryOperator.SUBTRACT),),
                tree.Binary(tree.BinaryOperator.GREATER, tree.Name("i"), n),
            ),
        ),
        part,
    )


def files(items: int = 32) -> Iterator[tree.File]:
    """All of them."""
    yield of_statements(items)
    yield from (of_vectors(items, element) for element in (*INTEGERS, *FLOATING))


def missing() -> set[str]:
    """Nodes of the tree that no file has: a new one wants a place above."""
    nodes = {each for union in (tree.Statement, tree.Expression, tree.Place) for each in get_args(union)}
    found = {kind for file in files() for kind in features_of_file(file).kinds}
    return {each.__name__ for each in nodes - found} - {"MatrixMultiplyAdd"}
