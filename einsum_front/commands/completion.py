"""The command `completion`: what a shell needs to complete our command line, made by shtab from the parsers."""

import argparse
import sys
from argparse import Namespace
from pathlib import Path

from einsum_front.core.optional import needed

SHELLS = ("bash", "zsh", "tcsh")
"""The shells that shtab knows since its first versions."""


def completion(arguments: Namespace) -> int:
    """Prints the script; shtab is loaded for nothing else."""
    shtab = needed("shtab", "completion in a shell")
    _complete_files(arguments.all_parsers, shtab.FILE)
    sys.stdout.write(shtab.complete(arguments.all_parsers, shell=arguments.shell) + "\n")
    return 0


def _complete_files(parser: argparse.ArgumentParser, files: object) -> None:
    """Says of all arguments that are paths, those of the commands included, that files complete them."""
    for action in parser._actions:
        if action.type is Path:
            action.complete = files  # type: ignore[attr-defined]  # where shtab looks
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _complete_files(command, files)
