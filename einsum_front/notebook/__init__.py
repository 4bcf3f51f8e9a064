"""What notebooks show: programs, kernels and their levels as HTML."""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.notebook.html import kernel_html as kernel_html
    from einsum_front.notebook.html import level_html as level_html
    from einsum_front.notebook.html import levels_html as levels_html
    from einsum_front.notebook.html import patterns_html as patterns_html
    from einsum_front.notebook.html import program_html as program_html
    from einsum_front.notebook.html import source_html as source_html

__getattr__, __dir__, __all__ = facade(
    __name__,
    {".html": ("kernel_html", "level_html", "levels_html", "patterns_html", "program_html", "source_html")},
)
