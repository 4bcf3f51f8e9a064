"""The manual's program is right, and its claims hold."""

import re
from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.notation import syntax
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse
from tests.einsum_front.test_unparse import WORDS

MANUAL = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```ein\n(.*?)^```", MANUAL, flags=re.MULTILINE | re.DOTALL)


def test_the_blocks_are_one_program(tmp_path: Path) -> None:
    np.savez(tmp_path / "k4.npz", K_0=np.eye(20), K_1=np.ones((20, 20)), K_2=np.zeros((20, 20)))
    program = parse(Source("notation.md", "".join(BLOCKS)))
    checked = check(program, directory=tmp_path)
    assert [kernel.name for kernel in checked.kernels] == [
        "evolve",
        "density",
        "statements",
        "index_lists",
        "where_integers_say",
        "sums_where_integers_say",
        "broadcast",
        "volume",
        "layer",
        "taylor_0",
        "taylor_1",
    ]
    assert [type(item) for item in program.items[:3]] == [syntax.Parameter, syntax.Parameter, syntax.Computed]


def test_the_words_that_are_no_names() -> None:
    listed = re.search(r"`([a-z ]+)` are no names", MANUAL)
    assert listed is not None
    grammar = (Path(__file__).parents[2] / "einsum_front" / "notation" / "parse" / "grammar.lark").read_text(
        encoding="utf-8"
    )
    assert set(listed[1].split()) == set(re.findall(r'"([a-z]+)"', grammar)) == WORDS


FROM_YATETO = (Path(__file__).parents[2] / "docs" / "from_yateto.md").read_text(encoding="utf-8")


def test_what_becomes_of_a_generator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program of the page, with patterns that its own code reads from XML."""
    shapes = {"kDivM": (3, 20, 20), "star": (3, 9, 9), "rDivM": (4, 20, 10), "fMrT": (4, 10, 20)}
    matrices = "".join(
        f'<matrix name="{name}({i})" rows="{rows}" columns="{columns}">'
        f'<entry row="2" column="{i + 1}" value="-0.5"/></matrix>'
        for name, (members, rows, columns) in shapes.items()
        for i in range(members)
    )
    monkeypatch.chdir(tmp_path)
    Path("matrices.xml").write_text(f"<matrices>{matrices}</matrices>", encoding="utf-8")
    _, converter = re.findall(r"^```python\n(.*?)^```", FROM_YATETO, flags=re.MULTILINE | re.DOTALL)
    exec(converter, {})
    assert np.load("matrices4.npz")["rDivM_3"][1, 3] == -0.5
    (text,) = re.findall(r"^```ein\n(.*?)^```", FROM_YATETO, flags=re.MULTILINE | re.DOTALL)
    checked = check(parse(Source("wave.ein", text)), directory=tmp_path)
    assert [kernel.name for kernel in checked.kernels] == ["volume", *(f"localFlux_{i}" for i in range(4)), "scaled"]
    (pattern,) = (tensor.nonzeros for tensor in checked.tensors if tensor.name == "kDivM_1")
    assert pattern is not None
    assert pattern.runs() == ((21, 22),)  # row 1, column 1 of 20 rows, the first mode fastest


PAGES = sorted(path for path in (Path(__file__).parents[2] / "docs").rglob("*.md"))
LIKE_A_PROGRAM = re.compile(r"^(tensor|temp|scalar) \w+.*|^kernel \w+.*\{", flags=re.MULTILINE)
FILE = re.compile(r'(nonzeros|values) "[^"]*"')


def programs(page: Path) -> list[str]:
    """The blocks of a page that are written in the notation, or look as if they were; their files are left out."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    shown = (text for language, text in blocks if language == "ein" or (not language and LIKE_A_PROGRAM.search(text)))
    return [FILE.sub("", text) for text in shown]


@pytest.mark.parametrize("page", [page for page in PAGES if programs(page)], ids=lambda page: page.stem)
def test_every_program_of_a_page_is_right(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, or behind those above it on the page; definitions in tc are in the file that they use."""
    monkeypatch.chdir(tmp_path)
    definitions = re.findall(r"^```tc\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    Path("ops.tc").write_text("".join(definitions), encoding="utf-8")
    before = ""
    for text in programs(page):
        try:
            check(parse(Source(page.name, text)))
        except CompileError:
            check(parse(Source(page.name, before + text)))
        before += text


def test_the_formulas_of_the_manual_run() -> None:
    """Its blocks of Python, one after the other, with nothing but what every page assumes."""
    names: dict[str, object] = {"np": np, "ef": ef}
    for text in re.findall(r"^```python\n(.*?)^```", MANUAL, flags=re.MULTILINE | re.DOTALL):
        exec(text, names)
    assert repr(names["compiled"]) == "<compiled: volume, update>"
