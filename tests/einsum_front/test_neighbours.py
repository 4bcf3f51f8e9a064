"""The page on programs of others keeps its word: each example runs where its library is installed."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "neighbours.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^```python\n# needs (\w+)\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL))


def names_after(library: str) -> dict[str, Any]:
    pytest.importorskip(library)
    names: dict[str, Any] = {}
    exec(EXAMPLES[library], names)
    return names


def test_opt_einsum() -> None:
    names = names_after("opt_einsum")
    for found in (names["D"], names["E"]):
        np.testing.assert_allclose(found, names["A"] @ names["B"] @ names["C"], rtol=1e-12)


def test_cotengra() -> None:
    names = names_after("cotengra")
    expected = np.trace(np.linalg.multi_dot(names["arrays"]))
    np.testing.assert_allclose([names["x"], names["y"]], expected, rtol=1e-12)


def test_autoray() -> None:
    names = names_after("autoray")
    np.testing.assert_allclose(names["B"], names["A"] @ names["A"].T, rtol=1e-12)


def test_pyscf(monkeypatch: pytest.MonkeyPatch) -> None:
    helper = pytest.importorskip("pyscf.lib.numpy_helper")
    monkeypatch.setattr(helper, "contract", helper.contract)
    names_after("pyscf")
    a, b = np.random.default_rng(1).random((2, 30, 30))
    for first, second in ((a, b), (a * 1j, b)):
        np.testing.assert_allclose(helper.einsum("ij,jk->ki", first, second), (first @ second).T, rtol=1e-12)
    out = np.ones((30, 30))
    helper.einsum("ij,jk->ki", a, b, alpha=2, beta=1, out=out)
    np.testing.assert_allclose(out, 2 * (a @ b).T + 1, rtol=1e-12)


def test_every_library_has_its_example() -> None:
    assert list(EXAMPLES) == ["opt_einsum", "cotengra", "autoray", "pyscf"]
