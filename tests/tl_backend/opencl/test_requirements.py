"""What a target cannot do is said before any code is made, in the words of the files in `tests/errors/tl_target`."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.verify import check

FILES = sorted((Path(__file__).parents[2] / "errors" / "tl_target").glob("*.tl"))

SMALL = Target(
    name="a small device",
    is_cpu=False,
    vector_bytes=16,
    local_memory=1024,
    private_memory=1024,
    max_work_group_size=64,
    max_parameter_bytes=48,
    has_fp64=False,
    has_int64_atomics=False,
    has_conditional_barriers=False,
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_says_what_the_target_lacks(path: Path) -> None:
    text, mark, words = path.read_text(encoding="utf-8").partition("\n; error[")
    program = parse(Source(path.name, text))
    check(program)
    with pytest.raises(CompileError) as caught:
        emit(program.functions[0], SMALL)
    expected = re.sub("^; ?", "", mark.strip("\n") + words, flags=re.MULTILINE)
    assert render_all(caught.value.diagnostics) == expected.rstrip("\n")


def test_offered_subgroups_are_no_error() -> None:
    function = parse(Source("f.tl", "func @f() work_group_size(16, 2) subgroup_size(16) {\n}\n")).functions[0]
    assert emit(function, replace(DEFAULT, subgroup_sizes=(8, 16))).work_group_size == (16, 2)
