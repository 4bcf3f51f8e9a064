"""Functions of entries in formulas in Python: those of the notation, by their names there.

from einsum_front import functions as f
layer = ef.kernel("layer", Y["ij"] <= f.relu(X["ik"] * W["kj"] + b["j"]))
norms = ef.kernel("norms", m["i"] <= f.maximum(f.abs(X["ik"]), over="k"))
"""

from einsum_front.dsl_expressions import Expression, Number, called, comparison_of


def exp(x: Expression | Number) -> Expression:
    """`exp(x)`."""
    return called("exp", (x,))


def log(x: Expression | Number) -> Expression:
    """`log(x)`: minus infinity for 0, NaN for negative numbers."""
    return called("log", (x,))


def log1p(x: Expression | Number) -> Expression:
    """`log(1 + x)`, precise for small x."""
    return called("log1p", (x,))


def sqrt(x: Expression | Number) -> Expression:
    """`sqrt(x)`: NaN for negative numbers."""
    return called("sqrt", (x,))


def tanh(x: Expression | Number) -> Expression:
    """`tanh(x)`."""
    return called("tanh", (x,))


def erf(x: Expression | Number) -> Expression:
    """`erf(x)`."""
    return called("erf", (x,))


def abs(x: Expression | Number) -> Expression:  # noqa: A001 - the name in the notation
    """`abs(x)`, of complex numbers too."""
    return called("abs", (x,))


def conj(x: Expression | Number) -> Expression:
    """The complex conjugate."""
    return called("conj", (x,))


def real(x: Expression | Number) -> Expression:
    """The real part."""
    return called("real", (x,))


def imag(x: Expression | Number) -> Expression:
    """The imaginary part."""
    return called("imag", (x,))


def exp2(x: Expression | Number) -> Expression:
    """`2 ** x`."""
    return called("exp2", (x,))


def expm1(x: Expression | Number) -> Expression:
    """`exp(x) - 1`, precise for small x."""
    return called("expm1", (x,))


def log2(x: Expression | Number) -> Expression:
    """The logarithm to base 2, NaN for negative numbers."""
    return called("log2", (x,))


def log10(x: Expression | Number) -> Expression:
    """The logarithm to base 10, NaN for negative numbers."""
    return called("log10", (x,))


def atan(x: Expression | Number) -> Expression:
    """The arc tangent, in radians."""
    return called("atan", (x,))


def cbrt(x: Expression | Number) -> Expression:
    """The cube root, also of negative numbers."""
    return called("cbrt", (x,))


def floor(x: Expression | Number) -> Expression:
    """The largest integer that is not above x."""
    return called("floor", (x,))


def ceil(x: Expression | Number) -> Expression:
    """The smallest integer that is not below x."""
    return called("ceil", (x,))


def trunc(x: Expression | Number) -> Expression:
    """x without what is behind the point."""
    return called("trunc", (x,))


def round(x: Expression | Number) -> Expression:  # noqa: A001 - the name in the notation
    """The nearest integer, halves away from zero."""
    return called("round", (x,))


def rint(x: Expression | Number) -> Expression:
    """The nearest integer, halves to even."""
    return called("rint", (x,))


def pow(x: Expression | Number, y: Expression | Number) -> Expression:  # noqa: A001 - the name in the notation
    """`x ** y`: NaN for a negative x and a y that is no integer."""
    return called("pow", (x, y))


def fmax(x: Expression | Number, y: Expression | Number) -> Expression:
    """The larger of two; a NaN is left out."""
    return called("fmax", (x, y))


def fmin(x: Expression | Number, y: Expression | Number) -> Expression:
    """The smaller of two; a NaN is left out."""
    return called("fmin", (x, y))


def relu(x: Expression | Number) -> Expression:
    """`relu(x)`: x where it is not negative, else 0; NaN for NaN."""
    return called("relu", (x,))


def sigmoid(x: Expression | Number) -> Expression:
    """`1 / (1 + exp(-x))`."""
    return called("sigmoid", (x,))


def gelu(x: Expression | Number) -> Expression:
    """`x / 2 * (erf(x / sqrt(2)) + 1)`."""
    return called("gelu", (x,))


def softplus(x: Expression | Number) -> Expression:
    """`log(1 + exp(x))`, finite for large x and precise for small values."""
    return called("softplus", (x,))


def maximum(*arguments: Expression | Number, over: str = "") -> Expression:
    """`max(x, y, …)`, or `max{k,l}(x)` with `over="k,l"` (`"kl"` for letters): NaN where an argument is."""
    return called("max", arguments, _indices(over))


def minimum(*arguments: Expression | Number, over: str = "") -> Expression:
    """`min(x, y, …)`, or `min{k,l}(x)` with `over="k,l"` (`"kl"` for letters): NaN where an argument is."""
    return called("min", arguments, _indices(over))


def where(
    left: Expression | Number,
    comparison: str,
    right: Expression | Number,
    then: Expression | Number,
    otherwise: Expression | Number,
) -> Expression:
    """`where(left < right, then, otherwise)` with `comparison` one of `<`, `<=`, `>`, `>=`, `==`, `!=`.

    Raises ValueError for another word.
    """
    condition = comparison_of(left, comparison, right)
    return called("where", (condition, then, otherwise))


def _indices(over: str) -> tuple[str, ...]:
    """The names of indices, as in an index list."""
    return tuple(name.strip() for name in over.split(",") if name.strip()) if "," in over else tuple(over.strip())
