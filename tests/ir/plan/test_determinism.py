"""The same text gives the same bytes, whatever Python's hashes are."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
from einsum_front.ir.plan.emit_yateto import emit
from einsum_front.ir.plan.explain import explain
from einsum_front.ir.yateto.unparse import unparse
from tests.ir.plan.test_explain import TEXT
from tests.ir.programs import plan_of

made = plan_of(TEXT)
print(explain(made) + unparse(emit([made])))
"""


def output(seed: int) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", PROGRAM]
    root = Path(__file__).parents[3]
    return subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True, text=True).stdout


def test_hash_seeds_change_nothing() -> None:
    assert output(0) == output(1) == output(2)
