"""Tensor networks of quimb, contracted by `ef.einsum` and by opt_einsum on NumPy: the first and the second time.

    make networks

Eight networks of 8 to 30 tensors: chains, lattices, random graphs, and products of states. In the first pass both look
for an order; opt_einsum looks again in the second, as it does in programs, and `contract_expression` does not. Columns
`cotengra` have its order, which NumPy (by opt_einsum) and we follow. Processor time of one core.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

TURNS = 5


def networks() -> Iterator[tuple[str, str, list[Any]]]:
    """A name, an index string, and arrays."""
    import quimb.tensor as qtn  # noqa: PLC0415 - in its own environment only

    found: Mapping[str, Any] = {
        "chain of 8": qtn.MPS_rand_state(8, 6, phys_dim=2, seed=1, dtype="float64"),
        "norm of 10": _norm(qtn.MPS_rand_state(10, 8, seed=2, dtype="float64")),
        "energy of 8": _energy(qtn, 8),
        "lattice 3 x 3": qtn.TN2D_rand(3, 3, 4, seed=3, dtype="float64"),
        "lattice 4 x 5": qtn.TN2D_rand(4, 5, 3, seed=4, dtype="float64"),
        "lattice 5 x 6": qtn.TN2D_rand(5, 6, 2, seed=5, dtype="float64"),
        "graph of 12": qtn.TN_rand_reg(12, 3, 4, seed=6, dtype="float64"),
        "graph of 24": qtn.TN_rand_reg(24, 3, 2, seed=7, dtype="float64"),
    }
    for name, network in found.items():
        left, right = network.get_equation(output_inds=network.outer_inds()).split("->")
        yield name, f"{left}->{right}", [tensor.data for tensor in network.tensors]


def _norm(state: Any) -> Any:
    return state.H & state


def _energy(qtn: Any, sites: int) -> Any:
    state = qtn.MPS_rand_state(sites, 5, seed=8, dtype="float64")
    operator = qtn.MPO_rand_herm(sites, 3, seed=9, dtype="float64")
    bra = state.H
    state.align_(operator, bra)
    return bra & operator & state


def run() -> list[dict[str, Any]]:
    """Seconds of each network in this process, compilers included."""
    import cotengra  # noqa: PLC0415 - in its own environment only
    import opt_einsum  # noqa: PLC0415

    import einsum_front as ef  # noqa: PLC0415

    rows = []
    ef.einsum("i,i->", [1.0], [1.0])
    opt_einsum.contract("i,i->", [1.0], [1.0])
    for name, text, arrays in networks():
        expression = opt_einsum.contract_expression(text, *[array.shape for array in arrays])
        path = ["einsum_path", *cotengra.array_contract_path(*_indices(text), shapes=[each.shape for each in arrays])]
        pairwise = [path[0], *(tuple(sorted(each)) for each in path[1:])]
        ways: dict[str, Callable[[], Any]] = {
            "opt_einsum": lambda text=text, arrays=arrays: opt_einsum.contract(text, *arrays),  # type: ignore[misc]
            "ours": lambda text=text, arrays=arrays: ef.einsum(text, *arrays),  # type: ignore[misc]
            "expression": lambda expression=expression, arrays=arrays: expression(*arrays),  # type: ignore[misc]
            "cotengra, numpy": lambda text=text, arrays=arrays, path=pairwise[1:]: opt_einsum.contract(  # type: ignore[misc]
                text, *arrays, optimize=path
            ),
            "cotengra, ours": lambda text=text, arrays=arrays, path=pairwise: ef.einsum(  # type: ignore[misc]
                text, *arrays, optimize=path
            ),
        }
        results: dict[str, Any] = {}
        row: dict[str, Any] = {"name": name, "tensors": len(arrays)}
        for way, call in ways.items():
            start = time.process_time()
            results[way] = call()
            row[way] = [time.process_time() - start]
        for way, call in ways.items():
            seconds = []
            for _ in range(TURNS):
                start = time.process_time()
                call()
                seconds.append(time.process_time() - start)
            row[way].append(sorted(seconds)[TURNS // 2])
        size = abs(results["opt_einsum"]).max()
        row["error"] = float(max(abs(found - results["opt_einsum"]).max() for found in results.values()) / size)
        rows.append(row)
    return rows


def _indices(text: str) -> tuple[list[list[str]], list[str]]:
    left, right = text.split("->")
    return [list(term) for term in left.split(",")], list(right)


def main() -> None:
    """Runs in a process with one thread of BLAS, and prints a table of milliseconds."""
    if "--here" in sys.argv:
        print(json.dumps(run()))
        return
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    environment |= {"OMP_NUM_THREADS": "1", "EINSUM_FRONT_NO_CACHE": "1"}
    command = [sys.executable, "-m", "benchmarks.tensor_networks", "--here"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    rows = json.loads(done.stdout.splitlines()[-1])
    ways = [way for way in rows[0] if way not in ("name", "tensors", "error")]
    print(f"{'ms, first and later':22}" + "".join(f"{way:>22}" for way in ways) + f"{'error':>10}")
    for row in rows:
        cells = "".join(f"{row[way][0] * 1e3:12.2f} {row[way][1] * 1e3:9.2f}" for way in ways)
        print(f"{row['name'] + ', ' + str(row['tensors']):22}{cells}{row['error']:10.0e}")
    for place, title in enumerate(("first", "later")):
        theirs, ours = (sum(row[way][place] for row in rows) for way in ("opt_einsum", "ours"))
        print(f"{title}: ours takes {ours / theirs:.2f} of opt_einsum's time")
    if max(row["error"] for row in rows) > 1e-10:
        raise SystemExit("results differ")


if __name__ == "__main__":
    main()
