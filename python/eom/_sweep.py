"""Many runs of a system, on all cores."""

from __future__ import annotations

import operator
from collections.abc import Mapping

from eom import _eom
from eom._errors import Interrupted, counted


def random(n, seed, /, **of):
    """Rows of random values for `System.sweep`.

    Parameters
    ----------
    n : int
        How many.
    seed : int or numpy.random.Generator
        The same seed gives the same rows.
    **of
        For each name the bounds ``(low, high)`` of a uniform distribution, or a function of the generator and n:
        ``x=lambda rng, n: rng.normal(0, 0.1, n)``.

    Returns
    -------
    list of dict

    Examples
    --------
    >>> import eom
    >>> rows = eom.random(3, 1, e=(0.4, 0.6))
    >>> len(rows), all(0.4 <= row["e"] <= 0.6 for row in rows)
    (3, True)
    """
    import numpy as np

    if operator.index(n) < 0:
        raise ValueError(f"n is the number of rows, not {n}")
    rng = np.random.default_rng(seed)

    def drawn(name, made):
        if callable(made):
            return made(rng, n)
        try:
            low, high = made
            return rng.uniform(low, high, n)
        except (TypeError, ValueError, OverflowError):
            what = "bounds (low, high) that rise, or a function of the generator and n"
            raise ValueError(f"`{name}`: give {what}; it is {made!r:.200}") from None

    columns = {name: drawn(name, made) for name, made in of.items()}
    for name, column in columns.items():
        if np.shape(column) != (n,):
            raise ValueError(f"`{name}` is to be {n} numbers; its function gave the shape {np.shape(column)}")
    return [{name: float(column[row]) for name, column in columns.items()} for row in range(n)]


# The last columns are of whole numbers.
_COUNTS = 3


class Sweep(Mapping):
    """The table of a sweep: a column for each name, a row for each run.

    The columns are those of ``eom run --table``, with ``_`` behind the name of what was set or asked for where another
    one has that name (`energy_`): what was set; ``ended`` (complete, early, refused, or missing where
    the sweep was stopped before), ``reason``; the state at the end, ``x_end``; ``energy`` and ``energy_change``; the
    outcomes that were asked for; how many impacts, events and steps. What a run does not have, one that was refused, is
    NaN.
    """

    def __init__(self, columns, system, points, values, asked):
        self._columns = columns
        self._system, self._points, self._values, self._asked = system, points, values, asked

    def columns(self):
        """The columns by name: arrays of numbers, lists of text."""
        return dict(self._columns)

    def __getitem__(self, name):
        found = self._columns.get(name)
        if found is None:
            from eom._errors import UnknownNameError

            raise UnknownNameError(f"there is no column `{name}`\n  columns: {', '.join(self._columns)}")
        return found

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    @property
    def count(self):
        """How many runs there are."""
        return len(self._columns["ended"])

    def run(self, index):
        """The run of a row, made once more with all of its samples."""
        from eom._result import Result

        place = operator.index(index)
        if not -self.count <= place < self.count:
            raise IndexError(f"there is no run {place}: there are {self.count}, from 0")
        place %= self.count
        (values,) = self._points.rows(place, place + 1)
        row = dict(zip(self._points.names, map(float, values)))
        return _eom.run(Result, self._system, {**self._values, **row}, self._asked)

    def __arrow_c_stream__(self, requested_schema=None):
        """The table for whatever reads Arrow; numbers that a run does not have are null."""
        return _eom.arrow_stream(self._columns, _COUNTS)

    def to_pandas(self):
        """The table as a ``pandas.DataFrame``."""
        from eom._result import _need

        return _need("pandas").DataFrame(self._columns)

    def to_polars(self):
        """The table as a ``polars.DataFrame``."""
        from eom._result import _need

        # A mapping it would read column by column.
        return _need("polars").DataFrame(_Stream(self))

    def to_arrow(self):
        """The table as a ``pyarrow.Table``."""
        from eom._result import _need

        return _need("pyarrow").table(_Stream(self))

    def __repr__(self):
        from collections import Counter

        counts = "".join(f", {n} {word}" for word, n in Counter(self._columns["ended"]).most_common())
        return f"<eom.Sweep of {self._system.name}: {counted(self.count, 'run')}{counts}; columns {', '.join(self._columns)}>"


class _Stream:
    """A table that is nothing but a stream of Arrow."""

    __slots__ = ("__arrow_c_stream__",)

    def __init__(self, table):
        self.__arrow_c_stream__ = table.__arrow_c_stream__


def cores():
    """How many cores this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def sweep(system, points, values, asked, outcomes, jobs, progress):
    """Makes the runs; see `System.sweep`."""
    rows, names = points.rows(), points.names
    bar = progress(total=len(rows)) if progress else None
    try:
        update = bar.update if bar is not None else None
        columns, stop = _eom.sweep(system, values, asked, names, rows, outcomes, jobs or cores(), update)
    finally:
        if bar is not None and hasattr(bar, "close"):
            bar.close()
    made = Sweep(columns, system, points, values, asked)
    if isinstance(stop, KeyboardInterrupt):
        done = sum(word != "missing" for word in columns["ended"])
        raise Interrupted(f"interrupted after {done} of {len(rows)} runs", made) from None
    if stop is not None:
        raise stop
    return made
