"""Contractions of coupled cluster theory as strings: integrals, doubles amplitudes and an energy.

    python -m examples.coupled_cluster              # 10 occupied orbitals, 30 others

The numbers are random, so the energy means nothing; each contraction is compared with NumPy's.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import einsum_front as ef

Array = NDArray[np.float64]

CONTRACTIONS = {
    "transformation": "pqrs,pi,qa,rj,sb->iajb",
    "particle ladder": "abcd,ijcd->ijab",
    "hole ladder": "klij,klab->ijab",
    "ring": "iakc,kcjb->ijab",
    "quadratic": "klcd,ijcd,klab->ijab",
    "disconnected": "klcd,ic,ka,ljdb->ijab",
    "energy": "ijab,ijab,ijab->",
}


def operands(string: str, extents: dict[str, int], random: np.random.Generator) -> list[Array]:
    """Random arrays of the shapes that the letters say."""
    terms = string.split("->", maxsplit=1)[0].split(",")
    return [random.standard_normal([extents[letter] for letter in term]) for term in terms]


def timed(contract: Callable[[], Array]) -> tuple[Array, float]:
    """The result of the second call, and its seconds: the first one compiles."""
    contract()
    start = time.perf_counter()
    return contract(), time.perf_counter() - start


def main(occupied: int = 10, virtual: int = 30) -> float:
    """Every contraction with its order and its time; the largest difference to NumPy, relative to the result."""
    extents = (
        dict.fromkeys("ijkl", occupied) | dict.fromkeys("abcd", virtual) | dict.fromkeys("pqrs", occupied + virtual)
    )
    random = np.random.default_rng(0)
    worst = 0.0
    for name, string in CONTRACTIONS.items():
        arrays = operands(string, extents, random)
        path, _plan = ef.einsum_path(string, *arrays)  # print(_plan) says what each step costs, and what was rejected
        ours, seconds = timed(lambda: ef.einsum(string, *arrays))  # noqa: B023 - called at once
        numpy, of_numpy = timed(lambda: np.einsum(string, *arrays, optimize=True))  # noqa: B023 - called at once
        error = float(abs(ours - numpy).max() / abs(numpy).max())
        print(f"{name:15} {string:24} {seconds * 1e3:8.2f} ms, NumPy {of_numpy * 1e3:8.2f} ms  {path[1:]}")
        worst = max(worst, error)
    print(f"largest error: {worst:.1e}")
    return worst


if __name__ == "__main__":
    sys.exit(main() > 1e-11)
