"""Generated definitions of tc, and arrays for them."""

from dataclasses import dataclass

from hypothesis import strategies as st

from einsum_front.tc.nodes import Access, Affine, Apply, Comprehension, Definition, Expression, Program, TensorDef

LETTERS = "mnijkl"
UNARY = ("std_exp", "std_tanh", "std_negf", "AbsFOp")
BINARY = ("std_addf", "std_mulf", "std_subf", "AddFOp", "MulFOp", "std_maxf")


@dataclass(frozen=True)
class Case:
    """A definition, and a number for each of its sizes."""

    definition: Definition
    sizes: dict[str, int]


def single(name: str, factor: int = 1) -> Affine:
    return Affine(((name, factor),))


@st.composite
def cases(draw: st.DrawFn, *, is_contraction: bool = False, has_windows: bool = True) -> Case:
    """A definition with one to three inputs, and windows where two iterators share a mode."""
    names = list(LETTERS[: draw(st.integers(1, 5))])
    parallel = names[: draw(st.integers(0, len(names)))]
    reduced = names[len(parallel) :]
    sizes = {name.upper(): draw(st.integers(1, 4)) for name in names}
    type_ = draw(st.sampled_from(("f32", "f64")))
    accesses, inputs = [], []
    count = draw(st.integers(1, 3))
    walked = [draw(st.permutations(names))[: draw(st.integers(0, len(names)))] for _ in range(count)]
    walked[-1] += [name for name in names if not any(name in each for each in walked)]  # extents of all are told
    for number, modes in enumerate(walked):
        positions, shape = [single(name) for name in modes], [single(name.upper()) for name in modes]
        if has_windows and parallel and reduced and draw(st.booleans()):
            first, second = draw(st.sampled_from(parallel)), draw(st.sampled_from(reduced))
            positions.append(Affine(((first, 1), (second, 1))))
            shape.append(Affine(((first.upper(), 1), (second.upper(), 1)), draw(st.integers(-1, 1))))
        inputs.append(TensorDef(f"A{number}", type_, tuple(shape)))
        accesses.append(Access(f"A{number}", tuple(positions)))
    order = draw(st.permutations(parallel))
    target = Access("C", tuple(map(single, order)))
    output = TensorDef("C", type_, tuple(single(name.upper()) for name in order))
    value: Expression = accesses[0]
    for access in accesses[1:]:
        operation = "std_mulf" if is_contraction else draw(st.sampled_from(BINARY))
        value = Apply(operation, (value, access))
    if not is_contraction and draw(st.booleans()):
        value = Apply(draw(st.sampled_from(UNARY)), (value,))
    if reduced:
        operation = "std_addf" if is_contraction else draw(st.sampled_from(("std_addf", "AddFOp", "std_maxf")))
        said = (target, value) if draw(st.booleans()) else (value,)
        value = Apply(operation, said, tuple(draw(st.permutations(reduced))))
    ods_name = draw(st.sampled_from(("", "FooOp")))
    docstring = draw(st.sampled_from(("", "A text.")))
    body = Comprehension((target,), (value,))
    return Case(Definition("foo", tuple(inputs), (output,), (body,), ods_name, docstring), sizes)


def programs() -> st.SearchStrategy[Program]:
    return cases().map(lambda case: Program((case.definition,)))
