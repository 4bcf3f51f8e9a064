"""Calls of kernels of `ef.compile` that NumPy computes: nobody waits for a compiler where sizes are open.

A kernel is translated for the layouts of its arguments and built when it is first called. Until then, calls are
computed from the contraction graph, for some elements at a time; when that has cost as much as in calls of `ef.einsum`,
the kernel is built in the background (`index_string.builds`), once for each layout, for all sizes.
"""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from einsum_front import ir
from einsum_front.core.binding import polynomials_in
from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import evaluated
from einsum_front.driver import Stages
from einsum_front.driver.texts import operation_count
from einsum_front.index_string.builds import BUILDS, WORTH_BUILDING, WORTH_WAITING
from einsum_front.index_string.keywords import Build, reject_for_never
from einsum_front.ir.contraction.interpret import interpret
from einsum_front.layouts import Key, Specialisations
from einsum_front.options import Level
from einsum_front.runtime import Kernel
from einsum_front.runtime.artifact import ScalarParameter, TensorParameter

NODE, ENTRY, OPERATION = 10_000, 3.0, 1.0
"""Nanoseconds that NumPy takes for a node of the graph, an entry of the arguments and an operation (AMD Zen 5)."""

AT_ONCE = 2**24
"""Bytes of arguments that are computed at once: what is made on the way takes a few times as many."""

MOST_BYTES = 2**30
"""Of arguments that a kernel is called with when it is built in the background; calls with more wait for it."""


@dataclass(frozen=True, slots=True)
class _Like:
    """An array without its entries: its type, extents, and modes from the slowest to the fastest in memory."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    order: tuple[int, ...]

    def zeros(self) -> Any:
        """Such an array without gaps."""
        array = np.zeros([self.shape[mode] for mode in self.order], self.dtype)
        return array.transpose(np.argsort(self.order))


class _Kind:
    """Calls whose arguments lie alike, which one kernel computes."""

    def __init__(self) -> None:
        self.left = WORTH_BUILDING
        self.is_there = False
        self._make: Callable[[], None] | None = None

    def ask(self, make: Callable[[], None]) -> None:
        """Builds the kernel in the background."""
        self._make = make
        BUILDS.ask(self)

    def build(self) -> None:
        """In the background."""
        if self._make is not None:
            self._make()
        self._make, self.is_there = None, True

    def give_up(self) -> None:
        """Calls stay with NumPy."""
        self._make = None

    def leave_parent(self) -> None:
        """Kernels of a driver say themselves that they are of another process."""


class ByNumpy:
    """Calls of one kernel that NumPy computes as long as there is none for the layouts of their arguments."""

    def __init__(
        self,
        translation: Stages,
        graph: ir.Graph,
        kernel: Callable[[], Kernel],
        specialisations: Specialisations,
        *,
        builds: bool,
    ) -> None:
        """`kernel` is that of the default layout, whose checks are those of all; without `builds` none is built."""
        self._graph, self._kernel, self._specialisations = graph, kernel, specialisations
        self._nodes = len(graph.values) + (0 if graph.prologue is None else len(graph.prologue.values))
        self._operations = operation_count(translation)
        arrays = [each for each in translation.artifact.arguments if not isinstance(each, ScalarParameter)]
        self._batched = {each.name for each in arrays if isinstance(each, TensorParameter) and each.batched}
        are_plain = all(isinstance(each, TensorParameter) and None not in each.indices for each in arrays)
        self._are_plain = are_plain and not graph.scatters
        self._known = {each.name for each in arrays if isinstance(each, TensorParameter) and each.values is not None}
        self._builds = builds
        self._kinds: dict[Key, _Kind] = {}

    def run(self, groups: int | None, unnamed: Sequence[object], given: Mapping[str, object]) -> bool:
        """Computes a call; False if its kernel shall. Raises `CompileError` as the kernel does."""
        if self._builds and self._specialisations.knows(given):
            return False
        arrays = {name: each for name, each in given.items() if type(each) is np.ndarray}
        is_ours = self._are_plain and all(name in arrays or np.isscalar(each) for name, each in given.items())
        if unnamed or not is_ours or (groups is not None and not self._batched):
            if not self._builds:
                self._kernel().count(groups, *unnamed, **given)
                reject_for_never()
            return False
        key = self._specialisations.key(given)
        kind = self._kinds.setdefault(key, _Kind())
        if kind.is_there:
            return False
        count, sizes = self._kernel().count(groups, **given)
        if self._builds:
            operations: Any = evaluated(self._operations, sizes)
            entries = sum(array.size for array in arrays.values())
            spent = NODE * self._nodes + ENTRY * entries + OPERATION * operations * count
            if spent > WORTH_WAITING or sum(array.nbytes for array in arrays.values()) > MOST_BYTES:
                return False
            self._spend(kind, spent, given, arrays)
        self._compute(count, given, arrays)
        return True

    def built(self, given: Mapping[str, object]) -> None:
        """There is a kernel for calls like this one."""
        if self._builds:
            self._kinds.setdefault(self._specialisations.key(given), _Kind()).is_there = True

    def _spend(self, kind: _Kind, spent: float, given: Mapping[str, object], arrays: Mapping[str, Any]) -> None:
        if kind.left <= 0:
            return
        kind.left -= spent
        if kind.left <= 0:
            like = {name: _like(array) for name, array in arrays.items() if name not in self._known}
            numbers = {name: each for name, each in given.items() if name not in arrays}
            specialisations = self._specialisations

            def make() -> None:
                zeros = {name: each.zeros() for name, each in like.items()}
                specialisations.for_build({**zeros, **numbers})(**zeros, **numbers)

            kind.ask(make)

    def _compute(self, count: int, given: Mapping[str, object], arrays: Mapping[str, Any]) -> None:
        """The call, for as many elements at once as are fast and small."""
        each = sum(prod(array.shape[1:]) * array.itemsize for name, array in arrays.items() if name in self._batched)
        most = max(1, AT_ONCE // max(1, each)) if self._batched else max(1, count)
        for start in range(0, count, most):
            part = {name: arrays[name][start : start + most] for name in arrays if name in self._batched}
            arguments: Any = {**given, **part}
            interpret(self._graph, arguments)


def _like(array: Any) -> _Like:
    order = sorted(range(array.ndim), key=lambda mode: (-abs(array.strides[mode]), mode))
    return _Like(array.dtype, array.shape, tuple(order))


def calls_by_numpy(
    translation: Stages, kernel: Callable[[], Kernel], specialisations: Specialisations, build: Build | None
) -> ByNumpy | None:
    """What computes calls before there is a kernel; None if they wait for it.

    Without a wish, they do where all sizes are numbers.
    """
    graph = translation.at(Level.GRAPH)
    if build == "now" or not isinstance(graph, ir.Graph) or translation.decision.has_recipe:
        return None
    is_open = any(True for tensor in graph.arguments for _ in polynomials_in(tuple(tensor.shape)))
    if build is None and not is_open:
        return None
    return ByNumpy(translation, graph, kernel, specialisations, builds=build != "never")
