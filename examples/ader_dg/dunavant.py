"""Symmetric quadrature on the triangle with few points.

D. A. Dunavant, High degree efficient symmetrical Gaussian quadrature rules for the triangle, Int. J. Numer. Methods
Eng. 21 (1985). An orbit is all points whose barycentric coordinates are the same up to a permutation. The coordinates
have 15 digits, but points of an orbit are exact images of each other, so a zero by symmetry is a zero.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import permutations

import numpy as np

from examples.ader_dg.quadrature import Rule

Orbit = tuple[str, ...]
"""The weight of each point (they sum to 1 over a rule), then the first one or two barycentric coordinates.

None: the centroid. One, a: the three points (a, a, 1-2a). Two, a and b: the six points (a, b, 1-a-b).
"""

ORBITS: dict[int, tuple[Orbit, ...]] = {
    6: (  # degree 4
        ("0.223381589678011", "0.445948490915965"),
        ("0.109951743655322", "0.091576213509771"),
    ),
    12: (  # degree 6
        ("0.116786275726379", "0.249286745170910"),
        ("0.050844906370207", "0.063089014491502"),
        ("0.082851075618374", "0.053145049844817", "0.310352451033784"),
    ),
    16: (  # degree 8
        ("0.144315607677787",),
        ("0.095091634267285", "0.459292588292723"),
        ("0.103217370534718", "0.170569307751760"),
        ("0.032458497623198", "0.050547228317031"),
        ("0.027230314174435", "0.008394777409958", "0.263112829634638"),
    ),
    25: (  # degree 10
        ("0.090817990382754",),
        ("0.036725957756467", "0.485577633383657"),
        ("0.045321059435528", "0.109481575485037"),
        ("0.072757916845420", "0.141707219414880", "0.307939838764121"),
        ("0.028327242531057", "0.025003534762686", "0.246672560639903"),
        ("0.009421666963733", "0.009540815400299", "0.066803251012200"),
    ),
    33: (  # degree 12
        ("0.025731066440455", "0.488217389773805"),
        ("0.043692544538038", "0.439724392294460"),
        ("0.062858224217885", "0.271210385012116"),
        ("0.034796112930709", "0.127576145541586"),
        ("0.006166261051559", "0.021317350453210"),
        ("0.040371557766381", "0.115343494534698", "0.275713269685514"),
        ("0.022356773202303", "0.022838332222257", "0.281325580989940"),
        ("0.017316231108659", "0.025734050548330", "0.116251915907597"),
    ),
}
"""By number of points: those of degree 2*order for orders 2 to 6."""


def dunavant(points: int) -> Rule:
    """The rule with 6, 12, 16, 25 or 33 points: points `(P, 2)`, weights `(P,)` that sum to 1/2."""
    corners: list[tuple[Decimal, ...]] = []
    weights: list[Decimal] = []
    for weight, *given in ORBITS[points]:
        orbit = _orbit(*map(Decimal, given))
        corners += orbit
        weights += [Decimal(weight) / 2] * len(orbit)
    return np.array([corner[1:] for corner in corners], dtype=object), np.array(weights, dtype=object)


def _orbit(a: Decimal | None = None, b: Decimal | None = None) -> list[tuple[Decimal, ...]]:
    if a is None:
        return [(Decimal(1) / 3,) * 3]
    middle = a if b is None else b
    return sorted(set(permutations((a, middle, 1 - a - middle))))
