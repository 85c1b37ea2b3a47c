"""What a system says of itself."""

import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import eom
from conftest import BALL


def test_names(ball):
    assert [item.name for item in ball.coordinates] == ["y"]
    assert [item.doc for item in ball.coordinates] == ["Height, m."]
    assert [(item.name, item.ascii) for item in ball.velocities] == [("ẏ", "y_dot")]
    assert [(item.name, item.more) for item in ball.contacts] == [("floor", "restitution(e)")]
    assert [item.name for item in ball.scenarios] == ["drop"]
    assert (ball.name, ball.doc) == ("Ball", "A ball above a floor.")


def test_parameters(ball):
    assert dict(ball.parameters) == {"m": 1.0, "g": 9.81, "e": 0.5}
    assert ball.parameters.bounds == {"m": "m > 0"}
    assert ball.parameters.docs["m"] == "Mass, kg."
    heavy = ball.with_parameters(m=3)
    assert dict(heavy.parameters) == {"m": 3.0, "g": 9.81, "e": 0.5}
    assert ball.parameters["m"] == 1.0
    assert heavy.with_parameters({"g": 1}).parameters["m"] == 3.0
    with pytest.raises(eom.UnknownNameError, match="parameters: m, g, e"):
        ball.parameters["M"]


def test_a_default_follows_the_parameters_before_it():
    disc = eom.system(
        "system Disc { coordinates { φ } parameters { m = 2 where m > 0, J = m/2 where J > 0 } kinetic = J/2*φ̇^2; }"
    )
    assert disc.with_parameters(m=6).parameters["J"] == 3.0
    assert disc.with_parameters(m=6, J=1).parameters["J"] == 1.0


REFUSED = [
    ({"m": -1}, eom.StartError, "violates its bound m > 0"),
    ({"m": float("nan")}, ValueError, "`m` must be a finite number"),
    ({"m": "heavy"}, TypeError, "`m` must be a number; it is 'heavy'"),
    ({"mm": 1}, eom.UnknownNameError, "there is no name `mm`; did you mean `m`?\n  parameters: m, g, e"),
    ({"y": 1}, ValueError, "`y` is no parameter or function: give it to `run`"),
]


@pytest.mark.parametrize("values, kind, message", REFUSED)
def test_values_that_cannot_be(ball, values, kind, message):
    with pytest.raises(kind) as caught:
        ball.with_parameters(values)
    assert message in str(caught.value)


def test_a_function_is_given_as_a_formula():
    # a = −f'(f″v² + g)/(1 + f'²) with f = a x².
    bead = eom.system("""system Bead {
        coordinates { x }
        parameters { m = 1 where m > 0, g = 9.81, a = 1/2 }
        allow unused_parameter(a);
        function f(x);
        kinetic = m/2*(ẋ^2 + ḟ^2);
        potential = m*g*f;
    }""")
    x, v = 0.3, 0.7
    found = bead.with_parameters(f="a*x^2", a=2).accelerations(0, [x], [v])
    slope, bend = 4 * x, 4.0
    assert abs(found[0] + slope * (bend * v * v + 9.81) / (1 + slope**2)) < 1e-14
    with pytest.raises(ValueError, match="`y` is not declared"):
        bead.with_parameters(f="y^2")
    for given in (lambda x: x, 2):
        with pytest.raises(TypeError, match="`f` is a function: give a formula"):
            bead.run(until=1, f=given)
    with pytest.raises(eom.StartError, match='write f="'):
        bead.with_parameters(a=2).accelerations(0, [x], [v])


def test_equations(ball):
    assert "m*ÿ" in ball.equations.text
    assert r"\ddot{y}" in ball.equations.latex and r"\begin{align*}" in ball.equations._repr_latex_()
    assert "$$" in ball.equations._repr_markdown_()
    assert str(ball.equations) == ball.equations.text
    explicit = ball.equations.form("explicit").text
    assert "ÿ = -g" in explicit
    with pytest.raises(ValueError, match="did you mean `reduced`"):
        ball.equations.form("reducd")


def test_the_equations_are_those_of_the_command(command, tmp_path):
    path = tmp_path / "ball.eom"
    path.write_text(BALL, encoding="utf-8")
    ball = eom.load(path)
    assert command("derive", str(path)).rstrip() == ball.equations.text.rstrip()
    for form in ["multipliers", "explicit", "hamiltonian"]:
        assert command("derive", str(path), "--form", form).rstrip() == ball.equations.form(form).text.rstrip()


def test_claims():
    verdicts = {claim.verdict for claim in eom.models.penny().claims}
    assert "follows" in verdicts and verdicts <= {"follows", "erratum"}
    erratum = next(claim for name in eom.models.__all__ for claim in getattr(eom.models, name)().claims
                   if claim.verdict == "erratum")
    assert erratum.printed and erratum.corrected and erratum.printed != erratum.corrected


SWING = """
system Swing {
    coordinates { x }
    parameters { k = 4 where k > 0 }
    kinetic = ẋ^2/2;
    potential = k*x^2/2;
    scenario rest { until t = 1; }
    /// √k.
    claim eq3 of rest: im(eigenvalues[1]) = sqrt(k);
    claim soft of rest with k = 1: im(eigenvalues[1]) = 1.1;
    claim third of rest: eigenvalues[3] = 0;
}
"""


def test_claims_of_motions():
    so, false, none = eom.system(SWING, k=9).check()
    # The claim is of the declaration, whatever is set of a copy: √4.
    assert so[:5] == ("eq3", "3", "√k.", "holds", "of rest: im(eigenvalues[1]) = sqrt(k)")
    assert so[5:] == (pytest.approx(2.0, abs=1e-14), 0.0, 2.0, 2e-9, "")
    assert (false.verdict, false.found, false.claimed, false.within) == ("does not hold", pytest.approx(1.0), 1.1, 0.05)
    assert false.message == f"does not hold: it is {false.found:.16g}, claimed 1.1 within 5e-2"
    assert (none.verdict, none.found) == ("cannot be decided", None)
    assert none.message.startswith("cannot be decided: there are 2 eigenvalues")
    assert eom.models.penny().check() == []


def test_what_does_not_hold_is_told_as_by_the_command(command, tmp_path):
    path = tmp_path / "swing.eom"
    path.write_text(SWING, encoding="utf-8")
    told = subprocess.run([os.environ["EOM_COMMAND"], "check", str(path)], capture_output=True, text=True).stderr
    for one in eom.load(path).check()[1:]:
        assert f"error: claim `{one.name}` {one.message}" in told


def test_diagnosis():
    said = eom.system(BALL.replace("e = 0.5", "e = 0.5, k = 1")).warnings
    assert [(one.level, one.name) for one in said] == [("warning", "unused_parameter")]
    assert "k" in said[0].excerpt


def test_copies_are_the_same_system(ball):
    heavy = ball.with_parameters(m=3)
    for made in (pickle.loads(pickle.dumps(heavy)), copy.copy(heavy), copy.deepcopy(heavy)):
        assert dict(made.parameters) == dict(heavy.parameters)
        assert made.equations.text == heavy.equations.text
        assert (made.run().y == heavy.run().y).all()


def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="it is read where Linux tells it")
@pytest.mark.thread_unsafe
def test_what_is_read_again_takes_no_more_memory(ball):
    saved = pickle.dumps(ball.run())
    for make in (lambda: eom.system(BALL), lambda: pickle.loads(saved)):
        for _ in range(100):
            make()
        before = memory()
        for _ in range(500):
            make()
        # Its tables would be some kilobytes a time.
        assert memory() - before < 500 * 1000


def test_a_system_does_not_change(ball):
    for name in ("e", "parameters", "anything"):
        with pytest.raises(AttributeError, match=rf"with_parameters\({name}=1\)"):
            setattr(ball, name, 1)


def test_what_is_heavy_is_imported_when_it_is_asked_for():
    # A run is made before its first array is asked for: from the text to the motion nobody waits for NumPy.
    told = "print(sorted({'numpy', 'matplotlib', 'sympy', 'pyarrow', 'html'} & set(sys.modules)))"
    made = "eom.system('system S { coordinates { x } kinetic = x_dot^2/2; potential = x^2/2; }').run(until=1, q0=[1], v0=[0])"
    code = f"import eom, sys; {told}; {made}; {told}"
    found = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True).stdout
    assert found == "[]\n[]\n"


def test_a_numpy_that_cannot_be_loaded_is_told(ball):
    # As where it is not there, or Ctrl-C comes while it is loaded.
    code = """
import sys
sys.modules["numpy"] = None
import eom, pickle
system = eom.system("system S { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; scenario s { x = 1; until t = 1; } }")
saved = bytes.fromhex(sys.argv[1])
for ask in (
    lambda: system.run().t, lambda: system.run()["x"], lambda: system.stepper(), lambda: system.rhs(0, [1, 0]), lambda: system.energy(0, [1], [0]),
    lambda: system.mass_matrix(0, [1]), lambda: system.linear(x=0), lambda: system.sweep({"x": [1]}), lambda: pickle.loads(saved),
):
    try:
        ask()
    except ImportError:
        pass
    else:
        raise AssertionError
"""
    saved = pickle.dumps(ball.run(until=0.1, y=1)).hex()
    done = subprocess.run([sys.executable, "-I", "-c", code, saved], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_is_shown(ball):
    assert "y" in repr(ball) and "g = 9.81" in repr(ball)
    assert "floor" in ball._repr_html_()
    assert "where" not in repr(ball.parameters) and "m > 0" in repr(ball.parameters)


def test_states_with_names_are_taken_by_them(pendulum):
    import pandas
    import polars
    import pyarrow

    q, v = [[0.1, 0.5], [0.2, 0.7]], [[1.0, 2.0], [3.0, 4.0]]
    expected = pendulum.accelerations(0, q, v)
    columns = {"theta2": [0.5, 0.7], "θ1": [0.1, 0.2], "more": [9.0, 9.0]}
    for frame in (pandas.DataFrame, polars.DataFrame, pyarrow.table, pyarrow.RecordBatch.from_pydict):
        assert (pendulum.accelerations(0, frame(columns), frame({"θ1_dot": [1.0, 3.0], "θ2_dot": [2.0, 4.0]})) == expected).all()
    one = pandas.Series({"θ2": 0.5, "θ1": 0.1})
    assert (pendulum.accelerations(0, one, pandas.Series([1.0, 2.0])) == expected[0]).all()
    with pytest.raises(eom.UnknownNameError, match="q has no `θ1`"):
        pendulum.accelerations(0, pandas.DataFrame({"θ2": [0.5], "θ3": [0.1]}), [0, 0])
    with pytest.raises(ValueError, match="q has `θ2` twice: `θ2` and `theta2`"):
        pendulum.accelerations(0, pandas.DataFrame({"θ2": [0.5], "theta2": [0.1], "θ1": [0.2]}), [0, 0])


def test_where_there_are_no_accelerations_they_are_nan():
    slider = eom.system("system Slider { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; constraints { c: x*ẋ + y*ẏ = 0; } }")
    assert np.isnan(slider.accelerations(0, [0, 0], [0, 0])).all() and np.isnan(slider.multipliers(0, [0, 0], [0, 0])).all()
