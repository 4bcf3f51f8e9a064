"""The documentation site: the pages of this folder, and the interface from its docstrings. `make docs` builds it."""

import re
from typing import Any

from pygments.lexers.special import TextLexer

from einsum_front import __version__

project = "einsum-front"
author = "the authors of einsum-front"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"einsum-front {release}"
html_copy_source = False

myst_heading_anchors = 4
nitpicky = False
default_role = "code"  # docstrings have names between single backticks

# One page at a time: names of types are written out in docstrings, and links to NumPy would need a network.
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": False}

# A block of a language that its lexer does not read whole is no mistake, nor is a page that no list names yet.
suppress_warnings = ["misc.highlighting_failure", "toc.not_included"]

man_pages = [("command_line", "einsum-front", "index strings in, batched OpenCL kernels out", author, 1)]


PAGE_OUTSIDE = re.compile(r"\[([^\]]*)\]\(\.\./[^)]*\.md(?:#[^)]*)?\)")
"""A link to a page of the repository that is none of the site."""


def without_links_outside(_app: Any, _page: str, source: list[str]) -> None:
    """Pages of the repository that are none of the site are named, and not linked."""
    source[0] = PAGE_OUTSIDE.sub(r"\1", source[0])


def setup(app: Any) -> None:
    """Languages that stand at blocks of code and have no lexer are shown as they are."""
    app.connect("source-read", without_links_outside)
    for name in ("ein", "graph", "plan", "schedule", "artifact", "ipython", "tree"):
        app.add_lexer(name, TextLexer)
