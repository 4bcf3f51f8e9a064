"""Runs kernels in Oclgrind, which reports races, accesses outside of memory and uses of what was never written.

`python -m tests.oclgrind [COUNT]`: the kernels of this folder, and COUNT generated ones, 30 unless given.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKS = ("--data-races", "--uninitialized", "--max-errors", "20", "--build-options", "-cl-opt-disable")
"""Without optimisation, as the plugin that looks for uninitialised values does not know the instruction `freeze`."""

SIMULATE = ("-m", "tests.oclgrind.simulate")


def simulate(*arguments: str) -> tuple[int, str]:
    """The exit code of Python with these arguments, and what Oclgrind reports of its kernels."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        command = ["oclgrind", *CHECKS, "--log", str(log), sys.executable, *arguments]
        done = subprocess.run(command, env={**os.environ, "PYOPENCL_NO_CACHE": "1"}, check=False)
        return done.returncode, log.read_text(encoding="utf-8") if log.exists() else ""


def main(count: int) -> int:
    """0 if there is nothing to report."""
    if shutil.which("oclgrind") is None:
        print("oclgrind is missing: `apt-get install oclgrind` on Debian and Ubuntu", file=sys.stderr)
        return 2
    code, reports = simulate(*SIMULATE, str(count))
    if code:
        print(f"{reports}the run ended with exit code {code}", file=sys.stderr)
        return code
    print(reports or "Oclgrind has nothing to report")
    return int(bool(reports))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 30))
