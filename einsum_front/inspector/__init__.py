"""The inspector: a kernel at every level on one page, in which what belongs together lights up together."""

from einsum_front.inspector.collect import Collected, collect
from einsum_front.inspector.model import model
from einsum_front.inspector.page import page

__all__ = ["Collected", "collect", "model", "page"]
