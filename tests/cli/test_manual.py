"""The manual of the command line names every option, and its examples run."""

import re
import shlex
from pathlib import Path

import pytest

from einsum_front.cli import main

MANUAL = (Path(__file__).parents[2] / "docs" / "command_line.md").read_text(encoding="utf-8")
COMMANDS = ["compile", "explain", "run", "check", "devices", "cache"]


def test_the_examples_run(folder: Path) -> None:
    examples = re.findall(r"^einsum-front (.*?)(?: +#.*)?$", MANUAL, flags=re.MULTILINE)
    assert [main(shlex.split(example)) for example in examples] == [0] * 8


def test_every_option_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        with pytest.raises(SystemExit) as stopped:
            main([command, "--help"])
        assert stopped.value.code == 0
        options = set(re.findall(r"^  (?:-h, )?(-[\w-]+)", capsys.readouterr().out, flags=re.MULTILINE)) - {"--help"}
        assert {option for option in options if f"`{option}" not in MANUAL} == set()
