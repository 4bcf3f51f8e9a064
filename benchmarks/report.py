"""Rows as tables."""

from collections.abc import Sequence

from rich.table import Table

from benchmarks.row import CallRow, CompileRow, Row


def table(name: str, rows: Sequence[Row]) -> Table:
    """A set: our time and how near it is to the floor, then how many times as long each peer takes."""
    peers = list(dict.fromkeys(peer for row in rows for peer in row.peers))
    result = Table(title=f"{name}, {rows[0].device}", caption=_caption(rows))
    result.add_column("kernel", no_wrap=True)
    for title in ("type", "ns", "±", "GFLOP/s", "GB/s", "of floor", *peers, "compile ms", "build s", "kB"):
        result.add_column(title, justify="right")
    for row in rows:
        result.add_row(
            row.kernel,
            row.dtype,
            f"{row.ours_ns:,.1f}",
            f"{row.spread:.0%}",
            f"{row.rate * 1e-9:.1f}",
            f"{row.traffic * 1e-9:.0f}",
            f"{row.floor_share:.0%} {'op' if row.bound == 'operations' else 'B'}",
            *(f"{row.ratios[peer]:.2f}x" if peer in row.ratios else "" for peer in peers),
            f"{row.compile_ms:.0f}",
            f"{row.build_s:.2f}",
            f"{row.source_bytes / 1000:.1f}",
        )
    return result


def _caption(rows: Sequence[Row]) -> str:
    dtypes = dict.fromkeys(row.dtype for row in rows)
    peaks = [f"{_range([row.peak for row in rows if row.dtype == dtype])} GFLOP/s in {dtype}" for dtype in dtypes]
    return (
        f"ns per element; limits: {', '.join(peaks)}, {_range([row.bandwidth for row in rows])} GB/s by copying; "
        "GB/s: of cache lines with entries that are no declared zeros; "
        "of floor: operations (op) or bytes (B) at the limits over our time; peers: their time over ours"
    )


def _range(rates: Sequence[float]) -> str:
    low, high = f"{min(rates) * 1e-9:.0f}", f"{max(rates) * 1e-9:.0f}"
    return low if low == high else f"{low} to {high}"


def call_table(rows: Sequence[CallRow]) -> Table:
    """A set of calls: ours in microseconds, other ways of ours too, then how many times as long each peer takes."""
    ways = dict.fromkeys(name for row in rows for name in row.ways)
    peers = dict.fromkeys(name for row in rows for name in row.peers)
    caption = "µs from call to result by the clock of the host; of floor: copying operands and result, over ours"
    result = Table(title=f"{rows[0].set}, {rows[0].device}", caption=f"{caption}; peers: their time over ours")
    result.add_column("call", no_wrap=True)
    for title in ("type", "ours, µs", "±", "of floor", *(f"{way}, µs" for way in ways), *peers):
        result.add_column(title, justify="right")
    for row in rows:
        result.add_row(
            row.kernel,
            row.dtype,
            f"{row.ours_ns * 1e-3:,.1f}",
            f"{row.spread:.0%}",
            f"{row.floor_share:.0%}",
            *(f"{row.ways[way] * 1e-3:,.1f}" if way in row.ways else "" for way in ways),
            *(f"{row.ratios[peer]:.2f}x" if peer in row.ratios else "" for peer in peers),
        )
    return result


def compile_table(rows: Sequence[CompileRow]) -> Table:
    """The set `compile`, and which kernel took longest."""
    slowest = max(rows, key=lambda row: row.compile_ms)
    caption = f"slowest of {len(rows)}: {slowest.kernel} in {slowest.compile_ms:.1f} ms"
    result = Table(title=f"compile, {rows[0].device}", caption=caption)
    result.add_column("kernel", no_wrap=True)
    for title in ("text to OpenCL C, ms", "±", "build s", "kB"):
        result.add_column(title, justify="right")
    for row in rows:
        cells = (f"{row.compile_ms:.1f}", f"{row.spread:.0%}", f"{row.build_s:.2f}", f"{row.source_bytes / 1000:.1f}")
        result.add_row(row.kernel, *cells)
    return result
