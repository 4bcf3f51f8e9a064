"""Features of a kernel tree are those that a look at each node finds, and belong to one tree."""

from dataclasses import fields, replace

import pytest

from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import (
    Features,
    Update,
    expressions,
    features_of,
    features_of_file,
    features_of_function,
    operands,
    statements,
)
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector

A, ENTRY = tree.Name("A"), tree.Subscript(tree.Name("A"), tree.ItemId(0))
ONE = tree.Floating(1.0, Scalar.F64)
WIDE = Vector(Scalar.F32, 4)
BODY: tree.Statements = (
    tree.DeclareArray(Scalar.BF16, "own", 3, AddressSpace.PRIVATE),
    tree.DeclareArray(WIDE, "shared", 2, AddressSpace.LOCAL),
    tree.Section(
        ("a loop",),
        (
            tree.For(
                Scalar.I32,
                "k",
                tree.Integer(0),
                tree.Integer(4),
                tree.Integer(1),
                (
                    tree.If(
                        tree.Binary(tree.BinaryOperator.LESS, tree.Name("k"), tree.Integer(2)),
                        (tree.Declare(Scalar.F64, "x", tree.Math(Function.EXP, (ONE,))),),
                        (tree.Barrier((AddressSpace.LOCAL,)),),
                    ),
                ),
            ),
            tree.AtomicUpdate(tree.Update.ADD, ENTRY, ONE, None, Scalar.F64, Scalar.F64, AddressSpace.GLOBAL),
            tree.AtomicUpdate(tree.Update.ADD, ENTRY, ONE, None, Scalar.F64, Scalar.F64, AddressSpace.GLOBAL),
            tree.Call("helper", (A,)),
        ),
    ),
)
KERNEL = tree.Function("f", (tree.Parameter(Pointer(Scalar.F64, AddressSpace.GLOBAL), "A"),), BODY, (4, 1, 1))
HELPER = tree.Function("helper", KERNEL.parameters, (tree.Assign(ENTRY, tree.Math(Function.SQRT, (ENTRY,))),))


def test_what_is_found() -> None:
    found = features_of(BODY)
    assert found.statements == 10
    assert found.types == (Scalar.BF16, WIDE, Scalar.I32, Scalar.F64)
    assert found.elements == {Scalar.BF16, Scalar.F32, Scalar.I32, Scalar.F64}
    assert found.vectors == (WIDE,)
    assert found.functions == (Function.EXP,)
    assert found.updates == (Update(tree.Update.ADD, Scalar.F64, Scalar.F64, AddressSpace.GLOBAL),)
    assert (found.declared, found.used) == (("own", "shared", "k", "x"), ("k", "A"))
    assert found.called == ("helper",)
    assert (found.bytes_in(AddressSpace.PRIVATE), found.bytes_in(AddressSpace.LOCAL)) == (6, 32)
    nodes = [part for each in statements(BODY) for operand in operands(each) for part in expressions(operand)]
    assert found.kinds == {*map(type, statements(BODY)), *map(type, nodes)}


def test_a_file_has_those_of_its_functions_and_the_elements_of_its_tables() -> None:
    found = features_of_file(tree.File((HELPER, KERNEL), tables=(tree.Table(Scalar.U16, "T", (1, 2)),)))
    assert found.types[0] is Scalar.U16
    assert found.statements == 11
    assert found.functions == (Function.SQRT, Function.EXP)
    assert features_of_file(tree.File(())) == features_of(())


def test_a_function_is_walked_once_and_a_changed_one_anew() -> None:
    first = KERNEL.get(features_of_function)
    assert KERNEL.get(features_of_function) is first
    changed = replace(KERNEL, body=HELPER.body)
    assert changed.get(features_of_function).functions == (Function.SQRT,)
    assert KERNEL.get(features_of_function) is first
    same = replace(KERNEL)
    assert same == KERNEL
    assert hash(same) == hash(KERNEL)


@pytest.mark.parametrize("field", [each.name for each in fields(Features)])
def test_nothing_is_found_in_nothing(field: str) -> None:
    assert not getattr(features_of(()), field)
