"""`ef.einsum_path`: the order in which `ef.einsum` contracts, in NumPy's form, and the plan that says why."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from math import inf, prod
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from einsum_front import ir
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.signatures import shown_without_types
from einsum_front.driver.targets import own_machine
from einsum_front.driver.texts import level_text
from einsum_front.index_string.device_operands import read_device_operands
from einsum_front.index_string.element_types import ELEMENT_TYPES
from einsum_front.index_string.interleaved import as_string
from einsum_front.index_string.keywords import MemoryLimit, Optimize, read_path
from einsum_front.index_string.make import graph_of, path_of
from einsum_front.index_string.numpy_sums import Term
from einsum_front.index_string.operands import read_arrays, reject_states
from einsum_front.index_string.order import path_of_terms, products
from einsum_front.index_string.program import IndexString, read_einsum
from einsum_front.index_string.rare import read_rare, within_limit
from einsum_front.index_string.shapes import closed_shape
from einsum_front.index_string.steps import Positions
from einsum_front.index_string.subscripts import ELLIPSIS, Subscripts, letters
from einsum_front.runtime import is_on_device

# -- what `ef.einsum_path` says besides the path -----------------------------------------------------------------------
# A text, with the figures of opt_einsum under opt_einsum's names.

MOST_SHOWN = 20
"""Operands up to which a step says what is left behind it."""

Contraction = tuple[tuple[int, ...], frozenset[str], str, tuple[str, ...] | None, bool]
"""Places, indices that are summed, the step as a string, what is left behind it, and opt_einsum's word on BLAS."""


class PathInfo(str):
    """A text about a path: opt_einsum's figures, which are attributes too. Printed, it has the plan in front.

    The plan is made when it is first asked for, by `explain`. Costs count a multiplication and an addition as one
    operation each, for all of the contraction. Sizes are in entries. `slices` has the positions in a slice of each
    index that is cut, for a limit of memory.
    """

    path: list[tuple[int, ...]]
    eq: str
    input_subscripts: str
    output_subscript: str
    indices: frozenset[str]
    size_dict: dict[str, int]
    shapes: list[tuple[int, ...]]
    scale_list: list[int]
    size_list: list[int]
    contraction_list: list[Contraction]
    naive_cost: Decimal
    opt_cost: Decimal
    speedup: Decimal
    largest_intermediate: Decimal
    slices: dict[str, int]
    explain: Callable[[], str]

    @property
    def plan(self) -> str:
        """The plan of a kernel: steps, costs, what was rejected; empty if the path was given."""
        if "explained" not in vars(self):
            self.explained, self.explain = self.explain(), _unplanned
        return self.explained

    def __str__(self) -> str:
        return f"{self.plan}{str.__str__(self)}"

    def __format__(self, specification: str) -> str:
        return format(str(self), specification)

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (str(self).removeprefix(self.plan), vars(self))


def _unplanned() -> str:
    return ""


def _restored(text: str, attributes: Mapping[str, object]) -> PathInfo:
    info = PathInfo(text)
    vars(info).update(attributes)
    return info


def path_info(
    subscripts: Subscripts, sizes: Mapping[str, int], path: Positions, slices: Sequence[tuple[str, int]]
) -> PathInfo:
    """The figures of a path, without a plan; `sizes` are the extents by name."""
    shown = _shown(subscripts)
    separator = "" if all(len(each) == 1 and not each.isdigit() for each in shown.values()) else " "
    terms = [term.names for term in subscripts.operands]
    output = subscripts.output.names

    def written(term: Sequence[str]) -> str:
        return separator.join(shown[name] for name in term)

    within, runs = {**sizes, **dict(slices)}, prod(-(-sizes[name] // size) for name, size in slices)
    steps = list(products(terms, output, path))
    left: list[Term] = list(terms)
    contractions: list[Contraction] = []
    costs = []
    for number, (places, step) in enumerate(zip(path, steps, strict=True)):
        left = [term for place, term in enumerate(left) if place not in places]
        found = dict.fromkeys(name for term in step.taken for name in term)
        kept = output if number == len(path) - 1 else tuple(name for name in found if name in step.kept)
        left.append(kept)
        gone = step.every - set(kept)
        costs.append(runs * _operations(step.every, len(places), within, is_inner=bool(gone)))
        text = f"{','.join(map(written, step.taken))}->{written(kept)}"
        rest = tuple(map(written, left)) if len(left) <= MOST_SHOWN else None
        contractions.append((places, frozenset(shown[name] for name in gone), text, rest, False))
    every = frozenset(name for term in terms for name in term)
    is_inner = sum(len(set(term)) for term in terms) > len(every)
    attributes = {
        "path": list(path),
        "input_subscripts": ",".join(map(written, terms)),
        "output_subscript": written(output),
        "indices": frozenset(shown[name] for name in every),
        "size_dict": {shown[name]: size for name, size in sizes.items()},
        "shapes": [tuple(sizes[name] for name in term) for term in terms],
        "scale_list": [len(step.every) for step in steps],
        "size_list": [
            *(prod(within[name] for name in step.kept) for step in steps[:-1]),
            prod(sizes[name] for name in output),
        ],
        "contraction_list": contractions,
        "naive_cost": Decimal(_operations(every, len(terms), sizes, is_inner=is_inner)),
        "opt_cost": Decimal(sum(costs)),
        "slices": {shown[name]: size for name, size in slices},
        "explain": _unplanned,
    }
    info = _restored("", attributes)
    info.eq = f"{info.input_subscripts}->{info.output_subscript}"
    info.speedup = info.naive_cost / max(info.opt_cost, Decimal(1))
    info.largest_intermediate = Decimal(max(info.size_list, default=1))
    return _restored(_text(info), vars(info))


def _shown(subscripts: Subscripts) -> dict[str, str]:
    """Indices as the string has them; a mode under an ellipsis gets a letter that is free."""
    every = [letter for term in (*subscripts.operands, subscripts.output) for letter in term.letters]
    shown = {letter.name: letter.span.text for letter in every if letter.span.text != ELLIPSIS}
    taken = set(shown.values())
    free = (letter for letter in letters() if letter not in taken)
    hidden = dict.fromkeys(letter.name for letter in every if letter.span.text == ELLIPSIS)
    return {name: next(free) for name in hidden} | shown


def _operations(every: frozenset[str], operands: int, sizes: Mapping[str, int], *, is_inner: bool) -> int:
    """Multiplications and additions as opt_einsum counts them."""
    return prod(sizes[name] for name in every) * (max(1, operands - 1) + is_inner)


def _text(info: PathInfo) -> str:
    rows = [
        ("Complete contraction", info.eq),
        ("Naive scaling", str(len(info.indices))),
        ("Optimized scaling", str(max(info.scale_list, default=0))),
        ("Naive FLOP count", f"{info.naive_cost:.3e}"),
        ("Optimized FLOP count", f"{info.opt_cost:.3e}"),
        ("Theoretical speedup", f"{info.speedup:.3e}"),
        ("Largest intermediate", f"{info.largest_intermediate:.3e} elements"),
    ]
    if info.slices:
        cut = ", ".join(f"{size} of {info.size_dict[name]} of {name}" for name, size in info.slices.items())
        rows.append(("Slices", cut))
    lines = [f"{name:>22}:  {value}" for name, value in rows]
    line = "-" * 80
    lines += [line, f"{'scaling':>7} {'current':>34} {'remaining':>37}", line]
    for scale, (_, _, step, rest, _) in zip(info.scale_list, info.contraction_list, strict=True):
        after = "..." if rest is None else f"{','.join(rest)}->{info.output_subscript}"
        lines.append(f"{scale:>7} {step:>34} {after:>37}")
    return "\n".join(lines)


Path = list[str | tuple[int, ...]]


@shown_without_types
def einsum_path(
    subscripts: object = "",
    *given: Any,
    optimize: Optimize = True,
    memory_limit: MemoryLimit = None,
    shapes: bool = False,
    use_blas: bool = True,
) -> tuple[Path, PathInfo]:
    """The order of the products that `einsum` computes, and what it costs.

    Parameters
    ----------
    subscripts : str
        As in `einsum`.
    *given : array_like or tuple of int
        The operands, of which only the shapes matter; with `shapes` these alone.
    optimize, memory_limit
        As in `einsum`. A path is not looked for then, but said what it costs.
    shapes : bool
        True if shapes are given instead of arrays.
    use_blas : bool
        opt_einsum's, without effect.

    Returns
    -------
    path : list
        As `numpy.einsum_path` gives it: positions in the list of operands, which are taken out of it, while their
        product goes to its end. `einsum` and `numpy.einsum` take it as `optimize`.
    info : PathInfo
        A text, with opt_einsum's figures as attributes (`opt_cost`, `largest_intermediate`, …) and the plan of the
        kernel as `plan`: steps, costs, what was rejected. The plan is made when it is asked for.

    Raises
    ------
    CompileError
        If the string does not fit the operands.

    Examples
    --------
    >>> import einsum_front as ef
    >>> path, info = ef.einsum_path("ab,bc,cd->ad", (20, 9), (9, 30), (30, 5), shapes=True)
    >>> path
    ['einsum_path', (1, 2), (0, 1)]
    """
    text, operands = as_string(subscripts, given)
    listed, real = _shapes(operands, are_shapes=shapes)
    try:
        string = read_einsum(text, listed)
    except CompileError as error:
        is_of_shapes = not shapes and bool(operands) and all(map(_is_shape, operands))
        raise _of_shapes(error) if is_of_shapes else error from None
    stand_ins = [np.broadcast_to(0.0, shape) for shape in listed]
    rare = read_rare(text, stand_ins, optimize, memory_limit)
    path, limited = read_path(rare.optimize, len(listed)), within_limit(rare)
    cut = () if limited is None else limited.cut
    path = path if limited is None else limited.path
    info = path_info(string.kernel.subscripts, string.extents, _ordered(string, real) if path is None else path, cut)
    if path is None:
        info.explain = partial(_explained, string, real)
    return ["einsum_path", *info.path], info


def _is_shape(operand: object) -> bool:
    return isinstance(operand, tuple) and all(isinstance(size, int) for size in operand)


def _of_shapes(error: CompileError) -> CompileError:
    """The error, with what helps those who gave shapes."""
    note = "with `shapes=True`, shapes stand in the place of arrays"
    return CompileError([replace(each, notes=(*each.notes, note)) for each in error.diagnostics])


def _shapes(operands: Sequence[Any], *, are_shapes: bool) -> tuple[list[tuple[int, ...]], str]:
    """The shape of each operand, and the type of the contraction."""
    if are_shapes:
        return [closed_shape(number, shape) for number, shape in enumerate(operands)], "f64"
    reject_states(operands)
    if any(map(is_on_device, operands)):
        there, kind = read_device_operands(operands)
        return [array.shape for array in there], ELEMENT_TYPES.get(kind, "f64")
    arrays = read_arrays(cast("Sequence[ArrayLike]", operands))
    kind = np.result_type(*arrays) if arrays else np.dtype(float)
    return [array.shape for array in arrays], ELEMENT_TYPES.get(kind, "f64")


def _ordered(string: IndexString, real: str) -> Positions:
    """The path of the planner."""
    kernel = string.kernel
    graph = _graph(string, real)
    if graph is None:
        terms = [term.names for term in kernel.subscripts.operands]
        return path_of_terms(terms, kernel.subscripts.output.names, string.extents, inf)
    return path_of([operand.name for operand in kernel.operands], ir.order_graph(graph, own_machine()))


def _explained(string: IndexString, real: str) -> str:
    """The plan as a text; none if there are more indices than a kernel has."""
    graph = _graph(string, real)
    if graph is None:
        return ""
    return f"{_batch_text(string)}\n{level_text(ir.plan_graph(graph, machine=own_machine()).plan)}\n"


def _graph(string: IndexString, real: str) -> ir.Graph | None:
    """The graph of a string; None if it has more indices than a graph."""
    try:
        return graph_of(string.kernel, real)
    except CompileError as error:
        if any(each.code != "E0303" for each in error.diagnostics):
            raise
    return None


def _batch_text(string: IndexString) -> str:
    if string.kernel.has_batch_index:
        return f"a batch of {string.shape[0]}, the first index of the result; costs are those of one of them"
    return "no index is a batch: costs are those of the whole"
