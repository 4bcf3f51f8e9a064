"""The page that compiles in Pyodide itself: `PYODIDE=FOLDER`, with `-rP` for the times.

The folder has the files of `npm pack pyodide@VERSION`, in the version of `try.js`, with wheels of numpy and micropip
that were made for it, and one of lark.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import perf_counter

import pytest

from tests.inspector.test_page import Browser, By, browser, pytestmark  # noqa: F401 - a fixture, and what it needs
from tests.inspector.test_try import FOLDER, KERNEL, LEVELS, STRING, choose, wait

GIVEN = os.environ.get("PYODIDE")
ROOT = Path(__file__).parents[2]
PACKAGES = '["lark", "einsum-front==1.0.0"]'


class Files(SimpleHTTPRequestHandler):
    """A folder, in the types that browsers want for modules and WebAssembly."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *_: object) -> None:
        """Nothing."""


def wheel(folder: Path, name: str) -> Path:
    [found] = folder.glob(f"{name}-*.whl")
    return found


def copy_page(to: Path, given: Path) -> None:
    """The page, this package as a wheel, and Pyodide, with a lock file that names the wheels that are there."""
    for source in FOLDER.iterdir():
        (to / source.name).write_bytes(source.read_bytes())
    python = to / "python"
    python.mkdir()
    for source in given.iterdir():
        (python / source.name).symlink_to(source.resolve())
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "-w", str(to), str(ROOT)], check=True)
    lock = json.loads((given / "pyodide-lock.json").read_text(encoding="utf-8"))
    for name in ("numpy", "micropip"):
        file = wheel(given, name)
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        lock["packages"][name] |= {"file_name": file.name, "sha256": digest, "depends": []}
    (python / "pyodide-lock.json").unlink()
    (python / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    assert GIVEN is not None
    copy_page(tmp_path, Path(GIVEN))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(tmp_path)))
    address = f"http://127.0.0.1:{server.server_port}"
    wheels = [
        f"{address}/python/{wheel(Path(GIVEN), 'lark').name}",
        f"{address}/{wheel(tmp_path, 'einsum_front').name}",
    ]
    script = (tmp_path / "try.js").read_text(encoding="utf-8")
    assert PACKAGES in script
    (tmp_path / "try.js").write_text(script.replace(PACKAGES, json.dumps(wheels)), encoding="utf-8")
    Thread(target=server.serve_forever, daemon=True).start()
    yield address
    server.shutdown()
    server.server_close()


def timed(opened: Browser, what: str, shown: str) -> None:
    """Waits for an answer, which must not be a mistake, and prints the seconds."""
    start = perf_counter()
    wait(opened, shown)
    print(f"{what}: {perf_counter() - start:.2f} s")  # noqa: T201 - what a maintainer wants to know of a new Pyodide
    assert "wrong" not in opened.execute_script("return said.className + said.textContent")


@pytest.mark.skipif(GIVEN is None, reason="the page in Pyodide itself needs a folder with it, in the variable PYODIDE")
@pytest.mark.parametrize("text", [STRING, KERNEL], ids=["string", "kernels"])
def test_every_level_in_pyodide(browser: Browser, site: str, text: str) -> None:  # noqa: F811 - the fixture
    browser.set_script_timeout(60)
    browser.get("about:blank")
    browser.get(f"{site}/index.html?pyodide={site}/python/")
    timed(browser, "first level, with Python", "document.body.dataset.shown === '1'")
    browser.execute_script("text.value = arguments[0]; text.dispatchEvent(new Event('input'))", text)
    timed(browser, "another text, with 0.4 s of waiting for keys", "document.body.dataset.shown === '2'")
    for number, level in enumerate(LEVELS, start=3):
        choose(browser, level)
        timed(browser, level, f"document.body.dataset.shown === '{number}'")
    logged = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert [entry for entry in logged if "favicon" not in entry["message"]] == []
