"""The documentation of the package: a reference made of its docstrings, and the pages of the book that are of it."""

from pathlib import Path

import eom

project, author, version = "eom for Python", "The eom developers", eom.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax"]
html_theme = "alabaster"
html_theme_options = {"description": "Declare a mechanical system, get its equations, run it", "page_width": "1100px"}
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
napoleon_google_docstring = False
# Attributes stand where they are described.
napoleon_use_ivar = True
default_role = "any"
suppress_warnings = ["ref.any"]
exclude_patterns = ["_build"]

BOOK = Path(__file__).resolve().parents[2] / "book/src"
# Pages whose text is the book's.
SHARED = {"python", "language", "contacts", "drawings", "sweeps", "papers", "analysis"}


def shared(app, name, source):
    """The text of a page of the book, without the lines that a book of Rust hides."""
    if name not in SHARED:
        return
    lines, is_rust = [], False
    for line in (BOOK / f"{name}.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            is_rust = line.startswith("```rust")
            # Its lexer knows no Greek letters.
            line = "```text" if is_rust else line
        elif is_rust and (line == "#" or line.startswith("# ")):
            continue
        lines.append(line)
    source[0] = "\n".join(lines) + "\n"


def setup(app):
    app.connect("source-read", shared)
