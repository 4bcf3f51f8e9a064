"""The examples in the manual run."""

import re
from pathlib import Path

import numpy as np

MANUAL = Path(__file__).parents[2] / "docs" / "runtime.md"


def test_examples() -> None:
    names: dict[str, object] = {}
    for example in re.findall(r"^```python\n(.*?)^```", MANUAL.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        exec(example, names)
    np.testing.assert_array_equal(names["x"], np.full((1000, 4), 0.0625))
