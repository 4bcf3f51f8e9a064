"""The rules of primitives; `docs/tpp.md` has them under *Restrictions*, with these numbers.

E0850  an operation has the inputs, outputs and results of its form
E0852  operands have numbers of one type; products may add bf16 up in f32
E0853  operands of an elementwise operation have one shape
E0854  a broadcast makes a shape larger, a reduction smaller
E0855  transposing and packing move every entry to its place
E0856  the matrices of a product fit
E0857  the output of a sum is what it adds to
E0858  an output shares no memory with inputs that are read at other places
E0859  options are those of the operation
E0860  a group yields values of its own
"""

from collections.abc import Iterator, Mapping, Sequence
from math import gcd

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.core.words import listed
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import type_text
from einsum_front.mlir.named import rank_of
from einsum_front.mlir.tpp.operations import (
    BINARY,
    FORMS,
    UNARY,
    Kind,
    accumulates,
    inputs_text,
    kind_of,
    source_of,
    target_of,
)

Sizes = tuple[int | None, ...]
Definitions = Mapping[str, mlir.Operation]
"""The operations before, by the names of their results."""

STORED = (mlir.ScalarType.F32, mlir.ScalarType.F64, mlir.ScalarType.BF16)
PAIR = 2
"""Rows of a VNNI matrix that lie side by side: as many numbers of bf16 as fit into 32 bits."""


def check_primitive(operation: mlir.Primitive, defined: Definitions) -> Iterator[Diagnostic]:
    """Rules E0850 and E0852 to E0859."""
    if wrong := list(_form(operation)):
        yield from wrong
        return
    if wrong := list(_elements(operation)):
        yield from wrong
        return
    match kind_of(operation):
        case Kind.ZERO | Kind.ELEMENTWISE:
            yield from _same_shapes(operation)
        case Kind.BROADCAST | Kind.REDUCTION:
            yield from _larger_or_smaller(operation)
        case Kind.TRANSFORM:
            yield from _moved(operation)
        case Kind.PRODUCT | Kind.FUSED:
            yield from _product(operation)
    yield from _memory(operation, defined)


# -- form --------------------------------------------------------------------------------------------------------------


def _form(operation: mlir.Primitive) -> Iterator[Diagnostic]:
    name, form, origin = f"`tpp.{operation.name}`", FORMS[operation.name], operation.origin
    written = (*operation.outputs, *operation.results)
    kinds = {type(each.type) for each in (*operation.operands, *operation.results) if rank_of(each) or _is_shaped(each)}
    if len(kinds) > 1:
        yield mistake("E0850", f"the operands of {name} are all tensors or all memrefs", origin)
        return
    is_memory = mlir.MemrefType in kinds
    wanted = form.memref_inputs if is_memory else form.tensor_inputs
    if len(operation.inputs) not in wanted:
        has = inputs_text(operation.name, is_memory=is_memory)
        yield mistake("E0850", f"{has}, not {len(operation.inputs)}", origin)
    most = 4 if form.kind is Kind.FUSED else 1
    if not 1 <= len(written) <= most:
        what = "output" if is_memory else "result"
        count = f"1 to {most} {what}s" if most > 1 else f"1 {what}"
        yield mistake("E0850", f"{name} has {count}, not {len(written)}", origin)
    for each in (*operation.operands, *operation.results):
        is_repeated = form.kind in (Kind.BROADCAST, Kind.ELEMENTWISE) and each in operation.inputs
        if isinstance(each.type, mlir.ScalarType) and not is_repeated:
            what = "writes" if each in written else "takes"
            note = "`tpp.broadcast` makes a matrix of a number"
            if each in written:
                note = f"`{'tensor' if operation.results else 'memref'}<{each.type.value}>` is for one number"
            message = f"`%{each.name}` is a number, and {name} {what} matrices"
            yield mistake("E0850", message, each.origin, notes=(note,))


def _is_shaped(value: mlir.Value) -> bool:
    return isinstance(value.type, mlir.TensorType | mlir.MemrefType)


def _elements(operation: mlir.Primitive) -> Iterator[Diagnostic]:
    every = (*operation.operands, *operation.results)
    for each in every:
        if each.element not in STORED:
            message = f"primitives compute with f32, f64 or bf16, and `%{each.name}` has `{each.element.value}`"
            yield mistake("E0852", message, each.origin or operation.origin)
            return
    types = list(dict.fromkeys(each.element for each in every))
    is_sum = kind_of(operation) is Kind.PRODUCT
    factors = {each.element for each in operation.inputs[:2]}
    if is_sum and factors == {mlir.ScalarType.BF16} and set(types) == {mlir.ScalarType.BF16, mlir.ScalarType.F32}:
        return
    if len(types) > 1:
        names = listed([f"`{each.value}`" for each in types])
        yield mistake("E0852", f"the operands of `tpp.{operation.name}` have numbers of {names}", operation.origin)


# -- shapes ------------------------------------------------------------------------------------------------------------


def _fits(left: Sizes, right: Sizes) -> bool:
    """True if the shapes are the same, as far as their sizes are known."""
    return len(left) == len(right) and all(None in pair or pair[0] == pair[1] for pair in zip(left, right, strict=True))


def shown(value: mlir.Value) -> str:
    """A value and its type, in words."""
    return f"`%{value.name}` is `{type_text(value.type)}`"


def _same_shapes(operation: mlir.Primitive) -> Iterator[Diagnostic]:
    target = target_of(operation)
    for each in operation.inputs:
        if not _repeats(each.shape, target.shape):
            notes = ("numbers, rows (N or 1 x N) and columns (M x 1) are repeated, as by `tpp.broadcast`",)
            message = f"an operand of `tpp.{operation.name}` has the shape of what is written, or is repeated in it"
            also = [(each.origin, shown(each)), (target.origin, shown(target))]
            yield mistake("E0853", message, operation.origin, also=also, notes=notes)
    if operation.name == "zero" and operation.outputs and operation.inputs not in ((), operation.outputs):
        message = f"`tpp.zero` writes `%{target.name}`, and names `%{operation.inputs[0].name}`"
        yield mistake("E0857", message, operation.origin, notes=("it works in place, or has no input",))
    if operation.results and (mode := _untold(operation)) is not None:
        message = f"`tpp.{operation.name}` makes a tensor of a size that nothing tells"
        yield mistake("E0854", message, operation.origin, also=[(target.origin, f"mode {mode}")])


def _repeats(small: Sizes, large: Sizes) -> bool:
    """True if entries of a shape are those of a larger one, from the last mode on, or are repeated there."""
    kept = zip(small, large[len(large) - len(small) :], strict=True) if len(small) <= len(large) else [(0, -1)]
    return all(one in (other, 1, None) or other is None for one, other in kept)


def _untold(operation: mlir.Primitive) -> int | None:
    """An open mode of the result that all operands repeat."""
    wanted = target_of(operation).shape
    for mode, size in enumerate(wanted):
        behind = len(wanted) - mode
        given = [each.shape[-behind] for each in operation.inputs if rank_of(each) >= behind]
        if size is None and all(each == 1 for each in given):
            return mode
    return None


def _larger_or_smaller(operation: mlir.Primitive) -> Iterator[Diagnostic]:
    source, target = source_of(operation), target_of(operation)
    small, large = source.shape, target.shape
    is_broadcast = operation.name == "broadcast"
    if not is_broadcast:
        small, large = large, small
    name = f"`tpp.{operation.name}`"
    if _is_part(small, large):
        pairs = zip((1,) * (len(large) - len(small)) + small, large, strict=True)
        if is_broadcast and operation.results and (1, None) in pairs:
            message = f"{name} makes a tensor of a size that nothing tells"
            yield mistake("E0854", message, operation.origin, also=[(target.origin, shown(target))])
        return
    also = [(source.origin, shown(source)), (target.origin, shown(target))]
    notes: tuple[str, ...] = ()
    if _fits(small, large):
        message, notes = f"{name} changes the shape", ("`tpp.copy` keeps it",)
    elif _is_part(large, small):
        other = "reduce_add" if is_broadcast else "broadcast"
        direction = "larger" if is_broadcast else "smaller"
        message, notes = f"{name} makes a shape {direction}", (f"`tpp.{other}` goes the other way",)
    else:
        parts = "a number, a row (N or 1 x N) or a column (M x 1)"
        whole = "of an M x N matrix" if is_broadcast else "from an M x N matrix"
        message = f"{name} takes {parts} {'to all places ' if is_broadcast else ''}{whole}"
        if len(small) > len(large):
            notes = (f"`tpp.{'reduce_add' if is_broadcast else 'broadcast'}` goes the other way",)
    yield mistake("E0854", message, operation.origin, also=also, notes=notes)


def _is_part(small: Sizes, large: Sizes) -> bool:
    """True for a number, a row or a column of a matrix, and for a number of a vector; sizes may be unknown."""
    if not large or len(large) > 2 or len(small) > len(large):
        return False
    kept = tuple(zip(small, large[len(large) - len(small) :], strict=True))
    is_less = len(small) < len(large) or any(one == 1 != other for one, other in kept)
    return is_less and all(one in (other, 1, None) or other is None for one, other in kept)


def _moved(operation: mlir.Primitive) -> Iterator[Diagnostic]:
    source, target = source_of(operation), target_of(operation)
    shape, moved = source.shape, target.shape
    also = [(source.origin, shown(source)), (target.origin, shown(target))]
    if operation.name == "transpose":
        if len(shape) != 2 or not _fits(shape[::-1], moved):
            yield mistake("E0855", "`tpp.transpose` makes an N x M matrix of an M x N one", operation.origin, also=also)
        return
    if source.element is not mlir.ScalarType.BF16:
        message = f"VNNI is a form of numbers of 16 bits, and `%{source.name}` has `{source.element.value}`"
        yield mistake("E0855", message, operation.origin, also=also)
        return
    is_packed = len(shape) == 3 and shape[-1] == PAIR and _fits(shape, moved)
    rows, columns = shape[:2] if len(shape) >= 2 else (None, None)
    wanted = (None if rows is None else rows // PAIR, columns, PAIR)
    is_open = bool(operation.results) and len(moved) == 3 and None in moved[::2]
    if not is_packed and (len(shape) != 2 or rows is None or rows % PAIR or not _fits(wanted, moved) or is_open):
        message = "`tpp.pack_vnni` makes a K/2 x N x 2 tensor of a K x N matrix with an even K"
        yield mistake("E0855", message, operation.origin, also=also)


def _product(operation: mlir.Primitive) -> Iterator[Diagnostic]:
    """(batch,) M x K times (batch,) K x N, or K/2 x N x 2, gives M x N."""
    left, right, *rest = operation.inputs
    target = target_of(operation)
    a, b, c = left.shape, right.shape, target.shape
    ranks = 2 if operation.name == "matmul" else 3
    batch = ["B"] * (ranks - 2)
    is_vnni = len(b) == ranks + 1 and b[-1] == PAIR and right.element is mlir.ScalarType.BF16
    also = [(each.origin, shown(each)) for each in (left, right, target)]
    forms = [" x ".join((*batch, *form)) for form in (("M", "K"), ("K", "N"))]
    message = f"`tpp.{operation.name}` multiplies {forms[0]} by {forms[1]}, which gives M x N"
    if len(a) != ranks or len(c) != 2 or (len(b) != ranks and not is_vnni):
        notes = _packing(right) if len(b) == ranks + 1 else ()
        yield mistake("E0856", message, operation.origin, also=also, notes=notes)
        return
    *lead, depth, columns = b[:ranks]
    if is_vnni:
        depth = None if depth is None else depth * PAIR
    if not _fits((*a, a[-2], columns), (*lead, c[0], depth, *c)):
        yield mistake("E0856", message, operation.origin, also=also)
    for each in rest[:2]:
        if not (_fits if each is rest[0] else _repeats)(each.shape, c):
            notes = () if each is rest[0] else ("a bias may be a number, a row (N or 1 x N) or a column (M x 1)",)
            message = f"`tpp.{operation.name}` adds matrices of the shape of its result"
            also = [(each.origin, shown(each)), (target.origin, shown(target))]
            yield mistake("E0856", message, operation.origin, also=also, notes=notes)
    if operation.name == "fused_brgemm":
        yield from _fused(operation)


def _packing(matrix: mlir.Value) -> tuple[str, ...]:
    """Why an operand with one more mode than a plain one has is not packed by `pack_vnni`."""
    if matrix.element is mlir.ScalarType.BF16:
        return (f"its second input may be VNNI, with a last mode of {PAIR}, and that of `%{matrix.name}` is another",)
    return (f"its second input may be VNNI, of bf16, and `%{matrix.name}` has `{matrix.element.value}`",)


def _fused(operation: mlir.Primitive) -> Iterator[Diagnostic]:
    known = (("unary", UNARY), ("binary", BINARY), ("unary_a", UNARY), ("unary_b", UNARY))
    for option, names in known:
        word = getattr(operation, option)
        if word and word not in names:
            message = f"`{option}` of `tpp.fused_brgemm` is none of {', '.join(names)}"
            yield mistake("E0859", message, operation.origin, notes=(f"it is `{word}`",))
    left, right, c, _ = operation.inputs
    written = operation.outputs or operation.results
    for each, like, what in zip(written[1:], (c, left, right), ("C", "A", "B"), strict=False):
        if not _fits(each.shape, like.shape):
            message = f"output `%{each.name}` keeps {what}, and has another shape"
            yield mistake("E0856", message, operation.origin, also=[(each.origin, shown(each))])


# -- memory ------------------------------------------------------------------------------------------------------------


def _memory(operation: mlir.Primitive, defined: Definitions) -> Iterator[Diagnostic]:
    if not operation.outputs:
        return
    output, *others = operation.outputs
    name = f"`tpp.{operation.name}`"
    if accumulates(operation) and len(operation.inputs) > 2 and operation.inputs[2].name != output.name:
        message = f"{name} adds to `%{operation.inputs[2].name}`, and writes `%{output.name}`"
        yield mistake("E0857", message, output.origin, notes=("the output is the third input",))
    in_place = kind_of(operation) in (Kind.ELEMENTWISE, Kind.ZERO)
    for place, each in enumerate(operation.inputs):
        is_old = place == 2 and accumulates(operation)
        if place == 3 and not operation.binary:  # D is not read
            continue
        if each.name == output.name and not in_place and not is_old:
            message = f"{name} reads `%{each.name}` at other places than it writes it"
            yield mistake("E0858", message, output.origin, also=[(each.origin, "read here")])
        elif (
            each.name != output.name
            and _share(each, output, defined)
            and not (in_place and _same(each, output, defined))
        ):
            message = f"`%{output.name}` and `%{each.name}` are views of one memory, which {name} reads and writes"
            yield mistake("E0858", message, output.origin, also=[(each.origin, "read here")])
    for number, each in enumerate(others):
        rest = (*operation.inputs, *operation.outputs[: number + 1])
        if any(each.name == other.name or _share(each, other, defined) for other in rest):
            message = f"`%{each.name}` is written beside what {name} reads and writes, and shares memory with it"
            yield mistake("E0858", message, each.origin)


def _share(left: mlir.Value, right: mlir.Value, defined: Definitions) -> bool:
    """True if two values may be views with an entry in common."""
    one, other = _root(left, defined), _root(right, defined)
    if one[0] != other[0]:
        return False
    return one[1] is None or other[1] is None or all(_meet(*pair) for pair in zip(one[1], other[1], strict=True))


def _meet(one: range, other: range) -> bool:
    """True if positions of a mode may be in both; exactly so where the steps are the same."""
    is_apart = one[-1] < other[0] or other[-1] < one[0]
    return not is_apart and (one.start - other.start) % gcd(one.step, other.step) == 0


def _same(left: mlir.Value, right: mlir.Value, defined: Definitions) -> bool:
    """True if two values are the same view of one memory."""
    one, other = _root(left, defined), _root(right, defined)
    return one == other and one[1] is not None and left.type == right.type


Box = Sequence[range]


def _root(value: mlir.Value, defined: Definitions) -> tuple[str, Box | None]:
    """The memory that a value is a view of, and the box of it that is known; None for all of it."""
    match defined.get(value.name):
        case mlir.Slice(source=source, offsets=offsets, sizes=sizes, strides=strides):
            name, box = _root(source, defined)
            known = [each for each in (*offsets, *sizes, *strides) if isinstance(each, int)]
            is_whole = source.name not in defined or not isinstance(
                defined[source.name], mlir.Slice | mlir.Reshape | mlir.Permute
            )
            is_fit = len(known) == 3 * len(offsets) == 3 * rank_of(source) and all(
                each > 0 for each in known[len(offsets) :]
            )
            if not is_fit or not is_whole:
                return name, box
            parts = zip(known[: len(offsets)], known[len(offsets) : -len(offsets)], known[-len(offsets) :], strict=True)
            return name, [range(start, start + (size - 1) * step + 1, step) for start, size, step in parts]
        case mlir.Reshape(source=source) | mlir.Permute(source=source):
            return _root(source, defined)[0], None
        case mlir.Cast(source=source):
            return _root(source, defined)
        case (
            mlir.Literal() | mlir.Scalar() | mlir.Structured() | mlir.Allocate() | mlir.Free() | mlir.InsertSlice()
            | mlir.Extent() | mlir.Copy() | mlir.Primitive() | mlir.Group() | mlir.Pack() | mlir.For() | mlir.Call()
            | mlir.Return() | None
        ):  # fmt: skip
            return value.name, None
