"""What was measured: one row for each case, call, and kernel of the set `compile`."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """A kernel beside its peers and its limits; times, operations and bytes are per element of the batch.

    `ours_ns` and `peers` are nanoseconds, the middle of several turns; `spread` is the distance of the quartiles of
    ours over the middle. `operations` are those on entries that are not zero; `bytes` are those of every batched
    input read once and of every output written once, without declared zeros, and `line_bytes` those of the cache
    lines in which they lie, which is what memory moves. `floor_share` is the time that no kernel can beat, over ours:
    at `peak` operations a second and `bandwidth` bytes a second, both measured in turn with this row. The last three
    say what it cost to get here: milliseconds from text to OpenCL C, seconds to build that, and its length.
    """

    set: str
    kernel: str
    dtype: str
    device: str
    command: str
    working_set: str
    elements: int
    ours_ns: float
    spread: float
    peers: Mapping[str, float]
    operations: float
    bytes: float
    line_bytes: float
    floor_share: float
    bound: str
    peak: float
    bandwidth: float
    compile_ms: float
    build_s: float
    source_bytes: int

    @property
    def ratios(self) -> dict[str, float]:
        """How many times as long each peer takes."""
        return {name: nanoseconds / self.ours_ns for name, nanoseconds in self.peers.items()}

    @property
    def rate(self) -> float:
        """Operations a second."""
        return self.operations / self.ours_ns * 1e9

    @property
    def traffic(self) -> float:
        """Bytes a second that memory moves, in whole cache lines."""
        return self.line_bytes / self.ours_ns * 1e9

    @property
    def line(self) -> str:
        """The row in one line."""
        ratios = "".join(f", {ratio:.2f}x {name}" for name, ratio in self.ratios.items())
        return f"{self.kernel} {self.dtype}: {self.ours_ns:.1f} ns, {self.floor_share:.0%} of the floor{ratios}"

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call by the clock of the host, from call to result.

    `ours_ns`, `ways` and `peers` are nanoseconds of a call, the middle of several turns: ours on NumPy's arrays, other
    ways to make the same call of ours, and other libraries. `bytes` are those of operands and result, and `floor_share`
    the time that copying them takes, over ours.
    """

    set: str
    kernel: str
    dtype: str
    device: str
    command: str
    ours_ns: float
    spread: float
    ways: Mapping[str, float]
    peers: Mapping[str, float]
    bytes: float
    floor_share: float
    bandwidth: float

    @property
    def ratios(self) -> dict[str, float]:
        """How many times as long each peer takes."""
        return {name: nanoseconds / self.ours_ns for name, nanoseconds in self.peers.items()}

    @property
    def line(self) -> str:
        """The row in one line."""
        ways = "".join(f", {name} {nanoseconds * 1e-3:.1f} µs" for name, nanoseconds in self.ways.items())
        ratios = "".join(f", {ratio:.2f}x {name}" for name, ratio in self.ratios.items())
        return f"{self.kernel} {self.dtype}: {self.ours_ns * 1e-3:.1f} µs{ways}{ratios}"

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CompileRow:
    """What a kernel costs before it runs: milliseconds from text to OpenCL C, seconds to build that, and its length."""

    set: str
    kernel: str
    dtype: str
    device: str
    command: str
    compile_ms: float
    spread: float
    build_s: float
    source_bytes: int

    @property
    def line(self) -> str:
        """The row in one line."""
        return f"{self.kernel}: {self.compile_ms:.1f} ms to OpenCL C, built in {self.build_s:.2f} s"

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)
