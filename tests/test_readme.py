"""The README keeps its word: its code and its commands run, and it shows what the compiler prints today."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.cli import main

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
CODE = re.findall(r"^```python\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
SHOWN = dict(re.findall(r"^\*\*`(\w+)`\*\*.*?\n\n```\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL))


@pytest.fixture(autouse=True)
def wave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel of the README in the current folder."""
    text = re.search(r"^```\n(# wave\.ein\n.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    assert text is not None
    (tmp_path / "wave.ein").write_text(text[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_code_gives_what_numpy_gives() -> None:
    names: dict[str, np.ndarray] = {}
    exec(CODE[0], names)
    np.testing.assert_allclose(names["C"], names["A"] @ names["B"], rtol=1e-12)
    *arrays, call = CODE[1].splitlines()
    exec("\n".join(arrays), names)
    expected = names["Q"] + names["K"] @ names["I"] @ names["A"]
    exec(call, names)
    np.testing.assert_allclose(names["Q"], expected, rtol=1e-12)


SCRIPT = """
import numpy as np
from yateto import Generator, Tensor, useArchitectureIdentifiedBy

K, Q = Tensor("K", (5, 5), spp=np.eye(5)), Tensor("Q", (5, 3))
generator = Generator(useArchitectureIdentifiedBy("dhsw"))
generator.add("volume", Q["kp"] <= Q["kp"] + K["kl"] * Q["lp"])
generator.generate("out")
"""


def test_the_commands_run(capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^einsum-front (.*)$", README, flags=re.MULTILINE)
    assert [command.split()[0] for command in commands] == [
        "explain", "run", "run", "explain", "compile", "package", "yateto", "inspect",
    ]  # fmt: skip
    Path("generate.py").write_text(SCRIPT, encoding="utf-8")
    Path("out").mkdir()
    for command in commands:
        assert main(shlex.split(command, comments=True)) == 0
    assert "device: agree" in capsys.readouterr().out
    assert {path.suffix for path in Path("levels").iterdir()} == {
        ".graph",
        ".plan",
        ".yir",
        ".tl",
        ".schedule",
        ".cl",
        ".json",
    }


@pytest.mark.parametrize("level", ["plan", "yir", "tl"])
def test_the_texts_are_those_of_today(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "wave.ein", "--emit", level]) == 0
    printed = capsys.readouterr().out
    for part in SHOWN[level].split("  ...\n"):
        assert part in printed


def test_every_level_that_it_lists_can_be_printed() -> None:
    kernel = ef.compile(ef.parse("wave.ein"))["volume"]
    assert "wave.ein:8:27: K[k,l] * I[l,q] * A[q,p]" in kernel.opencl
    assert re.findall(r"^\*\*`(\w+)`\*\*", README, flags=re.MULTILINE) == ["plan", "yir", "tl", "schedule", "cl"]


def test_its_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert [link for link in links if not (Path(__file__).parents[1] / link).exists()] == []
