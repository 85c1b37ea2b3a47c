"""What goes wrong, and one thing to do about it."""

from __future__ import annotations


class Mistake:
    """One thing that is said of a declaration.

    Attributes
    ----------
    level : str
        ``"error"``, ``"warning"`` or ``"note"``.
    name : str or None
        The name with which a declaration allows it, for warnings and notes.
    message : str
        What is wrong, in the names of the declaration.
    help : str or None
        One thing to do.
    line, column : int
        Where it stands, both from 1.
    excerpt : str
        The marked text.
    note : tuple of (int, int, str) or None
        A second place, line and column, and what stands there.
    """

    __slots__ = ("level", "name", "message", "help", "line", "column", "excerpt", "note", "_around")

    def __init__(self, said, source):
        self.level, self.name, self.message, self.help, place, self.note = said
        self.line, self.column, start, end = place
        text = source.encode()
        if start == end:
            # A place without width is shown by the letter there, as the command does.
            letter = text[start:].decode(errors="replace")[:1]
            end += len(letter.encode()) if letter.isprintable() else 0
        self.excerpt = text[start:end].decode(errors="replace")
        first = text.rfind(b"\n", 0, start) + 1
        last = text.find(b"\n", end)
        last = len(text) if last < 0 else last
        before, after = (part.decode(errors="replace") for part in (text[first:start], text[end:last]))
        self._around = before, after

    def __str__(self):
        name = f"[{self.name}]" if self.name else ""
        text = f"{self.line}:{self.column}: {self.level}{name}: {self.message}"
        if self.help:
            text += f"\n  help: {self.help}"
        if self.note:
            line, column, note = self.note
            text += f"\n  {line}:{column}: {note}"
        return text

    def __repr__(self):
        return f"<eom.Mistake {self.line}:{self.column} {self.message!r}>"

    def _repr_html_(self):
        from html import escape

        before, after = map(escape, self._around)
        text = f"<b>{escape(self.level)}: {escape(self.message)}</b> (line {self.line}, column {self.column})"
        text += f"<pre>{before}<mark>{escape(self.excerpt)}</mark>{after}</pre>"
        if self.help:
            text += f"<i>help:</i> {escape(self.help)}"
        if self.note:
            line, _, note = self.note
            text += f"<br><i>line {line}:</i> {escape(note)}"
        return f"<div>{text}</div>"


class DeclarationError(ValueError):
    """A declaration that is wrong: everything that is wrong with it.

    Attributes
    ----------
    mistakes : list of Mistake
        In the order of their places.
    source : str
        The text.
    path : str or None
        The file.
    """

    def __init__(self, printed, said=(), source="", path=None):
        super().__init__(printed, said, source, path)
        self.mistakes = [Mistake(one, source) for one in said]
        self.source = source
        self.path = path

    def __str__(self):
        return "\n" + self.args[0]

    def _repr_html_(self):
        from html import escape

        shown = f"<b>{escape(self.path or 'The declaration')} is wrong:</b>"
        return shown + "".join(mistake._repr_html_() for mistake in self.mistakes)

    def _render_traceback_(self):
        # IPython prints this in place of a traceback: the place that matters is in the declaration.
        return [f"{type(self).__name__}:{self}"]


class UnknownNameError(KeyError):
    """A name that stands for nothing; the message has the nearest one and all there are."""

    def __str__(self):
        return self.args[0]


class StartError(ValueError):
    """A run or system that is refused before it begins.

    Attributes
    ----------
    help : str or None
        One thing to do.
    """

    def __init__(self, message, help=None):
        super().__init__(message, help)
        self.help = help

    def __str__(self):
        return self.args[0] + (f"\n  help: {self.help}" if self.help else "")


class AnalysisError(ValueError):
    """A question about a motion that has no answer: it is not steady, it has no derivative, nothing was found."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a run or a sweep: what was done until then is kept.

    Attributes
    ----------
    result : Result or Sweep
        What was done. At a prompt it is ``sys.last_value.result``.
    """

    def __init__(self, message, result=None):
        super().__init__(message, result)
        self.result = result

    def __str__(self):
        return f"{self.args[0]}; what was done is kept in `.result`"


def file_named(path, ending):
    """The path of a file to be written, whose name tells what it is."""
    from pathlib import Path

    file = Path(path)
    if file.suffix.lower() != ending:
        raise ValueError(f"{file}: the name of this file ends in {ending}")
    return file


def counted(number, word):
    """So many of what a word names in the singular."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
