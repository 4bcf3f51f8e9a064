"""Index maps: one index for each mode, one extent for each index, and the sets that each operation asks for."""

from collections.abc import Iterable, Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.limits import MOST_INDICES
from einsum_front.core.payload import Entry
from einsum_front.core.storage import ElementType
from einsum_front.core.words import counted, listed
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import accesses
from einsum_front.ir.yateto.unparse import indices_text
from einsum_front.ir.yateto.verify.scope import Scope

MappedOperation = yir.Axpby | yir.Log | yir.Product | yir.Sum | yir.Broadcast | yir.Elementwise


def check_orders(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """The number of indices is the order of the operand."""
    if not isinstance(instruction, MappedOperation):
        return
    for operand, indices in accesses(instruction):
        if len(indices) != operand.type.order:
            named = counted(len(indices), "index", "indices")
            message = f"`{indices_text(indices)}` names {named} for `%{operand.value.name}`"
            also = [(operand.origin, f"has {counted(operand.type.order, 'mode')}")]
            yield mistake("E0474", message, instruction.map.origin, "one index for every mode", also=also)


def check_letters(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """An index stands once in an operand, except in `broadcast`; a map has at most 52 indices."""
    if not isinstance(instruction, MappedOperation):
        return
    for operand, indices in accesses(instruction):
        repeated = [index for index in dict.fromkeys(indices) if indices.count(index) > 1]
        if repeated and not isinstance(instruction, yir.Broadcast):
            message = f"index `{repeated[0]}` stands twice in the indices `{indices_text(indices)}` of "
            message += f"`%{operand.value.name}`"
            yield mistake("E0476", message, instruction.map.origin, notes=("`broadcast` takes diagonals",))
    letters = dict.fromkeys(index for _, indices in accesses(instruction) for index in indices)
    if len(letters) > MOST_INDICES:
        message = f"a map of {len(letters)} indices"
        yield mistake("E0476", message, instruction.map.origin, f"there are {MOST_INDICES} letters")


def check_extents(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """Modes that an index walks have the same size; the first index that does not fit is named, others in a note."""
    if not isinstance(instruction, MappedOperation):
        return
    clashes = list(_clashes(accesses(instruction)))
    if not clashes:
        return
    index, (first, first_mode), (second, second_mode) = clashes[0]
    sizes = first.type.shape[first_mode], second.type.shape[second_mode]
    message = f"index `{index}` has size {sizes[0]} in `%{first.value.name}` but {sizes[1]} in `%{second.value.name}`"
    also = [
        (first.origin, f"{sizes[0]}: mode {first_mode} of `%{first.value.name}`"),
        (instruction.map.origin, f"`{index}` walks both"),
    ]
    notes = tuple(
        f"index `{index}` does not fit either: {a.type.shape[i]} in `%{a.value.name}`, "
        f"{b.type.shape[j]} in `%{b.value.name}`"
        for index, (a, i), (b, j) in clashes[1:]
    )
    place = f"{sizes[1]}: mode {second_mode} of `%{second.value.name}`"
    yield mistake("E0475", message, second.origin, place, also=also, notes=notes)


Use = tuple[yir.Operand, int]


def _clashes(operands: Iterable[tuple[yir.Operand, yir.Indices]]) -> Iterator[tuple[str, Use, Use]]:
    """For every index that does not fit: its first use, and the first use with another size."""
    first: dict[str, Use] = {}
    reported: set[str] = set()
    for operand, indices in operands:
        for mode, index in enumerate(indices):
            known, known_mode = first.setdefault(index, (operand, mode))
            if index not in reported and known.type.shape[known_mode] != operand.type.shape[mode]:
                reported.add(index)
                yield index, (known, known_mode), (operand, mode)


def check_sets(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """The indices of the operands are those that the operation asks for."""
    if isinstance(instruction, yir.Axpby):
        yield from _check_permutation(instruction.map)
    elif isinstance(instruction, yir.Product):
        yield from _check_product(instruction.map)
    elif isinstance(instruction, yir.Sum):
        new = _missing(instruction.map.target, instruction.map.source)
        if new:
            message = f"only the target of `sum` has {_named(new)}"
            notes = ("I_B is a subset of I_A: `broadcast` repeats entries along an index of the target alone",)
            yield mistake("E0479", message, instruction.map.origin, notes=notes)
    elif isinstance(instruction, yir.Elementwise):
        yield from _check_elementwise(instruction)
    elif isinstance(instruction, yir.Broadcast):
        lost = _missing(instruction.map.source, instruction.map.target)
        if lost:
            message = f"only the source of `broadcast` has {_named(lost)}"
            notes = ("I_A is a subset of I_B: `sum` sums over an index of the source alone",)
            yield mistake("E0480", message, instruction.map.origin, notes=notes)


def _check_elementwise(instruction: yir.Elementwise) -> Iterator[Diagnostic]:
    """Operands have indices of the target only; with a combiner, others too, and then α is 1 and β is 0."""
    map_ = instruction.map
    sources = tuple(name for source in map_.sources for name in source)
    lost, combiner = _missing(sources, map_.target), instruction.combiner
    if combiner is None and lost:
        message = f"the target of `elementwise` lacks {_named(lost)}"
        notes = ("`elementwise.max` and `elementwise.min` take the largest or smallest entry along such indices",)
        yield mistake("E0456", message, map_.origin, notes=notes)
    elif combiner is not None and not lost:
        message = f"`elementwise.{combiner.value}` has no index that the target lacks"
        yield mistake("E0456", message, map_.origin)
    elif combiner is not None and not _is_plain(instruction):
        message = f"`elementwise.{combiner.value}` has another α than 1 or another β than 0"
        yield mistake("E0456", message, instruction.origin)


def _is_plain(instruction: yir.Elementwise) -> bool:
    alpha, beta = instruction.alpha, instruction.beta
    constants = [each.value for each in (alpha, beta) if isinstance(each, yir.Constant)]
    return constants == [1.0, 0.0]


def check_gather(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """Places fit the modes of the sources, which are alike; all indices are in the target; entries are integers.

    A scatter is the transpose of a gather, with the same operands.
    """
    if not isinstance(instruction, yir.Gather):
        return
    map_, sources, place = instruction.map, instruction.sources, instruction.map.origin or instruction.origin
    first = sources[0]
    walked = [(each, size) for each, size in zip(map_.places, first.memref.shape, strict=False)]
    operands = [(entry.indices, entry.integers.type) for entry in map_.entries]
    if any(source.type != first.type for source in sources) or (len(sources) > 1 and map_.member is None):
        yield mistake("E0457", "a member is chosen among sources of one type", place)
    elif isinstance(first.type, yir.GroupType) != (map_.element is not None):
        yield mistake("E0457", "the sources are groups where `@` says the item, and memrefs elsewhere", place)
    elif len(map_.places) != first.memref.order:
        yield mistake("E0457", f"{counted(first.memref.order, 'mode')} and {counted(len(map_.places), 'place')}", place)
    elif any(type_.element not in (ElementType.I32, ElementType.I64) for _, type_ in operands):
        yield mistake("E0457", "entries that say places are of type `i32` or `i64`", place)
    elif any(len(indices) != type_.order for indices, type_ in (*operands, (map_.target, instruction.c.type))):
        yield mistake("E0457", "one index for every mode of the integers and of the target", place)
    elif first.memref.element is not instruction.c.type.element or first.memref.element.is_integer:
        yield mistake("E0457", "the sources and the target are of one type of real numbers", place)
    elif instruction.adds and not first.memref.element.is_computed:
        yield mistake("E0457", "sums are of a type that is computed with", place)
    else:
        named = [(each, size) for each, size in walked if isinstance(each, str)]
        named += [pair for indices, type_ in operands for pair in zip(indices, type_.shape, strict=True)]
        extents = dict(zip(map_.target, instruction.c.type.shape, strict=True))
        if len(extents) < len(map_.target) or {name for name, _ in named} != set(extents):
            yield mistake("E0457", "the target has each index of the places once, and no other", place)
        elif any(extents[name] != size for name, size in named):
            yield mistake("E0475", "an index of a gather has two sizes", place)
        elif any(isinstance(each, int) and isinstance(size, int) and not 0 <= each < size for each, size in walked):
            yield mistake("E0457", "a position is outside of its mode", place)


def check_payload(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """Operations have as many arguments as their functions take, which are made before; the last one is the value."""
    if not isinstance(instruction, yir.Elementwise):
        return
    first = len(instruction.operands)
    if not instruction.payload.operations and first != 1:
        message = f"`elementwise` of {counted(first, 'operand')} has no operation, so it has no value"
        yield mistake("E0455", message, instruction.origin)
        return
    for number, operation in enumerate(instruction.payload.operations, first):
        word, given = operation.function.value, len(operation.arguments)
        if given != operation.function.arity:
            message = f"`${number}`: `{word}` has {counted(given, 'argument')}, and takes {operation.function.arity}"
            yield mistake("E0455", message, instruction.origin)
        late = [each.number for each in operation.arguments if isinstance(each, Entry) and each.number >= number]
        if late:
            yield mistake("E0455", f"`${number}` is made of `${late[0]}`, which is not made before", instruction.origin)


def _check_permutation(map_: yir.UnaryMap) -> Iterator[Diagnostic]:
    lost, new = _missing(map_.source, map_.target), _missing(map_.target, map_.source)
    if not lost and not new:
        return
    who, indices = ("source", lost) if lost else ("target", new)
    message = f"only the {who} of `axpby` has {_named(indices)}"
    notes = (
        "`axpby` permutes modes: `sum` sums over indices of the source, `broadcast` repeats along those of the target",
    )
    yield mistake("E0477", message, map_.origin, "both sides have the same indices", notes=notes)


def _check_product(map_: yir.BinaryMap) -> Iterator[Diagnostic]:
    factors = map_.left + map_.right
    lost, new = _missing(factors, map_.target), _missing(map_.target, factors)
    if not lost and not new:
        return
    if lost:
        message = f"the target of `product` lacks {_named(lost)}"
        notes = ("I_C is the union of I_A and I_B: `log` and `sum` sum over an index",)
    else:
        message = f"the target of `product` has {_named(new)}, no factor has"
        notes = ("I_C is the union of I_A and I_B: `broadcast` repeats entries along an index",)
    yield mistake("E0478", message, map_.origin, notes=notes)


def _missing(indices: yir.Indices, among: yir.Indices) -> yir.Indices:
    return tuple(index for index in dict.fromkeys(indices) if index not in among)


def _named(indices: yir.Indices) -> str:
    return f"{'index' if len(indices) == 1 else 'indices'} {listed(f'`{index}`' for index in indices)}"
