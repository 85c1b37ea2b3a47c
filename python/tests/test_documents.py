"""The code of README does what it says."""

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
