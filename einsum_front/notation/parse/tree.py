"""lark's trees, whose names are the rules of `grammar.lark`, to nodes of the syntax."""

from collections.abc import Iterable

from lark import Token, Tree

from einsum_front.core.diagnostics import CompilerBug, Diagnostic, Label, Origin, Source, Span
from einsum_front.core.limits import DEEPEST_NESTING
from einsum_front.notation import syntax
from einsum_front.notation.words import violated_limit

_Tree = Tree[Token]
_Branch = Token | _Tree


class TreeReader:
    """Nodes from the trees of one source; what the grammar alone cannot refuse is collected in `mistakes`."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.mistakes: list[Diagnostic] = []
        self._depth = 0

    def program(self, tree: _Tree) -> syntax.Program:
        """The tree of a whole text."""
        return syntax.Program(tuple(self._item(child) for child in _trees(tree.children)))

    # -- declarations --

    def _item(self, tree: _Tree) -> syntax.Item:
        _keyword, name_token, *_ = tree.children
        name, parts = str(name_token), _trees(tree.children)
        origin = self._origin(name_token)
        match tree.data:
            case "use":
                return syntax.Use(name[1:-1], origin)
            case "parameter":
                return syntax.Parameter(name, self._expression(parts[0]), origin)
            case "real" | "integer" as kind:
                return syntax.Computed(kind, name, origin)
            case "size":
                return self._size(name, parts, origin)
            case "scalar":
                return syntax.Scalar(name, self._expressions(parts[0]), _type_name(parts[1:]), origin)
            case "tensor" | "temporary":
                return self._tensor(name, parts, tree.data == "temporary", origin)
            case "kernel":
                return self._kernel(name, parts, origin)
            case _:
                raise CompilerBug(f"no item is spelled {tree.data}")

    def _size(self, name: str, parts: list[_Tree], origin: Origin) -> syntax.Size:
        """The bounds and the hint by the names of their rules."""
        given = {tree.data: self._expressions(tree)[0] for tree in parts}
        return syntax.Size(name, given.get("least"), given.get("most"), given.get("hint"), origin)

    def _tensor(self, name: str, parts: list[_Tree], is_temporary: bool, origin: Origin) -> syntax.Tensor:
        members, shape, *attributes = parts
        return syntax.Tensor(
            name,
            self._expressions(members),
            self._expressions(shape),
            tuple(self._attribute(attribute) for attribute in attributes),
            is_temporary,
            origin,
        )

    def _kernel(self, name: str, parts: list[_Tree], origin: Origin) -> syntax.Kernel:
        family = [tree for tree in parts if tree.data == "family"]
        ranges = tuple(self._named_range(tree) for tree in _trees(family[0].children)) if family else ()
        return syntax.Kernel(name, ranges, self._statements(parts[len(family) :]), origin)

    def _attribute(self, tree: _Tree) -> syntax.Attribute:
        arguments = [self._argument(child) for child in _trees(tree.children)]
        return syntax.Attribute(str(tree.children[0]), arguments[0] if arguments else None, self._origin(tree))

    def _argument(self, tree: _Tree) -> syntax.File | syntax.Numbers | syntax.Places:
        match tree.data:
            case "file":
                return syntax.File(str(tree.children[0])[1:-1])
            case "numbers":
                return syntax.Numbers(self._expressions(tree))
            case "places":
                places = (syntax.Place(self._expressions(p), self._origin(p)) for p in _trees(tree.children))
                return syntax.Places(tuple(places))
            case other:
                raise CompilerBug(f"no argument of an attribute is spelled {other}")

    # -- statements --

    def _statements(self, trees: Iterable[_Tree]) -> tuple[syntax.Statement, ...]:
        return tuple(self._loop(tree) if tree.data == "loop" else self._assignment(tree) for tree in trees)

    def _loop(self, tree: _Tree) -> syntax.Loop:
        variable, *body = _trees(tree.children)
        if self._depth == DEEPEST_NESTING:
            message = f"loops nest at most {DEEPEST_NESTING} levels deep"
            self.mistakes.append(Diagnostic("E0110", message, (Label(self._span(variable)),)))
            return syntax.Loop(self._named_range(variable), (), self._origin(tree))
        self._depth += 1
        loop = syntax.Loop(self._named_range(variable), self._statements(body), self._origin(tree))
        self._depth -= 1
        return loop

    def _assignment(self, tree: _Tree) -> syntax.Assignment:
        target, value = _trees(tree.children)
        operator = syntax.AssignmentOperator(str(tree.children[1]))
        return syntax.Assignment(self._reference(target), operator, self._expression(value), self._origin(tree))

    def _named_range(self, tree: _Tree) -> syntax.NamedRange:
        name = tree.children[0]
        return syntax.NamedRange(str(name), self._range(_trees(tree.children)[0]), self._origin(name))

    def _range(self, tree: _Tree) -> syntax.Range:
        start, stop = self._expressions(tree)
        return syntax.Range(start, stop, self._origin(tree))

    # -- expressions --

    def _expressions(self, tree: _Tree) -> tuple[syntax.Expression, ...]:
        return tuple(self._expression(child) for child in _trees(tree.children))

    def _expression(self, tree: _Tree) -> syntax.Expression:
        match tree.data:
            case "expression" | "number":
                return self._sum(tree)
            case "product" | "number_product":
                return self._product(tree)
            case "reference" | "entry":
                return self._reference(tree)
            case "name":
                return syntax.Reference(str(tree.children[0]), origin=self._origin(tree))
            case "literal":
                return self._literal(tree)
            case "imaginary":
                return syntax.Imaginary(self._number_text(tree, str(tree.children[0])[:-1]), self._origin(tree))
            case "ones":
                return self._ones(tree)
            case _:  # open: the others nest, and their own match raises
                return self._nested(tree)

    def _nested(self, tree: _Tree) -> syntax.Expression:
        """Expression that can contain itself; deeper than any formula, it would end in Python's limit on recursion."""
        if self._depth == DEEPEST_NESTING:
            message = f"expressions nest at most {DEEPEST_NESTING} levels deep"
            self.mistakes.append(Diagnostic("E0110", message, (Label(self._span(tree)),)))
            return syntax.Literal("1", self._origin(tree))
        self._depth += 1
        expression = self._compound(tree)
        self._depth -= 1
        return expression

    def _compound(self, tree: _Tree) -> syntax.Expression:
        match tree.data:
            case "negation" | "number_negation":
                return syntax.Negation(self._expressions(tree)[0], self._origin(tree))
            case "power" | "number_power":
                base, exponent = self._expressions(tree)
                return syntax.Power(base, exponent, self._origin(tree))
            case "parenthesised" | "number_parenthesised":
                return self._expressions(tree)[0]
            case "range_sum":
                variable, body = _trees(tree.children)
                return syntax.RangeSum(self._named_range(variable), self._expression(body), self._origin(tree))
            case "call":
                return self._call(tree)
            case _:
                raise CompilerBug(f"no expression is spelled {tree.data}")

    def _call(self, tree: _Tree) -> syntax.Call:
        over, *arguments = _trees(tree.children)
        given = tuple(self._argument_of_call(each) for each in arguments)
        return syntax.Call(str(tree.children[0]), self._expressions(over), given, self._origin(tree))

    def _argument_of_call(self, tree: _Tree) -> syntax.Expression | syntax.Condition:
        return self._condition(tree) if tree.data == "condition" else self._expression(tree)

    def _condition(self, tree: _Tree) -> syntax.Condition:
        left, right = self._expressions(tree)
        return syntax.Condition(left, syntax.Comparison(str(tree.children[1])), right, self._origin(tree))

    def _sum(self, tree: _Tree) -> syntax.Expression:
        first, *terms = self._expressions(tree)
        operators = [syntax.TermOperator(str(token)) for token in tree.children[1::2]]
        return syntax.Sum(first, tuple(zip(operators, terms, strict=True)), self._origin(tree)) if terms else first

    def _product(self, tree: _Tree) -> syntax.Expression:
        first, *factors = self._expressions(tree)
        operators = [syntax.FactorOperator(str(token)) for token in tree.children[1::2]]
        if not factors:
            return first
        return syntax.Product(first, tuple(zip(operators, factors, strict=True)), self._origin(tree))

    def _literal(self, tree: _Tree) -> syntax.Literal:
        return syntax.Literal(self._number_text(tree, str(tree.children[0])), self._origin(tree))

    def _number_text(self, tree: _Tree, text: str) -> str:
        """The spelling of a number, that of 1 for one beyond the limits."""
        limit = violated_limit(text)
        if limit is None:
            return text
        self.mistakes.append(Diagnostic("E0104", "this number is out of range", (Label(self._span(tree), limit),)))
        return "1"

    def _ones(self, tree: _Tree) -> syntax.Ones:
        number = tree.children[0]
        if str(number) != "1":
            note = f"a number times ones is a product: `{number} * 1[…]`"
            self.mistakes.append(
                Diagnostic("E0232", "of all numbers, only `1` has indices", (Label(self._span(number)),), (note,))
            )
        return syntax.Ones(self.positions(_trees(tree.children)[0]), self._origin(tree))

    # -- index lists --

    def _reference(self, tree: _Tree) -> syntax.Reference:
        parts = {str(part.data): part for part in _trees(tree.children)}
        members = self._expressions(parts["members"]) if "members" in parts else ()
        positions = self.positions(parts["positions"]) if "positions" in parts else None
        element = self._reference(parts["entry"]) if "entry" in parts else None
        return syntax.Reference(str(tree.children[0]), members, positions, self._origin(tree), element)

    def positions(self, tree: _Tree) -> tuple[syntax.Position, ...]:
        """A single bare name is one letter a mode; with a comma behind it, it is the name of an index."""
        positions = _trees(tree.children)
        has_comma = any(isinstance(child, Token) and child.type == "COMMA" for child in tree.children)
        if len(positions) == 1 and not has_comma and (token := _bare_name(positions[0])) is not None:
            return self._letters(token)
        return tuple(map(self._position, positions))

    def _letters(self, token: Token) -> tuple[syntax.Position, ...]:
        start = self._span(token).start
        spans = [Span(self.source, start + i, start + i + 1) for i in range(len(token))]
        if len(token) > 1 and not token.isalpha():
            wrong = next(i for i, character in enumerate(token) if not character.isalpha())
            message = f"`{token}` is read as one index a letter, but `{token[wrong]}` is no letter"
            help_ = f"a comma makes it the name of one index: `[{token},]`"
            self.mistakes.append(Diagnostic("E0108", message, (Label(spans[wrong]),), helps=(help_,)))
        return tuple(syntax.RunningIndex(letter, None, (span,)) for letter, span in zip(token, spans, strict=True))

    def _position(self, tree: _Tree) -> syntax.Position:
        origin = self._origin(tree)
        if tree.data == "slice":
            return syntax.RunningIndex(str(tree.children[0]), self._range(_trees(tree.children)[0]), origin)
        if (token := _bare_name(tree)) is not None:
            return syntax.RunningIndex(str(token), None, origin)
        return syntax.FixedIndex(self._expressions(tree)[0], origin)

    # -- places --

    def _origin(self, branch: _Branch) -> Origin:
        return (self._span(branch),)

    def _span(self, branch: _Branch) -> Span:
        first, last = _leaf(branch, 1), _leaf(branch, -1)
        if first.start_pos is None or last.end_pos is None:
            raise CompilerBug(f"lark gave {branch!r} no place")
        return Span(self.source, first.start_pos, last.end_pos)


def _leaf(branch: _Branch, step: int) -> Token:
    """The first token of a branch, or with the step -1 its last; rules that match nothing have none."""
    while isinstance(branch, Tree):
        branch = next(child for child in branch.children[::step] if isinstance(child, Token) or child.children)
    return branch


def _bare_name(tree: _Tree) -> Token | None:
    """The token of a position that is a name and nothing else, no parentheses either."""
    branch: _Branch = tree
    while isinstance(branch, Tree) and branch.data in {"position", "number", "number_product", "name"}:
        if len(branch.children) != 1:
            return None
        branch = branch.children[0]
    return branch if isinstance(branch, Token) else None


def _type_name(trees: list[_Tree]) -> str:
    """The word behind a scalar, if there is one."""
    return str(trees[0].children[0]) if trees else ""


def _trees(branches: Iterable[_Branch]) -> list[_Tree]:
    return [branch for branch in branches if isinstance(branch, Tree)]
