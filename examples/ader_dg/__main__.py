"""`python -m examples.ader_dg` is the main job; an interrupt while the compiler is loaded says nothing."""

import signal
import sys

signal.signal(signal.SIGINT, signal.SIG_DFL)

from examples.ader_dg.job import main  # noqa: E402 - loading the compiler takes a part of a second

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
