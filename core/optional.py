"""Packages that an installation may leave out: what needs one says so in our words."""

from importlib import import_module
from types import ModuleType

from einsum_front.core.diagnostics import CompileError, Diagnostic


def needed(module: str, what: str, *instead: str) -> ModuleType:
    """The module, which `what` needs. Raises `CompileError` (E0116) where its package is not installed."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
    notes = (f"`pip install {package}` brings it", *instead)
    raise CompileError([Diagnostic("E0116", f"{what} needs {package}, which is not installed", notes=notes)])
