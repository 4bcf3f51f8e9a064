"""What `ef.einsum_path` says besides the path: a text, with the figures of opt_einsum under opt_einsum's names."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from math import prod

from einsum_front.index_string.numpy_sums import Term
from einsum_front.index_string.order import products
from einsum_front.index_string.steps import Positions
from einsum_front.index_string.subscripts import ELLIPSIS, Subscripts, letters

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
