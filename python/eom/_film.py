"""Runs that play in a notebook."""

from __future__ import annotations

from html import escape

from eom._errors import file_named


class Animation:
    """A run as a page that plays it: what the declaration draws, curves, equations, the ledger. A notebook shows it.

    Attributes
    ----------
    html : str
        The page; it needs no network.
    """

    __slots__ = ("html", "height", "_title")

    def __init__(self, html, height, title):
        self.html, self.height, self._title = html, height, title

    def save(self, path):
        """Writes the page into a file, ``"motion.html"``, for any browser."""
        file_named(path, ".html").write_text(self.html, encoding="utf-8")

    def _repr_html_(self):
        # A page of its own: neither its style nor its script meets those of the notebook.
        return (
            f'<iframe title="{escape(self._title)}" sandbox="allow-scripts" width="100%" height="{self.height}" '
            f'style="border: 0" srcdoc="{escape(self.html)}"></iframe>'
        )

    def __repr__(self):
        return f"<eom.Animation of {self._title}: a notebook shows it; save(\"motion.html\") is for a browser>"


def animate(result, height):
    """The animation of a result."""
    if isinstance(height, bool) or not isinstance(height, int) or height < 1:
        raise ValueError(f"height is a number of pixels, not {height!r}")
    lines = [("end", result.message), ("samples", len(result)), ("events", len(result.events))]
    summary = "".join(f"{name:13}{value}\n" for name, value in lines)
    return Animation(result._page(summary), height, result.system.name)
