"""Values of the tensor language that an entry is set to, as a product or as a function of entries.

%a = load %x[%i]           a value has calls of functions, which take what was loaded
%b = arith.mul %a, 2.0
%c = math.exp %b
store %c, %y[%i]           y[i] = { b = mul(x[i], 2.0)  c = exp(b)  c }
"""

from collections.abc import Iterator
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.functions import Function
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.loops.nodes import (
    ARITHMETIC,
    VALUE,
    Access,
    Apply,
    Call,
    Factor,
    Number,
    Operand,
    Product,
    Result,
    Scalar,
)
from einsum_front.tl_backend.types import ScalarType


class NoLoopsError(Exception):
    """A function is none that loops can say; the text is half a sentence for users."""


MOST_FACTORS = 8
"""Factors of a product: a value that is squared again and again has twice as many each time."""

Computed = tl.ArithBinary | tl.ArithUnary | tl.MathCall
"""Instructions that compute a number."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    """An entry, when it was loaded, and in which region."""

    access: Access
    time: int
    region: int


@dataclass(slots=True)
class Expressions:
    """What names mean so far; `region` is the one that is read, `scalars` are the arguments that are numbers."""

    scalars: frozenset[str]
    region: int = 0
    types: set[ScalarType] = field(default_factory=set)
    _time: int = 0
    _known: dict[str, _Loaded | Call] = field(default_factory=dict)
    _same: dict[str, tl.Operand] = field(default_factory=dict)
    _written: dict[str, int] = field(default_factory=dict)

    # -- what is said --------------------------------------------------------------------------------------------------

    def note(self, instruction: Computed) -> None:
        """A value that is computed; raises `NoLoopsError` for what loops have no function for."""
        name, type_ = instruction.result.name, instruction.type
        self.types.add(type_)
        match instruction:
            case tl.MathCall(function=function, operands=operands):
                call = Call(name, function, tuple(map(self._operand, operands)))
            case tl.ArithUnary(operand=operand):
                call = Call(name, Function.MUL, (Number(-1.0), self._operand(operand)))
            case tl.ArithBinary(operator=operator, left=left, right=right):
                if operator.value not in {each.value for each in ARITHMETIC}:
                    raise NoLoopsError(f"loops have no function for `arith.{operator.value}`")
                call = Call(name, Function(operator.value), (self._operand(left), self._operand(right)))
        self._known[name] = call

    def same(self, name: str, operand: tl.Operand) -> None:
        """A cast to the type that the operand has, as that of the number that fills a tensor."""
        self._same[name] = operand

    def load(self, name: str, access: Access) -> None:
        """An entry gets a name."""
        self._known[name] = _Loaded(access, self._time, self.region)

    def written(self, tensor: str) -> None:
        """A tensor is written: what was loaded of it before is no longer what it has."""
        self._time += 1
        self._written[tensor] = self._time

    def _operand(self, operand: tl.Operand) -> Operand:
        match operand:
            case tl.Local(name=name) if name in self._same:
                return self._operand(self._same[name])
            case tl.Local(name=name) if name in self.scalars:
                return Scalar(name)
            case tl.Local(name=name) if name in self._known:
                return Result(name)
            case tl.Local(name=name):
                raise NoLoopsError(f"`%{name}` is no number that loops know")
            case tl.ComplexConstant():
                raise NoLoopsError("loops compute with real numbers")
            case tl.IntegerConstant(value=value) | tl.FloatConstant(value=value):
                return Number(float(value))

    # -- what is set ---------------------------------------------------------------------------------------------------

    def update(self, target: Access, operand: tl.Operand, origin: Origin) -> Product | Apply:
        """The entry set to the value, as a product where it is one."""
        value = self._at_hand(self._operand(operand))
        factors = self._factors(value)
        if factors is not None:
            return Product(target, False, factors, origin)
        match self._known[value.name] if isinstance(value, Result) else None:
            case Call(function=Function.ADD, operands=(left, right)):
                for one, other in ((left, right), (right, left)):
                    added = self._factors(self._at_hand(other))
                    if self._at_hand(one) == target and added is not None:
                        return Product(target, True, added, origin)
            case _:  # open: every other function
                pass
        calls = tuple(self._calls(value))
        if len(calls) == 1:
            calls, value = (replace(calls[0], name=VALUE),), Result(VALUE)
        return Apply(target, calls, value, origin)

    def _at_hand(self, operand: Operand) -> Operand:
        """The operand; what was loaded is the entry, if it has not been written since."""
        loaded = self._known[operand.name] if isinstance(operand, Result) else None
        if not isinstance(loaded, _Loaded):
            return operand
        if loaded.region != self.region or self._written.get(loaded.access.tensor, 0) > loaded.time:
            raise NoLoopsError(f"an entry of `{loaded.access.tensor}` is loaded before others, and used after them")
        return loaded.access

    def _factors(self, operand: Operand, most: int = MOST_FACTORS) -> tuple[Factor, ...] | None:
        """The factors of a value; None if it is no product of at most so many."""
        if not isinstance(operand, Result):
            return (operand,)
        call = self._known[operand.name]
        if not isinstance(call, Call) or call.function is not Function.MUL or most < len(call.operands):
            return None
        left, right = map(self._at_hand, call.operands)
        first = self._factors(left, most - 1)
        second = None if first is None else self._factors(right, most - len(first))
        return None if first is None or second is None else first + second

    def _calls(self, value: Operand) -> Iterator[Call]:
        """The calls that a value needs, each after those that it needs itself."""
        done: set[str] = set()
        todo = [value]
        while todo:
            top = todo[-1]
            call = self._known[top.name] if isinstance(top, Result) and top.name not in done else None
            if not isinstance(call, Call):
                todo.pop()
                continue
            operands = tuple(map(self._at_hand, call.operands))
            missing = [each for each in operands if isinstance(each, Result) and each.name not in done]
            if missing:
                todo += missing
                continue
            done.add(call.name)
            todo.pop()
            yield Call(call.name, call.function, operands)
