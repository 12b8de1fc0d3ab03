"""The notebook runs, and its pictures are in the documentation."""

import base64
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "python/examples"

PICTURES = {"image/svg+xml": ROOT / "docs/python-board.svg", "image/png": ROOT / "docs/python-evaluation.png"}


@pytest.mark.filterwarnings("ignore")
def test_the_notebook_runs() -> None:
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    found = {kind: data for output in outputs for kind, data in output.get("data", {}).items()}
    assert "text/html" in found
    if os.environ.get("UPDATE_DOCS") == "1":
        PICTURES["image/svg+xml"].write_text(found["image/svg+xml"].rstrip() + "\n", encoding="utf-8")
        PICTURES["image/png"].write_bytes(base64.b64decode(found["image/png"]))
    # Programs that draw graphs differ from version to version, but a board does not.
    assert PICTURES["image/svg+xml"].read_text(encoding="utf-8").rstrip() == found["image/svg+xml"].rstrip()
    assert PICTURES["image/png"].read_bytes()[:4] == base64.b64decode(found["image/png"])[:4] == b"\x89PNG"
