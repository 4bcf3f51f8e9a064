"""Random valid programs in the notation, as text: what every level is compared with NumPy on.

Up to five statements; products of up to five factors of up to four modes; sums, nested sums, scalars, slices, fixed
positions, repeated indices, broadcasts, ones, families, self assignment, all storages, layouts, zero patterns and known
values. Extents are 1 to 4. A product has at most one factor that the kernel writes, so that results stay of moderate
size.
"""

from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from einsum_front.core.extent import static_shape
from einsum_front.core.numbers import bf16, bounds
from einsum_front.core.numbers import dtype_of as numpy_type
from einsum_front.core.storage import ElementType, Storage
from einsum_front.notation.check.gathers import gathers_in
from einsum_front.notation.checked import CheckedProgram, EntryPosition, Tensor

LARGEST_EXTENT = 4
LARGEST_ORDER = 4
SCALARS = ("s", "dt")
COMPLEX = ("c64", "c128", "complex")
"""Types that make programs of mixed real and complex numbers."""

Arguments = dict[str, NDArray[Any] | complex]


@st.composite
def programs(
    draw: st.DrawFn,
    storages: tuple[str, ...] = ("batched", "constant", "grouped"),
    with_zeros: bool = True,
    types: tuple[str, ...] = (),
    computed: tuple[str, ...] = ("f32", "f64"),
    gathers: int = 0,
    scatters: int = 0,
) -> str:
    """The text of a valid program with one kernel `f`, which writes at least one argument.

    `storages` are those of arguments; the first must not be `constant`. Half of the arguments are of one of the `types`
    where there are any. The program computes with one of the types `computed`. So many of ten factors are read
    where integers say, if they may be, and of ten statements so many add where integers say.
    """
    element = ElementType(draw(st.sampled_from(computed)))
    return _Text(draw, storages, with_zeros, types, element, (gathers, scatters)).program()


def dtype_of(tensor: Tensor) -> np.dtype[Any]:
    """The type of an argument's array."""
    stored = tensor.memory or tensor.element_type
    if tensor.is_complex:
        return np.dtype(np.complex64 if stored is ElementType.F32 else np.complex128)
    return bf16() if stored is ElementType.BF16 else numpy_type(stored)


def bounds_of(program: CheckedProgram, batch: int) -> dict[str, int]:
    """The number that all integers of a tensor are below, where a kernel takes them for places."""
    shapes = {tensor.name: static_shape(tensor.shape) for tensor in program.tensors}
    below: dict[str, int] = {}
    for statement in program.kernels[0].statements:
        for gather in (*gathers_in(statement.target), *gathers_in(statement.value)):
            places = zip(gather.positions, shapes[gather.tensors[0]], strict=True)
            said = [(place.entry.tensor, size) for place, size in places if isinstance(place, EntryPosition)]
            said += [] if gather.element is None else [(gather.element.tensor, batch)]
            said += [] if gather.member is None else [(gather.member.tensor, len(gather.tensors))]
            for name, bound in said:
                below[name] = min(bound, below.get(name, bound))
    return below


def arguments_for(program: CheckedProgram, batch: int, seed: int) -> Arguments:
    """Random arrays of shape (batch, *shape), or (*shape) for constants, and scalars that are not near 0.

    Entries that are declared to be zero hold NaN: nothing may read them. Known values are what they are. Integers are
    of all of the range of their type.
    """
    random = np.random.default_rng(seed)
    below = bounds_of(program, batch)
    arguments: Arguments = {}
    for scalar in program.scalars:
        is_integer = scalar.element_type.is_integer
        arguments[scalar.name] = (
            _integers(random, scalar.element_type, ()).item() if is_integer else float(random.uniform(0.5, 1.5))
        )
        if scalar.is_complex:
            arguments[scalar.name] = complex(*random.uniform(0.5, 1.5, 2))
    for tensor in program.tensors:
        if tensor.storage is Storage.TEMPORARY:
            continue
        element = static_shape(tensor.shape)
        shape = element if tensor.storage is Storage.CONSTANT else (batch, *element)
        stored = tensor.memory or tensor.element_type
        array = _integers(random, stored, shape) if stored.is_integer else random.uniform(-1, 1, shape)
        if tensor.is_complex:
            array = np.asarray(array + 1j * random.uniform(-1, 1, shape))
        if tensor.name in below:
            array = random.integers(-1, below[tensor.name], shape)
        if tensor.values is not None:
            array = np.reshape(np.array(tensor.values, dtype_of(tensor)), shape, order="F")
        elif tensor.nonzeros is not None:
            array = np.where(tensor.nonzeros.array(), array, 0 if stored.is_integer else np.nan)
        arguments[tensor.name] = array.astype(dtype_of(tensor))
    return arguments


def _integers(random: np.random.Generator, element: ElementType, shape: tuple[int, ...]) -> NDArray[Any]:
    """Numbers from all of the range of a type, and often its ends."""
    low, high = bounds(element)
    numbers = random.integers(low, high, shape, np.bool_ if element is ElementType.BOOL else numpy_type(element), True)
    ends = np.array([low, high], numbers.dtype)[random.integers(0, 2, shape)]
    return np.asarray(np.where(random.random(shape) < 0.2, ends, numbers))


@dataclass(slots=True)
class _Tensor:
    """A tensor that the text declares: `members` is the size of its family, 0 if it is none."""

    name: str
    shape: tuple[int, ...]
    storage: str
    attributes: str = ""
    members: int = 0
    is_gathered: bool = False
    is_complex: bool = False

    @property
    def has_zeros(self) -> bool:
        return "nonzeros" in self.attributes

    @property
    def has_integers(self) -> bool:
        return self.attributes.endswith(("i32", "i64"))

    @property
    def is_writable(self) -> bool:
        return self.storage != "constant" and not self.has_zeros and not self.is_gathered

    def declaration(self) -> str:
        word = "temp" if self.storage == "temp" else "tensor"
        members = f"{{{self.members}}}" if self.members else ""
        storage = "" if self.storage in {"temp", "batched"} else self.storage
        shape = ", ".join(map(str, self.shape))
        return f"{word} {self.name}{members}[{shape}] {storage} {self.attributes}".rstrip()


@dataclass(frozen=True, slots=True)
class _Scope:
    """The letters of one term with their extents, shared by everything inside the term.

    `may_read_written`: whether a factor may be a tensor that the kernel writes. `variables` are the names of enclosing
    ranges with their ends.
    """

    extents: dict[str, int]
    may_read_written: bool = True
    depth: int = 0
    variables: tuple[tuple[str, int], ...] = ()


class _Text:
    """A program that grows statement by statement; tensors are declared when a statement asks for them."""

    def __init__(
        self,
        draw: st.DrawFn,
        storages: tuple[str, ...],
        with_zeros: bool,
        types: tuple[str, ...],
        computed: ElementType,
        of_integers: tuple[int, int],
    ) -> None:
        self.gathers, self.scatters = of_integers
        self.computed = computed
        self.draw = draw
        self.storages = storages
        self.with_zeros = with_zeros
        self.types = tuple(each for each in types if not computed.is_integer or ElementType(each).bits <= computed.bits)
        self.tensors: list[_Tensor] = []
        self.written: set[str] = set()
        self.mixes = any(each in COMPLEX for each in types)
        self.is_complex = False
        """True if something complex stands in the value that is being written."""

    def program(self) -> str:
        kind = "integer" if self.computed.is_integer else "real"
        statements = [self._statement() for _ in range(self._number(1, 5))]
        if all(tensor.storage == "temp" for tensor in self.tensors if tensor.name in self.written):
            statements.append(self._copy(next(t for t in self.tensors if t.name in self.written)))
        scalars = [f"scalar {name}" for name in SCALARS if not self._is_bool]
        scalars += ["scalar w complex"] if self.mixes else []
        declarations = [tensor.declaration() for tensor in self.tensors]
        body = [f"    {statement}" for statement in statements]
        return "\n".join([f"{kind} {self.computed.value}", *scalars, *declarations, "kernel f {", *body, "}"]) + "\n"

    @property
    def _is_bool(self) -> bool:
        """True if nothing is subtracted, and there are no scalars."""
        return self.computed is ElementType.BOOL

    # -- statements --

    def _statement(self) -> str:
        if self._chance(self.scatters, 10):
            return self._scatter()
        scalable = [tensor for tensor in self.tensors if tensor.storage != "constant" and tensor.has_zeros]
        match self.draw(st.sampled_from(("general", "general", "general", "temporary", "scaling"))):
            case "temporary":
                return self._new_temporary()
            case "scaling" if scalable:
                return self._scaling(self.draw(st.sampled_from(scalable)))
            case _:
                return self._assignment()

    def _assignment(self) -> str:
        writable = [tensor for tensor in self.tensors if tensor.is_writable]
        if writable and self._chance(2, 3):
            target = self.draw(st.sampled_from(writable))
        else:
            target = self._declare(self._shape(), self.draw(st.sampled_from(self._written_storages())))
        extents: dict[str, int] = {}
        positions = [self._target_position(extent, extents) for extent in target.shape]
        operator = self.draw(st.sampled_from(("=", "+=") if self._is_bool else ("=", "+=", "-=")))
        self.is_complex = False
        value = self._sum(_Scope(extents), list(extents)) if self._chance(9, 10) else self._scalar()
        if self.is_complex and not target.is_complex:
            value = f"{self.draw(st.sampled_from(('real', 'imag')))}({value})"
        self.written.add(target.name)
        return f"{target.name}{self._member(target, _Scope({}))}{self._list(positions)} {operator} {value}"

    def _scatter(self) -> str:
        """Letters walk modes of a tensor that nothing else reads or writes, or integers that say its places."""
        extents = {letter: self._number(1, LARGEST_EXTENT) for letter in ascii_lowercase[: self._number(0, 3)]}
        scope, letters = _Scope(extents), list(extents)
        number = self._number(0, len(letters))
        walking, saying = letters[:number], letters[number:]
        places = self.draw(st.permutations([*walking, *([""] * self._number(0, LARGEST_ORDER - len(walking)))]))
        shape = tuple(extents[place] if place else self._number(1, LARGEST_EXTENT) for place in places)
        is_elsewhere = "" not in places or self._chance(1, 3)
        storage = "batched" if is_elsewhere else self.draw(st.sampled_from(("shared", "shared", "batched")))
        attributes = self.draw(st.sampled_from(("", "row_major", "column_major")))
        if storage == "batched" and self._chance(1, 3):
            attributes = f"{attributes} batch_after<{self._number(0, len(shape))}>".lstrip()
        types = self._type(storage, "", False) if self.types else ""
        attributes += f" {types}" if types else self.draw(st.sampled_from(("", " atomic")))
        target = _Tensor(f"T{len(self.tensors)}", shape, storage, attributes.strip(), is_gathered=True)
        self.tensors.append(target)
        shares = self._share(saying, places.count("") + is_elsewhere)
        both = [[*share, *[each for each in walking if self._chance(1, 4)]] for share in shares]  # walked, and said
        entries = [self._entry(scope, share, grows=False) for share in both]
        element = f"@{entries.pop()}" if is_elsewhere else ""
        positions = [place or entries.pop() for place in places]
        self.written.add(target.name)
        has_elements = any(tensor.storage == "batched" for tensor in self.tensors)
        is_scalar = has_elements and self._chance(1, 10)
        value = self._scalar() if is_scalar else self._sum(_Scope(extents), list(extents))
        added = f"{target.name}[{','.join(positions)}{',' if positions else ''}]{element}"
        if not any(tensor.storage == "batched" for tensor in self.tensors):  # they say how many elements there are
            own = self._declare((), "batched", is_complex=False)
            value = f"{value} + {own.name}{self._member(own, scope)}[]"
        return f"{added} {self.draw(st.sampled_from(('+=', '-=')))} {value}"

    def _new_temporary(self) -> str:
        shape = self._shape()
        extents = dict(zip(ascii_lowercase, shape, strict=False))
        self.is_complex = False
        value = self._sum(_Scope(extents), list(extents))
        temporary = self._declare(shape, "temp", is_complex=self.is_complex)
        self.written.add(temporary.name)
        return f"{temporary.name}{self._list(list(extents))} = {value}"

    def _scaling(self, tensor: _Tensor) -> str:
        """A tensor with zeros keeps them when it is scaled."""
        self.written.add(tensor.name)
        letters = list(ascii_lowercase[: len(tensor.shape)])
        access = f"{tensor.name}{self._member(tensor, _Scope({}))}{self._list(letters)}"
        scalar = self._scalar(is_real=not tensor.is_complex)
        return f"{access} {self.draw(st.sampled_from(('=', '+=')))} {scalar} * {access}"

    def _copy(self, tensor: _Tensor) -> str:
        """What the kernel does must be seen outside."""
        result = self._declare(tensor.shape, self._written_storages()[0], is_complex=tensor.is_complex)
        letters = self._list(list(ascii_lowercase[: len(tensor.shape)]))
        return f"{result.name}{self._member(result, _Scope({}))}{letters} = {tensor.name}{letters}"

    def _target_position(self, extent: int, extents: dict[str, int]) -> str:
        match self.draw(st.sampled_from(("whole", "whole", "slice", "fixed", "diagonal"))):
            case "fixed":
                return str(self._number(0, extent - 1))
            case "diagonal" if same := [letter for letter, size in extents.items() if size == extent]:
                return self.draw(st.sampled_from(same))
            case kind:
                letter = ascii_lowercase[len(extents)]
                start, stop = self._slice(extent) if kind == "slice" else (0, extent)
                extents[letter] = stop - start
                return letter if kind != "slice" else f"{letter}={start}:{stop}"

    # -- expressions --

    def _sum(self, scope: _Scope, required: list[str]) -> str:
        """Terms that together have the required letters; only inside one term letters are shared."""
        terms = self._number(1, 3)
        shares = self._share(required, terms)
        text = "-" if self._chance(1, 8) and not self._is_bool else ""
        signs = (" + ",) if self._is_bool else (" + ", " - ")
        for position, share in enumerate(shares):
            own = scope if scope.depth else replace(scope, extents=dict(scope.extents))
            text += (self.draw(st.sampled_from(signs)) if position else "") + self._term(own, share)
        return text

    def _term(self, scope: _Scope, required: list[str]) -> str:
        if not required and self._chance(1, 8):
            return self._scalar()
        if self._chance(1, 10):
            name, end = f"n{len(scope.variables)}", self._number(1, 3)
            inner = replace(scope, variables=(*scope.variables, (name, end)))
            return f"sum{{{name} in 0:{end}}}({self._product(inner, required)})"
        return self._product(scope, required)

    def _product(self, scope: _Scope, required: list[str]) -> str:
        count = max(self._number(1, 5 - 2 * scope.depth), -(-len(required) // LARGEST_ORDER))
        reads_written = self._number(0, count - 1)
        text = ""
        for position, share in enumerate(self._share(required, count)):
            own = replace(scope, may_read_written=scope.may_read_written and position == reads_written)
            factor = self._factor(own, share)
            by = " / " if position and factor in SCALARS and not self.computed.is_integer else " * "
            text += (by if position else "") + factor
        return text

    def _factor(self, scope: _Scope, required: list[str]) -> str:
        if not required and self._chance(1, 6):
            return self.draw(st.sampled_from(SCALARS)) if self._chance(1, 2) and not self._is_bool else self._scalar()
        if required and self._chance(1, 6):
            return f"1{self._list(required)}"
        if self.mixes and scope.depth < 2 and self._chance(1, 6):
            part = self.draw(st.sampled_from(("conj", "conj", "real", "imag")))
            return f"{part}({self._sum(replace(scope, depth=scope.depth + 1), required)})"
        if scope.depth < 2 and self._chance(1, 7):
            return f"({self._sum(replace(scope, depth=scope.depth + 1), required)})"
        return self._gather(scope, required) if self._chance(self.gathers, 10) else self._access(scope, required)

    def _gather(self, scope: _Scope, required: list[str]) -> str:
        """Letters walk modes of a tensor, or integers that say its places, its member or its element."""
        walking, saying = self._share(required, 2)
        while len(walking) < LARGEST_ORDER and self._chance(1, 3):
            walking.append(self._letter(scope))
        places = [*walking, *([""] * self._number(0, LARGEST_ORDER - len(walking)))]
        places = self.draw(st.permutations(places))
        shape = tuple(scope.extents[place] if place else self._number(1, LARGEST_EXTENT) for place in places)
        is_member, is_elsewhere = self._chance(1, 3), self._chance(1, 2)
        if not (is_member or is_elsewhere or "" in places):
            is_elsewhere = True
        storages = [each for each in self.storages if not (is_elsewhere and each == "constant")]
        source = self._source(shape, self.draw(st.sampled_from(storages)), 3 if is_member else 0)
        shares = self._share(saying, places.count("") + is_member + is_elsewhere)
        entries = [self._entry(scope, share) for share in shares]
        member = f"{{{entries.pop()}}}" if is_member else self._member(source, scope)
        element = f"@{entries.pop()}" if is_elsewhere else ""
        positions = [place or entries.pop() for place in places]
        return f"{source.name}{member}[{','.join(positions)}{',' if positions else ''}]{element}"

    def _source(self, shape: tuple[int, ...], storage: str, members: int) -> _Tensor:
        """A tensor that nothing writes and of whose entries nothing is known."""
        known = [
            t
            for t in self.tensors
            if t.is_gathered and not t.has_integers and t.name not in self.written
            if (t.shape, t.storage) == (shape, storage)
            if t.members or not members
        ]
        if known and self._chance(2, 3):
            return self.draw(st.sampled_from(known))
        attributes = self.draw(st.sampled_from(("", "row_major", "column_major")))
        if storage == "batched" and self._chance(1, 3):
            attributes = f"{attributes} batch_after<{self._number(0, len(shape))}>".lstrip()
        attributes = f"{attributes} {self._type(storage, '', False)}".strip() if self.types else attributes
        self.tensors.append(_Tensor(f"T{len(self.tensors)}", shape, storage, attributes, members, is_gathered=True))
        return self.tensors[-1]

    def _entry(self, scope: _Scope, required: list[str], *, grows: bool = True) -> str:
        """An entry of a tensor of integers, which is like no other: so its bounds are its own."""
        letters = list(required)
        while grows and len(letters) < 2 and self._chance(1, 2):
            letters.append(self._letter(scope))
        positions, shape = [], []
        for letter in letters:
            position, extent = self._read_position(letter, scope.extents[letter])
            positions.append(position)
            shape.append(extent)
        if self._chance(1, 4):
            shape.append(self._number(1, 3))
            positions.append(str(self._number(0, shape[-1] - 1)))
        storage = self.draw(st.sampled_from(("batched", "constant")))
        attributes = f"{self.draw(st.sampled_from(('', 'row_major ')))}{self.draw(st.sampled_from(('i32', 'i64')))}"
        tensor = _Tensor(f"T{len(self.tensors)}", tuple(shape), storage, attributes, is_gathered=True)
        self.tensors.append(tensor)
        return f"{tensor.name}[{','.join(positions)}{',' if positions else ''}]"

    def _scalar(self, *, is_real: bool = False) -> str:
        if self.mixes and not is_real and self._chance(1, 3):
            self.is_complex = True
            return self.draw(st.sampled_from(("w", "1j", "0.5j", "(1 - 2j)", "w**2/2", "(w - dt*1j)", "2/w", "w**-1")))
        if self._is_bool:
            return self.draw(st.sampled_from(("1", "1", "0")))
        if self.computed.is_integer:
            numbers = ("s", "dt**3", "(s - dt)", "-1", "1", "(5/5)", "(0.5e1 - 4)")
            more = ("2", "-3", "2**2", "(3*s - 2)") if self.computed.bits > 16 else ()  # products stay in the range
            return self.draw(st.sampled_from(numbers + more))
        return self.draw(st.sampled_from(("2", "-0.5", "1.5e-1", "s", "dt**2/2", "s**-1", "(s - 3*dt)", "2/dt", "1")))

    def _access(self, scope: _Scope, required: list[str]) -> str:
        letters = list(required)
        while len(letters) < LARGEST_ORDER and self._chance(1, 2):
            letters.append(self._letter(scope))
        letters = self.draw(st.permutations(letters))
        positions, shape = [], []
        for letter in letters:
            position, extent = self._read_position(letter, scope.extents[letter])
            positions.append(position)
            shape.append(extent)
        if len(shape) < LARGEST_ORDER and self._chance(1, 8):
            extent = self._number(1, LARGEST_EXTENT)
            fixed = [f"({name})" for name, end in scope.variables if end <= extent]
            place = self._number(0, len(shape))
            shape.insert(place, extent)
            positions.insert(place, self.draw(st.sampled_from([*fixed, str(self._number(0, extent - 1))])))
        tensor = self._readable(tuple(shape), scope)
        self.is_complex |= tensor.is_complex
        return f"{tensor.name}{self._member(tensor, scope)}{self._list(positions)}"

    def _letter(self, scope: _Scope) -> str:
        """A letter of the term, or a new one."""
        if scope.extents and self._chance(3, 4):
            return self.draw(st.sampled_from(sorted(scope.extents)))
        letter = next(letter for letter in ascii_lowercase if letter not in scope.extents)
        scope.extents[letter] = self._number(1, LARGEST_EXTENT)
        return letter

    def _read_position(self, letter: str, extent: int) -> tuple[str, int]:
        """An index over a whole mode, or over a slice of a longer one; and the extent of the mode."""
        if not self._chance(1, 6):
            return letter, extent
        start = self._number(0, LARGEST_EXTENT - extent)
        stop = start + extent
        return f"{letter}={start}:{stop}", self._number(stop, LARGEST_EXTENT)

    # -- tensors --

    def _readable(self, shape: tuple[int, ...], scope: _Scope) -> _Tensor:
        known = [
            t
            for t in self.tensors
            if t.shape == shape and not t.is_gathered and (scope.may_read_written or t.name not in self.written)
        ]
        if known and self._chance(2, 3):
            return self.draw(st.sampled_from(known))
        return self._declare(shape, self.draw(st.sampled_from(self.storages)), may_have_zeros=self.with_zeros)

    def _declare(
        self, shape: tuple[int, ...], storage: str, *, may_have_zeros: bool = False, is_complex: bool | None = None
    ) -> _Tensor:
        """A new tensor, complex or not if that is said."""
        members = self.draw(st.sampled_from((0, 0, 0, 3))) if storage != "temp" else 0
        attributes = self.draw(st.sampled_from(("", "", "row_major", "column_major", "strided")))
        if attributes == "strided":
            attributes = self._strided(shape) if shape and storage != "temp" else ""
        if storage == "batched" and attributes[:7] != "strided" and self._chance(1, 3):
            attributes = f"{attributes} batch_after<{self._number(0, len(shape))}>".lstrip()
        if may_have_zeros and self._chance(1, 3):
            entries = st.lists(st.sampled_from(list(np.ndindex(shape))), max_size=5, unique=True)
            places = ", ".join(f"({','.join(map(str, entry))})" for entry in self.draw(entries))
            attributes = f"{attributes} nonzeros [{places}]".lstrip()
        elif storage == "constant" and self._chance(1, 3):
            attributes = f"{attributes} values<{', '.join(self._values(shape))}>".lstrip()
        word = self._type(storage, attributes, is_complex)
        attributes = f"{attributes} {word}".strip()
        tensor = _Tensor(f"T{len(self.tensors)}", shape, storage, attributes, members, is_complex=word in COMPLEX)
        self.tensors.append(tensor)
        return tensor

    def _type(self, storage: str, attributes: str, is_complex: bool | None) -> str:
        """The word for the type of a tensor; none for that of the program."""
        if is_complex or (is_complex is None and storage == "temp" and self.mixes and self._chance(1, 2)):
            return "complex"
        types = [each for each in self.types if is_complex is None or each not in COMPLEX]
        if not types or storage == "temp" or "values" in attributes or not self._chance(1, 2):
            return ""
        return self.draw(st.sampled_from(types))

    def _values(self, shape: tuple[int, ...]) -> list[str]:
        """Any numbers, or one number at a few places of every row: ones in step, in disorder, or everywhere."""
        numbers = ("0", "0", "1", "-1", "1/3", "0.5")
        if self.computed.is_integer:
            low, high = bounds(self.computed)
            numbers = ("0", "0", "1", str(high), str(low), "1" if self._is_bool else "3")
        match self.draw(st.sampled_from(("any", "step", "permutation", "ones"))):
            case "step":
                shifts = [self._number(-1, 1) for _ in shape]
                entries = [len({p - s for p, s in zip(place, shifts, strict=True)}) <= 1 for place in _places(shape)]
            case "permutation" if len(shape) == 2:
                targets = self.draw(st.permutations(range(LARGEST_EXTENT)))
                entries = [targets[place[0]] == place[1] for place in _places(shape)]
            case "ones":
                entries = [True for _ in _places(shape)]
            case _:
                return [self.draw(st.sampled_from(numbers)) for _ in _places(shape)]
        number = self.draw(st.sampled_from(numbers[2:]))
        return [number if entry else "0" for entry in entries]

    def _strided(self, shape: tuple[int, ...]) -> str:
        """Modes in any order, with gaps."""
        strides, step = [0] * len(shape), 1
        for mode in self.draw(st.permutations(range(len(shape)))):
            strides[mode] = step
            step = step * shape[mode] + self._number(0, 2)
        return f"strided<{', '.join(map(str, strides))}>"

    def _member(self, tensor: _Tensor, scope: _Scope) -> str:
        if not tensor.members:
            return ""
        variables = [name for name, end in scope.variables if end <= tensor.members]
        return f"{{{self.draw(st.sampled_from([*variables, str(self._number(0, tensor.members - 1))]))}}}"

    def _written_storages(self) -> list[str]:
        return [storage for storage in self.storages if storage != "constant"]

    # -- small draws --

    def _list(self, positions: list[str]) -> str:
        compact = all(len(position) == 1 and position.isalpha() for position in positions) and self._chance(1, 2)
        return f"[{'' if compact else ','.join(positions)}{''.join(positions) if compact else ''}]"

    def _share(self, letters: list[str], parts: int) -> list[list[str]]:
        """Each letter goes to one of the parts, none of which gets more than a tensor has modes."""
        shares: list[list[str]] = [[] for _ in range(parts)]
        for letter in letters:
            room = [share for share in shares if len(share) < LARGEST_ORDER]
            room[self._number(0, len(room) - 1)].append(letter)
        return shares

    def _shape(self) -> tuple[int, ...]:
        extents = st.integers(1, LARGEST_EXTENT)
        return tuple(self.draw(st.lists(extents, max_size=LARGEST_ORDER)))

    def _slice(self, extent: int) -> tuple[int, int]:
        start = self._number(0, extent - 1)
        return start, self._number(start + 1, extent)

    def _number(self, smallest: int, largest: int) -> int:
        return self.draw(st.integers(smallest, largest))

    def _chance(self, numerator: int, denominator: int) -> bool:
        return self._number(0, denominator - 1) < numerator


def _places(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All places, the first mode fastest."""
    return [place[::-1] for place in np.ndindex(shape[::-1])]
