"""The example notebook runs from top to bottom, and is kept without outputs."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import nbformat
import pytest
from nbclient import NotebookClient

import analysis
import reports


@pytest.fixture
def notebook(root: Path) -> nbformat.NotebookNode:
    return nbformat.read(root / "docs" / "notebook.ipynb", as_version=4)


def test_the_notebook_is_kept_without_outputs(notebook: nbformat.NotebookNode) -> None:
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


@pytest.mark.slow
def test_the_notebook_runs(
    notebook: nbformat.NotebookNode, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(root))
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(root)}}).execute()
    kinds = [out.data.keys() for cell in notebook.cells for out in cell.get("outputs", [])]
    assert sum("image/svg+xml" in kind for kind in kinds) == 4
    assert sum("text/html" in kind for kind in kinds) == 3


@pytest.mark.parametrize("module", [analysis, reports])
def test_what_notebooks_are_given_is_there_and_documented(module: ModuleType) -> None:
    for name in module.__all__:
        assert getattr(module, name).__doc__
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        assert module.nothing
