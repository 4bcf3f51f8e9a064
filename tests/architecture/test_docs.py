"""The pages: links lead to files and headings that there are, and the interface is complete."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import einsum_front as ef

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "decisions").glob("*.md"), *ROOT.glob("*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The names of headings, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken(page: Path) -> Iterator[str]:
    for link in LINK.findall(prose(page)):
        if link.startswith("http"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken(page)) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A title\n[a](#a-title) [b](#no-title) [c](none.md) [d](page.md#a-title)\n", encoding="utf-8")
    assert list(broken(page)) == ["#no-title", "none.md"]


def test_the_page_of_the_interface_has_every_public_name() -> None:
    api = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    shown = set(re.findall(r":: einsum_front\.(\w+)$", api, flags=re.MULTILINE)) | {"ones"}
    assert set(dir(ef)) - shown == {"load_ipython_extension"}


def test_only_public_names_are_listed() -> None:
    assert all(not name.startswith("_") for name in dir(ef))
    assert ef.__version__
