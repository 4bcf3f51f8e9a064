"""Mistakes on the command line itself: one line says what is wrong, one where the options are listed."""

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from einsum_front.runtime.describe import quoted


class UsageError(Exception):
    """A command line that cannot be meant."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors do not begin with all options of the command."""

    def error(self, message: str) -> NoReturn:
        """Ends the process with exit code 2."""
        lists = "lists the commands" if self._subparsers is not None else "lists the options"
        self.exit(2, f"{self.prog}: error: {message}\n`{self.prog} --help` {lists}\n")


def reject_unknown(unknown: Sequence[str], parser: argparse.ArgumentParser, others: Sequence[Parser]) -> None:
    """An error of the command's parser for words that it does not know; `others` are the parsers of all commands."""
    if not unknown:
        return
    option = next((word.partition("=")[0] for word in unknown if word.startswith("-")), None)
    if option is None:
        parser.error(f"`{unknown[0]}` is one word too many")
    near = get_close_matches(option, options(parser), n=1, cutoff=0.75)
    having = [other.prog.split()[-1] for other in others if option in options(other)]
    if having:
        parser.error(f"`{option}` is an option of {quoted(having)}")
    parser.error(f"there is no option `{option}`" + (f": did you mean `{near[0]}`?" if near else ""))


def options(parser: argparse.ArgumentParser) -> list[str]:
    """The names of its options; argparse has no public list of them."""
    return list(parser._option_string_actions)
