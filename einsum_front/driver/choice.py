"""How kernels get their schedules: as the user says, as measured, as the cache remembers, or as the model thinks."""

import json
import warnings
from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from einsum_front import driver, tl_backend
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Source
from einsum_front.core.texts import read_source
from einsum_front.core.words import listed
from einsum_front.driver.measurements import Measurement, as_entry, as_tuning, from_entry
from einsum_front.driver.session import Decide, by_model
from einsum_front.driver.stages import Decision, ready
from einsum_front.files import reason_of
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import Broken, Cache, Entry, tuning_cache
from einsum_front.tl_backend import (
    Recipe,
    Recipes,
    Target,
    Tuning,
    candidates,
    form_of,
    form_text,
    read_recipes,
    read_tuning,
)
from einsum_front.tl_backend.program import Function

if TYPE_CHECKING:
    from einsum_front.runtime import Device

RECIPES = ".sched"
"""How the names of files of recipes end."""


def _warn(note: str) -> None:
    warnings.warn(note, stacklevel=2)


@dataclass(frozen=True, slots=True)
class Report:
    """Who hears what is tried, what was measured, and what is wrong with the cache."""

    measured: Callable[[Measurement], None] = lambda _measurement: None
    note: Callable[[str], None] = _warn
    trying: Callable[[str], None] = lambda _what: None


def chooser(options: ScheduleOptions, device: "Device | None", report: Report | None = None) -> Decide:
    """Decision about the schedules of functions for a device; without one, nothing is measured or memoized.

    Raises `CompileError` (E0304) if the schedule that is asked for does not exist, or if it leaves nothing to tune.
    """
    if (recipes := _recipes(options)) is not None:
        return _ByRecipe(recipes)
    if options.schedule is not None:
        text = str(options.schedule)
        wanted = read_tuning(text)
        if options.tune:
            raise CompileError([Diagnostic("E0304", f"the schedule is to be `{wanted}`, which leaves nothing to tune")])
        return lambda _function, _target: Decision(wanted, "as asked for")
    if device is None:
        return by_model
    return _Remembered(device, options.tune, tuning_cache() if options.cache else None, report or Report()).decide


def _recipes(options: ScheduleOptions) -> Recipes | None:
    """The recipes of a file or of a text, if there are any."""
    text = "" if options.schedule is None else str(options.schedule)
    if not (text.endswith(RECIPES) or "{" in text):
        return None
    return read_recipes(Source("schedule", text) if "{" in text else read_source(text))


@dataclass(frozen=True, slots=True)
class _ByRecipe:
    """The recipe that has the name of the function, or what the model chooses where the file leaves that to it."""

    recipes: Recipes

    def __call__(self, function: Function, _target: Target) -> Decision:
        recipe = self.recipes.of(function.name, lambda: form_of(function))
        return Decision() if recipe is None else Decision(as_tuning(recipe), "as its recipe says")


def tell_unused(decide: Decide, kernels: Collection[str], report: Report) -> None:
    """A note where recipes are given, and none has the name of one of the kernels: a name may be misspelt."""
    recipes = decide.recipes.recipes if isinstance(decide, _ByRecipe) else ()
    names = [each.name for each in recipes if not each.form]
    if names and len(names) == len(recipes) and not any(name in kernels for name in names):
        known, here = (listed([f"`{name}`" for name in each]) for each in (names, kernels))
        report.note(f"no recipe is used: there are recipes of {known}, and the kernels are {here}")


@dataclass(frozen=True, slots=True)
class _Remembered:
    """The choice for a device: what was measured before, what is measured now, else the model's."""

    device: "Device"
    measures: bool
    cache: Cache | None
    report: Report

    def decide(self, function: Function, target: Target) -> Decision:
        """The schedule of a function."""
        if not self.measures and (self.cache is None or self.cache.is_empty()):
            return Decision()
        key = key_of(function, target, self.device)
        found = self._known(key)
        if found is not None and not is_possible(function, target, found.taken):
            self._ignore(key, f"`{function.name}` cannot have the schedule `{found.taken}`")
            found = None
        if found is None and self.measures:
            found = driver.measure_candidates(function, target, self.device, self.report.trying)
            self._keep(key, found)
        if found is None:
            return self._imported(function, target)
        if self.measures:
            self.report.measured(found)
        return Decision(found.taken, found.reason)

    def _imported(self, function: Function, target: Target) -> Decision:
        """What another machine has found, if the function can have it here."""
        recipe = None if self.cache is None else imported(self.cache, form_of(function))
        if recipe is None:
            return Decision()
        wanted = as_tuning(recipe)
        if not is_possible(function, target, wanted):
            self.report.note(f"`{function.name}` cannot have here what is imported for it: `{recipe.by or 'a recipe'}`")
            return Decision()
        return Decision(wanted, f"imported, measured on {recipe.machine}")

    def _known(self, key: str) -> Measurement | None:
        if self.cache is None or (found := self.cache.find(key)) is None:
            return None
        measurement = found if isinstance(found, Broken) else from_entry(found)
        if isinstance(measurement, Measurement):
            return measurement
        self._ignore(key, "it is no measurement" if measurement is None else measurement.reason)
        return None

    def _ignore(self, key: str, reason: str) -> None:
        if self.cache is not None:
            self.report.note(f"{self.cache.path(key)} of the tuning cache is ignored: {reason}")

    def _keep(self, key: str, measurement: Measurement) -> None:
        """Measuring again is all that is lost if this fails."""
        if self.cache is None or not measurement.batches:
            return
        try:
            self.cache.keep(key, as_entry(measurement))
        except OSError as error:
            self.report.note(f"the tuning cache {self.cache.folder} cannot be written: {reason_of(error)}")


def import_recipes(path: str, kept: Cache) -> int:
    """Remembers what another machine has found for forms of kernels, and says how many they are.

    Raises `CompileError` (E0304) if the file has none, and `OSError` if the folder cannot be written.
    """
    recipes = [each for each in read_recipes(read_source(path)).recipes if each.form]
    if not recipes:
        note = "`einsum-front tune --export FILE` writes such recipes; one with the name of a kernel is for --schedule"
        raise CompileError([Diagnostic("E0304", f"`{path}` has no recipe of a form", notes=(note,))])
    for each in recipes:
        as_tuning(each)
    for each in recipes:
        kept.keep(_key_of_import(each.form), {"imported": str(each)})
    return len(recipes)


def imported(kept: Cache, form: str) -> Recipe | None:
    """What is imported for a form of kernels."""
    match kept.find(_key_of_import(form)):
        case {"imported": str(text)}:
            try:
                return read_recipes(Source("imported recipe", text)).recipes[0]
            except CompileError:
                return None
        case _:  # open: nothing, or what is broken, is not used
            return None


def is_imported(entry: Entry) -> bool:
    """True for an entry of the cache that another machine has found."""
    return "imported" in entry


def _key_of_import(form: str) -> str:
    return f"imported {form}"


def is_possible(function: Function, target: Target, wanted: Tuning) -> bool:
    """True if a function that the passes are still ahead of can have the schedule."""
    try:
        return tl_backend.is_possible(ready(function, target, wanted), target, wanted)
    except CompileError:
        return False


def key_of(function: Function, target: Target, device: "Device") -> str:
    """Everything that the times of the candidates depend on, as text; the number of a device does not matter."""
    facts = replace(device.facts, number=0)
    about = {
        "generator": _generator(),
        "function": function.get(form_text),
        "target": asdict(target) | {"language": target.language.name},
        "device": asdict(facts),
        "candidates": [str(candidate) for candidate in candidates(function, target)],
    }
    return json.dumps(about, sort_keys=True, default=str)


@cache
def _generator() -> str:
    """A digest of the sources that make OpenCL C: other sources may make other code, also of the same version."""
    folder = Path(tl_backend.__path__[0])
    digest = sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
