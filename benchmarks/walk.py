"""What one index string takes: `python -m benchmarks.walk`.

The walk of the first call that builds its kernel through our files, with everything imported and nothing in our caches:
files, functions, calls, and moves: calls of a function in another file than that of the call before. Then, in processes
of their own, the processor time of `import einsum_front` and of the first call, which imports what it needs and builds
in the background. The import of NumPy is not in them, and caches of the drivers are warm.
"""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from inspect import CO_OPTIMIZED
from pathlib import Path
from statistics import median
from types import CodeType, FrameType

import numpy as np

import einsum_front as ef

PACKAGE = Path(ef.__file__).parent
SUBSCRIPTS = "bik,kj->bij"
SHAPES = (8, 6, 5), (5, 7)
PROCESSES = 7

CHILD = f"""
from time import process_time
import numpy as np
operands = [np.ones(shape, np.float32) for shape in {SHAPES}]
start = process_time()
import einsum_front
imported = process_time()
einsum_front.einsum({SUBSCRIPTS!r}, *operands)
print(imported - start, process_time() - imported)
"""


@dataclass(slots=True)
class Walk:
    """The functions of the package that were called, and how often a call was one into another file."""

    files: set[str] = field(default_factory=set)
    functions: set[CodeType] = field(default_factory=set)
    calls: int = 0
    moves: int = 0
    _last: str = ""

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """What `sys.setprofile` calls."""
        code = frame.f_code
        if event != "call" or not code.co_flags & CO_OPTIMIZED or not code.co_filename.startswith(str(PACKAGE)):
            return  # bodies of modules and classes are imports
        self.functions.add(code)
        self.files.add(code.co_filename)
        self.calls += 1
        self.moves += code.co_filename != self._last
        self._last = code.co_filename


def walk() -> Walk:
    """That of a call of which nothing is known; another string before has imported all."""
    ef.einsum("bi,bi->b", *(np.ones((2, 3), np.float32),) * 2, build="now")
    operands = [np.ones(shape, np.float32) for shape in SHAPES]
    seen = Walk()
    sys.setprofile(seen)
    try:
        ef.einsum(SUBSCRIPTS, *operands, build="now")
    finally:
        sys.setprofile(None)
    return seen


def repeated() -> int:
    """Calls of Python functions in a call like one before, the libraries' included: what is done around a launch."""
    operands = [np.ones((1, 4, 4)), np.ones((4, 4))]
    ef.einsum(SUBSCRIPTS, *operands)
    events: list[str] = []
    sys.setprofile(lambda _frame, event, _argument: events.append(event))
    try:
        ef.einsum(SUBSCRIPTS, *operands)
    finally:
        sys.setprofile(None)
    return events.count("call")


def seconds() -> tuple[float, float]:
    """Processor time to import the package, and of the first call in a process: medians."""
    times = []
    for _ in range(PROCESSES + 1):  # the first one warms the caches
        said = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True).stdout
        times.append([float(word) for word in said.split()])
    imported, called = zip(*times[1:], strict=True)
    return median(imported), median(called)


def main() -> int:
    """Prints three lines."""
    os.environ["EINSUM_FRONT_NO_CACHE"] = "1"
    seen = walk()
    counts = f"{len(seen.files)} files, {len(seen.functions)} functions, {seen.calls} calls"
    print(f"{counts}, {seen.moves} moves from file to file")
    print(f"{repeated()} calls of functions when it is called again")
    imported, called = seconds()
    print(f"import {imported:.3f} s, first call {called:.3f} s of processor time (medians of {PROCESSES} processes)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
