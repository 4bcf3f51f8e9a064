"""What a user of linalg is told.

A file of `tests/errors/mlir` is a text; the comments from the first `// error[` on are what is said, whole.
`<operations>` stands for those that a contraction graph can compute.
"""

import re
from pathlib import Path

import pytest

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import graphs
from einsum_front.mlir.to_graph.payload import HANDLED
from einsum_front.mlir.verify import check

FILES = sorted((Path(__file__).parents[1] / "errors" / "mlir").glob("*.mlir"))
SHOWN_ELSEWHERE = {"E0827"}


def translate(source: Source) -> None:
    module = parse(source)
    check(module)
    graphs(module)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_says_what_is_wrong(path: Path) -> None:
    text, mark, words = path.read_text(encoding="utf-8").partition("\n// error[")
    expected = re.sub("^// ?", "", mark.strip("\n") + words, flags=re.MULTILINE)
    with pytest.raises(CompileError) as error:
        translate(Source(path.name, text))
    computed = ", ".join(sorted(HANDLED))
    assert render_all(error.value.diagnostics) == expected.rstrip("\n").replace("<operations>", computed)


def test_every_code_of_linalg_is_shown() -> None:
    shown = {code for path in FILES for code in re.findall(r"// error\[(E\d+)\]", path.read_text(encoding="utf-8"))}
    assert shown | SHOWN_ELSEWHERE == {code for code in TITLES if "E0801" <= code <= "E0829"}


def test_deep_brackets_are_an_error_and_no_exhausted_stack() -> None:
    with pytest.raises(CompileError, match="nested more than"):
        parse(Source("deep.mlir", "func.func @f() " + "{ " * 5000))
