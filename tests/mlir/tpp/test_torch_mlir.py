"""torch-mlir verifies and runs what primitives stand for: its numbers are ours, for special numbers too."""

import numpy as np
import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.parse import parse
from einsum_front.mlir.tpp.expand import expanded
from einsum_front.mlir.unparse import unparse
from einsum_front.mlir.verify import check
from tests.mlir import oracle
from tests.mlir.tpp.operations import CASES, Array, Case, text_of

TOLERANCE = {"f64": 1e-12, "f32": 1e-6}
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-310, -1e-310, 1e300, -1e-30)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("special", [False, True], ids=["tame", "special"])
def test_primitives(case: Case, element: str, special: bool) -> None:
    numbers = np.random.default_rng(3)
    dtype = np.float64 if element == "f64" else np.float32

    def drawn(shape: tuple[int, ...]) -> Array:
        found = numbers.uniform(0.1, 1.0, shape) * numbers.choice([1.0] if case.name == "sqrt" else [-1.0, 1.0], shape)
        if special:
            found = np.where(numbers.random(shape) < 0.3, numbers.choice(SPECIAL, shape), found)
        with np.errstate(all="ignore"):
            return np.asarray(found, dtype)

    module = parse(Source("f.tpp", text_of(case, "memref", element)))
    check(module)
    plain = expanded(module)
    check(plain)
    arguments = [drawn(shape) for shape in (*case.inputs, *case.outputs)]
    wanted = [each.copy() for each in arguments]
    interpret(module, "f", wanted)
    text = unparse(plain)
    oracle.printed(text, generic=True)
    found = oracle.run_in_place(text, "f", arguments)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(one, float), np.asarray(other, float), *2 * (TOLERANCE[element],))
        assert (np.isnan(one) | (np.signbit(one) == np.signbit(other)) | (other != 0)).all()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_primitives_on_tensors(case: Case) -> None:
    module = parse(Source("f.tpp", text_of(case, "tensor", "f64")))
    numbers = np.random.default_rng(4)
    shapes = [each.type.shape for each in module.functions[0].arguments if not isinstance(each.type, str)]  # type: ignore[union-attr]  # tensors
    arguments: list[Array] = [numbers.uniform(0.1, 1.0, [size or 1 for size in shape]) for shape in shapes]
    wanted = [np.asarray(each, float) for each in interpret(module, "f", arguments)]
    found = oracle.run(unparse(expanded(module)), "f", arguments, wanted)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(one, float), np.asarray(other, float), 1e-12)
