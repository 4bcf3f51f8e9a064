"""`ef.einsum_expression`: a contraction without its operands, as opt_einsum's `contract_expression`."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import DTypeLike

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.signatures import shown_without_types
from einsum_front.core.words import counted
from einsum_front.index_string.builds import read_build
from einsum_front.index_string.constants import Folded, folded, moved, on_host
from einsum_front.index_string.front import einsum
from einsum_front.index_string.interleaved import as_string
from einsum_front.index_string.keywords import (
    ONE,
    ZERO,
    Build,
    Casting,
    MemoryLimit,
    Number,
    Optimize,
    read_keywords,
    read_path,
)
from einsum_front.index_string.program import read_terms
from einsum_front.index_string.rare import read_rare
from einsum_front.index_string.shapes import OpenShape, read_shape, shape_of

USUAL = 64
"""The size that stands for `None` where orders are compared."""

MOST_SHAPES = 1024
"""Shapes of calls that are not compared again."""

ANY_SIZE = "`None` in a shape of `ef.einsum_expression` stands for any size"


@shown_without_types
def einsum_expression(  # noqa: PLR0913 - the keywords of `einsum`
    subscripts: object,
    *shapes: Any,
    constants: Collection[int] | None = None,
    optimize: Optimize = True,
    memory_limit: MemoryLimit = None,
    use_blas: bool = True,
    dtype: DTypeLike | None = None,
    order: str | None = "K",
    casting: Casting = "safe",
    device: str | int = "auto",
    schedule: str | None = None,
    tune: bool = False,
    build: Build | None = None,
) -> "EinsumExpression":
    """The contraction of operands of these shapes, to be called with the arrays.

    Parameters
    ----------
    subscripts : str
        As in `einsum`.
    *shapes : tuple of int or None, or array_like
        The shape of each operand, with `None` for any size; the array itself for a constant.
    constants : collection of int, optional
        Places of the operands that are given here, and not in the calls. What can be computed of them alone is computed
        once, in the first call.
    optimize, memory_limit, use_blas, dtype, order, casting, device, schedule, tune, build
        As in `einsum`. What looks for an order is asked once.

    Returns
    -------
    EinsumExpression
        Called with the operands that are no constants.

    Raises
    ------
    CompileError
        If the string does not fit the shapes.

    Examples
    --------
    >>> import numpy as np
    >>> import einsum_front as ef
    >>> product = ef.einsum_expression("kl,elq->ekq", np.eye(20), (None, 20, 9), constants=[0])
    >>> product(np.ones((7, 20, 9))).shape
    (7, 20, 9)
    """
    text, given = as_string(subscripts, shapes)
    known = {place: _constant(place, given[place]) for place in _places(constants, len(given))}
    listed = [read_shape(number, known.get(number, each)) for number, each in enumerate(given)]
    read_keywords(len(listed), True, dtype, order, casting)
    read_build(build)
    rare = read_rare(text, _stand_ins(text, listed), optimize, memory_limit)
    path = read_path(rare.optimize, len(listed))
    keywords: dict[str, Any] = {"dtype": dtype, "memory_limit": rare.limit, "schedule": schedule, "build": build}
    keywords = {name: each for name, each in keywords.items() if each is not None}
    keywords |= {} if order == "K" else {"order": order}
    keywords |= {} if casting == "safe" else {"casting": casting}
    keywords |= {} if device == "auto" else {"device": device}
    keywords |= {"tune": tune} if tune else {}
    keywords |= {} if rare.optimize is True else {"optimize": rare.optimize if path is None else list(path)}
    return EinsumExpression(text, listed, known, keywords)


class EinsumExpression:
    """A contraction that is called with arrays: what `einsum_expression` returns.

    `num_args` counts the operands of a call. Copies and pickles have constants in the memory of the host.

    Parameters
    ----------
    subscripts : str
        As in `einsum`.
    shapes : sequence of tuple of int or None
        Those of all operands; `None` is any size.
    constants : mapping of int to array_like
        Operands by place. They are not to be changed.
    keywords : mapping of str to object
        Those of `einsum`.

    Examples
    --------
    >>> import numpy as np
    >>> import einsum_front as ef
    >>> product = ef.einsum_expression("ij,jk->ik", (2, 3), (3, 4))
    >>> product(np.ones((2, 3)), np.ones((3, 4))).sum()
    np.float64(24.0)
    """

    def __init__(
        self, subscripts: str, shapes: Sequence[OpenShape], constants: Mapping[int, Any], keywords: Mapping[str, Any]
    ) -> None:
        self.subscripts = subscripts
        self.shapes = tuple(shapes)
        self.constants = dict(constants)
        self.keywords = dict(keywords)
        self.num_args = len(shapes) - len(constants)
        self._prepare()

    def _prepare(self) -> None:
        self._expected = [(place, shape) for place, shape in enumerate(self.shapes) if place not in self.constants]
        self._accepted: set[tuple[tuple[int, ...], ...]] = set()
        self._folded: Folded | None = None
        self._moved: dict[object, tuple[Any, ...]] = {}

    def __call__(
        self, *arrays: Any, out: Any = None, backend: str | None = "auto", alpha: Number = ONE, beta: Number = ZERO
    ) -> Any:
        """The contraction of these arrays, one for each operand that is no constant, as `einsum` gives it.

        Constants go to the device of the arrays, once. Raises `CompileError` if there are more or fewer arrays, or if
        one has another shape.
        """
        try:
            shapes = tuple([array.shape for array in arrays])
        except AttributeError:
            shapes = tuple([shape_of(number, array) for number, array in enumerate(arrays)])
        if shapes not in self._accepted:
            self._check(shapes)
        whole = self._folded or self._fold()
        if not whole.constants:
            return einsum(whole.subscripts, *arrays, out=out, backend=backend, alpha=alpha, beta=beta, **whole.keywords)
        operands = [*arrays]
        for place, constant in zip(whole.places, self._constants_for(arrays, whole), strict=True):
            operands.insert(place, constant)
        return einsum(whole.subscripts, *operands, out=out, backend=backend, alpha=alpha, beta=beta, **whole.keywords)

    def evaluate_constants(self, backend: str | None = "auto") -> None:
        """Computes what depends on constants alone now, and not in the first call."""
        self._fold()

    def _check(self, shapes: Sequence[Sequence[int]]) -> None:
        """Raises `CompileError` for arrays that do not fit; remembers shapes that do."""
        if len(shapes) != self.num_args:
            self._fail_of_count(len(shapes))
        for (place, expected), shape in zip(self._expected, shapes, strict=True):
            if not _fits(tuple(shape), expected):
                self._fail_of_shape(place, tuple(shape), expected)
        if len(self._accepted) < MOST_SHAPES:
            self._accepted.add(tuple(map(tuple, shapes)))

    def _fold(self) -> Folded:
        sizes = _sizes(self.subscripts, self.shapes)
        self._folded = folded(einsum, self.subscripts, sizes, self.constants, self.keywords)
        return self._folded

    def _constants_for(self, arrays: Sequence[Any], whole: Folded) -> Sequence[Any]:
        """The constants where the arrays are."""
        if not arrays or type(arrays[0]) is np.ndarray:
            return whole.constants
        return moved(whole.constants, arrays, self._moved)

    def _fail_of_count(self, given: int) -> NoReturn:
        taken = "1 is" if given == 1 else f"{given or 'none'} are"
        constants = f" besides its {counted(len(self.constants), 'constant')}" if self.constants else ""
        message = f"the expression takes {counted(self.num_args, 'array')}{constants}, and {taken} given"
        raise CompileError([Diagnostic("E0227", message, notes=(f"it is {self!r}",))])

    def _fail_of_shape(self, place: int, shape: tuple[int, ...], expected: OpenShape) -> NoReturn:
        message = f"operand {place} has shape {shape}, and the expression is for {expected}"
        raise CompileError([Diagnostic("E0505", message, notes=(f"it is {self!r}", ANY_SIZE))])

    def __repr__(self) -> str:
        parts = [repr(self.subscripts), *map(str, self.shapes)]
        parts += [f"constants={sorted(self.constants)}"] if self.constants else []
        return f"einsum_expression({', '.join(parts)})"

    def __getstate__(self) -> dict[str, Any]:
        constants = {place: on_host(each) for place, each in self.constants.items()}
        return {
            "subscripts": self.subscripts,
            "shapes": self.shapes,
            "constants": constants,
            "keywords": self.keywords,
            "num_args": self.num_args,
        }

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        self._prepare()


def _fits(shape: tuple[int, ...], expected: OpenShape) -> bool:
    pairs = zip(expected, shape, strict=False)
    return len(shape) == len(expected) and all(size is None or size == found for size, found in pairs)


def _places(constants: Collection[object] | None, operands: int) -> list[int]:
    given = [] if constants is None else list(constants)
    places: list[int] = []
    for place in given:
        if isinstance(place, int | np.integer) and not isinstance(place, bool) and 0 <= place < operands:
            places.append(int(place))
        else:
            message = f"`constants` has {place!r}, expected places of operands, from 0 to {operands - 1}"
            raise CompileError([Diagnostic("E0518", message)])
    return sorted({*places})


def _constant(place: int, given: Any) -> Any:
    """An operand that is the same in all calls."""
    if isinstance(given, tuple) and all(isinstance(size, int | np.integer | None) for size in given):
        message = f"operand {place} is a constant, and {given} is a shape"
        raise CompileError([Diagnostic("E0503", message, notes=("a constant is given as an array",))])
    return given if hasattr(given, "shape") else np.asarray(given)


def _sizes(text: str, shapes: Sequence[OpenShape]) -> tuple[tuple[int, ...], ...]:
    """The shapes with a size in the place of `None`: that of the index in another operand, or one that is usual."""
    if all(None not in shape for shape in shapes):
        return cast("tuple[tuple[int, ...], ...]", tuple(shapes))
    terms, _, extents = read_terms(text, tuple(tuple(size or 1 for size in shape) for shape in shapes))
    pairs = [[*zip(term, shape, strict=True)] for term, shape in zip(terms, shapes, strict=True)]
    known = {name for modes in pairs for name, size in modes if size is not None and size > 1}
    return tuple(
        tuple((extents[name] if name in known else USUAL) if size is None else size for name, size in modes)
        for modes in pairs
    )


def _stand_ins(text: str, shapes: Sequence[OpenShape]) -> list[Any]:
    """Arrays of the shapes that take no memory."""
    return [np.broadcast_to(0.0, shape) for shape in _sizes(text, shapes)]
