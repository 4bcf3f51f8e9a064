"""Measure: `python -m benchmarks --help`."""

import os
import sys

# build times should be those of a first build: pyopencl reads this when it is imported, PoCL when it is first used
os.environ.setdefault("PYOPENCL_NO_CACHE", "1")
os.environ.setdefault("POCL_KERNEL_CACHE", "0")

# schedules should be those of the model, whatever was tuned on this machine
os.environ.setdefault("EINSUM_FRONT_NO_CACHE", "1")

from benchmarks.cli import main

sys.exit(main())
