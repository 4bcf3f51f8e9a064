"""Elements divided by recursive coordinate bisection."""

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray


def bisect(centres: ArrayLike, parts: int) -> NDArray[np.intp]:
    """The part, 0 to `parts - 1`, of each element: (elements,) for centres of shape (elements, dimensions).

    The elements are sorted along the longest side of their box and cut where both sides get as many elements for each
    of their parts; then each side is cut again (Berger and Bokhari 1987). With more parts than
    elements, some are empty. The result depends on the arguments alone, so that every rank can compute it. Raises
    `TypeError` and `ValueError` for arguments that are something else.
    """
    points = np.asarray(centres, np.float64)
    if points.ndim != 2 and points.size:
        raise ValueError(f"the centres are of shape {points.shape}, expected (elements, dimensions)")
    if not np.isfinite(points).all():
        raise ValueError("a centre is not finite, so it lies on no side of a cut")
    if isinstance(parts, bool) or not isinstance(parts, Integral):
        raise TypeError(f"the number of parts is {parts!r}, expected an integer")
    if parts < 1:
        raise ValueError(f"the number of parts is {parts}, expected at least 1")
    owner = np.zeros(len(points), np.intp)
    waiting = [(np.arange(len(points)), 0, int(parts))]
    while waiting:
        elements, first, count = waiting.pop()
        if count <= 1 or not len(elements):
            owner[elements] = first
            continue
        box = points[elements]
        axis = int(np.argmax(np.ptp(box, axis=0)))
        elements = elements[np.lexsort((elements, box[:, axis]))]
        left = count // 2
        cut = len(elements) * left // count
        waiting += [(elements[:cut], first, left), (elements[cut:], first + left, count - left)]
    return owner
