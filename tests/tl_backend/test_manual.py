"""What docs/tensor_language.md says is so: its examples, the types it names, its table of editions and of rules."""

import re
from pathlib import Path
from typing import get_args

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes
from einsum_front.tl_backend.program import Function, Program
from einsum_front.tl_backend.semantics import FORMS, result_type
from einsum_front.tl_backend.traverse import walk
from einsum_front.tl_backend.unparse import unparse, unparse_type
from einsum_front.tl_backend.verify import verify

MANUAL = (Path(__file__).parents[2] / "docs" / "tensor_language.md").read_text(encoding="utf-8")
EXAMPLES = [
    (part.split("\n", 1)[0], example)
    for part in MANUAL.split("\n#")
    for example in re.findall("```tl\n(.*?)```", part, re.S)
]
IDS = [title.strip("# ") for title, _ in EXAMPLES]


def read(text: str) -> Program:
    return parse(Source("tensor_language.md", text))


@pytest.mark.parametrize(("title", "example"), EXAMPLES, ids=IDS)
def test_an_example_is_legal_and_printed_as_it_stands(title: str, example: str) -> None:
    program = read(example)
    assert verify(program) == ()
    assert unparse(program) == example
    assert title


def test_every_instruction_has_an_example() -> None:
    shown = {type(item) for _, example in EXAMPLES for item in walk(read(example).functions[0].body)}
    assert shown == {*get_args(tl.Instruction), *FORMS} - {tl.Collective}


def test_the_types_that_the_text_gives_to_examples_are_theirs() -> None:
    checked = 0
    for _, example in EXAMPLES:
        explanation = MANUAL.split(example, 1)[1].split("\n#", 1)[0]
        for name, type_ in re.findall(r"`%(\w+)` (?:is )?an? `([^`]+)`", explanation):
            assert type_of(read(example).functions[0], name) == type_
            checked += 1
    assert checked == 7


def type_of(function: Function, name: str) -> str:
    """The type of the value that an instruction of the function names."""
    (value,) = (
        item for item in walk(function.body) if isinstance(item, tl.ValueInstruction) and item.result.name == name
    )
    return unparse_type(result_type(value))


def test_the_table_of_rules_is_the_list_of_codes() -> None:
    table = dict(re.findall(r"^\| (E04\d\d) \| (.*) \|$", MANUAL, re.M))
    assert table == {code: title for code, title in TITLES.items() if "E0401" <= code <= "E0454"}


def test_the_passes_of_the_command_line_are_those_of_the_pipeline() -> None:
    listed = re.findall(r"`(\w+)`", MANUAL.split("- `--pass` runs")[1].split("Without it")[0])
    known = [name for name, _ in passes(WorkGroupLimits(is_cpu=True, max_work_group_size=1))]
    assert listed == known


def test_every_rule_of_the_verifier_is_named_where_it_applies() -> None:
    named = set(re.findall(r"E04\d\d", MANUAL.split("## Rules")[0]))
    assert {code for code in TITLES if "E0410" <= code < "E0450"} <= named
