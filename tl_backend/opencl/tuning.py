"""The form of a kernel and the parameters of it, as a user writes them: `group:block=2x3`, `lanes:prefetch=off`.

tuning    ::= form [":" parameter {"," parameter}]
form      ::= "group" | "lanes" | "tiles"
parameter ::= "block=" number "x" number               group, tiles
            | "prefetch=" ("on" | "off")               lanes
"""

import re
from dataclasses import dataclass
from enum import Enum

from diagnostics import CompileError, Diagnostic


class Form(Enum):
    """How the elements of a batch are spread over the device; the value is its name for users."""

    GROUP = "group"
    LANES = "lanes"
    TILES = "tiles"


@dataclass(frozen=True, slots=True)
class RegisterBlock:
    """The part of a result whose sums a work-item keeps in registers: `rows` times `columns`.

    Rows are vectors where a work-item is alone, and entries where several share the result.
    """

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"


@dataclass(frozen=True, slots=True)
class Tuning:
    """A form and its parameters; those that it does not have, and those that a model chooses, are None."""

    form: Form
    block: RegisterBlock | None = None
    prefetch: bool | None = None

    def __str__(self) -> str:
        block = [] if self.block is None else [f"block={self.block}"]
        prefetch = [] if self.prefetch is None else [f"prefetch={'on' if self.prefetch else 'off'}"]
        parameters = ",".join(block + prefetch)
        return f"{self.form.value}:{parameters}" if parameters else self.form.value


LARGEST_BLOCK = 64
"""Rows times columns of a block: registers are full before, and code is written out for each."""

PARAMETERS = {Form.GROUP: ("block",), Form.LANES: ("prefetch",), Form.TILES: ("block",)}
"""The parameters that each form has."""


def read_tuning(text: str) -> Tuning:
    """What the text says; raises `CompileError` (E0304) if it is not of the grammar above."""
    word, colon, rest = text.partition(":")
    form = next((form for form in Form if form.value == word), None)
    if form is None:
        raise _mistake(f"there is no form `{word}`: the forms are {', '.join(f'`{form.value}`' for form in Form)}")
    values: dict[str, str] = {}
    for parameter in rest.split(",") if colon else ():
        name, _, value = parameter.partition("=")
        if name not in PARAMETERS[form]:
            known = ", ".join(f"`{name}`" for name in PARAMETERS[form])
            raise _mistake(f"the form `{form.value}` has no parameter `{name}`: it has {known}")
        if name in values:
            raise _mistake(f"`{name}` is given twice in `{text}`")
        values[name] = value
    return Tuning(form, _block(values.get("block")), _prefetch(values.get("prefetch")))


def _block(text: str | None) -> RegisterBlock | None:
    if text is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]?)x([1-9][0-9]?)", text)
    if found is None:
        raise _mistake(f"`block={text}` is no block: it has rows and columns, as in `block=2x3`")
    block = RegisterBlock(int(found[1]), int(found[2]))
    if block.rows * block.columns > LARGEST_BLOCK:
        raise _mistake(f"`block={text}` is too large: a block has at most {LARGEST_BLOCK} rows times columns")
    return block


def _prefetch(text: str | None) -> bool | None:
    if text not in (None, "on", "off"):
        raise _mistake(f"`prefetch={text}` is neither `prefetch=on` nor `prefetch=off`")
    return None if text is None else text == "on"


def _mistake(message: str) -> CompileError:
    return CompileError([Diagnostic("E0304", message)])
