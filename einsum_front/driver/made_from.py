"""The notation that a dumped text was made from: a comment in its first line.

    ;! source {"file": "../wave.ein", "sha256": "9f86…", "kernel": "volume", "defines": {"N": "8"}}

`file` is relative to the folder of the text, `name` is what the places of the text call it. An index string has a
`text`, in which its places are, while `file` spells it out. `defines` and `real` are those that the notation was read
with. In OpenCL C the comment begins with `//!`.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from hashlib import sha256
from pathlib import Path

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source, Span
from einsum_front.core.origins import Sources
from einsum_front.core.storage import Storage
from einsum_front.core.texts import read_source
from einsum_front.files import write_text
from einsum_front.notation import checked, syntax
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse
from einsum_front.notation.parts.program import real_program
from einsum_front.notation.unparse import unparse
from einsum_front.options import Options
from einsum_front.runtime import element_shape
from einsum_front.runtime.artifact import ArrayParameter, Artifact, GroupParameter, ScalarParameter

_HEADER = re.compile(r"\A\s*(?:;|//)![ \t]*source[ \t]+(\{[^\n]*\})[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MadeFrom:
    """The notation of a text: its file, a digest of what the file was, and how it was read; see above."""

    file: Path
    name: str
    digest: str
    kernel: str | None = None
    text: str | None = None
    defines: Mapping[str, str] = field(default_factory=dict)
    real: str | None = None

    def header(self, directory: Path, kernel: str, mark: str = ";") -> str:
        """The comment of a text in a folder, for one kernel."""
        place = Path(os.path.relpath(self.file.resolve(), directory.resolve())).as_posix()
        said: dict[str, object] = {"file": place, "sha256": self.digest, "kernel": kernel}
        optional = {"name": self.name, "text": self.text, "defines": dict(self.defines), "real": self.real}
        said |= {key: value for key, value in optional.items() if value}
        return f"{mark}! source {json.dumps(said, ensure_ascii=False)}\n"

    def sources(self) -> Sources:
        """The texts that places of the text are in, if the file is there as it was."""
        if self.text is not None:
            return {self.name: Source(self.name, self.text)}
        try:
            source = read_source(self.file)
        except CompileError:
            return {}
        return {self.name: Source(self.name, source.text)} if digest_of(source.text) == self.digest else {}


def digest_of(text: str) -> str:
    """Of a text of the notation, in 16 digits."""
    return sha256(text.encode()).hexdigest()[:16]


def read_header(source: Source) -> MadeFrom | None:
    """What the first line of a text says about its notation; None if it says nothing.

    Raises `CompileError` (E0111) if it cannot be read.
    """
    match = _HEADER.match(source.text)
    if match is None:
        return None
    try:
        said = json.loads(match[1])
        file, kernel, text, real = (said.get(key) for key in ("file", "kernel", "text", "real"))
        defines = {str(key): str(value) for key, value in said.get("defines", {}).items()}
        if not isinstance(file, str) or not isinstance(said["sha256"], str) or "\0" in file:
            raise ValueError("no file")
    except (ValueError, KeyError, AttributeError, RecursionError):
        label = Label(Span(source, *match.span(1)), "an object with `file`, `sha256` and `kernel`")
        raise CompileError([Diagnostic("E0111", "this comment does not say a notation", (label,))]) from None
    path = Path(os.path.normpath(Path(source.name).parent / file))
    optional = [str(each) if each is not None else None for each in (kernel, text, real)]
    return MadeFrom(path, str(said.get("name", path)), said["sha256"], optional[0], optional[1], defines, optional[2])


def known_sources(source: Source) -> Sources:
    """The texts that the places of a text are in, as far as they are at hand."""
    made_from = read_header(source)
    return {} if made_from is None else made_from.sources()


def of_notation(program: syntax.Program, options: Options, directory: Path) -> MadeFrom:
    """The origin of what is made from a program; one that is in no file is written into the folder `directory`."""
    source = source_of(program)
    defines = {name: str(value) for name, value in options.defines.items()}
    if source is not None and not source.name.startswith("<"):
        digest = digest_of(source.text)
        return MadeFrom(Path(source.name), source.name, digest, defines=defines, real=options.real)
    name = "<program>" if source is None else source.name
    is_string = name == "<einsum>"
    text = unparse(program) if source is None or is_string else source.text
    file = directory / f"{name.strip('<>')}.ein"
    write_text(file, text)
    said = source.text if source is not None and is_string else None
    return MadeFrom(file, name, digest_of(text), None, said, defines, None if is_string else options.real)


def source_of(program: syntax.Program) -> Source | None:
    """The text that the places of a program are in; None if it has no places."""
    items = (each for item in program.items for each in _with_parts(item))
    return next((each.origin[0].source for each in items if each.origin), None)


def _with_parts(item: syntax.Item) -> Iterator[syntax.Item | syntax.Statement]:
    yield item
    if isinstance(item, syntax.Kernel):
        yield from item.statements


# -- what a text is compared with --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reference:
    """A kernel of the notation, which a kernel of another text should be; `name` is that of the notation's file."""

    name: str
    program: checked.CheckedProgram
    kernel: checked.Kernel


@dataclass(frozen=True, slots=True)
class NoReference:
    """A reason why a text is not compared with its notation."""

    why: str


def reference(made_from: MadeFrom | None, against: Path | None, kernel: str) -> Reference | NoReference | None:
    """The kernel of the notation that a kernel came from: in the file that the user names, or that its text does.

    None if neither does. Raises `CompileError` (E0112, E0113) if the file of the user has no such kernel, and all that
    is wrong with it; what a text says about its notation is only a reason then.
    """
    if against is None and made_from is None:
        return None
    if against is None and made_from is not None:
        try:
            text = read_source(made_from.file)
        except CompileError as error:
            return NoReference(error.diagnostics[0].message)
        if digest_of(text.text) != made_from.digest:
            return NoReference(f"`{made_from.file}` has changed since: compare with --against {made_from.file}")
        return _kernel(text, made_from, made_from.kernel or kernel)
    name = made_from.kernel if made_from is not None and made_from.kernel is not None else kernel
    return _kernel(read_source(str(against)), made_from, name)


def check_fit(artifact: Artifact, notation: Reference) -> None:
    """Raises `CompileError` (E0113) if the arguments of a kernel are not those of the notation."""
    tensors = {tensor.name: tensor for tensor in notation.program.tensors}
    scalars = {scalar.name for scalar in notation.program.scalars}
    wrong = []
    for parameter in artifact.arguments:
        if isinstance(parameter, ScalarParameter):
            known = parameter.name in scalars
            wrong += [] if known else [f"the notation has no scalar `{parameter.name}`"]
        elif parameter.name not in tensors:
            wrong.append(f"the notation has no tensor `{parameter.name}`")
        else:
            wrong += _misfit(parameter, tensors[parameter.name])
    given = {parameter.name for parameter in artifact.arguments}
    for name in dict.fromkeys(accesses(notation.kernel)):
        tensor = tensors[name]
        if name not in given and tensor.storage is not Storage.TEMPORARY and tensor.values is None:
            wrong.append(f"it needs `{name}`, which the kernel has no argument for")
    if wrong:
        message = f"`{artifact.name}` does not fit `{notation.kernel.name}` of `{notation.name}`"
        raise CompileError([Diagnostic("E0113", message, notes=tuple(wrong))])


def _misfit(parameter: ArrayParameter, tensor: checked.Tensor) -> list[str]:
    """The sizes of an array that are not those of the tensor, if all are known."""
    shape = element_shape(parameter)
    fits = len(shape) == len(tensor.shape) and all(
        not isinstance(size, int) or size == extent or not isinstance(extent, int)
        for size, extent in zip(shape, tensor.shape, strict=True)
    )
    batched = isinstance(parameter, GroupParameter) or parameter.batched
    if not fits:
        has, wants = (" x ".join(map(str, each)) or "no modes" for each in (shape, tensor.shape))
        return [f"`{tensor.name}` is {has} here, and {wants} in the notation"]
    stored, found = (tensor.memory or tensor.element_type).value, "bool" if parameter.type == "i1" else parameter.type
    if found != stored:
        return [f"`{tensor.name}` is of type `{found}` here, and `{stored}` in the notation"]
    if batched is (tensor.storage is Storage.CONSTANT):
        words = ("constant", "batched") if batched else ("batched", "constant")
        return [f"`{tensor.name}` is {words[1]} here, and {words[0]} in the notation"]
    return []


def accesses(kernel: checked.Kernel) -> Iterator[str]:
    """The names of the tensors that a kernel of the notation reads and writes."""
    for statement in kernel.statements:
        yield from _read(statement.target)
        yield from _read(statement.value)


def _read(expression: checked.Expression) -> Iterator[str]:
    if isinstance(expression, checked.Access):
        yield expression.tensor
    if isinstance(expression, checked.Gather):
        yield from (*expression.tensors, *(entry.tensor for entry in expression.entries))
    for part in checked.parts(expression):
        yield from _read(part)


def _kernel(text: Source, made_from: MadeFrom | None, name: str) -> Reference:
    defines, real = ({}, None) if made_from is None else (made_from.defines, made_from.real)
    program = check(parse(text), defines, Path(text.name).parent, real, name)
    found = next((kernel for kernel in program.kernels if kernel.name == name), None)
    if found is None:
        names = ", ".join(f"`{each.name}`" for each in program.kernels) or "none"
        message = f"`{text.name}` has no kernel `{name}` to compare with"
        raise CompileError([Diagnostic("E0113", message, notes=(f"it has {names}",))])
    below, over_parts = real_program(found, program)  # as texts below the notation have complex numbers
    return Reference(text.name, over_parts, below)
