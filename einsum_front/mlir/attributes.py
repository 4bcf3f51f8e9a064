"""Attributes of operations, types and maps as text."""

import struct
from collections.abc import Iterable, Iterator

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named import has_window
from einsum_front.mlir.named_tables import WITH_MAPS

C_INTERFACE = "llvm.emit_c_interface"
CONSTANT = "einsum_front.constant"
"""The attribute of an argument that is the same for all elements."""
NONZEROS = "einsum_front.nonzeros"
"""The attribute of an argument that says which entries may differ from zero: starts and ends of runs."""
COMPLEX = "einsum_front.complex"
"""The attribute of an argument whose last mode has the parts of complex numbers."""
RESULT = "einsum_front.result"
"""The attribute of an argument that a result replaces: the number of that result."""
BATCH = "einsum_front.batch"
"""The attribute of a function that says which mode of its results is the batch: a number as a string, or `none`."""
DEFINITIONS = "einsum_front.definitions"
"""The text in tc that defines a function which is declared only."""
NO_BATCH = "none"
ON_ARGUMENTS = (CONSTANT, NONZEROS, RESULT, COMPLEX)
ON_FUNCTIONS = (BATCH, DEFINITIONS)

DYNAMIC = -(2**63)
"""What stands in a list of integers where a value comes from outside."""

PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
"""Comparisons of real numbers; the number of each is its attribute."""

INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def type_text(type_: mlir.Type) -> str:
    """The text of a type."""
    match type_:
        case mlir.ScalarType(value=spelling):
            return spelling
        case mlir.TensorType(shape=shape, element=element):
            return f"tensor<{''.join(f'{size_text(size)}x' for size in shape)}{element.value}>"
        case mlir.MemrefType(shape=shape, element=element, layout=layout):
            sizes = "".join(f"{size_text(size)}x" for size in shape)
            return f"memref<{sizes}{element.value}{'' if layout is None else f', {_layout(layout)}'}>"


def size_text(size: int | None) -> str:
    """A size as types have it."""
    return "?" if size is None else str(size)


def _layout(layout: mlir.Strided) -> str:
    offset = "" if layout.offset == 0 else f", offset: {size_text(layout.offset)}"
    return f"strided<[{', '.join(map(size_text, layout.strides))}]{offset}>"


def map_text(map_: mlir.AffineMap) -> str:
    """The text of a map, as an attribute."""
    dims = ", ".join(f"d{number}" for number in range(map_.dims))
    return f"affine_map<({dims}) -> ({', '.join(map(expression_text, map_.results))})>"


def expression_text(expression: mlir.AffineExpr) -> str:
    """The text of an affine expression."""
    match expression:
        case mlir.Dim(position=position):
            return f"d{position}"
        case mlir.Constant(value=value):
            return str(value)
        case mlir.Add(left=left, right=right):
            inner = f"({expression_text(right)})" if isinstance(right, mlir.Add) else expression_text(right)
            return f"{expression_text(left)} + {inner}"
        case mlir.Multiply(expression=inside, factor=factor):
            inner = expression_text(inside)
            return f"({inner}) * {factor}" if isinstance(inside, mlir.Add | mlir.Multiply) else f"{inner} * {factor}"
        case mlir.Divide(expression=inside, word=word, divisor=divisor):
            return f"({expression_text(inside)}) {word} ({expression_text(divisor)})"


def quoted(text: str) -> str:
    """The text as a string attribute."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def attributes_of(operation: mlir.Operation | mlir.IndexOf) -> tuple[str, dict[str, str], str]:  # noqa: C901 - a case for each node
    """The whole name of an operation, its properties, and its other attributes behind the regions."""
    match operation:
        case mlir.Literal(result=result, value=value) if isinstance(result.type, mlir.ScalarType) and result.type.part:
            assert isinstance(value, tuple)
            parts = (f"{_number(each, result.type.part)} : {result.type.part.value}" for each in value)
            return "complex.constant", {"value": f"[{', '.join(parts)}]"}, ""
        case mlir.Literal(result=result, value=value):
            return "arith.constant", {"value": _constant(result.type, value)}, ""
        case mlir.Scalar(name=name, predicate=predicate):
            return name, _predicate(name, predicate), ""
        case mlir.IndexOf(dim=dim):
            return "linalg.index", {"dim": f"{dim} : i64"}, ""
        case mlir.Structured():
            return f"linalg.{operation.name}", _structured(operation), _memoized(operation)
        case mlir.Allocate(result=result, sizes=sizes, is_stack=is_stack):
            if isinstance(result.type, mlir.TensorType):
                return "tensor.empty", {}, ""
            return ("memref.alloca" if is_stack else "memref.alloc"), _segments(len(sizes), 0), ""
        case mlir.Free():
            return "memref.dealloc", {}, ""
        case mlir.Slice(source=source):
            name = "memref.subview" if isinstance(source.type, mlir.MemrefType) else "tensor.extract_slice"
            return name, _slice(operation, 1), ""
        case mlir.InsertSlice():
            return "tensor.insert_slice", _slice(operation, 2), ""
        case mlir.Reshape(source=source, is_expansion=is_expansion):
            word = "expand_shape" if is_expansion else "collapse_shape"
            return f"{_dialect(source)}.{word}", _reshape(operation), ""
        case mlir.Permute(source=source, permutation=permutation):
            return (
                "memref.transpose",
                {"permutation": map_text(mlir.AffineMap.of_dims(len(permutation), permutation))},
                "",
            )
        case mlir.Cast(source=source):
            return f"{_dialect(source)}.cast", {}, ""
        case mlir.Extent(source=source):
            return f"{_dialect(source)}.dim", {}, ""
        case mlir.Copy():
            return "memref.copy", {}, ""
        case mlir.Primitive():
            return f"tpp.{operation.name}", _primitive(operation), ""
        case mlir.Group():
            return "tpp.group", {}, ""
        case mlir.Pack(is_unpack=is_unpack):
            return f"tensor.{'unpack' if is_unpack else 'pack'}", _pack(operation), ""
        case mlir.For(is_parallel=True):
            return "scf.parallel", {"operandSegmentSizes": "array<i32: 1, 1, 1, 0>"}, ""
        case mlir.For():
            return "scf.for", {}, ""
        case mlir.Call(callee=callee):
            return "func.call", {"callee": f"@{callee}"}, ""
        case mlir.Return():
            return "func.return", {}, ""


def _dialect(value: mlir.Value) -> str:
    return "memref" if isinstance(value.type, mlir.MemrefType) else "tensor"


def _predicate(name: str, predicate: str) -> dict[str, str]:
    match name:
        case "arith.cmpf":
            return {"predicate": f"{PREDICATES.index(predicate)} : i64"}
        case "arith.cmpi":
            return {"predicate": f"{INTEGER_PREDICATES.index(predicate)} : i64"}
        case _:  # open: only comparisons have a predicate
            return {}


def _structured(operation: mlir.Structured) -> dict[str, str]:
    found: dict[str, str] = {}
    if operation.name not in ("reduce", "map", "transpose", "broadcast"):
        found |= _segments(len(operation.inputs), len(operation.outputs))
    if operation.name in WITH_MAPS:
        found["indexing_maps"] = _maps(operation.maps)
    if operation.name == "generic":
        words = (f"#linalg.iterator_type<{each.value}>" for each in operation.iterators)
        found["iterator_types"] = f"[{', '.join(words)}]"
    if operation.name in ("reduce", "broadcast"):
        found["dimensions"] = _integers(operation.dimensions)
    if operation.name == "transpose":
        found["permutation"] = _integers(operation.dimensions)
    if has_window(operation.name):
        found["strides"], found["dilations"] = _dense(operation.strides), _dense(operation.dilations)
    if operation.kind:
        found["kind"] = f"#linalg.elementwise_kind<{operation.kind}>"
    if operation.library_call:
        found["library_call"] = quoted(operation.library_call)
    return found


def _memoized(operation: mlir.Structured) -> str:
    """Maps of a convolution, which MLIR writes behind the region and does without."""
    if not has_window(operation.name):
        return ""
    return f" {{linalg.memoized_indexing_maps = {_maps(operation.maps)}}}"


def _maps(maps: Iterable[mlir.AffineMap]) -> str:
    return f"[{', '.join(map(map_text, maps))}]"


def _segments(*counts: int) -> dict[str, str]:
    return {"operandSegmentSizes": f"array<i32: {', '.join(map(str, counts))}>"}


def _integers(numbers: Iterable[int]) -> str:
    listed = ", ".join(map(str, numbers))
    return f"array<i64: {listed}>" if listed else "array<i64>"


def _dense(numbers: tuple[int, ...]) -> str:
    return f"dense<[{', '.join(map(str, numbers))}]> : tensor<{len(numbers)}xi64>"


def _slice(operation: mlir.Slice | mlir.InsertSlice, operands: int) -> dict[str, str]:
    lists = {"offsets": operation.offsets, "sizes": operation.sizes, "strides": operation.strides}
    dynamic = [sum(isinstance(each, mlir.Value) for each in numbers) for numbers in lists.values()]
    found = _segments(*(1,) * operands, *dynamic)
    return found | {f"static_{name}": _integers(_static(numbers)) for name, numbers in lists.items()}


def _static(numbers: Iterable[mlir.Number]) -> Iterator[int]:
    return (DYNAMIC if isinstance(each, mlir.Value) else each for each in numbers)


def _reshape(operation: mlir.Reshape) -> dict[str, str]:
    groups = ", ".join(f"[{', '.join(map(str, group))}]" for group in operation.groups)
    found = {"reassociation": f"[{groups}]"}
    if operation.is_expansion:
        found["static_output_shape"] = _integers(_static(operation.sizes))
    return found


def _primitive(operation: mlir.Primitive) -> dict[str, str]:
    found = _segments(len(operation.inputs), len(operation.outputs))
    words = {name: getattr(operation, name) for name in ("unary", "binary", "unary_a", "unary_b")}
    found |= {name: quoted(word) for name, word in words.items() if word}
    return found if operation.alpha is None else found | {"alpha": _number(operation.alpha, mlir.ScalarType.F64)}


def _pack(operation: mlir.Pack) -> dict[str, str]:
    found = {"inner_dims_pos": _integers(operation.positions), "static_inner_tiles": _integers(operation.tiles)}
    return found | {"outer_dims_perm": _integers(operation.outer)} if operation.outer else found


def argument_attributes(function: mlir.Function, name: str) -> str:
    """What is said of an argument besides its type, as a dictionary; empty if that is nothing."""
    said = (CONSTANT, function.constants), (COMPLEX, function.complexes)
    found = [word for word, names in said if name in names]
    runs = dict(function.nonzeros).get(name)
    if runs is not None:
        found.append(f"{NONZEROS} = {_integers(position for run in runs for position in run)}")
    number = dict(function.targets).get(name)
    if number is not None:
        found.append(f"{RESULT} = {number} : i64")
    return f"{{{', '.join(found)}}}" if found else ""


def function_attributes(function: mlir.Function) -> str:
    """What is said of a function besides its type, as a dictionary behind a blank; empty if that is nothing."""
    found = [C_INTERFACE] if function.emits_c_interface else []
    if function.batch is not None:
        found.append(f"{BATCH} = {quoted(function.batch)}")
    if function.definitions:
        found.append(f"{DEFINITIONS} = {quoted(function.definitions)}")
    return f" {{{', '.join(found)}}}" if found else ""


def _constant(type_: mlir.Type, value: int | float | tuple[float, ...]) -> str:
    match type_:
        case mlir.ScalarType():
            return f"{_number(value, type_)} : {type_.value}"
        case mlir.TensorType(shape=shape, element=element):
            values = list(value) if isinstance(value, tuple) else value
            is_one = element.part is not None and isinstance(value, tuple) and len(value) == len(("re", "im"))
            shape = () if is_one else shape
            return f"dense<{_nested(values, shape, element)}> : {type_text(type_)}"
        case mlir.MemrefType():
            raise CompilerBug("a constant lies in no memory")


def _nested(values: list[float] | int | float, shape: tuple[int | None, ...], element: mlir.ScalarType) -> str:
    if not isinstance(values, list):
        return _number(values, element)
    if element.part is not None and not shape:
        return f"({', '.join(_number(each, element.part) for each in values)})"
    if not shape:
        return _number(values[0], element)
    step = len(values) // (shape[0] or 1)
    rows = (values[start : start + step] for start in range(0, len(values), max(step, 1)))
    return f"[{', '.join(_nested(row, shape[1:], element) for row in rows)}]"


def _number(value: int | float | tuple[float, ...], element: mlir.ScalarType) -> str:
    """A number of a type, exactly: infinities and nan by their bits."""
    if isinstance(value, tuple):
        raise CompilerBug("a number is not several")
    if not element.is_floating:
        return ("true" if value else "false") if element is mlir.ScalarType.I1 else str(int(value))
    number = float(value)
    if number != number or number in (float("inf"), float("-inf")):  # noqa: PLR0124 - nan is no number
        code, letter = ("f", "I") if element is mlir.ScalarType.F32 else ("d", "Q")
        digits = 8 if element is mlir.ScalarType.F32 else 16
        return f"0x{struct.unpack(letter, struct.pack(code, number))[0]:0{digits}X}"
    text = repr(number)
    mantissa, exponent, power = text.partition("e")
    return text if not exponent else f"{mantissa}{'' if '.' in mantissa else '.0'}e{power}"
