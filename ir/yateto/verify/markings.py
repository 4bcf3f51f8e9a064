"""Modifiers of `log`: which indices are looped over and which are one mode, so that one matrix product is left."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.extent import length
from einsum_front.core.words import listed
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import accesses
from einsum_front.ir.yateto.unparse import entry_text, log_map_text
from einsum_front.ir.yateto.verify.scope import Scope

MOST_HELPS = 3
SETS = {"I_m": (True, False, True), "I_n": (False, True, True), "I_k": (True, True, False)}
"""The sets of indices by the operands A, B, C that have them; those of all three are I_common."""


def check_markings(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """Loops and groups leave at most one mode in each of I_m, I_n and I_k; if not, legal markings are proposed."""
    if not isinstance(instruction, yir.Log):
        return
    found = _first_mistake(instruction)
    if found is not None:
        texts = dict.fromkeys(log_map_text(map_) for map_ in _legal_markings(instruction))
        yield replace(found, helps=tuple(f"`{text}` is a legal marking" for text in texts)[:MOST_HELPS])


def _first_mistake(log: yir.Log) -> Diagnostic | None:
    return next((found for rule in RULES for found in rule(log)), None)


def _entries(log: yir.Log) -> tuple[tuple[yir.Operand, tuple[yir.MapEntry, ...]], ...]:
    return (log.a, log.map.left), (log.b, log.map.right), (log.c, log.map.target)


def _users(log: yir.Log) -> dict[str, tuple[bool, ...]]:
    """For every index, in the order of the target and then of the factors: which of A, B and C have it."""
    operands = [indices for _, indices in accesses(log)]
    order = dict.fromkeys(index for indices in (operands[2], operands[0], operands[1]) for index in indices)
    return {index: tuple(index in indices for indices in operands) for index in order}


# -- rules -------------------------------------------------------------------------------------------------------------


def _alone(log: yir.Log) -> Iterator[Diagnostic]:
    """Every index belongs to two operands or to all three."""
    names = [f"`%{operand.value.name}`" for operand, _ in accesses(log)]
    for index, users in _users(log).items():
        if sum(users) == 1:
            message = f"index `{index}` occurs in {names[users.index(True)]} only"
            notes = ("an index of `log` is shared: by A and C, B and C, A and B, or all three",)
            yield mistake("E0481", message, log.map.origin, notes=notes)


def _looped_everywhere(log: yir.Log) -> Iterator[Diagnostic]:
    """An index that is looped over is marked in every operand that has it."""
    for marked, entries in _entries(log):
        for entry in entries:
            if isinstance(entry, yir.Looped):
                for operand, others in _entries(log):
                    if entry.name in yir.flat_indices(others) and entry not in others:
                        message = (
                            f"index `{entry.name}` is looped over in `%{marked.value.name}`, "
                            f"but not in `%{operand.value.name}`"
                        )
                        yield mistake("E0482", message, log.map.origin)


def _common_looped(log: yir.Log) -> Iterator[Diagnostic]:
    """Every index of I_common is looped over."""
    looped = _looped(log)
    for index, users in _users(log).items():
        if all(users) and index not in looped:
            message = f"index `{index}` is an index of all three operands, and is not looped over"
            notes = ("I_common is no part of the matrix product",)
            yield mistake("E0483", message, log.map.origin, notes=notes)


def _same_groups(log: yir.Log) -> Iterator[Diagnostic]:
    """A group is the same group in every operand that has one of its members."""
    for grouped, entries in _entries(log):
        for group in entries:
            if isinstance(group, yir.Fused):
                for operand, others in _entries(log):
                    if set(group.names) & set(yir.flat_indices(others)) and group not in others:
                        message = (
                            f"`{entry_text(group)}` is one mode of `%{grouped.value.name}`, "
                            f"but not of `%{operand.value.name}`"
                        )
                        yield mistake("E0484", message, log.map.origin)


def _strides(log: yir.Log) -> Iterator[Diagnostic]:
    """The modes of a group are one mode: each stride is the size of what stands before it."""
    for operand, entries in _entries(log):
        mode = 0
        for entry in entries:
            names = yir.flat_indices((entry,))
            yield from _gaps(log, operand, entry, range(mode, mode + len(names) - 1))
            mode += len(names)


def _gaps(log: yir.Log, operand: yir.Operand, group: yir.MapEntry, modes: range) -> Iterator[Diagnostic]:
    shape, strides = operand.type.shape, operand.type.strides
    for mode in modes:
        if strides[mode] * shape[mode] != strides[mode + 1]:
            message = f"`{entry_text(group)}` cannot be one mode of `%{operand.value.name}`"
            gap = f"mode {mode + 1} has stride {strides[mode + 1]}, not {strides[mode]} * {shape[mode]}"
            yield mistake("E0485", message, operand.origin, gap, also=[(log.map.origin, "")])
            return


def _one_mode_each(log: yir.Log) -> Iterator[Diagnostic]:
    """After removing looped indices, each of I_m, I_n and I_k is at most one index or one group."""
    users = _users(log)
    for name, operands in SETS.items():
        entries = dict.fromkeys(entry for _, entries in _entries(log) for entry in entries)
        left = [entry for entry in entries if not isinstance(entry, yir.Looped) and _has(entry, users, operands)]
        if len(left) > 1:
            shown = listed(f"`{entry_text(entry)}`" for entry in left)
            message = f"{name} has {len(left)} modes outside of loops: {shown}"
            notes = ("a matrix product has one mode each of rows (I_m), columns (I_n) and summation (I_k)",)
            yield mistake("E0486", message, log.map.origin, notes=notes)


def _has(entry: yir.MapEntry, users: dict[str, tuple[bool, ...]], operands: tuple[bool, ...]) -> bool:
    return users[yir.flat_indices((entry,))[0]] == operands


RULES: tuple[Callable[[yir.Log], Iterator[Diagnostic]], ...] = (
    _alone,
    _looped_everywhere,
    _common_looped,
    _same_groups,
    _strides,
    _one_mode_each,
)
"""Each relies on those before it."""


# -- proposals ---------------------------------------------------------------------------------------------------------


def _looped(log: yir.Log) -> frozenset[str]:
    return frozenset(entry.name for _, entries in _entries(log) for entry in entries if isinstance(entry, yir.Looped))


def _legal_markings(log: yir.Log) -> Iterator[yir.LogMap]:
    """Maps of the same indices that keep the loops of this one: what fits as groups first, then more loops."""
    users = _users(log)
    looped = _looped(log) | {index for index, operands in users.items() if all(operands)}
    choices = [
        _choices(log, tuple(index for index in users if users[index] == operands and index not in looped))
        for operands in SETS.values()
    ]
    for chosen in product(*choices):
        groups = [group for group in chosen if len(group) > 1]
        kept = {index for group in chosen for index in group}
        map_ = _marked(log, {index for index in users if index not in kept}, groups)
        if map_ is not None and _first_mistake(replace(log, map=map_)) is None:
            yield map_


def _choices(log: yir.Log, indices: yir.Indices) -> tuple[yir.Indices, ...]:
    """Parts of a set that can stay: all of it as a group in the order of an operand, or its longest index alone."""
    if not indices:
        return ((),)
    extent = {
        index: size for operand, names in accesses(log) for index, size in zip(names, operand.type.shape, strict=True)
    }
    orders = [tuple(index for index in names if index in indices) for _, names in accesses(log)]
    groups = [order for order in dict.fromkeys(orders) if len(order) == len(indices)]
    return (*groups, (max(indices, key=lambda index: length(extent[index])),))


def _marked(log: yir.Log, looped: set[str], groups: list[yir.Indices]) -> yir.LogMap | None:
    left, right, target = (_marked_entries(indices, looped, groups) for _, indices in accesses(log))
    if left is None or right is None or target is None:
        return None
    return yir.LogMap(left, right, target, log.map.origin)


def _marked_entries(
    indices: yir.Indices, looped: set[str], groups: list[yir.Indices]
) -> tuple[yir.MapEntry, ...] | None:
    """The entries of one operand; None if the members of a group are no neighbours in it."""
    entries: list[yir.MapEntry] = []
    position = 0
    while position < len(indices):
        index = indices[position]
        group = next((group for group in groups if index in group), None)
        if group is None:
            entries.append(yir.Looped(index) if index in looped else yir.Plain(index))
            position += 1
        elif indices[position : position + len(group)] == group:
            entries.append(yir.Fused(group))
            position += len(group)
        else:
            return None
    return tuple(entries)
