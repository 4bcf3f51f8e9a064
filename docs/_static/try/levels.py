"""What the page asks Python for: the text of a level, or the page of the inspector, as the command line makes them."""

import json
import re
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from einsum_front.cli import main

FILE, PAGE = Path("text.ein"), Path("page.html")
WORD = re.compile(r"\S+")


def command_of(text: str, level: str) -> list[str]:
    """The command that makes the level of a text: a line such as `kl,lq->kq 20,20 20,9`, or kernels."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    words = WORD.findall(lines[0]) if len(lines) == 1 else []
    if words and ("," in words[0] or "->" in words[0]) and "{" not in text:
        given = ["--einsum", words[0], *(part for shape in words[1:] for part in ("--shape", shape))]
    else:
        FILE.write_text(text, encoding="utf-8")
        given = [str(FILE)]
    if level == "inspect":
        return ["inspect", *given, "-o", str(PAGE)]
    return ["explain", *given] if level == "explain" else ["compile", *given, "--emit", level]


def level_of(text: str, level: str) -> str:
    """JSON with `text` or `page`, or with `error`: what a command would print."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(command_of(text, level))
        except SystemExit as ended:  # how the command line refuses options
            code = ended.code
    if level == "inspect" and not code:
        return json.dumps({"page": PAGE.read_text(encoding="utf-8")})
    return json.dumps({"error": err.getvalue() or out.getvalue()} if code else {"text": out.getvalue()})
