"""Every peer computes what the statements of a case say, and so do we."""

from functools import cache

import numpy as np
import pytest

from benchmarks.arguments import Arguments, random
from benchmarks.case import Arrays, Case, WorkingSet
from benchmarks.measure import Runner
from benchmarks.ours import Ours, translate
from benchmarks.peers import ON_CPU, target_c
from benchmarks.peers.cublas import TorchChain
from benchmarks.peers.einsum_libraries import OF_NUMPY, numpy_einsum
from benchmarks.peers.peer import Peer
from benchmarks.sets import ader_dg, batched, chains, interpolation, large, spectral, tpp
from benchmarks.statements import evaluate
from examples.ader_dg import matrices

BATCH = 5


@pytest.fixture(autouse=True)
def quick_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our packages in C, whose numbers are looked at and not their speed."""
    monkeypatch.setattr(target_c, "OPTIONS", tuple("-O0" if flag == "-O3" else flag for flag in target_c.OPTIONS))


@cache
def cases() -> dict[str, Case]:
    matrices.write(3)
    chosen = [
        *(case for case in batched.cases(quick=True) if "4x4" in case.name),
        *ader_dg.cases_of(3, WorkingSet.CACHE),
        *chains.cases(quick=True),
        *interpolation.cases(quick=True)[:1],
        *spectral.cases(quick=True)[:3],
        *large.cases(quick=True)[:1],
        *(case for case in tpp.cases(quick=True) if "8x8" in case.name),
    ]
    return {f"{case.name} {case.real}": case for case in chosen}


@cache
def arguments(name: str) -> Arguments:
    case = cases()[name]
    translated = translate(case.source, case.real, "auto")
    return random(translated.kernel, translated.batch or BATCH, is_single=translated.is_single)


@cache
def expected(name: str) -> Arrays:
    case = cases()[name]
    return evaluate(case.statements, arguments(name).contiguous(), numpy_einsum(), case.last, OF_NUMPY)


def check(name: str, runner: Runner) -> None:
    assert runner.run() > 0
    outputs = runner.outputs()
    for tensor, array in expected(name).items():
        tolerance = 1e-3 if array.dtype == np.float32 else 1e-11
        np.testing.assert_allclose(outputs[tensor], array, rtol=0, atol=tolerance * np.abs(array).max())


@pytest.mark.parametrize("name", cases())
@pytest.mark.parametrize("peer", ON_CPU, ids=lambda peer: peer.name)
@pytest.mark.filterwarnings("default")  # those of other libraries are not ours to mend
def test_a_peer_computes_the_statements(peer: Peer, name: str) -> None:
    reason = peer.why_missing()
    if reason is not None:
        pytest.skip(f"{peer.name} is not installed: {reason}")
    runner = peer.prepare(cases()[name], arguments(name), 2)
    if runner is None:
        pytest.skip(f"{peer.name} has no way to compute this")
    check(name, runner)


@pytest.mark.parametrize("name", cases())
def test_we_compute_the_statements(name: str) -> None:
    case, given = cases()[name], arguments(name)
    check(name, Ours([given.kernel], given.with_own_outputs()))
    if case.parts:
        parts = [translate(part, case.real, "auto").kernel for part in case.parts]
        check(name, Ours(parts, given.with_own_outputs()))


@pytest.mark.parametrize("name", cases())
@pytest.mark.filterwarnings("default")
def test_the_chain_of_a_gpu_computes_the_statements(name: str) -> None:
    pytest.importorskip("torch")
    case, given = cases()[name], arguments(name).with_own_outputs()
    if case.chain is None or case.has_primitives:
        pytest.skip("the case is no chain")
    check(name, TorchChain(case.chain(given.arrays), given, "cpu"))


def test_outputs_of_runners_are_their_own() -> None:
    given = arguments("C = A B, 4x4 f64")
    first, second = given.with_own_outputs(), given.with_own_outputs()
    assert not np.shares_memory(first.array("C"), second.array("C"))
    assert first.array("C").strides == given.array("C").strides
    assert np.shares_memory(first.array("A"), second.array("A"))
