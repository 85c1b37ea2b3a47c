"""Sweeps, beside single runs and the command."""

import csv
import os
import signal
import threading
import time

import numpy as np
import pandas
import pytest

import eom
from conftest import BALL


def test_a_grid(ball):
    table = ball.sweep({"e": [0.2, 0.5], "y": [1, 2, 3]}, impacts=2)
    assert table.count == 6
    assert table["e"].tolist() == [0.2] * 3 + [0.5] * 3 and table["y"].tolist() == [1, 2, 3] * 2
    assert table["ended"] == ["complete"] * 6 and table["impacts"].tolist() == [2] * 6
    for i in range(6):
        one = ball.run(e=table["e"][i], y=table["y"][i], impacts=2)
        assert (table["t_end"][i], table["y_dot_end"][i]) == (one.end.t, one.v[0, -1])
        assert table["reason"][i] == one.message and table["energy"][i] == one["energy"][-1]
        assert (table.run(i).y == one.y).all()


def test_a_table_of_arrow_is_swept_by_rows(ball):
    pyarrow = pytest.importorskip("pyarrow")
    rows = {"e": [0.2, 0.5], "y": [1, 3]}
    swept, listed = ball.sweep(pyarrow.table(rows), impacts=2), ball.sweep(pandas.DataFrame(rows), impacts=2)
    assert swept.count == 2 and all(np.array_equal(swept[name], listed[name]) for name in swept)
    # A ball from y meets the floor after √(2y/g), and again 2e of that later.
    assert np.allclose(swept["t_end"], np.sqrt(2 * np.array(rows["y"]) / 9.81) * (1 + 2 * np.array(rows["e"])), rtol=1e-14)


def test_rows_and_the_number_of_threads(ball):
    rows = eom.random(50, 3, e=(0.1, 0.9), y_dot=lambda rng, n: rng.normal(0, 2, n))
    assert rows == eom.random(50, 3, e=(0.1, 0.9), y_dot=lambda rng, n: rng.normal(0, 2, n))
    tables = [ball.sweep(rows, impacts=5, outcomes=["gap(floor)", "kinetic"], jobs=jobs)
              for jobs in (1, 7, 2**61, 2**70)]
    assert "kinetic" in ball.sweep(rows, impacts=5, outcomes="kinetic")
    for name, column in tables[0].items():
        assert all(np.array_equal(column, table[name]) for table in tables), name
    assert np.allclose(tables[0]["kinetic"], tables[0]["y_dot_end"] ** 2 / 2)
    assert {"gap(floor)", "kinetic"} <= set(tables[0])


def test_outcomes_that_are_written(pendulum):
    table = pendulum.sweep({"m1": [1, 2], "θ1": [1, 2]}, until=1, outcomes=["x2", "m1*θ1_dot", "sin(θ2)"])
    assert np.array_equal(table["m1*θ1_dot"], table["m1"] * table["theta1_dot_end"])
    for i in range(4):
        one = table.run(i)
        assert all(table[name][i] == one[name][-1] for name in ("x2", "sin(θ2)"))


def test_a_data_frame(ball):
    class Frame:
        columns = ["e", "y"]

        def to_numpy(self):
            return [[0.5, 1], [0.25, 2]]

    table = ball.sweep(Frame())
    assert table["e"].tolist() == [0.5, 0.25] and table["y"].tolist() == [1, 2]


def test_a_run_that_is_refused_takes_nothing_from_the_others(ball):
    table = ball.sweep({"m": [1, -1, 2]}, until=0.3)
    assert table["ended"] == ["complete", "refused", "complete"]
    assert "violates its bound m > 0" in table["reason"][1] and np.isnan(table["y_end"][1])
    assert "2 complete, 1 refused" in repr(table)
    # It has no number of impacts, as in the files of a sweep.
    falls = np.array([0, np.nan, 0])
    assert all(np.array_equal(table[name], falls, equal_nan=True) for name in ("impacts", "events"))
    early = ball.sweep({"y": [1]}, until=3, max_steps=2)
    assert early["ended"] == ["early"]


def test_the_table_is_that_of_the_command(command, tmp_path):
    path, out = tmp_path / "ball.eom", tmp_path / "runs.csv"
    path.write_text(BALL, encoding="utf-8")
    command("run", str(path), "--sweep", "e=0.2,0.5", "--sweep", "y=1,2", "--table", str(out))
    rows = [row for row in csv.DictReader(out.open(encoding="utf-8"))]
    table = eom.load(path).sweep({"e": [0.2, 0.5], "y": [1, 2]})
    assert list(rows[0]) == ["run", *table]
    for i, row in enumerate(rows):
        for name, column in table.items():
            assert row[name] == column[i] if isinstance(column, list) else float(row[name]) == column[i], name


class Bar:
    """The protocol of tqdm."""

    def __init__(self, total):
        self.total, self.done, self.closed = total, 0, False

    def update(self, n):
        self.done += n

    def close(self):
        self.closed = True


def test_progress(ball):
    bars = []

    def bar(total):
        bars.append(Bar(total))
        return bars[-1]
    ball.sweep({"e": np.linspace(0.1, 0.9, 40)}, progress=bar)
    assert [(bar.total, bar.done, bar.closed) for bar in bars] == [(40, 40, True)]


def test_a_bar_that_fails_stops_the_sweep(ball):
    class Broken(Bar):
        def update(self, n):
            raise RuntimeError("no bar")

    with pytest.raises(RuntimeError, match="no bar"):
        ball.sweep({"e": [0.1, 0.2]}, progress=Broken)


@pytest.mark.thread_unsafe
def test_ctrl_c_keeps_what_is_done(pendulum):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(eom.Interrupted, match="of 100000 runs") as caught:
        pendulum.sweep({"θ1": np.linspace(0, 3, 100_000)}, until=20)
    assert time.monotonic() - began < 10
    table = caught.value.result
    done = [i for i, word in enumerate(table["ended"]) if word == "complete"]
    assert 0 < len(done) < 100_000 and table["ended"].count("missing") == 100_000 - len(done)
    one = pendulum.run(until=20, θ1=table["theta1"][done[0]])
    assert table["theta2_end"][done[0]] == one["θ2"][-1]


@pytest.mark.thread_unsafe
def test_a_second_ctrl_c_costs_nothing(pendulum):
    seen = []

    def again(*_):
        seen.append(True)
        if len(seen) == 1:
            # While the threads end: they are many.
            threading.Timer(1e-3, os.kill, (os.getpid(), signal.SIGINT)).start()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, again)
    try:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(eom.Interrupted) as caught:
            pendulum.sweep({"θ1": np.linspace(0, 3, 100_000)}, until=20, jobs=40)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(seen) == 2 and "complete" in caught.value.result["ended"]


WRONG = [
    (dict(over={"q": [1]}), eom.UnknownNameError, "there is no name `q`"),
    (dict(over=[]), ValueError, "there is no run to make"),
    (dict(over={"e": []}), ValueError, "there is no run to make: `e` has no values"),
    (dict(over=None), TypeError, "over: give lists by name, rows or a table; it is None"),
    (dict(over={1: [2]}), TypeError, "names are texts; 1 is none"),
    (dict(over=[1, 2]), TypeError, "run 0 must be a dictionary of values by name; it is 1"),
    (dict(over=[{"e": 1}, {"y": 1}]), ValueError, "run 1 sets y, run 0 sets e"),
    (dict(over={"e": ["high"]}), TypeError, "`e` must be numbers; it is ['high']"),
    (dict(over={"e": ["0.5"]}), TypeError, "`e` must be numbers; it is ['0.5']"),
    (dict(over={"e": [0.5, "1"]}), TypeError, "`e` must be numbers"),
    (dict(over={"e": np.array([0.5 + 1j])}), TypeError, "`e` must be numbers"),
    (dict(over={"e": np.array(["2020-01-01"], dtype="M8[D]")}), TypeError, "`e` must be numbers"),
    (dict(over={"e": [10**400]}), TypeError, "`e` must be numbers"),
    (dict(over={"e": np.ma.masked_array([0.5, 1], [False, True])}), ValueError, "`e` has masked entries"),
    (dict(over={"y_dot": [1], "ẏ": [2]}), TypeError, "`ẏ` is given twice: `y_dot` is the same"),
    (dict(over={"y_dot": [1]}, **{"ẏ": 2}), TypeError, "`y_dot` is given twice: `ẏ` is the same"),
    (dict(over=pandas.DataFrame({"e": [0.5], "g": ["high"]})), TypeError, "`g` must be numbers; it is"),
    (dict(over=pandas.DataFrame()), ValueError, "there is no run to make: the table has no columns"),
    (dict(over=pandas.DataFrame({"e": []})), ValueError, "there is no run to make: the table has no rows"),
    (dict(over=[{"e": 1}, {}]), ValueError, "run 1 sets nothing, run 0 sets e"),
    (dict(over={"e": [0.1]}, jobs=0), ValueError, "jobs is the number of threads, 1 or more, not 0"),
    (dict(over={"e": [0.1]}, jobs=-1), ValueError, "jobs is the number of threads, 1 or more, not -1"),
    (dict(over=[{"e": None}, {"e": 1}]), ValueError, "e = NaN in rows[0]"),
    (dict(over={"e": [0.1, float("nan")]}), ValueError, "e = NaN in rows[1]"),
    (dict(over={"e": [[1]]}), ValueError, "a list of values for each name"),
    (dict(over={"e": [0.1]}, e=0.2), TypeError, "`e` is swept and set"),
    (dict(over={"e": [0.1]}, outcomes=["hight"]), eom.UnknownNameError, "there is no number of the motion `hight`"),
    (dict(over={"e": [0.1]}, outcomes=None), TypeError, "outcomes: give a name, or a list of names; None is none"),
    (dict(over={"e": [0.1]}, method="euler"), ValueError, "there is no method `euler`"),
]


@pytest.mark.parametrize("keywords, kind, message", WRONG)
def test_what_cannot_be_swept_is_told(ball, keywords, kind, message):
    with pytest.raises(kind) as caught:
        ball.sweep(**keywords)
    assert message in str(caught.value)


RANDOM = [
    (-1, dict(e=(0, 1)), "n is the number of rows, not -1"),
    (3, dict(e=(1, 0)), "`e`: give bounds (low, high) that rise"),
    (3, dict(e=0.5), "a function of the generator and n; it is 0.5"),
    (3, dict(e=(0, float("nan"))), "`e`: give bounds"),
    (3, dict(e=lambda rng, n: [1]), "`e` is to be 3 numbers"),
]


@pytest.mark.parametrize("n, of, message", RANDOM)
def test_what_cannot_be_drawn_is_told(n, of, message):
    with pytest.raises(ValueError) as caught:
        eom.random(n, 1, **of)
    assert message in str(caught.value)


CROWDED = """system Crowded {
    coordinates { x }
    parameters { energy = 1, impacts = 1, steps = 1, ended = 1, x_end = 1, g = 9.81 }
    allow unused_parameter(impacts), unused_parameter(steps), unused_parameter(ended), unused_parameter(x_end);
    kinetic = ẋ^2/2; potential = energy*g*x;
    scenario fall { x = 1; until t = 0.25; }
}"""


@pytest.mark.parametrize("name", ["energy", "impacts", "steps", "ended", "x_end"])
def test_what_is_set_is_not_what_comes(name):
    crowded = eom.system(CROWDED)
    table = crowded.sweep({name: [1.5, 2.5]}, outcomes=["x"])
    assert table[f"{name}_"].tolist() == [1.5, 2.5]
    assert table["ended"] == ["complete"] * 2 and table["impacts"].tolist() == [0, 0]
    for i, value in enumerate([1.5, 2.5]):
        # x = 1 − k g t²/2
        fallen = 1 - (value if name == "energy" else 1) * 9.81 * 0.25**2 / 2
        assert table["x_end"][i] == pytest.approx(fallen, abs=1e-13) and table.run(i).parameters[name] == value


@pytest.mark.parametrize("name, values", [("t", [0.05, 0.1]), ("x", [2.0, 3.0]), ("x_dot", [0.5, 1.0])])
def test_an_outcome_leaves_what_is_set(name, values):
    table = eom.system(CROWDED).sweep({name: values}, outcomes=[name])
    assert table[name].tolist() == values
    assert table[f"{name}_"].tolist() == table[f"{name}_end"].tolist() != values
    first = [table.run(i) for i in range(2)]
    assert [r.t[0] if name == "t" else r[name][0] for r in first] == values
    with pytest.raises(IndexError, match="there is no run 2: there are 2"):
        table.run(2)


def test_a_function_is_not_swept(tmp_path):
    hill = eom.system("""system Hill {
        coordinates { x } function f(x) = x^2/2;
        kinetic = ẋ^2/2; potential = f(x);
        scenario go { x = 1; until t = 2; }
    }""")
    for sweep in (
        lambda: hill.sweep({"f": [1, 5]}),
        lambda: hill.sweep([{"f": 1}, {"f": 5}]),
        lambda: hill.sweep({"f": [1, 5]}, out=tmp_path / "f"),
        lambda: hill.bifurcation("f", [1, 2], of="x", period=1.0),
    ):
        with pytest.raises(TypeError, match="`f` is a function: sweep a parameter that it depends on"):
            sweep()


def test_random_rows_are_as_many_as_are_asked_for():
    assert eom.random(3, 1) == [{}, {}, {}]
    with pytest.raises(ValueError, match="`a` is to be 3 numbers"):
        eom.random(3, 1, a=lambda rng, n: rng.normal(size=2), b=(0, 1))


def test_one_number_is_one_sweep_whatever_its_type(ball, tmp_path):
    of = {"e": [0.1, 0.2]}
    for until, m in [(1, 1), (1.0, np.float64(1)), (np.int64(1), 1.0)]:
        made = ball.sweep(of, until=until, values={"m": m}, out=tmp_path)
    assert made.complete
    with pytest.raises(ValueError, match="another sweep"):
        ball.sweep(of, until=1.5, values={"m": 1}, out=tmp_path)


def test_outcomes_of_numbers_of_the_motion(ball):
    table = ball.sweep({"m": [1, 3]}, until=0.25, outcomes="energy/m + 1")
    # Nothing is lost in free flight: g y = 9.81.
    assert np.allclose(table["energy/m + 1"], 10.81, rtol=1e-13)
