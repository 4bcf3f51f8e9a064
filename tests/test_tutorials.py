"""The tutorials keep their word: files are written, programs and commands run, and shown words are printed."""

import re
import shlex
from pathlib import Path

import pytest

from einsum_front.cli import main

FOLDER = Path(__file__).parents[1] / "docs" / "tutorials"
PAGES = ("numpy", "solver", "compiler")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_a_tutorial_can_be_followed(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = ""
    done = []
    for language, text in BLOCK.findall((FOLDER / f"{page}.md").read_text(encoding="utf-8")):
        if language == "python":
            exec(text, names)
        elif language == "sh":
            for command in text.splitlines():
                assert main(shlex.split(command.removeprefix("einsum-front "), comments=True)) == 0, command
            printed = capsys.readouterr().out
        elif language == "text":
            assert [line for line in text.splitlines() if line not in printed] == []
        elif file := re.match(r"# (\S+\.ein)\n", text):
            Path(file[1]).write_text(text, encoding="utf-8")
        done.append(language)
    assert done.count("sh") + done.count("python") >= 3


def test_each_kind_of_reader_has_one() -> None:
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    pages = {path.stem for path in FOLDER.glob("*.md")} - {"README"}
    assert pages == {*PAGES, "maintainer"}
    assert pages <= set(listed.split())
