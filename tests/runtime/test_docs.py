"""The example in the manual runs."""

import re
from pathlib import Path

import numpy as np

MANUAL = Path(__file__).parents[2] / "docs" / "runtime.md"


def test_example() -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```", MANUAL.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(example, names)
    np.testing.assert_array_equal(names["x"], np.full((1000, 4), 0.0625))
