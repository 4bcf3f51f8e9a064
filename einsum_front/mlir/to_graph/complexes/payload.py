"""The payload of a structured operation with complex operands, over parts."""

from dataclasses import replace
from typing import Protocol

from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.scalars import ENTRIES
from einsum_front.mlir.to_graph.complexes.values import TURNED, WHOLE, Part, as_real, real_element
from einsum_front.mlir.to_graph.refuse import refused


class Parts(Protocol):
    """What the function around an operation gives: names, numbers that are known, and values in front of it."""

    names: Names
    known: dict[str, complex]
    numbers: dict[str, tuple[mlir.Value, mlir.Value]]

    def vector(self, real: float, imaginary: float, element: mlir.ScalarType) -> mlir.Value:
        """A constant that the iterator of parts walks."""

    def zero(self, element: mlir.ScalarType) -> mlir.Value:
        """The number 0 in front of the operation."""

    def turned(self, value: mlir.Value) -> mlir.Value:
        """The tensor times the imaginary unit."""


Terms = list[tuple[int, mlir.Value]]
"""Values that are added up, each with its sign; none is zero."""


class Payload:
    """One structured operation with complex operands."""

    def __init__(self, function: Parts, operation: mlir.Structured) -> None:
        self._function = function
        self._operation = operation
        self._definitions = {each.result.name: each for each in operation.payload.operations}
        self._places = {each.name: place for place, each in enumerate(operation.payload.arguments)}
        outputs = {each.element.part is None for each in operation.outputs}
        if len(outputs) > 1:
            raise refused("outputs of one operation are all complex or all real", operation.origin)
        self._has_parts = outputs == {False}
        self._dims = len(operation.iterators) + self._has_parts
        self._inputs: dict[tuple[str, tuple[mlir.AffineExpr, ...]], tuple[mlir.Value, mlir.Value]] = {}
        self._found: dict[tuple[str, Part], mlir.Value | None] = {}
        self._made: list[mlir.PayloadOperation] = []
        arguments = operation.payload.arguments[len(operation.inputs) :]
        self._outputs = [mlir.Value(self._fresh(), real_element(each.element)) for each in arguments]

    def made(self) -> mlir.Structured:
        """The operation over parts."""
        operation, count = self._operation, len(self._operation.inputs)
        yields = []
        for value in operation.payload.yields:
            found = self._value(value.name, WHOLE) if self._has_parts else self._number(value.name)
            yields.append(found or self._function.zero(real_element(value.element)))
        given = [each for _, each in self._inputs.values()]
        maps = [mlir.AffineMap(self._dims, results) for _, results in self._inputs]
        walked = (mlir.Dim(self._dims - 1),) if self._has_parts else ()
        maps += [mlir.AffineMap(self._dims, (*each.results, *walked), each.origin) for each in operation.maps[count:]]
        payload = mlir.Payload((*given, *self._outputs), tuple(self._made), tuple(yields), operation.payload.origin)
        return mlir.Structured(
            "generic",
            tuple(each for each, _ in self._inputs.values()),
            tuple(map(as_real, operation.outputs)),
            tuple(maps),
            (*operation.iterators, *((mlir.IteratorType.PARALLEL,) if self._has_parts else ())),
            payload,
            tuple(map(as_real, operation.results)),
            location=operation.location,
            origin=operation.origin,
        )

    # -- operands and operations -----------------------------------------------------------------------------------

    def _fresh(self) -> str:
        return self._function.names.fresh("p")

    def _operand(self, value: mlir.Value, positions: tuple[mlir.AffineExpr, ...]) -> mlir.Value:
        key = value.name, positions
        if key not in self._inputs:
            self._inputs[key] = value, mlir.Value(self._fresh(), value.element, value.origin)
        return self._inputs[key][1]

    def _vector(self, real: float, imaginary: float, element: mlir.ScalarType) -> mlir.Value:
        vector = self._function.vector(real, imaginary, element)
        return self._operand(vector, (mlir.Dim(self._dims - 1),))

    def _computed(
        self, name: str, *operands: mlir.Value, type_: mlir.ScalarType | None = None, predicate: str = ""
    ) -> mlir.Value:
        result = mlir.Value(self._fresh(), type_ or operands[0].element)
        self._made.append(mlir.Scalar(result, name, operands, predicate, origin=self._operation.origin))
        return result

    def _literal(self, number: float, element: mlir.ScalarType) -> mlir.Value:
        result = mlir.Value(self._fresh(), element)
        self._made.append(mlir.Literal(result, number))
        return result

    def _times(self, *factors: mlir.Value | None) -> Terms:
        first, *others = factors
        for each in others:
            first = None if first is None or each is None else self._computed("arith.mulf", first, each)
        return [] if first is None else [(1, first)]

    def _added(self, terms: Terms) -> mlir.Value | None:
        ordered = sorted(terms, key=lambda term: -term[0])
        if not ordered:
            return None
        (sign, total), *others = ordered
        total = total if sign > 0 else self._computed("arith.negf", total)
        for sign, each in others:
            total = self._computed("arith.addf" if sign > 0 else "arith.subf", total, each)
        return total

    # -- values ----------------------------------------------------------------------------------------------------

    def _value(self, name: str, part: Part) -> mlir.Value | None:
        """A part of a complex value; None for zero."""
        if (name, part) not in self._found:
            self._found[name, part] = self._added(self._terms(name, part))
        return self._found[name, part]

    def _terms(self, name: str, part: Part) -> Terms:
        definition = self._definitions.get(name)
        match definition:
            case None:
                return self._given(name, part)
            case mlir.Literal(value=value, result=result):
                assert isinstance(value, tuple)
                return self._constant(complex(*value), part, result.element)
            case mlir.Scalar():
                return self._scalar(definition, part)
            case mlir.IndexOf():
                raise refused("a position is no complex number", self._operation.origin)

    def _constant(self, value: complex, part: Part, type_: mlir.ScalarType) -> Terms:
        element = real_element(type_)
        value = value * 1j if part == TURNED else value
        if isinstance(part, int):
            number = (value.real, value.imag)[part]
            return [(1, self._literal(number, element))] if number else []
        return [(1, self._vector(value.real, value.imag, element))] if value else []

    def _given(self, name: str, part: Part) -> Terms:
        """A part of an operand, or of a number around the payload."""
        place = self._places.get(name)
        operation, count = self._operation, len(self._operation.inputs)
        operand = None if place is None else operation.operands[place]
        outer = name if operand is None else operand.name
        if outer in self._function.known:
            type_ = operation.payload.arguments[place].element if place is not None else self._type_of(name)
            return self._constant(self._function.known[outer], part, type_)
        if operand is None or isinstance(operand.type, mlir.ScalarType):
            real, imaginary = self._function.numbers[outer]
            if operand is not None:
                real, imaginary = (self._operand(each, ()) for each in (real, imaginary))
            return self._of_parts(real, imaginary, part)
        assert place is not None
        if place >= count and part == WHOLE:
            return [(1, self._outputs[place - count])]
        if place >= count and mlir.IteratorType.REDUCTION in operation.iterators:
            raise refused("a reduction multiplies complex numbers, or takes their parts", operation.origin)
        positions = operation.maps[place].results
        if isinstance(part, int):
            return [(1, self._operand(as_real(operand), (*positions, mlir.Constant(part))))]
        found = self._function.turned(operand) if part == TURNED else as_real(operand)
        return [(1, self._operand(found, (*positions, mlir.Dim(self._dims - 1))))]

    def _type_of(self, name: str) -> mlir.ScalarType:
        used = (value for each in self._definitions.values() for value in mlir.operands_of(each))
        return next(each.element for each in (*used, *self._operation.payload.yields) if each.name == name)

    def _of_parts(self, real: mlir.Value | None, imaginary: mlir.Value | None, part: Part) -> Terms:
        """A part of a number whose parts are these."""
        if isinstance(part, int):
            return self._times((real, imaginary)[part])
        known = real or imaginary
        if known is None:
            return []
        one, unit = (self._vector(*each, known.element) for each in ((1.0, 0.0), (0.0, 1.0)))
        if part == WHOLE:
            return self._times(real, one) + self._times(imaginary, unit)
        return _negated(self._times(imaginary, one)) + self._times(real, unit)

    def _scalar(self, operation: mlir.Scalar, part: Part) -> Terms:
        names = [each.name for each in operation.operands]
        match operation.name:
            case "complex.add":
                return self._terms(names[0], part) + self._terms(names[1], part)
            case "complex.sub":
                return self._terms(names[0], part) + _negated(self._terms(names[1], part))
            case "complex.neg":
                return _negated(self._terms(names[0], part))
            case "complex.conj":
                real, imaginary = self._value(names[0], 0), self._value(names[0], 1)
                if isinstance(part, int):
                    return self._times(real) if part == 0 else _negated(self._times(imaginary))
                minus = None if imaginary is None else self._computed("arith.negf", imaginary)
                return self._of_parts(real, minus, part)
            case "complex.create":
                real, imaginary = (None if self._is_zero(each) else self._number(each) for each in names)
                return self._of_parts(real, imaginary, part)
            case "complex.mul":
                split, whole = sorted(names, key=self._stays_whole)
                return self._product(split, whole, part, 1)
            case "complex.div":
                parts = [self._value(names[1], 0), self._value(names[1], 1)]
                square = self._added([term for each in parts for term in self._times(each, each)])
                total = self._added(self._product(names[1], names[0], part, -1))
                if square is None:
                    square = self._literal(0.0, real_element(operation.result.element))
                return [] if total is None else [(1, self._computed("arith.divf", total, square))]
            case name if name in ENTRIES:
                source, *places = operation.operands
                at = [self._number(each.name) for each in places]
                real, imaginary = (self._entry(name, source, at, number) for number in (0, 1))
                return self._of_parts(real, imaginary, part)
            case "arith.select":
                taken, other = (
                    self._value(each, part) or self._literal(0.0, real_element(operation.result.element))
                    for each in names[1:]
                )
                condition = self._number(names[0])
                return [(1, self._computed("arith.select", condition, taken, other, type_=taken.element))]
            case name:
                raise refused(f"`{name}` of complex numbers is not computed", operation.origin)

    def _entry(self, name: str, source: mlir.Value, at: list[mlir.Value], part: int) -> mlir.Value:
        """A part of an entry of a tensor."""
        number = mlir.Value(self._fresh(), mlir.ScalarType.INDEX)
        self._made.append(mlir.Literal(number, part))
        return self._computed(name, as_real(source), *at, number, type_=real_element(source.element))

    def _product(self, split: str, whole: str, part: Part, sign: int) -> Terms:
        """The product of two values, the first one conjugated where the sign is -1."""
        real, imaginary = self._value(split, 0), self._value(split, 1)
        others: dict[Part, Part] = {0: 1, 1: 0, WHOLE: TURNED, TURNED: WHOLE}
        own, other = part, others[part]
        first = self._times(real, None if real is None else self._value(whole, own))
        second = self._times(imaginary, None if imaginary is None else self._value(whole, other))
        return first + (second if (part in (1, WHOLE)) == (sign > 0) else _negated(second))

    def _stays_whole(self, name: str) -> tuple[bool, bool]:
        """Sorts the factor after the others that is multiplied by the imaginary unit."""
        place = self._places.get(name)
        if place is None:
            return False, False
        last = self._operation.maps[-1].results[-1:]
        return bool(self._operation.operands[place].shape), bool(set(last) & set(self._operation.maps[place].results))

    def _is_zero(self, name: str) -> bool:
        known = self._definitions.get(name)
        return isinstance(known, mlir.Literal) and known.value == 0

    def _number(self, name: str) -> mlir.Value:
        """A value that is no complex number."""
        if (name, "") not in self._found:
            self._found[name, ""] = self._of_numbers(name)
        found = self._found[name, ""]
        assert found is not None
        return found

    def _of_numbers(self, name: str) -> mlir.Value:
        operation, count = self._operation, len(self._operation.inputs)
        if (place := self._places.get(name)) is not None:
            if place >= count:
                return self._outputs[place - count]
            return self._operand(operation.operands[place], operation.maps[place].results)
        match self._definitions.get(name):
            case None:
                return mlir.Value(name, self._type_of(name))
            case mlir.Scalar(name=word, operands=operands) as scalar if word.startswith("complex."):
                return self._of_complex(scalar, [each.name for each in operands])
            case mlir.Scalar(operands=operands, result=result, name=word) as scalar:
                if any(each.shape for each in operands):
                    raise refused(f"`{word}` beside complex numbers is not read", scalar.origin)
                given = tuple(self._number(each.name) for each in operands)
                return self._computed(word, *given, type_=result.element, predicate=scalar.predicate)
            case mlir.Literal() | mlir.IndexOf() as known:
                result = mlir.Value(self._fresh(), known.result.type)
                self._made.append(replace(known, result=result))
                return result

    def _of_complex(self, operation: mlir.Scalar, names: list[str]) -> mlir.Value:
        """A real number or a condition that complex numbers make."""
        element = real_element(operation.operands[0].element)

        def part(name: str, number: int) -> mlir.Value:
            return self._value(name, number) or self._literal(0.0, element)

        match operation.name:
            case "complex.re" | "complex.im":
                return part(names[0], int(operation.name == "complex.im"))
            case "complex.abs":
                squares = [term for each in (part(names[0], 0), part(names[0], 1)) for term in self._times(each, each)]
                return self._computed("math.sqrt", self._added(squares) or self._literal(0.0, element))
            case _:  # open: the table has comparisons besides
                word, joined = ("oeq", "arith.andi") if operation.name == "complex.eq" else ("une", "arith.ori")
                both = [
                    self._computed(
                        "arith.cmpf",
                        *(part(each, number) for each in names),
                        type_=mlir.ScalarType.I1,
                        predicate=word,
                    )
                    for number in (0, 1)
                ]
                return self._computed(joined, *both)


def _negated(terms: Terms) -> Terms:
    return [(-sign, value) for sign, value in terms]
