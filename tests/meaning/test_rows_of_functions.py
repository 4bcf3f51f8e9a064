"""Every row of the table of functions, from the notation down to the device: units in the last place, special numbers.

A function that is added there is tried here without another line.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import Source
from einsum_front.core.functions import SELECTIONS, Function, evaluate
from einsum_front.ir.yateto.parse import parse as parse_yateto
from einsum_front.notation.check.functions import FUNCTIONS
from einsum_front.tl_backend.parse import parse as parse_tensor_language
from tests.sources import modules
from tests.tl_backend.test_elementary import numbers

Array = NDArray[Any]

UNARY = [each for each in FUNCTIONS.values() if each.arity == 1]
KINDS = {"f32": np.float32, "f64": np.float64}

_ERF = np.frompyfunc(math.erf, 1, 1)


def _erf(x: Array) -> Array:
    return np.asarray(_ERF(x.astype(np.float64)), np.longdouble)


REFERENCES: dict[str, Callable[[Array], Array]] = {
    "erf": _erf,
    "relu": lambda x: np.where(x < 0, np.longdouble(0), x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "gelu": lambda x: x / 2 * (_erf(x.astype(np.longdouble) * np.sqrt(np.longdouble(0.5))) + 1),
    "softplus": lambda x: np.logaddexp(np.longdouble(0), x),
    "atan": np.arctan,
    "round": lambda x: np.copysign(np.floor(np.abs(x) + np.longdouble(0.5)), x),
}
"""In more bits than the types have; the others are those of NumPy by the same name."""

CANCELS = {Function.SIGMOID: 0.0, Function.GELU: 1.0}
"""Functions whose formula cancels for large negative numbers: errors are those of 1, or of x."""


def made_of(function: Function, x: Array) -> Array:
    """The value by the calls of the row, in NumPy."""

    def call(called: Function, /, *arguments: Any) -> Array:
        typed = [np.asarray(each, x.dtype) for each in arguments]
        return evaluate(called, typed) if called.row.made_of is None else called.row.made_of(call, *typed)

    assert function.row.made_of is not None
    with np.errstate(all="ignore"):
        return np.asarray(function.row.made_of(call, x))


def assert_right(function: Function, x: Array, found: Array) -> None:
    reference = REFERENCES.get(function.value, getattr(np, function.value, None))
    assert reference is not None, f"REFERENCES lacks `{function.value}`"
    limits = np.finfo(x.dtype)
    with np.errstate(all="ignore"):
        wanted = np.asarray(reference(x.astype(np.longdouble)), np.longdouble)
        rounded = wanted.astype(x.dtype)
    if x.dtype == np.float32:  # devices may take denormal numbers for 0
        kept = ~(((np.abs(x) < limits.tiny) & (x != 0)) | ((np.abs(rounded) < limits.tiny) & (rounded != 0)))
        x, found, wanted, rounded = x[kept], found[kept], wanted[kept], rounded[kept]
    finite = np.isfinite(rounded)
    np.testing.assert_array_equal(found[~finite], rounded[~finite])
    size = np.abs(rounded[finite])
    if function in CANCELS:
        size = np.maximum(size, np.abs(x[finite]) if CANCELS[function] else 1)
    unit = np.spacing(np.minimum(size, limits.max / 2).astype(x.dtype)).astype(np.longdouble)
    error = np.abs(found[finite].astype(np.longdouble) - wanted[finite]) / unit
    worst = int(np.argmax(error))
    # the device may multiply and add in one step, which moves the last bit of each of a few operations
    assert error[worst] <= function.row.units + 1, (x[finite][worst], found[finite][worst], wanted[finite][worst])


@pytest.mark.parametrize("element", KINDS)
@pytest.mark.parametrize("function", UNARY, ids=lambda each: each.value)
def test_numpy_and_what_it_is_made_of_agree(function: Function, element: str) -> None:
    x = numbers(KINDS[element])
    assert_right(function, x, evaluate(function, [x]))
    if function.row.made_of is not None:
        assert_right(function, x, made_of(function, x))


@pytest.mark.parametrize("device", ["auto", "c"])
@pytest.mark.parametrize("element", KINDS)
def test_devices_agree_with_numpy(element: str, device: str) -> None:
    x = numbers(KINDS[element])
    rows = 8
    outputs = " ".join(f"tensor y_{each.value}[{rows}]" for each in UNARY)
    statements = " ".join(f"y_{each.value}[i] = {each.value}(x[i])" for each in UNARY)
    text = f"real {element} tensor x[{rows}] {outputs} kernel f {{ {statements} }}"
    kernel = ef.compile(ef.parse(text), device=device)["f"]
    given = x.reshape(-1, rows)
    results = {f"y_{each.value}": np.zeros_like(given) for each in UNARY}
    kernel(x=given, **results)
    for each in UNARY:
        assert_right(each, x, results[f"y_{each.value}"].reshape(-1))


def test_levels_agree_on_every_function() -> None:
    calls = [f"{each.value}({', '.join(['a[i]', 'b[i]'][: each.arity])})" for each in FUNCTIONS.values()]
    statement = " + ".join(calls)
    program = ef.parse(f"tensor y[4] tensor a[4] tensor b[4] kernel f {{ y[i] = {statement} }}")
    assert all(each.agrees for each in ef.compile(program)["f"].verify())


def test_a_row_is_computed_in_one_way() -> None:
    operators = {Function.ADD, Function.SUB, Function.MUL, Function.DIV, Function.MAX, Function.MIN} | SELECTIONS
    for each in Function:
        ways = (bool(each.row.c), each.row.made_of is not None, each in operators)
        assert sum(ways) == 1, each


def test_every_language_reads_its_words() -> None:
    for each in Function:
        operands = ", ".join(["%x"] * each.arity)
        if each.is_instruction:
            parse_tensor_language(Source("f.tl", f"func @f(%x: f64) {{ %y = math.{each.value} {operands} : f64 }}"))
        entries = ", ".join(["$0"] * each.arity)
        text = (
            "define @f(%x: memref<f64x4>, %y: memref<f64x4>) {\n"
            f"  elementwise {{i to i}} 1.0, %x, 0.0, %y {{ $1 = {each.value} {entries} }}\n"
            "      : memref<f64x4> to memref<f64x4>\n"
            "}\n"
        )
        parse_yateto(Source("f.yir", text))


@pytest.mark.parametrize("name", ["softplus", "log1p"])
def test_a_function_is_named_in_two_modules(name: str) -> None:
    """The table, and the formulas in Python; the third file is the manual."""
    named = {module for module, path in modules().items() if name in path.read_text(encoding="utf-8")}
    named -= {"tl_backend/targets/reserved.py"}  # all words of OpenCL C, those that nobody uses as well
    assert named == {"core/functions.py", "einsum_front/functions.py"}


def test_large_and_small_numbers_of_softplus() -> None:
    for kind in ("f4", "f8"):
        x: Array = np.array([1000, -1000, 0, -40, 40, -0.0, np.inf, -np.inf, np.nan], kind)
        wanted = [1000, 0, np.log(2), np.exp(-40.0), 40, np.log(2), np.inf, 0, np.nan]
        rtol = 4 * float(np.finfo(x.dtype).eps)
        np.testing.assert_allclose(made_of(Function.SOFTPLUS, x), np.array(wanted, kind), rtol=rtol)
