"""The command `einsum-front`, also `python -m einsum_front`; an interrupt while the compiler is loaded says nothing."""

import signal
import sys

signal.signal(signal.SIGINT, signal.SIG_DFL)

from einsum_front.cli import main  # noqa: E402 - loading the compiler takes a part of a second

signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
