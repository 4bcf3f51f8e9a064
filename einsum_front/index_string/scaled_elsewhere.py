"""`alpha` and `beta` for results that are no plain arrays of NumPy: tensors, arrays of a device, lazy ones."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from einsum_front.core.numbers import COMPLEX
from einsum_front.dask_arrays import is_dask
from einsum_front.index_string.device_operands import check_device_out, device_memory
from einsum_front.index_string.keywords import Casting
from einsum_front.index_string.on_lazy import is_lazy
from einsum_front.index_string.operands import check_out, out_mistakes, raise_mistakes
from einsum_front.index_string.scaled import Factors, on_host, rounded
from einsum_front.runtime import cuda_views, host_view, is_foreign, is_on_cuda, is_on_device, like


def combined(result: Any, operands: Sequence[Any], out: Any, factors: Factors, casting: Casting) -> Any:
    """`alpha * result + beta * out`, in `out` if there is one."""
    if is_dask(result) or is_lazy(result):
        return result * factors.alpha
    if is_on_device(result):
        target = result if out is None else check_device_out(out, result.shape, result, result.dtype)
        kind = COMPLEX.get(result.dtype, result.dtype)  # a complex factor of complex arrays is E0509
        device_memory([result], "auto").combine(target, result, *rounded(factors, kind))
        return target
    if is_on_cuda(result):
        return _on_cuda(result, operands, out, factors)
    array = np.asarray(host_view(result))
    is_view = any(np.may_share_memory(array, each) for each in _host_views(operands))
    fresh = array.copy("K") if is_view or not array.flags.writeable else array
    found = on_host(fresh, check_out(host_view(out)), factors, casting)
    if out is not None:
        return out
    return like(result, np.asarray(found)) if is_foreign(result) else found


def _host_views(operands: Sequence[Any]) -> list[Any]:
    return [view for each in operands if isinstance(view := host_view(each), np.ndarray)]


def _on_cuda(result: Any, operands: Sequence[Any], out: Any, factors: Factors) -> Any:
    """By CuPy, in the stream that the operands are computed in."""
    given = (result,) if out is None else (result, out)
    arrays, space = cuda_views(given)
    alpha, beta = rounded(factors, arrays[0].dtype)
    if out is not None:
        raise_mistakes(out_mistakes(arrays[1], arrays[0].shape, arrays[0].dtype, is_read_only=False))
    with space.current(operands):
        part, target = cast("Any", arrays[0]), cast("Any", arrays[-1])
        if alpha == 0:
            part.fill(0)
        else:
            part *= alpha
        if out is None:
            return result
        if beta == 0:
            target[...] = part
        else:
            target *= beta
            target += part
    return out
