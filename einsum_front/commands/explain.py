"""The command `explain`: why kernels are computed as they are."""

import json
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from einsum_front import drawing, ir
from einsum_front.commands.input import (
    batch_of_string,
    device_of,
    place_of_string,
    read_input,
    read_options,
    target_for,
    translated,
)
from einsum_front.commands.progress import reporting, showing
from einsum_front.commands.tables import print_tables, why_not
from einsum_front.commands.usage import UsageError
from einsum_front.core.terminal import say
from einsum_front.core.words import listed
from einsum_front.driver import GraphStages, Session, Stages, ignore, plan_program
from einsum_front.driver.texts import explanation
from einsum_front.files import write_bytes
from einsum_front.notation import syntax
from einsum_front.options import Level


def explain(arguments: Namespace) -> int:
    """Order, maps, operations, bytes and temporaries of every kernel, and what was rejected."""
    given = read_input(arguments)
    if arguments.draw is not None and arguments.draw.suffix not in drawing.SUFFIXES:
        raise UsageError(f"--draw writes {listed(drawing.SUFFIXES, 'or')}, not `{arguments.draw}`")
    if arguments.draw is not None and given[1] in (Level.YIR, Level.TL):
        raise UsageError("--draw is for texts above the plan: one below it has no contraction graph")
    if arguments.why_not is not None and arguments.json:
        raise UsageError("--why-not is answered in words, and --json is for programs")
    device = None if arguments.device is None else device_of(arguments.device)
    target = target_for(device)
    explained: list[ir.Planned] | list[Stages]
    match given:
        case syntax.Program() as program, Path() as directory:  # what does not fit a device has a plan as well
            with reporting() as progress:
                session = Session(target, read_options(arguments), showing(progress, ignore))
                explained = planned = list(plan_program(session, program, directory))
        case _:  # open: texts below the notation
            explained = stages = list(translated(given, arguments, device, ignore))
            planned = [each.planned for each in stages if isinstance(each, GraphStages)]
    if arguments.draw is not None:
        _draw(arguments, planned)
    if arguments.json:
        print(json.dumps({"kernels": [explanation(each, target) for each in explained]}, indent=2))  # noqa: T201
    elif arguments.why_not is not None:
        for line in why_not([each.plan for each in explained if isinstance(each, ir.Planned)], arguments.why_not):
            say(line)
    else:
        print_tables(explained, arguments.orders, target)
        if (batch := batch_of_string(arguments)) is not None:
            words = f"the first index of the result is the batch, of size {batch}: the numbers are those of one element"
            print(f"\n{words}")  # noqa: T201
        if arguments.einsum is not None and arguments.device == "auto" and (where := place_of_string(arguments)):
            print(f"\n{where}")  # noqa: T201
        if arguments.draw is not None:
            print(f"\nthe drawing is in {arguments.draw}")  # noqa: T201
    return 0


def _draw(arguments: Namespace, planned: Iterable[ir.Planned]) -> None:
    """Writes the drawing; kernels that differ in numbers only are drawn once."""
    has_batch = arguments.einsum is None or batch_of_string(arguments) is not None
    sheets = (sheet for each in planned for sheet in ir.sheets(each.graph, each.plan, has_batch=has_batch))
    write_bytes(arguments.draw, drawing.file_of(ir.folded_sheets(sheets), arguments.draw.suffix))
