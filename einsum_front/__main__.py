"""The command `einsum-front`, also `python -m einsum_front`; an interrupt while the compiler is loaded says nothing."""

import atexit
import gc
import signal
import sys

signal.signal(signal.SIGINT, signal.SIG_DFL)

# What is loaded and what is translated lives to the end: looking for garbage among it, the last time when the
# interpreter ends, took a third of the time of a short command.
gc.set_threshold(200_000, 10, 10)
atexit.register(gc.freeze)

from einsum_front.cli import main  # noqa: E402 - loading the compiler takes a part of a second

signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
