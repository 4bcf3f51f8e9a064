"""Texts of all levels and plans as HTML that stands for itself: no scripts, no style sheets, nothing from a network."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape

import numpy as np
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers.c_cpp import CLexer

from einsum_front import drawing, ir
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.diagnostics.highlight import TensorLanguageLexer, YatetoLanguageLexer
from einsum_front.core.zero_pattern import Pattern
from einsum_front.driver import GraphStages, Stages
from einsum_front.driver.texts import operation_count, text
from einsum_front.options import LEVEL_NAMES, SOURCE_LEVELS, Level

LEXERS = {Level.YIR: YatetoLanguageLexer, Level.TL: TensorLanguageLexer, Level.CL: CLexer}

SHOWN = [level for level in LEVEL_NAMES if level not in SOURCE_LEVELS]
"""The levels that a kernel is shown at."""

PRE = (
    "font-family:monospace;white-space:pre;line-height:1.3;margin:0.3em 0;padding:0.5em;"
    "overflow:auto;max-height:32em;background:#f6f8fa;color:#1b1f24"
)

MOST_ENTRIES = 1 << 16
"""Entries of a value whose zero pattern is drawn."""

MOST_OPEN = 8
"""So many kernels of a program are shown; a family may have hundreds."""


def source_html(source: str, level: Level) -> str:
    """A text of a level, with colours if the level has some."""
    if level not in LEXERS:
        return f'<pre style="{PRE}">{escape(source)}</pre>'
    return str(highlight(source, LEXERS[level](), HtmlFormatter(noclasses=True, prestyles=PRE, nobackground=True)))


def level_html(stages: Stages, level: Level) -> str:
    """A kernel at one level: the plan as a table below its drawing, everything else as text."""
    if level is Level.PLAN and isinstance(stages, GraphStages):
        return _plan_html(stages.planned)
    return source_html(text(stages, level) or "", level)


def levels_html(kernels: Sequence[Stages], level: Level) -> str:
    """Some kernels at one level, each to fold out; the first one is open."""
    there = [stages for stages in kernels if stages.at(level) is not None]
    parts = (
        _fold(stages.name, partial(level_html, stages, level), is_open=number == 0)
        for number, stages in enumerate(there[:MOST_OPEN])
    )
    rest = f"<p>and {len(there) - MOST_OPEN} more</p>" if len(there) > MOST_OPEN else ""
    return f"<div>{''.join(parts)}{rest}</div>"


def patterns_html(patterns: Mapping[str, Pattern]) -> str:
    """Zero patterns as pictures: rows are the first mode, columns all others, the first of them fastest.

    Those of many entries are left out.
    """
    shown = (item for item in patterns.items() if item[1].size <= MOST_ENTRIES)
    return f"<div>{''.join(_spy_html(name, pattern) for name, pattern in shown)}</div>"


def _spy_html(name: str, pattern: Pattern) -> str:
    mask = pattern.array()
    flat = mask.reshape(mask.shape[0], -1, order="F") if mask.ndim else mask.reshape(1, 1)
    rows, columns = flat.shape
    side = max(1.0, min(8.0, 240 / max(rows, columns)))
    path = "".join(f"M{column},{row}h1v1h-1z" for row, column in np.argwhere(flat))
    words = f"{' x '.join(map(str, mask.shape)) or 'a number'}, {mask.sum()} of {mask.size}"
    return (
        f'<figure style="display:inline-block;margin:0 1.2em 0.8em 0;vertical-align:top">'
        f'<svg width="{columns * side:g}" height="{rows * side:g}" viewBox="0 0 {columns} {rows}" role="img" '
        f'aria-label="zero pattern of {escape(name)}" style="background:#fff;border:1px solid #888">'
        f'<path d="{path}" fill="#0063a8"></path></svg>'
        f'<figcaption style="font-family:monospace">{escape(name)}<div>{words}</div></figcaption></figure>'
    )


def kernel_html(stages: Stages) -> str:
    """A kernel with its levels, of which the plan is open."""
    head = f"<b>{escape(stages.name)}</b>: {_operations(stages)} for each element"
    parts = (
        _fold(LEVEL_NAMES[level], partial(level_html, stages, level), is_open=level is Level.PLAN)
        for level in SHOWN
        if stages.at(level) is not None
    )
    return f"<div>{head}{''.join(parts)}</div>"


def program_html(kernels: Sequence[Stages]) -> str:
    """The kernels of a program in a table, and below each of the first ones its levels."""
    rows = [(stages.name, _operations(stages), stages.scheduled.tuning) for stages in kernels]
    table = _table(("kernel", "for each element", "schedule"), rows, numbers=0)
    folds = (_fold(f"levels of {stages.name}", partial(kernel_html, stages)) for stages in kernels[:MOST_OPEN])
    return f"<div>{table}{''.join(folds)}</div>"


def _operations(stages: Stages) -> str:
    return f"{operation_count(stages)} operations"


def _fold(title: str, content: Callable[[], str], *, is_open: bool = False) -> str:
    return f"<details{' open' if is_open else ''}><summary>{escape(title)}</summary>{content()}</details>"


# -- plans -------------------------------------------------------------------------------------------------------------


def _plan_html(planned: ir.Planned) -> str:
    """The drawing, the steps with their costs, and the orders that were compared."""
    plan = planned.plan
    cost = plan.cost
    head = (
        f"<b>{escape(plan.name)}</b>: {cost.operations} operations on nonzeros, {cost.executed} on boxes, "
        f"{cost.bytes} bytes moved, {ir.peak_bytes(plan.buffers)} bytes of temporaries at a time"
    )
    steps = [
        (number, ir.formula(step), ir.map_text(step, plan), step.cost.operations, step.cost.executed, step.cost.bytes)
        for number, step in enumerate(plan.steps)
    ]
    drawn = _drawing(ir.sheets(planned.graph, plan))
    table = _table(("step", "formula", "map", "operations", "on boxes", "bytes"), steps, numbers=3)
    return f"<div>{head}{table}{_orders(plan.decisions)}{_fold('drawing', lambda: drawn, is_open=True)}</div>"


def _drawing(sheets: Sequence[ir.Sheet]) -> str:
    """The drawing, or why there is none."""
    try:
        return drawing.svg_of(sheets)
    except CompileError as error:
        return f"<pre>{escape(str(error))}</pre>"


def _orders(decisions: Iterable[ir.Decision]) -> str:
    rows = [
        (ir.tree_text(order.tree, each.factors), why, order.operations, order.executed, order.calls, order.temporaries)
        for each in decisions
        for order, why in ((each.taken, "taken"), *((o, ir.reason(o, each.taken)) for o in each.rejected))
    ]
    head = ("order", "", "operations", "on boxes", "matrix products", "temporary entries")
    return _table(head, rows, numbers=4) if rows else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[object]], numbers: int) -> str:
    """A table; so many columns from the right are numbers."""
    first = len(head) - numbers

    def cell(tag: str, column: int, value: object) -> str:
        side = "right" if column >= first else "left"
        return f'<{tag} style="text-align:{side};font-family:monospace">{escape(str(value))}</{tag}>'

    lines = [
        "".join(cell(tag, column, value) for column, value in enumerate(row))
        for tag, row in (("th", head), *(("td", row) for row in rows))
    ]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
