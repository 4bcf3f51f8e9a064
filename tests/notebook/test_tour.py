"""The notebook of the examples, cell after cell, and what its outputs are."""

import atexit
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

TOUR = Path(__file__).parents[2] / "examples" / "tour.ipynb"


def code_cells() -> list[str]:
    cells = json.loads(TOUR.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """IPython in this process, with nothing of the user's."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    interactiveshell = pytest.importorskip("IPython.core.interactiveshell", reason="IPython runs notebooks")
    config = import_module("traitlets.config").Config({"HistoryManager": {"enabled": False}})
    made = interactiveshell.InteractiveShell(config=config)
    yield made
    made.atexit_operations()
    atexit.unregister(made.atexit_operations)
    interactiveshell.InteractiveShell.clear_instance()


def test_every_cell_runs(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    results = []
    for cell in code_cells():
        done = shell.run_cell(cell)
        assert done.success, cell
        results.append(done.result)
    assert [each for each in results if isinstance(each, bool)] == [True, True, True]
    assert "error[E0203]: index `k` has size" in capsys.readouterr().err


def test_notebooks_have_no_outputs() -> None:
    cells = json.loads(TOUR.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in cells)


def test_in_a_kernel_of_jupyter() -> None:
    pytest.importorskip("ipykernel", reason="ipykernel is what Jupyter runs notebooks in")
    nbformat = pytest.importorskip("nbformat", reason="nbformat reads notebooks")
    nbclient = pytest.importorskip("nbclient", reason="nbclient runs notebooks")
    notebook = nbformat.read(TOUR, as_version=4)
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    pages = [
        output["data"].get("text/html")
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "data" in output
    ]
    assert sum("<svg" in page for page in pages if page) >= 1
