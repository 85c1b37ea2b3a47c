"""What SciPy's integrators take: Jacobians beside difference quotients and closed forms, contacts and events."""

import pickle

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import eom
from conftest import ROOT

ROD = """system Rod {
    coordinates { x, y }
    parameters { m = 2 where m > 0, g = 9.81, l = 1.5 where l > 0, c = 0.3 }
    kinetic = m/2*(ẋ^2 + ẏ^2);
    potential = m*g*y;
    dissipation = c/2*ẋ^2 + 0.1*norm([ẋ, ẏ]);
    holonomic { rod: x^2 + y^2 = l^2; }
}"""

TOP = """system Top {
    rotation R { body: ω_1, ω_2, ω_3 }
    parameters { A = 1 where A > 0, C = 2 where C > 0 }
    inputs { T }
    kinetic = 1/2*(A*ω_1^2 + A*ω_2^2 + C*ω_3^2);
    potential = 3*R[3,3]*sin(t);
    force ω_3 = T;
}"""

CHAIN = """system Chain {
    coordinates { θ[1..=6] }
    let X[i in 1..=6] = sum(sin(θ[j]), j in 1..=i);
    let Y[i in 1..=6] = -sum(cos(θ[j]), j in 1..=i);
    kinetic = sum((Ẋ[i]^2 + Ẏ[i]^2)/2, i in 1..=6);
    potential = 9.81*sum(Y[i], i in 1..=6);
}"""


def quotients(f, y, h=1e-4):
    """∂f/∂y by differences of order four."""
    columns = []
    for step in h * np.eye(len(y)):
        columns.append((8 * (f(y + step) - f(y - step)) - (f(y + 2 * step) - f(y - 2 * step))) / (12 * h))
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("text", [ROD, TOP, CHAIN, (ROOT / "examples/bicycle/bicycle.eom").read_text(encoding="utf-8")],
                         ids=["rod", "top", "chain", "bicycle"])
def test_the_jacobian_is_the_limit_of_differences(text):
    system = eom.system(text)
    rng = np.random.default_rng(5)
    d, inputs = len(system.coordinates) + len(system.velocities), len(system.inputs)
    for _ in range(3):
        y, u, t = rng.uniform(0.2, 0.7, d), rng.normal(size=inputs), rng.uniform(0, 2)
        exact = system.jac(t, y, u)
        assert exact.shape == (d, d)
        assert np.allclose(exact, quotients(lambda y: system.rhs(t, y, u), y), rtol=1e-7, atol=1e-7 * abs(exact).max())


def test_the_jacobian_of_a_pendulum():
    # θ̈ = −g/l sin θ − c θ̇/(m l²)
    pendulum = eom.system("""system Pendulum {
        coordinates { θ } parameters { m = 2, g = 9.81, l = 1.5, c = 0.3 }
        kinetic = m/2*l^2*θ̇^2; potential = -m*g*l*cos(θ); dissipation = c/2*θ̇^2;
    }""")
    found = pendulum.jac(0, [0.4, -0.7])
    assert np.allclose(found, [[0, 1], [-9.81 / 1.5 * np.cos(0.4), -0.3 / (2 * 1.5**2)]], rtol=1e-15)


PRESSED = """system Pressed {
    coordinates { x, y } parameters { μ = 0.3 }
    kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;
    holonomic { g: y = 0; }
    row g { slip = ẋ; friction = μ; }
    force x = -2*ẋ; force y = 3*ẋ;
}"""

# Friction of constraints: of one row and of a pin, turned, in a plane, with its force on another coordinate, beside that of the
# dissipation, with rates that are no speeds; and forces that hold multipliers.
ROUGH = {
    "row": (PRESSED, [0.2, 0, 1.5, 0]),
    "turned": (PRESSED, [0.2, 0, -1.5, 0]),
    "pulled": (PRESSED, [0.2, 0, 7.5, 0]),
    "pin": ("""system Pin {
        coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6; potential = 9.81*y;
        holonomic { pin: [x - sin(θ), y + cos(θ)] = [0, 0]; }
        row pin { slip = 0.1*θ̇; friction = 0.2; }
    }""", [np.sin(0.4), -np.cos(0.4), 0.4, 0.7 * np.cos(0.4), 0.7 * np.sin(0.4), 0.7]),
    "plane": ("""system Plane {
        coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 9.81*z + x^2;
        holonomic { h: z = x*y/2; }
        row h { slip = [ẋ, ẏ]; friction = 0.3; }
    }""", [0.3, 0.2, 0.03, 0.5, 0.15, 0.0675]),
    "its force": ("""system Its {
        coordinates { x, y, z } parameters { μ = 0.3 } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 9.81*y + x^2;
        holonomic { h: y = x^2/2; }
        row h { slip = ẋ; friction = μ; }
        force z = 0.5*friction(h);
    }""", [0.3, 0.045, 0.5, 0.5, 0.15, 0.2]),
    "both": ("""system Both {
        coordinates { x, y } inputs { F } kinetic = (ẋ^2 + ẏ^2)/2 + x*ẋ*ẏ/5; potential = 9.81*y + x^2;
        dissipation = 0.2*norm([ẋ, ẏ]);
        constraints { h: ẏ = sin(t)*ẋ*x + t^2; }
        row h { slip = ẋ; friction = 0.1 + x^2; }
        force x = F*x;
    }""", [0.3, 0.2, 0.5, 0.4]),
    "quasi-velocities": ("""system Quasi {
        coordinates { x, y, θ } velocities { u = cos(θ)*ẋ + sin(θ)*ẏ, w = cos(θ)*ẏ - sin(θ)*ẋ }
        kinetic = (u^2 + 2*w^2)/2 + θ̇^2/2 + u*θ̇*x/4; potential = x*y + θ^2;
        constraints { blade: w = 0; }
        row blade { slip = u; friction = 0.4; }
    }""", [0.3, 0.2, 0.7, 0.5, 0, -0.4]),
    "λ": ("""system Held {
        coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y + x^2;
        holonomic { h: y = sin(x); }
        force x = -0.3*λ(h)*tanh(ẋ);
    }""", [0.3, np.sin(0.3), 0.5, 0.5 * np.cos(0.3)]),
}


@pytest.mark.parametrize("name", ROUGH)
def test_the_jacobian_has_the_friction_of_constraints(name):
    text, y = ROUGH[name]
    system, y = eom.system(text), np.array(y, dtype=float)
    u = [0.7] * len(system.inputs)
    exact = system.jac(0.3, y, u)
    assert np.allclose(exact, quotients(lambda y: system.rhs(0.3, y, u), y), rtol=1e-7, atol=1e-7 * abs(exact).max())
    many = system.jac([0.3, 0.3], [y, y * 1.01], u)
    assert (many[0] == exact).all() and (many[1] == system.jac(0.3, y * 1.01, u)).all()


def test_the_jacobian_of_a_pressed_slide():
    # ẍ = −2ẋ − μ|10 − 3ẋ| sign ẋ
    slide = eom.system(PRESSED)
    for speed, slope in [(1.5, -2 + 0.9), (-1.5, -2 - 0.9), (7.5, -2 - 0.9)]:
        assert np.allclose(slide.jac(0, [0.2, 0, speed, 0])[2], [0, 0, slope, 0], rtol=1e-14)
    # At rest there is no friction, as in `rhs`.
    assert slide.rhs(0, [0.2, 0, 0, 0])[2] == 0
    assert np.allclose(slide.jac(0, [0.2, 0, 0, 0])[2], [0, 0, -2, 0], rtol=1e-14)


def test_many_jacobians_are_one_by_one():
    top = eom.system(TOP)
    rng = np.random.default_rng(6)
    t, y, u = rng.uniform(size=1000), rng.normal(size=(1000, 7)), rng.normal(size=(1000, 1))
    many = top.jac(t, y, u)
    assert many.shape == (1000, 7, 7)
    assert all((many[i] == top.jac(t[i], y[i], u[i])).all() for i in range(0, 1000, 37))


def test_what_has_no_derivatives_is_told(pendulum):
    bead = eom.system("""system Bead {
        coordinates { x } function f(x); kinetic = (ẋ^2 + ḟ^2)/2; potential = 9.81*f;
    }""", f="x^2")
    with pytest.raises(ValueError, match="Bead has no derivatives: it has an integral, or a function"):
        bead.jac(0, [1, 0])
    with pytest.raises(ValueError, match="in this order: θ1, θ2, θ̇1, θ̇2"):
        pendulum.jac(0, [1, 2])


def test_an_implicit_method_takes_it():
    # A stiff spring beside a soft one.
    stiff = eom.system("""system Stiff {
        coordinates { x, y } parameters { k = 1e6 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = k*(y - sin(x))^2/2 + x^2/2; dissipation = 500*ẏ^2;
    }""")
    y0 = [1, np.sin(1), 0, 0]
    calls = [0, 0]

    def counted(which):
        def rhs(t, y):
            calls[which] += 1
            return stiff.rhs(t, y)

        return rhs

    # SciPy does not count in `nfev` what it differences; below 1e-8 rounding decides how many steps it refuses.
    tolerances = {"method": "Radau", "rtol": 1e-7, "atol": 1e-9}
    with_it = solve_ivp(counted(0), (0, 2), y0, jac=stiff.jac, **tolerances)
    without = solve_ivp(counted(1), (0, 2), y0, **tolerances)
    ours = stiff.run(until=2, x=1, y=np.sin(1), method="radau")
    assert with_it.success and without.success and calls[0] < calls[1], calls
    assert np.allclose(with_it.y[:, -1], ours.y[:, -1], atol=1e-6)


def by_scipy(system, span, y, count=None):
    """The motion by `solve_ivp` from jump to jump: times of the events that were watched, and the last state."""
    watched, found = [*system.contacts, *system.events], []
    t, end = span
    while t < end and (count is None or len(found) < count):
        part = solve_ivp(system.rhs, (t, end), y, method="DOP853", rtol=1e-12, atol=1e-13, events=watched)
        for guard, times in zip(watched, part.t_events):
            found += [(time, guard.name) for time in times]
        t, y = part.t[-1], part.y[:, -1]
        if part.status == 1:
            hit = next(guard for guard, times in zip(watched, part.t_events) if guard.terminal and len(times))
            y = hit.after(t, y)
    return sorted(found), y


def test_scipy_from_impact_to_impact():
    cart = eom.system("""system Cart {
        coordinates { x, θ }
        let X = x + sin(θ); let Y = -cos(θ);
        kinetic = ẋ^2 + (Ẋ^2 + Ẏ^2)/2;
        potential = 9.81*Y;
        contact right { gap = 0.3 - x; impact = restitution(0.8); }
        contact left { gap = 0.3 + x; impact = restitution(0.8); }
    }""")
    start = [0, 2, 0, 0]
    found, last = by_scipy(cart, (0, 4), start)
    ours = cart.run(until=4, q0=start[:2], v0=start[2:])
    assert len(ours.events) > 3 and [name for _, name in found] == [event.contact for event in ours.events]
    assert np.allclose([t for t, _ in found], [event.t for event in ours.events], atol=1e-8)
    assert np.allclose(last, ours.y[:, -1], atol=1e-7)


def test_declared_events_have_their_directions():
    # x = cos t falls through 1/4, 0 and −1/2, where it jumps and is pushed on; then it comes back.
    swing = eom.system("""system Swing {
        coordinates { x }
        kinetic = ẋ^2/2; potential = x^2/2;
        event up { guard = x; rising; }
        event down { guard = x; }
        event any { guard = x - 1/4; both; }
        event turn { guard = x + 1/2; reset { x = -0.6; ẋ = 2*ẋ; } }
    }""")
    up, down, both, turn = swing.events
    assert [(event.name, event.terminal, event.direction) for event in swing.events] == [
        ("up", False, 1), ("down", False, -1), ("any", False, 0), ("turn", True, -1),
    ]
    assert (up(0, [0.25, 0]), turn(0, [0.25, 0])) == (0.25, 0.75)
    assert turn(0, [[0.25, 0], [1, 0]]).tolist() == [0.75, 1.5]
    assert turn.after(0, [-0.5, -2]).tolist() == [-0.6, -4]
    found, last = by_scipy(swing, (0, 7), [1, 0])
    ours = swing.run(until=7, x=1)
    assert [name for _, name in found] == [event.contact for event in ours.events]
    assert {"up", "down", "any", "turn"} == {name for _, name in found}
    assert np.allclose([t for t, _ in found], [event.t for event in ours.events], atol=1e-9)
    assert np.allclose(last, ours.y[:, -1], atol=1e-9)
    again = pickle.loads(pickle.dumps(turn))
    assert again(0, [0.25, 0]) == 0.75 and again.direction == -1


def test_guards_with_inputs_and_arguments():
    pushed = eom.system("""system Pushed {
        coordinates { x } inputs { F }
        kinetic = ẋ^2/2; force x = F;
        event fast { guard = F*ẋ - 1; rising; }
    }""")
    fast, = pushed.events
    fast.terminal = True
    # ẍ = 2, ẋ = 2 t: F ẋ = 1 at t = 1/4.
    run = solve_ivp(pushed.rhs, (0, 1), [0, 0], events=fast, jac=pushed.jac, args=([2.0],), method="Radau")
    assert abs(run.t_events[0][0] - 0.25) < 1e-9 and run.status == 1
    assert (pushed.guards(0, [[0.0], [0.0]], [[1.0], [3.0]], [2.0]) == [[1.0], [5.0]]).all()


def test_what_cannot_happen_is_told(ball):
    floor, = ball.contacts
    assert floor.after(0, [0, -2]).tolist() == [0, 1]
    with pytest.raises(ValueError, match="y is a list of numbers"):
        floor.after(0, [[0, -2], [0, -3]])
    with pytest.raises(ValueError, match="NaN"):
        floor.after(0, [0, np.nan])
    for y in ([0], [0, 1, 2], np.zeros((2, 3))):
        with pytest.raises(ValueError, match="has 2 numbers for a state"):
            floor(0, y)
    with pytest.raises(TypeError, match="`y` must be numbers"):
        floor(0, [1j, 0])
    # Nothing is struck where a gap opens.
    for call in (lambda: floor.after(0, [0, 2]), lambda: ball.impact("floor", 0, [0], [2])):
        with pytest.raises(ValueError, match="no impact at `floor`: its gap opens, at the rate 2"):
            call()
    # The map is that of the law wherever the gap is.
    assert ball.impact("floor", 0, [1], [-2]).tolist() == [1] and ball.impact("floor", 0, [0], [0]).tolist() == [0]
