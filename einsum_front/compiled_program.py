"""All kernels of a text, each of which can be called."""

from collections.abc import Callable, Iterator, Mapping
from typing import NoReturn

from einsum_front import inspector, notebook
from einsum_front.compiled import CompiledKernel
from einsum_front.core.diagnostics import Source
from einsum_front.core.signatures import shown_without_types
from einsum_front.driver import Stages
from einsum_front.driver.texts import joined_text
from einsum_front.layouts import Translate
from einsum_front.level_text import ProgramText, Text
from einsum_front.options import Level
from einsum_front.recipe import Recipe, pickled_by
from einsum_front.runtime import Device, find_device


class CompiledProgram(Mapping[str, CompiledKernel]):
    """The kernels of a text by name, in the order of the text: what `compile` returns.

    Examples
    --------
    >>> import einsum_front as ef
    >>> program = ef.compile(ef.parse("tensor A[4] kernel double { A[i] = 2 * A[i] }"))
    >>> program
    <compiled: double>
    >>> list(program)
    ['double']
    """

    @shown_without_types
    def __init__(
        self,
        translations: tuple[Stages, ...],
        device: Device | None = None,
        translate: Translate | None = None,
        *,
        tells_copies: bool = False,
        elsewhere: "Callable[[Device], CompiledProgram] | None" = None,
        text: Text | None = None,
        recipe: Recipe | None = None,
    ) -> None:
        """All but the first are those of `CompiledKernel`, for the whole program."""

        def kernel_of(translation: Stages) -> CompiledKernel:
            there = None if elsewhere is None else (lambda other: elsewhere(other)[translation.name])
            other = None if translation.decision.has_recipe else translate
            return CompiledKernel(
                translation, device, other, tells_copies=tells_copies, elsewhere=there, text=text, recipe=recipe
            )

        kernels = map(kernel_of, translations)
        self._kernels = {kernel.name: kernel for kernel in kernels}
        self._text_of_kernels = text
        self._device = device
        self._recipe = recipe

    def __reduce__(self) -> tuple[object, ...]:
        """All kernels, as each of them travels."""
        translations = tuple(kernel.translation for kernel in self._kernels.values())
        return pickled_by(self._recipe).pickled_program(translations, self._device)

    def __getitem__(self, name: str) -> CompiledKernel:
        if name not in self._kernels:
            known = ", ".join(map(repr, self._kernels))
            raise KeyError(f"there is no kernel {name!r}: there {'is' if len(self._kernels) == 1 else 'are'} {known}")
        return self._kernels[name]

    def __getattr__(self, name: str) -> NoReturn:
        """Kernels are entries, since they may be called `text` or `plan`."""
        kernels = vars(self).get("_kernels", ())
        way = f": the kernel is `compiled[{name!r}]`" if name in kernels else ""
        raise AttributeError(f"a compiled program has no attribute {name!r}{way}", name=name, obj=self)

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __repr__(self) -> str:
        return f"<compiled: {', '.join(self._kernels)}>"

    def _repr_html_(self) -> str:
        return notebook.program_html([kernel.translation for kernel in self._kernels.values()])

    def inspect(self, *, measure: bool = False) -> "inspector.Page":
        """The page of all kernels, of which one is shown at a time.

        Parameters
        ----------
        measure : bool
            As in `CompiledKernel.inspect`.

        Returns
        -------
        inspector.Page
            With `save` and `open`.
        """
        translations = tuple(kernel.translation for kernel in self._kernels.values())
        text = self._text_of_kernels or Text(Source("<kernels>", ""), Level.CL, lambda _observe, _name: translations)
        return text.page(None, None, (self._device or find_device()) if measure else None)

    def text(self, level: Level, edition: str | None = None) -> str:
        """The text of a level for all kernels that have it.

        Parameters
        ----------
        level : Level
            The language of the text.
        edition : str, optional
            That of the tensor language: `"tinytc-0.2"` to `"tinytc-0.4"` are the Tiny Tensor Compiler's.

        Returns
        -------
        str
        """
        return joined_text((kernel.translation for kernel in self._kernels.values()), level, edition)

    def _shown(self, level: Level) -> ProgramText:
        return ProgramText([kernel.translation for kernel in self._kernels.values()], level)

    @property
    def graph(self) -> ProgramText:
        """The contraction graphs of all kernels."""
        return self._shown(Level.GRAPH)

    @property
    def plan(self) -> ProgramText:
        """The plans of all kernels."""
        return self._shown(Level.PLAN)

    @property
    def yateto(self) -> ProgramText:
        """All kernels in the YATeTo language: a `.yir` text."""
        return self._shown(Level.YIR)

    @property
    def tensor_language(self) -> ProgramText:
        """All kernels in the tensor language: a `.tl` text."""
        return self._shown(Level.TL)

    @property
    def schedule(self) -> ProgramText:
        """How all kernels run."""
        return self._shown(Level.SCHEDULE)

    @property
    def opencl(self) -> ProgramText:
        """All kernels in OpenCL C."""
        return self._shown(Level.CL)
