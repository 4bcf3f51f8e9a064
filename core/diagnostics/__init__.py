"""Texts, places in them, and errors as values: how every package speaks with the user."""

from einsum_front.core.diagnostics.diagnostic import Diagnostic, Label, by_place, mistake
from einsum_front.core.diagnostics.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    CompileError,
    CompilerBug,
    raise_any,
)
from einsum_front.core.diagnostics.render import render, render_all
from einsum_front.core.diagnostics.source import Origin, Source, Span

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
    "by_place",
    "mistake",
    "raise_any",
    "render",
    "render_all",
]
