"""What computing something once per launch costs each element.

A launch is taken for one of `ELEMENTS`: each of them bears that part of what is done once. And each reads the
constants: so a product of two constants that has many more entries than they have is no gain, unless it saves more.
"""

ELEMENTS = 2**12
"""Elements of a launch. With fewer a prologue may cost more than it saves, with more it costs less than we say."""

START = 2**18
"""Operations that take as long as starting a kernel: 5 microseconds of two cores of a CPU."""

ENTRY = 2
"""Operations that take as long as reading an entry of a constant: a core loads as many as it multiplies and adds."""


def share(operations: float) -> float:
    """What operations that are done once cost each element, in operations."""
    return operations / ELEMENTS
