"""A text as it is written becomes a module: functions, regions, structured operations."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from einsum_front.core.diagnostics import Diagnostic, Span
from einsum_front.core.parsing import Placed
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import (
    C_INTERFACE,
    CONSTANT,
    DEFINITIONS,
    NONZEROS,
    ON_ARGUMENTS,
    ON_FUNCTIONS,
    RESULT,
)
from einsum_front.mlir.named import Attributes, UnfitError, make
from einsum_front.mlir.named_tables import STRUCTURED
from einsum_front.mlir.parse.errors import no_operation
from einsum_front.mlir.parse.expansions import EXPANDED, expanded
from einsum_front.mlir.parse.nests import NESTS, nest, viewed_buffers
from einsum_front.mlir.parse.operations import KNOWN, PACKS, READ_OVER, Reading
from einsum_front.mlir.parse.own_attributes import batch_of, check_own, has_parts, result_of, runs_of
from einsum_front.mlir.parse.primitive_reader import entries_of
from einsum_front.mlir.parse.primitives import pack, primitive
from einsum_front.mlir.parse.scope import Mistake, Scope, wrong
from einsum_front.mlir.parse.syntax import (
    Argument,
    Array,
    Attribute,
    FunctionType,
    Opaque,
    Raw,
    Region,
    Text,
    TypeAttribute,
)
from einsum_front.mlir.scalars import SCALARS

MEMOIZED = "linalg.memoized_indexing_maps"
"""Maps that the generic form of a named operation repeats."""


class ModuleMaker:
    """Makes the nodes of one text; mistakes are collected in `diagnostics`."""

    def __init__(self, aliases: Mapping[str, Attribute | str]) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._aliases = aliases
        self._globals: dict[str, Raw] = {}

    def module(self, statements: Iterable[Raw]) -> mlir.Module:
        """The functions of a text, in a module or without one around them."""
        listed = tuple(statements)
        modules = [each for each in listed if each.name.value == "builtin.module"]
        if modules and len(listed) == 1:
            inner = [each for region in modules[0].regions for each in region.statements]
            return replace(self.module(inner), name=self._name(modules[0]), origin=(modules[0].span,))
        self._globals = {Reading(each, Scope({})).text("sym_name"): each for each in listed if _is_global(each)}
        functions = [self._guarded_function(each) for each in listed if not _is_global(each)]
        return mlir.Module(tuple(each for each in functions if each is not None))

    def _name(self, raw: Raw) -> str:
        found = raw.attributes.get("sym_name")
        return found.value.value if found is not None and isinstance(found.value, Text) else ""

    def _guarded_function(self, raw: Raw) -> mlir.Function | None:
        try:
            if raw.name.value != "func.func":
                raise wrong("E0802", f"outside of functions there is no `{raw.name.value}`", raw.name.span)
            return self._function(raw)
        except Mistake as mistake:
            self._note(mistake)
            return None

    def _note(self, mistake: Mistake) -> None:
        if mistake.diagnostic is not None:
            self.diagnostics.append(mistake.diagnostic)

    def _function(self, raw: Raw) -> mlir.Function:
        region = next((each for each in raw.regions if each.statements), None)
        scope = Scope(self._aliases, buffers=viewed_buffers(region))
        reading = Reading(raw, scope)
        value = reading.attribute("function_type").value
        if not isinstance(value, TypeAttribute) or not isinstance(value.type, FunctionType):
            raise reading.malformed("function_type", "the type of a function")
        type_ = value.type
        named = raw.regions[0].arguments if raw.regions else ()
        places = named or tuple(
            Argument(f"arg{number}", each.value, each.span) for number, each in enumerate(type_.inputs)
        )
        if len(places) != len(type_.inputs):
            message = f"a function of {len(type_.inputs)} arguments has a block of {len(places)}"
            raise wrong("E0813", message, raw.span)
        for argument, each in zip(named, type_.inputs, strict=False):
            if argument.type != each.value:
                raise wrong("E0812", f"`%{argument.name}` is of another type than the function says", argument.span)
        arguments = tuple(
            scope.define(argument.name, each.value, argument.span)
            for argument, each in zip(places, type_.inputs, strict=True)
        )
        body = None if region is None else self._body(region, scope)
        attributes = reading.optional("arg_attrs")
        listed = attributes.value.entries if attributes is not None and isinstance(attributes.value, Array) else ()
        said = [entries_of(each) for each in listed] or [dict(each.attributes) for each in places]
        for entries in said:
            check_own(entries, ON_ARGUMENTS, "an argument")
        check_own(raw.attributes, ON_FUNCTIONS, "a function")
        return mlir.Function(
            reading.text("sym_name"),
            arguments,
            tuple(each.value for each in type_.results),
            body,
            reading.text("sym_visibility") == "private",
            C_INTERFACE in raw.attributes,
            tuple(each.name for each, found in zip(arguments, said, strict=False) if CONSTANT in found),
            tuple(
                (each.name, runs_of(each, found[NONZEROS]))
                for each, found in zip(arguments, said, strict=False)
                if NONZEROS in found
            ),
            tuple(
                (each.name, result_of(each, found[RESULT], len(type_.results)))
                for each, found in zip(arguments, said, strict=False)
                if RESULT in found
            ),
            batch_of(reading),
            reading.location,
            reading.text(DEFINITIONS),
            tuple(each.name for each, found in zip(arguments, said, strict=False) if has_parts(each, found)),
            origin=(raw.span,),
        )

    def _body(self, region: Region, scope: Scope) -> tuple[mlir.Operation, ...]:
        found = (made for each in region.statements for made in self._guarded(each, scope))
        return tuple(each for each in found if not isinstance(each, mlir.IndexOf))

    def _guarded(self, raw: Raw, scope: Scope) -> tuple[mlir.Operation | mlir.IndexOf, ...]:
        """The nodes, none if they are wrong; then their results are known to be."""
        try:
            if raw.name.value in EXPANDED or any(each.name in scope.buffers for each in raw.results):
                return expanded(Reading(raw, scope))
            if raw.name.value in NESTS:
                return nest(raw, scope, self._inside)
            return () if raw.name.value in READ_OVER else (self._operation(raw, scope),)
        except Mistake as mistake:
            self._note(mistake)
        for each in raw.results:
            for name in (each.name, *(f"{each.name}#{number}" for number in range(min(each.count, 99)))):
                scope.values.setdefault(name, None)
        return ()

    def _inside(self, raw: Raw, scope: Scope) -> tuple[mlir.Operation, ...]:
        """The operations of the region of a loop, without its end."""
        region = raw.regions[0]
        ends = ("scf.yield", "scf.forall.in_parallel", "scf.reduce")
        last = region.statements[-1] if region.statements else None
        if last is not None and last.name.value in ends and not (last.name.value == "scf.reduce" and last.operands):
            region = replace(region, statements=region.statements[:-1])
        return self._body(region, scope)

    def _operation(self, raw: Raw, scope: Scope) -> mlir.Operation | mlir.IndexOf:
        name = raw.name.value
        if name == "scf.for":
            return self._loop(raw, scope)
        if name.removeprefix("linalg.") in STRUCTURED and name.startswith("linalg."):
            return self._structured(Reading(raw, scope))
        if name.startswith("tpp.") and name in KNOWN:
            return self._group(raw, scope) if name == "tpp.group" else primitive(Reading(raw, scope))
        if name == "memref.get_global":
            return self._global(Reading(raw, scope))
        if name in PACKS:
            return pack(Reading(raw, scope))
        if name == "func.func":
            raise wrong("E0802", "a function stands outside of other functions", raw.name.span)
        if name not in KNOWN:
            raise Mistake(no_operation(name, raw.name.span))
        return Reading(raw, scope).node()

    def _global(self, reading: Reading) -> mlir.Operation:
        """Memory of the module whose entries the text has."""
        name = reading.text("name")
        raw = self._globals.get(name)
        if raw is None:
            raise wrong("E0810", f"there is no `memref.global @{name}`", reading.raw.name.span)
        found = raw.attributes.get("initial_value")
        type_ = (reading.raw.result_types or (None,))[0]
        if found is None or type_ is None or isinstance(type_.value, mlir.ScalarType):
            message = f"the entries of `@{name}` are those of another program"
            raise wrong("E0826", message, reading.raw.name.span, "only entries that the text has are known")
        tensor = Placed(mlir.TensorType(type_.value.shape, type_.value.element), type_.span)
        made = replace(reading.raw, result_types=(tensor,), attributes={"value": found}, name=reading.raw.name)
        literal = Reading(made, reading.scope).literal()
        in_memory = mlir.Value(literal.result.name, type_.value, literal.result.origin)
        reading.scope.values[literal.result.name] = in_memory
        return replace(literal, result=in_memory)

    # -- loops ---------------------------------------------------------------------------------------------------------

    def _loop(self, raw: Raw, scope: Scope) -> mlir.For:
        reading = Reading(raw, scope)
        if len(raw.operands) < 3 or len(raw.regions) != 1 or not raw.regions[0].arguments:
            raise wrong("E0813", "`scf.for` has a start, a stop, a step, and a region with a variable", raw.name.span)
        start, stop, step, *initial = reading.operands()
        region, inner = raw.regions[0], scope.inner()
        variable, *carried = (inner.define(each.name, each.type, each.span) for each in region.arguments)
        statements = region.statements
        yields: tuple[mlir.Value, ...] = ()
        ending = statements[-1] if statements else None
        body = self._body(replace(region, statements=tuple(_without_ending(statements, "scf.yield"))), inner)
        if ending is not None and ending.name.value == "scf.yield":
            yields = Reading(ending, inner).operands()
        results = reading.results()
        return mlir.For(
            variable,
            start,
            stop,
            step,
            body,
            tuple(carried),
            tuple(initial),
            yields,
            results,
            reading.location,
            (raw.span,),
        )

    def _group(self, raw: Raw, scope: Scope) -> mlir.Group:
        inner = scope.inner()
        statements = raw.regions[0].statements
        body = self._body(replace(raw.regions[0], statements=tuple(_without_ending(statements, "tpp.yield"))), inner)
        ending = statements[-1] if statements else None
        yields: tuple[mlir.Value, ...] = ()
        if ending is not None and ending.name.value == "tpp.yield":
            yields = Reading(ending, inner).operands()
        reading = Reading(raw, scope)
        results = reading.results(len(yields), [each.type for each in yields])
        return mlir.Group(body, yields, results, reading.location, (raw.span,))

    # -- structured operations -----------------------------------------------------------------------------------------

    def _structured(self, reading: Reading) -> mlir.Structured:
        raw, name = reading.raw, reading.name.removeprefix("linalg.")
        operands = reading.operands()
        count = self._inputs(reading, name, len(operands))
        inputs, outputs = operands[:count], operands[count:]
        attributes = self._attributes(reading, name)
        payload = self._payload(reading, name, inputs, outputs)
        types = [each.type for each in outputs if isinstance(each.type, mlir.TensorType)]
        results = reading.results(types=types)
        library = reading.text("library_call")
        if name == "generic":
            iterators = self._iterators(reading)
            if payload is None:
                raise wrong("E0813", "`linalg.generic` has a region", raw.name.span)
            return mlir.Structured(
                "generic",
                inputs,
                outputs,
                attributes.maps,
                iterators,
                payload,
                results,
                library,
                location=reading.location,
                origin=(raw.span,),
            )
        try:
            made = make(name, inputs, outputs, results, attributes, payload, reading.location, (raw.span,))
        except UnfitError as error:
            raise wrong("E0813", str(error), raw.name.span) from None
        if reading.optional(MEMOIZED) is not None and reading.maps(MEMOIZED) != made.maps:
            raise wrong("E0814", f"`linalg.{name}` stands for other maps", reading.attribute(MEMOIZED).span)
        return replace(made, library_call=library)

    def _inputs(self, reading: Reading, name: str, operands: int) -> int:
        """The number of inputs among the operands."""
        if reading.optional("operandSegmentSizes") is not None:
            counts = reading.integers("operandSegmentSizes")
            if len(counts) == 2 and sum(counts) == operands:
                return counts[0]
            raise reading.malformed("operandSegmentSizes", f"the number of inputs and outputs, {operands} in all")
        return operands // 2 if name == "reduce" else max(operands - 1, 0)

    def _attributes(self, reading: Reading, name: str) -> Attributes:
        maps = reading.maps("indexing_maps") if reading.optional("indexing_maps") is not None else ()
        if name in ("generic", "contract") and not maps:
            reading.attribute("indexing_maps")
        listed = "permutation" if name == "transpose" else "dimensions"
        wants = name in ("transpose", "reduce", "broadcast")
        dimensions = reading.integers(listed) if wants else ()
        strides = reading.integers("strides") if reading.optional("strides") is not None else ()
        dilations = reading.integers("dilations") if reading.optional("dilations") is not None else ()
        kind = ""
        if name == "elementwise":
            value = reading.attribute("kind").value
            if not isinstance(value, Opaque):
                raise reading.malformed("kind", "such as `#linalg.elementwise_kind<add>`")
            kind = value.argument
        cast = reading.optional("cast")
        is_unsigned = cast is not None and isinstance(cast.value, Opaque) and cast.value.argument == "cast_unsigned"
        return Attributes(maps, kind, dimensions, strides, dilations, is_unsigned)

    def _iterators(self, reading: Reading) -> tuple[mlir.IteratorType, ...]:
        attribute = reading.attribute("iterator_types")
        if not isinstance(attribute.value, Array):
            raise reading.malformed("iterator_types", "a list of iterator types")
        found: list[mlir.IteratorType] = []
        for entry in attribute.value.entries:
            given = entry.value
            word = given.value if isinstance(given, Text) else given.argument if isinstance(given, Opaque) else ""
            if word not in ("parallel", "reduction"):
                message = f"iterators are parallel or reductions, not `{word}`"
                raise wrong("E0817", message, entry.span)
            found.append(mlir.IteratorType(word))
        return tuple(found)

    def _payload(
        self, reading: Reading, name: str, inputs: tuple[mlir.Value, ...], outputs: tuple[mlir.Value, ...]
    ) -> mlir.Payload | None:
        """What the region says; None if there is none."""
        operands = (*inputs, *outputs)
        if reading.raw.regions and reading.raw.regions[0].statements:
            return self._region(reading, reading.raw.regions[0], name, operands)
        short = next((key for key, value in reading.raw.attributes.items() if key in SCALARS), None)
        if short is None:
            return None
        count = len(inputs)
        arguments = tuple(mlir.Value(f"in{number}", each.element) for number, each in enumerate(operands))
        # the accumulator comes first, as MLIR has it
        given = (arguments[count], *arguments[:count]) if name == "reduce" else arguments[:count]
        if not given or len(given) != SCALARS[short].count:
            raise wrong(
                "E0813", f"`{short}` has {SCALARS[short].count} operands, not {len(given)}", reading.raw.name.span
            )
        result = mlir.Value("v0", arguments[-1].type)
        return mlir.Payload(arguments, (mlir.Scalar(result, short, given),), (result,))

    def _region(self, reading: Reading, region: Region, name: str, operands: tuple[mlir.Value, ...]) -> mlir.Payload:
        scope = reading.scope.inner()
        statements = region.statements
        arguments = tuple(scope.define(each.name, each.type, each.span) for each in region.arguments)
        ending = statements[-1]
        if ending.name.value != "linalg.yield":
            raise wrong("E0818", "a payload ends with `linalg.yield`", ending.name.span)
        operations: list[mlir.PayloadOperation] = []
        for each in _without_ending(statements, "linalg.yield"):
            for made in self._guarded(each, scope):
                if isinstance(made, mlir.Literal | mlir.Scalar | mlir.IndexOf):
                    operations.append(made)
                    continue
                message = f"a payload computes with numbers, and `{each.name.value}` is none of their operations"
                self.diagnostics.append(Mistake(None).diagnostic or _payload_mistake(message, each.name.span))
        yields = Reading(ending, scope).operands()
        if name == "map" and len(arguments) == len(operands) - 1:  # older printers leave the output out
            arguments += (mlir.Value(scope_name(scope), operands[-1].element),)
        return mlir.Payload(arguments, tuple(operations), yields, (region.span,))


def _is_global(raw: Raw) -> bool:
    """True for memory of the module, or what stands for it in another dialect."""
    return raw.name.value in ("memref.global", "ml_program.global")


def scope_name(scope: Scope) -> str:
    """A name that is not in sight."""
    return next(name for number in range(len(scope.values) + 1) if (name := f"out{number}") not in scope.values)


def _payload_mistake(message: str, place: Span) -> Diagnostic:
    diagnostic = wrong("E0818", message, place).diagnostic
    assert diagnostic is not None
    return diagnostic


def _without_ending(statements: tuple[Raw, ...], name: str) -> Iterable[Raw]:
    return statements[:-1] if statements and statements[-1].name.value == name else statements
