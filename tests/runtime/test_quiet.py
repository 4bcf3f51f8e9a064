"""Lines of a driver that count its messages are dropped; everything else on the standard error comes through."""

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace

import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.launches.build import check_source, without_counts
from tests.runtime.kernels import DEVICE, VOLUME


def test_only_counts_are_dropped(capfd: pytest.CaptureFixture[str]) -> None:
    with without_counts():
        os.write(2, b"of another thread\n1 error generated.\n")
        os.write(2, b"2 errors are not what we need\n")
        os.write(2, b"1 warning and 2 errors generated.\n3 warnings generated.\nthe end")
    assert capfd.readouterr().err == "of another thread\n2 errors are not what we need\nthe end"


def test_exceptions_pass(capfd: pytest.CaptureFixture[str]) -> None:
    with suppress(KeyError), without_counts():
        os.write(2, b"before\n")
        raise KeyError
    os.write(2, b"behind\n")
    assert capfd.readouterr().err == "before\nbehind\n"


def test_a_driver_says_nothing_beside_our_message(capfd: pytest.CaptureFixture[str]) -> None:
    wrong = replace(VOLUME, source=VOLUME.source.replace("sum +=", "nothing +="))
    with pytest.raises(CompileError, match=r"E0499.*`volume` does not compile"):
        check_source(wrong, "edited.cl", DEVICE.context, DEVICE.handle)
    assert capfd.readouterr().err == ""


def test_a_process_without_standard_error() -> None:
    code = "import os\nos.close(2)\nfrom einsum_front.runtime.launches.build import without_counts\n"
    code += "with without_counts():\n    print('done')\n"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "done\n"
