"""The page of a kernel as a value: notebooks show it, shells name it, and it can be saved."""

import tempfile
import webbrowser
from collections.abc import Callable
from html import escape
from pathlib import Path

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.driver import Observer, Stages
from einsum_front.files import write_text
from einsum_front.inspector.measure import measure_kernels
from einsum_front.inspector.page_data import collect, model, page
from einsum_front.options import Level
from einsum_front.runtime import Device

HEIGHT = 720
"""Pixels of the page in a notebook."""


class Page:
    """The inspector's page of some kernels, which needs no network.

    It is shown at the end of a cell of a notebook. `save` writes it into a file, `open` shows it in a browser.
    """

    def __init__(self, name: str, html: str) -> None:
        self.name = name
        self.html = html

    def __repr__(self) -> str:
        return f"<page of {self.name}: {len(self.html.encode()) // 1024} KiB; `.save(path)` or `.open()`>"

    def _repr_html_(self) -> str:
        """The page in a frame of its own: its style and its keys are nothing to the notebook."""
        style = f"width:100%;height:{HEIGHT}px;border:1px solid #888;border-radius:6px"
        return f'<iframe srcdoc="{escape(self.html)}" style="{style}" title="{escape(self.name)}"></iframe>'

    def save(self, path: str | Path) -> Path:
        """Writes the page; returns the path. Raises `CompileError` (E0107) if that is not possible."""
        write_text(Path(path), self.html)
        return Path(path)

    def open(self) -> Path:
        """Shows the page in a browser, from a new file, whose path it returns."""
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())
        return Path(file.name)


def page_of(
    name: str,
    translate: Callable[[Observer], tuple[Stages, ...]],
    text: tuple[Source, Level],
    edited: Source | None = None,
    device: Device | None = None,
) -> Page:
    """The page of the kernels of a text; on a `device`, they are measured there."""
    collected = collect(translate, edited)
    if collected.diagnostics:
        raise CompileError(collected.diagnostics)
    kernels = tuple(each.stages for each in collected.kernels)
    measured = None if device is None else measure_kernels(kernels, device, None)
    return Page(name, page(model(name, collected, *text, measured=measured)))
