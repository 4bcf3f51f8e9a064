"""The command `yateto`: a script for YATeTo, unchanged, and what to do with the kernels that it generates."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from einsum_front.commands.output import Output
from einsum_front.commands.run import DIFFERENCE_FOUND, report
from einsum_front.commands.tables import print_tables
from einsum_front.commands.usage import UsageError
from einsum_front.diagnostics import CompileError
from einsum_front.driver import Planned, plan_program, translate_program
from einsum_front.driver.targets import DEFAULT, target_of
from einsum_front.driver.texts import explanation
from einsum_front.compiled import CompiledKernel, CompiledProgram
from einsum_front.notation import syntax
from einsum_front.notation.parse import parse_file
from einsum_front.options import Level, Options
from einsum_front.runtime.device import Device, find
from einsum_front.words import counted
from einsum_front.yateto.run import ScriptError, run_script
from einsum_front.yateto.session import Generated

INPUT_HAS_ERRORS = 1
