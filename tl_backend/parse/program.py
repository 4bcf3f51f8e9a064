"""Parse tree to nodes: functions and the program."""

from lark import Token, v_args

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source, Span
from einsum_front.core.facts import FactLine, Limit
from einsum_front.core.origins import Sources
from einsum_front.core.parsing import Placed
from einsum_front.core.prologues import read_prologue, with_parts
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.facts import read_facts
from einsum_front.tl_backend.parse.instructions import InstructionReader
from einsum_front.tl_backend.program import Argument, Function, Program
from einsum_front.tl_backend.types import ScalarType, Type

Attribute = tuple[Token, tuple[int, ...]]


@v_args(inline=True)
class ProgramReader(InstructionReader):
    """Reads the program of one source; mistakes found on the way are in `diagnostics`."""

    def __init__(self, source: Source, known: Sources) -> None:
        super().__init__(source, known)
        self._prologues: list[Span | None] = []

    def program(self, *functions: Function) -> Program:
        self.diagnostics += self._facts.left()
        try:
            return Program(with_parts(functions, self._prologues, "E0452"))
        except CompileError as error:
            self.diagnostics += error.diagnostics
            return Program(functions)

    def function(
        self,
        start: Token,
        name: Placed[str],
        arguments: tuple[Argument, ...],
        attributes: tuple[Attribute, ...],
        body: Placed[tl.Region],
    ) -> Function:
        above = self._facts.take(self._span(start).start)
        facts, mistakes = read_facts(above)
        self.diagnostics += mistakes
        self._prologues.append(self._prologue(above))
        work_group_size = self._only(attributes, "work_group_size")
        subgroup_size = self._only(attributes, "subgroup_size")
        return Function(
            name.value,
            arguments,
            body.value,
            (work_group_size[0], work_group_size[1]) if work_group_size else None,
            subgroup_size[0] if subgroup_size else None,
            tuple(fact for fact in facts if not isinstance(fact, Limit)),
            tuple(fact for fact in facts if isinstance(fact, Limit)),
            None,
            (self._span(start).to(body.span), *self._origins.above(self._span(start).start)),
        )

    def _prologue(self, above: list[FactLine]) -> Span | None:
        try:
            return read_prologue(above)
        except CompileError as error:
            self.diagnostics += error.diagnostics
            return None

    def arguments(self, *arguments: Argument) -> tuple[Argument, ...]:
        return arguments

    def argument(self, name: tl.Local, type_: Placed[Type] | Token) -> Argument:
        if isinstance(type_, Token):
            self._report("E0405", "an argument cannot have type `void`", self._span(type_))
            type_ = Placed(ScalarType.INDEX, self._span(type_))
        return Argument(name, type_.value, self._from(name, type_))

    def attributes(self, *attributes: Attribute) -> tuple[Attribute, ...]:
        return attributes

    def work_group_size(
        self, keyword: Token, rows: tl.IntegerConstant, columns: tl.IntegerConstant, _: Token
    ) -> Attribute:
        return keyword, (rows.value, columns.value)

    def subgroup_size(self, keyword: Token, size: tl.IntegerConstant, _: Token) -> Attribute:
        return keyword, (size.value,)

    def _only(self, attributes: tuple[Attribute, ...], keyword: str) -> tuple[int, ...] | None:
        """The numbers of the attribute, which may be given once."""
        found = [attribute for attribute in attributes if attribute[0] == keyword]
        for again, _ in found[1:]:
            labels = (Label(self._span(again)), Label(self._span(found[0][0]), "first given here"))
            self.diagnostics.append(Diagnostic("E0407", f"`{keyword}` is given twice", labels))
        return found[0][1] if found else None
