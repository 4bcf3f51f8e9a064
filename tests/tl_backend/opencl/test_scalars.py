"""Scalar arithmetic, comparisons and casts in every type, on values at the ends of the ranges."""

import numpy as np
import pytest

from einsum_front.runtime.launches.build import rounds_quotients
from einsum_front.tl_backend.scalars import DTYPES, integer_bounds
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import DEVICE, Array, compare, function_of

INTEGERS = [type_ for type_ in ScalarType if type_.is_integer and type_ is not ScalarType.BOOL]
NUMBERS = [*INTEGERS, ScalarType.F32, ScalarType.F64]
WORK_GROUPS = [(1, 1), (4, 2)]


def values(type_: ScalarType) -> Array:
    """Numbers around 0, the ends of the range, and others in between."""
    if type_.is_floating:
        return np.array([0.0, -0.0, 1.0, -1.5, 2.75, -1e30, 3e-30, 12345.678, np.inf, 0.1], DTYPES[type_])
    low, high = integer_bounds(type_)
    some = [0, 1, 2, 3, 7, high, high - 1, low, low + 1, high // 3, low // 5]
    return np.array(some, object).astype(DTYPES[type_])


def pairs(type_: ScalarType) -> tuple[Array, Array]:
    """Every value with every other one."""
    left, right = np.meshgrid(values(type_), values(type_))
    return left.ravel(), right.ravel()


def elementwise(operations: list[tuple[str, str, str]], inputs: dict[str, tuple[str, Array]], size: int) -> str:
    """A kernel that applies each (name, operation, result type) to all elements of the inputs."""
    arguments = [f"%{name}s: memref<{type_}x{size}>" for name, (type_, _) in inputs.items()]
    arguments += [f"%out_{name}: memref<{type_}x{size}>" for name, _, type_ in operations]
    body = [f"%{name} = load %{name}s[%e] : memref<{type_}x{size}>" for name, (type_, _) in inputs.items()]
    for name, operation, type_ in operations:
        body.append(f"%{name} = {operation}")
        body.append(f"store %{name}, %out_{name}[%e] : memref<{type_}x{size}>")
    lines = "\n    ".join(body)
    return f"func @f({', '.join(arguments)}) {{\n  foreach %e = 0, {size} {{\n    {lines}\n  }}\n}}"


def check_elementwise(
    operations: list[tuple[str, str, str]], inputs: dict[str, tuple[str, Array]], work_group: tuple[int, int] = (1, 1)
) -> None:
    size = len(next(iter(inputs.values()))[1])
    arguments = {f"{name}s": array for name, (_, array) in inputs.items()}
    for name, _, type_ in operations:
        arguments[f"out_{name}"] = np.zeros(size, DTYPES[ScalarType(type_)])
    compare(function_of(elementwise(operations, inputs, size), work_group), arguments)


@pytest.mark.parametrize("work_group", WORK_GROUPS)
@pytest.mark.parametrize("type_", NUMBERS)
def test_sums_and_comparisons(type_: ScalarType, work_group: tuple[int, int]) -> None:
    left, right = pairs(type_)
    word = type_.value
    operations = [(op, f"arith.{op} %a, %b : {word}", word) for op in ("add", "sub", "mul")]
    operations += [(f"cmp_{op}", f"cmp.{op} %a, %b : {word}", "i1") for op in ("eq", "ne", "gt", "ge", "lt", "le")]
    operations += [("neg", f"arith.neg %a : {word}", word)]
    check_elementwise(operations, {"a": (word, left), "b": (word, right)}, work_group)


@pytest.mark.parametrize("type_", NUMBERS)
def test_quotients(type_: ScalarType) -> None:
    """Where they are defined: not by 0, and not where the quotient does not fit."""
    if type_ is ScalarType.F32 and not rounds_quotients(DEVICE.handle):
        pytest.skip("the device does not round quotients of f32 correctly")
    left, right = pairs(type_)
    defined = right != 0
    if type_.is_signed:
        defined &= (right != -1) | (left != integer_bounds(type_)[0])
    word = type_.value
    operations = [(op, f"arith.{op} %a, %b : {word}", word) for op in ("div", "rem")]
    check_elementwise(operations, {"a": (word, left[defined]), "b": (word, right[defined])})


@pytest.mark.parametrize("type_", INTEGERS)
def test_bits(type_: ScalarType) -> None:
    left, right = pairs(type_)
    amounts = np.arange(len(left)) % type_.bits
    word = type_.value
    operations = [(f"bit_{op}", f"arith.{op} %a, %b : {word}", word) for op in ("and", "or", "xor")]
    operations += [("bit_not", f"arith.not %a : {word}", word)]
    operations += [(op, f"arith.{op} %a, %n : {word}", word) for op in ("shl", "shr")]
    inputs = {"a": (word, left), "b": (word, right), "n": (word, amounts.astype(DTYPES[type_]))}
    check_elementwise(operations, inputs)


def test_booleans() -> None:
    left, right = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    operations = [(f"bit_{op}", f"arith.{op} %a, %b : i1", "i1") for op in ("and", "or", "xor")]
    operations += [("bit_not", "arith.not %a : i1", "i1"), ("same", "cmp.eq %a, %b : i1", "i1")]
    check_elementwise(operations, {"a": ("i1", left), "b": ("i1", right)})


COMPUTED = [type_ for type_ in ScalarType if type_.is_computed]


@pytest.mark.parametrize("type_", COMPUTED)
def test_casts(type_: ScalarType) -> None:
    """From every type to this one; floating-point numbers only where this type can hold them."""
    small = np.array([0, 1, 2, 3, 77, 100, 0, 5, 6, 7, 8])
    operations, inputs = [], {}
    for source in COMPUTED:
        name = f"from_{source.value}"
        array = small + 0.75 if source.is_floating else np.resize(values(source), small.shape)
        if source is ScalarType.BOOL:
            array = small % 2
        operations.append((f"to_{source.value}", f"cast %{name} : {source.value} -> {type_.value}", type_.value))
        inputs[name] = (source.value, array.astype(DTYPES[source]))
    check_elementwise(operations, inputs)


@pytest.mark.parametrize("type_", NUMBERS)
def test_constants_of_every_type(type_: ScalarType) -> None:
    word = type_.value
    if type_.is_floating:
        constants = ["0.0", "-1.5", "0x1.8p-3", "3.4028234e38", "-1e-40", "0.1"]
    else:
        low, high = integer_bounds(type_)
        constants = [str(max(low, -(2**63) + 1)), str(min(high, 2**63 - 1)), "0", "1"]
    operations = [(f"op{n}", f"arith.add %a, {constant} : {word}", word) for n, constant in enumerate(constants)]
    operations += [(f"cmp{n}", f"cmp.lt {constant}, %a : {word}", "i1") for n, constant in enumerate(constants)]
    check_elementwise(operations, {"a": (word, values(type_))})
