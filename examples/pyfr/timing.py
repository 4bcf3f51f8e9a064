"""Times of PyFR's kernels for its tuner: as PyFR runs them, block by block in memory of a thread."""

import time
from typing import Any

SECONDS, TURNS = 0.003, 9
"""Of a turn at least, and how many there are."""


class Times:
    """Seconds of kernels, measured once each."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend
        self._found: dict[tuple[Any, ...], float] = {}

    def of(self, kernel: Any, key: tuple[Any, ...]) -> float:
        """The least of some turns. The operands are memory of each thread, so nothing that PyFR has is written."""
        if key not in self._found:
            graph = self._backend.graph()
            graph.add(kernel)
            graph.group([kernel], subs=[[(kernel, "b")], [(kernel, "out")]])
            graph.commit()
            graph.run()
            times = max(1, round(SECONDS / _seconds(graph, 1)))
            self._found[key] = min(_seconds(graph, times) for _ in range(TURNS))
        return self._found[key]


def _seconds(graph: Any, times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        graph.run()
    return (time.perf_counter() - start) / times
