"""Runs cases in one process, with limits, and says how each went: a line of JSON for each.

    python -m tests.hostile.worker FOLDER NUMBER …

A case that exhausts the limit of the address space ends its process, as one does that the system kills.
"""

import contextlib
import io
import json
import os
import resource
import shutil
import sys
import time
import traceback
from pathlib import Path

from einsum_front.cli import main
from tests.hostile.cases import Case, case

ADDRESS_SPACE = 6 * 2**30
"""Bytes; drivers reserve some that they never use."""


def outcome(given: Case, folder: Path) -> dict[str, object]:
    """What a case comes to: its exit code or the end of its traceback, seconds of the processor, bytes at the most."""
    for name, content in given.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    os.chdir(folder)
    _forget_peak()
    start = time.process_time()
    said: object
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as words:
        try:
            said = main(given.command)
        except SystemExit as end:  # wrong usage
            said = end.code
        except BaseException:
            said = traceback.format_exc(limit=-4)
    if "defect of einsum-front" in words.getvalue():
        said = words.getvalue()
    return {
        "name": given.name,
        "said": said,
        "seconds": time.process_time() - start,
        "bytes": _peak(),
    }


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> int:
    """The largest resident memory since it was forgotten, in bytes."""
    (line,) = (each for each in Path("/proc/self/status").read_text(encoding="ascii").splitlines() if "VmHWM" in each)
    return int(line.split()[1]) * 1024


def _all(folder: Path, numbers: list[int]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    os.environ["XDG_CACHE_HOME"] = "cache"  # platformdirs asks each time
    for number in numbers:
        place = folder / str(number)
        place.mkdir(parents=True)
        print(json.dumps({"begins": number}), flush=True)  # noqa: T201
        print(json.dumps(outcome(case(number), place)), flush=True)  # noqa: T201
        os.chdir(folder)
        shutil.rmtree(place)


if __name__ == "__main__":
    _all(Path(sys.argv[1]), [int(number) for number in sys.argv[2:]])
