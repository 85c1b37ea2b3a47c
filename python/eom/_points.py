"""The runs of a sweep by their number: what each sets, made when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from eom._asked import named


class Points:
    """Numbered rows of values. A grid keeps its axes only, so that it may have more runs than memory.

    ``names`` are what is set, ``count`` is how many rows there are.
    """

    def __init__(self, over):
        import numpy as np

        self._axes = self._table = None
        columns = _columns(over, np)
        if columns is not None:
            self.names = [name for name, _ in columns]
            if not self.names:
                raise ValueError("there is no run to make: the table has no columns")
            self._table = np.stack([floats(name, values, np) for name, values in columns], axis=1)
            if not len(self._table):
                raise ValueError("there is no run to make: the table has no rows")
        elif isinstance(over, Mapping):
            self.names = named(over)
            self._axes = [np.atleast_1d(floats(name, values, np)) for name, values in over.items()]
            if deep := [name for name, axis in zip(self.names, self._axes) if axis.ndim != 1]:
                raise ValueError(f"a grid has a list of values for each name; of `{deep[0]}` there are several")
            if empty := [name for name, axis in zip(self.names, self._axes) if not axis.size]:
                raise ValueError(f"there is no run to make: `{empty[0]}` has no values")
        elif isinstance(over, Iterable):
            self.names, self._table = _listed(over, np)
        else:
            raise TypeError(f"over: give lists by name, rows or a table; it is {over!r:.200}")
        self.count = len(self._table) if self._axes is None else _product(map(len, self._axes))

    def rows(self, first=0, end=None):
        """The rows of the numbers from `first` to `end` without it, as an array; the last name changes first."""
        import numpy as np

        end = self.count if end is None else end
        if self._axes is None:
            return self._table[first:end]
        rest, columns = np.arange(first, end), []
        for axis in reversed(self._axes):
            rest, place = np.divmod(rest, len(axis))
            columns.append(axis[place])
        return np.stack(columns[::-1], axis=1) if columns else np.empty((end - first, 0))

    def digest(self):
        """SHA-256 of all values, in hexadecimal digits."""
        from hashlib import sha256

        digest = sha256(repr((self.names, self._axes is None)).encode())
        for part in [self._table] if self._axes is None else self._axes:
            digest.update(repr(part.shape).encode())
            digest.update(part.astype("<f8", order="C").tobytes())
        return digest.hexdigest()


def _product(numbers):
    product = 1
    for number in numbers:
        product *= number
    return product


def _columns(over, np):
    """The columns of a data frame, or of a table of Arrow, with their names; None of what is none. What is no number is
    told with its name.
    """
    if hasattr(over, "collect_schema") and not hasattr(over, "to_numpy"):
        # A lazy frame.
        over = over.collect()
    if hasattr(over, "columns") and hasattr(over, "to_numpy"):
        table = np.asarray(over.to_numpy())
        return [(str(name), table[:, i]) for i, name in enumerate(over.columns)]
    if hasattr(over, "column_names") and hasattr(over, "to_pydict"):
        return list(over.to_pydict().items())
    return None


def _listed(over, np):
    """Names, and an array with a row for each dictionary."""
    rows = list(over)
    if not rows:
        raise ValueError("there is no run to make: the list is empty")
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise TypeError(f"run {i} must be a dictionary of values by name; it is {row!r:.200}")
    names = named(rows[0])
    for i, row in enumerate(rows):
        if set(row) != set(names):
            told = [", ".join(map(str, sets)) or "nothing" for sets in (row, names)]
            raise ValueError(f"run {i} sets {told[0]}, run 0 sets {told[1]}: set the same names")
    columns = [floats(name, [row[name] for row in rows], np) for name in names]
    return names, np.stack(columns, axis=1) if columns else np.empty((len(rows), 0))


def floats(name, values, np):
    """The values of a name as an array."""
    if np.ma.is_masked(values):
        raise ValueError(f"`{name}` has masked entries")
    array = np.asarray(values)
    # Texts, dates and complex numbers become floats, too, and mean something else.
    is_number = array.dtype.kind in "biuf" or array.dtype == object and not any(map(_is_text, array.flat))
    try:
        if not is_number:
            raise TypeError
        return np.asarray(array, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"`{name}` must be numbers; it is {values!r:.200}") from None


def _is_text(value):
    return isinstance(value, (str, bytes))
