"""The two exceptions: what the user can mend, and what only we can."""

from collections.abc import Iterable

from einsum_front.core.diagnostics.codes import ASSERTIONS, AXES, MEMORY, NOT_IMPLEMENTED, RUNTIME, TYPES, VALUES
from einsum_front.core.diagnostics.diagnostic import Diagnostic
from einsum_front.core.diagnostics.render import render_all


class CompileError(Exception):
    """The input has mistakes: all that were found, in the order of the text. As a string they are shown with places.

    Where the first of them is about an argument of a call in Python, the error is a `TypeError`, a `ValueError` or a
    `MemoryError` too, as Python programs expect: `codes` say which. Mistakes of scripts are what YATeTo raises.
    """

    diagnostics: tuple[Diagnostic, ...]

    def __new__(cls, diagnostics: Iterable[Diagnostic] = ()) -> "CompileError":
        """The class follows from what is wrong, so nobody who raises an error has to choose it.

        Without diagnostics it is the class that is asked for: what unpickles errors fills them in behind.
        """
        listed = tuple(diagnostics)
        first = listed[0].code if listed else ""
        kinds = (kind for codes, kind in _KINDS if first in codes)
        error = super().__new__(next(kinds, CompileError if listed else cls), listed)
        error.diagnostics = listed
        return error

    def __init__(self, _diagnostics: Iterable[Diagnostic]) -> None:
        super().__init__(self.diagnostics)  # an iterator has been read to its end

    def __str__(self) -> str:
        """The mistakes, behind what a caller has put in their place: opt_einsum says what it was evaluating."""
        mistakes = render_all(self.diagnostics)
        return mistakes if self.args == (self.diagnostics,) else f"{super().__str__()}\n{mistakes}"

    def __reduce__(self) -> tuple[object, ...]:
        return CompileError, (self.diagnostics,)

    def _render_traceback_(self) -> list[str]:
        """What IPython and notebooks print: mistakes of a text have nothing to do with the frames of Python."""
        return str(self).splitlines()


def raise_any(mistakes: Iterable[Diagnostic]) -> None:
    """Raises `CompileError` with all mistakes, if there are any."""
    if listed := tuple(mistakes):
        raise CompileError(listed)


class ArgumentTypeError(CompileError, TypeError):
    """An argument is missing, unknown, or not of a type that will do."""


class ArgumentValueError(CompileError, ValueError):
    """An argument is of the right type and does not fit: a shape, a size, a name of a device."""


class ArgumentAxisError(ArgumentValueError, IndexError):
    """A mode is counted that the array does not have."""


class NoMemoryError(CompileError, MemoryError):
    """There is no memory for an array: for those who catch what NumPy raises then."""


class ScriptAssertionError(CompileError, AssertionError):
    """A script says something that cannot be, where YATeTo asserts that it is not."""


class ScriptRuntimeError(CompileError, RuntimeError):
    """A script generates what does not fit together."""


class ScriptNotImplementedError(CompileError, NotImplementedError):
    """A script asks for something that nobody knows."""


_KINDS = (
    (TYPES, ArgumentTypeError),
    (AXES, ArgumentAxisError),
    (VALUES, ArgumentValueError),
    (MEMORY, NoMemoryError),
    (ASSERTIONS, ScriptAssertionError),
    (RUNTIME, ScriptRuntimeError),
    (NOT_IMPLEMENTED, ScriptNotImplementedError),
)


class CompilerBug(Exception):  # noqa: N818 - a bug is not an error of the user
    """A state that no input should reach: a defect of einsum-front."""
