"""Rows as a drawing: how near each is to the limits of the machine, and how it compares with the peers."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.row import Row

HEIGHT_PER_ROW = 0.16


def draw(rows: Sequence[Row], path: Path) -> None:
    """Writes a roofline and the ratios to the peers; the suffix of the path names the format.

    Needs matplotlib; raises ImportError if it is not installed.
    """
    matplotlib = import_module("matplotlib")  # an extra, slow to import
    matplotlib.use("Agg")
    pyplot = import_module("matplotlib.pyplot")
    height = max(5.0, HEIGHT_PER_ROW * len(rows) + 1.5)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(14, height), layout="constrained")
    _roofline(left, rows)
    _ratios(right, rows)
    figure.suptitle(rows[0].device)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    pyplot.close(figure)


def _roofline(axes: Any, rows: Sequence[Row]) -> None:
    """Operations for each byte against operations for each second, with the limits measured in the same run."""
    intensity = np.array([row.operations / row.bytes for row in rows])
    line = np.geomspace(intensity.min() / 2, intensity.max() * 2, 200)
    for dtype in sorted({row.dtype for row in rows}):
        of_type = [row for row in rows if row.dtype == dtype]
        peak = max(row.peak for row in of_type)
        for bandwidth in (min(row.bandwidth for row in of_type), max(row.bandwidth for row in of_type)):
            axes.plot(line, np.minimum(peak, bandwidth * line) * 1e-9, color="0.7", linewidth=0.8, zorder=1)
        axes.annotate(f"{dtype}: {peak * 1e-9:.0f} GFLOP/s", (line[-1], peak * 1e-9), ha="right", va="bottom")
    for name in dict.fromkeys(row.set for row in rows):
        chosen = [row for row in rows if row.set == name]
        x, y = [row.operations / row.bytes for row in chosen], [row.rate * 1e-9 for row in chosen]
        axes.scatter(x, y, s=14, label=name, zorder=2)
    axes.set(xscale="log", yscale="log", xlabel="non-zero operations per byte", ylabel="GFLOP/s")
    axes.set_title("ours under the limits of operations and of bandwidth (of memory and of caches)")
    axes.legend()


def _ratios(axes: Any, rows: Sequence[Row]) -> None:
    """A line for each kernel, a mark for each peer: right of one, ours is faster."""
    height = range(len(rows))
    for peer in dict.fromkeys(peer for row in rows for peer in row.peers):
        points = [(row.ratios[peer], number) for number, row in zip(height, rows, strict=True) if peer in row.ratios]
        axes.scatter(*zip(*points, strict=True), s=12, label=peer)
    axes.axvline(1.0, color="0.5", linewidth=0.8)
    axes.set_yticks(height, [f"{row.kernel} {row.dtype}" for row in rows], fontsize=6)
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="time of the peer over ours")
    axes.legend()
