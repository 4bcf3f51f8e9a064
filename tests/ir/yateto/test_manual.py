"""The manual of the YATeTo language says what the verifier does: its programs are legal, its rules are all there."""

import re
from pathlib import Path

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.ir.yateto.parse import parse
from einsum_front.ir.yateto.verify import check

MANUAL = (Path(__file__).parents[3] / "docs" / "yateto_language.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```yir\n(.*?)```", MANUAL, flags=re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_of_the_manual_keep_all_rules(program: str) -> None:
    check(parse(Source("yateto_language.md", program)))


def test_the_manual_names_every_rule_and_no_other() -> None:
    rules = {code for code in TITLES if "E0455" <= code < "E0498"}
    assert set(re.findall(r"E04\d\d", MANUAL)) == rules
