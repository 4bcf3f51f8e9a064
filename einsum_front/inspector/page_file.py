"""The page: one HTML file with its style, its scripts and its data inside, which needs no network."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


def page(data: dict[str, Any]) -> str:
    """The HTML of the page that shows the data."""
    shown = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)
    parts = {
        "title": _escaped(str(data.get("title", "einsum-front"))),
        "style": _part("page.css"),
        "dagre": _part("dagre.min.js").replace("//# sourceMappingURL=dagre.min.js.map", ""),
        "license": _part("dagre.LICENSE").replace("--", "- -"),
        "script": _part("page.js") + _part("drawings.js"),
        # a browser ends a script at the first `</`, and reads `<!--` in it
        "data": shown.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"),
    }
    pieces = _part("page.html").split("@@")
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@cache
def _part(name: str) -> str:
    return files("einsum_front.inspector").joinpath("templates", name).read_text(encoding="utf-8")
