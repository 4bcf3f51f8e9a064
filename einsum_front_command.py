"""The command `einsum-front`; an interrupt while the compiler is loaded says nothing."""

import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)

from einsum_front.cli import main  # noqa: E402 - loading the compiler takes a part of a second

signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["main"]
