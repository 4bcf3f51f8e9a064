"""A compiled kernel as pure data: what the launch needs to know, and nothing that needs a device.

The OpenCL arguments follow from the parameters, left to right: a scalar is one argument (`index` is a `long`); a
memref is its pointer, then one `long` for every dynamic mode size, then for every dynamic stride; a group is an array
of pointers, then one array of `long` for every dynamic size and stride, then the offset if that is dynamic.
"""

from collections.abc import Mapping
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent as NamedExtent
from einsum_front.core.extent import Polynomial, bytes_at
from einsum_front.core.names import parts_of_scalar
from einsum_front.core.scattered import Scatter

BUILD_OPTIONS = "-cl-std=CL1.2"
"""What the compiler of the device is told."""

ROUNDED_OPTION = "-cl-fp32-correctly-rounded-divide-sqrt"
"""What it is told besides where the device can do that: quotients of f32 as in NumPy and in the languages.

OpenCL lets them be wrong by 2.5 units of the last place, and NVIDIA's compiler makes use of that for three of ten
quotients.
"""

C_FLAGS = ("-O3", "-ffp-contract=fast", "-fno-strict-aliasing")
"""What compilers of C are told. ISO modes of GCC compute products and sums one by one, which takes twice as long."""

COMPLEX = {"c32": "f32", "c64": "f64"}
"""The types of complex numbers in the tensor language, and the type of their parts."""

WHOLES = {part: whole for whole, part in COMPLEX.items()}
"""The same the other way round."""

Extent = int | None
"""A size or stride in elements; None where the launch supplies it."""


@dataclass(frozen=True, slots=True)
class ScalarParameter:
    """A number; `type` is its spelling in the tensor language: f32, f64, i32, index, …

    The real and the imaginary part of a complex argument are two, one behind the other: they are `part_of` it.
    """

    name: str
    type: str
    part_of: str = ""

    @property
    def is_complex(self) -> bool:
        """True for an argument of the caller that is a complex number."""
        return self.type in COMPLEX

    def whole(self) -> "ScalarParameter":
        """The argument of the caller that this is, or is a part of."""
        if not self.part_of:
            return self
        return ScalarParameter(self.part_of, WHOLES[self.type])

    def parts(self) -> "tuple[ScalarParameter, ScalarParameter]":
        """The parameters of a kernel that a complex argument becomes."""
        real, imaginary = (ScalarParameter(name, COMPLEX[self.type], self.name) for name in parts_of_scalar(self.name))
        return real, imaginary


@dataclass(frozen=True, slots=True)
class TensorParameter:
    """One tensor for the whole launch or, if there is a `batch_mode`, one per group, at a fixed distance.

    `shape` and `strides` are those of the memref, first mode fastest, in entries of `type`: where these are complex
    (`c32`, `c64`), the memref of the kernel has one mode more, the fastest, for their parts.
    Its mode `batch_mode` counts the groups. Mode i of the others is mode `modes[i]` of the caller's array, whose first
    axis counts the groups.
    `nonzeros` are half-open runs of packed column-major positions in one element that may differ from zero; None: all
    may. The others have to be zero in memory if the kernel `reads_zeros`; otherwise it neither reads nor writes them.
    `sizes` has the extent of every mode (batch mode aside) that is dynamic, a polynomial of sizes, None for the
    others: modes of one extent, in any parameter, must have one size, because the kernel does not check it. () stands
    for no extents. `values` are all entries in packed column-major order, both parts of complex ones, where they
    are known when compiling; the caller need not pass these.
    `fused` has pairs (k, j) of modes of the memref that the kernel walks as one, though some of these numbers are
    known only at the launch: stride k times size k must be stride j.
    `indices` are numbers that all entries have to be below, because the kernel takes them for places without a look:
    None is the number of elements. Negative entries are fine.
    """

    name: str
    type: str
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]
    modes: tuple[int, ...]
    batch_mode: int | None
    is_read: bool
    is_written: bool
    nonzeros: tuple[tuple[int, int], ...] | None = None
    sizes: tuple[Polynomial | None, ...] = ()
    values: tuple[float, ...] | None = None
    fused: tuple[tuple[int, int], ...] = ()
    reads_zeros: bool = True
    indices: tuple[NamedExtent | None, ...] = ()

    @property
    def batched(self) -> bool:
        """True if each group has one of its own."""
        return self.batch_mode is not None

    @property
    def batch_size(self) -> int | None:
        """How many groups there are, where that is known when compiling."""
        return None if self.batch_mode is None else self.shape[self.batch_mode]

    def extent_of(self, mode: int) -> Polynomial | None:
        """The extent of a mode of the memref, where it is dynamic and has one."""
        if not self.sizes or mode == self.batch_mode:
            return None
        return self.sizes[mode - (self.batch_mode is not None and mode > self.batch_mode)]


@dataclass(frozen=True, slots=True)
class GroupParameter:
    """One tensor per group, each behind its own pointer; fields as in `TensorParameter`, for one element."""

    name: str
    type: str
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]
    modes: tuple[int, ...]
    offset: Extent
    is_read: bool
    is_written: bool
    nonzeros: tuple[tuple[int, int], ...] | None = None
    sizes: tuple[Polynomial | None, ...] = ()
    fused: tuple[tuple[int, int], ...] = ()
    reads_zeros: bool = True
    indices: tuple[NamedExtent | None, ...] = ()


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """The size `name` is from `least` to `most`, both included (None: without a bound); `hint` is an estimate."""

    name: str
    least: int
    most: int | None
    hint: int | None = None


ArrayParameter = TensorParameter | GroupParameter
Parameter = ScalarParameter | ArrayParameter


def needs_zeros(parameter: ArrayParameter) -> bool:
    """True if declared zeros have to be zero in memory: an array that may hold anything there is copied."""
    return parameter.nonzeros is not None and parameter.reads_zeros


@dataclass(frozen=True, slots=True)
class Sums:
    """What is added after a kernel where integers say: a launch of its own, which has the same bits in every run.

    `scatter` is of the axes of the caller's arrays, without those that count elements. `width` entries of the source
    and of the target are neighbours in memory, those that its last `walked` indices walk, and are added together.
    `artifact` is the kernel: for each of `rows`, an entry of the target's memory, it adds the entries of `parts` that
    `at` says from `first` of this row to that of the next one, in this order. Its work-groups take `rows_together`.
    """

    scatter: Scatter
    width: int
    walked: int
    rows_together: int
    artifact: "Artifact"


@dataclass(frozen=True, slots=True)
class Artifact:
    """An OpenCL C kernel and its launch geometry: one work-group of `work_group_size` work-items per group.

    `entry` is the OpenCL function, `name` what the program calls the kernel, for messages: they differ where OpenCL C
    has the name already (`step`, `dot`). Without a name it is the entry.

    A kernel whose work-groups run more than one of the language's groups each, `elements_per_group`, has one argument
    more after all others: how many groups of the language there are, a `long`. One whose work-groups are tiles of a
    large result has `groups_per_element` of them for each of the language's groups. One that needs `scratch` bytes of
    global memory for each work-group, a number or the value of a polynomial of sizes, rounded up, has two arguments
    more after all others: how many groups of the language there are, and that memory; its work-groups share the groups
    of the language among them, however many there are, as long as each has one. One that runs in stages has
    more functions in its source, `later`: with the same arguments and the same geometry they are launched behind the
    entry, in their order, each for the whole batch. `limits` are those of sizes. `machine` is the processor whose costs
    decided how the kernel runs. If it `checks_indices`, a launch looks at all integers that the kernel
    takes for places.

    A `prologue` is another kernel, in the same source, that runs before each launch: for one group, whatever the batch.
    What it writes is memory of the launch, filled with zeros beforehand, and goes to the parameters of the same names;
    what it reads are arguments of this kernel. `sums` come after the launch: their sources belong to it as well.
    """

    entry: str
    source: str
    parameters: tuple[Parameter, ...]
    work_group_size: tuple[int, int]
    local_memory: int
    needs_fp64: bool
    elements_per_group: int = 1
    groups_per_element: int = 1
    scratch: NamedExtent = 0
    later: tuple[str, ...] = ()
    limits: tuple[SizeLimit, ...] = ()
    prologue: "Artifact | None" = None
    name: str = ""
    machine: str = ""
    checks_indices: bool = True
    sums: tuple[Sums, ...] = ()

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.entry)

    def scratch_of(self, sizes: Mapping[str, int]) -> int:
        """The bytes of global memory for each work-group, for these values of sizes; 0 where no element shows them."""
        return bytes_at(self.scratch, sizes)

    @property
    def entries(self) -> tuple[str, ...]:
        """The functions of a launch, in their order."""
        return self.entry, *self.later

    @property
    def owned(self) -> dict[str, TensorParameter]:
        """The tensors that the prologue writes, by name: they belong to a launch."""
        parameters = () if self.prologue is None else self.prologue.parameters
        return {each.name: each for each in parameters if isinstance(each, TensorParameter) and each.is_written}

    @property
    def arguments(self) -> tuple[Parameter, ...]:
        """The parameters that the caller has arguments for: all but those that belong to a launch."""
        owned = {*self.owned, *(each.scatter.source for each in self.sums)}
        own = (self._with_sums(each) for each in self.parameters if each.name not in owned)
        arguments = (each.whole() if isinstance(each, ScalarParameter) else each for each in own)
        return tuple(dict.fromkeys(arguments))

    def _with_sums(self, parameter: Parameter) -> Parameter:
        """The parameter with what its sums do to it."""
        scatters = [each.scatter for each in self.sums if parameter.name in each.scatter.tensors]
        if isinstance(parameter, ScalarParameter) or not scatters:
            return parameter
        is_target = any(each.target == parameter.name for each in scatters)
        return replace(parameter, is_read=True, is_written=parameter.is_written or is_target)

    @property
    def is_batched(self) -> bool:
        """True if there is an argument with one tensor for each element: without one, a call gives their number."""
        return any(
            isinstance(each, GroupParameter) or (isinstance(each, TensorParameter) and each.batched)
            for each in self.arguments
        )
