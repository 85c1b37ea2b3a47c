"""The functions of a system, beside closed forms and SciPy."""

import multiprocessing

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import eom


def by_hand(t, q, v, m1=1.0, m2=2.0, l1=1.0, l2=0.5, g=9.81):
    """The double pendulum, M a = F solved by NumPy."""
    c, s = np.cos(q[0] - q[1]), np.sin(q[0] - q[1])
    mass = np.array([[(m1 + m2) * l1**2, m2 * l1 * l2 * c], [m2 * l1 * l2 * c, m2 * l2**2]])
    force = np.array([
        -m2 * l1 * l2 * s * v[1] ** 2 - (m1 + m2) * g * l1 * np.sin(q[0]),
        m2 * l1 * l2 * s * v[0] ** 2 - m2 * g * l2 * np.sin(q[1]),
    ])
    return mass, np.linalg.solve(mass, force)


def test_the_double_pendulum(pendulum):
    rng = np.random.default_rng(1)
    for q, v in rng.normal(size=(20, 2, 2)):
        mass, a = by_hand(0, q, v)
        assert np.allclose(pendulum.mass_matrix(0, q), mass, rtol=1e-13)
        assert np.allclose(pendulum.accelerations(0, q, v), a, rtol=1e-11)
        kinetic = v @ mass @ v / 2
        assert np.isclose(pendulum.kinetic_energy(0, q, v), kinetic, rtol=1e-13)
        total = pendulum.kinetic_energy(0, q, v) + pendulum.potential_energy(0, q)
        assert np.isclose(pendulum.energy(0, q, v), total, rtol=1e-13)


def test_many_states_are_one_by_one(pendulum):
    rng = np.random.default_rng(2)
    q, v = rng.normal(size=(2, 1000, 2))
    many = pendulum.accelerations(0.0, q, v)
    one = np.array([pendulum.accelerations(0.0, *state) for state in zip(q, v)])
    assert many.shape == (1000, 2) and (many == one).all()
    assert pendulum.mass_matrix(0.0, q).shape == (1000, 2, 2)
    assert (pendulum.mass_matrix(0.0, q)[7] == pendulum.mass_matrix(0.0, q[7])).all()
    # One for all, and arrays that are not in C order.
    fixed = pendulum.accelerations(np.zeros(1000), q[0], v)
    assert (fixed[3] == pendulum.accelerations(0, q[0], v[3])).all()
    assert (pendulum.accelerations(0.0, np.asfortranarray(q), v[::1]) == many).all()
    assert (pendulum.accelerations(0.0, q[::-1], v[::-1]) == many[::-1]).all()


BODY = """system Body { coordinates { x } rotation R { body: ω1, ω2, ω3 }
    kinetic = (ẋ^2 + ω1^2 + 2*ω2^2 + 3*ω3^2)/2; potential = x^2/2 + x*R[3,3]; }"""


@pytest.mark.parametrize("count", [0, 1, 3, 31, 32, 33, 255, 256, 257, 300, 40_001])
@pytest.mark.parametrize("text", ["pendulum", BODY])
def test_right_hand_sides_of_any_number_of_states(pendulum, text, count):
    # On one thread and on all, in whole lanes and in such that are filled up; q̇ = v, and a rate of its own.
    system = pendulum if text == "pendulum" else eom.system(text)
    y = np.random.default_rng(count).normal(size=(count, 4 if text == "pendulum" else 9))
    t = np.linspace(0, 1, count)
    many = system.rhs(t, y)
    assert many.shape == y.shape
    for j in {*range(0, count, 1 + count // 40), *range(max(0, count - 20), count)}:
        assert (many[j] == system.rhs(t[j], y[j])).all()


@pytest.mark.parametrize("count", [0, 1, 17, 300, 40_001])
@pytest.mark.parametrize("text", ["pendulum", BODY])
def test_numbers_side_by_side_are_answered_so(pendulum, text, count):
    # In Fortran's order, as (n, N).T is: read and answered without being turned over.
    system = pendulum if text == "pendulum" else eom.system(text)
    width, n = (4, 2) if text == "pendulum" else (9, 5)
    across = np.random.default_rng(count).normal(size=(width, count))
    t = np.linspace(0, 1, count)
    y = np.ascontiguousarray(across.T)
    many = system.rhs(t, across.T)
    assert (many == system.rhs(t, y)).all() and many.shape == y.shape
    assert many.flags.f_contiguous and (system.rhs(t, across.T.astype("f4")).flags.f_contiguous)
    q, v = np.asfortranarray(y[:, :n]), y[:, n:]
    assert (system.accelerations(t, q, v) == many[:, n:]).all()
    assert (system.accelerations(t, y[:, :n], np.asfortranarray(v)) == many[:, n:]).all()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("text", ["pendulum", BODY])
def test_a_number_that_is_not_finite_is_found_wherever_it_is(pendulum, text, order):
    # In lanes it is seen by whoever reads it, also where no function depends on it.
    system = pendulum if text == "pendulum" else eom.system(text)
    width, n = (4, 2) if text == "pendulum" else (9, 5)
    y = np.random.default_rng(3).normal(size=(1003, width)).copy(order)
    for row in (0, 254, 255, 256, 511, 999, 1000, 1002):
        for column in range(width):
            bad = y.copy(order)
            bad[row, column] = (np.nan, np.inf, -np.inf)[row % 3]
            with pytest.raises(ValueError, match=rf"in y\[{row}\] is not a finite number"):
                system.rhs(0.0, bad)
            name = "q" if column < n else "v"
            with pytest.raises(ValueError, match=rf"in {name}\[{row}\] is not a finite number"):
                system.accelerations(0.0, bad[:, :n].copy(order), bad[:, n:].copy(order))



def in_a_child(pendulum, states, results):
    table = pendulum.sweep({"θ1": [1, 2]}, until=0.1)
    results.put((pendulum.accelerations(0.0, states, states), table["ended"]))


@pytest.mark.thread_unsafe
def test_a_process_that_forked_evaluates_as_before(pendulum):
    states = np.random.default_rng(3).normal(size=(5000, 2))
    expected = pendulum.accelerations(0.0, states, states)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=in_a_child, args=(pendulum, states, results))
    child.start()
    found, ended = results.get(timeout=30)
    child.join()
    assert (found == expected).all() and ended == ["complete"] * 2


def test_no_states(pendulum):
    assert pendulum.accelerations(0.0, np.empty((0, 2)), np.empty((0, 2))).shape == (0, 2)


def test_constraints_and_multipliers():
    # A pendulum in Cartesian coordinates: the tension is m g cos θ + m l θ̇².
    pendulum = eom.system("""system Pendulum {
        coordinates { x, y }
        parameters { m = 2 where m > 0, g = 9.81, l = 1.5 where l > 0 }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = m*g*y;
        holonomic { rod: x^2 + y^2 = l^2; }
    }""")
    θ, ω, l = 0.4, 1.3, 1.5
    q = [l * np.sin(θ), -l * np.cos(θ)]
    v = [l * ω * np.cos(θ), l * ω * np.sin(θ)]
    α = -9.81 / l * np.sin(θ)
    a = [l * (α * np.cos(θ) - ω**2 * np.sin(θ)), l * (α * np.sin(θ) + ω**2 * np.cos(θ))]
    assert np.allclose(pendulum.accelerations(0, q, v), a, rtol=1e-13)
    # ∇φ = (2x, 2y) has the length 2 l.
    tension = 2 * 9.81 * np.cos(θ) + 2 * l * ω**2
    assert np.isclose(abs(pendulum.multipliers(0, q, v)[0]) * 2 * l, tension, rtol=1e-13)
    assert abs(pendulum.residuals(0, q, v)[0]) < 1e-14
    assert np.isclose(pendulum.residuals(0, q, [1.0, 0.0])[0], 2 * q[0])


def test_contacts(ball):
    assert ball.gaps(0, [0.25])[0] == 0.25
    assert ball.gaps(0, [[0.25], [-1.0]]).tolist() == [[0.25], [-1.0]]
    assert ball.impact("floor", 0, [0.0], [-2.0]).tolist() == [1.0]


def test_inputs(pushed):
    assert pushed.accelerations(0, [1.0], [0.0], [10.0])[0] == 6.0
    assert pushed.accelerations(0, [1.0], [0.0])[0] == -4.0
    assert pushed.rhs(0, [1.0, 2.0], [10.0]).tolist() == [2.0, 6.0]


def test_scipy_integrates_it(pendulum):
    start = [2.0, 1.0, 0.0, 0.0]
    theirs = solve_ivp(pendulum.rhs, (0, 2), start, method="DOP853", rtol=1e-12, atol=1e-12)
    ours = pendulum.run(until=2, q0=start[:2], v0=start[2:])
    assert np.allclose(theirs.y[:, -1], ours.y[:, -1], atol=1e-8)


def test_quaternions_move_with_the_angular_velocity():
    # q̇ = q ∘ (0, ω)/2 for body rates.
    top = eom.system("""system Top {
        rotation R { body: ω_1, ω_2, ω_3 }
        parameters { A = 1 where A > 0, C = 2 where C > 0 }
        kinetic = 1/2*(A*ω_1^2 + A*ω_2^2 + C*ω_3^2);
    }""")
    w, x, y, z = quaternion = np.array([0.5, 0.5, -0.5, 0.5])
    a, b, c = rates = np.array([0.1, 0.2, 0.3])
    found = top.rhs(0, np.concatenate([quaternion, rates]))
    moved = np.array([-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a]) / 2
    assert np.allclose(found[:4], moved, rtol=1e-14)
    # Euler: A ω̇₁ = (A − C) ω₂ω₃.
    assert np.allclose(found[4:], [(1 - 2) * b * c, (2 - 1) * a * c, 0], rtol=1e-14)


def shifted(numbers):
    """The same numbers from an odd byte on, as in a file."""
    numbers = np.asarray(numbers, dtype=float)
    return np.frombuffer(b"\0" + numbers.tobytes(), "u1")[1:].view("f8").reshape(numbers.shape)


def test_numbers_that_stand_at_any_byte(pendulum):
    rng = np.random.default_rng(8)
    q, v = rng.normal(size=(2, 300, 2))
    packed = np.zeros(300, dtype=np.dtype([("kind", "u1"), ("q", "f8", (2,))]))
    packed["q"] = q
    expected = pendulum.accelerations(0.0, q, v)
    for there in (shifted(q), packed["q"], shifted(q.T).T):
        assert not there.flags.aligned
        assert (pendulum.accelerations(0.0, there, shifted(v)) == expected).all()
    y = np.hstack([q, v])
    assert (pendulum.rhs(shifted(np.zeros(300)), shifted(y)) == pendulum.rhs(0.0, y)).all()
    assert (pendulum.jac(0.0, shifted(y[0])) == pendulum.jac(0.0, y[0])).all()
    assert (pendulum.run(q0=shifted(q[0]), until=1, t_eval=shifted([0.5, 1])).y
            == pendulum.run(q0=q[0], until=1, t_eval=[0.5, 1]).y).all()


NEEDS_ALL = [
    lambda s: s.accelerations(0, [1], [0]),
    lambda s: s.accelerations(0, [[1], [2]], [0]),
    lambda s: s.rhs(0, [1, 0]),
    lambda s: s.jac(0, [1, 0]),
    lambda s: s.energy(0, [1], [0]),
    lambda s: s.mass_matrix(0, [1]),
    lambda s: s.contacts[0](0, [1, 0]),
    lambda s: s.impact("floor", 0, [0], [-1]),
    lambda s: s.run(until=1),
    lambda s: s.linear(),
]


@pytest.mark.parametrize("call", NEEDS_ALL)
def test_what_has_no_value_is_told(call):
    spring = eom.system("""system S {
        coordinates { x } parameters { k } kinetic = ẋ^2/2; potential = k*x^2; contact floor { gap = x; impact = elastic; }
    }""")
    with pytest.raises((eom.StartError, eom.AnalysisError), match="parameter `k` has no default: give it a value"):
        call(spring)
    if call is not NEEDS_ALL[-1]:
        call(spring.with_parameters(k=2))


def test_one_number_stands_for_a_list_of_one():
    cart = eom.system("system C { coordinates { x } inputs { u } kinetic = ẋ^2/2; potential = x^2/2; force x = u; }")
    assert cart.accelerations(0, 0.5, 0.0, 2.0).tolist() == cart.accelerations(0, [0.5], [0.0], [2.0]).tolist() == [1.5]
    assert cart.run(until=1, u=2.0, q0=np.float64(0.5)).y.tolist() == cart.run(until=1, u=[2.0], x=0.5).y.tolist()


WRONG = [
    (lambda s: s.accelerations(0, [1], [0, 0]), ValueError, "q has one number; give 2 numbers for a state in this order: θ1, θ2"),
    (lambda s: s.accelerations(0, [1, 2], 3.0), ValueError, "v has a single number"),
    (lambda s: s.accelerations(0, np.zeros((4, 2)), np.zeros((5, 2))), ValueError, "q has 4 states and v has 5"),
    (lambda s: s.accelerations(0, [1, np.nan], [0, 0]), ValueError, "θ2 = NaN in q is not a finite number"),
    (lambda s: s.accelerations(0, [[1, 2], [1, np.inf]], [0, 0]), ValueError, "θ2 = inf in q[1] is not a finite number"),
    (lambda s: s.accelerations(0, np.array([[1, 1, 3], [2, np.inf, 3]]).T, [0, 0]), ValueError, "θ2 = inf in q[1] is not a finite number"),
    (lambda s: s.accelerations(np.nan, [1, 2], [0, 0]), ValueError, "t = NaN"),
    (lambda s: s.accelerations("now", [1, 2], [0, 0]), TypeError, "t must be numbers; it is 'now'"),
    (lambda s: s.accelerations(0, ["a", "b"], [0, 0]), TypeError, "q must be numbers"),
    (lambda s: s.accelerations(0, None, [0, 0]), TypeError, "q must be numbers"),
    (lambda s: s.accelerations(0, np.array([1j, 2]), [0, 0]), TypeError, "q must be numbers"),
    (lambda s: s.accelerations(0, [1, 2], [0, 0], [1]), ValueError, "u has one number, and the system has none"),
    (lambda s: s.rhs(0, [1, 2, 3]), ValueError, "in this order: θ1, θ2, θ̇1, θ̇2"),
    (lambda s: eom.models.penny().impact("front", float("nan"), [0] * 4, [0] * 4), ValueError, "t = NaN is not a finite number"),
    (lambda s: s.impact("floor", 0, [0, 0], [0, 0]), eom.UnknownNameError, "DoublePendulum has no contacts"),
]


@pytest.mark.parametrize("call, kind, message", WRONG)
def test_what_cannot_be_evaluated_is_told(pendulum, call, kind, message):
    with pytest.raises(kind) as caught:
        call(pendulum)
    assert message in str(caught.value)
