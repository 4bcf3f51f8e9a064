"""The manual of the command line names every option, and its examples run."""

import re
import shlex
from pathlib import Path

import pytest

from einsum_front.cli import main
from einsum_front.driver import tune
from einsum_front.tl_backend.schedules.tuning import PARAMETERS, ScheduleKind, Tuning

DOCS = Path(__file__).parents[2] / "docs"
MANUAL = (DOCS / "command_line.md").read_text(encoding="utf-8")
COMMANDS = ["compile", "explain", "run", "check", "inspect", "yateto", "devices", "cache", "package"]


@pytest.mark.parametrize(("manual", "count"), [("command_line.md", 12), ("schedules.md", 3)])
def test_the_examples_run(manual: str, count: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune, "candidates", lambda _function, _target: (Tuning(ScheduleKind.WORK_GROUP),))
    monkeypatch.setattr(tune, "MOST_RECIPES", 2)
    monkeypatch.setattr(tune, "_batches", lambda *_: (64, 1000))
    text = (DOCS / manual).read_text(encoding="utf-8")
    examples = re.findall(r"^einsum-front (.*?)(?: +#.*)?$", text, flags=re.MULTILINE)
    assert [main(shlex.split(example)) for example in examples] == [0] * count


def test_every_form_and_parameter_is_explained() -> None:
    text = (DOCS / "schedules.md").read_text(encoding="utf-8")
    assert {form for form in PARAMETERS if f"| `{form.value}` |" not in text} == set()
    assert {name for names in PARAMETERS.values() for name in names if f'"{name}="' not in text} == set()


def test_every_option_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        with pytest.raises(SystemExit) as stopped:
            main([command, "--help"])
        assert stopped.value.code == 0
        options = set(re.findall(r"^  (?:-h, )?(-[\w-]+)", capsys.readouterr().out, flags=re.MULTILINE)) - {"--help"}
        assert {option for option in options if f"`{option}" not in MANUAL} == set()
