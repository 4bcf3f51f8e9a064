"""What a user of tc is told.

A file of `tests/errors/tc` is a text; the comments from the first `// error[` on are what is said of it, whole.
"""

import re
from pathlib import Path

import pytest

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.tc.parse import parse
from einsum_front.tc.to_graph import graph_of, sizes_of
from einsum_front.tc.verify import check

FILES = sorted((Path(__file__).parents[1] / "errors" / "tc").glob("*.tc"))
SHOWN_BELOW = {"E0843"}


def words_of(source: Source) -> str:
    with pytest.raises(CompileError) as error:
        compiled(source)
    return render_all(error.value.diagnostics)


def compiled(source: Source) -> None:
    program = parse(source)
    check(program)
    for definition in program.definitions:
        graph_of(definition, {})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_says_what_is_wrong(path: Path) -> None:
    text, mark, words = path.read_text(encoding="utf-8").partition("\n// error[")
    expected = re.sub("^// ?", "", mark.strip("\n") + words, flags=re.MULTILINE)
    assert words_of(Source(path.name, text)) == expected.rstrip("\n")


def test_every_code_is_shown() -> None:
    shown = {code for path in FILES for code in re.findall(r"// error\[(E\d+)\]", path.read_text(encoding="utf-8"))}
    assert shown | SHOWN_BELOW == {code for code in TITLES if "E0830" <= code < "E0844" and code != "E0842"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"K": "3"}, "error[E0843]: no shape has a size `K`\n  = note: sizes are `M`"),
        ({"M": "none"}, "error[E0843]: size `M` is `none`, expected an integer from 1 on"),
        ({"M": 0}, "error[E0843]: size `M` is `0`, expected an integer from 1 on"),
    ],
)
def test_sizes_that_are_none(given: dict[str, str | int], words: str) -> None:
    program = parse(Source("t.tc", "def f(A: f64(M)) -> (C: f64(M)) { C(m) = A(m); }"))
    with pytest.raises(CompileError) as error:
        sizes_of(program, given)
    assert render_all(error.value.diagnostics) == words


def test_deep_nesting() -> None:
    text = "def f(A: f64(M)) -> (C: f64(M)) { C(m) = " + "std_exp(" * 100 + "A(m)" + ")" * 100 + "; }"
    assert words_of(Source("t.tc", text)).startswith("error[E0830]: parentheses are nested more than 64 deep")
