"""Programs become kernels; what they became them from is kept, for other devices and for other processes."""

import copyreg
import pickle
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from io import BytesIO
from types import MappingProxyType
from typing import Any

from einsum_front import ir
from einsum_front.compiled import CompiledKernel
from einsum_front.compiled_program import CompiledProgram
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Source
from einsum_front.driver import (
    Lying,
    NotationStages,
    Observer,
    Session,
    Stages,
    ignore,
    translate_program,
    translate_text,
    with_layouts,
)
from einsum_front.driver.choice import Report, chooser, tell_unused
from einsum_front.driver.targets import DEFAULT, target_of
from einsum_front.index_string.keywords import Build
from einsum_front.level_text import Text
from einsum_front.notation import syntax
from einsum_front.options import Level, Options, ScheduleOptions
from einsum_front.parsed import Program
from einsum_front.runtime import Device, DeviceFacts, available_devices, device_like, find_device


@dataclass(frozen=True, slots=True)
class Compilation:
    """A program and how it is compiled; `takes_layouts` and `build` are those of `compile_program`."""

    program: Program | ir.Graph
    options: Options
    schedules: ScheduleOptions
    takes_layouts: bool
    build: Build | None = "now"

    def session(self, device: Device | None, observe: Observer = ignore, report: Report | None = None) -> Session:
        """What translates for a device; `observe` sees each level, `report` hears what is measured."""
        target = DEFAULT if device is None else target_of(device.facts)
        return Session(target, self.options, observe, chooser(self.schedules, device, report))

    def compiled(self, translations: tuple[Stages, ...], device: Device | None, session: Session) -> CompiledProgram:
        """The program whose kernels are translated already, by this session or one like it."""

        def translate_for(translation: NotationStages, layouts: Mapping[str, Lying]) -> Stages:
            return with_layouts(replace(session, observe=ignore), translation, layouts)

        is_notation = all(isinstance(translation, NotationStages) for translation in translations)

        @cache
        def elsewhere(other: Device) -> CompiledProgram:
            return _compiled(self, other)

        return CompiledProgram(
            translations,
            device,
            translate_for if self.takes_layouts and is_notation else None,
            tells_copies=self.takes_layouts,
            elsewhere=elsewhere,
            text=self.text(session),
            recipe=self,
        )

    def pickled_kernel(
        self, translation: Stages, device: Device | None, changed: tuple[bool, Source | None] | None
    ) -> tuple[object, ...]:
        """The pickle of a kernel; `changed` are its `tells_copies` and `edited` if it is not as the program has it."""
        return _restored_kernel, (to_bytes((self, translation, _facts(device), changed)),)

    def pickled_program(self, translations: tuple[Stages, ...], device: Device | None) -> tuple[object, ...]:
        """The pickle of all kernels."""
        return _restored_program, (to_bytes((self, translations, _facts(device))),)

    def text(self, session: Session) -> Text:
        """What the inspector shows of the program, and how it sees the passes: by translating once more."""
        program = self.program

        def translate(observe: Observer, kernel: str | None) -> tuple[Stages, ...]:
            wanted = kernel if isinstance(program, Program) and kernel is not None else session.options.kernel
            return _translations(
                program, replace(session, observe=observe, options=replace(session.options, kernel=wanted))
            )

        if isinstance(program, ir.Graph):
            return Text(Source(f"<{program.name}>", ""), Level.GRAPH, translate)
        return Text(program.source, program.level, translate)


def compile_program(
    program: Program | ir.Graph,
    device: Device | None,
    options: Options,
    schedules: ScheduleOptions,
    observe: Observer = ignore,
    report: Report | None = None,
    *,
    takes_layouts: bool = False,
    build: Build | None = "now",
) -> CompiledProgram:
    """`compile` for a device that is found already; `observe` sees each level, `report` hears what is measured.

    `takes_layouts` is whether kernels take the layouts of arrays where none is declared, and tell of copies. `build` is
    that of `compile`; None: `"auto"` for kernels with open sizes, `"now"` for others.
    """
    return _compiled(Compilation(program, options, schedules, takes_layouts, build), device, observe, report)


def _compiled(
    recipe: Compilation, device: Device | None, observe: Observer = ignore, report: Report | None = None
) -> CompiledProgram:
    session = recipe.session(device, observe, report)
    translations = _translations(recipe.program, session)
    tell_unused(session.decide, [each.name for each in translations], report or Report())
    return recipe.compiled(translations, device, session)


def _translations(program: Program | ir.Graph, session: Session) -> tuple[Stages, ...]:
    match program:
        case ir.Graph():
            return (session.compile_graph(program),)
        case Program(notation=syntax.Program() as notation, directory=directory):
            return translate_program(session, notation, directory)
        case Program(source=source, level=level):
            return translate_text(session, source, level)


# -- in another process ------------------------------------------------------------------------------------------------


def _facts(device: Device | None) -> DeviceFacts | None:
    return None if device is None else device.facts


def _restored_program(data: bytes) -> CompiledProgram:
    return _restored(*from_bytes(data))


def _restored_kernel(data: bytes) -> CompiledKernel:
    """A kernel from its pickle; one with an edited text, or for certain layouts, is kept as it is."""
    recipe, translation, facts, changed = from_bytes(data)
    if changed is None:
        return _restored(recipe, (translation,), facts)[translation.name]
    tells_copies, edited = changed
    device = None if facts is None else device_like(facts)
    text = recipe.text(recipe.session(device))
    return CompiledKernel(translation, device, tells_copies=tells_copies, text=text, edited=edited, recipe=recipe)


def _restored(recipe: Compilation, translations: tuple[Stages, ...], facts: DeviceFacts | None) -> CompiledProgram:
    """On a device like the one that it was made for, else compiled anew for `auto`.

    Where there is no device at all, it is as it was, and can be read.
    """
    device = None if facts is None else device_like(facts)
    if device is None and facts is not None and available_devices():
        return _compiled(recipe, find_device())
    return recipe.compiled(translations, device, recipe.session(device))


# -- values of the compiler as bytes, for other processes --------------------------------------------------------------
# What Python itself pickles, and mappings that nobody writes.


def to_bytes(value: object) -> bytes:
    """The pickle of a value; raises what `pickle` raises if some part of it cannot travel."""
    stream = BytesIO()
    _Pickler(stream, protocol=5).dump(value)
    return stream.getvalue()


def from_bytes(data: bytes) -> Any:
    """The value of `to_bytes`: as with every pickle, only from those whom one trusts."""
    return pickle.loads(data)


class _Pickler(pickle.Pickler):
    dispatch_table = copyreg.dispatch_table.copy()


def _frozen(entries: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(entries)


_Pickler.dispatch_table[MappingProxyType] = lambda mapping: (_frozen, (dict(mapping),))
