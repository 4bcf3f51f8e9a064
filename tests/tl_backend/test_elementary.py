"""`exp`, `log`, `tanh` and `erf` as statements: errors in units in the last place, and special numbers to the bit."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from einsum_front.core.functions import Function
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.interpret import launch
from einsum_front.tl_backend.kernel.memory import Memory
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.kernel.verify import verify
from einsum_front.tl_backend.opencl.elementary import ELEMENTARY, F64, elementary
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.opencl.harness import OWN, function_of, run

pytestmark = pytest.mark.usefixtures("optimized_builds")

Array = NDArray[Any]

COUNT = 4096
KINDS = {"f32": np.float32, "f64": np.float64}
FUNCTIONS = sorted(ELEMENTARY, key=lambda function: function.value)
_ERF = np.frompyfunc(math.erf, 1, 1)


def numbers(kind: type) -> Array:
    """Of both signs: special and denormal ones, of all sizes, and dense where functions change."""
    limits = np.finfo(kind)
    random = np.random.default_rng(62)
    special = [0.0, np.inf, np.nan, limits.max, limits.tiny, limits.smallest_subnormal, 1.0, 2.0, 0.5, math.sqrt(2)]
    ends = [math.log(float(limits.max)), -math.log(float(limits.tiny)), -math.log(float(limits.smallest_subnormal))]
    near = [value * (1 + step * float(limits.eps)) for value in (1.0, *ends) for step in range(-4, 5)]
    few = (COUNT - 2 * len(special) - 2 * len(near)) // 6
    parts = [
        special,
        near,
        np.exp(random.uniform(math.log(float(limits.tiny)), math.log(float(limits.max)), few)),
        limits.tiny * random.uniform(0, 1, few),
        random.uniform(0, 7, few),
    ]
    half = np.concatenate([np.asarray(part, np.float64) for part in parts])
    with np.errstate(over="ignore"):
        both: Array = np.concatenate([half, -half]).astype(kind)
    return np.resize(both, COUNT)


def expected(function: Function, x: Array) -> NDArray[np.longdouble]:
    """The value in more bits than the type of x has, except that of `erf` in f64."""
    with np.errstate(all="ignore"):
        if function is Function.ERF:
            return np.asarray(_ERF(x.astype(np.float64)), np.longdouble)
        return np.asarray(getattr(np, function.value)(x.astype(np.longdouble)), np.longdouble)


def assert_right(function: Function, x: Array, found: Array, *, has_denormals: bool = True) -> None:
    """Close in units of the last place; infinities, NaN and the signs of zeros exactly.

    Without denormal numbers, what reads or gives one is left out, zeros too.
    """
    wanted = expected(function, x)
    with np.errstate(all="ignore"):
        rounded = wanted.astype(x.dtype)
    limits = np.finfo(x.dtype)
    if not has_denormals:
        tiny = (np.abs(x) < limits.tiny) | (np.abs(rounded) < limits.tiny)
        x, found, wanted, rounded = (each[~tiny] for each in (x, found, wanted, rounded))
    finite = np.isfinite(rounded)
    np.testing.assert_array_equal(found[~finite], rounded[~finite])
    assert np.array_equal(np.signbit(found)[~np.isnan(rounded)], np.signbit(rounded)[~np.isnan(rounded)])
    size = np.minimum(np.abs(rounded[finite]), limits.max / 2)
    unit = np.spacing(size).astype(np.longdouble)
    error = np.abs(found[finite].astype(np.longdouble) - wanted[finite]) / unit
    worst = int(np.argmax(error))
    assert error[worst] <= function.row.units, (x[finite][worst], found[finite][worst], wanted[finite][worst])


def interpreted(function: Function, x: Array, width: int) -> Array:
    """What the statements make of x, each work-item with a vector of equal entries."""
    scalar = Scalar(x.dtype.name.replace("float", "f"))
    type_ = Vector(scalar, width) if width > 1 else scalar
    item, entry = tree.ItemId(0), tree.Subscript(tree.Name("x"), tree.ItemId(0))
    operand: tree.Expression = tree.Pack(type_, (entry,)) if isinstance(type_, Vector) else entry
    result: tree.Expression = tree.Lanes(tree.Name("y"), (width - 1,)) if width > 1 else tree.Name("y")
    names = Names(["x", "y", "target"])
    body: tuple[tree.Statement, ...] = (
        *elementary(function, {"y": operand}, type_, names),
        tree.Assign(tree.Subscript(tree.Name("target"), item), result),
    )
    assert isinstance(body[0], tree.Declare)
    pointers = (Pointer(scalar, AddressSpace.GLOBAL, is_const=True), Pointer(scalar, AddressSpace.GLOBAL))
    parameters = tuple(tree.Parameter(type_, name) for type_, name in zip(pointers, ("x", "target"), strict=True))
    file = tree.File((tree.Function("f", parameters, body, (COUNT, 1, 1)),))
    verify(file)
    memory, target = Memory(), np.zeros_like(x)
    addresses = memory.place("x", x), memory.place("target", target)
    launch(file, "f", addresses, 1, memory)
    memory.fetch(addresses[1], target)
    return target


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("element", KINDS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.value)
def test_the_statements_are_right(function: Function, element: str, width: int) -> None:
    x = numbers(KINDS[element])
    assert_right(function, x, interpreted(function, x, width))


def test_a_wrong_coefficient_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = F64.exp
    monkeypatch.setattr(f"{elementary.__module__}.F64", replace(F64, exp=(first * (1 + 1e-13), *others)))
    x = numbers(np.float64)
    with pytest.raises(AssertionError):
        assert_right(Function.EXP, x, interpreted(Function.EXP, x, 1))


@pytest.mark.parametrize("schedule", [ScheduleKind.WORK_GROUP, ScheduleKind.BATCH_SIMD], ids=lambda kind: kind.value)
@pytest.mark.parametrize("element", KINDS)
def test_the_device_is_right(element: str, schedule: ScheduleKind) -> None:
    """Products and sums in one step change the last bit; a device may take denormal numbers of f32 for 0."""
    if not OWN.is_cpu:
        pytest.skip("elsewhere functions are those of the device")
    batch, rows = 8, COUNT // 8
    lines = [
        ";! batched %x",
        ";! batched %y",
        f"func @f(%x: memref<{element}x{rows}x?>, %y: memref<{element}x{rows}x{len(FUNCTIONS)}x?>) {{",
        "  %g = group_id",
        f"  %xg = subview %x[:, %g] : memref<{element}x{rows}x?>",
        f"  %yg = subview %y[:, :, %g] : memref<{element}x{rows}x{len(FUNCTIONS)}x?>",
        f"  foreach %i = 0, {rows} {{",
        f"    %a = load %xg[%i] : memref<{element}x{rows}>",
    ]
    for column, function in enumerate(FUNCTIONS):
        lines.append(f"    %{column} = math.{function.value} %a : {element}")
        lines.append(f"    store %{column}, %yg[%i, {column}] : memref<{element}x{rows}x{len(FUNCTIONS)}>")
    x = numbers(KINDS[element])
    given = {
        "x": np.asfortranarray(x.reshape(rows, batch)),
        "y": np.zeros((rows, len(FUNCTIONS), batch), x.dtype, "F"),
    }
    found = run(function_of("\n".join([*lines, "  }", "}"]) + "\n"), given, batch, tuning=Tuning(schedule))
    for column, function in enumerate(FUNCTIONS):
        values = found["y"][0][:, column].reshape(-1)
        assert_right(function, x, values, has_denormals=element == "f64")
