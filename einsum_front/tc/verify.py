"""The rules of the language; each has the number of an error.

E0832  an operation is known, and has as many arguments as it takes
E0833  a tensor is declared once; each input is read, each output assigned once, and read by its own update only
E0834  an access has a position for each mode
E0835  a definition has one comprehension (first restriction of the reference)
E0836  a tensor has one indexing (second restriction)
E0837  iterators of outputs are parallel, all others are reduced by the outermost operation, for all outputs alike
E0838  the shapes tell the extent of each iterator, and positions lie inside of them
E0839  a type is one of numbers
E0840  definitions have different names
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from einsum_front.core.diagnostics import Diagnostic, raise_any
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.tc.nodes import (
    Access,
    Affine,
    Apply,
    Comprehension,
    Definition,
    Expression,
    Program,
    TensorDef,
    accesses,
    applications,
)
from einsum_front.tc.structure import (
    MEANINGS,
    all_accesses,
    extents_of,
    iterators_of,
    last_position,
    least,
    meaning,
    minus,
    plain,
    reductions_of,
)
from einsum_front.tc.unparse import affine_text, expression_text

TYPES = ("f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64")


def check(program: Program) -> None:
    """Raises `CompileError` with all mistakes that `verify` finds."""
    raise_any(verify(program))


def verify(program: Program) -> Iterator[Diagnostic]:
    """The rules that the definitions break; those on iterators are asked only where those on tensors hold."""
    named: dict[str, Definition] = {}
    for definition in program.definitions:
        if definition.name in named:
            also = [(named[definition.name].origin, "the first")]
            yield mistake("E0840", f"`{definition.name}` is defined twice", definition.origin, also=also)
        named.setdefault(definition.name, definition)
        found = list(_tensors(definition))
        yield from found or _iterators(definition)


# -- tensors and operations --------------------------------------------------------------------------------------------


def _tensors(definition: Definition) -> Iterator[Diagnostic]:
    declared: dict[str, TensorDef] = {}
    for tensor in definition.tensors:
        if tensor.name in declared:
            also = [(declared[tensor.name].origin, "the first")]
            yield mistake("E0833", f"`{tensor.name}` is declared twice", tensor.origin, also=also)
        declared.setdefault(tensor.name, tensor)
        if tensor.type not in TYPES:
            notes = (f"types are {', '.join(TYPES)}",)
            yield mistake("E0839", f"`{tensor.type}` is no type of numbers", tensor.origin, notes=notes)
    if len(definition.comprehensions) > 1:
        second = definition.comprehensions[1]
        notes = ("one comprehension may assign several outputs: `C(m), D(m) = …, …;`",)
        message = f"`{definition.name}` has {len(definition.comprehensions)} comprehensions, and may have one"
        yield mistake("E0835", message, second.origin, notes=notes)
        return
    body = definition.body
    yield from _operations(body)
    yield from _accesses(body, declared)
    yield from _assigned(definition, body)


def _operations(body: Comprehension) -> Iterator[Diagnostic]:
    for value in body.values:
        for each in applications(value):
            known = meaning(each.operation)
            if known is None:
                near = get_close_matches(plain(each.operation), MEANINGS, 1)
                notes = (f"operations are {', '.join(f'std_{name}' for name in MEANINGS)}",)
                helps = (f"`std_{near[0]}` has a similar name",) if near else ()
                yield mistake(
                    "E0832", f"there is no operation `{each.operation}`", each.origin, notes=notes, helps=helps
                )
                continue
            count = len(each.arguments)
            wanted = (known.arity - 1, known.arity) if each.over else (known.arity,)
            if count not in wanted:
                plural = "s" * (known.arity != 1)
                message = f"`{each.operation}` has {known.arity} argument{plural}, and {count} are given"
                yield mistake("E0832", message, each.origin)


def _accesses(body: Comprehension, declared: Mapping[str, TensorDef]) -> Iterator[Diagnostic]:
    seen: dict[str, Access] = {}
    for access in all_accesses(body):
        tensor = declared.get(access.tensor)
        if tensor is None:
            yield mistake("E0833", f"there is no tensor `{access.tensor}`", access.origin)
            continue
        if len(access.positions) != len(tensor.shape):
            message = (
                f"`{access.tensor}` has {len(tensor.shape)} modes, and {len(access.positions)} positions are given"
            )
            yield mistake("E0834", message, access.origin, also=[(tensor.origin, "declared here")])
        first = seen.setdefault(access.tensor, access)
        if first.positions != access.positions:
            message = f"`{access.tensor}` is used as `{expression_text(first)}` and as `{expression_text(access)}`"
            notes = ("each tensor has one indexing: declare a second parameter for the other one",)
            yield mistake("E0836", message, access.origin, also=[(first.origin, "the first")], notes=notes)


def _assigned(definition: Definition, body: Comprehension) -> Iterator[Diagnostic]:
    outputs = {each.name for each in definition.outputs}
    targets = [each.tensor for each in body.targets]
    if len(body.targets) != len(body.values):
        message = f"{len(body.targets)} outputs and {len(body.values)} values"
        yield mistake("E0833", message, body.origin)
        return
    for number, target in enumerate(body.targets):
        if target.tensor not in outputs:
            yield mistake("E0833", f"`{target.tensor}` is no output", target.origin)
        if target.tensor in targets[:number]:
            yield mistake("E0833", f"`{target.tensor}` is assigned twice", target.origin)
    read = {each.tensor for value in body.values for each in accesses(value)}
    for tensor in definition.tensors:
        is_output = tensor.name in outputs
        if tensor.name not in (targets if is_output else read):
            word = "assigned" if is_output else "read"
            yield mistake("E0833", f"`{tensor.name}` is never {word}", tensor.origin)
    for target, value in zip(body.targets, body.values, strict=True):
        for each in accesses(value):
            if each.tensor in outputs and each.tensor != target.tensor:
                message = f"`{target.tensor}` is made of `{each.tensor}`, which the same comprehension assigns"
                yield mistake("E0833", message, each.origin)


# -- iterators ---------------------------------------------------------------------------------------------------------


def _iterators(definition: Definition) -> Iterator[Diagnostic]:
    body = definition.body
    found = [*_parallel(body), *_reductions(body)]
    yield from found or _extents(definition)


def _parallel(body: Comprehension) -> Iterator[Diagnostic]:
    first = body.targets[0]
    for target in body.targets:
        for number, position in enumerate(target.positions):
            if position.name is None:
                message = f"a position of the output is `{affine_text(position)}`, and must be one iterator"
                yield mistake("E0837", message, position.origin)
            elif position in target.positions[:number]:
                message = f"`{position.name}` walks two modes of the output `{target.tensor}`"
                notes = ("an operation writes the whole output",)
                yield mistake("E0837", message, position.origin, notes=notes)
        if {each.name for each in target.positions} != {each.name for each in first.positions}:
            message = f"`{target.tensor}` and `{first.tensor}` have different iterators, and are written by one nest"
            yield mistake("E0837", message, target.origin, also=[(first.origin, "")])


def _reductions(body: Comprehension) -> Iterator[Diagnostic]:
    kept = {each.name for target in body.targets for each in target.positions}
    reduced = reductions_of(body)
    for target, value in zip(body.targets, body.values, strict=True):
        if found := list(_outermost(target, value)):
            yield from found
            continue
        for each in applications(value):
            for name in each.over:
                if name in kept:
                    message = f"`{name}` is reduced, and walks the output"
                    yield mistake("E0837", message, each.origin, also=[(target.origin, "here")])
        over = set(value.over) if isinstance(value, Apply) else set[str]()
        if over != reduced:
            missing = ", ".join(f"`{name}`" for name in sorted(reduced - over))
            message = f"`{target.tensor}` is not reduced over {missing}, and is written by the same nest"
            yield mistake("E0837", message, value.origin)
    for name in iterators_of(body):
        if name not in kept and name not in reduced:
            place = next(each for each in all_accesses(body) if any(name in dict(p.terms) for p in each.positions))
            notes = (f"write it at the operation: `std_addf<{name}>(…)`",)
            message = f"`{name}` is in no output and is not reduced"
            yield mistake("E0837", message, place.origin, notes=notes)


def _outermost(target: Access, value: Expression) -> Iterator[Diagnostic]:
    """Reductions are the matter of the outermost operation, which combines what it gets with the output."""
    for number, each in enumerate(applications(value)):
        if not each.over:
            continue
        known = meaning(each.operation)
        if number > 0:
            message = f"`{each.operation}` reduces inside of another operation: that is no perfect nest"
            yield mistake("E0837", message, each.origin)
        elif known is None or not known.combines:
            yield mistake("E0837", f"`{each.operation}` does not reduce", each.origin)
        elif len(each.arguments) == known.arity and each.arguments[0] != target:
            message = f"the first argument of a reduction with two is the output, `{expression_text(target)}`"
            yield mistake("E0837", message, each.arguments[0].origin)


def _extents(definition: Definition) -> Iterator[Diagnostic]:
    known = extents_of(definition)
    body = definition.body
    shapes = {each.name: each for each in definition.tensors}
    for name in iterators_of(body):
        if name not in known:
            message = f"nothing tells the extent of `{name}`: it walks no mode by itself"
            yield mistake("E0838", message, body.origin)
    for access in dict.fromkeys(all_accesses(body)):
        for position, extent in zip(access.positions, shapes[access.tensor].shape, strict=True):
            yield from _inside(access, position, extent, known)


def _inside(access: Access, position: Affine, extent: Affine, known: Mapping[str, Affine]) -> Iterator[Diagnostic]:
    if any(name not in known for name, _ in position.terms):
        return
    if position.name is not None:
        wanted = known[position.name]
        if (dict(wanted.terms), wanted.constant) != (dict(extent.terms), extent.constant):
            message = f"`{position.name}` has {affine_text(wanted)} positions, and {affine_text(extent)} here"
            yield mistake("E0838", message, position.origin, also=[(extent.origin, "this mode")])
        return
    first, last = last_position(position, known)
    if least(first) is None or least(minus(minus(extent, last), Affine((), 1))) is None:
        message = f"`{affine_text(position)}` may lie outside of a mode of `{access.tensor}`"
        notes = (
            f"it goes from {affine_text(first)} to {affine_text(last)}, the mode has {affine_text(extent)} positions",
        )
        yield mistake("E0838", message, position.origin, also=[(extent.origin, "this mode")], notes=notes)
