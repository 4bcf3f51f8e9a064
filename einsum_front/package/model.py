"""Model of a package, which its files are printed from: kernels as their callers and the target see them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label
from einsum_front.core.extent import Polynomial, sizes_in
from einsum_front.core.words import quoted
from einsum_front.driver import Stages
from einsum_front.driver.texts import explanation
from einsum_front.package.extents import number_of_bytes, polynomial
from einsum_front.package.names import LONGEST_OF_FORTRAN, Supply
from einsum_front.runtime import (
    ELEMENT_TYPES,
    KernelArgument,
    Kind,
    distance,
    has_run_time_extents,
    kernel_arguments,
    modes_of_element,
    span,
)
from einsum_front.runtime.artifact import (
    COMPLEX,
    Artifact,
    GroupParameter,
    Parameter,
    ScalarParameter,
    SizeLimit,
    TensorParameter,
)

MOST_ARGUMENTS = 8
"""A kernel with more of them takes a struct: nobody counts commas to the twelfth."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of the function that the caller calls.

    `name` is C's. Memory has entries of `type`; a number is one. `parameter` is what the kernel calls it, None for a
    size that has no array of its own.
    """

    name: str
    type: str
    is_memory: bool
    parameter: Parameter | None
    is_read: bool
    is_written: bool


@dataclass(frozen=True, slots=True)
class Setting:
    """An argument of the OpenCL kernel that a call sets.

    `value` is a C expression of the function's arguments; `memory` is the argument that is memory. `span` and
    `distance` are bytes in C: of an element, and from one to the next.
    """

    position: int
    prologue_position: int
    type: str
    value: str
    memory: Argument | None = None
    span: str = "0"
    distance: str = "0"


@dataclass(frozen=True, slots=True)
class Known:
    """A constant that the library has: its positions, and where they are, -1 in what does not take it."""

    parameter: TensorParameter
    position: int
    prologue_position: int


@dataclass(frozen=True, slots=True)
class PackagedKernel:
    """A kernel and everything that its functions, tables and tests are printed from.

    `name` is that of the function, without the name of the package.
    `sizes` are those that only the launch knows, each with the argument that supplies it; `locals` are C names and
    expressions that are computed before the launch, `open_scratch` is one for the bytes of temporaries of a work-group
    whose sizes only the launch knows. `operations` and `bytes` are of one element, as `explain` has them.
    """

    name: str
    stages: Stages
    arguments: tuple[Argument, ...]
    sizes: tuple[tuple[SizeLimit, str], ...]
    locals: tuple[tuple[str, str], ...]
    settings: tuple[Setting, ...]
    known: tuple[Known, ...]
    operations: Mapping[str, int | None]
    bytes: int | None
    open_scratch: str

    @property
    def artifact(self) -> Artifact:
        """The kernel as it runs."""
        return self.stages.artifact

    @property
    def takes_struct(self) -> bool:
        """True if its arguments are members of a struct."""
        return len(self.arguments) > MOST_ARGUMENTS


def packaged(stages: Iterable[Stages], reserved: frozenset[str], words: frozenset[str]) -> tuple[PackagedKernel, ...]:
    """The kernels of a package; `reserved` are the names of its other functions, `words` those that no argument has."""
    names = Supply(reserved, folds_case=True, longest=LONGEST_OF_FORTRAN - len("arguments_of_"))
    return tuple(_packaged(each, names.give(each.name), words) for each in stages)


def _packaged(stages: Stages, name: str, words: frozenset[str]) -> PackagedKernel:
    artifact = stages.artifact
    if artifact.sums:
        raise CompileError([_no_sums(artifact)])
    supply = Supply(words, folds_case=True, longest=LONGEST_OF_FORTRAN)
    arguments: dict[tuple[str, Kind, int | None], Argument] = {}
    for parameter in artifact.arguments:
        for key, argument in _of_parameter(parameter):
            arguments[key] = replace(argument, name=supply.give(argument.name))
    limits = {limit.name: limit for limit in artifact.limits}
    plain = list(sizes_in(_dynamic_extents(artifact)))
    sizes = tuple((limits.get(each, SizeLimit(each, 1, None)), supply.give(each)) for each in plain)
    extents = _Extents(arguments, {limit.name: given for limit, given in sizes}, supply)
    of_prologue = () if artifact.prologue is None else kernel_arguments(artifact.prologue)
    places = {_key(each): position for position, each in enumerate(of_prologue) if each.parameter is not None}
    owned = artifact.owned
    settings, known = [], []
    for position, each in enumerate(kernel_arguments(artifact)):
        if each.parameter is None or each.parameter in owned:
            continue
        there = places.get(_key(each), -1)
        parameter = next(one for one in artifact.parameters if one.name == each.parameter)
        if isinstance(parameter, TensorParameter) and parameter.values is not None:
            known.append(Known(parameter, position, there))
        else:
            settings.append(extents.setting(each, parameter, position, there))
    explained = explanation(stages)
    found = tuple(arguments.values())
    taken = (*found, *extents.unnamed)
    numbers = tuple(Argument(given, "i64", False, None, True, False) for _, given in sizes)
    return PackagedKernel(
        name, stages, (*taken, *numbers), sizes, tuple(extents.locals), tuple(settings), tuple(known),
        explained["operations"], explained["bytes"],  # type: ignore[arg-type] # data for JSON has no narrower type
        _open_scratch(artifact, {limit.name: given for limit, given in sizes}),
    )  # fmt: skip


def _no_sums(artifact: Artifact) -> Diagnostic:
    """A package has nobody who inverts integers."""
    targets = quoted(dict.fromkeys(each.scatter.target for each in artifact.sums))
    message = f"`{artifact.name}` adds to {targets} in the order of the elements, and a package in any order only"
    notes = (
        f"`atomic` after the shape of {targets} allows any order",
        "in an order, a second kernel can gather what elements have written: docs/package.md has one",
    )
    return Diagnostic("E0640", message, tuple(Label(span) for span in artifact.sums[0].scatter.origin[:1]), notes)


def known_scratch(artifact: Artifact) -> int:
    """The bytes of temporaries of a work-group that are known when compiling."""
    return artifact.scratch if isinstance(artifact.scratch, int) else 0


def _open_scratch(artifact: Artifact, names: Mapping[str, str]) -> str:
    return "0" if isinstance(artifact.scratch, int) else number_of_bytes(artifact.scratch, names)


def _key(argument: KernelArgument) -> tuple[str, Kind, int | None]:
    return argument.parameter or "", argument.kind, argument.mode


def _of_parameter(parameter: Parameter) -> Iterator[tuple[tuple[str, Kind, int | None], Argument]]:
    """Arguments of the caller for a parameter: one, and for a group whose members differ, more."""
    name = parameter.name
    match parameter:
        case ScalarParameter():
            for part in parameter.parts() if parameter.is_complex else (parameter,):
                yield (part.name, Kind.SCALAR, None), Argument(part.name, part.type, False, part, True, False)
        case TensorParameter() if parameter.values is None:
            yield (
                (name, Kind.MEMORY, None),
                Argument(name, parameter.type, True, parameter, parameter.is_read, parameter.is_written),
            )
        case GroupParameter():
            yield (name, Kind.ADDRESSES, None), Argument(name, "u64", True, parameter, True, False)
            for kind, word, extents in (
                (Kind.SIZES, "sizes", parameter.shape),
                (Kind.STRIDES, "strides", parameter.strides),
            ):
                for mode, extent in enumerate(extents):
                    if extent is None:
                        given = Argument(f"{name}_{word}{mode}", "i64", True, parameter, True, False)
                        yield (name, kind, mode), given
            if parameter.offset is None:
                yield (name, Kind.OFFSET, None), Argument(f"{name}_offset", "i64", False, parameter, True, False)
        case TensorParameter():
            pass


def _dynamic_extents(artifact: Artifact) -> Iterator[Polynomial]:
    """The polynomials that sizes are."""
    for parameter in artifact.arguments:
        if isinstance(parameter, TensorParameter) and parameter.values is None:
            yield from (extent for extent in parameter.sizes if extent is not None)


class _Extents:
    """Sizes and strides of arguments as C expressions; those of the launch become local variables of the function."""

    def __init__(
        self, arguments: Mapping[tuple[str, Kind, int | None], Argument], sizes: Mapping[str, str], supply: Supply
    ) -> None:
        self.locals: list[tuple[str, str]] = []
        self.unnamed: list[Argument] = []
        self._arguments = arguments
        self._sizes = sizes
        self._supply = supply
        self._found: dict[str, tuple[list[str], list[str]]] = {}

    def setting(self, each: KernelArgument, parameter: Parameter, position: int, there: int) -> Setting:
        """How a call sets one argument of the kernel."""
        argument = self._arguments.get(_key(each))
        match each.kind:
            case Kind.SIZE | Kind.STRIDE if isinstance(parameter, TensorParameter):
                sizes, strides = self._extents(parameter)
                value = (sizes if each.kind is Kind.SIZE else strides)[each.mode or 0]
                if each.kind is Kind.STRIDE and parameter.type in COMPLEX:
                    value = f"@name@_times(2, {value})"  # strides of kernels count the parts
                return Setting(position, there, "i64", value)
            case Kind.MEMORY if argument is not None and isinstance(parameter, TensorParameter):
                return Setting(position, there, each.type, argument.name, argument, *self._bytes(parameter))
            case Kind.ADDRESSES | Kind.SIZES | Kind.STRIDES if argument is not None:
                return Setting(position, there, each.type, argument.name, argument, "8", "8")
            case Kind.SCALAR | Kind.OFFSET if argument is not None:
                return Setting(position, there, argument.type, argument.name)
            case _:
                raise CompilerBug(f"nothing supplies argument {position} of a kernel, {each}")

    def _bytes(self, parameter: TensorParameter) -> tuple[str, str]:
        """The span and the distance of elements."""
        size = ELEMENT_TYPES[parameter.type].itemsize
        if not has_run_time_extents(parameter):
            return str(span(parameter) * size), str(distance(parameter) * size if parameter.batched else 0)
        sizes, strides = self._extents(parameter)
        total = "1"
        for mode in modes_of_element(parameter):
            total = f"@name@_plus({total}, @name@_times({sizes[mode]} - 1, {strides[mode]}))"
        apart = f"@name@_times({strides[parameter.batch_mode]}, {size})" if parameter.batch_mode is not None else "0"
        return f"@name@_times({total}, {size})", apart

    def _extents(self, parameter: TensorParameter) -> tuple[list[str], list[str]]:
        if parameter.name not in self._found:
            self._found[parameter.name] = self._computed(parameter)
        return self._found[parameter.name]

    def _computed(self, parameter: TensorParameter) -> tuple[list[str], list[str]]:
        sizes, strides = [], []
        least = "1"
        for mode, (size, stride) in enumerate(zip(parameter.shape, parameter.strides, strict=True)):
            sizes.append(str(size) if size is not None else self._size(parameter, mode))
            strides.append(str(stride) if stride is not None else self._local(f"{parameter.name}_stride{mode}", least))
            least = f"@name@_times({sizes[-1]}, {strides[-1]})"
        return sizes, strides

    def _size(self, parameter: TensorParameter, mode: int) -> str:
        """The batch, a size by its name, or one that has none: then the caller gives it."""
        if mode == parameter.batch_mode:
            return "batch"
        extent = parameter.extent_of(mode)
        if extent is None:
            given = self._supply.give(f"{parameter.name}_size{mode}")
            self.unnamed.append(Argument(given, "i64", False, None, True, False))
            return given
        if extent.size is not None:
            return self._sizes[extent.size.name]
        return self._local(f"{parameter.name}_size{mode}", polynomial(extent, self._sizes))

    def _local(self, name: str, value: str) -> str:
        given = self._supply.give(name)
        self.locals.append((given, value))
        return given
