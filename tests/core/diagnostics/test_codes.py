"""One list of error codes: what is raised is listed, what is listed is raised."""

import re

from einsum_front.core.diagnostics.codes import TITLES
from tests.sources import modules

CODE = re.compile(r'"(E0[0-9]{3})"')


def codes_raised() -> set[str]:
    files = [path for path in modules().values() if path.name != "codes.py"]
    return {code for path in files for code in CODE.findall(path.read_text(encoding="utf-8"))}


def test_every_code_that_is_raised_has_a_title() -> None:
    assert codes_raised() - set(TITLES) == set()


def test_every_code_that_has_a_title_is_raised() -> None:
    assert set(TITLES) - codes_raised() == set()


def test_titles_are_one_line_in_lower_case() -> None:
    for code, title in TITLES.items():
        assert re.fullmatch(r"E0[1-9][0-9]{2}", code)
        assert title == title.strip()
        assert not title.endswith(".")
        assert "\n" not in title
        assert not re.match(r"[A-Z][a-z]", title), f"{code}: {title}"
