"""Random functions of linalg on tensors: chains of structured operations, slices and reshapes whose extents fit."""

from dataclasses import dataclass, field
from math import prod
from random import Random

import numpy as np
from numpy.typing import NDArray

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named import Attributes, make

LETTERS = {2: "ab", 3: "cd", 4: "ef", 5: "g"}
"""Iterators by their extents."""

UNARY = ("math.tanh", "arith.negf", "math.absf", "math.erf")
Array = NDArray[np.generic]


@dataclass
class Writer:
    """A function while it is written."""

    random: Random
    element: mlir.ScalarType
    arguments: list[mlir.Value] = field(default_factory=list)
    operations: list[mlir.Operation] = field(default_factory=list)
    values: list[mlir.Value] = field(default_factory=list)
    count: int = 0

    def type(self, shape: tuple[int, ...]) -> mlir.TensorType:
        return mlir.TensorType(shape, self.element)

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def argument(self, shape: tuple[int, ...]) -> mlir.Value:
        value = mlir.Value(f"arg{len(self.arguments)}", self.type(shape))
        self.arguments.append(value)
        self.values.append(value)
        return value

    def result(self, shape: tuple[int, ...]) -> mlir.Value:
        return mlir.Value(self.name(), self.type(shape))

    def add(self, operation: mlir.Operation, value: mlir.Value) -> mlir.Value:
        self.operations.append(operation)
        self.values.append(value)
        return value

    def any(self, least: int = 0) -> mlir.Value:
        """A value of at least so many modes."""
        fitting = [each for each in self.values if len(shape_of(each)) >= least]
        return self.random.choice(fitting) if fitting else self.argument(self.shape(least))

    def shape(self, least: int = 0) -> tuple[int, ...]:
        return tuple(self.random.choice((2, 3, 4, 5)) for _ in range(self.random.randint(max(least, 1), 3)))

    def start(self, shape: tuple[int, ...]) -> mlir.Value:
        """What a reduction begins with: a number everywhere, or a value that is there."""
        same = [each for each in self.values if shape_of(each) == shape]
        if same and self.random.random() < 0.3:
            return self.random.choice(same)
        number = mlir.Value(self.name(), self.element)
        value = 0.0 if self.random.random() < 0.8 else 0.5
        self.operations.append(mlir.Literal(number, value))
        empty = self.result(shape)
        self.operations.append(mlir.Allocate(empty))
        filled = self.result(shape)
        self.operations.append(make("fill", (number,), (empty,), (filled,)))
        return filled

    # -- operations ----------------------------------------------------------------------------------------------------

    def contraction(self) -> None:
        inputs = [self.any(1) for _ in range(self.random.choice((1, 2, 2, 2, 3)))]
        modes = [self.letters(shape_of(each)) for each in inputs]
        found = list(dict.fromkeys("".join(modes)))
        kept = self.random.sample(found, self.random.randint(0, min(3, len(found))))
        order = kept + [each for each in found if each not in kept]
        shape = tuple(extent_of(letter) for letter in kept)
        output = self.start(shape)
        maps = tuple(mlir.AffineMap.of_dims(len(order), tuple(map(order.index, each))) for each in (*modes, kept))
        iterators = tuple(mlir.IteratorType.PARALLEL if each in kept else mlir.IteratorType.REDUCTION for each in order)
        result = self.result(shape)
        payload = self.product(len(inputs))
        self.add(mlir.Structured("generic", tuple(inputs), (output,), maps, iterators, payload, (result,)), result)

    def letters(self, shape: tuple[int, ...]) -> str:
        """An iterator for each mode; one may walk two modes."""
        return "".join(self.random.choice(LETTERS[extent]) for extent in shape)

    def product(self, count: int) -> mlir.Payload:
        arguments = tuple(mlir.Value(self.name(), self.element) for _ in range(count + 1))
        operations: list[mlir.PayloadOperation] = []
        value = arguments[0]
        for factor in arguments[1:count]:
            name = "arith.mulf" if self.random.random() < 0.85 else "arith.addf"
            operations.append(mlir.Scalar(mlir.Value(self.name(), self.element), name, (value, factor)))
            value = operations[-1].result
        added = mlir.Scalar(mlir.Value(self.name(), self.element), "arith.addf", (arguments[-1], value))
        return mlir.Payload(arguments, (*operations, added), (added.result,))

    def elementwise(self) -> None:
        value = self.any(1)
        shape = shape_of(value)
        others = [each for each in self.values if shape_of(each) == shape[-1:] or shape_of(each) == shape]
        other = self.random.choice(others) if others else value
        rank = len(shape)
        kept = tuple(range(rank))[rank - len(shape_of(other)) :]
        maps = tuple(mlir.AffineMap.of_dims(rank, each) for each in (tuple(range(rank)), kept, tuple(range(rank))))
        empty, result = self.result(shape), self.result(shape)
        self.operations.append(mlir.Allocate(empty))
        arguments = tuple(mlir.Value(self.name(), self.element) for _ in range(3))
        operations: list[mlir.PayloadOperation] = []

        def scalar(
            name: str, *operands: mlir.Value, predicate: str = "", type_: mlir.ScalarType | None = None
        ) -> mlir.Value:
            operations.append(mlir.Scalar(mlir.Value(self.name(), type_ or self.element), name, operands, predicate))
            return operations[-1].result

        found = scalar(self.random.choice(("arith.addf", "arith.subf", "arith.maximumf")), *arguments[:2])
        match self.random.randint(0, 2):
            case 0:
                found = scalar(self.random.choice(UNARY), found)
            case 1:
                compared = scalar("arith.cmpf", found, arguments[0], predicate="ugt", type_=mlir.ScalarType.I1)
                found = scalar("arith.select", compared, found, arguments[1])
            case _:
                pass
        payload = mlir.Payload(arguments, tuple(operations), (found,))
        iterators = (mlir.IteratorType.PARALLEL,) * rank
        self.add(mlir.Structured("generic", (value, other), (empty,), maps, iterators, payload, (result,)), result)

    def named(self) -> None:
        value = self.any(1)
        shape = shape_of(value)
        rank = len(shape)
        match self.random.choice(("transpose", "broadcast", "reduce", "elementwise")):
            case "transpose":
                order = tuple(self.random.sample(range(rank), rank))
                made = tuple(shape[mode] for mode in order)
                self.structured("transpose", value, made, Attributes(dimensions=order))
            case "broadcast" if rank < 3:
                mode = self.random.randint(0, rank)
                made = (*shape[:mode], self.random.choice((2, 3)), *shape[mode:])
                self.structured("broadcast", value, made, Attributes(dimensions=(mode,)))
            case "reduce":
                mode = self.random.randrange(rank)
                output = self.start((*shape[:mode], *shape[mode + 1 :]))
                payload = self.product(1)
                result = self.result(shape_of(output))
                attributes = Attributes(dimensions=(mode,))
                self.add(make("reduce", (value,), (output,), (result,), attributes, payload), result)
            case _:
                self.structured(self.random.choice(("tanh", "negf", "square")), value, shape, Attributes())

    def structured(self, name: str, value: mlir.Value, shape: tuple[int, ...], attributes: Attributes) -> None:
        empty, result = self.result(shape), self.result(shape)
        self.operations.append(mlir.Allocate(empty))
        self.add(make(name, (value,), (empty,), (result,), attributes), result)

    def part(self) -> None:
        value = self.any(1)
        shape = shape_of(value)
        offsets = tuple(self.random.randint(0, extent - 2) for extent in shape)
        sizes = tuple(self.random.randint(2, extent - first) for extent, first in zip(shape, offsets, strict=True))
        steps = (1,) * len(shape)
        result = self.result(sizes)
        self.add(mlir.Slice(result, value, offsets, sizes, steps), result)
        if self.random.random() < 0.5:
            whole = self.result(shape)
            self.add(mlir.InsertSlice(whole, result, value, tuple(reversed_fit(shape, sizes)), sizes, steps), whole)

    def reshape(self) -> None:
        """What is computed is put together and taken apart again."""
        value = self.any(2)
        if value in self.arguments:
            self.structured("tanh", value, shape_of(value), Attributes())
            value = self.values[-1]
        shape = shape_of(value)
        groups = ((0, 1), *((mode,) for mode in range(2, len(shape))))
        flat = self.result((prod(shape[:2]), *shape[2:]))
        self.operations.append(mlir.Reshape(flat, value, groups, is_expansion=False))
        empty, middle = self.result(shape_of(flat)), self.result(shape_of(flat))
        self.operations.append(mlir.Allocate(empty))
        self.operations.append(make("negf", (flat,), (empty,), (middle,)))
        result = self.result(shape)
        self.add(mlir.Reshape(result, middle, groups, is_expansion=True, sizes=shape), result)


def reversed_fit(shape: tuple[int, ...], sizes: tuple[int, ...]) -> list[int]:
    """Offsets of a part that reaches to the end of each mode."""
    return [extent - size for extent, size in zip(shape, sizes, strict=True)]


def shape_of(value: mlir.Value) -> tuple[int, ...]:
    """The extents, which are known."""
    assert isinstance(value.type, mlir.TensorType)
    return tuple(size or 0 for size in value.type.shape)


def extent_of(letter: str) -> int:
    """The extent of an iterator."""
    return next(extent for extent, letters in LETTERS.items() if letter in letters)


def function(random: Random, most: int = 4) -> mlir.Module:
    """A module with one function `f`, of up to so many steps."""
    writer = Writer(random, random.choice((mlir.ScalarType.F64, mlir.ScalarType.F64, mlir.ScalarType.F32)))
    for _ in range(random.randint(1, 3)):
        writer.argument(writer.shape())
    steps = (writer.contraction, writer.contraction, writer.elementwise, writer.named, writer.part, writer.reshape)
    for _ in range(random.randint(1, most)):
        random.choice(steps)()
    if writer.values[-1] in writer.arguments:
        writer.contraction()
    returned = [writer.values[-1]]
    computed = [each for each in writer.values if each not in writer.arguments]
    if random.random() < 0.2:
        returned.append(random.choice(computed))
    types = tuple(each.type for each in returned)
    body = (*writer.operations, mlir.Return(tuple(returned)))
    return mlir.Module((mlir.Function("f", tuple(writer.arguments), types, body),))


def arrays(module: mlir.Module, seed: int) -> list[Array]:
    """Random arguments of the function."""
    generator = np.random.default_rng(seed)
    dtype = np.float64 if element_of(module) is mlir.ScalarType.F64 else np.float32
    return [generator.uniform(-1, 1, shape_of(each)).astype(dtype) for each in module.functions[0].arguments]


def element_of(module: mlir.Module) -> mlir.ScalarType:
    """The type of all numbers of the function."""
    type_ = module.functions[0].arguments[0].type
    assert isinstance(type_, mlir.TensorType)
    return type_.element
