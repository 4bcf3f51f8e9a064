"""The documentation site: the pages of this folder, and the interface from its docstrings. `make docs` builds it."""

import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer

from einsum_front import __version__
from einsum_front.cli import main
from einsum_front.core.diagnostics.highlight import NotationLexer

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from examples.ader_dg import matrices  # noqa: E402 - the examples are no package that is installed

project = "einsum-front"
author = "the authors of einsum-front"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"einsum-front {release}"
html_copy_source = False
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["site.css"]

myst_heading_anchors = 4
nitpicky = False
default_role = "code"  # docstrings have names between single backticks

autodoc_typehints = "none"  # docstrings say the types, in words
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": False}

# A block of a language that its lexer does not read whole is no mistake, nor is a page that no list names yet.
suppress_warnings = ["misc.highlighting_failure", "toc.not_included"]

man_pages = [("command_line", "einsum-front", "index strings in, batched OpenCL kernels out", author, 1)]


PAGE_OUTSIDE = re.compile(r"\[([^\]]*)\]\(\.\./[^)]*\.md(?:#[^)]*)?\)")
"""A link to a page of the repository that is none of the site."""


PAGE = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)[^)]*\)")
"""A link to any page."""


def without_links_outside(app: Any, _page: str, source: list[str]) -> None:
    """Pages that readers cannot turn to are named, not linked: those outside of the site, all in a manual page."""
    links = PAGE if app.builder.name == "man" else PAGE_OUTSIDE
    source[0] = links.sub(r"\1", source[0])


def list_decisions(_app: Any, page: str, source: list[str]) -> None:
    """Each decision with the problem that it solves, if its page begins with one, in the place of a comment."""
    if page != "decisions/README":
        return
    rows = []
    for path in sorted((ROOT / "docs" / "decisions").glob("0*.md")):
        title, _, text = path.read_text(encoding="utf-8").partition("\n")
        problem = re.search(r"^\*\*Problem\.\*\* (.*?)[.:](?=\s)", text, re.MULTILINE | re.DOTALL)
        said = "" if problem is None else f": {' '.join(problem[1].split())}"
        rows.append(f"- [{title.removeprefix('# ').replace('. ', ' ', 1)}]({path.name}){said}")
    source[0] = source[0].replace("<!-- decisions -->", "\n".join(rows))


SIX_FACTORS = ("20,9", "9,30", "30,5", "5,40", "40,8", "8,20")
INSPECTED = {
    "volume": [str(ROOT / "examples/ader_dg/volume.ein")],
    "computeTheta": [str(ROOT / "examples/ader_dg/dynamic_rupture.ein"), "--kernel", "computeTheta"],
    "six_factors": ["--einsum", "ab,bc,cd,de,ef,fg->ag", *(word for s in SIX_FACTORS for word in ("--shape", s))],
}
"""The kernels whose page of the inspector is part of the site, with what the command `inspect` gets."""


def write_pages_of_inspector(app: Any) -> None:
    """Writes the pages into the site; that of the inspector links them in the place of a comment."""
    if app.builder.name != "html":
        return
    folder = Path(app.outdir) / "inspector"
    folder.mkdir(parents=True, exist_ok=True)
    matrices.write(4)
    for name, command in INSPECTED.items():
        with redirect_stdout(StringIO()):
            if main(["inspect", *command, "-o", str(folder / f"{name}.html")]) != 0:
                raise RuntimeError(f"the inspector has no page of {name}")


def link_pages_of_inspector(app: Any, page: str, source: list[str]) -> None:
    """Puts links to the pages where the text has a comment for them."""
    if page == "inspector" and app.builder.name == "html":
        links = ", ".join(f'<a href="inspector/{name}.html">{name}</a>' for name in INSPECTED)
        source[0] = source[0].replace("<!-- pages -->", f"<p>Three pages to try: {links}.</p>")


def setup(app: Any) -> None:
    """Languages that stand at blocks of code and have no lexer are shown as they are."""
    app.connect("source-read", without_links_outside)
    app.connect("source-read", link_pages_of_inspector)
    app.connect("source-read", list_decisions)
    app.connect("builder-inited", write_pages_of_inspector)
    app.add_lexer("ein", NotationLexer)
    for name in ("graph", "plan", "schedule", "artifact", "ipython", "tree"):
        app.add_lexer(name, TextLexer)
