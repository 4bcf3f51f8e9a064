"""Zero patterns are exact."""

from dataclasses import replace

import numpy as np
from hypothesis import HealthCheck, given, settings

from einsum_front.core.diagnostics import Source
from einsum_front.core.extent import static_shape
from einsum_front.core.pattern_network import Factor
from einsum_front.core.storage import Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.notation import syntax
from einsum_front.notation.check import check
from einsum_front.notation.check.patterns import pattern, walked_by
from einsum_front.notation.checked import Access
from einsum_front.notation.indexed_array import view
from einsum_front.notation.parse import parse
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
    patterns = {t.name: t.nonzeros for t in checked.tensors if t.nonzeros is not None}
    arrays = {}
    for tensor in checked.tensors:
        ones = patterns.get(tensor.name, Pattern.full(static_shape(tensor.shape))).array().astype(np.float64)
        arrays[tensor.name] = ones if tensor.storage is Storage.CONSTANT else ones[np.newaxis]

    target = checked.kernels[0].statements[0].target
    assert isinstance(target, Access)
    Oracle(program, arrays, dict.fromkeys(SCALARS, 1.0), magnitudes=True).assign(
        replace(first, operator=syntax.AssignmentOperator.SET)
    )
    written = view(arrays[target.tensor][0], target)
    entries = Factor(written.names, Pattern.full(written.data.shape))
    known = walked_by(pattern(checked.kernels[0].statements[0].value, patterns), entries)
    assert np.array_equal(known.array(), written.data > 0)


def test_a_product_of_dense_tensors_needs_no_large_array() -> None:
    """A pattern with all its indices spelled out would have 10**18 entries."""
    modes = ", ".join(["1000"] * 2)
    text = f"tensor A[{modes}] tensor B[{modes}] tensor R[{modes}]" + "".join(
        f" tensor X{n}[{modes}]" for n in range(4)
    )
    program = check(parse(Source("t.ein", text + " kernel f { R[ij] = A[ik]*X0[kl]*X1[lm]*X2[mn]*X3[nj] }")))
    assert pattern(program.kernels[0].statements[0].value, {}).pattern == Pattern.full((1000, 1000))


def test_statements_on_large_tensors_are_followed_by_what_they_say() -> None:
    """A tensor of two thousand million entries, of which few are declared, is checked like a small one."""
    text = """
    tensor R[40000, 50000] constant nonzeros [(0,0), (3,7), (39999,49999)]
    tensor S[40000, 50000]
    tensor x[50000]
    tensor y[40000] nonzeros [(0), (3), (39999)]
    kernel f { y[i] += R[i,j] * x[j] }
    kernel g { S[i=0:10,j] = R[i=0:10,j] S[i=5:20,j=1:4] += 1 }
    """
    checked = check(parse(Source("t.ein", text)))
    declared = {tensor.name: tensor.nonzeros for tensor in checked.tensors if tensor.nonzeros is not None}
    found = pattern(checked.kernels[0].statements[0].value, declared)
    assert found.pattern == declared["y"]
    assert found.pattern.cells.size < 8
