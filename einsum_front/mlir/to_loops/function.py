"""A function as a kernel of the tensor language: loops over entries, for what no contraction graph can say.

    linalg.conv_1d ins(%a, %k : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
        ->      foreach %i = 0, %n { for %j = 0, %m { … %a[%i + %j] … %k[%j] … } }

Arguments, their names and the batch are those of a kernel that is made of a graph. Extents that only the launch knows
have names; what a window reads is a size that the launch checks (`Window`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isfinite, prod

from einsum_front.core.extent import Extent, Polynomial, Size, of_size
from einsum_front.core.facts import Limit, Modes, Values
from einsum_front.core.names import fresh_numbered
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import linear
from einsum_front.mlir.attributes import NO_BATCH
from einsum_front.mlir.to_graph.batch import batch_of, for_one_element, outputs, returned, walk, written
from einsum_front.mlir.to_graph.complexes import in_parts
from einsum_front.mlir.to_graph.dimensions import Dimensions, Mode
from einsum_front.mlir.to_graph.function import kernel_arguments, kernel_name, plain_name
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.mlir.to_loops.operations import Translator
from einsum_front.mlir.to_loops.scalars import check_type, type_of
from einsum_front.mlir.to_loops.views import Memory, Tensor, Uniform, View, names_of_sizes, stored_type
from einsum_front.mlir.tpp.expand import expanded_function
from einsum_front.tl_backend import ALL, Builder, Number, Value
from einsum_front.tl_backend.program import Batched, Fact, Function, Sizes
from einsum_front.tl_backend.types import MemrefType, Type, canonical_strides


def loops_of(function: mlir.Function, batch: str | None = None) -> Function:
    """The kernel of a function that has a body.

    `batch` is the number of the mode of the results that is the batch, or `none`. Raises `CompileError` (E0826 to
    E0829) with what loops cannot do.
    """
    batch = function.batch if batch is None else batch
    if batch is None and (inside := for_one_element(function)) is not None:
        function, batch = inside, NO_BATCH
    return _Kernel(in_parts(expanded_function(function)), batch).made()


class _Kernel:
    """One function on its way to loops."""

    def __init__(self, function: mlir.Function, batch: str | None) -> None:
        if not outputs(function):
            why = "it returns no tensor and writes no memref"
            raise refused(f"`{function.name}` computes nothing", function.origin, why)
        self.function = function
        self.dimensions = Dimensions(function)
        self.batch = batch_of(function, self.dimensions, batch)
        self.names, self.results = kernel_arguments(function)
        self.targets = dict(function.targets)
        self.literals = list(_literals(function, {*self.names.values(), *self.results}))
        given = [each for each in function.arguments if each.shape]
        given += [value for value, name in self._results() if name not in self.names.values()]
        roots = [root for each in given for mode in self._kept(each) for root in self.dimensions.atoms(each, mode)]
        open_ = [root for root in roots if self.dimensions.extent(root) is None]
        self.sizes = _SizesOfArguments(function, self.dimensions, open_, {*self.names.values(), *self.results})

    def _results(self) -> Iterator[tuple[mlir.Value, str]]:
        yield from zip(returned(self.function), self.results, strict=True)

    def _kept(self, value: mlir.Value) -> list[int]:
        batch = (self.batch,)
        return [mode for mode in range(len(value.shape)) if self.dimensions.atoms(value, mode) != batch]

    def _size(self, value: mlir.Value, mode: int) -> int | None:
        """The extent of a mode, also where its type does not say it and other operands do."""
        extents = [self.dimensions.extent(root) for root in self.dimensions.atoms(value, mode)]
        found = None if None in extents else prod(each for each in extents if each is not None)
        return value.shape[mode] or found

    def made(self) -> Function:
        """The function of the tensor language."""
        types: dict[str, Type] = {}
        facts: list[Fact] = []
        changed = written(self.function) | frozenset(self.targets)
        for argument in self.function.arguments:
            check_type(argument)
            types[self.names[argument.name]] = self._declared(
                argument, self.names[argument.name], facts, is_written=argument.name in changed
            )
        for value, name in self._results():
            if name not in types:
                check_type(value)
                types[name] = self._declared(value, name, facts, is_written=True)
        for literal, name in self.literals:
            values = literal.value if isinstance(literal.value, tuple) else ()
            shape = tuple(size or 1 for size in literal.result.shape)[::-1]
            element = stored_type(literal.result.element)
            types[name] = MemrefType.packed(element, shape)
            number = float if element.is_floating else int
            facts.append(Values(name, tuple((n, number(each)) for n, each in enumerate(values) if each)))
        builder = Builder(kernel_name(self.function), types)
        self._body(builder, facts)
        made = builder.function(facts=tuple(facts), limits=self.sizes.limits)
        return replace(made, origin=self.function.origin)

    def _declared(self, value: mlir.Value, name: str, facts: list[Fact], *, is_written: bool) -> Type:
        """The type of an argument, and what is said about it."""
        if isinstance(value.type, mlir.ScalarType) and not is_written:
            if value.type is mlir.ScalarType.I1:
                raise refused(f"`%{value.name}` is a condition, which no kernel takes as a number", value.origin)
            return type_of(value.type)
        kept = self._kept(value)[::-1]
        shape = tuple(self._size(value, mode) for mode in kept)
        strides = canonical_strides(shape)
        if isinstance(value.type, mlir.MemrefType) and value.type.layout is not None:
            strides = tuple(value.type.layout.strides[mode] for mode in kept)
        known = [each for each in strides if each is not None]
        if known != sorted(known):
            raise refused(f"the last mode of `%{value.name}` is not the fastest", value.origin)
        is_constant = value.name in self.function.constants
        has_batch = len(kept) < len(value.shape)
        if is_constant and is_written:
            raise refused(f"`%{value.name}` is the same for all elements, and is written", value.origin)
        extents = tuple(self.sizes.extent(value, mode) for mode in kept)
        if any(isinstance(each, Polynomial) for each in extents):
            facts.append(Sizes(name, tuple(each if isinstance(each, Polynomial) else None for each in extents)))
        if len(kept) > 1:
            facts.append(Modes(name, tuple(range(len(kept)))[::-1]))
        if has_batch or (self.batch is None and not is_constant) or is_written:
            facts.append(Batched(name))
            shape, strides = (*shape, None), (*strides, _packed_stride(shape, strides))
        return MemrefType(stored_type(value.element), shape, strides)

    def _body(self, builder: Builder, facts: list[Fact]) -> None:
        given = {value.local.name: value for value in builder.arguments}
        batched = {each.argument for each in facts if isinstance(each, Batched)}
        group = builder.group_id()
        sizes: dict[Mode, Value] = {}
        memory = Memory(builder, self.dimensions, self.batch, sizes)
        numbers: dict[str, Number] = {}
        tensors: dict[str, Tensor] = {}

        def view(value: mlir.Value, name: str) -> View:
            whole = given[name]
            if name in batched:
                whole = builder.subview(whole, *([ALL] * (whole.memref.order - 1)), group)
            memory.wholes[name] = whole
            found = View(whole, memory.places(value), name, value.element)
            for mode, place in enumerate(found.modes):
                roots = self.dimensions.atoms(value, mode)
                if (
                    place is not None
                    and len(roots) == 1
                    and whole.memref.shape[place] is None
                    and roots[0] not in sizes
                ):
                    sizes[roots[0]] = builder.size(whole, place)
            return found

        for argument in self.function.arguments:
            name = self.names[argument.name]
            if isinstance(argument.type, mlir.ScalarType):
                numbers[argument.name] = given[name]
            else:
                tensors[argument.name] = view(argument, name)
        for literal, name in self.literals:
            memory.wholes[name] = given[name]
            tensors[literal.result.name] = View(
                given[name], memory.places(literal.result), name, literal.result.element
            )
        places = {name: view(value, name) for value, name in self._results() if name not in self.names.values()}
        homes = _homes(self.function, {value.name: places[name] for value, name in self._results() if name in places})
        translator = Translator(memory, numbers, tensors, homes, group)
        translator.run(self.function.body or ())
        self._give(translator, memory, places, tensors)

    def _give(
        self, translator: Translator, memory: Memory, places: Mapping[str, View], tensors: Mapping[str, Tensor]
    ) -> None:
        """Writes what is returned; arguments that are replaced last, and from copies of what they are replaced by."""
        *_, last = self.function.body or (None,)
        assert isinstance(last, mlir.Return | None)
        replaced = {self.names[name]: tensors[name] for name in self.targets}
        bases = {each.base for each in replaced.values() if isinstance(each, View)}
        given: list[tuple[Tensor, mlir.Value, str]] = []
        for value, name in self._results():
            found = translator.given(value)
            if isinstance(found, View) and found.base in bases:
                copy = memory.temporary(value, found)
                memory.copy(found, value, copy, last or mlir.Return(()))
                found = copy
            given.append((found, value, name))
        for found, value, name in given:
            target = places.get(name) or replaced[name]
            if isinstance(target, View):
                if not isinstance(found, View | Uniform):
                    memory.load(found, (), mlir.Return((), origin=value.origin))
                memory.copy(found, value, target, mlir.Return((), origin=value.origin))


def _packed_stride(shape: tuple[int | None, ...], strides: tuple[int | None, ...]) -> int | None:
    """How far elements are apart where they follow each other; None if the launch says."""
    if not shape:
        return 1
    return None if shape[-1] is None or strides[-1] is None else shape[-1] * strides[-1]


def _homes(function: mlir.Function, results: dict[str, View]) -> dict[str, View]:
    """The results whose memory can take the value when it is computed: those that are returned once."""
    names = [each.name for each in returned(function)]
    made = {
        value.name
        for each in function.body or ()
        if isinstance(each, mlir.Structured | mlir.InsertSlice)
        for value in mlir.results_of(each)
    }
    return {name: view for name, view in results.items() if name in made and names.count(name) == 1}


def _literals(function: mlir.Function, taken: set[str]) -> Iterator[tuple[mlir.Literal, str]]:
    """Constants whose entries are an argument that no caller passes, with its name."""
    for each in walk(function.body or ()):
        if not isinstance(each, mlir.Literal) or not isinstance(each.value, tuple) or not each.result.shape:
            continue
        if all(map(isfinite, each.value)):
            name = fresh_numbered(plain_name(f"c_{each.result.name}", "c"), taken)
            taken.add(name)
            yield each, name


class _SizesOfArguments:
    """Extents that only the launch knows: names, and what windows make of them.

    What a window reads of a mode has to be there. A mode that nothing else walks has just that size; a size that one
    number is compared with has a limit.
    """

    def __init__(self, function: mlir.Function, dimensions: Dimensions, roots: list[Mode], taken: set[str]) -> None:
        self._dimensions = dimensions
        self._least: dict[str, int] = {}
        self._most: dict[str, int] = {}
        self._names = names_of_sizes(roots, taken)
        self._made: dict[Mode, Polynomial] = {}
        operations = [each for each in walk(function.body or ()) if isinstance(each, mlir.Structured)]
        walked = {root for each in operations for root in dimensions.iterators(each)}
        for operation in operations:
            for operand, map_ in zip(operation.operands, operation.maps, strict=True):
                for mode, result in enumerate(map_.results):
                    if linear(result).iterator is None:
                        self._window(operation, operand, mode, walked)

    def _window(self, operation: mlir.Structured, operand: mlir.Value, mode: int, walked: set[Mode]) -> None:
        """Sees to it that the positions that a sum of iterators takes are there."""
        dimensions = self._dimensions
        position = linear(operation.maps[operation.operands.index(operand)].results[mode])
        iterators = dimensions.iterators(operation)
        needed: Extent = position.constant + 1
        for iterator, factor in position.factors.items():
            extent = self._of(iterators[iterator])
            if factor < 0 or extent is None:
                raise self._unknown(operation, operand, mode)
            needed = needed + (extent - 1) * factor
        root = dimensions.root(operand, mode)
        size = self._of(root)
        if isinstance(needed, int):
            if isinstance(size, Polynomial) and root in self._names:
                self._least[self._names[root]] = max(needed, self._least.get(self._names[root], 1))
            elif not isinstance(size, int):
                raise self._unknown(operation, operand, mode)
        elif isinstance(size, int):
            self._limit(operation, operand, mode, needed, size)
        elif size == needed:
            return
        elif root in self._names and root not in walked and root not in self._made:
            self._made[root] = needed
        else:
            raise self._unknown(operation, operand, mode)

    def _limit(self, operation: mlir.Structured, operand: mlir.Value, mode: int, needed: Polynomial, size: int) -> None:
        """The largest value of the one size that a window in a mode of known size depends on."""
        terms = dict(needed.terms)
        (name, *more) = needed.sizes
        factor = terms.get((name,))
        if more or factor is None or len(terms) > 2 or (len(terms) == 2 and () not in terms):
            raise self._unknown(operation, operand, mode)
        most = int((size - terms.get((), 0)) // factor)
        self._most[name.name] = min(most, self._most.get(name.name, most))

    def _unknown(self, operation: mlir.Structured, operand: mlir.Value, mode: int) -> Exception:
        message = f"whether a window stays inside mode {mode} of `%{operand.name}` is not known"
        return refused(
            message,
            operation.origin,
            "extents of arguments tell it, where each is one or follows from others",
            code="E0828",
        )

    def _of(self, root: Mode) -> Extent | None:
        known = self._dimensions.extent(root)
        if known is not None:
            return known
        if root in self._made:
            return self._made[root]
        return of_size(Size(self._names[root])) if root in self._names else None

    def extent(self, value: mlir.Value, mode: int) -> Extent | None:
        """The extent of a mode of an argument; None where nothing is known of it."""
        found: Extent | None = 1
        for root in self._dimensions.atoms(value, mode):
            part = self._of(root)
            found = None if part is None or found is None else found * part
        return found

    @property
    def limits(self) -> tuple[Limit, ...]:
        """What is said of sizes."""
        names = dict.fromkeys((*self._least, *self._most))
        return tuple(Limit(name, self._least.get(name, 1), self._most.get(name)) for name in names)
