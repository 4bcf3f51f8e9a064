"""to come"""

from einsum_front import checked
from einsum_front.scope import Scope


def check_entries(kernel: checked.Kernel, scope: Scope) -> None:
    """..."""
