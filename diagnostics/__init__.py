"""What every package needs to speak with the user: texts, places in them, and errors as values."""

from einsum_front.diagnostics.diagnostic import Diagnostic, Label
from einsum_front.diagnostics.errors import ArgumentTypeError, ArgumentValueError, CompileError, CompilerBug
from einsum_front.diagnostics.render import render, render_all
from einsum_front.diagnostics.source import Origin, Source, Span

__all__ = [
    "ArgumentTypeError",
    "ArgumentValueError",
    "CompileError",
    "CompilerBug",
    "Diagnostic",
    "Label",
    "Origin",
    "Source",
    "Span",
    "render",
    "render_all",
]
