"""Driver output that says less than our messages: kept from the standard error."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from tempfile import TemporaryFile

STANDARD_ERROR = 2

COUNTS = re.compile(rb"^(\d+ (warning|error)s?( and )?)+ generated\.\n", re.MULTILINE)
"""How many messages a compiler gave: PoCL's prints that by itself, though the messages are in the build log."""


@contextmanager
def without_counts() -> Iterator[None]:
    """Whatever the process says on its standard error in the meantime comes at the end, but for such lines.

    The whole process has one standard error: two threads must not be in here at the same time.
    """
    with ExitStack() as opened:
        try:
            kept = os.dup(STANDARD_ERROR)
            opened.callback(os.close, kept)
            said = opened.enter_context(TemporaryFile())
        except OSError:  # it is closed, or there is no room: a line too many is no harm
            yield
            return
        with suppress(AttributeError):  # Python may have none
            sys.stderr.flush()
        os.dup2(said.fileno(), STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(kept, STANDARD_ERROR)
            said.seek(0)
            os.write(STANDARD_ERROR, COUNTS.sub(b"", said.read()))
