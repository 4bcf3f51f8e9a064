"""Where a launch finds the sizes that only it knows: in the shapes of the arguments of the kernel."""

from einsum_front.core.storage import Storage
from einsum_front.notation.check.mistakes import mistake
from einsum_front.notation.check.patterns import accesses_of
from einsum_front.notation.check.run_time_size import RunTimeExtent
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.checked import Kernel


def check_sizes_are_shown(kernel: Kernel, scope: Scope) -> None:
    """Raise if the kernel needs a size that is not the whole extent of a mode of one of its arguments."""
    if not scope.sizes:
        return
    tensors = [scope.family_of(name)[1] for name in dict.fromkeys(a.tensor for a in accesses_of(kernel))]
    open_extents = [(tensor, e) for tensor in tensors for e in tensor.shape if isinstance(e, RunTimeExtent)]
    shown = {extent.expression for tensor, extent in open_extents if tensor.storage is not Storage.TEMPORARY}
    for tensor, extent in open_extents:
        for name in sorted(symbol.name for symbol in extent.value.free_symbols):
            if name not in shown:
                message = f"no argument of `{kernel.name}` has a mode of extent `{name}`, so a launch cannot tell it"
                label = f"`{tensor.spelling}` has the extent {extent}"
                note = "a size of its own may stand for the whole extent: `size m`"
                raise mistake("E0231", message, (kernel.origin, ""), (tensor.origin, label), notes=(note,))
