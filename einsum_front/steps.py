"""Recipes in Python: a schedule whose methods are the steps of `docs/loops.md`."""

from einsum_front.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """How the loops of a kernel run: each method is a step, and gives the schedule with that step more::

        columns = (
            ef.Schedule("AB").reorder("j2", "k", "i2").reorder("j", "i").vectorize("i", "i2", by=8)
            .unroll("i_o", "i2_o").fuse("j", "j2").stage("C", at="j")
        )
        program = ef.compile(ef.parse("matmul.ein"), schedule=columns)

    Its text is that of a file of recipes: `print(columns, file=…)` writes one. The model chooses for other kernels.
    Whether a step is legal is found where a program is compiled (E0915).

    Parameters
    ----------
    kernel : str
        The name of the kernel, in which `*` stands for any letters.
    steps : tuple of str
        The lines of the recipe so far.

    Examples
    --------
    >>> import einsum_front as ef
    >>> print(ef.Schedule("volume").interleave("e", by=8).unroll("q"))
    schedule volume {
      interleave e by 8
      unroll q
    }
    others by model
    """

    kernel: str
    steps: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join([f"schedule {self.kernel} {{", *(f"  {step}" for step in self.steps), "}", "others by model"])

    def _then(self, step: str) -> "Schedule":
        return Schedule(self.kernel, (*self.steps, step))

    def interleave(self, axis: str, by: int) -> "Schedule":
        """The lanes of vectors are `by` elements of the batch, over which the axis runs."""
        return self._then(f"interleave {axis} by {by}")

    def split(self, axis: str, by: int) -> "Schedule":
        """A loop becomes two: `AXIS_o` around `AXIS_i` of `by` points."""
        return self._then(f"split {axis} by {by}")

    def cut(self, axis: str, at: int) -> "Schedule":
        """A loop becomes `AXIS_a` of the first `at` points, then `AXIS_b` of the others."""
        return self._then(f"cut {axis} at {at}")

    def reorder(self, *axes: str) -> "Schedule":
        """Loops with nothing between them stand in this order, the outermost first."""
        return self._then(f"reorder {', '.join(axes)}")

    def fuse(self, axis: str, other: str) -> "Schedule":
        """Two loops of as many points, one directly after the other, become the first."""
        return self._then(f"fuse {axis}, {other}")

    def vectorize(self, *axes: str, by: int) -> "Schedule":
        """`by` neighbours along an axis are the lanes of vectors."""
        return self._then(f"vectorize {', '.join(axes)} by {by}")

    def sink(self, axis: str) -> "Schedule":
        """The loop over the elements stands inside of the others, around each product or function alone."""
        return self._then(f"sink {axis}")

    def unroll(self, *axes: str) -> "Schedule":
        """There is code for each point; points at which a factor is known to be zero have none."""
        return self._then(f"unroll {', '.join(axes)}")

    def stage(self, *tensors: str, at: str | None = None) -> "Schedule":
        """What is used of tensors lives in registers inside of the loop `at`, or of that over elements."""
        return self._then(f"stage {', '.join(tensors)}{'' if at is None else f' at {at}'}")

    def compress(self, *axes: str, of: str) -> "Schedule":
        """Loops leave out the points at which the tensor `of` is zero, by a table."""
        return self._then(f"compress {', '.join(axes)} of {of}")

    def literals(self, *tensors: str) -> "Schedule":
        """Known numbers are written into unrolled code."""
        return self._then(f"literals {', '.join(tensors)}")

    def stream(self, *tensors: str, above: int = 0) -> "Schedule":
        """Results go past the caches where those of a launch are more than so many MiB."""
        return self._then(f"stream {', '.join(tensors)}{f' above {above}' if above else ''}")

    def prefetch(self, *tensors: str, distance: int) -> "Schedule":
        """Cache lines of elements `distance` blocks ahead are asked for."""
        return self._then(f"prefetch {', '.join(tensors)} distance {distance}")
