"""The command line.

Exit codes: 0 done; 1 the input has errors; 2 wrong usage; 3 the device failed or `--verify` found a difference.
"""

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from einsum_front import __version__
from einsum_front.commands import command
from einsum_front.commands.completion import SHELLS
from einsum_front.commands.examples import examples
from einsum_front.commands.usage import Parser, UsageError, reject_unknown
from einsum_front.core.diagnostics import CompileError, CompilerBug
from einsum_front.core.limits import LONGEST_NUMBER
from einsum_front.core.words import natural
from einsum_front.files import reason_of
from einsum_front.options import EDITIONS, MLIR_LEVELS, READABLE_LEVELS, Level

DONE, INPUT_HAS_ERRORS, WRONG_USAGE, DEVICE_FAILED, INTERRUPTED = 0, 1, 2, 3, 130

LEVELS = [level.value for level in READABLE_LEVELS]
SUFFIXES = ", ".join(f".{level}" for level in LEVELS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; the exit code says how it went."""
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()  # None if the shell has closed them
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without `µ` gets `?`
    words = sys.argv[1:] if arguments is None else arguments
    parsed, unknown = _parser(words)[0].parse_known_args(words)
    if unknown or parsed.COMMAND == "completion":
        parsed.all_parsers, commands = _parser(COMMANDS)
        reject_unknown(unknown, parsed.parser, commands)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _say_warning
            done = command(parsed.COMMAND)(parsed)
        sys.stdout.flush()
    except UsageError as error:
        parsed.parser.error(str(error))
    except CompileError as error:
        _say(str(error))
        # E062x: what a text asks of its target is a mistake of the text
        is_device = all(diagnostic.code.startswith(("E060", "E061")) for diagnostic in error.diagnostics)
        return DEVICE_FAILED if is_device else INPUT_HAS_ERRORS
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # `| head` has seen enough
        _forget_output()
        return DONE
    except OSError as error:  # files have errors of their own
        _forget_output()
        what = "write the standard output" if error.filename is None else f"use `{error.filename}`"
        _say(f"cannot {what}: {reason_of(error)}")
        return INPUT_HAS_ERRORS
    except CompilerBug as bug:
        _say(f"defect of einsum-front, please report it with the input: {bug}")
        return DEVICE_FAILED
    return done


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _say(words: str) -> None:
    print(words, file=sys.stderr)  # noqa: T201 - this is where users read errors


def _say_warning(message: Warning | str, *_where: object, **_more: object) -> None:
    """Where in our code it was found is nothing to the user."""
    _say(f"warning: {message}")


def _forget_output() -> None:
    """Lets nothing of what Python still holds back go out when it ends: that would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(words: Collection[str]) -> tuple[Parser, list[Parser]]:
    """The parser of the command line, and those of its commands, of which those among `words` know their arguments."""
    parser = Parser(
        prog="einsum-front",
        description=f"Translates index strings into batched OpenCL kernels.\n\n{examples()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Exit codes: 0 done; 1 the input has errors; 2 wrong usage; 3 the device failed\n"
        "or --verify found a difference.",
    )
    parser.add_argument("--version", action="version", version=f"einsum-front {__version__}")
    subparsers = parser.add_subparsers(title="commands", required=True, dest="COMMAND", metavar="COMMAND")
    for name, (about, add) in COMMANDS.items():
        each = subparsers.add_parser(name, help=about)
        each.set_defaults(parser=each)
        if name in words:
            add(each)
            each.description, each.formatter_class = examples(name), argparse.RawDescriptionHelpFormatter
            positional = [str(action.metavar or action.dest).upper() for action in each._get_positional_actions()]
            each.usage = " ".join([each.prog, "[OPTIONS]", *positional])
    return parser, list(subparsers.choices.values())


def _add_input(parser: argparse.ArgumentParser) -> None:
    """Arguments of every command that reads a text."""
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, help=f"a file of any level ({SUFFIXES}), or -")
    parser.add_argument("--from", dest="level", choices=LEVELS, help="the level of FILE, if its suffix does not tell")
    parser.add_argument("--einsum", metavar="STRING", help='an index string instead of FILE: "ik,kj->ij"')
    parser.add_argument("--shape", metavar="N,M", action="append", default=[], help="a shape per operand of --einsum")
    parser.add_argument("--kernel", metavar="NAME", help="this kernel or family only")
    parser.add_argument("--batch-dim", metavar="N", help="of linalg: the mode of results that is the batch, or none")
    parser.add_argument(
        "-D", dest="defines", metavar="NAME=VALUE", action="append", default=[], help="override a param"
    )
    parser.add_argument("--real", choices=["f32", "f64"], help="override the default element type")
    parser.add_argument("--device", help="auto, c (the C compiler), a number or part of a name (see `devices`)")


def _add_arch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--arch", metavar="NAME", help="for a GPU that need not be there: sm_90, gfx90a, …")


def _add_target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--target", metavar="NAME", help="for a machine that need not be there (see `targets`), or a file in TOML"
    )


def _add_max_temp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-temp", metavar="BYTES", type=_count, help="memory that temporaries of an element may take at one time"
    )


def _add_schedules(parser: argparse.ArgumentParser) -> None:
    schedules = parser.add_mutually_exclusive_group()
    schedules.add_argument(
        "--schedule",
        metavar="SCHEDULE",
        help="of every kernel: batch_simd, work_group:block=2x3, …, or a file NAME.sched",
    )
    schedules.add_argument(
        "--tune", action="store_true", help="measure the schedules on the device, and take the fastest"
    )
    parser.add_argument("--no-cache", action="store_true", help="neither use nor keep what --tune measures")


def _add_compile(parser: Parser) -> None:
    _add_input(parser)
    parser.add_argument(
        "--emit",
        choices=[
            "graph",
            "plan",
            "yir",
            "tl",
            "schedule",
            "cl",
            "json",
            "c",
            "cu",
            "sycl",
            "linalg",
            "linalg-loops",
            "tpp",
            "ods-yaml",
        ],
        help="print this level (cl without --dump-to); c is C for all sets of instructions, cu CUDA C++ and HIP, sycl "
        "SYCL 2020, linalg the graph in MLIR, linalg-loops and tpp the plan, ods-yaml what MLIR generates named "
        "operations from (.tc)",
    )
    _add_arch(parser)
    _add_target(parser)
    parser.add_argument("--edition", choices=EDITIONS, help="of the tensor language (default: 2024, and what it lacks)")
    parser.add_argument(
        "--steps", metavar="FILE", type=Path, help="of linalg-loops: tile, promote, fuse, … as a script of steps says"
    )
    parser.add_argument("--pass", dest="passes", metavar="NAME,…", default="", help="run these on the tensor language")
    printing = parser.add_mutually_exclusive_group()
    printing.add_argument(
        "--print-changed", action="store_true", help="print what every pass makes that changes something"
    )
    printing.add_argument("--print-after-all", action="store_true", help="print what every pass makes")
    parser.add_argument("-o", dest="output", metavar="OUT", type=Path, help="write there instead of the terminal")
    parser.add_argument("--dump-to", metavar="DIR", type=Path, help="write every level into DIR")
    _add_max_temp(parser)
    _add_schedules(parser)


def _add_explain(parser: Parser) -> None:
    _add_input(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--orders", metavar="N", type=_positive, help="the N best orders of each contraction")
    parser.add_argument("--why-not", metavar='"(K I) A"', help="why a contraction does not have this order")
    parser.add_argument("--draw", metavar="OUT.svg|.png|.dot", type=Path, help="draw tensor networks and orders there")
    _add_max_temp(parser)


def _add_inspect(parser: Parser) -> None:
    _add_input(parser)
    parser.add_argument(
        "-o", dest="output", metavar="OUT.html", type=Path, help="the file (default: that of FILE, .html)"
    )
    parser.add_argument("--open", action="store_true", help="show it in a browser")
    parser.add_argument(
        "--measure", action="store_true", help="run each kernel on the device: times, and the least possible"
    )
    parser.add_argument(
        "--opencl", metavar="FILE.cl", type=Path, help="show this, edited, instead of what is generated"
    )
    parser.add_argument("--against", metavar="FILE.ein", type=Path, help="the notation that a .cl as FILE came from")
    _add_arch(parser)
    _add_target(parser)
    _add_max_temp(parser)
    _add_schedules(parser)


def _add_run(parser: Parser) -> None:
    _add_input(parser)
    parser.add_argument("--batch", metavar="N", type=_count, help="number of elements (default: as in --data, else 1)")
    parser.add_argument(
        "--args",
        metavar="NAME=VALUE,…",
        action="append",
        default=[],
        help="numbers of scalars and sizes of arrays, without the batch: alpha=0.5,A=8x4",
    )
    parser.add_argument("--data", metavar="FILE.npz", type=Path, help="arguments by name; random data without it")
    parser.add_argument("--opencl", metavar="FILE.cl", type=Path, help="run this, edited, instead of what is generated")
    parser.add_argument("--save", metavar="FILE.npz", type=Path, help="write the results by name")
    parser.add_argument("--seed", type=_count, default=0, help="seed of the random data (default 0)")
    parser.add_argument(
        "--verify",
        action="store_true",
        help="compare every level with the one before it, on chosen data (.tl: on that of the run) or a few elements",
    )
    parser.add_argument(
        "--against", metavar="FILE.ein", type=Path, help="with --verify: the notation that a text below it came from"
    )
    parser.add_argument(
        "--repeat", metavar="R", type=_positive, default=1, help="run R times on the same arrays, report the median"
    )
    parser.add_argument("--dump-to", metavar="DIR", type=Path, help="write every level into DIR")
    _add_max_temp(parser)
    _add_schedules(parser)


def _add_check(parser: Parser) -> None:
    _add_input(parser)


def _add_package(parser: Parser) -> None:
    _add_input(parser)
    parser.add_argument(
        "--target",
        dest="host",
        choices=["opencl", "c", "cuda", "sycl"],
        required=True,
        help="what the kernels are made of",
    )
    _add_arch(parser)
    parser.add_argument("-o", dest="output", metavar="DIR", type=Path, required=True, help="the folder to write")
    parser.add_argument("--name", help="of the library and of all that it defines (default: that of FILE, _kernels)")
    _add_max_temp(parser)
    _add_schedules(parser)


def _add_yateto(parser: Parser) -> None:
    wanted = parser.add_mutually_exclusive_group()
    levels = [level.value for level in Level if level not in (*MLIR_LEVELS, Level.TC)]
    wanted.add_argument("--emit", choices=levels, help="print this level of them instead; ein is the whole program")
    wanted.add_argument("--explain", action="store_true", help="print orders, operations, bytes and temporaries")
    wanted.add_argument("--compile", action="store_true", help="translate each, and count its operations")
    wanted.add_argument("--verify", action="store_true", help="translate and run each, and compare all levels")
    wanted.add_argument("--inspect", metavar="OUT.html", type=Path, help="write a page with every level of them")
    parser.add_argument("--kernel", metavar="NAME", help="this kernel or family only")
    parser.add_argument("--namespace", metavar="NAME", help="only what is generated into this namespace")
    parser.add_argument(
        "--values", action="store_true", help="memory holds the numbers of the script, which may be built into the code"
    )
    parser.add_argument("--device", default="auto", help="for --verify: auto, a number or part of a name")
    parser.add_argument("--seed", type=_count, default=0, help="for --verify: seed of the random data (default 0)")
    parser.add_argument("script", metavar="SCRIPT", type=Path, help="a Python script that imports `yateto`")
    given = parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the script takes")
    given.required = False  # older versions of argparse call them missing where SCRIPT is


def _add_cache(parser: Parser) -> None:
    parser.add_argument("--clear", action="store_true", help="forget all of it")
    parser.add_argument("--drivers", action="store_true", help="with --clear: what PoCL and pyopencl keep instead")


def _add_tune(parser: Parser) -> None:
    parser.add_argument("--export", metavar="FILE", help="write what --tune has found for the device, as recipes")
    parser.add_argument("--import", dest="import_", metavar="FILE", help="use these recipes where nothing was measured")
    parser.add_argument("--device", default="auto", help="of the measurements that are exported")


def _add_completion(parser: Parser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="of which the words are completed")


def _add_nothing(_parser: Parser) -> None:
    pass


COMMANDS: Mapping[str, tuple[str, Callable[[Parser], None]]] = {
    "compile": ("translate, and print a level", _add_compile),
    "explain": ("order, maps, operations, bytes, temporaries, and what was rejected", _add_explain),
    "inspect": ("write a page with every level, in which what belongs together lights up", _add_inspect),
    "run": ("translate, and run over a batch", _add_run),
    "check": ("diagnostics only, of a text of any level", _add_check),
    "package": ("write a library for C, C++ and Fortran programs", _add_package),
    "yateto": ("run a script for YATeTo, and list the kernels that it generates", _add_yateto),
    "devices": ("list the OpenCL devices and which one `auto` takes", _add_nothing),
    "targets": ("list the machines that --target makes code for", _add_nothing),
    "cache": ("list or clear what --tune has measured and ef.einsum has compiled", _add_cache),
    "tune": ("move what --tune has found to another machine", _add_tune),
    "completion": ("print what makes a shell complete our options and files", _add_completion),
}
"""What each does, and its arguments."""


def _count(text: str) -> int:
    if (number := natural(text)) is None:
        if len(text) > LONGEST_NUMBER:
            raise argparse.ArgumentTypeError(f"a number has at most {LONGEST_NUMBER} digits, not {len(text)}")
        raise argparse.ArgumentTypeError(f"`{text}` is no number from 0 on")
    return number


def _positive(text: str) -> int:
    if (number := _count(text)) == 0:
        raise argparse.ArgumentTypeError("`0` is no number from 1 on")
    return number
