"""What a motion means: linear systems, orbits, exponents, sensitivities, against closed forms and the command."""

import json
import os
import signal
import threading
import time

import numpy as np
import pytest

import eom

TABLE = """
system Table {
    coordinates { z }
    parameters { A = 0.0041, e = 0.8 }
    kinetic = ż^2/2;
    potential = 9.81*z;
    contact table { gap = z - A*sin(30*t); impact = restitution(e); }
    scenario bounce { t = 0.135; z = 0.0565; until t = 1; }
}
"""

SWING = """
system Swing {
    coordinates { θ }
    parameters { ω = 3, c = 0.2 }
    inputs { τ }
    kinetic = θ̇^2/2;
    potential = -ω^2*cos(θ);
    force θ = -c*θ̇ + τ;
    output height = -cos(θ);
    scenario hang { θ = 0; until t = 1; }
}
"""

WHEEL = """
system Rimless {
    coordinates { θ }
    parameters { α = pi/8, γ = 0.08 }
    kinetic = θ̇^2/2;
    potential = cos(θ);
    event heel { guard = θ - γ - α; rising; reset { θ = θ - 2*α; θ̇ = cos(2*α)*θ̇; } }
    scenario step { θ = 0.08 - 3.14159/8; θ̇ = 0.5; until t = 50; }
}
"""


@pytest.fixture(scope="module")
def swing():
    return eom.system(SWING)


@pytest.fixture(scope="module")
def wheel():
    return eom.system(WHEEL)


def test_linear_systems(swing):
    hanging = swing.linear()
    assert hanging.free == hanging.entries == ["θ", "θ̇"] and hanging.outputs == ["height"]
    assert np.allclose(hanging.A, [[0, 1], [-9, -0.2]], rtol=1e-14)
    assert hanging.B.tolist() == [[0], [1]] and hanging.C.tolist() == [[0, 0]] and hanging.D.tolist() == [[0]]
    assert np.allclose(hanging.eigenvalues, -0.1 + np.sqrt(9 - 0.01) * np.array([1j, -1j]), rtol=1e-13)
    product = hanging.A @ hanging.eigenvectors
    assert np.allclose(product, hanging.eigenvectors * hanging.eigenvalues, atol=1e-13)
    assert hanging.stable and hanging.found is None and hanging.u.tolist() == [0]
    assert swing.linear(c=0).stable is None
    assert swing.linear(free="θ_dot, θ".split(", ")).free == ["θ̇", "θ"]


def test_answers_are_shown(swing, wheel):
    shown = repr(swing.linear())
    assert shown == "<eom.Linear Swing: free θ, θ̇; eigenvalues -0.1+2.99833j, -0.1-2.99833j>"
    assert repr(swing.linear(find=True, θ=3, c=0)) == "<eom.Linear Swing: free θ, θ̇; eigenvalues 3, -3>"
    assert repr(wheel.orbit("heel")).endswith("multipliers 0.5>")


def test_steady_motions_are_found(swing):
    above = swing.linear(find=True, θ=3)
    assert np.isclose(above.q[0], np.pi, rtol=1e-14) and above.stable is False
    assert above.found[0] > 0 and above.found[1] < 1e-12
    held = swing.linear(find=True, hold="θ", trim="τ", θ=0.5)
    assert held.q[0] == 0.5 and np.isclose(held.u[0], 9 * np.sin(0.5), rtol=1e-14)


def test_orbits(wheel):
    # McGeer: the multiplier is cos²2α, and θ̇² on the section that of the energy between two steps.
    orbit = wheel.orbit("heel")
    c, α, γ = np.cos(np.pi / 4), np.pi / 8, 0.08
    assert np.allclose(orbit.multipliers, [c**2], rtol=1e-9) and orbit.stable
    gained = 2 * (np.cos(γ - α) - np.cos(γ + α))
    assert np.isclose(orbit.v[0] ** 2, c**2 * gained / (1 - c**2), rtol=1e-10)
    assert np.isclose(wheel.orbit("heel", returns=2).multipliers[0], c**4, rtol=1e-8)


def test_exponents():
    falls = eom.system("system Falls { coordinates { x } kinetic = ẋ^2/2; potential = -2*x^2; }")
    found = falls.lyapunov(span=0.25, spans=40, transient=40, x=1e-9)
    assert np.allclose([one.value for one in found], [2, -2], atol=1e-6)
    assert all(one.error < 1e-6 for one in found)
    assert len(falls.lyapunov(count=1, span=0.25, spans=4, transient=4, x=1e-9)) == 1


def test_sensitivities_through_an_impact(ball):
    # It falls by 1 in t₁ and is at e g t₁ s − g s²/2 after s more.
    t, g, e = 0.7, 9.81, 0.5
    fall = np.sqrt(2 / g)
    s = t - fall
    found = ball.sensitivity(until=t)
    assert found.count == 1 and found.names == ["m", "g", "e"] and found.entries == ["y", "ẏ"]
    assert np.allclose(found["e"], [g * fall * s, g * fall], rtol=1e-10)
    # t₁ = √(2h/g): ∂/∂h of the same.
    by_height = 1 / (g * fall)
    height = e * g * (s - fall) * by_height + g * s * by_height
    assert np.isclose(found["y"][0], height, rtol=1e-10)
    assert found.by_start.shape == (2, 2) and found.by_names.shape == (2, 3)
    for name, row in [("y", 0), ("ẏ", 1)]:
        back = ball.gradient(name, until=t)
        assert np.allclose(back.by_start, found.by_start[row], rtol=1e-9, atol=1e-9)
        assert np.allclose(back.by_names, found.by_names[row], rtol=1e-9, atol=1e-9)
    both = ball.gradient({"y": 2, "y_dot": 1}, until=t)
    assert np.isclose(both["e"], 2 * found["e"][0] + found["e"][1], rtol=1e-9)
    assert np.isclose(both.value, 2 * found.q[0] + found.v[0], rtol=1e-12)
    assert np.allclose(ball.gradient([2, 1], until=t).by_start, both.by_start, rtol=1e-15)


def test_sensitivities_of_the_second_impact(ball):
    # At √(2h/g) (1 + 2e), with e² √(2gh) behind it.
    g, e = 9.81, 0.5
    found = ball.sensitivity(impacts=2)
    fall = np.sqrt(2 / g)
    assert np.isclose(found.t, fall * (1 + 2 * e), rtol=1e-12) and found.count == 2
    assert np.allclose(found.time_by_names, [0, -fall / (2 * g) * (1 + 2 * e), 2 * fall], rtol=1e-9, atol=1e-12)
    assert np.isclose(found.time_by_start[0], (1 + 2 * e) / (g * fall), rtol=1e-9)
    assert np.allclose(found["e"], [0, 2 * e * g * fall], rtol=1e-9, atol=1e-10)
    back = ball.gradient("y_dot", impacts=2)
    assert np.allclose(back.by_names, found.by_names[1], rtol=1e-12) and back["e"] == found["e"][1]
    assert ball.sensitivity(until=0.7).time_by_start is None


def test_answers_are_those_of_the_command(swing, wheel, ball, command, tmp_path):
    def asked(system, *arguments):
        path = tmp_path / "system.eom"
        path.write_text(system.source)
        return json.loads(command("analyse", str(path), *arguments, "--format", "json"))

    def pairs(values):
        return [{"re": value.real, "im": value.imag} for value in values]

    said, found = asked(swing, "linear", "--find", "--set", "theta=3"), swing.linear(find=True, θ=3)
    assert said["a"] == found.A.tolist() and said["b"] == found.B.tolist()
    assert [mode["value"] for mode in said["modes"]] == pairs(found.eigenvalues)
    assert list(said["state"]["q"].values()) == found.q.tolist()
    said, found = asked(wheel, "orbit", "--section", "heel"), wheel.orbit("heel")
    assert said["period"] == found.period and said["multipliers"] == pairs(found.multipliers)
    assert said["uncertainties"] == found.uncertainties.tolist() and max(found.uncertainties) < 1e-9
    said, found = asked(ball, "sensitivity", "--until", "0.7"), ball.sensitivity(until=0.7)
    assert said["by_start"] == found.by_start.tolist() and said["by_names"] == found.by_names.tolist()
    said = asked(swing, "lyapunov", "--spans", "20", "--transient", "5", "--set", "theta=1")
    found = swing.lyapunov(spans=20, transient=5, θ=1)
    assert [tuple(one.values()) for one in said["exponents"]] == found


def test_what_is_conserved(command, tmp_path):
    top = eom.models.heavy_top()
    path = tmp_path / "system.eom"
    path.write_text(top.source)
    assert command("analyse", str(path), "conserved").rstrip() == top.equations.form("conserved").text.rstrip()


@pytest.mark.parametrize(
    ("ask", "error", "said"),
    [
        (lambda s: s.linear(θ=1), eom.AnalysisError, "find=True looks"),
        (lambda s: s.linear(free=["x"]), eom.UnknownNameError, "no entry `x`"),
        (lambda s: s.linear(thta=1), eom.UnknownNameError, "θ"),
        (lambda s: s.linear(until=1), TypeError, "that of a state"),
        (lambda s: s.lyapunov(until=1), TypeError, "`spans` times `span`"),
        (lambda s: s.orbit(θ=1), ValueError, "`section`"),
        (lambda s: s.orbit("heel"), eom.UnknownNameError, "there is no contact or event `heel`"),
        (lambda s: s.orbit(period=-1), ValueError, "above 0"),
        (lambda s: s.orbit(period=1, returns=0), ValueError, "once at least"),
        (lambda s: s.lyapunov(spans=0), ValueError, "the least"),
        (lambda s: s.lyapunov(span=np.nan), ValueError, "above 0"),
        (lambda s: s.gradient("x"), eom.UnknownNameError, "there are: θ, θ̇"),
        (lambda s: s.gradient([1, 2, 3]), ValueError, "2 weights"),
        (lambda s: s.sensitivity()["x"], eom.UnknownNameError, "names: θ, θ̇, τ, ω, c"),
        (lambda s: s.sensitivity(until=np.inf), ValueError, "time of the end inf"),
        (lambda s: s.sensitivity(until=1, every=1), TypeError, "`every` is of a run"),
        (lambda s: s.gradient("θ", until=1, events="zer"), eom.UnknownNameError, "has no events"),
        (lambda s: s.orbit(period=1, t_eval=[0, 1]), TypeError, "`t_eval` is of a run"),
        (lambda s: s.linear(impacts=1), TypeError, "that of a state"),
        (lambda s: s.linear(hold=None), TypeError, "hold: give a name, or a list of names; None is none"),
        (lambda s: s.linear(free=["θ", 1]), TypeError, "free: give a name, or a list of names; 1 is none"),
        (lambda s: s.orbit(period=1, returns=-1), ValueError, "returns must be 1 or more; it is -1"),
        (lambda s: s.lyapunov(count=-1), ValueError, "count must be 1 or more; it is -1"),
        (lambda s: s.lyapunov(spans=None), TypeError, "spans must be a whole number; it is None"),
        (lambda s: s.lyapunov(transient=-1), ValueError, "transient must be 0 or more; it is -1"),
        (lambda s: s.gradient([1j, 0], until=1), TypeError, "`of` must be numbers"),
        (lambda s: s.bifurcation("c", [1j], "θ", period=1, until=1), TypeError, "`values` must be numbers"),
        (lambda s: s.bifurcation("c", [1, 2], "θ", period=[1, 2, 3], until=1), ValueError, "one for each of 2 values"),
        (lambda s: s.bifurcation("c", [1], [0], period=1, until=1), TypeError, "of: give a name, or a list of names; 0 is none"),
        (lambda s: s.bifurcation("c", [1], "θ", period=1, until=1, last=None), TypeError, "last must be a whole number"),
        (lambda s: s.bifurcation("c", [1], "θ", period=1, until=9).points("x"), eom.UnknownNameError, "numbers: θ"),
    ],
)
def test_questions_without_an_answer(swing, ask, error, said):
    with pytest.raises(error, match=said.replace(".", r"\.")):
        ask(swing)


def test_bifurcations_are_those_of_the_command(command, tmp_path):
    # g/ω² √((π(1−e)/(1+e))² + (2(1+e²)/(1+e)²)²) = 0.0116721, where the period of the ball doubles.
    e, ω, g = 0.8, 30, 9.81
    first, second = np.pi * (1 - e) / (1 + e), 2 * (1 + e**2) / (1 + e) ** 2
    threshold = g / ω**2 * np.hypot(first, second)
    values = [float(0.99 * threshold), float(1.01 * threshold)]
    ball = eom.system(TABLE)
    found = ball.bifurcation("A", values, ["z_dot+", "z"], "table", last=10, impacts=2000)
    assert (found.repeats_after, found.reasons, found.carried) == ([1, 2], [None] * 2, [None] * 2)
    assert np.allclose(found.returns[0][:, 0], g * np.pi / ω, rtol=1e-9)
    path = tmp_path / "table.eom"
    path.write_text(TABLE)
    asked = f"--sweep A={values[0]!r},{values[1]!r} --section table --of z_dot+ --of z --last 10 --impacts 2000"
    said = json.loads(command("analyse", str(path), "bifurcation", *asked.split(), "--format", "json"))
    told = [row["returns"] for row in said["passes"][0]["rows"]]
    assert [returns.tolist() for returns in found.returns] == told
    both = ball.bifurcation("A", [0.0115, 0.012, 0.0125], "z", period=2 * np.pi / ω, carry="both", until=80)
    assert both.carried == ["up"] * 3 + ["down"] * 3
    assert both.values.tolist() == [0.0115, 0.012, 0.0125, 0.0125, 0.012, 0.0115]
    assert both.anew == [True, False, False] * 2
    assert both.points(carried="down")[0].shape == (90,)
    rest = ball.bifurcation("A", [0.0], "z", "table", impacts=900)
    assert "at rest" in rest.reasons[0] and rest.points()[0].shape == (0,)


def test_returns_of_what_is_written():
    ball = eom.system(TABLE)
    found = ball.bifurcation("A", [0.0115], ["2*z_dot+", "z_dot+", "z - A*sin(30*t)"], "table", last=5, impacts=500)
    assert np.array_equal(found.returns[0][:, 0], 2 * found.returns[0][:, 1])
    assert np.allclose(found.returns[0][:, 2], 0, atol=1e-12)
    assert found.points("z_dot+")[1].tolist() == found.points(1)[1].tolist() == found.returns[0][:, 1].tolist()


LONG = [
    lambda s: s.bifurcation("A", [0.004, 0.005], "z", "table", impacts=10**6, max_events=10**9),
    lambda s: s.lyapunov(spans=10**8),
    lambda s: s.orbit(period=2 * np.pi / 30, returns=10**8),
    lambda s: s.sensitivity(until=1e7),
    lambda s: s.gradient("z", until=1e7),
]


@pytest.mark.thread_unsafe
@pytest.mark.parametrize("ask", LONG)
def test_ctrl_c_stops_an_analysis(ask):
    ball = eom.system(TABLE)
    began = time.monotonic()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        ask(ball)
    assert time.monotonic() - began < 10


def test_what_is_of_a_search_is_refused_without_one(pendulum):
    for keyword in ({"hold": "zz"}, {"trim": "zz"}):
        with pytest.raises(ValueError, match="find=True"):
            pendulum.linear(q0=[0, 0], **keyword)


def test_a_diagram_of_runs_without_an_end_is_refused(ball):
    endless = eom.system("system Endless { coordinates { x } parameters { k = 1 } kinetic = ẋ^2/2; potential = k*x^2/2; }")
    with pytest.raises(ValueError, match="nothing ends the runs: give until"):
        endless.bifurcation("k", [1, 2], of="x", period=1.0)
