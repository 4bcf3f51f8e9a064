"""Names of indices as the language writes them: single letters."""

from dataclasses import replace
from string import ascii_letters

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.ir.yateto import nodes as yir


def with_letters(program: yir.Program) -> yir.Program:
    """The same program with a letter for every index of a map.

    An index that is a letter keeps its name; a longer name gets its own first letter where that is free in the map,
    else the first free letter of the alphabet. What `parse` returns is unchanged.
    """
    return yir.Program(tuple(_function(function) for function in program.functions))


def _function(function: yir.Function) -> yir.Function:
    prologue = None if function.prologue is None else _function(function.prologue)
    return replace(function, body=_region(function.body), prologue=prologue)


def _region(region: yir.Region) -> yir.Region:
    return tuple(_instruction(instruction) for instruction in region)


def _instruction(instruction: yir.Instruction) -> yir.Instruction:
    match instruction:
        case yir.For(body=body):
            return replace(instruction, body=_region(body))
        case yir.Axpby(map=map_) | yir.Sum(map=map_) | yir.Broadcast(map=map_):
            return replace(instruction, map=_unary(map_))
        case yir.Product(map=map_):
            return replace(instruction, map=_binary(map_))
        case yir.Elementwise(map=map_):
            return replace(instruction, map=_of_elementwise(map_))
        case yir.Log(map=map_):
            return replace(instruction, map=_log(map_))
        case yir.Gather(map=map_):
            return replace(instruction, map=_gather(map_))
        case (
            yir.Alloca()
            | yir.GetWorkItem()
            | yir.Subview()
            | yir.Arith()
            | yir.Fill()
            | yir.Barrier()
            | yir.LifetimeStop()
        ):
            return instruction


def _unary(map_: yir.UnaryMap) -> yir.UnaryMap:
    letter = _letters(map_.source + map_.target)
    return replace(map_, source=_renamed(map_.source, letter), target=_renamed(map_.target, letter))


def _binary(map_: yir.BinaryMap) -> yir.BinaryMap:
    letter = _letters(map_.left + map_.right + map_.target)
    return replace(
        map_,
        left=_renamed(map_.left, letter),
        right=_renamed(map_.right, letter),
        target=_renamed(map_.target, letter),
    )


def _of_elementwise(map_: yir.ElementwiseMap) -> yir.ElementwiseMap:
    letter = _letters(tuple(name for source in map_.sources for name in source) + map_.target)
    sources = tuple(_renamed(source, letter) for source in map_.sources)
    return replace(map_, sources=sources, target=_renamed(map_.target, letter))


def _log(map_: yir.LogMap) -> yir.LogMap:
    letter = _letters(yir.flat_indices(map_.left + map_.right + map_.target))

    def entries(operand: tuple[yir.MapEntry, ...]) -> tuple[yir.MapEntry, ...]:
        return tuple(_entry(entry, letter) for entry in operand)

    return replace(map_, left=entries(map_.left), right=entries(map_.right), target=entries(map_.target))


def _gather(map_: yir.GatherMap) -> yir.GatherMap:
    own = tuple(place for place in map_.places if isinstance(place, str))
    letter = _letters(map_.target + own + tuple(name for entry in map_.entries for name in entry.indices))

    def place(each: str | int | yir.Entry) -> str | int | yir.Entry:
        if isinstance(each, yir.Entry):
            return entry(each)
        return letter[each] if isinstance(each, str) else each

    def entry(each: yir.Entry) -> yir.Entry:
        return replace(each, indices=_renamed(each.indices, letter))

    element, member = (None if each is None else entry(each) for each in (map_.element, map_.member))
    places = tuple(map(place, map_.places))
    return replace(map_, places=places, element=element, member=member, target=_renamed(map_.target, letter))


def _entry(entry: yir.MapEntry, letter: dict[str, str]) -> yir.MapEntry:
    match entry:
        case yir.Plain(name=name):
            return yir.Plain(letter[name])
        case yir.Looped(name=name):
            return yir.Looped(letter[name])
        case yir.Fused(names=names):
            return yir.Fused(_renamed(names, letter))


def _renamed(indices: yir.Indices, letter: dict[str, str]) -> yir.Indices:
    return tuple(letter[name] for name in indices)


def _letters(names: yir.Indices) -> dict[str, str]:
    distinct = dict.fromkeys(names)
    letter = {name: name for name in distinct if _is_letter(name)}
    taken = set(letter)
    for name in distinct:
        if name not in letter:
            letter[name] = _free_letter(name, taken)
            taken.add(letter[name])
    return letter


def _is_letter(name: str) -> bool:
    return len(name) == 1 and name in ascii_letters


def _free_letter(name: str, taken: set[str]) -> str:
    """The verifier holds a map to 52 indices, so there is one."""
    hint = name[:1] if _is_letter(name[:1]) else ""
    for letter in hint + ascii_letters:
        if letter not in taken:
            return letter
    raise CompilerBug("a map has more than 52 indices")
