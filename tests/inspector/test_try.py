"""The page that compiles: its Python as Pyodide has it, and the page in a real browser, with a stand-in for Pyodide.

The stand-in has Pyodide's functions and asks a process of CPython, since a package index has no NumPy for Pyodide.
"""

import ast
import asyncio
import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.inspector.test_page import Browser, By, browser, pytestmark  # noqa: F401 - a fixture, and what it needs

FOLDER = Path(__file__).parents[2] / "docs" / "_static" / "try"
STRING = "kl,lq,qp->kp 20,20 20,9 9,9"
KERNEL = "# a comment\ntensor A[4,4]\ntensor B[4,4]\ntensor C[4,4]\n\nkernel k { C[i,j] = A[i,k] * B[k,j] }\n"
LEVELS = ("explain", "inspect", "graph", "plan", "yir", "tl", "schedule", "cl", "c", "cu", "sycl", "linalg")

BARE = """
import json, sys
LACKS = ["fcntl", "sqlite3", "ssl", "lzma", "pwd", "grp", "resource", "termios", "curses"]
for name in [*LACKS, "pyopencl", "ml_dtypes", "grandalf", "pygments", "shtab"]:
    sys.modules[name] = None
exec(open(sys.argv[1], encoding="utf-8").read())
print(json.dumps({level: level_of(sys.argv[2], level) for level in sys.argv[3:]}))
"""


@pytest.mark.parametrize("text", [STRING, KERNEL], ids=["string", "kernels"])
def test_every_level_is_made_without_what_browsers_lack(text: str, tmp_path: Path) -> None:
    """Modules that Pyodide's Python has not, and packages that a light installation leaves out."""
    command = [sys.executable, "-c", BARE, str(FOLDER / "levels.py"), text, *LEVELS]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = {level: json.loads(answer) for level, answer in json.loads(done.stdout).items()}
    assert [level for level, answer in made.items() if "error" in answer] == []
    assert made["inspect"]["page"].startswith("<!DOCTYPE html>")
    assert "gemm.n.n" in made["tl"]["text"]
    assert "reqd_work_group_size" in made["cl"]["text"]


PYODIDE = """
const ask = async (path, body) => {
  const answer = await fetch(new URL(path, import.meta.url), { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};
export const loadPyodide = async () => ({
  loadPackage: (names) => ask("packages", names),
  runPythonAsync: (code) => ask("run", code),
  globals: { get: (name) => (...given) => ask("call", [name, given]) },
});
"""


class Site(SimpleHTTPRequestHandler):
    """The folder of the page, and at `/python/` a Pyodide that runs here."""

    names: dict[str, Any]
    asked: list[object]
    turn = Lock()  # Pyodide runs one call at a time, and the printed text of a call goes through `sys.stdout`

    def do_GET(self) -> None:
        if self.path != "/python/pyodide.mjs":
            super().do_GET()
        else:
            self._answer(PYODIDE, "text/javascript")

    def do_POST(self) -> None:
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        what = self.path.rpartition("/")[2]
        try:
            self._answer(json.dumps(getattr(self, f"_{what}")(given)), "application/json")
        except Exception as error:  # what Pyodide would throw in the worker
            self._answer(str(error), "text/plain", 500)

    def _packages(self, names: object) -> None:
        self.asked.append(names)

    def _run(self, code: str) -> None:
        if "micropip" in code:
            self.asked.append(code)
            return
        made = eval(compile(code, "levels.py", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), self.names)
        if inspect.iscoroutine(made):
            asyncio.run(made)

    def _call(self, given: tuple[str, list[object]]) -> object:
        name, operands = given
        with self.turn:
            return self.names[name](*operands)

    def _answer(self, text: str, kind: str, code: int = 200) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Site, "names", {}, raising=False)
    monkeypatch.setattr(Site, "asked", [], raising=False)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, directory=str(FOLDER)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def wait(opened: Browser, script: str) -> Any:
    """The value of an expression as soon as it is true."""
    end = monotonic() + 30
    while not (value := opened.execute_script(f"return {script}")):
        assert monotonic() < end, (script, opened.execute_script("return document.body.innerText"))
        sleep(0.05)
    return value


def shown(opened: Browser, words: str) -> str:
    """The text of the level, when it has these words."""
    text: str = wait(opened, f"made.textContent.includes({json.dumps(words)}) && made.textContent")
    return text


def open_page(opened: Browser, site: str, hashed: str = "") -> None:
    opened.get("about:blank")
    opened.get(f"{site}/index.html?pyodide={site}/python/{hashed}")


def choose(opened: Browser, level: str) -> None:
    opened.find_element(By.CSS_SELECTOR, f'[data-level="{level}"]').click()


def test_a_text_becomes_every_level(browser: Browser, site: str) -> None:  # noqa: F811 - the fixture
    open_page(browser, site)
    shown(browser, "operations")
    assert Site.asked[0] == ["numpy", "micropip"]
    assert 'micropip.install(["lark","einsum-front==1.0.0"], deps=False)' in str(Site.asked[1])
    choose(browser, "tl")
    shown(browser, "lifetime_stop")  # explanations name products, too
    choose(browser, "cl")
    shown(browser, "reqd_work_group_size")
    choose(browser, "inspect")
    assert "select a letter" in wait(browser, "!page.hidden && page.srcdoc").lower()
    area = browser.find_element(By.ID, "text")
    area.clear()
    area.send_keys(KERNEL)
    choose(browser, "graph")
    shown(browser, "i=4 j=4, sum k=4")
    assert not [entry for entry in browser.get_log("browser") if "favicon" not in entry["message"]]


def test_a_link_holds_the_text_and_the_level(browser: Browser, site: str) -> None:  # noqa: F811 - the fixture
    open_page(browser, site, "#level=tl&text=ij,jk-%3Eik+3,4+4,5")
    shown(browser, "memref<f64x5x4>")
    area = browser.find_element(By.ID, "text")
    area.clear()
    area.send_keys("ij->ji 6,7")
    shown(browser, "memref<f64x7x6>")
    held = parse_qs(browser.execute_script("return location.hash.slice(1)"))
    assert held == {"level": ["tl"], "text": ["ij->ji 6,7"]}


def test_mistakes_are_shown_with_their_places(browser: Browser, site: str) -> None:  # noqa: F811 - the fixture
    open_page(browser, site, "#level=cl&text=ij,jk-%3Eik+3,4+7,5")
    assert "error[E" in shown(browser, "error[")
    assert "mistakes" in browser.execute_script("return said.textContent")


def test_a_python_that_cannot_be_had_is_said(browser: Browser, site: str) -> None:  # noqa: F811 - the fixture
    browser.get("about:blank")
    browser.get(f"{site}/index.html?pyodide={site}/nowhere/")
    wait(browser, "said.textContent.startsWith('Python could not be loaded')")
    browser.get_log("browser")
