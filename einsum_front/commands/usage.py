"""Mistakes on the command line itself: one line says what is wrong, one where the options are listed."""

import argparse
import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from einsum_front.core.words import quoted


class UsageError(Exception):
    """A command line that cannot be meant."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors do not begin with all options of the command; an option is written out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Ends the process with exit code 2."""
        lists = "lists the commands" if self._subparsers is not None else "lists the options"
        self.exit(2, f"{self.prog}: error: {_in_our_words(message, self.prog)}\n`{self.prog} --help` {lists}\n")


def _in_our_words(message: str, program: str) -> str:
    """The message of argparse, but for a word that is no command, which may be one misspelt, or a file."""
    wrong = re.fullmatch(r"argument COMMAND: invalid choice: '(.*)' \(choose from (.*)\)", message)
    if wrong is None:
        return message
    word, commands = wrong[1], re.findall(r"[\w-]+", wrong[2])
    near = get_close_matches(word, commands, n=1) or ([f"{program} run {word}"] if Path(word).suffix else [])
    return f"there is no command `{word}`" + "".join(f": did you mean `{each}`?" for each in near)


def reject_unknown(unknown: Sequence[str], parser: argparse.ArgumentParser, others: Sequence[Parser]) -> None:
    """An error of the command's parser for words that it does not know; `others` are the parsers of all commands."""
    if not unknown:
        return
    option = next((word.partition("=")[0] for word in unknown if word.startswith("-")), None)
    if option is None:
        is_shape = re.fullmatch(r"\d+(,\d+)+", unknown[0]) is not None and "--shape" in options(parser)
        parser.error(f"`{unknown[0]}` is one word too many" + f": `--shape {unknown[0]}`" * is_shape)
    near = get_close_matches(option, options(parser), n=1, cutoff=0.75)
    having = [other.prog.split()[-1] for other in others if option in options(other)]
    if having:
        parser.error(f"`{option}` is an option of {quoted(having)}")
    parser.error(f"there is no option `{option}`" + (f": did you mean `{near[0]}`?" if near else ""))


def options(parser: argparse.ArgumentParser) -> list[str]:
    """The names of its options; argparse has no public list of them."""
    return list(parser._option_string_actions)
