"""The code of README and of the notebooks does what it says."""

import ast
import json
import re

import pytest

from conftest import ROOT


def test_the_lines_of_readme(tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert blocks
    for block in blocks:
        exec(block, {})
    assert (tmp_path / "penny.png").stat().st_size > 10_000


@pytest.mark.parametrize("path", sorted((ROOT / "python/notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook(path, monkeypatch):
    """Each cell does what it says, and what it ends with can be shown."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    # Where a notebook stands.
    monkeypatch.chdir(path.parent)
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    names, shown = {}, []
    for cell in cells:
        if cell["cell_type"] == "code":
            shown.append(result("".join(cell["source"]), names))
    pyplot.close("all")
    assert names and any(shown)


def result(code, names):
    """Runs a cell; what its last line is shown as."""
    *lines, last = ast.parse(code).body
    if not isinstance(last, ast.Expr):
        lines, last = [*lines, last], None
    exec(compile(ast.Module(lines, []), "cell", "exec"), names)
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    kinds = ["_repr_html_", "_repr_latex_", "__repr__"]
    return next(getattr(value, kind)() for kind in kinds if hasattr(value, kind))
