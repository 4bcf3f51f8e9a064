"""Continuous spectral elements on an unstructured mesh of hexahedra: Poisson's equation by conjugate gradients.

python -m examples.laplace_cg --order 6 --cells 4            # 64 hexahedra, warped
python -m examples.laplace_cg --order 6 --cells 8 --atomic   # sums in any order
python -m examples.laplace_cg --order 6 --cells 8 --compare  # with SciPy's sparse matrix
mpiexec -n 4 python -m mpi4py -m examples.laplace_cg         # the elements divided over ranks

The operator has no matrix: one kernel gathers the nodes of each element from a vector, computes its stiffness by tensor
products, and adds to a vector. Nodes on the boundary have no number: there the negative integer says that nothing is
read and nothing added. Without `atomic`, elements add in their order: results have the same bits in every run, and on
any number of ranks. A rank computes all elements that its unknowns are in, in the order of the mesh.
"""

import argparse
import hashlib
import os
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.ranks import Communicator, Halo, bisect, together, world

Array = NDArray[Any]

PROGRAM = """
param N = 7                               # nodes in each direction: the order and one
size nodes                                # unknowns
tensor x[nodes]     constant
tensor y[nodes]     shared {word}
tensor node[N,N,N]  i32                   # the number of each node of an element, -1 on the boundary
tensor G{{6}}[N,N,N]                        # metric terms: weights, Jacobian, and its inverse twice
tensor M[N,N,N]                           # weights and the determinant of the Jacobian
tensor f[N,N,N]
tensor D[N,N]       constant              # derivatives of the nodal polynomials
temp   u[N,N,N]
temp   d{{3}}[N,N,N]
temp   flux{{3}}[N,N,N]

kernel laplace {{
    u[ijk] = x[node[i,j,k]]
    d{{0}}[ijk] = D[il] * u[ljk]
    d{{1}}[ijk] = D[jl] * u[ilk]
    d{{2}}[ijk] = D[kl] * u[ijl]
    flux{{0}}[ijk] = G{{0}}[ijk] * d{{0}}[ijk] + G{{1}}[ijk] * d{{1}}[ijk] + G{{2}}[ijk] * d{{2}}[ijk]
    flux{{1}}[ijk] = G{{1}}[ijk] * d{{0}}[ijk] + G{{3}}[ijk] * d{{1}}[ijk] + G{{4}}[ijk] * d{{2}}[ijk]
    flux{{2}}[ijk] = G{{2}}[ijk] * d{{0}}[ijk] + G{{4}}[ijk] * d{{1}}[ijk] + G{{5}}[ijk] * d{{2}}[ijk]
    y[node[i,j,k]] += D[li] * flux{{0}}[ljk] + D[lj] * flux{{1}}[ilk] + D[lk] * flux{{2}}[ijl]
}}
kernel load {{ y[node[i,j,k]] += M[ijk] * f[ijk] }}
"""


@dataclass
class Mesh:
    """`points` (elements, N, N, N, 3), the numbers of their unknowns, metric terms (6, elements, N, N, N), weights."""

    points: Array
    node: Array
    unknowns: int
    metric: Array
    mass: Array
    derive: Array


def lobatto(order: int) -> tuple[Array, Array, Array]:
    """The Gauss-Lobatto-Legendre nodes and weights of an order, and the derivatives of the nodal polynomials."""
    last = legendre.Legendre.basis(order)
    nodes = np.concatenate(([-1.0], np.sort(last.deriv().roots().real), [1.0]))
    at = last(nodes)
    weights = 2 / (order * (order + 1) * at**2)
    derive = at[:, None] / at / (nodes[:, None] - nodes + np.eye(order + 1))
    derive[np.diag_indices(order + 1)] = 0
    derive[np.diag_indices(order + 1)] = -derive.sum(axis=1)  # a constant has the derivative 0
    return nodes, weights, derive


def warped(points: Array) -> Array:
    """The unit cube onto itself, with its inside warped."""
    x, y, z = np.moveaxis(points, -1, 0)
    bump = np.sin(np.pi * x) * np.sin(np.pi * y) * np.sin(np.pi * z)
    return np.stack((x + 0.08 * bump, y - 0.06 * bump * (1 + x), z + 0.05 * bump * (1 - y)), -1)


def mesh_of(order: int, cells: int, seed: int = 0) -> Mesh:
    """The unit cube in `cells`**3 hexahedra in random order, each with axes of its own: numbers tell who meets whom."""
    generator = np.random.default_rng(seed)
    nodes, weights, derive = lobatto(order)
    inside = (nodes + 1) / 2
    local = np.stack(np.meshgrid(inside, inside, inside, indexing="ij"), -1)
    corners = np.stack(np.meshgrid(*[np.arange(cells)] * 3, indexing="ij"), -1).reshape(-1, 1, 1, 1, 3)
    straight = (generator.permutation(corners) + local) / cells
    turns = generator.integers(0, 3, len(straight))
    for turn in (1, 2):  # even permutations of the axes: no element is turned inside out
        axes = [1 + (axis + turn) % 3 for axis in range(3)]
        straight[turns == turn] = straight[turns == turn].transpose(0, *axes, 4)
    node, unknowns = numbered(straight)
    points = warped(straight)
    along = ("al,eljkx->eajkx", "al,eilkx->eiakx", "al,eijlx->eijax")
    jacobian = np.stack([np.einsum(each, derive, points) for each in along], -1)  # of x by the axes of the element
    weight = weights[:, None, None] * weights[:, None] * weights
    mass = weight * np.linalg.det(jacobian)
    inverse = np.linalg.inv(jacobian)
    metric = mass[..., None, None] * np.einsum("...ax,...bx->...ab", inverse, inverse)
    pairs = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    return Mesh(points, node, unknowns, np.stack([metric[..., a, b] for a, b in pairs]), mass, derive)


def numbered(straight: Array) -> tuple[Array, int]:
    """The number of the unknown at each point of the unit cube, in the order of first use, and how many there are.

    Points of several elements are one unknown; those on the boundary are none, and have -1.
    """
    keys = np.rint(straight.reshape(-1, 3) * 1e9).astype(np.int64)
    _, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    is_inside = ((keys[first] > 0) & (keys[first] < 10**9)).all(axis=1)
    numbers = np.full(len(first), -1, np.int32)
    numbers[np.flatnonzero(is_inside)[np.argsort(first[is_inside])]] = np.arange(is_inside.sum())
    return numbers[place.ravel()].reshape(straight.shape[:-1]), int(is_inside.sum())


@dataclass
class Part:
    """What a rank computes: `elements` by their numbers in the mesh, in that order, and the `unknowns` that they read.

    Those of the rank come first, `own` of them; behind them are those of other ranks. `node` has their places here.
    `sends` and `receives` are what `Halo` takes.
    """

    elements: Array
    unknowns: Array
    own: int
    node: Array
    sends: dict[int, Array]
    receives: dict[int, slice]


def part_of(mesh: Mesh, rank: int, size: int) -> Part:
    """Elements are divided by their places; an unknown is of the rank that has the first element with it."""
    element_owner = bisect(mesh.points.mean(axis=(1, 2, 3)), size)
    flat = mesh.node.reshape(len(mesh.node), -1)
    first = np.full(mesh.unknowns + 1, len(flat))  # the last entry is for -1
    np.minimum.at(first, flat, np.arange(len(flat))[:, None])
    owner = np.append(element_owner[first[:-1]], -1)

    def read(by: int) -> tuple[Array, Array]:
        elements = np.flatnonzero((owner[flat] == by).any(axis=1))
        used = np.unique(flat[elements])
        return elements, used[used >= 0]

    elements, used = read(rank)
    lists = [used[owner[used] == each] for each in (rank, *(other for other in range(size) if other != rank))]
    ends = np.cumsum([len(each) for each in lists])
    unknowns = np.concatenate(lists)
    place = np.full(mesh.unknowns + 1, -1, np.int32)
    place[unknowns] = np.arange(len(unknowns))
    others = [other for other in range(size) if other != rank]
    receives = {other: slice(*ends[at : at + 2]) for at, other in enumerate(others)}
    sends = {other: place[used[owner[used] == rank]] for other in others for used in (read(other)[1],)}
    return Part(elements, unknowns, len(lists[0]), place[mesh.node[elements]], sends, receives)


class Laplacian:
    """The stiffness of a mesh, applied to vectors of the unknowns that a rank has."""

    def __init__(
        self, mesh: Mesh, *, is_atomic: bool = False, device: str = "auto", comm: Communicator | None = None
    ) -> None:
        self.comm = comm or world()
        self.part = part_of(mesh, self.comm.rank, self.comm.size)
        self.x, self.y = np.zeros((2, max(1, len(self.part.unknowns))))  # sizes are at least 1
        self._halo = Halo(self.comm, self.x, self.part.sends, self.part.receives)
        self._mass = mesh.mass[self.part.elements]
        text = PROGRAM.format(word="atomic" if is_atomic else "")
        with together(self.comm, "compiling"):
            program = ef.compile(ef.parse(text), device, defines={"N": len(mesh.derive)}, build="now")
            terms = {f"G_{number}": term[self.part.elements] for number, term in enumerate(mesh.metric)}
            arrays = {"y": self.y, "node": self.part.node}
            self.launch = program["laplace"].prepare(x=self.x, D=mesh.derive, **arrays, **terms)
        self._load = program["load"]

    def load(self, f: Array) -> Array:
        """The integrals of a function, given at all nodes of the mesh, times each nodal function."""
        b = np.zeros_like(self.y)
        self._load(y=b, node=self.part.node, M=self._mass, f=f[self.part.elements])
        return b[: self.part.own]

    def __call__(self, x: Array) -> Array:
        """The stiffness times a vector; the result is overwritten by the next one."""
        self.x[: self.part.own], self.y[...] = x, 0
        self._halo.start()
        self._halo.finish()
        self.launch.run()
        self.launch.finish()
        return self.y[: self.part.own]

    def dot(self, a: Array, b: Array) -> float:
        """The product of two vectors, with the same bits however they are divided over ranks.

        Each term is the sum of three numbers and of what is left out. The first ones are multiples of one power of two,
        so are the second and the third: sums of each are exact in any order (Demmel and Nguyen 2015). Up to 2**26 terms
        leave out less than a rounding of the largest one.
        """
        terms = a * b
        told = self.comm.allgather((len(terms), float(abs(terms).max(initial=0))))
        count, largest = sum(each for each, _ in told), max(each for _, each in told)
        if not 0 < largest < np.inf:
            return float(largest)
        sums, bits = [], 52 - count.bit_length()
        for number in (1, 2, 3):
            unit = 2.0 ** (np.frexp(largest)[1] - number * bits)
            multiples = np.rint(terms / unit) * unit
            terms = terms - multiples
            sums.append(float(multiples.sum()))
        return float(np.asarray(self.comm.allgather(sums)).sum(axis=0).sum())

    def whole(self, x: Array) -> Array:
        """The unknowns of all ranks, in the order of the mesh."""
        parts = self.comm.allgather((self.part.unknowns[: self.part.own], x))
        found = np.empty(sum(len(each) for each, _ in parts))
        for unknowns, values in parts:
            found[unknowns] = values
        return found


def solve(apply: Laplacian, b: Array, tolerance: float = 1e-12, most: int = 5000) -> tuple[Array, int]:
    """Conjugate gradients from 0: the solution, and how many steps it took."""
    x, r = np.zeros_like(b), b.copy()
    p, rho = r.copy(), apply.dot(r, r)
    end = tolerance**2 * rho
    for step in range(most):
        if rho <= end:
            return x, step
        q = apply(p)
        alpha = rho / apply.dot(p, q)
        x += alpha * p
        r -= alpha * q
        before, rho = rho, apply.dot(r, r)
        p = r + rho / before * p
    return x, most


def exact(points: Array) -> Array:
    """The solution: a product of sines, which is 0 on the boundary."""
    product: Array = np.sin(np.pi * points).prod(axis=-1)
    return product


def error_of(mesh: Mesh, x: Array) -> float:
    """The L² norm of what is wrong with a solution."""
    found = np.where(mesh.node >= 0, x[mesh.node], 0)
    return float(np.sqrt((mesh.mass * (found - exact(mesh.points)) ** 2).sum()))


def solved(
    order: int, cells: int, *, is_atomic: bool = False, device: str = "auto", comm: Communicator | None = None
) -> tuple[Array, float, int]:
    """The solution on a mesh, its error, and the steps that it took: the same on all ranks."""
    mesh = mesh_of(order, cells)
    apply = Laplacian(mesh, is_atomic=is_atomic, device=device, comm=comm)
    found, steps = solve(apply, apply.load(3 * np.pi**2 * exact(mesh.points)))
    x = apply.whole(found)
    return x, error_of(mesh, x), steps


def sparse_of(mesh: Mesh) -> Any:
    """The same operator as a sparse matrix of SciPy, without the zeros of tensor products."""
    from scipy import sparse  # noqa: PLC0415 - only a comparison needs it

    one, along = sparse.identity(len(mesh.derive)), sparse.csr_array(mesh.derive)
    every = sparse.identity(len(mesh.node))
    derive = [
        sparse.kron(every, sparse.kron(a, sparse.kron(b, c)), "csr")
        for a, b, c in ((along, one, one), (one, along, one), (one, one, along))
    ]
    number = mesh.node.ravel()
    is_there = number >= 0
    shape = (len(number), mesh.unknowns)
    gather = sparse.csr_array((np.ones(is_there.sum()), (np.flatnonzero(is_there), number[is_there])), shape)
    local = [each @ gather for each in derive]
    place = {(0, 0): 0, (0, 1): 1, (0, 2): 2, (1, 1): 3, (1, 2): 4, (2, 2): 5}
    metric = {at: sparse.diags_array(mesh.metric[number].ravel()) for at, number in place.items()}
    flux = [sum(metric[min(a, b), max(a, b)] @ local[b] for b in range(3)) for a in range(3)]
    matrix = sum(local[a].T @ flux[a] for a in range(3)).tocsr()
    matrix.eliminate_zeros()
    return matrix


def compare(order: int, cells: int, device: str, runs: int = 20) -> None:
    """Processor time of the sparse product over that of the kernel, in order and in any order."""
    mesh = mesh_of(order, cells)
    matrix = sparse_of(mesh)
    x = np.random.default_rng(1).normal(size=mesh.unknowns)
    ways: dict[str, Any] = {"SciPy": lambda: matrix @ x}
    for word, is_atomic in (("in order", False), ("atomic", True)):
        apply = Laplacian(mesh, is_atomic=is_atomic, device=device)
        difference = abs(apply(x) - matrix @ x).max() / abs(matrix @ x).max()
        print(f"{word}: largest difference to SciPy's product {difference:.1e}")
        ways[word] = apply.launch.run
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, run in ways.items():
            start = time.process_time()
            run()
            if name != "SciPy":
                apply.launch.wait()
            seconds[name].append(time.process_time() - start)
    median = {name: float(np.median(each)) for name, each in seconds.items()}
    entries = matrix.nnz / mesh.unknowns
    print(f"{len(mesh.node)} hexahedra of order {order}, {mesh.unknowns} unknowns, {entries:.0f} entries in a row")
    for name, each in median.items():
        rate, ratio = mesh.unknowns / each / 1e6, median["SciPy"] / each
        print(f"{name}: {rate:.1f} million unknowns a second, SciPy over it {ratio:.2f}")
    print(f"in order over atomic: {median['in order'] / median['atomic']:.2f}")


def main(arguments: list[str] | None = None) -> float:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--order", type=int, default=4)
    parser.add_argument("--cells", type=int, default=4)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--atomic", action="store_true")
    parser.add_argument("--compare", action="store_true", help="with SciPy's sparse matrix, which has to be installed")
    given = parser.parse_args(arguments)
    if given.compare:
        compare(given.order, given.cells, given.device)
        return 0.0
    comm = world()
    if comm.size > 1:
        os.environ.setdefault("POCL_DEVICES", "basic")  # a rank has a core: PoCL's device without threads
    start = time.perf_counter()
    x, error, steps = solved(given.order, given.cells, is_atomic=given.atomic, device=given.device, comm=comm)
    seconds = time.perf_counter() - start
    if comm.rank == 0:
        print(f"{given.cells**3} hexahedra of order {given.order}, {len(x)} unknowns: {steps} steps, {seconds:.2f} s")
        print(f"error in L2: {error:.2e}, values {hashlib.sha256(x.tobytes()).hexdigest()[:16]}")
    return error


if __name__ == "__main__":
    sys.exit(main() > 1e-2)
