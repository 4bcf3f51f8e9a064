"""Compiled programs as Python objects: kernels by name, every level as text, and the call."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front import inspector, ir, notebook
from einsum_front.by_numpy import calls_by_numpy
from einsum_front.chunked import ChunkedKernel, Progress, read_options
from einsum_front.core.diagnostics import Source
from einsum_front.core.extent import Extent
from einsum_front.core.signatures import shown_without_types
from einsum_front.core.untraced import apart, calls_apart, is_watched
from einsum_front.core.words import counted
from einsum_front.dask_arrays import is_dask
from einsum_front.driver import Stages
from einsum_front.driver.made_from import Reference
from einsum_front.driver.texts import operation_count
from einsum_front.driver.verification import Comparison, Tell, compare_levels, operations_per_entry, tell_nobody, verify
from einsum_front.edited import with_source
from einsum_front.layouts import Specialisations, Translate, overwritten
from einsum_front.level_text import LevelText, Text
from einsum_front.options import Level
from einsum_front.recipe import Recipe, pickled_by
from einsum_front.runtime import Device, Kernel, Launch, PyopenclArray, check_source, find_device, measure, on_views
from einsum_front.runtime.artifact import Artifact

# -- zero patterns of a kernel -----------------------------------------------------------------------------------------
# Which entries of each tensor and each value may differ from zero and matter.

Mask = NDArray[np.bool_]


class ZeroPatterns(Mapping[str, Mask]):
    """Boolean arrays by the name of a tensor, or by the number of a node of the contraction graph: `%7`.

    Only those that have zeros. In a notebook they are pictures.
    """

    def __init__(self, graph: ir.Graph) -> None:
        """The patterns of a graph, those of tensors under their names."""
        patterns = ir.analyse(graph).equivalent
        self._name = graph.name
        self._patterns = {
            graph.describe(key) if not graph.operands(key) else f"%{key}": pattern
            for (key, _), pattern in zip(graph.nodes, patterns, strict=True)
            if pattern.ndim and not pattern.is_empty and not pattern.is_full  # of what is not read, no entry matters
        }

    def __getitem__(self, name: str) -> Mask:
        return np.array(self._patterns[name].array())

    def __iter__(self) -> Iterator[str]:
        return iter(self._patterns)

    def __len__(self) -> int:
        return len(self._patterns)

    def __repr__(self) -> str:
        return f"<zero patterns of {self._name}: {counted(len(self), 'value')} with zeros>"

    def _repr_html_(self) -> str:
        return notebook.patterns_html(self._patterns)


class CompiledKernel:
    """A kernel that can be called, and read at every level.

    Call it with its arguments by name: NumPy or pyopencl arrays of shape `(batch, *shape)` for what every element has,
    of shape `shape` for what all share, numbers for scalars. Outputs are updated in place. Wrong arguments raise
    `CompileError` (E05xx) and leave everything as it was.

    Tensors without a declared layout take that of their arrays: a kernel is translated for it at the first call, or
    beside calls that NumPy computes (`build` of `compile`). The
    texts, `artifact`, `empty` and `to_device` are those of the default layout, column-major; `specialised` has others.

    Examples
    --------
    >>> import numpy as np
    >>> import einsum_front as ef
    >>> double = ef.compile(ef.parse("tensor A[4] kernel double { A[i] = 2 * A[i] }"))["double"]
    >>> A = np.ones((3, 4))
    >>> double(A=A)
    >>> A.sum()
    np.float64(24.0)
    """

    @shown_without_types
    def __init__(
        self,
        translation: Stages,
        device: Device | None = None,
        translate: Translate | None = None,
        *,
        tells_copies: bool = False,
        elsewhere: "Callable[[Device], CompiledKernel] | None" = None,
        text: Text | None = None,
        edited: Source | None = None,
        recipe: Recipe | None = None,
    ) -> None:
        """`translate` makes the kernel for other layouts; without it, there is none for any other.

        `tells_copies` is whether a call warns (`CopyWarning`) of arrays that it copies for their layout. `elsewhere`
        compiles the kernel for another device. `text` is where the kernel came from, `edited` is OpenCL C that stands
        for its own.
        """
        self._recipe, self._elsewhere = recipe, elsewhere
        self._text_of_kernel, self._edited = text, edited
        self.translation = translation
        self._device = device
        self._translate = translate
        self._tells_copies = tells_copies
        self._specialisations = Specialisations(translation, lambda: self.device, translate)
        build = "now" if elsewhere is None or recipe is None else recipe.build
        self._by_numpy = calls_by_numpy(translation, lambda: self._kernel, self._specialisations, build)

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(parameter.name for parameter in self.artifact.arguments)})>"

    @property
    def name(self) -> str:
        """The name of the kernel; a member of a family is `flux_2`."""
        return self.translation.name

    @property
    def artifact(self) -> Artifact:
        """Source, parameters and launch geometry."""
        return self.translation.artifact

    @property
    def graph(self) -> LevelText | None:
        """The contraction graph; None if the kernel was not written in the notation."""
        return self._text(Level.GRAPH)

    @property
    def plan(self) -> LevelText | None:
        """Order, maps, operations and temporaries; None if the kernel was not written in the notation."""
        return self._text(Level.PLAN)

    @property
    def patterns(self) -> ZeroPatterns | None:
        """The entries of tensors and values that may differ from zero, as Boolean arrays; None as for `graph`."""
        graph = self.translation.at(Level.GRAPH)
        return ZeroPatterns(graph) if isinstance(graph, ir.Graph) else None

    @property
    def yateto(self) -> LevelText | None:
        """The kernel in the YATeTo language; None if it was written in the tensor language."""
        return self._text(Level.YIR)

    @property
    def tensor_language(self) -> LevelText:
        """The kernel in the tensor language."""
        return self.artifact_text(Level.TL)

    @property
    def schedule(self) -> LevelText:
        """How the kernel runs: loops and what they are bound to, and the costs of all schedules."""
        return self.artifact_text(Level.SCHEDULE)

    @property
    def opencl(self) -> LevelText:
        """The kernel in OpenCL C."""
        return self.artifact_text(Level.CL)

    def artifact_text(self, level: Level) -> LevelText:
        """The text of a level that every kernel has."""
        return LevelText(self.translation, level)

    def _text(self, level: Level) -> LevelText | None:
        return None if self.translation.at(level) is None else LevelText(self.translation, level)

    def __reduce__(self) -> tuple[object, ...]:
        """Texts and source, by which another process builds the kernel for a device of its own."""
        is_changed = self._elsewhere is None
        return pickled_by(self._recipe).pickled_kernel(
            self.translation, self._device, (self._tells_copies, self._edited) if is_changed else None
        )

    def _repr_html_(self) -> str:
        return notebook.kernel_html(self.translation)

    def with_opencl(self, source: str | Source) -> "CompiledKernel":
        """The kernel with this OpenCL C, which was edited, instead of its own: for the same arguments and launches.

        Raises `CompileError` if it does not compile on the device (E0499), or has another head (E0498).
        """
        text = source if isinstance(source, Source) else Source("<string>", source)
        artifact = with_source(self.artifact, text, self.name)
        check_source(artifact, text.name, self.device.context, self.device.handle)
        translation = replace(self.translation, artifact=artifact)
        known = self._text_of_kernel
        return CompiledKernel(
            translation, self.device, tells_copies=self._tells_copies, text=known, edited=text, recipe=self._recipe
        )

    def inspect(self, *, measure: bool = False) -> "inspector.Page":
        """The page in which all levels of the kernel stand side by side, and what belongs together lights up.

        A notebook shows it; `.save(path)` writes it and `.open()` shows it in a browser. `measure` runs the kernel on
        the device: its time, and the least that is possible there.
        """
        if not isinstance(measure, bool):
            raise TypeError(f"`measure` is True or False, not {measure!r}")
        text = self._text_of_kernel or Text(
            Source("<kernel>", ""), Level.CL, lambda _observe, _name: (self.translation,)
        )
        return text.page(self.name, self._edited, self.device if measure else None)

    def artifact_for(self, device: Device, arguments: Mapping[str, object]) -> Artifact:
        """What a call with arguments that lie like these runs on a device."""
        kernel = self if device == self.device or self._elsewhere is None else self._elsewhere(device)
        return kernel._specialisations.translation(arguments).artifact

    @property
    def overwritten(self) -> frozenset[str]:
        """The arguments all of whose entries a call writes, whatever they were before; no others where that is open."""
        return overwritten(self.translation)

    def specialised(self, **arguments: object) -> "CompiledKernel":
        """The kernel that a call with these arguments runs, with its texts; it takes no other layouts."""
        translation = self._specialisations.translation(arguments)
        return CompiledKernel(translation, self.device, tells_copies=self._tells_copies, recipe=self._recipe)

    @cached_property
    def _kernel(self) -> Kernel:
        return Kernel(self.artifact, self.device, overwritten=self.overwritten)

    def _kernel_for(self, arguments: Mapping[str, object]) -> Kernel:
        if self._translate is None and not self._tells_copies:
            return self._kernel
        return self._specialisations.for_call(arguments)

    @cached_property
    def device(self) -> Device:
        """Where the kernel runs, with `context` and `queue`; `auto` if it was translated without a device."""
        return self._device or find_device(needs_opencl=True)

    @calls_apart
    def __call__(self, groups: int | None = None, /, *unnamed: object, **arguments: object) -> Any:
        """Runs over the batch, and waits.

        Parameters
        ----------
        groups : int, optional
            The number of elements, for kernels without batched arguments.
        **arguments : array or number
            Arrays of shape `(batch, *shape)` for what every element has, of shape `shape` for what all share, numbers
            for scalars. Outputs are updated in place; arrays of dask give them instead, lazily.

        Raises
        ------
        CompileError
            For wrong arguments (E05xx), which leaves everything as it was.
        """
        if is_watched():
            return apart(self.__call__)(groups, *unnamed, **arguments)
        if any(map(is_dask, arguments.values())):
            from einsum_front.dask_arrays import kernel_on_dask  # noqa: PLC0415 - it loads dask

            return kernel_on_dask(self, arguments)
        if self._by_numpy is not None and on_views(arguments, partial(self._by_numpy.run, groups, unnamed)):
            return None
        return on_views(arguments, lambda given: self._kernel_for(given)(groups, *unnamed, **given))

    @calls_apart
    def prepare(self, groups: int | None = None, /, *unnamed: object, **arguments: object) -> Launch:
        """The kernel bound to its arguments, for repeated runs.

        Parameters
        ----------
        groups, **arguments
            As in a call.

        Returns
        -------
        Launch
            `run()` starts without waiting, `finish()` waits for all that was started, `set(dt=0.5)` changes scalars.
        """
        if is_watched():
            return apart(self.prepare)(groups, *unnamed, **arguments)
        launch = on_views(arguments, lambda given: self._kernel_for(given).prepare(groups, *unnamed, **given))
        if self._by_numpy is not None:
            on_views(arguments, self._by_numpy.built)
        return launch

    @shown_without_types
    def chunked(
        self,
        *,
        memory: int | str | None = None,
        chunk: int | tuple[int, ...] | None = None,
        devices: Sequence[str | int] | None = None,
        out: Mapping[str, object] | None = None,
        journal: str | PathLike[str] | None = None,
        progress: Progress = False,
    ) -> ChunkedKernel:
        """The kernel for batches that are larger than the memory: `kernel.chunked(memory="2 GB")(Q=Q, K=K)`.

        Chunks of the batch are read, computed and written at the same time.

        Parameters
        ----------
        memory : int or str, optional
            What all buffers may have: bytes, or a text.
        chunk : int or tuple of int, optional
            Elements at a time.
        devices : sequence of str or int, optional
            Those that share the batch.
        out : mapping of str to array, optional
            Other places for results, by argument.
        journal : path, optional
            A file with what is finished, from which an interrupted run goes on.
        progress : bool or callable
            A bar on the terminal, or what is called with the elements that are done, and all.

        Raises
        ------
        CompileError
            For options that cannot be (E0521, E0523, E060x).
        """
        return ChunkedKernel(self, read_options(memory, chunk, devices, progress, journal), out)

    def empty(self, name: str, batch: int = 1, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
        """An array for an argument, uninitialised, in the declared or default layout: no launch copies it.

        Parameters
        ----------
        name : str
            The argument.
        batch : int
            The number of elements.
        shape : tuple of int, optional
            Without the batch; needed where only the launch knows it.
        """
        return self._kernel.empty(name, batch, shape)

    def to_device(self, name: str, array: object) -> PyopenclArray:
        """A copy of a NumPy array on the device, in the declared or default layout of an argument.

        `einsum_front.to_host` brings it back; pyopencl's own `get` and `repr` take arrays in C order only.

        Parameters
        ----------
        name : str
            The argument.
        array : array_like
            Of the element type of the argument, and of shape `(batch, *shape)` if every element has one.
        """
        return self._kernel.to_device(name, array)

    @property
    def operations(self) -> Extent:
        """Operations that must be done for one element: those with known zeros are not counted.

        A polynomial of sizes where extents are dynamic.
        """
        return operation_count(self.translation)

    @property
    def operations_per_entry(self) -> float:
        """Operations over the entries of one element that are written: how often a result is rounded at most."""
        return operations_per_entry(self.translation)

    def run_timed(self, groups: int | None = None, /, *unnamed: object, **arguments: object) -> float:
        """Runs once, as a call does, and gives the seconds on the device."""
        launch = self.prepare(groups, *unnamed, **arguments)
        seconds = measure(launch, runs=1, warm_up=0).median
        launch.finish()
        return seconds

    @shown_without_types
    def compare_levels(
        self,
        arguments: Mapping[str, object],
        groups: int,
        against: Reference | None = None,
        tell: Tell = tell_nobody,
    ) -> tuple[Comparison, ...]:
        """Every level against the one before it, on copies of these arguments and so many work-groups.

        The first one is compared `against` a kernel of the notation, if one is given. `tell` hears what runs.
        """
        return compare_levels(self.translation, self.device, arguments, groups, against, tell)

    def verify(
        self, seed: int = 0, against: Reference | None = None, tell: Tell = tell_nobody
    ) -> tuple[Comparison, ...]:
        """Every level against the one before it, on small random data; the first `against` a kernel of the notation.

        Each result has a `level`, and `agrees`. `tell` hears the name of each level before it runs.
        """
        return verify(self.translation, self.device, seed, against, tell)
