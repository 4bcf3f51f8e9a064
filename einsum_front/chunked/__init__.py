"""Batches that are larger than the memory, in chunks: read, computed and written at the same time."""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.chunked.kernel import ChunkedKernel as ChunkedKernel
    from einsum_front.chunked.pipeline import Chunk as Chunk
    from einsum_front.chunked.pipeline import DeviceWarning as DeviceWarning
    from einsum_front.chunked.pipeline import Report as Report
    from einsum_front.chunked.plan import ChunkPlan as ChunkPlan
    from einsum_front.chunked.plan import Options as Options
    from einsum_front.chunked.plan import Progress as Progress
    from einsum_front.chunked.plan import read_options as read_options
    from einsum_front.chunked.stores import is_data_set as is_data_set

__getattr__, __dir__, __all__ = facade(
    __name__,
    {
        ".kernel": ("ChunkedKernel",),
        ".plan": ("ChunkPlan", "Options", "Progress", "read_options"),
        ".pipeline": ("Chunk", "DeviceWarning", "Report"),
        ".stores": ("is_data_set",),
    },
)
