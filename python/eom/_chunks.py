"""Sweeps in chunks, each a file: made here or carried to other machines, and gathered."""

from __future__ import annotations

from operator import index
from pathlib import Path

from eom import _eom
from eom._errors import Interrupted, counted, file_named
from eom._sweep import cores

# Chunks that are under way at one time.
_UNDER_WAY = 256


class _Task:
    """What a worker needs to make chunks, but for the rows of each."""

    def __init__(self, system, values, asked, names, outcomes, place, jobs):
        self.of = system, values, asked
        self.names, self.outcomes, self.place, self.jobs = names, outcomes, place, jobs

    def open(self):
        _eom.open_chunks(*self.of, self.names, self.outcomes, self.place)

    def make(self, chunk, rows):
        return _eom.make_chunk(*self.of, self.names, rows, self.outcomes, self.jobs, self.place, chunk)


def _make(task, chunk, rows):
    """Makes a chunk, in whatever process this is called."""
    return task.make(chunk, rows)


class Gathered:
    """A folder of chunks: which are there, and their rows as one table.

    Attributes
    ----------
    path : pathlib.Path
        The folder.
    runs, chunks : int
        How many runs the sweep has, and how many chunks.
    tables : list of str
        The tables: ``runs``; of the command also ``events`` and ``samples``.
    missing : list of int
        The chunks that are not there.
    broken : list of pathlib.Path
        Files that are not whole; their chunks are missing, and are made anew.
    """

    def __init__(self, path):
        self.path = Path(path)
        found = _eom.gathered(self.path)
        self.runs, self.chunks, self.tables, self.missing, self.broken, self._temporaries = found

    @property
    def complete(self):
        """Whether all chunks are there."""
        return not self.missing

    def files(self, table="runs"):
        """The files of a table in the order of their runs; all of them have to be there."""
        return _eom.table_files(self.path, table)

    def join(self, file, table="runs"):
        """Writes a table as one Parquet file, ``"all.parquet"``, the chunks as they stand."""
        file = file_named(file, ".parquet")
        _eom.joined(self.path, table, file)
        return file

    def stream(self, table="runs"):
        """The table for whatever reads Arrow's streams, a chunk at a time: not all of it is ever in memory.

        The object has ``__arrow_c_stream__`` and may be read more than once, each time from the files as they are.
        """
        return _Rows(self.path, table)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.stream().__arrow_c_stream__(requested_schema)

    def to_arrow(self, table="runs"):
        """The table as a ``pyarrow.Table``."""
        from eom._result import _need

        # Imported by its name: it has no types that a checker could read.
        from importlib import import_module

        _need("pyarrow")
        return import_module("pyarrow.parquet").read_table(self._paths(table))

    def to_polars(self, table="runs"):
        """The table as a ``polars.DataFrame``."""
        from eom._result import _need

        return _need("polars").read_parquet(self._paths(table))

    def to_pandas(self, table="runs"):
        """The table as a ``pandas.DataFrame``."""
        from eom._result import _need

        _need("pandas")
        return self.to_arrow(table).to_pandas()

    def _paths(self, table):
        return [str(file) for file in self.files(table)]

    def __repr__(self):
        there = "all there" if self.complete else f"{len(self.missing)} missing"
        return f"<eom.Gathered {str(self.path)!r}: {counted(self.runs, 'run')} in {counted(self.chunks, 'chunk')}, {there}>"


class _Rows:
    """A table of a folder of chunks as a stream of Arrow."""

    def __init__(self, path, table):
        self._path, self._table = path, table

    def __arrow_c_stream__(self, requested_schema=None):
        return _eom.table_stream(self._path, self._table)


def gather(path):
    """Look through the folder of a sweep in chunks.

    Parameters
    ----------
    path : path
        What ``System.sweep(out=…)`` or ``eom sweep --out`` wrote.

    Returns
    -------
    Gathered

    Raises
    ------
    ValueError
        It is no folder of a sweep, or chunks of different sweeps are mixed.

    Examples
    --------
    >>> import eom, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = eom.models.penny().sweep({"phi_dot": [0.1, 0.2, 0.3]}, until=1, out=folder, size=2)
    ...     eom.gather(folder).missing, made.chunks
    ([], 2)
    """
    return Gathered(path)


def sweep(system, points, values, asked, outcomes, jobs, progress, out, size, on):
    """Makes the chunks that are not there; see `System.sweep`."""
    identity = _identity(system, points, values, asked, outcomes)
    size = _size(size)
    place = identity, points.count, size, Path(out).absolute()
    task = _Task(system, values, asked, points.names, outcomes, place, jobs or (cores() if on is None else 1))
    task.open()
    missing = Gathered(out).missing
    bar = progress(total=len(missing)) if progress else None
    tell = bar.update if bar is not None else lambda n: None
    try:
        if on is None:
            for chunk in missing:
                task.make(chunk, _rows(points, size, chunk))
                tell(1)
        else:
            _carry(task, points, size, missing, on, tell)
    except KeyboardInterrupt:
        made = Gathered(out)
        raise Interrupted(f"interrupted, {len(made.missing)} of {made.chunks} chunks are missing", made) from None
    finally:
        if bar is not None and hasattr(bar, "close"):
            bar.close()
    return Gathered(out)


def _carry(task, points, size, missing, on, tell):
    """Has chunks made elsewhere, so many at one time."""
    from collections import Counter
    from time import sleep

    from eom._carriers import RETRIES, Lost, carrier

    on, waiting, under_way, lost = carrier(on), list(reversed(missing)), {}, Counter()
    try:
        while waiting or under_way:
            while waiting and len(under_way) < _UNDER_WAY:
                chunk = waiting.pop()
                under_way[on.submit(_make, task, chunk, _rows(points, size, chunk))] = chunk
            for ticket in on.done(set(under_way)):
                chunk = under_way.pop(ticket)
                try:
                    on.result(ticket)
                    tell(1)
                except Lost:
                    lost[chunk] += 1
                    if lost[chunk] > RETRIES:
                        raise
                    # A node that is gone is asked for a while until all know of it.
                    sleep(min(0.1 * 2 ** lost[chunk], 5))
                    waiting.append(chunk)
    finally:
        on.cancel(set(under_way))


def _rows(points, size, chunk):
    return points.rows(chunk * size, min((chunk + 1) * size, points.count))


def _size(size):
    said = f"size is the number of runs in a chunk, 1 or more, not {size!r:.200}"
    try:
        count = index(size)
    except TypeError:
        raise ValueError(said) from None
    if isinstance(size, bool) or count < 1:
        raise ValueError(said)
    # No sweep has more runs.
    return min(count, 2**63 - 1)


def _identity(system, points, values, asked, outcomes):
    """All that the runs depend on, in names and values."""
    import json

    from eom import __version__

    def shown(value):
        raise TypeError(f"{value!r} is not a number, a text or an array: it cannot be kept with a sweep")

    def plain(of):
        # The same number is written in one way, whatever its type.
        if isinstance(of, dict):
            return {key: plain(value) for key, value in of.items()}
        if isinstance(of, (list, tuple)):
            return [plain(value) for value in of]
        if hasattr(of, "tolist"):
            return plain(of.tolist())
        return float(of) if isinstance(of, int) and not isinstance(of, bool) and abs(of) < 2**53 else of

    def text(of):
        return json.dumps(plain(of), default=shown, sort_keys=True, ensure_ascii=False)

    set_here = {key: value for key, value in asked.items() if value is not None}
    return [
        ("version of eom", f"{__version__}, Python"),
        ("model", system.source),
        ("parameters", text(system._given())),
        ("values", text(values)),
        ("run", text(set_here)),
        ("names", ", ".join(points.names)),
        ("points", points.digest()),
        ("outcomes", ", ".join(outcomes)),
    ]
