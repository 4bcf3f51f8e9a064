"""A processor as cost models see it: one value, with the unit of each number, what was measured, and where.

The planner and the schedules read a machine from their target. `python -m benchmarks.weights` measures one.

Times of schedules are multiples of that of one multiplication of an element in its SIMD lane. *Cycles* are those of a
core that multiplies two vectors in each. Bounds on compile time, memory and generated code stand where they are used.
"""

from typing import NamedTuple

from einsum_front.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache of units of `unit` bytes: so many `sets` with `ways` of them each. A TLB is a cache of pages."""

    unit: int
    sets: int
    ways: int

    @property
    def bytes(self) -> int:
        """What it holds."""
        return self.unit * self.sets * self.ways


@dataclass(frozen=True, slots=True)
class Memory:
    """What is near a core, as Linux says it in `/sys/devices/system/cpu/cpu0/cache`; TLBs from the data sheet.

    pages       the first TLB for data; the model has one set, whatever it has
    lines       the first cache for data
    second      bytes of the cache beside a core, `last` of the one that cores share
    """

    pages: Cache
    lines: Cache
    second: int
    last: int = 32 * 1024 * 1024


class GemmWork(NamedTuple):
    """What a product does in loops over matrix products, or the cycles that each of these things takes.

    vectors     multiplications of vectors, whose rows are neighbours in the result
    entries     multiplications of single entries, where they are none
    calls       matrix products, whose loops start
    blocks      blocks of the result in registers, which are cleared, stored and maybe added to what is there
    transposed  entries of copies of rows where depths are neighbours: they are transposed in registers
    gathered    entries of copies of rows where neither are
    pages       pages that are not near when they are needed
    lines       lines of the first cache that are not near when they are needed
    """

    vectors: float = 0.0
    entries: float = 0.0
    calls: float = 0.0
    blocks: float = 0.0
    transposed: float = 0.0
    gathered: float = 0.0
    pages: float = 0.0
    lines: float = 0.0


@dataclass(frozen=True, slots=True)
class GemmModel:
    """Loops over matrix products, by which the planner chooses layouts. `python -m benchmarks.weights` fits the cycles.

    cycles          of each thing that products do
    vector_bytes    of the vectors that they were fitted with
    block_columns   columns of a block of the result in registers, for one, two, … vectors of its rows
    deepest_copy    depths of a block of rows of which a copy stays in the caches beside the core
    vector_moved    cycles of a vector that a step without a reduction computes, copies or clears
    entry_moved     the same for an entry, where rows are no neighbours in one of its tensors
    """

    cycles: GemmWork
    vector_bytes: int
    block_columns: tuple[int, ...]
    deepest_copy: int
    vector_moved: float
    entry_moved: float


@dataclass(frozen=True, slots=True)
class LaunchCosts:
    """What is paid once for a launch or a work-group, in operations: a multiply-add of an entry is two.

    A launch is taken for one of `elements`: each of them bears that part of what is done once. With fewer a prologue
    may cost more than it saves, with more it costs less than we say.

    kernel      as long as starting a kernel takes; 5 microseconds of two cores
    constant    as long as reading an entry of a constant takes: a core loads as many as it multiplies and adds
    group       beside so many the start of a work-group does not matter: 6 to 20 ns with PoCL
    element     multiplications of an element from which on it is worth a work-group for each compute unit
    elements    elements of a launch
    """

    kernel: float
    constant: float
    group: int
    element: int
    elements: int

    def share(self, operations: float) -> float:
        """What operations that are done once cost each element, in operations."""
        return operations / self.elements


@dataclass(frozen=True, slots=True)
class RegisterBlocks:
    """Blocks of a matrix product in registers; `tests` of all blocks for squares of 2 to 128 rows, on AVX2.

    registers   vectors for a block of several columns, also where the target has more: on Zen 4, blocks for 32 take
                up to 1.08 of the time with PoCL 3.1 and 1.06 with Intel's runtime, although they load less
    narrow      columns up to which a result has all registers of the target: then all of them are in one block
    latency     cycles from one addition to a sum to the next
    a_cycle     multiply-adds of vectors, and loads, that start in a cycle
    load        cycles by which a load delays what does not wait for it
    start       cycles to clear the sums of a block, to store them, and to get the loop going
    loop        cycles for the start and the end of one loop more, which leaves out zeros
    left        the share of vectors and depths that may be left at most: leaving out takes more loops
    panel       bytes of a copy of the rows of a block that stays in the caches beside the core
    unrolled    depths of a product that is unrolled: with PoCL 3.0 on AVX2 more gain nothing, and 8 lose 10%
    sharing     columns that share a vector for the last rows at most; putting their numbers together has a cost
    short       whether the last vector has only the rows that are left, where columns do not share it
    sparse      multiply-adds of vectors in a product with a sparse right factor that is unrolled, to leave out zeros
    """

    registers: int
    latency: float
    a_cycle: float
    load: float
    start: float
    loop: float
    left: float
    panel: int
    unrolled: int
    sharing: int = 2
    short: bool = False
    sparse: int = 0
    narrow: int = 1

    @property
    def most_rows(self) -> int:
        """Vectors of rows in a block of few columns: each needs a register beside that of its sum."""
        return (self.registers - 1) // 2


@dataclass(frozen=True, slots=True)
class GroupPrefetch:
    """The matrices of the next element are asked for while a product runs; see `work_group.ahead`.

    smallest    bytes of a matrix from which on it is asked for
    large       the same at any rate
    burst       lines that may be asked for in a block for the sake of smaller ones: more fill the queue of misses; 18
                in each block made squares of 20 rows 16% slower from memory
    at_depth    lines that may be asked for at each depth, where a block would have more than a burst
    shallow     depths of a product up to which they are; with more it lasts as long as the core itself needs to ask
    """

    smallest: int
    large: int
    burst: int
    at_depth: int = 6
    shallow: int = 0


@dataclass(frozen=True, slots=True)
class WorkGroupTimes:
    """The schedule `work_group`, where a work-item is alone.

    Measure again: `python -m benchmarks --schedule work_group`.

    in_vectors      of a multiplication in vectors along the rows, lanes that belong to no row counted; PoCL 3.0 on
                    AVX2, dense products of 2 to 24 rows; columns that share a vector save 2 to 5% where there are nine
    two_steps       of vectors that take two steps each over that of their steps, with at most `few_columns`; Intel's
                    runtime: fluxes of ADER-DG 1.25 to 1.3, squares of up to 14 rows 1.2 to 1.3, from 17 on 1
    cycle           of a cycle, for each lane; `localFlux`, whose products that leave out vectors take as long as their
                    cycles say, within a tenth
    waiting         of a product in vectors besides: it waits for the results of the one before; friction kernels of
                    ADER-DG, which have five small products one after the other
    in_loops        of a multiplication where the compiler has to find the vectors
    starting        of the start of such an instruction
    """

    in_vectors: float
    two_steps: float
    few_columns: int
    cycle: float
    waiting: float
    in_loops: float
    starting: float
    blocks: RegisterBlocks
    prefetch: GroupPrefetch


@dataclass(frozen=True, slots=True)
class Unrolling:
    """Which products of batch vectorization are unrolled, and which become tables of rows; see `collective`.

    always          nonzero terms that are always unrolled
    most            nonzero terms that are unrolled at most
    body            nonzero terms in one loop; with more, the target is computed in several loops
    held            entries that are kept in registers while the body of an unrolled loop runs
    cycles          of a number that is loaded, with its multiplication and addition
    spread          numbers that the compiler may spread over vectors before a loop: vectors of 20 to 50 cost less than
                    a load in each multiplication (AVX-512VL)
    spread_lines    cache lines with all of these: from more, it needs longer, be they few or many
    transfers       vectors that the iterations may load or store over those of all entries at once
    """

    always: int
    most: int
    body: int
    held: int
    cycles: float
    spread: int
    spread_lines: int
    transfers: float


@dataclass(frozen=True, slots=True)
class RowTables:
    """Products of batch vectorization as tables of rows; see `table` and `tabulate`.

    registers       vectors that the innermost loops keep in registers, where the compiler takes what it likes; with
                    blocks for 32, Intel's runtime needs 0.92 of the time for `volume` of ADER-DG and 1.07 for fluxes
    outlined        the same in an outlined function, which has the 32 of AVX-512VL
    wide            the same with vectors of 64 bytes that take one step, which are those of AVX-512
    columns         sums of a row, also where more registers are free: loops over more columns took no less time
    rows            rows of a group: three columns of four fill 16 registers, and load half as often as they multiply
    loop            cycles for the start and the end of a loop over nonzero terms; twice that if the end is not foreseen
    waste           multiplications in a group, those by zeros included, over those that its rows need: one takes 0.5
                    cycles in a group and 0.6 in a row that is alone
    worthwhile      the share of the time that groups may take at most: they need more code, for rows alone as well
    worthwhile_wide the same from 32 registers on, where usual pairs have all columns in one loop: half as much code
    similar         the time with every row alone over the shortest: more cannot be made up for by groups
    most            tables of a product, each with loops of its own: more are slower than its terms one after the other
    """

    registers: int
    outlined: int
    columns: int
    rows: int
    loop: float
    waste: float
    worthwhile: float
    worthwhile_wide: float
    similar: float
    most: int
    wide: int = 16


@dataclass(frozen=True, slots=True)
class BatchPrefetch:
    """The memory of the next elements is asked for while these are computed; see `batch_simd.prefetch`.

    blocks          blocks of elements from these to the ones that are asked for: memory answers later than the next
                    block begins
    all_lines       if more than this share of the lines is used, all are asked for, since that needs no table
    least           loops that do less than this share of the work of the longest are left alone
    """

    blocks: int
    all_lines: float
    least: float


@dataclass(frozen=True, slots=True)
class BatchSimdTimes:
    """The schedule `batch_simd`. Measure again: `python -m benchmarks --schedule batch_simd`.

    transposed      of an entry that is transposed, for each doubling of the lanes: a square of entries takes as many
                    steps as its edge can be halved; PoCL 3.0 on AVX2
    fused           of an entry that goes from memory to registers without an array in between, or the other way
    broadcast       of a multiplication by a constant that is spread over the lanes on the way from memory (AVX-512VL);
                    `localFlux` at orders 3 and 4, of which unrolled loops do three quarters
    blocks          blocks of elements that a work-item runs, for elements of fewer multiplications: what is hoisted is
                    computed once for them, but the cores should end at the same time
    fewest_blocks   the same for more multiplications
    fewest_wide     multiplications for each transposed entry from which on vectors of 64 bytes pay where they take one
                    step: elements need twice the first cache with them, and entries as many shuffles; ADER-DG, orders
                    3 to 6, on Sapphire Rapids; 0 is where that was not measured
    least_wide      multiplications of an element, for each byte of a number, from which on they pay: those of f32 have
                    half the bytes to transpose
    narrow          of a multiplication with vectors of 32 bytes, where those of 64 take one step
    """

    transposed: float
    fused: float
    broadcast: float
    blocks: tuple[tuple[int, int], ...]
    fewest_blocks: int
    unrolling: Unrolling
    tables: RowTables
    prefetch: BatchPrefetch
    fewest_wide: float = 0.0
    least_wide: int = 0
    narrow: float = 1.0


@dataclass(frozen=True, slots=True)
class PackedTimes:
    """The schedule `packed`. Measure again: `python -m benchmarks --set large`.

    in_panels       of a multiplication of packed panels; PoCL 3.0 on AVX2, squares of 56 to 160 rows
    fewest          multiplications of an element, for each pair of lanes of a vector, from which on packing pays:
                    copies cost by the entry, arithmetic by the vector; squares, 51 rows on AVX2 in f64
    copied          of an entry that is copied to a panel
    stored_alone    of the entries of a vector that are stored one by one, over a multiplication of the vector
    depth           most depths in a panel: a block of its rows and one of its columns stay in the first cache
    rows            most rows in a tile of `depth` depths, and more with fewer: their panel stays in the second cache
    columns         most columns in a panel: it stays in the second cache beside the rows, and is soon replaced
    panels          most panels of columns in a tile: the rows are copied once for all of them
    line            vectors of a line of memory that are taken at a time: caches fetch about as many
    short_run       bytes of neighbouring rows of the target below which its lines had better be filled at once
    long_run        bytes of a column from which on it may be stored long before its neighbours in memory
    rows_to_depths  times as many rows as depths up to which columns had better be near in the factor
    fewer_tiles     one tile for a compute unit must take so many times as long as two of them
    """

    in_panels: float
    fewest: int
    copied: int
    stored_alone: int
    depth: int
    rows: int
    columns: int
    panels: int
    line: int
    short_run: int
    long_run: int
    rows_to_depths: int
    fewer_tiles: float


@dataclass(frozen=True, slots=True)
class SharedWork:
    """Where work-items share the work of an element: GPUs. Measured on an NVIDIA H200 if nothing else is said.

    subgroup        work-items that run in step, where the device does not say: right for the GPUs of two makers
    items           work-items of a group at most: more would leave too few registers for each
    side            rows, and columns, of a block of a work-item: each entry of a factor is used so many times at most
    smallest        entries of a block: half as many as a square result has rows, so that few rows still have enough
                    work-items
    block           entries whose sums a work-item keeps in registers beside what is read
    deviation       what a block of twice or half as many entries costs, over the time of the product
    narrow          the same for half as many rows of work-items as `rows`; both fitted to all work-groups for squares
                    of 8 to 128 rows in f32 and f64: what is chosen takes 4% longer than the best, 24% at most
    rows            work-items beside each other that read entries beside each other
    columns_each    columns of a block of a work-item that computes several blocks: it uses an entry again
    rows_each       rows of such a block, if all work-items then have the same work
    alone           work-items of an element up to which it has others beside it: half of what runs in step; at order 4,
                    the volume kernel of 30 work-items takes 5.6 ns from memory with four elements and 2.5 alone
    together        work-items of a group with several elements; 4 to 24 rows
    slices          the least and the most depths of a slice of factors in local memory; 56 to 128 rows, where they
                    differ by a few per cent
    readers         work-items that must read an entry for a copy in local memory to be worth while; 16 to 64 rows
    private         entries of an element for which a work-item that runs it alone takes no longer than several: in f64
                    both take 0.10 ns with 2x2 matrices, and it three times as long with 4x4
    constants       bytes that known values may take as tables: NVIDIA's have 64 KiB for all tables of a program
    """

    subgroup: int
    items: int
    side: int
    smallest: int
    block: int
    deviation: float
    narrow: float
    rows: int
    columns_each: int
    rows_each: tuple[int, ...]
    alone: int
    together: int
    slices: tuple[int, int]
    readers: int
    private: int
    constants: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor; how wide its vectors are and how many registers and cores there are, its driver decides as well.

    These are facts of the target. The cycles of `gemm` belong to the vectors that it names. With `splits_matrices`, a
    known matrix is worth two sparser ones.
    """

    name: str
    memory: Memory
    gemm: GemmModel
    launch: LaunchCosts
    work_group: WorkGroupTimes
    batch_simd: BatchSimdTimes
    packed: PackedTimes
    shared: SharedWork
    splits_matrices: bool = True
