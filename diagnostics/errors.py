"""The two exceptions: what the user can mend, and what only we can."""

from collections.abc import Iterable

from diagnostics.diagnostic import Diagnostic
from diagnostics.render import render_all


class CompileError(Exception):
    """The input has mistakes: all that were found, in the order of the text. As a string they are shown with places."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return render_all(self.diagnostics)


class CompilerBug(Exception):  # noqa: N818 - a bug is not an error of the user
    """A state that no input should reach: a defect of einsum-front."""
