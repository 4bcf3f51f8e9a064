"""Cells in the notation: `%load_ext einsum_front`, then `%%ein`.

    %%ein waves -D B=20
    tensor Q[B, 9] …

compiles the cell and calls the result `waves`; without a name it is called `kernels`. Mistakes are shown under the
line of the cell that has them.
"""

import argparse
import shlex
import sys
from pathlib import Path
from typing import Protocol

from einsum_front.compiled_program import CompiledProgram
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.interface import compile as compile_program
from einsum_front.notation.parse import parse
from einsum_front.options import Level
from einsum_front.parsed import Program


class Shell(Protocol):
    """What is asked of IPython."""

    user_ns: dict[str, object]

    def register_magic_function(self, func: object, magic_kind: str, magic_name: str) -> None:
        """Makes `%%NAME` a call of a function."""


class _Options(argparse.ArgumentParser):
    """The line behind `%%ein`; a mistake in it does not end the process."""

    def error(self, message: str) -> None:  # type: ignore[override]  # argparse ends the process here
        raise ValueError(f"%%ein: {message}")


def load_ipython_extension(shell: Shell) -> None:
    """What `%load_ext einsum_front` calls: notebooks have `%%ein` then.

    Parameters
    ----------
    shell : InteractiveShell
        That of IPython.

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> import einsum_front as ef
    >>> shell = InteractiveShell()
    >>> ef.load_ipython_extension(shell)
    >>> shell.run_cell_magic("ein", "waves", "tensor A[4] kernel double { A[i] = 2 * A[i] }")
    <compiled: double>
    """

    def ein(line: str, cell: str) -> CompiledProgram | None:
        """Compiles the cell, a text of the notation: `%%ein [NAME] [-D PARAM=VALUE] [--real f32] [--device NAME]`."""
        return run_cell(shell, line, cell)

    shell.register_magic_function(ein, "cell", "ein")


def run_cell(shell: Shell, line: str, cell: str) -> CompiledProgram | None:
    """The program of a cell, which gets its name; None if it has mistakes, which are printed."""
    parser = _Options(prog="%%ein", add_help=False)
    parser.add_argument("name", nargs="?", default="kernels")
    parser.add_argument("-D", dest="defines", action="append", default=[])
    parser.add_argument("--real", choices=["f32", "f64"])
    parser.add_argument("--device", default="auto")
    given = parser.parse_args(shlex.split(line))
    defines = dict(_split(define) for define in given.defines)
    try:
        source = Source("<cell>", f"\n{cell}")  # the line of %%ein is the first one of the cell
        program = Program(source, Level.EIN, Path(), parse(source))
        compiled = compile_program(program, given.device, defines=defines, real=given.real)
    except CompileError as error:
        print(error, file=sys.stderr)  # noqa: T201 - notebooks show it below the cell
        return None
    shell.user_ns[given.name] = compiled
    return compiled


def _split(define: str) -> tuple[str, str]:
    name, equals, value = define.partition("=")
    if not equals:
        raise ValueError(f"%%ein: -D takes NAME=VALUE, not `{define}`")
    return name, value
