"""Products of four tensors of four modes, all their orders, and texts for parts of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase, ascii_uppercase

EXTENT = 16
FACTORS = 4
MODES = 4


@dataclass(frozen=True, slots=True)
class Network:
    """A product: the indices of every factor, one letter a mode, and those of the result."""

    factors: tuple[str, ...]
    result: str

    def __str__(self) -> str:
        return f"{','.join(self.factors)}->{self.result}"


@dataclass(frozen=True, slots=True)
class Step:
    """A product of two tensors; names of factors are capitals, `T0` and `T1` are temporaries, `R` is the result."""

    left: str
    right: str
    target: str


@dataclass(frozen=True, slots=True)
class Order:
    """The products of an order, and the indices of all its tensors, temporaries included."""

    steps: tuple[Step, ...]
    indices: Mapping[str, str]

    @property
    def temporaries(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(step.target for step in self.steps[:-1])

    @property
    def products(self) -> frozenset[str]:
        """The factors of every product, whatever the order of the steps."""
        members = {name: name for name in self.indices}
        for step in self.steps:
            members[step.target] = "".join(sorted(members[step.left] + members[step.right]))
        return frozenset(members[step.target] for step in self.steps)

    @property
    def multiplications(self) -> int:
        """Of all steps."""
        return sum(self.multiplications_of(step) for step in self.steps)

    def multiplications_of(self, step: Step) -> int:
        """Of one step."""
        return int(EXTENT ** len(set(self.indices[step.left] + self.indices[step.right])))

    def room(self, step: Step) -> int:
        """The bytes of temporaries that are not there in a step, but at another time."""
        alive = [sum(self._bytes(name) for name in self._alive(number)) for number in range(len(self.steps))]
        return max(alive) - alive[self.steps.index(step)]

    def _alive(self, number: int) -> Iterator[str]:
        """The temporaries that a step reads or writes, or that are there meanwhile."""
        for name in self.temporaries:
            used = [place for place, step in enumerate(self.steps) if name in (step.left, step.right, step.target)]
            if used[0] <= number <= used[-1]:
                yield name

    def _bytes(self, name: str) -> int:
        return int(8 * EXTENT ** len(self.indices[name]))

    def __str__(self) -> str:
        texts = dict(zip(self.indices, self.indices, strict=True))
        for step in self.steps:
            texts[step.target] = f"({texts[step.left]} {texts[step.right]})"
        return texts[self.steps[-1].target][1:-1]


def draw(random: Random, result_modes: int) -> Network:
    """A connected product in which every index is in two factors, or in one and the result, modes in any order."""
    while True:
        shared = ascii_lowercase[: (FACTORS * MODES - result_modes) // 2]
        free = ascii_lowercase[len(shared) : len(shared) + result_modes]
        slots = random.sample(shared * 2 + free, FACTORS * MODES)
        factors = tuple("".join(slots[start : start + MODES]) for start in range(0, FACTORS * MODES, MODES))
        network = Network(factors, "".join(random.sample(free, result_modes)))
        if all(len(set(factor)) == MODES for factor in factors) and orders(network):
            return network


def orders(network: Network) -> list[Order]:
    """The orders without outer products whose temporaries have at most four modes: more do not fit into a work-item.

    Those that take more than four times the fewest operations are left out.
    """
    names = ascii_uppercase[:FACTORS]
    found = list(_orders(dict(zip(names, network.factors, strict=True)), tuple(names), (), network.result))
    fewest = min((order.multiplications for order in found), default=0)
    unique = {order.products: order for order in reversed(found) if order.multiplications <= 4 * fewest}
    return list(unique.values())[::-1]


def _orders(indices: dict[str, str], left: tuple[str, ...], steps: tuple[Step, ...], result: str) -> Iterator[Order]:
    if len(left) == 2:
        yield Order((*steps, Step(*left, "R")), indices | {"R": result})
        return
    for position, one in enumerate(left):
        for other in left[position + 1 :]:
            rest = tuple(name for name in left if name not in (one, other))
            elsewhere = result + "".join(indices[name] for name in rest)
            counted = Counter(indices[one] + indices[other])
            kept = "".join(index for index in counted if index in elsewhere)
            name = f"T{len(steps)}"
            if len(kept) <= MODES and len(kept) < sum(counted.values()):
                yield from _orders(indices | {name: kept}, (*rest, name), (*steps, Step(one, other, name)), result)


def text_of(order: Order, steps: Sequence[Step], layouts: Mapping[str, str]) -> str:
    """The notation of some steps of an order; a temporary that they make and read is one, any other an argument.

    `layouts` are the indices of tensors from the fastest to the slowest mode.
    """
    indices, made, read = order.indices, {step.target for step in steps}, {step.left for step in steps}
    read |= {step.right for step in steps}
    names = dict.fromkeys(name for step in steps for name in (step.left, step.right, step.target))
    lines = [_declaration(name, indices[name], layouts.get(name, indices[name]), name in made & read) for name in names]
    statements = (
        f"    {step.target}[{','.join(indices[step.target])}] = "
        f"{step.left}[{','.join(indices[step.left])}] * {step.right}[{','.join(indices[step.right])}]"
        for step in steps
    )
    return "\n".join([*lines, "kernel product {", *statements, "}"])


def _declaration(name: str, indices: str, layout: str, is_temporary: bool) -> str:
    shape = ", ".join(str(EXTENT) for _ in indices)
    if is_temporary:
        return f"temp {name}[{shape}]"
    return f"tensor {name}[{shape}] strided<{', '.join(str(EXTENT ** layout.index(index)) for index in indices)}>"
