"""Elements divided by recursive coordinate bisection."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def bisect(centres: ArrayLike, parts: int) -> NDArray[np.intp]:
    """The part, 0 to `parts - 1`, of each element: (elements,) for centres of shape (elements, dimensions).

    The elements are sorted along the longest side of their box and cut where both sides get as many elements for each
    of their parts; then each side is cut again (Berger and Bokhari 1987). With more parts than
    elements, some are empty. The result depends on the arguments alone, so that every rank can compute it.
    """
    points = np.asarray(centres, np.float64)
    owner = np.zeros(len(points), np.intp)
    waiting = [(np.arange(len(points)), 0, parts)]
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
