"""The manual of the kernel tree lists the rules as they are, and every node."""

import re
from pathlib import Path
from typing import get_args

from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.tl_backend.kernel import tree

MANUAL = (Path(__file__).parents[3] / "docs" / "kernel_tree.md").read_text(encoding="utf-8")


def test_the_rules_are_those_of_the_verifier_and_the_interpreter() -> None:
    assert dict(re.findall(r"^\| (E07\d\d) \| (.*) \|$", MANUAL, re.MULTILINE)) == {
        code: title for code, title in TITLES.items() if code.startswith("E07")
    }


def test_every_node_has_a_row() -> None:
    rows = re.findall(r"^\| (`[A-Z].*?) \|", MANUAL, re.MULTILINE)
    described = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    nodes = [each.__name__ for each in (*get_args(tree.Expression), *get_args(tree.Statement))]
    assert sorted(described) == sorted(nodes)
