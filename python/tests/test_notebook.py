"""The notebook runs, and its pictures are there."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.filterwarnings("ignore")
def test_the_notebook_runs() -> None:
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert {"image/svg+xml", "image/png", "text/html"} <= kinds
    assert not [output for output in outputs if output.output_type == "error"]
