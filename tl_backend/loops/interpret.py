"""Interpreter of loops: point after point, whatever they are bound to; registers of stages are apart from memory."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.loops.nodes import (
    Access,
    Apply,
    Binding,
    Elements,
    Fill,
    Loop,
    Loops,
    Nodes,
    Number,
    Operand,
    Prefetch,
    Product,
    Result,
    Scalar,
    Stage,
    Update,
    Write,
)
from einsum_front.tl_backend.scalars import call as evaluate
from einsum_front.tl_backend.scalars import make

Array = NDArray[Any]

BATCH = " lanes of the rest"
"""The axis that is 0 in elements that fill no block, under a name that no axis has."""


def interpret(loops: Loops, arguments: Mapping[str, object], elements: int) -> None:
    """Runs loops on arrays of the shapes of the tensors, an axis of elements first where each has its own.

    Results are in place. Entries of tensors with known values need not be passed.
    """
    _Run(loops, dict(arguments), elements).run()


@dataclass(slots=True)
class _Run:
    """A run: `memory` are the arrays, each with an axis of elements in front, `written` what stages have written.

    `positions` are those of accesses, by their identity: each is asked for at every point.
    """

    loops: Loops
    arguments: dict[str, object]
    elements: int
    memory: dict[str, Array] = field(default_factory=dict)
    written: dict[str, list[set[tuple[int, ...]]]] = field(default_factory=dict)
    positions: dict[int, Affine] = field(default_factory=dict)

    def run(self) -> None:
        for tensor in self.loops.tensors:
            dtype = np.float32 if tensor.element.value == "f32" else np.float64
            if tensor.is_temporary:
                self.memory[tensor.name] = np.full((self.elements, *tensor.shape), np.nan, dtype)
            elif tensor.values is not None:
                known = np.zeros(tensor.size, dtype)
                for position, value in tensor.values:
                    known[position] = value
                self.memory[tensor.name] = known.reshape(tensor.shape, order="F")[None]
            else:
                array = np.asarray(self.arguments[tensor.name])
                self.memory[tensor.name] = array if tensor.batch is not None else array[None]
        self._nodes(self.loops.body, {})

    def _nodes(self, nodes: Nodes, at: dict[str, int]) -> None:
        for node in nodes:
            match node:
                case Loop():
                    self._loop(node, at)
                case Stage():
                    self._stage(node, at)
                case Product():
                    self._product(node, at)
                case Apply():
                    self._apply(node, at)
                case Prefetch():
                    pass

    def _loop(self, loop: Loop, at: dict[str, int]) -> None:
        match loop.extent:
            case Elements(block=block):
                whole = self.elements // block
                for number in range(whole):
                    self._nodes(loop.body, at | {loop.axis: number})
                for element in range(whole * block, self.elements):  # one by one: lane 0 of a block that starts there
                    self._nodes(loop.body, at | {loop.axis: 0, BATCH: element})
            case int() as extent:
                is_lanes = loop.binding is Binding.VECTOR and BATCH in at and self._is_of_elements(loop)
                for number in range(1 if is_lanes else extent):
                    self._nodes(loop.body, at | {loop.axis: number})

    @staticmethod
    def _is_of_elements(loop: Loop) -> bool:
        (update,) = loop.body
        if not isinstance(update, Update):
            raise CompilerBug("a vector of more than an update")
        return any(each.element is not None and loop.axis in each.element.names for each in update.accesses)

    def _stage(self, stage: Stage, at: dict[str, int]) -> None:
        outside, before = self.memory[stage.tensor], self.written.get(stage.tensor)
        match stage.fill:
            case Fill.LOAD:
                inside = outside.copy()
            case Fill.ZERO:
                inside = np.zeros_like(outside)
            case Fill.NOTHING:
                inside = np.full_like(outside, np.nan)
        self.memory[stage.tensor] = inside
        self.written[stage.tensor] = [set()]
        self._nodes(stage.body, at)
        places = self.written[stage.tensor][0]
        for place in places if stage.write is not Write.NOTHING else ():
            outside[place] = inside[place] + (outside[place] if stage.write is Write.ADD else 0)
        self.memory[stage.tensor] = outside
        if before is None:
            del self.written[stage.tensor]
        else:
            before[0] |= places
            self.written[stage.tensor] = before

    def _product(self, product: Product, at: dict[str, int]) -> None:
        value: Any = None
        for factor in product.factors:
            each = self._operand(factor, at, {})
            value = each if value is None else value * each
        self._store(product, value, at)

    def _apply(self, apply: Apply, at: dict[str, int]) -> None:
        results: dict[str, Any] = {}
        element = self.loops.by_name[apply.target.tensor].element
        for call in apply.calls:
            operands = [make(self._operand(each, at, results), element) for each in call.operands]
            results[call.name] = evaluate(call.function, operands, element)
        self._store(apply, self._operand(apply.value, at, results), at)

    def _operand(self, operand: Operand, at: dict[str, int], results: dict[str, Any]) -> Any:
        match operand:
            case Access():
                return self.memory[operand.tensor][self._place(operand, at)]
            case Number(value=number):
                return number
            case Scalar(name=name):
                return self.arguments[name]
            case Result(name=name):
                return results[name]

    def _store(self, update: Update, value: Any, at: dict[str, int]) -> None:
        place, array = self._place(update.target, at), self.memory[update.target.tensor]
        array[place] = array[place] + value if update.adds else value
        if update.target.tensor in self.written:
            self.written[update.target.tensor][0].add(place)

    def _place(self, access: Access, at: dict[str, int]) -> tuple[int, ...]:
        tensor, known = self.loops.by_name[access.tensor], self.positions.get(id(access))
        if known is None:
            known = self.positions[id(access)] = tensor.position(access.index)
        position, inside = self._value(known, at), list[int]()
        for size in tensor.shape:
            position, digit = divmod(position, size)
            inside.append(digit)
        if tensor.batch is not None and access.element is not None:
            return (at.get(BATCH, 0) + self._value(access.element, at), *inside)
        if tensor.is_temporary and access.element is not None:
            return (self._value(access.element, at), *inside)
        return (0, *inside)

    @staticmethod
    def _value(affine: Affine, at: dict[str, int]) -> int:
        return affine.constant + sum(factor * at[name] for name, factor in affine.terms)
