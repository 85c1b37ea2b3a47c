"""What a motion means: linear systems, orbits, exponents, sensitivities, as `System` gives them."""

from collections import namedtuple
from collections.abc import Mapping
from numbers import Integral

from eom import _eom
from eom._asked import listed, whole
from eom._errors import AnalysisError, UnknownNameError
from eom._points import floats
from eom._system import places

Exponent = namedtuple("Exponent", ["value", "error"])
Exponent.__doc__ = """A Lyapunov exponent in 1/time, and one standard deviation of it; minus infinity of a direction that is lost."""


def _shown(values):
    """Complex numbers as text: real ones without an imaginary part, 0 for what is nothing beside the largest."""
    least = 1e-12 * max(abs(values), default=0.0)

    def one(value):
        re, im = (part if abs(part) > least else 0.0 for part in (value.real, value.imag))
        return f"{complex(re, im):.6g}" if im else f"{re:.6g}"

    return ", ".join(map(one, values))


SecondOrder = namedtuple("SecondOrder", ["coordinates", "M", "C", "K", "F"])
SecondOrder.__doc__ = """M ξ̈ + C ξ̇ + K ξ = F u: the names of ξ, and the matrices."""


class _Answer:
    """What was found, by its names."""

    def __init__(self, system, found):
        self._of = system.name
        for name, value in found.items():
            setattr(self, name, value)


class Linear(_Answer):
    """The linear system along a steady motion: δẏ = A δy + B δu, δz = C δy + D δu.

    The motion is that of the state ``t``, ``q``, ``v`` with the inputs ``u``.

    Attributes
    ----------
    free : list of str
        The entries of δy, in the order of A.
    outputs : list of str
        The declared outputs, the entries of δz.
    A, B, C, D : array
        The matrices.
    eigenvalues : complex array
        Of A, the largest real part first.
    eigenvectors : complex array
        Their vectors, a column each.
    stable : bool or None
        Whether all real parts are below 0; False where one is above, None where the linear system does not say.
    entries : list of str
        All coordinates and speeds.
    embedding : array
        How they change with those that are free.
    second_order : SecondOrder or None
        ``M``, ``C``, ``K``, ``F`` of M ξ̈ + C ξ̇ + K ξ = F u and the ``coordinates`` ξ, of which the accelerations depend on
        nothing but ξ, ξ̇, u; None where there are none.
    mode : list of (str, str, float)
        Contacts and friction in force: their name, ``"closed"``, ``"sticks"`` or ``"slides"``, and their normal force,
        load or speed.
    turns : list of (str, float)
        The turns along which the motion is steady, with their rates.
    found : (int, float) or None
        The steps of Newton's method and what is left, where the motion was looked for.
    uncertainty : list of float or None
        Where that is degenerate, a multiple root: how far each coordinate, speed and input is known.
    """

    def __init__(self, system, found):
        super().__init__(system, found)
        self.second_order = self.second_order and SecondOrder(*self.second_order)

    def __repr__(self):
        free = ", ".join(self.free)
        return f"<eom.Linear {self._of}: free {free}; eigenvalues {_shown(self.eigenvalues)}>"


class Orbit(_Answer):
    """A periodic orbit.

    It begins just after its section, at ``t``, ``q``, ``v``, with the inputs ``u``.

    Attributes
    ----------
    period : float
        The time it takes.
    multipliers : complex array
        How small deviations grow in a return, the largest first.
    uncertainties : array
        How far each of them is known: one that is there several times is known to fewer digits.
    stable : bool or None
        Whether all of them are within the unit circle; None where some are on it, and none outside.
    entries : list of str
        The entries that return.
    found : (int, float)
        The steps of Newton's method, and what is left.
    """

    def __repr__(self):
        return f"<eom.Orbit {self._of}: period {self.period:.6g}; multipliers {_shown(self.multipliers)}>"


class Bifurcation:
    """Where runs are at their last returns to a section, a row a run.

    Attributes
    ----------
    name : str
        What has another value in each run.
    of : list of str
        The numbers of each return.
    values : array
        The values.
    returns : list of array
        The numbers of the returns of each run, a row each.
    repeats_after : list of int or None
        After how many returns they repeat, to 10⁻⁶ of their size; None where that is not seen twice.
    reasons : list of str or None
        Why a run has none.
    carried : list of str or None
        ``"up"`` or ``"down"`` where a run is to go on from the one before.
    anew : list of bool
        Whether such a run begins as given: it is the first, or none of the last states of the one before is admitted.
    """

    def __init__(self, system, name, of):
        self._of = system.name
        self.name, self.of = name, of
        self.values, self.returns, self.repeats_after, self.reasons, self.carried, self.anew = [], [], [], [], [], []

    def points(self, of=0, carried=None):
        """The values and one of the numbers, by its place or as it was asked for, at all returns: what a scatter plot takes.

        Parameters
        ----------
        of : int or str
            Which number.
        carried : str, optional
            Only of runs that were carried ``"up"``, or ``"down"``.

        Returns
        -------
        (array, array)
        """
        from numpy import concatenate, full

        asked = self.of.index(of) if isinstance(of, str) and of in self.of else of
        if not isinstance(asked, Integral) or not 0 <= asked < len(self.of):
            raise UnknownNameError(f"there is no number {of!r:.200}\n  numbers: {', '.join(self.of)}")
        rows = [k for k, way in enumerate(self.carried) if carried is None or way == carried]
        x = [full(len(self.returns[k]), self.values[k]) for k in rows]
        return concatenate([[], *x]), concatenate([[], *(self.returns[k][:, asked] for k in rows)])

    def __repr__(self):
        return f"<eom.Bifurcation {self._of}: {', '.join(self.of)} over {self.name}, {len(self.values)} runs>"


def bifurcation(system, run, asked, swept, of, section, how):
    """The returns of the runs of all values, in each direction that is asked."""
    import numpy as np
    from numpy import argsort, array, empty

    (name, values), (last, carry) = swept, how
    values = np.atleast_1d(floats("values", values, np))
    named, period, returns = section
    if (named is None) == (period is None):
        raise ValueError("give `section`, the contact or event at which it returns, or the `period` of what drives it")
    returns, last = whole("returns", returns), whole("last", last)
    if returns < 1 or last < 1:
        raise ValueError("one return is the least")
    ways = {None: [None], "up": ["up"], "down": ["down"], "both": ["up", "down"]}
    if carry not in ways:
        raise ValueError(f"carry={carry!r}: it is \"up\", \"down\" or \"both\"")
    periods = None if period is None else floats("period", period, np)
    if periods is not None and periods.shape not in ((), values.shape):
        raise ValueError(f"period: give one, or one for each of {len(values)} values; it has the shape {periods.shape}")
    periods = None if periods is None else np.broadcast_to(periods, values.shape)
    if periods is not None and not ((periods > 0) & (periods < float("inf"))).all():
        raise ValueError("period: it is above 0")
    of = [text.strip() for text in listed("of", of)]
    found = Bifurcation(system, name, of)
    for way in ways[carry]:
        order = argsort(values, kind="stable")[:: -1 if way == "down" else 1] if way else slice(None)
        here = values[order].tolist()
        asks = (named, [] if periods is None else periods[order].tolist(), returns)
        rows = _eom.bifurcation(system, run, asked, (name, here), asks, of, (last, way is not None))
        for value, (repeats, numbers, reason, goes_on) in zip(here, rows, strict=True):
            found.values.append(value)
            found.returns.append(array(numbers) if numbers else empty((0, len(of))))
            found.repeats_after.append(repeats)
            found.reasons.append(reason)
            found.carried.append(way)
            found.anew.append(not goes_on)
    found.values = array(found.values)
    return found


def _entries(system):
    """What the state has, in the order of (q, v)."""
    return [*system.coordinates, *system.velocities]


class _Derivatives(_Answer):
    """Derivatives by names: of the start, then of the inputs and parameters."""

    def __init__(self, system, found):
        super().__init__(system, found)
        start = _entries(system)
        self.entries = [item.name for item in start]
        self._start = places(start)
        self._names = places([*system.inputs, *system.parameters._items])

    def __getitem__(self, name):
        if name in self._start:
            found = self.by_start[..., self._start[name]]
        elif name in self._names:
            self._check(name)
            found = self.by_names[..., self._names[name]]
        else:
            raise UnknownNameError(f"there is no name `{name}`\n  names: {', '.join(self.entries + self.names)}")
        return float(found) if found.ndim == 0 else found

    def _check(self, name):
        """Refuses a name by which there is no derivative."""

    def __repr__(self):
        by = ", ".join(self.entries + self.names)
        return f"<eom.{type(self).__name__} {self._of} at t = {self.t:g}: by {by}>"


class Sensitivity(_Derivatives):
    """How the state at the end of a motion changes; ``found["m"]`` is ∂y/∂m, by a parameter, an input or a start value.

    The motion ends at ``t``, ``q``, ``v``.

    Attributes
    ----------
    count : int
        The number of events on the way.
    entries : list of str
        The coordinates and speeds, the entries of y.
    names : list of str
        The inputs, then the parameters.
    one_sided : list of str
        The friction that begins to slide at the start: ``by_start`` is of the side to which it does.
    by_start : array
        ∂y(t)/∂y(t₀). Directions that leave the constraints of the start are directions of no motion.
    by_names : array
        ∂y(t)/∂p, a column for each of ``names``; not numbers where there is none.
    time_by_start, time_by_names : array or None
        Where an impact or an event ends the motion: how its time changes. Derivatives of y are those of the state behind it.
    without : dict
        Those of ``names`` by which there is no derivative, with the reason; ``found[name]`` raises an `AnalysisError`.
    """

    def _check(self, name):
        item = self.names[self._names[name]]
        if item in self.without:
            raise AnalysisError(self.without[item])


class Gradient(_Derivatives):
    """How a number at the end of a motion changes; ``found["m"]`` is its derivative by a parameter, an input or a start value.

    ``t``, ``q``, ``v``, ``count``, ``entries``, ``names`` and ``one_sided`` are as those of `Sensitivity`.

    Attributes
    ----------
    value : float
        The number.
    by_start, by_names : array
        The derivatives by the entries of the start, by inputs and parameters.
    """

    def __init__(self, system, found, weights):
        super().__init__(system, found)
        self.value = float(weights @ [*self.q, *self.v])


def weights(system, of):
    """The weights w of Σ w_i y_i: of an entry by its name, of several by theirs, or all of them."""
    import numpy as np

    items = _entries(system)
    if isinstance(of, str):
        of = {of: 1.0}
    if not isinstance(of, Mapping):
        found = floats("of", of, np)
        if found.shape != (len(items),):
            raise ValueError(f"of: give {len(items)} weights, a name, or weights by name")
        return found
    at = places(items)
    found = np.zeros(len(items))
    for name, weight in of.items():
        if name not in at:
            known = ", ".join(item.name for item in items)
            raise UnknownNameError(f"there is no coordinate or speed `{name}`\n  there are: {known}")
        found[at[name]] = weight
    return found


def gradient(system, of, values, asked):
    """The gradient of a number at the end of a motion."""
    by = weights(system, of)
    return Gradient(system, _eom.gradient(system, values, asked, by.tolist()), by)
