"""A run in chunks that ends itself at a place: `python -m tests.chunked.interrupted FOLDER in|out PLACE CHUNK`.

PLACE is where the process is killed in chunk number CHUNK: `half`, when half of a chunk is written; `written`, before
the journal has it; `saved`, when results are kept beside the journal; `none`.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np

from einsum_front.chunked.journal import Journal
from einsum_front.chunked.stores import MappedFile
from tests.chunked.kernels import BATCH, arguments, program


def _before(kind: type, name: str, chunk: int, *, is_half: bool = False) -> None:
    """Kill the process in a call of a method, the one with this number."""
    method, calls = getattr(kind, name), []

    def counted(self: Any, *given: Any) -> Any:
        calls.append(name)
        if len(calls) == chunk:
            if is_half:
                first, staging = given
                method(self, first, staging[: len(staging) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return method(self, *given)

    setattr(kind, name, counted)


def main(folder: Path, where: str, place: str, chunk: int) -> None:
    files = {
        name: np.memmap(folder / name, np.float64, "r+", shape=(BATCH, *shape))
        for name, shape in (("I", (4, 3)), ("Q", (5, 3)), ("R", (5, 3)))
    }
    if place == "half":
        _before(MappedFile, "write", chunk, is_half=True)
    elif place == "written":
        _before(Journal, "finish", chunk)
    elif place == "saved":
        _before(MappedFile, "reserve", chunk)
    out = {"Q": files["R"]} if where == "out" else None
    kernel = program()["update"].chunked(chunk=64, journal=folder / "journal", out=out)
    kernel(dt=0.3, K=arguments()["K"], I=files["I"], Q=files["Q"])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]))
