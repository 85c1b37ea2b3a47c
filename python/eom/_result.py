"""What a run leaves: samples, events, how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

from eom import _eom
from eom._errors import UnknownNameError, counted


# What happens to a contact that is met.
_MET = ("impact", "closing", "accumulation")


class Event:
    """Something that happened in a run.

    Attributes
    ----------
    t : float
        When.
    kind : str
        ``"impact"``, ``"closing"``, ``"opening"``, ``"accumulation"``, ``"stick"``, ``"slip"``, or ``"event"`` for a
        declared one.
    names : list of str
        The contacts, term of friction or event that it happened to.
    impulses : dict
        Of each contact that took one, along its gap.
    q_before, v_before, q_after, v_after : numpy.ndarray
        The state on both sides.
    """

    __slots__ = ("t", "kind", "names", "impulses", "_q", "_v")

    def __init__(self, row, q, v):
        self.t, self.kind, self.names, impulses = row
        self.impulses = dict(impulses)
        self._q, self._v = _fixed(q), _fixed(v)

    def __eq__(self, other):
        if not isinstance(other, Event):
            return NotImplemented
        return self._told() == other._told()

    def __hash__(self):
        return hash((self.t, self.kind, *self.names))

    def _told(self):
        """All that it says; the same bits are the same event."""
        return self.t, self.kind, self.names, self.impulses, self._q.tobytes(), self._v.tobytes()

    @property
    def q_before(self):
        """q before it."""
        return self._q[0]

    @property
    def v_before(self):
        """v before it."""
        return self._v[0]

    @property
    def q_after(self):
        """q after it."""
        return self._q[1]

    @property
    def v_after(self):
        """v after it."""
        return self._v[1]

    @property
    def contact(self):
        """The names in one text: ``"floor"``, ``"left+right"``."""
        return "+".join(self.names)

    @property
    def impulse(self):
        """The sum of the impulses."""
        return sum(self.impulses.values())

    def __repr__(self):
        return f"<eom.Event {self.kind} {self.contact} at t = {self.t}>"


class Events(Sequence):
    """The events of a run in their order: as a list is, but each event is made when it is first looked at."""

    __slots__ = ("_run", "_made")

    def __init__(self, run):
        self._run, self._made = run, [None] * run._event_count()

    def __len__(self):
        return len(self._made)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        event = self._made[at]
        if event is None:
            place = index(at)
            (one,) = zip(*self._run._events(place if place >= 0 else place + len(self)))
            event = self._made[at] = Event(*one)
        return event

    def __iter__(self):
        if None in self._made:
            all_of_them = zip(self._made, *self._run._events())
            self._made = [made or Event(*each) for made, *each in all_of_them]
        return iter(self._made)

    def __eq__(self, other):
        return list(self) == list(other) if isinstance(other, (Events, list)) else NotImplemented

    def __repr__(self):
        return repr(list(self))


class End:
    """How a run ended.

    Attributes
    ----------
    kind : str
        ``"ReachedTime"``, ``"ReachedImpacts"``, ``"SingularMass"``, ...: as `eom_core::End` names it.
    details : dict
        Its numbers and names.
    help : str or None
        One thing to do, where it is not what was asked for.
    complete : bool
        Whether it is what was asked for.
    """

    __slots__ = ("kind", "details", "help", "complete", "_text")

    def __init__(self, json, text, help, complete):
        from json import loads

        end = loads(json)
        self.kind, self.details = next(iter(end.items()))
        self._text, self.help, self.complete = text, help, complete

    @property
    def t(self):
        """When."""
        return self.details["t"]

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"<eom.End {self.kind}: {self._text}>"


class Ledger:
    """What changed the energy of a run, entry by entry.

    Attributes
    ----------
    start, end : float
        The Jacobi energy at the start and at the end.
    works : dict
        The work of each line of the declaration, and of what else did any.
    jumps : dict
        The change at impacts and resets, by their cause.
    counts : dict
        How often each cause came.
    drifts : dict
        The largest residual of each constraint, and when it was.
    error, tolerance : float
        end − start − works − jumps, and what the tolerances of the run allow of it.
    """

    def __init__(self, entries):
        self.start, self.end = entries["start"], entries["end"]
        self.works = dict(entries["works"])
        self.jumps = {cause: change for cause, _, change in entries["jumps"]}
        self.counts = {cause: count for cause, count, _ in entries["jumps"]}
        self.drifts = {kept: (residual, t) for kept, residual, t in entries["drifts"]}
        self.error, self.tolerance = entries["error"], entries["tolerance"]

    @property
    def closes(self):
        """Whether the error is within its tolerance."""
        return abs(self.error) <= self.tolerance

    def __repr__(self):
        lines = [("start", self.start), *self.works.items(), *self.jumps.items(), ("end", self.end)]
        width = max(len(name) for name, _ in lines)
        text = "\n".join(f"{name.ljust(width)}  {value: .6g}" for name, value in lines)
        return f"{text}\n{'error'.ljust(width)}  {self.error: .1e} (tolerance {self.tolerance:.1e})"


class Result(_eom.Trajectory):
    """A run that is over: `System.run` makes it.

    It has the fields of SciPy's ``solve_ivp`` (``t``, ``y``, ``sol``, ``status``, ``message``, ``success``), and every
    number of the motion by its name: ``r["θ_dot"]``, ``r["energy"]``, ``r["gap(floor)"]``, ``r["λ(blade)"]``.

    Examples
    --------
    >>> import eom
    >>> r = eom.models.penny().run(until=3)
    >>> r["phi"].shape == r.t.shape
    True
    >>> bool((r["φ"] == r["phi"]).all())
    True
    """

    def _once(self, name, make):
        """What is made once, when it is first asked for."""
        if name not in self.__dict__:
            self.__dict__[name] = make()
        return self.__dict__[name]

    # samples

    @property
    def t(self):
        """The times of the samples, (N,): an array that cannot be written."""
        return self._once("_t_made", lambda: _fixed(self._t()))

    @property
    def y(self):
        """The states, (n + m, N): a row for each coordinate, then one for each speed. It cannot be written."""
        return self._once("_y_made", lambda: _fixed(self._y()))

    @property
    def q(self):
        """The coordinates, (n, N)."""
        return self.y[: len(self.system.coordinates)]

    @property
    def v(self):
        """The speeds, (m, N)."""
        return self.y[len(self.system.coordinates) :]

    @property
    def u(self):
        """The inputs."""
        return self._inputs()

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise TypeError(f"numbers of the motion have names, r[\"energy\"]; {name!r:.200} is none: see `t` and `y`")
        return self._number(name)

    def sol(self, t):
        """The state at any time of the run, (n + m,) or (n + m, N).

        At the times of `t` it is that of `y`, at an event before it, at the end after all. Between them the run is made once more and looked
        at there: the states are to the bit those that the run has with these times as its ``t_eval``. Many times in one
        call cost one run.
        """
        import numpy as np

        times = np.atleast_1d(_times(t))
        first, last = self._span
        outside = ~((times >= first) & (times <= last))
        if outside.any():
            raise ValueError(f"t = {times[outside][0]} is not within the run, {first} to {last}")
        # The samples are the run's own; between them it is looked at by the polynomials of its steps.
        at = np.searchsorted(self.t, times).clip(max=len(self.t) - 1)
        at[times == last] = len(self.t) - 1
        shown = self.t[at] == times if len(self.t) else np.zeros(len(times), dtype=bool)
        states = np.empty((len(self.y), len(times)))
        states[:, shown] = self.y[:, at[shown]]
        if not shown.all():
            others, places = np.unique(times[~shown], return_inverse=True)
            states[:, ~shown] = self._states(others.tolist())[:, places.ravel()]
        return states[:, 0] if np.ndim(t) == 0 else states

    # how it went

    @property
    def events(self):
        """What happened, in its order."""
        return self._once("_events_made", lambda: Events(self))

    @property
    def end(self):
        """How the run ended."""
        return self._once("_end_made", lambda: End(*self._end()))

    @property
    def success(self):
        """Whether the run reached what was asked of it."""
        return self.end.complete

    @property
    def status(self):
        """0 where the time was reached, 1 where the impacts or events were, -1 where it ended before."""
        if self.end.kind == "ReachedTime":
            return 0
        return 1 if self.success else -1

    @property
    def t_events(self):
        """The times of what happened to each of ``[*system.contacts, *system.events]``: of contacts that they were struck
        or closed, (k,) each.
        """
        return [times for times, _ in self._happened()]

    @property
    def y_events(self):
        """The states before it, (k, n + m) each."""
        return [states for _, states in self._happened()]

    def _happened(self):
        import numpy as np

        system, width = self.system, len(self.y)
        found = []
        for kinds, guards in ((_MET, system.contacts), (("event",), system.events)):
            for guard in guards:
                own = [event for event in self.events if event.kind in kinds and guard.name in event.names]
                states = [np.concatenate([event.q_before, event.v_before]) for event in own]
                found.append((np.array([event.t for event in own]), np.array(states).reshape(len(own), width)))
        return found

    @property
    def nfev(self):
        """How many evaluations of the equations of motion there were."""
        return self.stats["evaluations"]

    @property
    def njev(self):
        """How many Jacobians."""
        return self.stats["jacobians"]

    @property
    def nlu(self):
        """How many decompositions."""
        return self.stats["factorizations"]

    @property
    def message(self):
        """How the run ended, in words."""
        return str(self.end)

    @property
    def stats(self):
        """The work done: steps, evaluations, impacts, ..."""
        from json import loads

        return loads(self._stats())

    @property
    def modes(self):
        """When each mode begins, the contacts closed in it, the friction that sticks."""
        return self._modes()

    @property
    def proven(self):
        """Whether it is proven that no contact or event was passed unseen."""
        return self._checks()[0]

    @property
    def sampled(self):
        """What was only sampled of contacts, events and friction where not all is proven: a list of words."""
        return self._sampled()

    @property
    def stepped(self):
        """Of a run by time stepping its step and the estimate of its error; None for others.

        ``largest`` is that of each coordinate along the run, ``last`` that of coordinates and velocities at its end.
        """
        from json import loads

        return loads(self._stepped())

    @property
    def parameters(self):
        """The values of the parameters of the run."""
        return self._made_of.parameters

    @property
    def ledger(self):
        """What changed the energy; the run is made once more for it."""
        return self._once("_ledger_made", lambda: Ledger(self._ledger()))

    @property
    def contact_forces(self):
        """The force of each contact along its gap at the end of each step, with their times as ``"t"``."""
        return self._once("_forces_made", lambda: {name: _fixed(column) for name, column in self._forces().items()})

    # tables

    def columns(self):
        """Time, coordinates, speeds and outputs as a dictionary of arrays, named in ASCII as the files of ``eom run``:
        with ``_`` behind a name that another column has.
        """
        system = self.system
        names = [*system.coordinates, *system.velocities]
        columns = [(item.ascii, row) for item, row in zip(names, self.y)]
        columns += [(item.ascii, self._output(i)) for i, item in enumerate(system.outputs_declared)]
        return _distinct([("t", self.t)], columns)

    def event_columns(self):
        """The events as a dictionary of lists: t, event, contact, the state before, the speeds after, impulse, with ``_``
        behind a name of the declaration that another column has.
        """
        system, events = self.system, self.events
        first = [
            ("t", [event.t for event in events]),
            ("event", [event.kind for event in events]),
            ("contact", [event.contact for event in events]),
        ]
        columns = [(item.ascii, [event.q_before[i] for event in events]) for i, item in enumerate(system.coordinates)]
        for side, sign in (("before", "-"), ("after", "+")):
            for i, item in enumerate(system.velocities):
                columns.append((item.ascii + sign, [getattr(event, f"v_{side}")[i] for event in events]))
        last = [("impulse", [event.impulse for event in events])]
        return _distinct(first, columns, last)

    def __arrow_c_stream__(self, requested_schema=None):
        """The samples for whatever reads Arrow: ``polars.DataFrame(r)``, ``pyarrow.table(r)``, DuckDB."""
        return _eom.arrow_stream(self.columns())

    def to_pandas(self):
        """The samples as a ``pandas.DataFrame``."""
        return _need("pandas").DataFrame(self.columns())

    def to_polars(self):
        """The samples as a ``polars.DataFrame``."""
        return _need("polars").DataFrame(self)

    def to_arrow(self):
        """The samples as a ``pyarrow.Table``."""
        return _need("pyarrow").table(self)

    def plot(self, *what, ax=None, **keywords):
        """Draw numbers of the motion over one another.

        Parameters
        ----------
        *what : str
            ``"t:energy"`` draws the energy over time, ``"t:x,y"`` several over one, ``"x:y"`` or ``"x,y"`` a path; a name
            alone is drawn over time. Each is whatever ``r[...]`` takes, an expression too. Without any, all coordinates.
            Curves are drawn through what is between the steps; those of a run with ``t_eval`` or ``every`` through its
            samples alone.
        ax : matplotlib.axes.Axes, optional
            Where to draw.
        **keywords
            Those of ``Axes.plot``.

        Returns
        -------
        matplotlib.axes.Axes
        """
        from eom._plot import plot

        return plot(self, what, ax, keywords)

    def animate(self, height=560):
        """The run as a page that plays it, for a notebook: the drawing of the declaration, curves, equations.

        Parameters
        ----------
        height : int
            Of the frame in the notebook, in pixels.

        Returns
        -------
        Animation
            ``save("motion.html")`` writes the page for a browser. It is that of ``eom run --html``.

        Examples
        --------
        >>> import eom
        >>> eom.models.penny().run(until=3).animate()
        <eom.Animation of Penny: ...>
        """
        from eom._film import animate

        return animate(self, height)

    # copies

    @property
    def _made_of(self):
        """The system with the parameters of the run."""
        system = self.system
        known = {key for kind in ("parameters", "functions") for item in system._list(kind)
                 for key in (item.name, item.ascii)}
        values = {name: value for name, value in self._settings.items() if name in known}
        return system.with_parameters(values) if values else system

    @property
    def _span(self):
        return self._start_t(), self.end.t

    def __reduce__(self):
        return _restored, (type(self), self.system, dict(self._settings), self._saved())

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __len__(self):
        return len(self.t)

    def __contains__(self, name):
        """Whether `r[name]` is a number of the motion."""
        try:
            return isinstance(name, str) and bool(self._symbol(name))
        except UnknownNameError:
            return False

    def __iter__(self):
        raise TypeError("a run is no list: its samples are `t` and `y`, its numbers `columns()`")

    def __array__(self, dtype=None, copy=None):
        raise TypeError("a run is no array: its samples are `t` and `y`, its numbers `columns()`")

    def __repr__(self):
        events = len(self.events)
        events = "" if not events else ", one event" if events == 1 else f", {events} events"
        return f"<eom.Result of {self.system.name}: {self.message}; {counted(len(self.t), 'sample')}{events}>"

    def _repr_html_(self):
        from html import escape

        help = f"<br><i>help:</i> {escape(self.end.help)}" if self.end.help else ""
        return f"{escape(repr(self)[1:-1])}{help}"


def _distinct(first, given, last=()):
    """Columns as a dictionary, those of the declaration with ``_`` behind a name that another one has."""
    columns = [*first, *given, *last]
    names = [name for name, _ in columns]
    for place in range(len(first), len(first) + len(given)):
        while names[place] in names[:place] + names[place + 1 :]:
            names[place] += "_"
    return dict(zip(names, (column for _, column in columns)))


def _fixed(array):
    """An array that cannot be written: others see it, too."""
    array.flags.writeable = False
    return array


def _times(t):
    """One time, or a list of times."""
    import numpy as np

    from eom._points import floats

    times = floats("t", t, np)
    if times.ndim > 1:
        raise ValueError(f"t must be a time or a list of times; it has the shape {times.shape}")
    return times


def _restored(kind, system, values, saved):
    known = {key for kind_ in ("parameters", "functions") for item in system._list(kind_)
             for key in (item.name, item.ascii)}
    own = {name: value for name, value in values.items() if name in known}
    inner = system.with_parameters(own) if own else system
    return _eom.restored(kind, system, values, inner, saved)


def _need(name):
    """A package that eom does not depend on."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise ImportError(f"this needs {name}: pip install {name}") from None
