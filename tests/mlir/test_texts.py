"""Texts as printers and people write them: read, and the same numbers from the function down to the device."""

from pathlib import Path

import pytest

import einsum_front as ef
from einsum_front.driver.verification import levels
from einsum_front.runtime import find_device

TEXTS = sorted((Path(__file__).parent / "texts").iterdir())


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_levels_agree(path: Path) -> None:
    for kernel in ef.compile(ef.parse(path), batch_dim="none").values():
        assert levels(kernel.translation, find_device("auto"), 1)[0][0] == "mlir"
        comparisons = kernel.verify()
        assert [each.level for each in comparisons if not each.agrees] == []
