"""What is said to be zero is zero, whatever the arguments are, and products are followed entry by entry."""

from copy import deepcopy

import numpy as np
from hypothesis import assume, given

from einsum_front.core.runs import Mask
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.passes.state_nonzeros import state_nonzeros
from einsum_front.tl_backend.schedules.positions.facts import Facts, find_facts
from einsum_front.tl_backend.schedules.positions.places import Place, UnsuitableError
from einsum_front.tl_backend.schedules.positions.zeros import entry_positions
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.opencl.harness import function_of
from tests.tl_backend.schedules.batch_simd.strategies import lane_cases
from tests.tl_backend.strategies import Case


@share(1)
@given(lane_cases())
def test_entries_outside_of_the_pattern_stay_zero(case: Case) -> None:
    try:
        facts = find_facts(state_nonzeros(case.function))
    except UnsuitableError:
        assume(False)
    arguments = deepcopy(case.arguments)
    interpret(case.function, arguments, case.groups)
    for argument in case.function.arguments:
        if not isinstance(argument.type, ScalarType):
            name = argument.name.name
            value = arguments[name]
            is_batch = name in facts.places.batch_modes and not isinstance(value, list)
            items = np.moveaxis(value, -1, 0) if is_batch else value if isinstance(value, list) else [value]
            for item in items:
                assert not item.reshape(-1, order="F")[~entries(facts, name)].any()


def entries(facts: Facts, base: str) -> Mask:
    """For every entry, first mode fastest, whether it is in the pattern."""
    if base not in facts.storages:
        return np.ones(0, np.bool_)
    memref = facts.storages[base].memref
    shape, strides = (tuple(extent or 0 for extent in of) for of in (memref.shape, memref.strides))
    return facts.patterns[base][entry_positions(Place(base, Affine(0), shape, strides))]


def pattern(text: str, base: str) -> list[int]:
    """The positions of a base that may differ from zero."""
    return np.flatnonzero(find_facts(state_nonzeros(function_of(text))).patterns[base]).tolist()


def test_a_product_of_patterns() -> None:
    text = """;! nonzeros %K 1 6
    ;! batched %Q
    ;! nonzeros %Q 0 3
    func @f(%K: memref<f64x3x3>, %Q: memref<f64x3x3x?>) {
      %id = group_id
      %q = subview %Q[:, :, %id] : memref<f64x3x3x?>
      %t = alloca -> memref<f64x3x3>
      gemm.n.n 1.0, %K, %q, 0.0, %t : f64, memref<f64x3x3>, memref<f64x3x3>, f64, memref<f64x3x3>
    }"""
    # K[1,0], K[0,2] times Q[0,0], Q[0,1]
    assert pattern(text, "t") == [1, 4]


def test_a_view_that_moves_with_a_loop_has_no_zeros() -> None:
    text = """;! batched %Q
    ;! nonzeros %Q 0 3
    func @f(%Q: memref<f64x3x3x?>) {
      %id = group_id
      %q = subview %Q[:, :, %id] : memref<f64x3x3x?>
      for %i = 0, 2 {
        %v = subview %q[:, %i] : memref<f64x3x3>
        %x = load %v[0] : memref<f64x3>
      }
      %w = subview %q[:, 2] : memref<f64x3x3>
      %v0 = subview %q[:, 0] : memref<f64x3x3>
      axpby.n 1.0, %w, 1.0, %v0 : f64, memref<f64x3>, f64, memref<f64x3>
    }"""
    assert pattern(text, "Q") == [0, 3]
