"""Index strings and kernels on arrays of dask: lazy, equal to NumPy, one build in a process, our errors."""

import os
import pickle
import shutil
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.devices import c_compiler

da = pytest.importorskip("dask.array", reason="dask is not installed: pip install einsum-front[dask]")

import einsum_front.dask_arrays as worker  # noqa: E402 - behind the check

Array = Any
HAS_COMPILER = "CC" in os.environ or any(map(shutil.which, c_compiler.NAMES))

STRINGS = (
    ("bij,bjk->bik", [(20, 4, 5), (20, 5, 6)], [(6, 4, 5), (6, 5, 6)]),
    ("bij,jk->bik", [(20, 4, 5), (5, 6)], [(6, 4, 5), None]),
    ("bij,bjk->bik", [(20, 4, 5), (20, 5, 6)], [(6, 2, 5), (5, 5, 3)]),
    ("ij,jk->ik", [(14, 15), (15, 16)], [(7, 5), (5, 8)]),
    ("ij,jk,kl->il", [(6, 7), (7, 8), (8, 5)], [(3, 7), (7, 4), (8, 2)]),
    ("bij,bij->", [(20, 4, 5), (20, 4, 5)], [(5, 4, 5), (10, 4, 5)]),
    ("bi->b", [(20, 9)], [(6, 4)]),
    ("ij->ji", [(14, 15)], [(5, 4)]),
    ("ii->i", [(14, 14)], [(5, 4)]),
    ("ii", [(14, 14)], [(5, 4)]),
    ("bij,bij->b", [(20, 4, 5), (1, 4, 5)], [(6, 4, 5), None]),
    ("...ij,...jk->...ik", [(4, 3, 4, 5), (4, 3, 5, 6)], [(2, 3, 4, 5), (4, 2, 5, 6)]),
    (",i->i", [(), (14,)], [None, (5,)]),
)


def drawn(*shapes: tuple[int, ...]) -> list[Array]:
    numbers = np.random.default_rng(len(shapes))
    return [numbers.uniform(-1, 1, shape) for shape in shapes]


@pytest.mark.parametrize(("subscripts", "shapes", "chunks"), STRINGS)
def test_strings_are_numpys(
    subscripts: str, shapes: list[tuple[int, ...]], chunks: list[tuple[int, ...] | None]
) -> None:
    arrays = drawn(*shapes)
    lazy = [each if cut is None else da.from_array(each, chunks=cut) for each, cut in zip(arrays, chunks, strict=True)]
    before = worker.builds()
    found = ef.einsum(subscripts, *lazy)
    assert isinstance(found, da.Array)
    assert worker.builds() == before  # nothing has run
    wanted = np.einsum(subscripts, *arrays)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_allclose(found.compute(scheduler="threads"), wanted, 1e-12, 1e-12)


def test_chunks_along_the_batch_stay() -> None:
    a, b = drawn((20, 4, 5), (20, 5, 6))
    found = ef.einsum(
        "bij,bjk->bik", da.from_array(a, chunks=((3, 10, 7), 4, 5)), da.from_array(b, chunks=((3, 10, 7), 5, 6))
    )
    assert found.chunks == ((3, 10, 7), (4,), (6,))
    assert any("einsum bij" in str(key) for key in found.__dask_graph__())  # what dashboards show


def test_one_build_for_blocks_that_differ_in_their_batch_only() -> None:
    a, b = drawn((23, 3, 5), (23, 5, 7))
    before = worker.builds()
    lazy = ef.einsum("bij,bjk->bik", da.from_array(a, chunks=(4, 3, 5)), da.from_array(b, chunks=(4, 5, 7)))
    np.testing.assert_allclose(lazy.compute(scheduler="threads"), a @ b, 1e-12)
    assert worker.builds() == before + 1


def test_single_precision_and_other_types() -> None:
    a, b = (each.astype(np.float32) for each in drawn((20, 4, 5), (20, 5, 6)))
    lazy = [da.from_array(a, chunks=(6, 4, 5)), da.from_array(b, chunks=(6, 5, 6))]
    found = ef.einsum("bij,bjk->bik", *lazy)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.compute(scheduler="sync"), a @ b, 1e-5)
    wide = ef.einsum("bij,bjk->bik", *lazy, dtype=np.float64)
    assert wide.compute(scheduler="sync").dtype == np.float64


@pytest.mark.parametrize(
    ("subscripts", "options", "words"),
    [
        ("ij,jk->ik", {}, "index `j` has size"),
        ("ij->ik", {}, "k"),
        ("ij,ij->ij", {"memory": "1 MB"}, "`memory` is not for arrays of dask"),
        ("ij,ij->ij", {"order": "F"}, "`order` is not for arrays of dask"),
        ("ij,ij->ij", {"out": np.zeros((3, 4))}, "`out` is not for arrays of dask"),
    ],
)
def test_wrong_strings_are_our_errors_at_once(subscripts: str, options: dict[str, Any], words: str) -> None:
    lazy = [da.ones((3, 4), chunks=2) for _ in range(subscripts.count(",") + 1)]
    with pytest.raises(CompileError, match=words):
        ef.einsum(subscripts, *lazy, **options)


@pytest.mark.parametrize("kind", ["i1", "i8", "u8", "?", "f2", "F", "D"])
def test_any_numbers(kind: str) -> None:
    given = np.arange(12).reshape(3, 4).astype(kind)
    lazy = ef.einsum("ij,kj->ik", da.from_array(given, chunks=2), given)
    expected = np.einsum("ij,kj->ik", given, given)
    assert lazy.dtype == lazy.compute().dtype == expected.dtype
    np.testing.assert_array_equal(lazy.compute(), expected)


def test_other_numbers_have_no_schedule() -> None:
    with pytest.raises(CompileError, match=r"E0504.*int64"):
        ef.einsum("ij->ji", da.ones((3, 4), dtype=np.int64, chunks=2), schedule="work_group")
    with pytest.raises(CompileError, match=r"E0504.*<U1"):
        ef.einsum("ij->ji", da.from_array(np.full((3, 4), "a"), chunks=2))


# -- kernels -----------------------------------------------------------------------------------------------------------

PROGRAM = """
real f64
tensor K[4, 4] constant
tensor I[4, 3]
tensor Q[4, 3]
tensor s[4]
scalar dt
kernel adds   { Q[k,p] += dt * K[k,l] * I[l,p] }
kernel writes { Q[k,p] = K[k,l] * I[l,p] }
kernel two {
  Q[k,p] = K[k,l] * I[l,p]
  s[k] = Q[k,p]
}
"""


@pytest.fixture(scope="module")
def kernels() -> ef.CompiledProgram:
    return ef.compile(ef.parse(PROGRAM))


def elements() -> tuple[Array, Array, Array]:
    k, i, q = drawn((4, 4), (20, 4, 3), (20, 4, 3))
    return k, i, q


def test_a_kernel_that_adds(kernels: ef.CompiledProgram) -> None:
    k, i, q = elements()
    was = q.copy()
    found = kernels["adds"](K=k, I=da.from_array(i, chunks=(6, 2, 3)), Q=da.from_array(q, chunks=(7, 4, 3)), dt=0.5)
    assert found.chunks == ((6, 6, 6, 2), (4,), (3,))
    np.testing.assert_allclose(found.compute(scheduler="threads"), q + 0.5 * np.einsum("kl,blp->bkp", k, i), 1e-12)
    np.testing.assert_array_equal(q, was)
    assert any(str(key).startswith("('adds-") for key in found.__dask_graph__())


def test_outputs_that_are_overwritten_need_not_be_given(kernels: ef.CompiledProgram) -> None:
    k, i, _ = elements()
    found = kernels["writes"](K=da.from_array(k, chunks=2), I=da.from_array(i, chunks=(6, 4, 3)))
    np.testing.assert_allclose(found.compute(scheduler="threads"), np.einsum("kl,blp->bkp", k, i), 1e-12)


@pytest.mark.skipif(not HAS_COMPILER, reason="no C compiler on this machine")
@pytest.mark.parametrize("place", ["", "batch_fastest"])
def test_kernels_in_c_run_in_c(place: str) -> None:
    kernel = ef.compile(ef.parse(PROGRAM.replace("I[4, 3]", f"I[4, 3] {place}")), "c")["writes"]
    k, i, _ = elements()
    found = kernel(K=k, I=da.from_array(i, chunks=(6, 4, 3)))
    np.testing.assert_allclose(found.compute(scheduler="threads"), np.einsum("kl,blp->bkp", k, i), 1e-12)


def test_several_outputs_have_names(kernels: ef.CompiledProgram) -> None:
    k, i, _ = elements()
    found = kernels["two"](K=k, I=da.from_array(i, chunks=(6, 4, 3)))
    q = np.einsum("kl,blp->bkp", k, i)
    assert sorted(found) == ["Q", "s"]
    np.testing.assert_allclose(found["s"].compute(scheduler="threads"), q.sum(2), 1e-12)
    both = da.compute(found["Q"], found["s"], scheduler="threads")
    np.testing.assert_allclose(both[0], q, 1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"I": (20, 4, 3), "A": (20, 4, 3)}, "has no argument `A`"),
        ({"I": (20, 4, 3)}, "argument `K` is missing"),
        ({"I": (20, 4), "K": (4, 4)}, "has 3 modes, not 2"),
        ({"I": (20, 5, 3), "K": (4, 4)}, "expected"),
        ({"I": (20, 4, 3), "Q": (21, 4, 3), "K": (4, 4)}, "`Q` has 21 elements, and `I` has 20"),
    ],
)
def test_wrong_arguments_are_our_errors(
    arguments: dict[str, tuple[int, ...]], words: str, kernels: ef.CompiledProgram
) -> None:
    given = {name: da.ones(shape, chunks=shape) for name, shape in arguments.items()}
    with pytest.raises(CompileError, match=words):
        kernels["writes"](**given).compute(scheduler="sync")


def test_a_batch_that_nobody_cuts(kernels: ef.CompiledProgram) -> None:
    with pytest.raises(CompileError, match="E0634"):
        kernels["writes"](K=da.ones((4, 4)), I=np.ones((20, 4, 3)))


def masked(*shape: int, every: int = 3, chunk: int = 5) -> tuple[Array, Array]:
    """An array of dask that keeps some of its elements, so that nobody knows the sizes of its chunks, and NumPy's."""
    (whole,) = drawn(shape)
    keep = np.arange(shape[0]) % every > 0
    lazy = da.from_array(whole, chunks=(chunk, *shape[1:]))
    return lazy[da.from_array(keep, chunks=chunk)], whole[keep]


@pytest.mark.parametrize(
    ("subscripts", "others"),
    [
        ("bik,kj->bij", [(3, 2)]),
        ("bik,bkj->bij", ["masked"]),
        ("bik,bkj->ij", ["masked"]),
        ("bik->ik", []),
        ("bik->kib", []),
        ("bik,ckj->bcij", ["masked"]),
        ("...k,kj->...j", [(3, 2)]),
        ("bik,bkj->bij", [(1, 3, 2)]),
        ("bik,bk->bi", [(1, 3)]),
    ],
)
def test_chunks_of_unknown_sizes(subscripts: str, others: list[Any]) -> None:
    pairs = [masked(20, 4, 3), *(masked(20, 3, 2) if each == "masked" else drawn(each) * 2 for each in others)]
    lazy = ef.einsum(subscripts, *(pair[0] for pair in pairs))
    np.testing.assert_allclose(lazy.compute(), np.einsum(subscripts, *(pair[1] for pair in pairs)), 1e-12)


def test_one_chunk_of_unknown_size() -> None:
    (lazy, plain), (other,) = masked(20, 4, 3, chunk=20), drawn((13, 3, 2))
    found, short = (da.asarray(ef.einsum("bik,bkj->bij", lazy, each)) for each in (other, other[:12]))
    np.testing.assert_allclose(found.compute(), plain @ other, 1e-12)
    with pytest.raises(CompileError, match=r"E0635.*size 13 in operand 0, but 12"):
        short.compute(scheduler="sync")


def test_blocks_of_unknown_sizes_that_differ() -> None:
    lazy, other = masked(20, 4, 3)[0], masked(20, 3, 2, every=5)[0]
    with pytest.raises(CompileError, match=r"E0635.*a block of"):
        da.asarray(ef.einsum("bik,bkj->bij", lazy, other)).compute(scheduler="sync")
    for cut in (masked(20, 3, 2, chunk=10)[0], da.ones((13, 3, 2), chunks=(5, 3, 2))):
        with pytest.raises(CompileError, match=r"E0635.*index `b` has chunks of unknown[\s\S]*compute_chunk_sizes"):
            ef.einsum("bik,bkj->bij", lazy, cut)
    square = masked(20, 3)[0]
    with pytest.raises(CompileError, match=r"E0635.*index `i`"):
        ef.einsum("ii->i", square[:, :1] * da.ones((1, 20)).T[da.from_array(np.arange(20) % 3 > 0, chunks=5)].T)


def test_kernels_on_chunks_of_unknown_sizes(kernels: ef.CompiledProgram) -> None:
    lazy, plain = masked(20, 4, 3)
    found = kernels["writes"](K=np.eye(4), I=lazy)
    np.testing.assert_allclose(found.compute(), plain, 1e-12)
    with pytest.raises(CompileError, match=r"E0635.*unknown sizes, and `Q` others"):
        kernels["writes"](K=np.eye(4), I=lazy, Q=da.ones((20, 4, 3), chunks=(5, 4, 3)))


def test_tasks_and_errors_travel(kernels: ef.CompiledProgram) -> None:
    _, i, _ = elements()
    lazy = kernels["writes"](K=np.eye(4), I=da.from_array(i, chunks=(6, 4, 3)))
    np.testing.assert_allclose(pickle.loads(pickle.dumps(lazy)).compute(scheduler="sync"), i, 1e-12)
    with pytest.raises(CompileError) as error:
        kernels["writes"](I=lazy)
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)
