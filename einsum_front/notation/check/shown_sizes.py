"""Where a launch finds sizes: in the shapes of the arguments of the kernel."""

from einsum_front.core.extent import Polynomial
from einsum_front.core.storage import Storage
from einsum_front.notation.check.mistakes import mistake
from einsum_front.notation.check.patterns import accesses_of
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.checked import Kernel


def check_sizes_are_shown(kernel: Kernel, scope: Scope) -> None:
    """Raise if the kernel needs a size that is not the whole extent of a mode of one of its arguments."""
    if not scope.sizes:
        return
    tensors = [scope.family_of(name)[1] for name in dict.fromkeys(a.tensor for a in accesses_of(kernel))]
    dynamic = [(tensor, e) for tensor in tensors for e in tensor.shape if isinstance(e, Polynomial)]
    shown = {extent.size for tensor, extent in dynamic if tensor.storage is not Storage.TEMPORARY}
    for tensor, extent in dynamic:
        for size in extent.sizes:
            if size not in shown:
                message = (
                    f"no argument of `{kernel.name}` has a mode of extent `{size.name}`, so a launch cannot tell it"
                )
                label = f"`{tensor.spelling}` has the extent {extent}"
                note = "a size of its own may stand for the whole extent: `size m`"
                raise mistake("E0231", message, (kernel.origin, ""), (tensor.origin, label), notes=(note,))
