"""The forms that a kernel can take, and which one a function gets on a target.

group    a work-group runs one element; its work-items share every instruction
tiles    a large contraction: every tile of its target has a work-group (see `tiles`)
lanes    a work-item runs W elements, one in each lane of its vectors (see `lanes`)
"""

from dataclasses import dataclass, field, replace
from math import prod

from einsum_front.tl_backend.analysis.contraction import Contraction, find_contraction, size
from einsum_front.tl_backend.analysis.operations import operations
from einsum_front.tl_backend.analysis.products import NoContractionError
from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.passes.make_names_unique import make_names_unique
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.cost import find_cost, planned_cost
from einsum_front.tl_backend.schedules.batch_simd.facts import Facts
from einsum_front.tl_backend.schedules.batch_simd.memory import lane_entries
from einsum_front.tl_backend.schedules.batch_simd.places import UnsuitableError
from einsum_front.tl_backend.schedules.batch_simd.suitable import find_facts
from einsum_front.tl_backend.schedules.known_zeros import find_summands, summands_of
from einsum_front.tl_backend.schedules.packed.sizes import MANY_MULTIPLICATIONS, Sizes, choose_sizes, panel_bytes
from einsum_front.tl_backend.schedules.tuning import Form, RegisterBlock, Tuning
from einsum_front.tl_backend.schedules.work_group.cost import group_cost
from einsum_front.tl_backend.schedules.work_group.depths import Summands

NEAR_ARRAYS = 256 * 1024
"""Bytes that the entries of W elements may take to stay in a cache beside the core: nothing is faster then."""

LARGEST_ARRAYS = 1024 * 1024
"""Bytes that they may take at all, if the function is no large contraction."""

FEWEST_MULTIPLICATIONS = 2**13
"""Fewer for an element, for each pair of lanes of a vector, are not worth the copies: 51 cubed on AVX2 in f64.

Copies cost by the entry, arithmetic by the vector; measured for square matrices.
"""

IN_TILES = 1.05
"""The time of a multiplication in tiles, those in lanes taking 1; measured with PoCL 3.0 on AVX2 for 56 to 160 rows."""

MOST_REGISTERS = 16
"""Entries of an element for which a work-item of a GPU takes no longer than several, side by side with other elements.

On an H200, f64, both take 0.10 ns with 2x2 matrices; with 4x4, an element for each item takes three times as long:
neighbours read memory that is far apart.
"""

MOST_PANELS = 256
"""Panels of depths whose sums a tile adds to its target one after the other: more have partial sums in `group`."""

FEWEST_ROWS = 4
"""Rows and columns of the target that a contraction must have, or else its copies would be used too rarely."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A form and why it was taken, None if the user said so.

    `facts` are what `lanes` knows of the function, `tiling` is what `tiles` takes it for and how it is cut, and
    `summands` are those of products that may differ from zero, where `group` leaves out others.
    """

    form: Form
    reason: str | None
    facts: Facts | None = None
    tiling: tuple[Contraction, Sizes] | None = None
    summands: Summands = field(default_factory=dict)


def choose(function: Function, target: Target, wanted: Tuning | None = None) -> Choice:
    """The form that is wanted, or else the faster one; `group` can run everything, the others cannot."""
    if wanted is not None:
        return _wanted(function, target, wanted)
    if not target.is_cpu:
        return _without_cpu(function, target)
    lanes = _lanes(function)
    best = lanes if lanes.facts is None else _compare(lanes.facts, function, target)
    is_near = best.facts is not None and _bytes(best.facts, target) <= NEAR_ARRAYS
    return best if is_near else _large(best, function, target)


def is_tiled(function: Function, target: Target, wanted: Tuning | None = None) -> bool:
    """Whether the function gets the form `tiles`, whose long sums have parts by themselves."""
    return choose(function, target, wanted).form is Form.TILES


def fits_registers(function: Function) -> bool:
    """Whether a work-item of a GPU can keep all entries of an element, so that it needs no others beside it."""
    return _fits_registers(_lanes(make_names_unique(function)))


def _fits_registers(lanes: Choice) -> bool:
    return lanes.facts is not None and lane_entries(lanes.facts) <= MOST_REGISTERS


def _without_cpu(function: Function, target: Target) -> Choice:
    lanes = _lanes(function)
    if _fits_registers(lanes):
        return replace(lanes, reason="the registers of a work-item hold an element")
    return Choice(Form.GROUP, f"{target.name} is no CPU")


def _wanted(function: Function, target: Target, wanted: Tuning) -> Choice:
    match wanted.form:
        case Form.GROUP:
            return Choice(Form.GROUP, None, summands=find_summands(function) if target.is_cpu else {})
        case Form.LANES:
            return _lanes_in(function, target)
        case Form.TILES:
            return _tiles(function, target, wanted.block)


def _compare(facts: Facts, function: Function, target: Target) -> Choice:
    """Lanes, if the zeros that they leave out make up for transposing elements on the way in and out."""
    summands = summands_of(facts)
    if _bytes(facts, target) > LARGEST_ARRAYS:
        reason = f"the elements in the lanes would need {_bytes(facts, target) // 1024} KiB"
        return Choice(Form.GROUP, reason, summands=summands)
    cost, multiplications = find_cost(function, facts), operations(function) // 2
    in_lanes = f"{cost.multiplications} multiplications and {cost.entries} entries to transpose"
    width, in_groups = _width(facts, target), group_cost(function, summands, target)
    if cost.least.total(width) < in_groups <= cost.total(width):
        cost = planned_cost(cost, function, facts, width, target.has_spreads)
    if cost.total(width) < in_groups:
        return Choice(Form.LANES, f"{in_lanes}, otherwise {multiplications} multiplications", facts)
    return Choice(Form.GROUP, f"{multiplications} multiplications, in lanes {in_lanes}", summands=summands)


def _width(facts: Facts, target: Target) -> int:
    """Elements in the lanes."""
    return target.step_width(REGISTER[facts.element])


def _bytes(facts: Facts, target: Target) -> int:
    """What the entries of the elements in the lanes need."""
    return lane_entries(facts) * (target.step_bytes or target.vector_bytes)


def _lanes(function: Function) -> Choice:
    try:
        return Choice(Form.LANES, None, facts=find_facts(function))
    except UnsuitableError as error:
        return Choice(Form.GROUP, f"lanes cannot be elements: {error}")


def _lanes_in(function: Function, target: Target) -> Choice:
    """Lanes, if a work-item has room for an element where work-items are many."""
    lanes = _lanes(function)
    if lanes.facts is None or target.is_cpu:
        return lanes
    needed = lane_entries(lanes.facts) * size_of(REGISTER[lanes.facts.element])
    if needed <= target.private_memory:
        return lanes
    room = f"an element needs {needed} bytes, a work-item has {target.private_memory}"
    return Choice(Form.GROUP, f"lanes cannot be elements: {room}")


def _large(otherwise: Choice, function: Function, target: Target) -> Choice:
    """Tiles, for contractions that are large enough."""
    tiles = _tiles(function, target)
    if tiles.tiling is None:
        return otherwise
    contraction, _ = tiles.tiling
    if not _is_large(contraction, group_cost(function, {}, target), target):
        return otherwise
    return replace(tiles, reason=f"{contraction.multiplications} multiplications for an element")


def _is_large(contraction: Contraction, in_groups: float, target: Target) -> bool:
    """Whether tiles are faster than vectors along the rows, or have work for more cores."""
    fewest = FEWEST_MULTIPLICATIONS * target.vector_width(REGISTER[contraction.element]) ** 2
    edge = min(size(contraction.rows), size(contraction.columns))
    if contraction.multiplications < fewest or edge < FEWEST_ROWS:
        return False
    return contraction.multiplications > MANY_MULTIPLICATIONS or in_groups > IN_TILES * contraction.multiplications


def _tiles(function: Function, target: Target, block: RegisterBlock | None = None) -> Choice:
    """Tiles, for any contraction whose panels fit."""
    if prod(function.work_items) > 1 or function.subgroup_size is not None:
        return Choice(Form.GROUP, "no tiles: the function asks for work-groups of its own")
    try:
        contraction = find_contraction(function)
    except NoContractionError as error:
        return Choice(Form.GROUP, f"no tiles: {error}")
    sizes = choose_sizes(contraction, target, block)
    if (panels := -(-size(contraction.depths) // sizes.depth)) > MOST_PANELS:
        return Choice(Form.GROUP, f"no tiles: the sums of {panels} panels would be added one after the other")
    if panel_bytes(sizes, contraction) > target.private_memory:
        return Choice(Form.GROUP, "no tiles: the memory of a work-item is too small")
    return Choice(Form.TILES, None, tiling=(contraction, sizes))
