"""Texts below the plan, which can be edited: the YATeTo language and the tensor language."""

import warnings

from einsum_front.core.diagnostics import Source
from einsum_front.core.prologues import with_prologues
from einsum_front.driver.chosen import choose, start_of
from einsum_front.driver.made_from import known_sources
from einsum_front.driver.session import Session
from einsum_front.driver.stages import Stages
from einsum_front.ir.yateto.parse import parse as parse_yateto
from einsum_front.ir.yateto.verify import check as check_yateto
from einsum_front.options import Options
from einsum_front.tl_backend import program as tensor_language
from einsum_front.tl_backend.parse import parse as parse_tensor_language
from einsum_front.tl_backend.verify import check as check_tensor_language
from einsum_front.tl_backend.verify import read_unwritten


def from_yateto(session: Session, source: Source) -> tuple[Stages, ...]:
    """The kernels of a text in the YATeTo language, down to OpenCL C."""
    definitions = parse_yateto(source, known_sources(source))
    check_yateto(definitions)
    written = definitions.functions if session.options.kernel is None else with_prologues(definitions.functions)
    chosen = choose([function.name for function in written], session.options, start_of(source))
    return tuple(session.lower_yateto(function) for function in written if function.name in chosen)


def transform(session: Session, source: Source) -> tuple[tensor_language.Function, ...]:
    """The functions of a text in the tensor language behind the passes that are asked for; it need not fit a device."""
    return tuple(map(session.transform, functions_of(source, session.options)))


def functions_of(source: Source, options: Options) -> tuple[tensor_language.Function, ...]:
    """The functions of a text in the tensor language that are asked for, checked."""
    program = parse_tensor_language(source, known_sources(source))
    check_tensor_language(program)
    for found in read_unwritten(program):
        line, column = source.position(found.labels[0].span.start)
        warnings.warn(f"{source.name}:{line}:{column}: {found.message} ({found.code})", stacklevel=2)
    functions = program.functions if options.kernel is None else with_prologues(program.functions)
    chosen = choose([function.name for function in functions], options, start_of(source))
    return tuple(function for function in functions if function.name in chosen)
