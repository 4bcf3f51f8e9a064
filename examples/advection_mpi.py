"""Acoustic waves in a box of tetrahedra: discontinuous Galerkin of any order on the ranks of an MPI job.

python -m examples.advection_mpi --degree 3 --cells 4                     # one process, with or without mpi4py
mpiexec -n 4 python -m mpi4py -m examples.advection_mpi --degree 3        # four; an error of one rank ends all

Pressure and velocity are carried along the characteristics of dp/dt + div v = 0, dv/dt + grad p = 0, with
upwind fluxes, between rigid walls. The exact solution is a standing wave. A time step (ADER) integrates a Taylor series
inside of each element, and then adds what the derivatives and all faces make of it: two launches, and one exchange.
"""

import argparse
import hashlib
import os
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

import einsum_front as ef
from einsum_front.ranks import Communicator, Halo, bisect, together, world
from examples.dg.mesh import Geometry, Mesh, cube, geometry, part_of
from examples.dg.reference import Floats, Tetrahedron, tetrahedron

# The element kernels. u has pressure and velocity at all nodes, I the same integrated over the step. `near` is that of
# all elements here, and behind them of nodes of other ranks. `beside` finds the nodes across the faces in `near`.
PROGRAM = """
param O = 2                               # order: terms of the Taylor series
param N = O*(O+1)*(O+2)/6                 # nodes of an element
param M = O*(O+1)/2                       # nodes of a face
size rows
scalar dt
tensor u[N, 4]
tensor I[N, 4]
tensor near[rows, 4] constant
tensor beside[4, M]  i64
tensor A[3, 4, 4]
tensor B[4, 4, 4]
tensor C[4, 4, 4]
tensor D[3, N, N]    constant
tensor E[4, N, N]    constant
tensor L[4, N, M]    constant
temp   term{O}[N, 4]

kernel predictor {
    term{0}[kp] = dt * u[kp]
    I[kp] = term{0}[kp]
    for n in 1:O {
        term{n}[kp] = dt / (n+1) * D[dkl]*term{n-1}[lq]*A[dpq]
        I[kp] += term{n}[kp]
    }
}
kernel corrector { u[kp] += D[dkl]*I[lq]*A[dpq] + E[fkl]*I[lq]*B[fpq] + L[fkm]*near[beside[fm],q]*C[fpq] }
"""


def exact(points: Floats, at: float) -> Floats:
    """Pressure and velocity of the standing wave: (…, 4) at points (…, 3)."""
    omega = np.sqrt(3) * np.pi
    cos, sin = np.cos(np.pi * points), np.sin(np.pi * points)
    pressure = cos.prod(axis=-1) * np.cos(omega * at)
    along = [np.pi * sin[..., i] * cos[..., i - 1] * cos[..., i - 2] * np.sin(omega * at) / omega for i in range(3)]
    return np.stack([pressure, *along], axis=-1)


def element_matrices(shape: Geometry, walls: Any, elements: Any) -> tuple[Floats, Floats, Floats]:
    """A (n, 3, 4, 4), B and C (n, 4, 4, 4): volume, and both sides of the upwind flux; walls mirror the velocity."""
    slopes, normals = shape.slopes[elements], shape.normals[elements]
    volume = np.zeros((*slopes.shape[:2], 4, 4))
    volume[..., 0, 1:] = volume[..., 1:, 0] = -slopes
    along = np.zeros((*normals.shape[:2], 4, 4))
    along[..., 0, 1:] = along[..., 1:, 0] = normals
    square = np.zeros_like(along)
    square[..., 0, 0] = 1
    square[..., 1:, 1:] = normals[..., :, None] * normals[..., None, :]
    flux = (square - along) / 2 * (shape.areas / shape.volumes[:, None])[elements][..., None, None]
    mirror = np.eye(4) - np.where(walls[elements][..., None, None], 2, 0) * (square - np.diag([1.0, 0, 0, 0]))
    return volume, -flux, flux @ mirror


@dataclass
class Times:
    """Seconds of one rank: in all, and waiting for messages."""

    run: float = 0
    waited: float = 0


class Solver:
    """The elements of one rank."""

    def __init__(self, comm: Communicator, mesh: Mesh, reference: Tetrahedron, courant: float, device: str) -> None:
        self.comm, self.mesh, self.reference, self.times = comm, mesh, reference, Times()
        with together(comm, "preparing the elements"):
            shape = geometry(mesh)
            owner = bisect(mesh.centres, comm.size)
            self.part = part_of(mesh, reference, owner, comm.rank)
            self.points = reference.nodes @ mesh.points[mesh.corners[self.part.elements]]
            self.dt = courant * float(shape.radii.min()) / (2 * reference.degree + 1)
            self.values = exact(self.points, 0)
            n, nodes = len(self.part.elements), len(reference.nodes)
            self.near = np.zeros((max(1, self.part.rows), 4))  # sizes are at least 1
            matrices = element_matrices(shape, mesh.neighbours < 0, self.part.elements)
        self.halo = Halo(comm, self.near, self.part.sends, self.part.receives)
        with together(comm, "compiling"):
            self._bind(self.near[: n * nodes].reshape(n, nodes, 4), *matrices, device)

    def _bind(self, integral: Floats, volume: Floats, here: Floats, there: Floats, device: str) -> None:
        """Compile, and bind all arrays: the second launch is for elements whose neighbours are here, and for others."""
        reference, inner = self.reference, self.part.inner
        kernels = ef.compile(ef.parse(PROGRAM), device=device, defines={"O": reference.degree + 1})
        onto = np.zeros((4, *reference.mass.shape))
        for f, chosen in enumerate(reference.faces):
            onto[f][:, chosen] = reference.lift[f]
        own: dict[str, Any] = {"u": self.values, "I": integral, "A": volume}
        self.predictor = kernels["predictor"].prepare(**own, D=reference.derive, dt=0.0)
        own |= {"B": here, "C": there, "beside": self.part.facing}
        matrices = {"D": reference.derive, "E": onto, "L": reference.lift}
        self.inside, self.border = (
            kernels["corrector"].prepare(**{name: each[part] for name, each in own.items()}, **matrices, near=self.near)
            for part in (slice(inner), slice(inner, None))
        )

    def step(self, dt: float) -> None:
        """One step in time; messages travel while elements compute what is theirs."""
        self.predictor.set(dt=dt)
        self.predictor.run()
        self.predictor.finish()
        self.halo.start()
        self.inside.run()
        self.inside.finish()
        start = time.perf_counter()
        self.halo.finish()
        self.times.waited += time.perf_counter() - start
        self.border.run()
        self.border.finish()

    def run(self, until: float, steps: int | None = None) -> int:
        """All steps to a time, or so many of the largest size; their number. The device finishes compiling before."""
        count = steps or max(1, int(np.ceil(until / self.dt)))
        dt = self.dt if steps else until / count
        self.step(0.0)
        self.comm.allgather(None)
        self.times = Times()
        start = time.perf_counter()
        for _ in range(count):
            self.step(dt)
        self.times.run = time.perf_counter() - start
        return count

    def whole(self) -> Floats:
        """The values of all elements of the mesh, in its order: (elements, N, 4), on all ranks."""
        values = np.empty((len(self.mesh.corners), *self.values.shape[1:]))
        for elements, part in self.comm.allgather((self.part.elements, self.values)):
            values[elements] = part
        return values


@dataclass(frozen=True)
class Result:
    """What a run has found: the error in the L2 norm, the SHA-256 of all values, and what each rank measured."""

    elements: int
    steps: int
    error: float
    digest: str
    seconds: float
    waited: float
    bytes_sent: int


def solve(
    degree: int = 3,
    cells: int = 3,
    until: float = 0.1,
    *,
    steps: int | None = None,
    courant: float = 0.7,
    device: str = "auto",
    comm: Communicator | None = None,
) -> Result:
    """Runs on all ranks of `comm`; the result is the same on each."""
    comm = comm or world()
    mesh, reference = cube(cells), tetrahedron(degree)
    solver = Solver(comm, mesh, reference, courant, device)
    count = solver.run(until, steps)
    values = solver.whole()
    reached = count * solver.dt if steps else until
    difference = values - exact(reference.nodes @ mesh.points[mesh.corners], reached)
    norms = np.einsum("ekp,kl,elp->e", difference, reference.mass, difference)
    error = float(np.sqrt(norms @ geometry(mesh).volumes))
    times = comm.allgather((solver.times.run, solver.times.waited, solver.halo.bytes_sent))
    seconds, waited, sent = (max(column) for column in zip(*times, strict=True))
    digest = hashlib.sha256(values.tobytes()).hexdigest()
    return Result(len(mesh.corners), count, error, digest, seconds, waited, sent)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--degree", type=int, default=3, help="of polynomials; the order is one more")
    parser.add_argument("--cells", type=int, default=4, help="along an edge; 6 cells³ elements")
    parser.add_argument("--until", type=float, default=0.1, help="time at the end")
    parser.add_argument("--steps", type=int, help="so many steps instead")
    parser.add_argument("--device", default="auto")
    options = parser.parse_args(arguments)
    comm = world()
    os.environ.setdefault("POCL_DEVICES", "basic")  # a rank has a core: PoCL's device without threads
    try:
        result = solve(
            options.degree, options.cells, options.until, steps=options.steps, device=options.device, comm=comm
        )
    except ef.CompileError as error:  # all ranks come here: `together` sees to it
        sys.stderr.write(f"rank {comm.rank}: {error}\n")
        return 1
    if comm.rank == 0:
        updates = result.elements * result.steps
        print(f"{result.elements} elements on {comm.size} ranks, order {options.degree + 1}, {result.steps} steps")
        print(f"error {result.error:.3e}, values {result.digest[:16]}")
        print(
            f"{result.seconds:.3f} s, {result.seconds / updates * 1e9:.0f} ns an element and step, "
            f"{result.waited:.3f} s waiting, {result.bytes_sent} bytes a rank and step"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
