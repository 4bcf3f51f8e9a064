"""The commands of the command line; each returns an exit code, and is loaded when it is run."""

from argparse import Namespace
from collections.abc import Callable
from importlib import import_module

HOMES = {
    "cache": ("tuning", "cache"),
    "check": ("translate", "check"),
    "compile": ("translate", "compile_"),
    "completion": ("completion", "completion"),
    "devices": ("machines", "devices"),
    "explain": ("explain", "explain"),
    "inspect": ("inspect", "inspect"),
    "package": ("package", "package"),
    "run": ("run", "run"),
    "targets": ("machines", "targets"),
    "tune": ("tuning", "tune"),
    "yateto": ("yateto", "yateto"),
}
"""The module and the function of each command."""


def command(name: str) -> Callable[[Namespace], int]:
    """The function of a command; to find it loads what the command needs."""
    module, function = HOMES[name]
    found: Callable[[Namespace], int] = getattr(import_module(f"{__name__}.{module}"), function)
    return found
