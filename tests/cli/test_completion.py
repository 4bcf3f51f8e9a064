"""Scripts for shells; bash reads its own without complaint."""

import shutil
import subprocess

import pytest

from einsum_front.cli import main
from einsum_front.commands.completion import SHELLS


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_its_options_are_completed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shtab", reason="shtab makes completions")
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(word in script for word in ("explain", "why-not", "package", "dump-to"))


def test_bash_completes_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shtab", reason="shtab makes completions")
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash runs its completions")
    main(["completion", "bash"])
    ask = "COMP_WORDS=(einsum-front expl); COMP_CWORD=1; _shtab_einsum_front; echo ${COMPREPLY[@]}"
    script = f"{capsys.readouterr().out}\n{ask}"
    done = subprocess.run([bash, "-c", script], capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout.split() == ["explain"]
