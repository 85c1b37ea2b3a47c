"""Figures of runs, by matplotlib."""

from __future__ import annotations

# The colours of the figures of the book.
COLOURS = ["#1f5a96", "#c2491d", "#3b7d3b", "#7a4a94", "#8a6d1f", "#4d4d4d"]


def plot(result, what, ax, keywords):
    """Draws each of `what` and returns the axes."""
    from eom._result import _need

    pyplot = _need("matplotlib.pyplot")
    what = what or tuple(item.name for item in result.system.coordinates)
    seen = _fine(result)
    pairs = [pair for one in what for pair in _pairs(seen, one)]
    if ax is None:
        _, ax = pyplot.subplots(figsize=(6, 3.8), layout="constrained")
        ax.set_prop_cycle(color=COLOURS)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(True, linewidth=0.4, alpha=0.5)
    for (x, x_symbol), (y, y_symbol) in pairs:
        label = y_symbol if x_symbol == pairs[0][0][1] else f"{y_symbol} over {x_symbol}"
        ax.plot(x, y, **{"linewidth": 1.2, "label": label, **keywords})
    horizontal = {x_symbol for (_, x_symbol), _ in pairs}
    if len(horizontal) == 1:
        ax.set_xlabel(horizontal.pop())
    if len(pairs) == 1:
        ax.set_ylabel(pairs[0][1][1])
    else:
        ax.legend(frameon=False)
    if pairs[0][0][1] != "t" and len(pairs) == 1 and _is_path(result, what[0]):
        ax.set_aspect("equal", adjustable="datalim")
    return ax


# Points between the ends of a run, and parts of each step, of which a motion may turn once in two; no more in all.
POINTS = 1000
PARTS = 8
MOST = 200_000


def _fine(result):
    """The run seen so often that steps are no corners, with both sides of its events."""
    import numpy as np

    first, last = result._span
    jumps = np.array([event.t for event in result.events])
    sides = [np.nextafter(jumps, side).clip(first, last) for side in (-np.inf, np.inf)]
    parts = int(np.clip(MOST // max(len(result.t), 1), 1, PARTS))
    steps = (result.t[:-1, None] + np.diff(result.t)[:, None] * np.arange(parts) / parts).ravel()
    times = np.unique(np.concatenate([np.linspace(first, last, POINTS), steps, result.t, *sides]))
    return result._seen_at(type(result), times.tolist())


def _pairs(result, text):
    """The numbers along both axes of each curve, with their symbols: ``x:y``, ``t:x,y``, ``x,y`` as a plane, ``y``."""
    how = "the axes of a figure are written 't:energy', 'x:y' or 't:x,y'"
    if not isinstance(text, str):
        raise TypeError(f"{how}; this is {text!r}")
    lists = [_outside(side, ",") for side in _outside(text, ":")]
    if len(lists) == 1:
        (first, *others), = lists
        lists = [["t"], [first]] if not others else [[first], others]
    if len(lists) != 2 or len(lists[0]) != 1 or not all(name for names in lists for name in names):
        raise ValueError(f"{how}; this is {text!r}")
    (x,), ys = lists
    return [(_axis(result, x), _axis(result, y)) for y in ys]


def _outside(text, sign):
    """The parts between signs that stand in no parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == sign and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _axis(result, name):
    ascii_name, symbol = result._symbol(name.strip())
    values = result[ascii_name]
    unit = _unit(result.system, ascii_name)
    return values, f"{symbol} / {unit}" if unit else symbol


def _unit(system, name):
    """The unit that the documentation of a name ends with: ``Height, m.`` has m."""
    for item in (*system.coordinates, *system.velocities, *system.outputs_declared):
        if item.ascii == name and ", " in item.doc:
            unit = item.doc.split("\n")[0].rstrip(".").rsplit(", ", 1)[1]
            if unit.split() and len(unit) <= 8 and all(len(word) <= 4 for word in unit.split()):
                return unit
    return ""


def _is_path(result, text):
    """Whether both axes are coordinates or outputs named x, y, z, which have one scale."""
    return all(part.strip().lower() in {"x", "y", "z"} for part in text.replace(",", ":").split(":"))
