"""Programs put `ef.einsum` into the place of `numpy.einsum`: nothing of ours asks NumPy for what may be replaced."""

import ast
import os
import subprocess
import sys
from pathlib import Path

from einsum_front.core.private_folders import NO_CACHE_VARIABLE
from tests.sources import modules

ROOT = Path(__file__).parents[2]
REPLACED = {"dot", "einsum", "einsum_path", "inner", "kron", "matmul", "outer", "tensordot", "vdot"}
"""Functions of NumPy that ours, or those of other libraries, are put in the place of."""

PROGRAM = """
import numpy as np
original = np.einsum

def replaced(*given, **keywords):
    raise AssertionError("a function of NumPy was asked for that a program has replaced")

for name in ("dot", "einsum_path", "inner", "kron", "matmul", "outer", "tensordot", "vdot"):
    setattr(np, name, replaced)
np.einsum = lambda *given, **keywords: ef.einsum(*given, **keywords)  # before anything of ours is loaded
import einsum_front as ef
from tests.sources import modules

random = np.random.default_rng(1)
A, B, C = random.random((3, 4, 5)), random.random((5, 6)), random.random((6, 4))
products = ("bik,kj->bij", A, B), ("bik,kj,jl->bil", A, B, C)
for text, *given in (*products, ("bii->bi", A[:, :, :4]), ("bik->", A), ("bik->kb", A)):
    assert np.allclose(np.einsum(text, *given), original(text, *given))
    ef.einsum_path(text, *given)
np.einsum = ef.einsum
text = '''
tensor K[4, 4] constant nonzeros [(0,1), (1,2), (2,3)]
tensor A[4, 4]
tensor D[4]
tensor Q[4, 4]
kernel k { Q[i,j] += 2 * K[i,l] * A[l,m] * K[m,j] + A[i,i] * D[j] }
'''
for comparison in ef.compile(ef.parse(text))["k"].verify():
    assert "DIFFERS" not in str(comparison)
"""


def test_no_module_asks_for_them() -> None:
    found = []
    for path in modules().values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id in ("np", "numpy")
            ):
                found += [f"{path}:{node.lineno}: numpy.{node.attr}"] if node.attr in REPLACED else []
            elif isinstance(node, ast.ImportFrom) and node.module == "numpy":
                found += [f"{path}:{node.lineno}: numpy.{each.name}" for each in node.names if each.name in REPLACED]
    assert not found, f"`core.numpy_einsum` has NumPy's own: {found}"


def test_all_levels_run_where_they_are_replaced(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    environment = {**os.environ, NO_CACHE_VARIABLE: "1", "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
