"""The examples of the manuals say what the compiler says."""

import re
from pathlib import Path

import pytest

from einsum_front.ir.contraction.unparse import unparse
from einsum_front.ir.plan.explain import explain
from tests.ir.programs import graph_of, plan_of
from tests.sources import file_of

DOCS = Path(__file__).parents[2] / "docs"


def blocks(name: str) -> dict[str, str]:
    """The first block of each kind in a manual."""
    text = (DOCS / name).read_text(encoding="utf-8")
    found = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return dict(reversed(found))


def test_the_graph_of_the_manual() -> None:
    example = blocks("contraction_graph.md")
    assert unparse(graph_of(example["ein"])) == example["graph"]


def test_the_plan_of_the_manual() -> None:
    example = blocks("planner.md")
    assert explain(plan_of(example["ein"])) == example["plan"]


@pytest.mark.parametrize("name", ["contraction_graph.md", "planner.md"])
def test_files_that_a_manual_names_exist(name: str) -> None:
    for path in re.findall(r"`([\w/]+\.py)`", (DOCS / name).read_text(encoding="utf-8")):
        folders = ("", "ir/algebra/", "ir/contraction/", "ir/plan/")
        assert any(file_of(f"{folder}{path}").exists() for folder in folders), path
