"""Some programs at all levels: what a process that translates them gets, as JSON where this runs as a program."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.driver import Session, Stages, translate_program, translate_text
from einsum_front.driver.targets import DEFAULT
from einsum_front.driver.texts import explanation, text
from einsum_front.index_string.notation import notation_of
from einsum_front.index_string.program import read_einsum
from einsum_front.notation.parse import parse
from einsum_front.options import Level
from examples.ader_dg import matrices

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = ("broadcast.ein", "slices.ein", "ader_dg/volume.ein", "ader_dg/derivative.ein", "ader_dg/plasticity.ein")
TARGETS = (DEFAULT, replace(DEFAULT, name="a GPU", is_cpu=False, max_work_group_size=256, subgroup_sizes=(32,)))
COLUMNS = """
size cols ~ 65536
tensor K[4, 3] values<2, 0, 0, 1, 0, 3, 0, 0, 5, 1, 0, 0>
tensor X[3, cols] row_major
tensor Y[4, cols] row_major
kernel product { Y[i,c] = K[i,j] * X[j,c] }
"""
"""Columns are lanes on processors."""

SHAPES = [(5, 4, 3), (3, 2), (5, 6)]
WITH_MISTAKES = """
param N = 4
tensor A[N, N]
tensor B[N+1, N] nonzeros [(0,0), (9,9)]
tensor A[3]
kernel f { C[i,j] = A[i,k] * B[k,j] }
kernel f { A[i,j] = B[i,j] + D[i,j] + E[k] }
"""


def all_texts() -> dict[str, str]:
    """The text of every level by program, kernel and level, and what is said about a program with mistakes."""
    matrices.write(4)
    found = {f"{kernel} {level}": text for kernel, level, text in _texts()}
    return {**found, "mistakes": _mistakes()}


def _texts() -> Iterator[tuple[str, str, str]]:
    for target in TARGETS:
        for path in PROGRAMS:
            source = Source(path, (EXAMPLES / path).read_text(encoding="utf-8"))
            program = translate_program(Session(target), parse(source), (EXAMPLES / path).parent)
            yield from _levels(f"{target.name}: {path}", program)
        program = translate_program(Session(target), notation_of(read_einsum("bik,kj,bl->bijl", SHAPES), "f32"))
        yield from _levels(f"{target.name}: string", program)
        program = translate_program(Session(target), parse(Source("columns.ein", COLUMNS)), EXAMPLES)
        yield from _levels(f"{target.name}: columns", program)


def _levels(program: str, translations: tuple[Stages, ...]) -> Iterator[tuple[str, str, str]]:
    for translation in translations:
        for level in (Level.GRAPH, Level.PLAN, Level.YIR, Level.TL, Level.CL):
            yield f"{program} {translation.name}", level.value, text(translation, level) or ""
        yield f"{program} {translation.name}", "artifact", json.dumps(asdict(translation.artifact), default=str)
        yield f"{program} {translation.name}", "explanation", json.dumps(explanation(translation))


def _mistakes() -> str:
    try:
        translate_text(Session(DEFAULT), Source("mistakes.ein", WITH_MISTAKES), Level.EIN)
    except CompileError as error:
        return render_all(error.diagnostics)
    return ""


if __name__ == "__main__":
    json.dump(all_texts(), sys.stdout)
