"""Systems as users see them: names, equations, functions, runs."""

from __future__ import annotations

import operator
from collections import namedtuple
from collections.abc import Mapping

from eom import _eom
from eom._analyses import Analyses
from eom._asked import asked_of, listed, told_options
from eom._errors import Mistake, UnknownNameError

Named = namedtuple("Named", ["name", "ascii", "doc", "more"])
Named.__doc__ = """Something that a declaration names.

``name`` as declared, ``ascii`` with Greek letters spelled out, ``doc`` its documentation, ``more`` the bound of a
parameter, the law of a contact, the arguments of a function.
"""

Claim = namedtuple(
    "Claim",
    ["name", "equation", "doc", "verdict", "printed", "corrected", "difference", "when", "closed"],
)
Claim.__doc__ = """An equation that was claimed of a system, with its verdict.

``verdict`` is ``"follows"``, or ``"erratum"`` where the printed form does not follow and the corrected one does.
"""

Sentence = namedtuple(
    "Sentence",
    ["name", "equation", "doc", "verdict", "printed", "found", "error", "claimed", "within", "message"],
)
Sentence.__doc__ = """What was claimed of whole motions of a system, with the verdict of runs.

``verdict`` is ``"holds"``, ``"does not hold"`` or ``"cannot be decided"``; ``message`` says why, in the words of
``eom check``, and is empty of one that holds. ``found`` is what was found, ``error`` one standard deviation of it,
``claimed`` what is claimed and ``within`` how far it may be off; all four are None where nothing was found.
"""


def load(path, **values):
    """Read a declaration from a file.

    Parameters
    ----------
    path : str or os.PathLike
        The file; by custom its name ends in ``.eom``.
    **values
        Values of parameters in place of their defaults.

    Returns
    -------
    System

    Raises
    ------
    DeclarationError
        With everything that is wrong with the declaration.
    """
    from os import fspath

    path = fspath(path)
    with open(path, encoding="utf-8") as file:
        try:
            text = file.read()
        except UnicodeDecodeError:
            raise ValueError(f"{path} is not UTF-8: save the file as UTF-8") from None
    return System(text, path, values)


def system(text, **values):
    """Read a declaration from a text.

    Parameters
    ----------
    text : str
        ``system Name { ... }``.
    **values
        Values of parameters in place of their defaults.

    Returns
    -------
    System

    Raises
    ------
    DeclarationError
        With everything that is wrong with the declaration.

    Examples
    --------
    >>> import eom
    >>> spring = eom.system("system Spring { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; }")
    >>> float(spring.accelerations(0, [0.5], [0])[0])
    -0.5
    """
    return System(text, None, values)


class Equations:
    """The equations of a system: ``print`` shows them as text, a notebook as formulas.

    Attributes
    ----------
    text, latex, markdown : str
        The equations, as the command ``eom derive`` prints them; the LaTeX needs amsmath.
    """

    __slots__ = ("_system", "_form")

    FORMS = ("multipliers", "reduced", "explicit", "hamiltonian", "conserved")

    def __init__(self, system, form=None):
        self._system = system
        self._form = form

    @property
    def text(self):
        return self._system._equations("text", self._form)

    @property
    def latex(self):
        return self._system._equations("latex", self._form)

    @property
    def markdown(self):
        return self._system._equations("markdown", self._form)

    def form(self, name):
        """The equations of motion in one form.

        Parameters
        ----------
        name : str
            ``"multipliers"``, ``"reduced"``, ``"explicit"``, ``"hamiltonian"``, or ``"conserved"``: what stays along
            every motion, an invariant measure, and whether motions run backwards.

        Returns
        -------
        Equations

        Raises
        ------
        ValueError
            Where there is no such form; the message says why.
        """
        # A form that there is not is told here, not where it is shown.
        self._system._equations("text", name)
        return Equations(self._system, name)

    def sympy(self):
        """The functions of the equations as matrices of SymPy: M v̇ + h = F + Aᵀλ, A v + b = 0.

        Returns
        -------
        Symbolic
            Its symbols have the ASCII names, ``theta_dot``, and no assumptions. Numbers are the fractions that the
            declaration says, ``let`` and declared functions are written out.

        Raises
        ------
        ValueError
            Where something has no form in SymPy: integrals, friction of constraints, functions that are given as
            formulas. The message says which.

        Examples
        --------
        >>> import eom
        >>> ball = eom.system("system Ball { coordinates { y } parameters { m = 1 } kinetic = m*ẏ^2/2; potential = 9.81*m*y; }")
        >>> ball.equations.sympy().M
        Matrix([[m]])
        """
        from eom._sympy import symbolic

        return symbolic(self._system)

    def __str__(self):
        return self.text

    __repr__ = __str__

    def _repr_latex_(self):
        return self.latex

    def _repr_markdown_(self):
        return self.markdown


def places(items):
    """The place of each name, in both spellings."""
    return {key: place for place, item in enumerate(items) for key in (item.ascii, item.name)}


class Parameters(Mapping):
    """The values of the parameters by name, in both spellings; ``docs`` and ``bounds`` say more."""

    __slots__ = ("_items", "_values", "_keys")

    def __init__(self, items, values):
        self._items = items
        self._values = values
        self._keys = places(items)

    def __getitem__(self, name):
        if name not in self._keys:
            known = ", ".join(self) or "none"
            raise UnknownNameError(f"there is no parameter `{name}`\n  parameters: {known}")
        return self._values[self._keys[name]]

    def __iter__(self):
        return (item.name for item in self._items)

    def __len__(self):
        return len(self._items)

    @property
    def docs(self):
        """Their documentation, which ends with their units."""
        return {item.name: item.doc for item in self._items}

    @property
    def bounds(self):
        """Their bounds as declared."""
        return {item.name: item.more for item in self._items if item.more}

    def __repr__(self):
        rows = [(item.name, f"{value:g}", item.more, item.doc.split("\n")[0])
                for item, value in zip(self._items, self._values)]
        return "\n".join(_rows(rows)) or "no parameters"


def _rows(rows):
    """Columns as wide as their texts."""
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(4)]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]


class System(Analyses, _eom.System):
    """A declared system with values of its parameters. It does not change, and threads may share it.

    `eom.load`, `eom.system` and `eom.models` make one.
    """

    def __setattr__(self, name, value):
        raise AttributeError(
            f"a system does not change: with_parameters({name}={value!r:.40}) makes one with another value, and `run` "
            "takes values by name"
        )

    # names

    def _list(self, kind):
        return tuple(Named(*row) for row in self._names(kind))

    def _guards(self):
        from eom._guard import guards

        return guards(self)

    @property
    def coordinates(self):
        """The coordinates in the order of q; of a rotation the four entries of its quaternion."""
        return self._list("coordinates")

    @property
    def velocities(self):
        """The speeds in the order of v."""
        return self._list("velocities")

    @property
    def inputs(self):
        """The inputs in the order of u."""
        return self._list("inputs")

    @property
    def functions(self):
        """The functions that can be given as formulas."""
        return self._list("functions")

    @property
    def constraints(self):
        """The constraint rows, in the order of the multipliers."""
        return self._list("rows")

    @property
    def contacts(self):
        """The contacts, each a `Guard`: its law, and its gap as an event of ``solve_ivp``."""
        return self._guards()[0]

    @property
    def events(self):
        """The declared events, each a `Guard` that ``solve_ivp`` takes."""
        return self._guards()[1]

    @property
    def outputs_declared(self):
        """The declared outputs, in the order of `outputs`."""
        return self._list("outputs")

    @property
    def scenarios(self):
        """The scenarios; the first is that of a run that names none."""
        return self._list("scenarios")

    @property
    def parameters(self):
        """The values of the parameters by name."""
        return Parameters(self._list("parameters"), self._values())

    # what was derived

    @property
    def equations(self):
        """The equations of motion, derived."""
        return Equations(self)

    @property
    def claims(self):
        """The equations that were claimed, each with its verdict; what is claimed of motions is decided by `check`."""
        return [Claim(*row) for row in self._claims()]

    def check(self):
        """Decide what the declaration claims of whole motions: eigenvalues, critical values, periods, exponents.

        It is decided with the parameters as declared but those that a claim sets, and to the bit as ``eom check``
        does.

        Returns
        -------
        list of Sentence

        Examples
        --------
        >>> import eom
        >>> swing = eom.system("system Swing { coordinates { x } parameters { k = 4 } kinetic = ẋ^2/2; "
        ...     "potential = k*x^2/2; scenario rest { until t = 1; } claim rate of rest: im(eigenvalues[1]) = sqrt(k); }")
        >>> [(one.name, one.verdict, round(one.found, 9)) for one in swing.check()]
        [('rate', 'holds', 2.0)]
        """
        nothing = (None, None, None, None)
        return [Sentence(*texts, *(numbers or nothing), message or "") for texts, numbers, message in self._decided()]

    @property
    def diagnosis(self):
        """What is suspicious of the declaration, as warnings, and what is true and usual, as notes."""
        return [Mistake(said, self.source) for said in self._said()]

    @property
    def warnings(self):
        """The warnings of the diagnosis."""
        return [one for one in self.diagnosis if one.level == "warning"]

    # other values

    def with_parameters(self, values=None, /, **more):
        """The same system with other values.

        Parameters
        ----------
        values : dict, optional
            Values by name, for names that Python cannot write.
        **more
            Values by name; a function is given as a formula, ``f="a*x^2"``.

        Returns
        -------
        System
            Another one; what was derived is shared.

        Examples
        --------
        >>> import eom
        >>> penny = eom.models.penny().with_parameters(a=0.2)
        >>> penny.parameters["a"]
        0.2
        """
        return type(self)(self.source, self.path, {**(values or {}), **more}, self)

    # functions of the state

    def kinetic_energy(self, t, q, v):
        """T at one state or at each of many; see `accelerations` for the shapes."""
        return self._energies(t, q, v)[..., 0]

    def potential_energy(self, t, q):
        """V at one state or at each of many."""
        return self._energies(t, q, [0.0] * len(self.velocities))[..., 1]

    def energy(self, t, q, v):
        """T + V at one state or at each of many; v·∂L/∂v − L of a system that states `lagrangian`."""
        return self._energies(t, q, v)[..., 2]

    def jacobi(self, t, q, v):
        """The Jacobi integral v·∂L/∂v − L at one state or at each of many."""
        return self._energies(t, q, v)[..., 3]

    # runs

    def run(self, until=None, **names):
        """Run the system from a start to an end.

        The run is that of the command ``eom run``, to the bit: it starts in a scenario of the declaration with
        what is given here in place of its numbers.

        Parameters
        ----------
        until : float, optional
            The time of the end. Without any end it is that of the scenario.
        scenario : str, optional
            The scenario; without one the first, and all zero where there is none.
        q0, v0, u : array_like or dict, optional
            Coordinates, speeds and inputs at the start, all or some by name.
        t0 : float, optional
            The time of the start.
        impacts : int, optional
            End after so many impacts.
        events : int, str or (str, int), optional
            End after so many impacts and declared events, or at a declared one, or at its n-th.
        t_eval : array_like, optional
            The times of the samples, in rising order and within those of the run; without it every step and both sides of
            each event.
        every : float, optional
            The interval of the samples, which come to 4 GB at most.
        method : {"automatic", "runge-kutta", "taylor", "radau", "moreau"}
            The method: power series where the system has them, an explicit or an implicit one, or the one of them that the
            motion asks for; ``"DOP853"`` is the second. ``"moreau"`` is time stepping, of first order, for more contacts
            than can be followed event by event.
        step : float, optional
            The step of ``"moreau"``.
        order : int, optional
            The order of the series of ``"taylor"``.
        rtol, atol : float, optional
            Tolerances; those that are not given are near rounding. ``atol`` may be one for each coordinate and speed, or a
            dictionary of some by name.
        impact : float or {"elastic", "plastic", "project"}, optional
            The law of all contacts, a number is a restitution.
        max_step, max_steps, max_events : optional
            Limits.
        start : {"refuse", "project"}
            What is done with a start that is off its constraints.
        start_tolerance : float, optional
            How far off it may be.
        forces : {"bounded", "sampled"}
            Whether steps are kept short enough to see all forces.
        conserve : str or list of str, optional
            Conserved quantities to keep by projection after each step of free motion: ``"energy"``,
            ``"momentum(phi)"``, what else ``eom derive --form conserved`` prints, or ``"all"``. They are proven to stay
            before the run; one that does not stay is a `ValueError` with what does. Of one run, not of a sweep.
        values : dict, optional
            Values by name, for names that are keywords here or that Python cannot write.
        **names
            Parameters, functions (as formulas), initial values and inputs by name: ``e=0.5, θ_dot=1``.

        Returns
        -------
        Result

        Raises
        ------
        StartError
            Where the run is refused before it begins. How it ends later is `Result.end`.
        UnknownNameError
            For a name that stands for nothing.
        Interrupted
            At Ctrl-C; what was done is its ``result``.

        Examples
        --------
        >>> import eom
        >>> r = eom.models.penny().run(until=3, phi_dot=0.2)
        >>> r.success, r.message
        (True, 'reached t = 3')

        With rough tolerances the energy drifts, unless it is kept:

        >>> spring = eom.system("system Spring { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; }")
        >>> rough = dict(x=1, until=1000, rtol=1e-4, atol=1e-4, method="DOP853")
        >>> drifts = [float(abs(spring.run(**rough, conserve=kept)["energy"][-1] - 0.5)) for kept in (None, "energy")]
        >>> drifts[0] > 1e-5, drifts[1] < 1e-14
        (True, True)
        """
        from eom._result import Result

        values, asked = asked_of(until, names)
        with told_options():
            return _eom.run(Result, self, values, asked)

    def stepper(self, until=None, **names):
        """A run that goes on when it is told to.

        Parameters
        ----------
        until, **names
            As those of `run`. It has no end unless one is given here.

        Returns
        -------
        Stepper
        """
        from eom._stepper import Stepper, _stepper

        values, asked = asked_of(until, names)
        with told_options():
            return _stepper(Stepper, self, values, asked)

    def sweep(
        self, over, until=None, *, outcomes=(), jobs=None, progress=None, out=None, size=1000, on=None, **names
    ):
        """Make many runs, on all cores or on many machines.

        Parameters
        ----------
        over : dict, iterable of dict, DataFrame, or table of Arrow
            Of lists by name: a run for each combination, the last name changes first. Of rows: a run for each. See
            `eom.random` for random rows.
        until, **names
            As those of `run`, for all runs.
        outcomes : str or iterable of str
            More columns: numbers of the motion at the end, ``"gap(floor)"``, and whatever else ``r[...]`` takes.
        jobs : int, optional
            The number of threads; without it all cores.
        progress : callable, optional
            ``tqdm.tqdm``, or what is called as it is: ``progress(total=n)`` gives a thing with ``update(k)``.
        out : path, optional
            A folder: the runs are made in chunks, each a Parquet file there. What is there already is not made again,
            by whomever it was made; nothing is kept in memory.
        size : int
            Runs in a chunk of `out`; it should take ten seconds or more.
        on : str, distributed.Client or concurrent.futures.Executor, optional
            What carries the chunks of `out`: ``"ray"`` or ``"ray://host:port"``, a client of Dask, an executor of
            processes or of MPI. Every worker has this package and sees the folder.

        Returns
        -------
        Sweep or Gathered
            The table; with `out` the folder.

        Raises
        ------
        Interrupted
            At Ctrl-C; what was done is its ``result``.
        ValueError
            The folder is of another sweep.

        Examples
        --------
        >>> import eom
        >>> table = eom.models.penny().sweep({"a": [0.15, 0.16], "phi_dot": [0.1, 0.2]}, until=5)
        >>> table.count, set(table["ended"])
        (4, {'complete'})
        """
        from eom import _chunks, _sweep
        from eom._points import Points

        values, asked = asked_of(until, names)
        points = Points(over)
        outcomes = listed("outcomes", outcomes)
        taken = [name for name in points.names if name in values]
        if taken:
            raise TypeError(f"`{taken[0]}` is swept and set")
        if jobs is not None and operator.index(jobs) < 1:
            raise ValueError(f"jobs is the number of threads, 1 or more, not {jobs}")
        jobs = jobs and min(operator.index(jobs), 2**63 - 1)
        if out is None and on is not None:
            raise TypeError("what is carried elsewhere is kept in a folder: give `out`")
        with told_options():
            if out is None:
                return _sweep.sweep(self, points, values, asked, outcomes, jobs, progress)
            return _chunks.sweep(self, points, values, asked, outcomes, jobs, progress, out, size, on)

    # copies

    def __reduce__(self):
        return _system, (type(self), self.source, self.path, self._given())

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def _repr_html_(self):
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(kind)}</td><td>{escape(', '.join(i.name for i in self._list(of)))}</td></tr>"
            for kind, of in [
                ("coordinates", "coordinates"), ("velocities", "velocities"), ("inputs", "inputs"),
                ("constraints", "rows"), ("contacts", "contacts"), ("events", "events"),
                ("outputs", "outputs"), ("scenarios", "scenarios"),
            ]
            if self._list(of)
        )
        values = ", ".join(f"{name} = {value:g}" for name, value in self.parameters.items())
        values = f"<tr><td>parameters</td><td>{escape(values)}</td></tr>" if values else ""
        doc = f"<p>{escape(self.doc)}</p>" if self.doc else ""
        return f"<b>{escape(self.name)}</b>{doc}<table>{rows}{values}</table>"


def _system(kind, text, path, values):
    return kind(text, path, values)
