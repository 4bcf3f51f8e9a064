"""The page about performance, from the rows of a run.

    python -m benchmarks --json build/benchmarks.json
    python -m benchmarks.summary build/benchmarks.json

rewrites the part of `docs/performance.md` behind its marker; files of several devices become several sections. Sections
of devices that are in no file stay as they are.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
MARKER = "<!-- python -m benchmarks.summary writes what follows -->\n"

TITLE = "\n## "
"""In front of the name of a device."""

Data = dict[str, Any]


def summary(rows: Sequence[Data]) -> str:
    """A section for each device with a line for each set, amount of data and element type."""
    devices: dict[str, list[Data]] = {}
    for row in rows:
        devices.setdefault(row["device"], []).append(row)
    return "\n".join(line for device, each in devices.items() for line in _section(device, each))


def _section(device: str, rows: Sequence[Data]) -> Iterator[str]:
    compiled = [row for row in rows if "ours_ns" not in row]
    called = [row for row in rows if "ways" in row]
    measured = [row for row in rows if "working_set" in row]
    yield f"\n## {device}\n"
    if compiled:
        yield from _compile_lines(compiled)
    if measured:
        yield from _limit_lines(measured)
        yield from _ratio_lines(measured)
        yield from _build_lines(measured)
    if called:
        yield from _call_lines(called)


def _compile_lines(rows: Sequence[Data]) -> Iterator[str]:
    yield "| kernels of the examples | text to OpenCL C, ms: median, most | build, s: median, most | command |"
    yield "|--:|--:|--:|---|"
    milliseconds, seconds = ([row[name] for row in rows] for name in ("compile_ms", "build_s"))
    yield (
        f"| {len(rows)} | {median(milliseconds):.0f}, {max(milliseconds):.0f} "
        f"| {median(seconds):.2f}, {max(seconds):.2f} | `{rows[0]['command']}` |\n"
    )


def _limit_lines(rows: Sequence[Data]) -> Iterator[str]:
    yield "| limits, medians of all runs below | |"
    yield "|---|--:|"
    for dtype in sorted({row["dtype"] for row in rows}):
        peak = median(row["peak"] for row in rows if row["dtype"] == dtype)
        yield f"| multiply-adds in {dtype} | {peak * 1e-9:.0f} GFLOP/s |"
    for where in dict.fromkeys(row["working_set"] for row in rows):
        bandwidth = median(row["bandwidth"] for row in rows if row["working_set"] == where)
        yield f"| copying, {where} | {bandwidth * 1e-9:.0f} GB/s |"
    yield ""


def _ratio_lines(rows: Sequence[Data]) -> Iterator[str]:
    """Every cell is the median over the kernels of a group, then the least."""
    peers = list(dict.fromkeys(peer for row in rows for peer in row["peers"]))
    yield f"| set | kernels | floor over ours | {' | '.join(f'{peer} over ours' for peer in peers)} | command |"
    yield f"|---|--:|{'--:|' * (len(peers) + 1)}---|"
    for name, group in _groups(rows):
        share = _cell(row["floor_share"] for row in group)
        ratios = (_cell(r["peers"][peer] / r["ours_ns"] for r in group if peer in r["peers"]) for peer in peers)
        yield f"| {name} | {len(group)} | {share} | {' | '.join(ratios)} | `{group[0]['command']}` |"
    yield ""


def _build_lines(rows: Sequence[Data]) -> Iterator[str]:
    yield "| set | text to OpenCL C, ms: median, most | build, s: median, most | OpenCL C, kB: most | command |"
    yield "|---|--:|--:|--:|---|"
    for name, group in groupby(rows, key=lambda row: row["set"]):
        each = list(group)
        milliseconds, seconds, sizes = ([r[k] for r in each] for k in ("compile_ms", "build_s", "source_bytes"))
        yield (
            f"| {name} | {median(milliseconds):.0f}, {max(milliseconds):.0f} | {median(seconds):.2f}, "
            f"{max(seconds):.2f} | {max(sizes) / 1000:.0f} | `{each[0]['command']}` |"
        )
    yield ""


def _call_lines(rows: Sequence[Data]) -> Iterator[str]:
    """A line for each call: it has no kernels to take medians over."""
    ways, peers = (list(dict.fromkeys(name for row in rows for name in row[kind])) for kind in ("ways", "peers"))
    heads = (*(f"{way}, µs" for way in ways), *(f"{peer} over ours" for peer in peers))
    yield f"| call | ours, µs | floor over ours | {' | '.join(heads)} | command |"
    yield f"|---|{'--:|' * (len(heads) + 2)}---|"
    for row in rows:
        times = (f"{row['ways'][way] * 1e-3:.1f}" if way in row["ways"] else "" for way in ways)
        ratios = (f"{row['peers'][peer] / row['ours_ns']:.2f}" if peer in row["peers"] else "" for peer in peers)
        cells = (f"{row['ours_ns'] * 1e-3:.1f}", f"{row['floor_share']:.2f}", *times, *ratios)
        yield f"| `{row['kernel']}`, {row['dtype']} | {' | '.join(cells)} | `{row['command']}` |"
    yield ""


def _groups(rows: Sequence[Data]) -> Iterator[tuple[str, list[Data]]]:
    keys = dict.fromkeys((row["set"], row["working_set"], row["dtype"]) for row in rows)
    for key in keys:
        yield ", ".join(key), [row for row in rows if (row["set"], row["working_set"], row["dtype"]) == key]


def _cell(values: Iterable[float]) -> str:
    known = list(values)
    return f"{median(known):.2f}, {min(known):.2f}" if known else ""


def rewritten(page: str, rows: Sequence[Data]) -> str:
    """The page with the sections of these rows, and those of other devices behind them."""
    head, marker, sections = page.partition(MARKER)
    titles = {row["device"] for row in rows}
    others = (section for section in sections.split(TITLE)[1:] if section.partition("\n")[0] not in titles)
    return "".join((head, marker, summary(rows), *(f"{TITLE}{section}" for section in others)))


def main() -> None:
    """Rewrites the page."""
    parser = ArgumentParser(prog="python -m benchmarks.summary", description="Write docs/performance.md.")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="rows that `python -m benchmarks` wrote")
    rows = [row for path in parser.parse_args().files for row in json.loads(path.read_text(encoding="utf-8"))]
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")


if __name__ == "__main__":
    main()
