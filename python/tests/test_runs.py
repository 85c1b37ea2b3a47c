"""Runs, beside closed forms, SciPy and the command."""

import copy
import csv
import io
import json
import os
import pickle
import signal
import sys
import threading
import time

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import eom
from conftest import BALL, ROOT

DATA = ROOT / "python/tests/data"


def test_events_are_as_a_list_of_them_is():
    penny = eom.models.penny()
    events, others = (list_of(penny.run(impacts=4)) for list_of in (lambda r: r.events, lambda r: [*r.events]))
    assert events[-1] is events[3] and events[1:3] == [events[1], events[2]] and len(events) == 4
    one_by_one = [events[i] for i in range(4)]
    assert [*events] == one_by_one == events == others and len({*events, *others}) == 4
    assert pickle.loads(pickle.dumps(penny.run(impacts=4))).events == events != penny.run(impacts=4, a=0.2).events
    for one, other in zip(one_by_one, others, strict=True):
        assert (one.t, one.kind, one.names, one.impulses) == (other.t, other.kind, other.names, other.impulses)
        for part in ("q_before", "v_before", "q_after", "v_after"):
            assert (getattr(one, part) == getattr(other, part)).all()
    with pytest.raises(IndexError):
        events[4]
    assert penny.run(until=1e-3).events == []


def test_a_ball_bounces(ball):
    r = ball.run(e=0.5, y=1)
    first = np.sqrt(2 / 9.81)
    # The flights between impacts last e, e², … times 2 t₁.
    assert np.allclose([event.t for event in r.events], [first, first * 2, first * 2.5], rtol=1e-13)
    speed = 9.81 * first
    for event, before in zip(r.events, [speed, speed / 2, speed / 4]):
        assert (event.kind, event.contact) == ("impact", "floor")
        assert np.isclose(event.v_before[0], -before, rtol=1e-13)
        assert np.isclose(event.v_after[0], before / 2, rtol=1e-13)
        assert np.isclose(event.impulse, 1.5 * before, rtol=1e-13)
        assert abs(event.q_before[0]) < 1e-14
    assert (r.status, r.success) == (1, True)
    assert r.end.kind == "ReachedImpacts" and r.end.details["impacts"] == 3 and r.end.t == r.events[-1].t
    assert r.message.startswith("reached 3 impacts")


def test_time_stepping(ball):
    r = ball.run(1.5, e=0.5, y=1, method="moreau", step=1e-3)
    first = np.sqrt(2 / 9.81)
    times = [event.t for event in r.events if event.kind == "impact"][:3]
    assert np.allclose(times, [first, first * 2, first * 2.5], atol=3e-3)
    assert r.stepped["step"] == 1e-3 and max(r.stepped["largest"]) < 0.02 and not r.proven
    assert ball.run(e=0.5, y=1).stepped is None
    with pytest.raises(eom.StartError, match="no step of its own"):
        ball.run(1, method="moreau")


def test_forces_at_a_stop_are_those_of_their_side():
    """A block slides down an incline with μ = 0.5 and stops: m g sin φ − μ N up to there, nothing from there on."""
    block = eom.system("""system Stop { coordinates { x, y } parameters { φ = 0.2, μ = 0.5 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*(y*cos(φ) - x*sin(φ));
        contact floor { gap = y; slip = ẋ; friction = μ; impact = plastic; } output F = friction(floor); }""")
    weight, brake = 10 * np.sin(0.2), 5 * np.cos(0.2)
    for speed, side in [(3, -brake), (1.234, -brake), (-3, brake)]:
        r = block.run(until=4, x_dot=speed)
        at_stop = np.isclose(r.t, r.events[-1].t, rtol=1e-14)
        assert np.count_nonzero(at_stop) == 2
        for name in ["F", "friction(floor)", "friction(floor) + 0*λ(floor)"]:
            assert np.allclose(r[name][at_stop], [side, -weight], rtol=1e-12)
        assert np.allclose(r["x_ddot"][at_stop], [weight + side, 0], rtol=1e-12, atol=1e-12)
        assert np.allclose(r.columns()["F"][at_stop], [side, -weight], rtol=1e-12)


def test_names_in_both_spellings(pendulum):
    r = pendulum.run()
    assert (r["θ1"] == r["theta1"]).all() and (r["θ1"] == r.y[0]).all()
    assert (r["θ̇1"] == r["θ1_dot"]).all() and (r["theta1_dot"] == r.v[0]).all()
    assert (r["t"] == r.t).all()
    q, v = np.ascontiguousarray(r.q.T), np.ascontiguousarray(r.v.T)
    assert (r["energy"] == pendulum.energy(r.t, q, v)).all()
    assert (r["θ1_ddot"] == pendulum.accelerations(r.t, q, v)[:, 0]).all()
    assert np.ptp(r["energy"]) < 1e-11
    assert np.allclose(r["2*sin(θ1)*θ1_dot"], 2 * np.sin(r["θ1"]) * r["θ1_dot"], rtol=1e-14)
    with pytest.raises(TypeError, match="numbers of the motion have names"):
        r[0]
    with pytest.raises(eom.UnknownNameError, match="there is no number of the motion `phi`"):
        r["phi"]


def test_conserved_quantities_are_kept():
    """An eccentric orbit of Kepler's problem, r = a (1 - e cos E), after 50 turns: E - e sin E = t."""
    kepler = eom.system(
        "system Kepler { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = -1/sqrt(x^2 + y^2); }"
    )
    e, turns = 0.5, 100 * np.pi
    asked = dict(x=1 - e, y_dot=np.sqrt((1 + e) / (1 - e)), until=turns, rtol=1e-6, atol=1e-6, method="DOP853")
    plain, kept = kepler.run(**asked), kepler.run(**asked, conserve=["energy"])
    assert np.ptp(plain["energy"]) > 1e-5 and np.ptp(kept["energy"]) < 1e-14
    assert np.isclose(kept["energy"][0], -0.5, rtol=1e-15)
    both = kepler.run(**asked, conserve="all")
    spin = both["x"] * both["y_dot"] - both["y"] * both["x_dot"]
    assert np.ptp(spin) < 1e-14 and np.isclose(spin[0], np.sqrt(1 - e**2), rtol=1e-15)
    # What is made once more, and a copy, keep it, too.
    assert np.array_equal(kept.sol(kept.t[7]), kept.y[:, 7])
    copied = pickle.loads(pickle.dumps(kept))
    assert np.array_equal(copied.sol(kept.t[-1]), kept.y[:, -1])
    # A stepper, and one that is restored.
    s = kepler.stepper(**{**asked, "until": None}, conserve=["energy"])
    half = s.save()
    s.advance(turns)
    assert np.isclose(s["energy"], -0.5, rtol=0, atol=1e-14)
    at_end = s.y
    s.restore(half)
    s.advance(turns)
    assert np.array_equal(s.y, at_end)


@pytest.mark.parametrize("conserve, error, message", [
    ("momentum(y)", ValueError, "`momentum(y)` does not stay along the motions of `Ball`"),
    (["energie"], ValueError, "did you mean `energy`?"),
    (3, TypeError, "conserve: give a name, or a list of names"),
])
def test_what_does_not_stay_is_refused(ball, conserve, error, message):
    with pytest.raises(error) as raised:
        ball.run(y=1, until=1, conserve=conserve)
    assert message in str(raised.value)
    with pytest.raises(ValueError, match="conserve is of one run"):
        ball.sweep({"y": [1, 2]}, until=1, conserve="energy")


def test_gaps_and_multipliers_by_name(ball):
    r = ball.run()
    assert (r["gap(floor)"] == r["y"]).all()
    penny = eom.models.penny().run(until=1)
    row = penny.system.constraints[0].name
    assert penny[f"λ({row})"].shape == penny.t.shape


def test_the_end_and_the_samples(pendulum):
    r = pendulum.run(until=1, t_eval=[0.25, 0.5, 0.75])
    assert r.t.tolist() == [0.25, 0.5, 0.75] and r.y.shape == (4, 3)
    assert (r.status, r.success, r.message) == (0, True, "reached t = 1")
    assert (r.y == pendulum.run(until=1).sol(r.t)).all()
    every = pendulum.run(until=1, every=0.25)
    assert every.t.tolist() == [0, 0.25, 0.5, 0.75, 1] and (every.y[:, 1:4] == r.y).all()
    assert len(r) == 3


def test_the_solution_between_samples(pendulum):
    r = pendulum.run()
    theirs = solve_ivp(pendulum.rhs, (0, 2), r.y[:, 0], method="DOP853", rtol=1e-13, atol=1e-13, dense_output=True)
    times = np.linspace(0, 2, 37)[::-1]
    assert np.allclose(r.sol(times), theirs.sol(times), atol=1e-7)
    assert (r.sol(times)[:, 3] == r.sol(times[3])).all()
    assert (r.sol(r.t) == r.y).all() and (r.sol(0) == r.y[:, 0]).all()
    assert r.sol([0.5, 0.5, 0.1]).shape == (4, 3)
    for outside in (-0.1, 2.1, np.nan):
        with pytest.raises(ValueError, match="is not within the run, 0.0 to 2.0"):
            r.sol(outside)


def test_starts(pushed, pendulum):
    # ẍ = F − 4x from x = 1, v = 0: x = F/4 + (1 − F/4) cos 2t.
    r = pushed.run(until=1, q0=[1], v0=[0], u=[2])
    assert np.isclose(r.y[0, -1], 0.5 + 0.5 * np.cos(2), rtol=1e-13)
    for other in (dict(x=1, F=2), dict(q0={"x": 1}, u={"F": 2}), dict(values={"x": 1, "F": 2})):
        assert (pushed.run(until=1, **other).y == r.y).all()
    assert r.u.tolist() == [2]
    late = pushed.run(until=4, t0=3, x=1, F=2)
    assert np.isclose(late.y[0, -1], r.y[0, -1], rtol=1e-12) and late.t[0] == 3
    assert (pendulum.run(until=1, v0={"θ1": 0.3})["θ1_dot"][0], pendulum.run(θ1_dot=0.3)["θ1_dot"][0]) == (0.3, 0.3)


def test_parameters_of_a_run(ball):
    r = ball.run(m=2, e=0.25)
    assert dict(r.parameters) == {"m": 2, "g": 9.81, "e": 0.25}
    assert dict(ball.parameters)["m"] == 1
    assert (r.y == ball.with_parameters(m=2, e=0.25).run().y).all()


def test_methods_agree(pendulum):
    ends = [pendulum.run(method=method).y[:, -1] for method in ("runge-kutta", "taylor", "Radau", "DOP853")]
    for end in ends[1:]:
        assert np.allclose(end, ends[0], atol=1e-9)
    assert (ends[3] == ends[0]).all() and (ends[1] != ends[0]).any()


def test_ends_before(ball):
    r = ball.run(max_events=2)
    assert (r.status, r.success, r.end.kind) == (-1, False, "EventBudget")
    assert "allow more events" in r.end.help
    assert "budget of 2 events" in r.message


def test_a_ball_comes_to_rest(ball):
    # Infinitely many impacts end at t₁ (1 + e)/(1 − e); then the floor bears the weight.
    r = ball.run(until=3)
    kinds = [event.kind for event in r.events]
    assert kinds[-1] == "accumulation" and set(kinds[:-1]) == {"impact"}
    assert np.isclose(r.events[-1].t, np.sqrt(2 / 9.81) * 3, rtol=1e-9)
    assert r.modes[-1][1] == ["floor"]
    forces = r.contact_forces
    assert np.isclose(forces["floor"][-1], 9.81) and forces["floor"][0] == 0
    assert forces["t"][-1] == 3


def test_declared_events_end_a_run():
    spring = eom.system("""system Spring {
        coordinates { x }
        kinetic = ẋ^2/2;
        potential = x^2/2;
        event middle { guard = x; rising; }
        scenario go { x = 1; until t = 20; }
    }""")
    r = spring.run(events=("middle", 2))
    assert r.end.kind == "ReachedEvents" and np.isclose(r.end.t, 1.5 * np.pi + 2 * np.pi, rtol=1e-12)
    assert spring.run(events="middle").end.t < r.end.t
    with pytest.raises(eom.UnknownNameError, match="did you mean `middle`"):
        spring.run(events="midle")


def test_the_ledger_closes(ball):
    ledger = ball.run().ledger
    assert ledger.closes and np.isclose(ledger.start, 9.81)
    assert np.isclose(sum(ledger.jumps.values()), ledger.end - ledger.start)
    assert list(ledger.jumps) == ["impact floor"] and ledger.counts["impact floor"] == 3
    # Each impact leaves e² of the energy.
    assert np.isclose(ledger.end, 9.81 / 4**3)


def table(text):
    rows = [row for row in csv.reader(io.StringIO(text)) if row and not row[0].startswith("#")]
    return rows[0], rows[1:]


def bits(rows):
    return [[float(cell) if cell else None for cell in row] for row in rows]


def same_as(columns, text):
    """Whether the columns have the numbers of a table of the command, all their digits."""
    names, rows = table(text)
    assert names == list(columns)
    assert bits(rows) == [list(map(float, row)) for row in zip(*columns.values())]


def test_a_run_has_the_bits_of_the_command():
    # Made by `eom run penny.eom --until 5 --csv`.
    same_as(eom.models.penny().run(until=5).columns(), (DATA / "penny.csv").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["penny", "floor-ball", "rolling-ball", "thin-rod", "rough-particle", "wall-ball"])
def test_runs_have_the_bits_of_the_command(command, tmp_path, name):
    path, out = ROOT / f"models/eom/{name}.eom", tmp_path / "samples.csv"
    system = eom.load(path)
    end = [] if system.run().end.t < 20 else ["--until", "20"]
    command("run", str(path), "--csv", str(out), *end)
    same_as(system.run(*map(float, end[1:])).columns(), out.read_text(encoding="utf-8"))


def test_copies_are_the_same_run(ball):
    r = ball.run(until=3, e=0.3)
    for made in (pickle.loads(pickle.dumps(r)), copy.copy(r), copy.deepcopy(r)):
        assert (made.t == r.t).all() and (made.y == r.y).all()
        assert made.message == r.message and len(made.events) == len(r.events)
        assert (made.sol([0.5, 1]) == r.sol([0.5, 1])).all()
        assert dict(made.parameters) == dict(r.parameters)
        assert made.ledger.end == r.ledger.end


def test_tables(ball):
    r = ball.run()
    assert list(r.columns()) == ["t", "y", "y_dot"]
    assert list(r.event_columns()) == ["t", "event", "contact", "y", "y_dot-", "y_dot+", "impulse"]
    assert all(len(column) == 3 for column in r.event_columns().values())


def test_a_wrong_expression_is_told_in_its_own_words(ball):
    r = ball.run()
    for text, said in [("energy y", "missing before `y`"), ("y=1", "an equation has one `=`"), ("y**2", "`**` is not an operator")]:
        with pytest.raises(eom.UnknownNameError) as caught:
            r[text]
        assert said in str(caught.value) and "eom_" not in str(caught.value)


@pytest.mark.parametrize("name", ["pandas", "polars", "pyarrow"])
def test_tables_of_others(ball, name):
    pytest.importorskip(name)
    method = {"pandas": "to_pandas", "polars": "to_polars", "pyarrow": "to_arrow"}[name]
    r = ball.run()
    made = getattr(r, method)()
    assert np.array_equal(np.asarray(made["y_dot"]), r["ẏ"])
    swept = getattr(ball.sweep({"e": [0.1, 0.2]}), method)()
    assert list(swept["ended"]) == ["complete"] * 2 or swept["ended"].to_pylist() == ["complete"] * 2


def test_what_is_not_installed_is_named(ball, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        ball.run().to_pandas()


def test_a_figure(ball, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    r = ball.run()
    ax = r.plot()
    assert ax.get_xlabel() == "t" and ax.get_ylabel() == "y / m"
    x, y = ax.lines[0].get_data()
    # Between the steps it is the run itself, and at an impact both sides are drawn.
    assert len(x) > len(r.t) and (np.diff(x) < 2e-3).all() and (r.sol(x[5:9])[0] == y[5:9]).all()
    jump = r.events[0]
    speeds = dict(zip(*r.plot("ẏ").lines[0].get_data()))
    assert np.isclose(speeds[np.nextafter(jump.t, 0)], jump.v_before[0])
    assert np.isclose(speeds[np.nextafter(jump.t, 9)], jump.v_after[0])
    ax = r.plot("t:energy", "kinetic")
    assert [line.get_label() for line in ax.lines] == ["energy", "kinetic"]
    same = r.plot("y:ẏ", ax=ax, color="k")
    assert same is ax and ax.lines[2].get_color() == "k"
    ax.figure.savefig(tmp_path / "figure.png")
    with pytest.raises(eom.UnknownNameError):
        r.plot("t:enrgy")


CURVES = [
    ("t:X", ["X"], "t"),
    ("t:2*x", ["2*x"], "t"),
    ("t:x,atan2(x, θ),gap(wall)", ["x", "atan2(x, θ)", "gap(wall)"], "t"),
    ("x,θ", ["θ"], "x"),
    ("X:Y", ["Y"], "X"),
    ("θ̇", ["θ̇"], "t"),
]


@pytest.mark.parametrize("text, names, over", CURVES)
def test_figures_of_what_is_written(text, names, over):
    pytest.importorskip("matplotlib").use("Agg")
    cart = eom.system("""system Cart {
        coordinates { x, θ }
        let X = x + sin(θ); let Y = -cos(θ);
        kinetic = ẋ^2 + (Ẋ^2 + Ẏ^2)/2; potential = 9.81*Y;
        contact wall { gap = 2 + x; impact = elastic; }
    }""")
    r = cart.run(until=1, θ=1)
    lines = r.plot(text).lines
    assert len(lines) == len(names)
    for line, name in zip(lines, names):
        x, y = line.get_data()
        assert (y[0], y[-1]) == (r[name][0], r[name][-1]) and (x[0], x[-1]) == (r[over][0], r[over][-1])
        assert line.get_label() == name
    assert lines[0].axes.get_xlabel() == over


@pytest.mark.parametrize("text", ["t:x:y", "x,", "a,b:y", ""])
def test_what_is_no_figure_is_told(ball, text):
    with pytest.raises(ValueError, match="the axes of a figure are written"):
        ball.run().plot(text)


WRONG = [
    (dict(), eom.StartError, "nothing ends the run\n  help: give until=<time>"),
    (dict(until=-1), eom.StartError, "the end, until=-1, is not after the start, t = 0"),
    (dict(until=float("nan")), eom.StartError, "time of the end NaN"),
    (dict(until=1, rtol=5), eom.StartError, "relative tolerance 5 is not between"),
    (dict(until=1, F=float("inf")), ValueError, "`F` must be a finite number"),
    (dict(until=1, kk=1), eom.UnknownNameError, "did you mean `k`"),
    (dict(until=1, scenario="go"), eom.UnknownNameError, "Pushed has no scenarios"),
    (dict(until=1, method="rk45"), ValueError, "give one of: automatic, runge-kutta, taylor, radau"),
    (dict(until=1, method="RK45"), ValueError, "there is no method `RK45`; `runge-kutta` goes in its place"),
    (dict(until=1, method="BDF"), ValueError, "`radau` goes in its place"),
    (dict(until=np.inf), eom.StartError, "time of the end inf is not finite"),
    (dict(until=1, t_eval=[0.5, 0.2]), eom.StartError, "the sampling times are not in order: 0.2 comes behind 0.5\n  help: sort them"),
    (dict(until=1, t_eval=[0.5], every=1), ValueError, "not both"),
    (dict(until=1, every=1e-9), ValueError, "1.0e9 samples of 3 numbers are more than 4 GB"),
    (dict(until=1, every=0), eom.StartError, "is not above 0"),
    (dict(until=1, t_eval=[0.5, 2]), ValueError, "t_eval: 2 is not from 0 to 1, the time of the run"),
    (dict(until=1, t_eval=[-1, 0.5]), ValueError, "t_eval: -1 is not from 0 to 1"),
    (dict(until=1, t_eval=[float("nan")]), ValueError, "t_eval: NaN is not from 0 to 1"),
    (dict(until=1, q0=np.ma.masked_array([1.0], [True])), ValueError, "q0 has masked entries"),
    (dict(until=1, q0=[1, 2]), ValueError, "q0 has 2 numbers; give 1 number"),
    (dict(until=1, q0={"y": 1}), eom.UnknownNameError, "there is no name in q0 `y`"),
    (dict(until=1, values=[1]), TypeError, "values: give a dictionary of values by name; it is [1]"),
    (dict(until=1, values={1: 2}), TypeError, "names are texts; 1 is none"),
    (dict(until=1, x=1, values={"x": 2}), TypeError, "`x` is given twice"),
    (dict(until=1, q0=[2], x=1), TypeError, "`x` is given twice: by its name, and in q0, v0, u or t0"),
    (dict(until=1, v0={"ẋ": 2}, x_dot=1), TypeError, "`x_dot` is given twice: by its name"),
    (dict(until=1, t0=0, t=0), TypeError, "`t` is given twice: by its name"),
    (dict(until=1, x_dot=1, **{"ẋ": 2}), TypeError, "`ẋ` is given twice: `x_dot` is the same"),
    (dict(until=1, xdot=1), eom.UnknownNameError, "did you mean `ẋ`?"),
    (dict(until=1, impacts=0), eom.StartError, "number of impacts of the end 0"),
    (dict(until=1, atol=[1e-9]), eom.StartError, "absolute tolerances: expected 2 numbers, found 1"),
    (dict(until=1, k=-1), eom.StartError, "violates its bound k > 0"),
    (dict(until="soon"), TypeError, "until: "),
    (dict(until=1, max_steps=-1), ValueError, "max_steps must be 1 or more; it is -1"),
    (dict(impacts=-1), ValueError, "impacts must be 1 or more; it is -1"),
    (dict(impacts=1.5), TypeError, "impacts must be a whole number; it is 1.5"),
    (dict(events=-1), ValueError, "give a number from 1"),
    (dict(until=1, order=12, method="DOP853"), ValueError, 'order is of the series of method="taylor"'),
    (dict(until=1, t_eval=0.5), ValueError, "t_eval must be a list of times"),
    (dict(until=1, atol="small"), ValueError, "atol: give a number"),
    (dict(until=1, atol={"xx": 1e-9}), eom.UnknownNameError, "atol: there is no name `xx`"),
    (dict(until=1, atol={"x_dot": 1e-9, "ẋ": 1e-9}), TypeError, "atol: `ẋ` is given twice: `x_dot` is the same"),
    (dict(until=1, atol={"k": 1e-9}), ValueError, "atol: `k` is no coordinate and no speed"),
    (dict(until=1, atol={"x": 0}), eom.StartError, "absolute tolerance"),
    (dict(tmax=1), eom.UnknownNameError, "options: until, scenario"),
]


@pytest.mark.parametrize("keywords, kind, message", WRONG)
def test_a_run_that_cannot_be_is_told(pushed, keywords, kind, message):
    with pytest.raises(kind) as caught:
        pushed.run(**keywords)
    assert message in str(caught.value)


def test_tolerances_by_name_are_those_of_a_list(pushed):
    run = dict(x=1, until=5, method="DOP853", rtol=1e-6)
    named, listed = (pushed.run(atol=atol, **run) for atol in ({"ẋ": 1e-3, "x": 1e-9}, [1e-9, 1e-3]))
    other = pushed.run(atol=[1e-3, 1e-9], **run)
    assert np.array_equal(named.y, listed.y) and named.y.shape != other.y.shape


def test_a_start_that_penetrates(ball):
    with pytest.raises(eom.StartError, match="start outside of the contact"):
        ball.run(y=-1)


def test_a_first_row_that_is_zero_is_told():
    bead = eom.system("""system Bead {
        coordinates { x, y }
        kinetic = ẋ^2/2 + ẏ^2/2;
        holonomic { curve: x^2 - y^3 = 0; }
    }""")
    with pytest.raises(eom.StartError, match="the constraints are dependent at the start, t = 0: `curve` = 0"):
        bead.run(until=1)


def interrupt_soon():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()


@pytest.mark.thread_unsafe
def test_ctrl_c_keeps_what_is_done(pendulum):
    interrupt_soon()
    began = time.monotonic()
    with pytest.raises(eom.Interrupted, match="interrupted at t = ") as caught:
        pendulum.run(until=1e9)
    assert time.monotonic() - began < 5
    r = caught.value.result
    assert (r.end.kind, r.success) == ("Interrupted", False)
    assert r.t[-1] > 1 and len(r.t) > 100
    assert r.contact_forces["t"][-1] == r.end.t == r.t[-1]
    assert np.isclose(r.ledger.end, r["energy"][-1])
    assert (pickle.loads(pickle.dumps(r)).y == r.y).all()
    assert isinstance(caught.value, KeyboardInterrupt)


def test_threads_run_at_once(pendulum):
    expected = pendulum.run(until=20).y
    found = [None] * 4
    def work(i):
        found[i] = pendulum.run(until=20).y
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((y == expected).all() for y in found)


@pytest.mark.parametrize("part, value", [(0, {"t": 0, "q": [], "v": [0]}), (1, [1, 2]), (2, {"steps_max": 0})])
def test_a_start_beside_a_saved_run_is_checked(ball, part, value):
    make, (kind, system, values, saved) = ball.run().__reduce__()
    parts = json.loads(saved)
    parts[part] = value
    with pytest.raises(ValueError, match="no saved run"):
        make(kind, system, values, json.dumps(parts).encode())


SPRING = "system Spring { coordinates { x } parameters { m = 2 } kinetic = m*ẋ^2/2; potential = m*x^2/2; }"


def test_numbers_of_the_motion_in_expressions():
    r = eom.system(SPRING).run(until=1, x=1)
    assert np.allclose(r["2*energy"], 2, rtol=1e-13) and np.allclose(r["energy/m"], 0.5, rtol=1e-13)
    # p = m ẋ = −m sin t
    assert np.allclose(r["momentum(x)/m + 2e0*sin(t)"], np.sin(r.t), atol=1e-12)
    assert np.allclose(r["ẋ^2 + kinetic*0"], np.sin(r.t) ** 2, atol=1e-12)
    assert "2*energy" in r and "x" in r and "zz" not in r and 3 not in r


def test_what_is_declared_stands_beside_numbers_of_the_motion():
    text = '''system Slide {
        coordinates { x, θ } inputs { F } parameters { m = 2 }
        let X = x + sin(θ);
        kinetic = m/2*(ẋ^2 + θ̇^2); potential = x^2 - cos(θ); force x = F;
        contact wall { gap = 2 - x; impact = elastic; }
        output height = x^2;
    }'''
    r = eom.system(text).run(until=3, x=1, θ=0.5, θ_dot=1, F=0.25)
    (x, θ), (ẋ, θ̇) = r.q, r.v
    X, E = x + np.sin(θ), ẋ**2 + θ̇**2 + x**2 - np.cos(θ)
    for named, there in [
        ("X*energy", X * E), ("Ẋ/kinetic", (ẋ + np.cos(θ) * θ̇) / (ẋ**2 + θ̇**2)), ("X_dot + gap(wall)", ẋ + np.cos(θ) * θ̇ + 2 - x),
        ("height - m*X^2", x**2 - 2 * X**2), ("F*potential", 0.25 * (x**2 - np.cos(θ))), ("pi*energy", np.pi * E),
    ]:
        assert np.allclose(r[named], there, rtol=1e-12, atol=1e-12), named


@pytest.mark.parametrize("text, said", [
    ("x +", "expected an expression"),
    ("1/0", "divides by zero"),
    ("log(x)", "write `ln"),
    ("energy(2)", "`energy` is not a function"),
    ("zz*energy", "`zz` is not declared"),
    ("zz", "there is no number of the motion `zz`"),
])
def test_what_is_wrong_with_an_expression_is_told(text, said):
    r = eom.system(SPRING).run(until=1, x=1)
    with pytest.raises(eom.UnknownNameError) as told:
        r[text]
    assert said in str(told.value)


def test_a_run_is_no_list_and_its_arrays_are_its_own(ball):
    r = ball.run()
    with pytest.raises(TypeError, match="is no list"):
        list(r)
    with pytest.raises(TypeError, match="is no array"):
        np.array(r)
    for array in (r.t, r.y, r.q, r.events[0].q_after, r.contact_forces["floor"]):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 99


def test_the_solution_at_the_end_is_the_end(ball):
    # The end is the third impact: ẏ from −v to e v.
    for r in (ball.run(), ball.run(t_eval=[0.0, 0.1])):
        end = r.end.t
        assert r.sol(end)[1] > 0 and r.sol([0.05, end])[1, 1] == r.sol(end)[1]
        assert (ball.run(t_eval=[0.05, end]).y[:, -1] == r.sol(end)).all()
    assert (ball.run().sol(ball.run().t[-1]) == ball.run().y[:, -1]).all()


def test_what_scipy_has_of_events(ball):
    r = ball.run(until=0.5)
    theirs = solve_ivp(ball.rhs, (0, 0.5), [1, 0], events=[*ball.contacts], rtol=1e-11, atol=1e-12)
    assert r.t_events[0] == pytest.approx(theirs.t_events[0], abs=1e-9) and len(r.t_events) == 1
    assert r.y_events[0] == pytest.approx(theirs.y_events[0], abs=1e-8)
    assert r.nfev == r.stats["evaluations"] and (r.njev, r.nlu) == (0, 0)


@pytest.mark.parametrize("keywords, kind, said", [
    ({"y0": [1, 0]}, eom.UnknownNameError, "q0="),
    ({"t_span": (0, 1)}, eom.UnknownNameError, "t0= and until="),
    ({"until": (0, 1)}, TypeError, "until is the time of the end"),
    ({"until": np.complex128(1 + 2j)}, TypeError, "`until` must be real"),
    ({"y": np.complex128(1 + 2j)}, TypeError, "`y` must be a number"),
    ({"y": np.complex64(1 + 2j)}, TypeError, "`y` must be a number"),
    ({"t_eval": np.ma.array([0.0, 0.1], mask=[0, 1])}, ValueError, "`t_eval` has masked entries"),
    ({"t_eval": [[0.0, 0.1]]}, ValueError, "t_eval must be a list of times"),
    ({"start": 0.3}, TypeError, "values="),
])
def test_what_is_written_as_elsewhere_is_told(ball, keywords, kind, said):
    with pytest.raises(kind) as told:
        ball.run(**keywords)
    assert said in str(told.value)


def test_times_that_are_none_are_told(ball):
    r = ball.run()
    for times, kind, said in [
        (np.ma.array([0.0, 0.1], mask=[0, 1]), ValueError, "masked"),
        ([[0, 0.1], [0.1, 0.2]], ValueError, r"shape \(2, 2\)"),
        (np.array([0.1 + 3j]), TypeError, "must be numbers"),
    ]:
        with pytest.raises(kind, match=said):
            r.sol(times)


def test_numbers_with_names_are_taken_by_them(pendulum):
    from collections import UserDict
    from types import MappingProxyType

    import pandas

    q0 = {"θ2": 0.5, "theta1": 0.1}
    expected = pendulum.run(0.1, q0=[0.1, 0.5], v0=[0, 0]).y
    for given in (q0, UserDict(q0), MappingProxyType(q0), pandas.Series(q0)):
        assert (pendulum.run(0.1, q0=given, v0=pandas.Series([0.0, 0.0])).y == expected).all()
    with pytest.raises(TypeError, match="`θ1` is given twice: `theta1` is the same"):
        pendulum.run(0.1, q0={"theta1": 1, "θ1": 2})


def test_values_are_given_one_after_another():
    text = "system Two { coordinates { x } parameters { a, b } kinetic = a*ẋ^2/2; potential = b*x; }"
    half = eom.system(text).with_parameters(a=2)
    with pytest.raises(eom.StartError, match="`b`"):
        half.run(until=1)
    with pytest.raises(eom.StartError, match="`b`"):
        half.accelerations(0, [0], [0])
    # ẍ = −b/a
    assert half.with_parameters(b=3).accelerations(0, [0], [0])[0] == -1.5


def test_a_figure_follows_what_turns_often():
    r = eom.system(SPRING).run(until=5000, x=1)
    (line,) = r.plot("x").get_lines()
    x = line.get_ydata()
    # Each of 795 turns from −1 to 1; cos(π/16) = 0.98 at worst.
    turns = x[1:-1][(x[2:] - x[1:-1]) * (x[1:-1] - x[:-2]) < 0]
    assert len(turns) == 5000 // np.pi and abs(turns).min() > 0.97
