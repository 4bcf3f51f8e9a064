"""The manual for front ends keeps its word."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "frontends.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    code = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
    exec("\n".join(code), {})
