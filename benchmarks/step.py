"""A time step of ADER-DG on tetrahedra: two launches that read neighbours where integers say, and copied neighbours.

    python -m benchmarks.step [DEVICE [ORDER]]

Copied neighbours have a launch for each kernel. Members of families are behind a pointer for each face, or the faces
are sorted by them: then each of 48 kernels knows its matrices, and what it adds to is copied, too. All ways add the
same, which is checked. Nanoseconds an element, processor time, medians of turns that all take, from memory.

On a GPU: the two launches, by its clock, and the share that reading and writing all of their lines takes of that. What
neighbours hand on is counted once for each of them.
"""

import sys
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

import einsum_front as ef
from benchmarks.fastest import FOLDER, TURNS, Way, report
from benchmarks.peaks import Peaks
from einsum_front.runtime import Launch
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.launches.timing import measure
from examples.ader_dg import matrices
from examples.dg.mesh import Mesh, cube

CELLS = {4: 14, 6: 9}
GPU_CELLS = {4: 28, 6: 18}
"""By order; six tetrahedra are a cell."""

TIME_STEP = 1e-3
CURVE_BITS = 10

COPIED = """
tensor N{4}[B, 9]
tensor P{4}[B2, B2] grouped
tensor R{4}[B2, B]  grouped
tensor A[9, 9]
kernel volume  { Q[k,p] += sum{d in 0:3}( kDivM{d}[k,l] * I[l,q] * star{d}[q,p] ) }
kernel local   { Q[k,p] += sum{i in 0:4}( rDivM{i}[k,m] * fMrT{i}[m,l] * I[l,q] * AplusT{i}[q,p] ) }
kernel pointed { Q[k,p] += sum{i in 0:4}( rDivM{i}[k,m] * P{i}[m,n] * R{i}[n,l] * N{i}[l,q] * AminusT{i}[q,p] ) }
kernel member{h in 0:3, j in 0:4, i in 0:4} { Q[k,p] += rDivM{i}[k,m] * fP{h}[m,n] * rT{j}[n,l] * I[l,q] * A[q,p] }
"""

Array = NDArray[Any]


def main(device: str, orders: Sequence[int]) -> None:
    """Prints what each way takes."""
    found = find_device(device)
    for order in orders:
        matrices.write(order)
        for real in ("f64", "f32"):
            if not found.facts.is_cpu:
                _report_launches(Step(order, GPU_CELLS[order], real, device), Peaks(found))
                continue
            step = Step(order, CELLS[order], real, device)
            ways = {
                "two launches": step.gathered(),
                "copied, pointers": step.pointed(),
                "copied, sorted": step.sorted(),
            }
            step.check(ways)
            what = f"step of order {order}, {real}, {step.elements} elements"
            report(what, step.elements, {name: partial(_taken, way) for name, way in ways.items()})


def _report_launches(step: "Step", peaks: Peaks) -> None:
    copying = peaks.copying(1 << 30)
    bandwidth = copying.work / median(copying.run() for _ in range(TURNS))
    for name, launch, size in zip(("predictor", "corrector"), step.launches(), step.lines(), strict=True):
        seconds = measure(launch, TURNS).median
        each = f"{seconds / step.elements * 1e9:.2f} ns an element, {size / bandwidth / seconds:.2f} of the floor"
        print(f"{name} of order {step.order}, {step.real}, {step.elements} elements: {each}")


def _taken(way: Way, _elements: int) -> Way:
    return way


class Step:
    """The arrays of a mesh, random but for the integers, and the ways to a step."""

    def __init__(self, order: int, cells: int, real: str, device: str) -> None:
        self.order, self.real, self.device = order, real, device
        self._there: dict[str, Any] = {}
        mesh = cube(cells)
        place = along_curve(mesh)
        self.elements = len(place)
        new = np.argsort(place)
        self.next = np.where(mesh.neighbours < 0, -1, new[mesh.neighbours])[place].astype(np.int32)
        self.side = mesh.sides[place].astype(np.int32)
        random = np.random.default_rng(0)
        self.turn = random.integers(0, 3, self.next.shape, np.int32)
        self.known = {**np.load(FOLDER / f"matrices/order{order}.npz"), **np.load(FOLDER / "matrices/elastic.npz")}
        basis = order * (order + 1) * (order + 2) // 6
        self.start = self._random(random, basis, 9)
        self.arrays = {"Q": self.start.copy(), "I": np.zeros_like(self.start)}
        self.arrays |= {f"star_{d}": self._random(random, 9, 9) * (self.known[f"star_{d}"] != 0) for d in range(3)}
        for face, sign in product(range(4), ("plus", "minus")):
            self.arrays[f"A{sign}T_{face}"] = self._random(random, 9, 9)
        factorial = np.cumprod(np.arange(1, order + 1))
        self.scalars = {f"power_{n}": TIME_STEP ** (n + 1) / factorial[n] for n in range(order)}

    def _random(self, random: np.random.Generator, *shape: int) -> Array:
        return random.standard_normal((self.elements, *shape)).astype({"f64": np.float64, "f32": np.float32}[self.real])

    def gathered(self) -> Way:
        """`step.ein` as it is."""
        return _all(self.launches())

    def launches(self) -> list[Launch]:
        """Those of `step.ein`."""
        text = (FOLDER / "step.ein").read_text(encoding="utf-8")
        integers = {"next": self.next, "side": self.side, "turn": self.turn}
        return [self._launch(text, "predictor"), self._launch(text, "corrector", **integers)]

    def lines(self) -> tuple[float, float]:
        """Bytes that each of them reads and writes, in lines of 64 bytes."""
        element, solver = self.start[0].nbytes, 9 * 9 * self.start.itemsize
        neighbours = float(np.mean(self.next >= 0)) * 4
        own = 2 * element + 3 * solver
        each = own, own + (1 + neighbours) * element + 8 * solver + 3 * self.next[0].nbytes
        return each[0] * self.elements, each[1] * self.elements

    def _copied(self) -> str:
        text = (FOLDER / "step.ein").read_text(encoding="utf-8")
        return text[: text.index("kernel corrector")] + COPIED

    def _own(self) -> list[Launch]:
        """Predictor, volume and local fluxes."""
        return [self._launch(self._copied(), name) for name in ("predictor", "volume", "local")]

    def pointed(self) -> Way:
        """Neighbours are copied, and each face has pointers to its matrices."""
        own = self._own()
        copies = [np.zeros_like(self.start) for _ in range(4)]
        turned, sides = (
            [np.asfortranarray(self.known[f"{name}_{n}"].astype(self.start.dtype)) for n in range(count)]
            for name, count in (("fP", 3), ("rT", 4))
        )
        given: dict[str, Any] = {f"N_{face}": copies[face] for face in range(4)}
        given |= {f"P_{face}": [turned[n] for n in self.turn[:, face]] for face in range(4)}
        given |= {f"R_{face}": [sides[max(n, 0)] for n in self.side[:, face]] for face in range(4)}
        last = self._launch(self._copied(), "pointed", **given)
        inside = [np.maximum(self.next[:, face], 0) for face in range(4)]
        walls = [np.flatnonzero(self.next[:, face] < 0) for face in range(4)]
        integrated = self.arrays["I"]

        def run(times: int) -> None:
            for _ in range(times):
                own[0].run()
                own[0].finish()
                for face in range(4):
                    np.take(integrated, inside[face], axis=0, out=copies[face], mode="clip")
                    copies[face][walls[face]] = 0
                for launch in (*own[1:], last):
                    launch.run()
                last.finish()

        return run

    def sorted(self) -> Way:
        """A kernel for each kind of face that knows its matrices: what it reads and adds to is copied."""
        own, solution, integrated = self._own(), self.arrays["Q"], self.arrays["I"]
        kinds = []
        for turn, side, face in product(range(3), range(4), range(4)):
            is_kind = (self.next[:, face] >= 0) & (self.side[:, face] == side) & (self.turn[:, face] == turn)
            places = np.flatnonzero(is_kind)
            there, sums = (np.empty((len(places), *self.start.shape[1:]), self.start.dtype) for _ in range(2))
            given = {"Q": sums, "I": there, "A": self.arrays[f"AminusT_{face}"][places]}
            launch = self._launch(self._copied(), f"member_{turn}_{side}_{face}", **given)
            kinds.append((places, self.next[places, face], there, sums, launch))

        def run(times: int) -> None:
            for _ in range(times):
                for launch in own:
                    launch.run()
                own[-1].finish()
                for places, others, there, sums, launch in kinds:
                    np.take(integrated, others, axis=0, out=there, mode="clip")
                    np.take(solution, places, axis=0, out=sums, mode="clip")
                    launch.run()
                    launch.finish()
                    solution[places] = sums

        return run

    def _launch(self, text: str, name: str, **given: Any) -> Launch:
        """A kernel of the text, with its arguments bound: those given, else those of the mesh, else known matrices."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "step.ein"
            path.write_text(text.replace('"matrices/', f'"{FOLDER}/matrices/'), encoding="utf-8")
            program = ef.parse(path)
            kernel = ef.compile(program, self.device, defines={"O": self.order}, real=self.real, kernel=name)[name]
        known = {each: array.astype(self.start.dtype) for each, array in self.known.items()}
        values: dict[str, Any] = {**known, **self.arrays, **self.scalars, **given}
        wanted = {parameter.name for parameter in kernel.artifact.arguments}
        given = {each: value for each, value in values.items() if each in wanted}
        if not kernel.device.facts.is_cpu:
            for each in given.keys() - self.scalars.keys():
                given[each] = self._there.setdefault(each, kernel.to_device(each, given[each]))
        return kernel.prepare(**given)

    def check(self, ways: dict[str, Way]) -> None:
        """Raises ValueError if two ways differ."""
        results = []
        for way in ways.values():
            self.arrays["Q"][:] = self.start
            way(1)
            results.append(self.arrays["Q"].copy())
        bound = 1e4 * np.finfo(self.start.dtype).eps * np.abs(results[0]).max()
        if any(np.abs(result - results[0]).max() > bound for result in results):
            raise ValueError("the ways to a step differ")
        self.arrays["Q"][:] = 0  # steps that are repeated would leave the range of numbers


def _all(launches: list[Launch]) -> Way:
    def run(times: int) -> None:
        for _ in range(times):
            for launch in launches:
                launch.run()
            launches[-1].finish()

    return run


def along_curve(mesh: Mesh) -> Array:
    """The elements in the order of a space-filling curve, as programs have them: neighbours are close in memory."""
    steps = (mesh.centres * (2**CURVE_BITS - 1)).astype(np.int64)
    key = np.zeros(len(steps), np.int64)
    for bit, axis in product(range(CURVE_BITS), range(3)):
        key |= ((steps[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(key, kind="stable")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "c", [int(each) for each in sys.argv[2:]] or sorted(CELLS))
