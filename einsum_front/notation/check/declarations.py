"""The declarations of a text: every name once, families unrolled, attributes understood."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Origin
from einsum_front.core.extent import Extent, Polynomial, Size, static_shape
from einsum_front.core.extent import product as entries_of
from einsum_front.core.limits import (
    LARGEST_FAMILY,
    LARGEST_FOLLOWED,
    LARGEST_PATTERN,
    LARGEST_TENSOR,
    MOST_INDICES,
    MOST_KNOWN_ENTRIES,
)
from einsum_front.core.names import parts_of_scalar
from einsum_front.core.numbers import in_parts
from einsum_front.core.storage import COMPLEX, ElementType
from einsum_front.core.zero_pattern import Pattern
from einsum_front.notation import checked, syntax
from einsum_front.notation.check.array_files import Files, nonzeros, values
from einsum_front.notation.check.attributes import (
    ANY_COMPLEX,
    Attributes,
    batch_after,
    reject_complex_integers,
    reject_other_parts,
    strides,
    understand,
)
from einsum_front.notation.check.mistakes import Mistakes, already_reported, gather, mistake
from einsum_front.notation.check.numbers import extent, integer
from einsum_front.notation.check.parameters import numbers
from einsum_front.notation.check.scope import ScalarFamily, Scope, TensorFamily, Value
from einsum_front.notation.parts.complexity import complex_names

Declaration = syntax.Parameter | syntax.Size | syntax.Tensor | syntax.Scalar


def declare(
    program: syntax.Program,
    defines: Mapping[str, str | int],
    element_type: ElementType,
    directory: Path,
    mistakes: Mistakes,
    named: frozenset[str] | None = None,
) -> Scope:
    """The scope in which the kernels of a program stand; paths are relative to `directory`.

    What is known about the entries of tensors is left out for those that are not `named`, if names are given.
    """
    declarations = _distinct(program, mistakes)
    named_numbers = tuple(d for d in declarations if isinstance(d, syntax.Parameter | syntax.Size))
    known = numbers(named_numbers, defines, mistakes)
    sizes = sizes_of(tuple(d for d in declarations if isinstance(d, syntax.Size)), known, mistakes)
    known = {name: value.over(sizes) if isinstance(value, Polynomial) else value for name, value in known.items()}
    broken = frozenset(d.name for d in named_numbers if d.name not in known)
    kinds = {d.name: _kind(d) for d in declarations}
    scope = Scope(element_type, known, kinds=kinds, broken=broken, sizes=sizes)
    with Files(directory) as files:
        families = _Families(scope, files, named)
        for declaration in declarations:
            with mistakes.collect():
                families.declare(declaration)
    found = families.tensors.keys() | families.scalars.keys() | known.keys()
    broken = frozenset(d.name for d in declarations if d.name not in found)
    names = complex_names(
        (each for family in families.tensors.values() for each in family.members.values()),
        (each for family in families.scalars.values() for each in family.members.values()),
    )
    return replace(scope, tensors=families.tensors, scalars=families.scalars, broken=broken, complex_names=names)


def declared_twice(name: str, second: Origin, first: Origin) -> CompileError:
    """Two things of one name."""
    return mistake("E0205", f"`{name}` is declared twice", (second, "here again"), (first, "first declared here"))


def _distinct(program: syntax.Program, mistakes: Mistakes) -> list[Declaration]:
    """The first declaration of every name."""
    first: dict[str, Declaration] = {}
    for item in program.items:
        if isinstance(item, syntax.Use | syntax.Computed | syntax.Kernel):
            continue
        with mistakes.collect():
            if item.name in first:
                raise declared_twice(item.name, item.origin, first[item.name].origin)
            first[item.name] = item
    return list(first.values())


def _kind(declaration: Declaration) -> str:
    match declaration:
        case syntax.Tensor():
            return "a tensor"
        case syntax.Scalar():
            return "a scalar argument"
        case syntax.Parameter():
            return "a param"
        case syntax.Size():
            return "a size"


@dataclass(frozen=True, slots=True)
class _Shaped:
    """A tensor declaration whose attributes and shape are understood; its members differ in name and facts only."""

    declaration: syntax.Tensor
    attributes: Attributes
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]


class _Families:
    """The tensors and scalars declared so far; members of families must not take the names of other arguments."""

    def __init__(self, scope: Scope, files: Files, named: frozenset[str] | None) -> None:
        self._scope = scope
        self._files = files
        self._named = named
        self._arguments: dict[str, Origin] = {}
        self._impossible: set[syntax.Expression] = set()
        self._known_entries = 0
        self.tensors: dict[str, TensorFamily] = {}
        self.scalars: dict[str, ScalarFamily] = {}

    def declare(self, declaration: Declaration) -> None:
        """Add a tensor or a scalar; params and sizes are known already."""
        match declaration:
            case syntax.Tensor(name):
                self.tensors[name] = self._tensor(declaration)
            case syntax.Scalar(name):
                self.scalars[name] = self._scalar(declaration)
            case syntax.Parameter() | syntax.Size():
                pass

    def _scalar(self, declaration: syntax.Scalar) -> ScalarFamily:
        if self._scope.element_type is ElementType.BOOL:
            message = "a program of `bool` has no scalars: no kernel has an argument that is a truth value"
            raise mistake("E0241", message, (declaration.origin, "a tensor `[]` of rank 0 has one entry"))
        extents = self._family_extents(declaration)
        word, element_type = declaration.element_type, self._scope.element_type
        if word and word not in {*COMPLEX, ANY_COMPLEX}:
            message = (
                f"`{word}` is no type of a scalar: they are `{ANY_COMPLEX}`, `c64` and `c128`, or that of the program"
            )
            raise mistake("E0210", message, (declaration.origin, ""))
        if word:
            reject_complex_integers(word, declaration.origin, element_type)
        reject_other_parts(word, declaration.origin, element_type)
        members = {
            number: checked.Scalar(name, spelling, element_type, bool(word), declaration.origin)
            for number, name, spelling in self._members(declaration, extents)
        }
        for scalar in members.values() if word else ():
            self._take(parts_of_scalar(scalar.name), declaration.origin)
        return ScalarFamily(declaration, extents, members)

    def _tensor(self, declaration: syntax.Tensor) -> TensorFamily:
        extents = self._family_extents(declaration)
        attributes = understand(declaration, self._scope.element_type)
        self._reject_mixed(declaration, attributes)
        shape = gather(lambda size: self._extent(size, "an extent"), declaration.shape)
        _reject_too_large(declaration, shape)
        shaped = _Shaped(declaration, attributes, shape, strides(attributes.layout, shape, self._scope))
        members = self._members(declaration, extents)
        tensors = gather(lambda member: self._member(shaped, member[1], member[2]), members)
        return TensorFamily(declaration, extents, dict(zip((number for number, *_ in members), tensors, strict=True)))

    def _reject_mixed(self, declaration: syntax.Tensor, attributes: Attributes) -> None:
        """Integers are read as real numbers; real numbers become integers in no one way."""
        memory, computed = attributes.memory, self._scope.element_type
        if memory is not None and computed.is_integer and not memory.is_integer:
            message = f"`{declaration.name}` is stored in `{memory.value}`, and the program computes with integers"
            note = f"a program of real numbers reads integers: `real f64` in the place of `integer {computed.value}`"
            raise mistake("E0211", message, (declaration.origin, "real numbers"), notes=(note,))
        if memory is not None and computed.is_integer and memory.bits > computed.bits:
            message = f"`{declaration.name}` is stored in `{memory.value}`, and the program computes with fewer bits"
            note = f"`integer {memory.value}` computes with all of them; `{computed.value}` has {computed.bits}"
            raise mistake("E0211", message, (declaration.origin, ""), notes=(note,))

    def _extent(self, expression: syntax.Expression, what: str) -> Extent:
        """The value of an extent; one that is impossible is reported where it first occurs."""
        if expression in self._impossible:
            raise already_reported()
        try:
            return extent(expression, self._scope, what)
        except CompileError:
            self._impossible.add(expression)
            raise

    def _family_extents(self, declaration: syntax.Tensor | syntax.Scalar) -> tuple[int, ...]:
        extents = gather(lambda size: self._extent(size, "the size of a family"), declaration.members)
        for size, expression in zip(extents, declaration.members, strict=True):
            if isinstance(size, Polynomial):
                message = "the size of a family is an integer known when compiling"
                raise mistake("E0208", message, (expression.origin, ""))
        known = static_shape(extents)
        if prod(known) > LARGEST_FAMILY:
            message = f"family `{declaration.name}` has {prod(known)} members, more than {LARGEST_FAMILY}"
            raise mistake("E0207", message, (declaration.origin, ""))
        return known

    def _members(
        self, declaration: syntax.Tensor | syntax.Scalar, extents: tuple[int, ...]
    ) -> list[tuple[tuple[int, ...], str, str]]:
        """Number, argument name and spelling of every member: `(0, 1)`, `V_0_1`, `V{0,1}`."""
        members = []
        for number in product(*map(range, extents)):
            name = "_".join((declaration.name, *map(str, number)))
            spelling = declaration.name + (f"{{{','.join(map(str, number))}}}" if number else "")
            members.append((number, name, spelling))
        self._take([name for _, name, _ in members], declaration.origin)
        return members

    def _take(self, names: Collection[str], origin: Origin) -> None:
        """Arguments of kernels have these names from now on."""
        for name in names:
            if name in self._arguments:
                raise declared_twice(name, origin, self._arguments[name])
        self._arguments.update((name, origin) for name in names)

    def _member(self, shaped: _Shaped, name: str, spelling: str) -> checked.Tensor:
        pattern, all_values = self._facts(shaped, name)
        return checked.Tensor(
            name,
            spelling,
            self._scope.element_type,
            shaped.attributes.storage,
            shaped.shape,
            shaped.strides,
            pattern,
            all_values,
            has_layout=shaped.attributes.layout is not None or shaped.attributes.batch is not None,
            batch_after=batch_after(shaped.attributes.batch, len(shaped.shape), self._scope),
            memory=None if shaped.attributes.memory is self._scope.element_type else shaped.attributes.memory,
            is_complex=shaped.attributes.is_complex,
            is_shared=shaped.attributes.is_shared,
            is_atomic=shaped.attributes.is_atomic,
            origin=shaped.declaration.origin,
        )

    def _facts(self, shaped: _Shaped, name: str) -> tuple[Pattern | None, tuple[float, ...] | None]:
        fact = shaped.attributes.facts
        if self._named is not None and shaped.declaration.name not in self._named:
            return None, None
        if fact is None:
            return None, None
        open_size = next((size for size in shaped.shape if isinstance(size, Polynomial)), None)
        if open_size is not None:
            message = f"`{fact.name}` of a tensor whose shape only the launch knows"
            note = "`-D` gives a size a number when compiling"
            raise mistake("E0218", message, (fact.origin, f"the extent {open_size} is open"), notes=(note,))
        shape = static_shape(shaped.shape)
        self._count_known(shaped.declaration, fact, prod(shape))
        if fact.name == "nonzeros":
            pattern = nonzeros(name, shape, fact, self._scope, self._files)
            return None if pattern.is_full else pattern, None
        array = values(name, shape, fact, self._scope, self._files, is_complex=shaped.attributes.is_complex)
        pattern = Pattern.of_array(array)
        return None if pattern.is_full else pattern, tuple(in_parts(array.ravel(order="F")).ravel().tolist())

    def _count_known(self, declaration: syntax.Tensor, fact: syntax.Attribute, entries: int) -> None:
        """All entries of a file and all values are looked at, so there are limits; listed positions are few."""
        name, origin = declaration.name, declaration.origin
        if isinstance(fact.argument, syntax.Places):
            return
        if entries > LARGEST_PATTERN:
            message = (
                f"`{name}` has {entries} entries, more than {LARGEST_PATTERN}, for `values` or a file of `nonzeros`"
            )
            raise mistake("E0218", message, (origin, ""))
        self._known_entries += entries
        if self._known_entries > MOST_KNOWN_ENTRIES:
            message = f"more than {MOST_KNOWN_ENTRIES} entries of tensors are known when compiling"
            raise mistake("E0218", message, (origin, "with the entries of this one"))


def _reject_too_large(declaration: syntax.Tensor, shape: tuple[Extent, ...]) -> None:
    if len(shape) > MOST_INDICES:
        message = f"`{declaration.name}` has {len(shape)} modes, more than {MOST_INDICES}"
        raise mistake("E0303", message, (declaration.origin, ""))
    largest = LARGEST_FOLLOWED if declaration.is_temporary else LARGEST_TENSOR
    entries = entries_of(shape)
    if isinstance(entries, int) and entries > largest:
        message = f"`{declaration.name}` has {entries} entries, more than {largest}"
        raise mistake("E0207", message, (declaration.origin, ""))


# -- declarations about dynamic sizes: bounds and hints ----------------------------------------------------------------

LARGE = 1000
"""Hint of a size without hint and upper bound: large, and no power of two, which is bad for caches."""


def sizes_of(items: tuple[syntax.Size, ...], numbers: Mapping[str, Value], mistakes: Mistakes) -> dict[str, Size]:
    """The dynamic sizes, by name; one that a definition gives a number keeps its bounds."""
    scope = Scope(ElementType.F64, numbers)
    found: dict[str, Size] = {}
    for item in items:
        with mistakes.collect():
            size = _size(item, scope)
            value = numbers.get(item.name)
            if isinstance(value, Fraction):
                _check_definition(size, int(value), item.origin)
            else:
                found[item.name] = size
    return found


def _size(item: syntax.Size, scope: Scope) -> Size:
    least = 1 if item.least is None else integer(item.least, scope, "a bound of a size")
    most = None if item.most is None else integer(item.most, scope, "a bound of a size")
    likely = max(least, LARGE) if most is None else most
    hint = likely if item.hint is None else integer(item.hint, scope, "a hint")
    if least < 1:
        raise _misfit(item.least, f"size `{item.name}` is at least 1", f"this is {least}")
    if most is not None and most < least:
        raise _misfit(item.most, f"size `{item.name}` is at least {least}, so it cannot be at most {most}")
    if hint < least or (most is not None and hint > most):
        bound = f"at least {least}" if hint < least else f"at most {most}"
        raise _misfit(item.hint, f"size `{item.name}` is {bound}, so it is not about {hint}")
    return Size(item.name, least, most, hint)


def _misfit(place: syntax.Expression | None, message: str, label: str = "") -> CompileError:
    return mistake("E0207", message, (() if place is None else place.origin, label))


def _check_definition(size: Size, value: int, origin: Origin) -> None:
    if value < size.least or (size.most is not None and value > size.most):
        bound = f"at least {size.least}" if value < size.least else f"at most {size.most}"
        raise mistake("E0224", f"`-D {size.name}={value}` gives a size that is {bound}", (origin, "declared here"))
