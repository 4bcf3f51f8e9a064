"""Zero patterns are exact."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from einsum_front.core.diagnostics import Source
from einsum_front.core.extent import static_shape
from einsum_front.core.storage import Storage
from einsum_front.notation import patterns, syntax
from einsum_front.notation.check import check
from einsum_front.notation.check.pattern_files import mask_of, runs
from einsum_front.notation.indexed_array import IndexedArray, view
from einsum_front.notation.parse import parse
from einsum_front.notation.patterns import pattern
from tests.einsum_front.oracle import Oracle
from tests.einsum_front.strategies import SCALARS, programs


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(text=programs())
def test_a_pattern_is_where_positive_numbers_give_something(text: str) -> None:
    """With 1 at every entry that may differ from zero and nothing subtracted, exactly those entries are positive."""
    program = parse(Source("random.ein", text))
    checked = check(program)
    kernel = next(item for item in program.items if isinstance(item, syntax.Kernel))
    first = kernel.statements[0]
    assert isinstance(first, syntax.Assignment)
    masks = {t.name: mask_of(t.nonzeros, static_shape(t.shape)) for t in checked.tensors if t.nonzeros is not None}
    arrays = {}
    for tensor in checked.tensors:
        ones = masks.get(tensor.name, np.ones(static_shape(tensor.shape))).astype(np.float64)
        arrays[tensor.name] = ones if tensor.storage is Storage.CONSTANT else ones[np.newaxis]

    target = checked.kernels[0].statements[0].target
    Oracle(program, arrays, dict.fromkeys(SCALARS, 1.0), magnitudes=True).assign(
        replace(first, operator=syntax.AssignmentOperator.SET)
    )
    written = view(arrays[target.tensor][0], target)
    known = pattern(checked.kernels[0].statements[0].value, masks).spread(written.names)
    assert np.array_equal(np.broadcast_to(known, written.data.shape), written.data > 0)


def test_runs_are_column_major_and_half_open() -> None:
    mask = np.array([[True, False, True], [True, True, False]])
    assert runs(mask) == ((0, 2), (3, 5))
    assert runs(np.zeros((2, 3), dtype=bool)) == ()
    assert runs(np.ones((2, 3), dtype=bool)) is None
    assert np.array_equal(mask_of(((0, 2), (3, 5)), (2, 3)), mask)


def test_a_product_of_dense_tensors_needs_no_large_array() -> None:
    """A pattern with all its indices spelled out would have 10**18 entries."""
    modes = ", ".join(["1000"] * 2)
    text = f"tensor A[{modes}] tensor B[{modes}] tensor R[{modes}]" + "".join(
        f" tensor X{n}[{modes}]" for n in range(4)
    )
    program = check(parse(Source("t.ein", text + " kernel f { R[ij] = A[ik]*X0[kl]*X1[lm]*X2[mn]*X3[nj] }")))
    assert pattern(program.kernels[0].statements[0].value, {}).data.shape == (1, 1)


def test_products_of_matrices_give_the_patterns_of_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """The way for large patterns, taken for small ones; an axis of length 1 is the same everywhere."""
    generator = np.random.default_rng(7)
    shapes = (
        (("i", "j"), (5, 4)),
        (("j", "k"), (1, 6)),
        (("k", "j", "l"), (6, 4, 3)),
        (("l",), (1,)),
        (("i", "k"), (5, 6)),
    )
    for names in ((0, 1), (0, 2), (1, 2), (2, 3), (0, 4), (1, 3), (2, 2)):
        left, right = (IndexedArray(shapes[n][0], generator.random(shapes[n][1]) < 0.4) for n in names)
        every = {*left.names, *right.names}
        for summed in (frozenset[str](), frozenset("j"), frozenset("jk") & every, frozenset(every)):
            monkeypatch.setattr(patterns, "LARGEST_PRODUCT", 2**16)
            expected = patterns._join(left, right, summed)
            monkeypatch.setattr(patterns, "LARGEST_PRODUCT", 0)
            found = patterns._join(left, right, summed)
            assert found.names == expected.names
            np.testing.assert_array_equal(found.data, expected.data)
