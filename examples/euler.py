"""The Euler equations of a gas on squares: discontinuous Galerkin with Rusanov's flux, neighbours where integers say.

python -m examples.euler --nodes 4 --elements 16

A flux that is not linear stands between two contractions: one that takes the solution to the nodes of a face, and one
that brings the flux back. A wave of density, carried along, is the exact solution.
"""

import argparse
import sys
from typing import Any

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

import einsum_front as ef

# The kernels. u has density, momentum along x and y, and energy at the nodes of an element; `next` says which elements
# lie beyond its faces at x = 0, x = 1, y = 0 and y = 1. A face has the pressure and the fastest wave of both sides.
PROGRAM = """
param P = 4
param N = P*P
scalar gamma
scalar side
scalar dt
scalar share
tensor u[N, 4]
tensor start[N, 4]
tensor du[N, 4]
tensor next[4] i64
tensor D{2}[N, N] constant
tensor R{4}[P, N] constant
tensor L{4}[N, P] constant
temp p[N]
temp f{2}[N, 4]
temp a[P, 4]
temp b[P, 4]
temp pa[P]
temp pb[P]
temp speed[P]
temp g[P, 4]

kernel change {
    p[k] = (gamma - 1) * (u[k,3] - (u[k,1] * u[k,1] + u[k,2] * u[k,2]) / (2 * u[k,0]))
    for d in 0:2 {
        f{d}[k,v] = u[k,v] * u[k,(1+d)] / u[k,0]
        f{d}[k,(1+d)] += p[k]
        f{d}[k,3] += p[k] * u[k,(1+d)] / u[k,0]
    }
    du[k,v] = sum{d in 0:2}( D{d}[k,l] * f{d}[l,v] )
    for d in 0:2 { for e in 0:2 {
        a[m,v] = R{2*d+e}[m,l] * u[l,v]
        b[m,v] = R{2*d+1-e}[m,l] * u[l,v]@next[(2*d+e)]
        pa[m] = (gamma - 1) * (a[m,3] - (a[m,1] * a[m,1] + a[m,2] * a[m,2]) / (2 * a[m,0]))
        pb[m] = (gamma - 1) * (b[m,3] - (b[m,1] * b[m,1] + b[m,2] * b[m,2]) / (2 * b[m,0]))
        speed[m] = max(abs(a[m,(1+d)]) / a[m,0] + sqrt(gamma * pa[m] / a[m,0]),
                       abs(b[m,(1+d)]) / b[m,0] + sqrt(gamma * pb[m] / b[m,0]))
        g[m,v] = (2*e-1) * (a[m,v] * a[m,(1+d)] / a[m,0] + b[m,v] * b[m,(1+d)] / b[m,0]) + speed[m] * (a[m,v] - b[m,v])
        g[m,(1+d)] += (2*e-1) * (pa[m] + pb[m])
        g[m,3] += (2*e-1) * (pa[m] * a[m,(1+d)] / a[m,0] + pb[m] * b[m,(1+d)] / b[m,0])
        du[k,v] -= 0.5 * L{2*d+e}[k,m] * g[m,v]
    } }
    du[k,v] = du[k,v] / side
}
kernel advance { u[k,v] = share * start[k,v] + (1 - share) * (u[k,v] + dt * du[k,v]) }
"""

GAMMA = 1.4
VELOCITY = np.array([1.0, 0.5])
STAGES = (0.0, 3 / 4, 1 / 3)
"""Shares of the solution at the start of a step: Runge-Kutta of order 3 with three stages (Shu and Osher, 1988)."""

Floats = NDArray[np.floating[Any]]


def square(nodes: int) -> tuple[Floats, Floats, dict[str, Floats]]:
    """The points (N, 2) and weights (N,) of the nodes in the unit square, and the matrices; x counts fastest."""
    points, weights = legendre.leggauss(nodes)
    points, weights = (points + 1) / 2, weights / 2
    basis = np.linalg.inv(legendre.legvander(2 * points - 1, nodes - 1))  # coefficients of each node's polynomial
    slopes = 2 * legendre.legval(2 * points - 1, legendre.legder(basis)).T if nodes > 1 else np.zeros((1, 1))
    tested = (weights[:, None] * slopes).T / weights[:, None]
    same = np.eye(nodes)
    ends = [legendre.legval(end, basis) for end in (-1.0, 1.0)]
    traces = [np.kron(same, end) for end in ends] + [np.kron(end, same) for end in ends]
    area = np.kron(weights, weights)
    matrices = {"D_0": np.kron(same, tested), "D_1": np.kron(tested, same)}
    for face, trace in enumerate(traces):
        matrices[f"R_{face}"] = trace
        matrices[f"L_{face}"] = (weights[:, None] * trace).T / area[:, None]
    places = np.stack([np.tile(points, nodes), np.repeat(points, nodes)], axis=1)
    return places, area, matrices


def neighbours(count: int) -> NDArray[np.int64]:
    """(count², 4): the elements beyond the faces in a box that goes on where it ends; x counts fastest."""
    numbers = np.arange(count * count).reshape(count, count)
    beside = [np.roll(numbers, by, axis) for axis in (1, 0) for by in (1, -1)]
    return np.ascontiguousarray(np.stack(beside, axis=-1).reshape(-1, 4))


def wave(places: Floats, at: float) -> Floats:
    """(…, 4): a wave of density in a flow of one velocity and pressure, which carries it."""
    density = 1 + 0.2 * np.sin(2 * np.pi * (places - VELOCITY * at).sum(axis=-1))
    momentum = density[..., None] * VELOCITY
    energy = 1 / (GAMMA - 1) + density * (VELOCITY @ VELOCITY) / 2
    return np.concatenate([density[..., None], momentum, energy[..., None]], axis=-1)


def kernels(nodes: int, device: str = "auto") -> Any:
    """Both kernels for elements with so many nodes along an axis."""
    return ef.compile(ef.parse(PROGRAM), device, defines={"P": nodes})


def solve(nodes: int, count: int, until: float = 0.1, device: str = "auto") -> tuple[float, Floats]:
    """The largest error of the density at the end, and how much the integrals of all four changed."""
    places, weights, matrices = square(nodes)
    corners = np.stack([np.tile(np.arange(count), count), np.repeat(np.arange(count), count)], axis=1)
    places = (corners[:, None, :] + places) / count
    u = wave(places, 0)
    before = np.einsum("k,ekv->v", weights, u) / count**2
    start, du = u.copy(), np.zeros_like(u)
    made = kernels(nodes, device)
    given = {"u": u, "du": du, "next": neighbours(count), **matrices}
    change = made["change"].prepare(**given, gamma=GAMMA, side=1 / count)
    steps = int(np.ceil(until * count * 12 * nodes))
    advance = made["advance"].prepare(u=u, start=start, du=du, dt=until / steps, share=0.0)
    for _ in range(steps):
        start[:] = u
        for share in STAGES:
            change.run()
            advance.set(share=share)
            advance.run()
            advance.finish()
    after = np.einsum("k,ekv->v", weights, u) / count**2
    return float(np.abs(u - wave(places, until))[..., 0].max()), after - before


def main() -> int:
    """Prints the errors on two meshes; 1 if what is kept changes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=4, help="along an axis of an element: the order")
    parser.add_argument("--elements", type=int, default=8, help="along an axis of the finer mesh")
    parser.add_argument("--device", default="auto")
    given = parser.parse_args()
    errors = []
    for count in (given.elements // 2, given.elements):
        error, changed = solve(given.nodes, count, device=given.device)
        errors.append(error)
        lost = np.abs(changed).max()
        print(f"{count} x {count} elements: error {error:.2e}, mass, momentum and energy change by {lost:.0e}")
        if lost > 1e-12:
            return 1
    print(f"order {np.log2(errors[0] / errors[1]):.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
