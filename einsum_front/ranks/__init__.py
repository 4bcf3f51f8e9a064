"""Elements divided over the ranks of an MPI job: who has which, what is exchanged, and errors that all ranks see."""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.ranks.bisection import bisect as bisect
    from einsum_front.ranks.communicator import Communicator as Communicator
    from einsum_front.ranks.communicator import together as together
    from einsum_front.ranks.communicator import world as world
    from einsum_front.ranks.halo import Halo as Halo

__getattr__, __dir__, __all__ = facade(
    __name__,
    {
        ".communicator": ("Communicator", "together", "world"),
        ".bisection": ("bisect",),
        ".halo": ("Halo",),
    },
)
