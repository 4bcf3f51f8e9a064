"""Workers in processes of their own: one build in each, bounded memory, a worker that is killed."""

import os
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError

da = pytest.importorskip("dask.array", reason="dask is not installed: pip install einsum-front[dask]")
distributed = pytest.importorskip("distributed", reason="distributed is not installed: pip install einsum-front[dask]")

TEXT = "real f64\ntensor K[20, 20] constant\ntensor I[20, 9]\ntensor Q[20, 9]\nkernel f { Q[k,p] += K[k,l] * I[l,p] }"
MEMORY = 500 * 10**6


def builds_here() -> int:
    from einsum_front.dask_arrays import builds  # noqa: PLC0415 - in the process of a worker

    return builds()


@pytest.fixture(params=[pytest.param(2, id="2 workers"), pytest.param(4, id="4 workers", marks=pytest.mark.slow)])
def client(request: pytest.FixtureRequest) -> Iterator[Any]:
    options = {"dashboard_address": None, "memory_limit": MEMORY, "threads_per_worker": 1}
    cluster = distributed.LocalCluster(n_workers=request.param, processes=True, **options)
    with cluster, distributed.Client(cluster) as found:
        yield found


def test_workers_build_once(client: Any) -> None:
    elements = 20_000
    i = da.random.default_rng(0).uniform(-1, 1, (elements, 20, 9), chunks=(1000, 20, 9))
    q = da.zeros((elements, 20, 9), chunks=(1000, 20, 9))
    k = np.random.default_rng(1).uniform(-1, 1, (20, 20))
    lazy = ef.compile(ef.parse(TEXT))["f"](K=k, I=i, Q=q)
    wanted = da.einsum("kl,blp->bkp", k, i)
    assert float(abs(lazy - wanted).max().compute()) < 1e-12
    assert set(client.run(builds_here).values()) <= {0, 1}
    assert sum(client.run(builds_here).values()) >= 1


def test_errors_of_workers_are_ours(client: Any) -> None:
    def fails(block: Any) -> Any:
        return ef.einsum("ij,jk->ik", block, np.ones((7, 7)))

    with pytest.raises(CompileError, match="index `j` has size"):
        da.ones((4, 4), chunks=2).map_blocks(fails, meta=np.empty((0, 0))).compute()


@pytest.mark.slow
def test_a_million_elements_and_a_worker_that_is_killed(client: Any) -> None:
    elements = 10**6
    i = da.random.default_rng(0).uniform(-1, 1, (elements, 20, 9), chunks=(10_000, 20, 9))
    k = np.random.default_rng(1).uniform(-1, 1, (20, 20))
    lazy = ef.einsum("kl,blp->bkp", k, i)
    wanted = da.einsum("kl,blp->bkp", k, i)
    future = client.compute(abs(lazy - wanted).max())
    victim = next(iter(client.run(os.getpid).values()))
    os.kill(victim, signal.SIGKILL)
    assert float(future.result(timeout=600)) < 1e-12
    assert max(client.run(builds_here).values()) <= 1
