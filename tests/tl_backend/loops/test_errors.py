"""Every rule of loops has a text that breaks it, and the words that its author reads.

`python -m tests.tl_backend.loops.test_errors` writes the words again.
"""

from pathlib import Path

import pytest

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.tl_backend.loops.parse import parse
from einsum_front.tl_backend.loops.verify import verify
from tests.tl_backend.loops.golden import split, write

FILES = sorted((Path(__file__).parents[2] / "errors" / "loops").glob("*.loops"))


def said(source: Source) -> str:
    """What is wrong with a text."""
    try:
        return render_all(verify(parse(source)))
    except CompileError as error:
        return render_all(error.diagnostics)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_says_what_is_wrong(path: Path) -> None:
    source, expected = split(path)
    assert said(source) == expected
    assert f"error[{path.stem[:5].upper()}]" in expected


def test_each_rule_has_a_text() -> None:
    rules = {code for code in TITLES if "E0901" <= code <= "E0912" or code in ("E0916", "E0917")}
    assert {path.stem[:5].upper() for path in FILES} == rules


if __name__ == "__main__":
    write(FILES, said)
