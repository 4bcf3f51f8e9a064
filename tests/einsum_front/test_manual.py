"""The manual's program is right, and its claims hold."""

import re
from pathlib import Path

import numpy as np

from diagnostics import Source
from einsum_front import syntax
from einsum_front.check import check
from einsum_front.parse import parse
from tests.einsum_front.test_unparse import WORDS

MANUAL = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```ein\n(.*?)^```", MANUAL, flags=re.MULTILINE | re.DOTALL)


def test_the_blocks_are_one_program(tmp_path: Path) -> None:
    np.savez(tmp_path / "k4.npz", K_0=np.eye(20), K_1=np.ones((20, 20)), K_2=np.zeros((20, 20)))
    program = parse(Source("notation.md", "".join(BLOCKS)))
    checked = check(program, directory=tmp_path)
    assert [kernel.name for kernel in checked.kernels] == [
        "statements",
        "index_lists",
        "broadcast",
        "volume",
        "taylor_0",
        "taylor_1",
    ]
    assert [type(item) for item in program.items[:3]] == [syntax.Parameter, syntax.Parameter, syntax.Real]


def test_the_words_that_are_no_names() -> None:
    listed = re.search(r"`([a-z ]+)` are no names", MANUAL)
    assert listed is not None
    grammar = (Path(__file__).parents[2] / "einsum_front" / "parse" / "grammar.lark").read_text(encoding="utf-8")
    assert set(listed[1].split()) == set(re.findall(r'"([a-z]+)"', grammar)) == WORDS
