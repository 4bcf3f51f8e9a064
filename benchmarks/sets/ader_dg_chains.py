"""The ADER-DG kernels as dense products of one element, each cut to the boxes of the non-zeros.

This is what a solver does that generates its kernels for a library of small dense products: the order is the best for
dense boxes, and a sum is accumulated by the products.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.case import Arrays
from benchmarks.chain import Chain, Matrix, Product, Step, Update, box_of

QUANTITIES = 9


@dataclass(frozen=True, slots=True)
class Rows:
    """A tensor of 9 columns of which only the rows from `first` to before `end` matter."""

    tensor: str
    ld: int
    first: int
    end: int


def volume(arrays: Arrays) -> Chain:
    """For each direction: T = I star, then Q += kDivM T; only the columns of kDivM that are not zero need T."""
    basis = arrays["Q"].shape[1]
    solution, whole = Rows("Q", basis, 0, basis), Rows("I", basis, 0, basis)
    temporary = _temporary("T", basis)
    steps: list[Step] = []
    for d in range(3):
        box = box_of(arrays[f"kDivM_{d}"])
        needed = Rows(whole.tensor, whole.ld, box.first_column, box.end_column)
        product, scaled = _from_right(needed, f"star_{d}", temporary)
        steps += [product, _from_left(f"kDivM_{d}", arrays, scaled, solution, beta=1)[0]]
    return _chain(steps, [temporary])


def local_flux(arrays: Arrays, face: int, solver: str = "AplusT") -> Chain:
    """T = fMrT I, U = T A, Q += rDivM U."""
    return _flux(arrays, [f"fMrT_{face}"], solver, f"rDivM_{face}")


def neighboring_flux(arrays: Arrays, turn: int, neighbour: int, face: int) -> Chain:
    """T = rT I, T' = fP T, U = T' A, Q += rDivM U."""
    return _flux(arrays, [f"rT_{neighbour}", f"fP_{turn}"], "AminusT", f"rDivM_{face}")


def _flux(arrays: Arrays, before: Sequence[str], solver: str, last: str) -> Chain:
    basis = arrays["Q"].shape[1]
    rows, temporaries, steps = Rows("I", basis, 0, basis), [], []
    for name in before:
        temporaries.append(_temporary(f"from_{name}", arrays[name].shape[0]))
        product, rows = _from_left(name, arrays, rows, temporaries[-1])
        steps.append(product)
    temporaries.append(_temporary(f"to_{last}", arrays[last].shape[1]))
    product, rows = _from_right(rows, solver, temporaries[-1])
    steps += [product, _from_left(last, arrays, rows, Rows("Q", basis, 0, basis), beta=1)[0]]
    return _chain(steps, temporaries)


def derivative(arrays: Arrays, order: int) -> Chain:
    """For each derivative and direction: T = kDivMT dQ, then the next dQ += T star; the Taylor series as they come."""
    basis = arrays["I"].shape[1]
    temporary = _temporary("T", basis)
    steps: list[Step] = [_taylor(0, basis, basis)]
    for n in range(1, order):
        before, after = _basis(order - n + 1), _basis(order - n)
        for d in range(3):
            rows = Rows(f"dQ_{n - 1}", basis, 0, before)
            # the first product sets every row that the sum has
            least = after if d == 0 else 0
            product, left = _from_left(f"kDivMT_{d}", arrays, rows, temporary, least=least)
            steps += [product, _from_right(left, f"star_{d}", Rows(f"dQ_{n}", basis, 0, after), beta=int(d > 0))[0]]
        steps.append(_taylor(n, after, basis))
    return _chain(steps, [temporary])


def element_local(arrays: Arrays, order: int) -> Chain:
    """The derivative, the volume kernel and the local flux through all faces."""
    parts = [
        derivative(arrays, order),
        volume(arrays),
        *(local_flux(arrays, face, f"AplusT_{face}") for face in range(4)),
    ]
    temporaries: dict[str, int] = {}
    for part in parts:
        temporaries |= part.temporaries
    return Chain(tuple(step for part in parts for step in part.steps), temporaries)


def _from_left(
    constant: str, arrays: Arrays, rows: Rows, to: Rows, *, beta: int = 0, least: int = 0
) -> tuple[Product, Rows]:
    """`to := constant rows + beta to`, at least the first `least` rows of it, and the rows that were set."""
    matrix = arrays[constant]
    box = box_of(matrix[:, rows.first : rows.end])
    first = 0 if least else box.first_row
    end, column = max(box.end_row, least), rows.first + box.first_column
    product = Product(
        a=Matrix(constant, matrix.shape[0], first + column * matrix.shape[0]),
        b=Matrix(rows.tensor, rows.ld, column),
        c=Matrix(to.tensor, to.ld, first),
        m=end - first,
        n=QUANTITIES,
        k=box.columns,
        beta=beta,
    )
    return product, Rows(to.tensor, to.ld, first, end)


def _from_right(rows: Rows, matrix: str, to: Rows, *, beta: int = 0) -> tuple[Product, Rows]:
    """`to := rows matrix + beta to` for the rows that matter, and these rows."""
    product = Product(
        a=Matrix(rows.tensor, rows.ld, rows.first),
        b=Matrix(matrix, QUANTITIES),
        c=Matrix(to.tensor, to.ld, rows.first),
        m=rows.end - rows.first,
        n=QUANTITIES,
        k=QUANTITIES,
        beta=beta,
    )
    return product, Rows(to.tensor, to.ld, rows.first, rows.end)


def _taylor(n: int, rows: int, basis: int) -> Update:
    return Update(f"power_{n}", Matrix(f"dQ_{n}", basis), Matrix("I", basis), rows, QUANTITIES, beta=int(n > 0))


def _temporary(name: str, rows: int) -> Rows:
    """With columns that start at a cache line."""
    return Rows(name, -(-rows // 8) * 8, 0, rows)


def _chain(steps: Sequence[Step], temporaries: Sequence[Rows]) -> Chain:
    return Chain(tuple(steps), {each.tensor: each.ld * QUANTITIES for each in temporaries})


def _basis(order: int) -> int:
    """Basis functions of an element at an order."""
    return order * (order + 1) * (order + 2) // 6
