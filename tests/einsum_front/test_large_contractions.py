"""Contractions of any indices in any order, computed tile by tile, are those of NumPy."""

from math import prod
from string import ascii_lowercase

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from einsum_front.driver import Session, limits_of
from einsum_front.index_string.make import graph_of
from einsum_front.index_string.program import read_einsum
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.launches.launch import Kernel
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.pipeline import passes, run
from einsum_front.tl_backend.schedules.choice import is_possible
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.profiles import share
from tests.tl_backend.opencl.harness import ONLY_CPUS_HAVE_TILES, TARGET

EXTENTS = st.integers(1, 9) | st.integers(1, 20)
LARGEST = 2**20


@st.composite
def contractions(draw: st.DrawFn) -> tuple[str, tuple[tuple[int, ...], ...]]:
    """An index string of two operands, and their shapes."""
    counts = [draw(st.integers(low, 2)) for low in (1, 1, 1, 0)]
    letters = iter(ascii_lowercase)
    rows, columns, depths, shared = ([next(letters) for _ in range(count)] for count in counts)
    extents = {letter: draw(EXTENTS) for letter in (*rows, *columns, *depths, *shared)}
    assume(prod(extents.values()) <= LARGEST)
    terms = [draw(st.permutations(term)) for term in (rows + depths, depths + columns, rows + columns)]
    left, right, result = ("".join([*shared, *term]) for term in terms)
    shapes = tuple(tuple(extents[letter] for letter in term) for term in (left, right))
    return f"{left},{right}->{result}", shapes


@pytest.mark.skipif(not TARGET.is_cpu, reason=ONLY_CPUS_HAVE_TILES)
@share(0.5)  # a kernel is built for each
@given(contractions(), st.sampled_from(["f32", "f64"]))
def test_tiles_are_what_numpy_computes(case: tuple[str, tuple[tuple[int, ...], ...]], real: str) -> None:
    text, shapes = case
    random = np.random.default_rng(0)
    dtype = {"f32": np.float32, "f64": np.float64}[real]
    left, right = (random.integers(-8, 8, shape).astype(dtype) for shape in shapes)
    string = read_einsum(text, shapes)
    translation = Session(DEFAULT).compile_graph(graph_of(string.kernel, real))
    function = run(translation.tensor_language, passes(limits_of(DEFAULT)))
    assume(is_possible(function, DEFAULT, Tuning(ScheduleKind.PACKED)))
    result = np.full(string.shape, np.nan, dtype)
    arrays = {
        argument.name: array if string.kernel.has_batch_index or not argument.is_batched else array[None]
        for argument, array in zip(string.kernel.operands, (left, right), strict=True)
    }
    arrays[string.kernel.output.name] = result if string.kernel.has_batch_index else result[None]
    Kernel(emit(function, DEFAULT, Tuning(ScheduleKind.PACKED)), find_device())(**arrays)
    np.testing.assert_array_equal(result, np.einsum(text, left, right))


def test_a_large_contraction_is_not_cut_along_its_first_index() -> None:
    shapes = [(64, 64, 64), (64, 64)]
    assert not read_einsum("aik,kj->aij", shapes).kernel.has_batch_index
    assert read_einsum("aik,kj->aij", [(64, 9, 9), (9, 9)]).kernel.has_batch_index
