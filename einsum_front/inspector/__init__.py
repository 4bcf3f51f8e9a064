"""The inspector: a kernel at every level on one page, in which what belongs together lights up together."""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.inspector.page_data import Collected as Collected
    from einsum_front.inspector.page_data import collect as collect
    from einsum_front.inspector.page_data import model as model
    from einsum_front.inspector.page_data import page as page
    from einsum_front.inspector.shown import Page as Page
    from einsum_front.inspector.shown import page_of as page_of

__getattr__, __dir__, __all__ = facade(
    __name__,
    {
        ".page_data": ("Collected", "collect", "model", "page"),
        ".shown": ("Page", "page_of"),
    },
)
