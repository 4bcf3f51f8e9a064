"""Transformed loops in torch-mlir: its verifier takes them, its JIT computes what the loops computed before."""

import numpy as np
import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.mlir.parse import parse
from einsum_front.mlir.unparse import unparse
from tests.mlir import oracle
from tests.mlir.running import distance
from tests.mlir.transform.test_steps import HIGHER, SCRIPTS, WINDOW, applied, layer

CASES = {name: (layer("20", "9", "20"), script) for name, script in SCRIPTS.items() if "library" not in script}
CASES["higher"] = HIGHER, "loops contract [0]"
CASES["window"] = WINDOW, "tile_using_for conv_2d [4, 5, 2, 0]\npromote conv_2d [0]"


@pytest.mark.parametrize("name", CASES)
def test_their_jit_computes_the_same(name: str) -> None:
    text, script = CASES[name]
    random = np.random.default_rng(0)
    before = parse(Source("t.mlir", text))
    shapes = [each.type.shape for each in before.functions[0].arguments if hasattr(each.type, "shape")]
    given = [random.uniform(-1, 1, [size or 0 for size in shape]) for shape in shapes]
    expected = oracle.run_in_place(unparse(before), "f", given)
    found = oracle.run_in_place(unparse(applied(text, script)), "f", given)
    assert distance(found, expected) < 1e-13
