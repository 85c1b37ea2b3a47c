"""Runs that are stepped: inputs that change, saving, copies."""

import copy
import pickle
import threading
import os
import signal

import numpy as np
import pytest

import eom


def test_inputs_are_held(pushed):
    # ẍ = F − 4x: each hold is an exact rotation about F/4 with ω = 2.
    s = pushed.stepper(x=1)
    x, v, dt = 1.0, 0.0, 0.1
    for i in range(30):
        force = 3 * np.sin(i)
        s.u = [force]
        assert s.step(dt)
        c, n, middle = np.cos(2 * dt), np.sin(2 * dt), force / 4
        x, v = middle + (x - middle) * c + v / 2 * n, v * c - 2 * (x - middle) * n
    assert np.isclose(s.t, 3, rtol=1e-14) and s.u.tolist() == [3 * np.sin(29)]
    assert np.allclose([s.q[0], s.v[0]], [x, v], rtol=1e-12)
    assert s.y.tolist() == [s.q[0], s.v[0]] and s["x"] == s.q[0] and s["ẋ"] == s["x_dot"] == s.v[0]
    assert np.isclose(s.accelerations[0], s.u[0] - 4 * s.q[0]) and s["x_ddot"] == s.accelerations[0]


def test_a_state_is_not_written(pushed):
    s = pushed.stepper(x=1)
    for name in ("q", "v", "y", "u"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(s, name)[0] = 5
    assert s["2*x + F"] == 2 and s["x"] == 1


def test_events_of_an_advance(ball):
    s = ball.stepper()
    assert s.advance(0.4) and s.events == []
    assert s.advance(0.6) and [event.contact for event in s.events] == ["floor"]
    assert s.advance(0.7) and s.events == []
    s.advance(3)
    assert s.closed == ["floor"] and np.isclose(s.contact_forces["floor"], 9.81)
    assert s.end is None


def test_an_end_that_is_asked_for(ball):
    s = ball.stepper(until=0.5)
    assert not s.advance(1)
    assert s.t == 0.5 and s.end.kind == "ReachedTime"
    # It stays as it is, and says so where that would be lost.
    assert not s.advance(1) and s.t == 0.5
    with pytest.raises(ValueError, match="the run has ended: reached t = 0.5; restore"):
        s.apply(q=[3])


def test_another_state(ball):
    s = ball.stepper()
    s.advance(0.1)
    s.apply(q=[2], v=[0])
    s.advance(0.1 + 0.2)
    assert np.isclose(s.q[0], 2 - 9.81 / 2 * 0.04, rtol=1e-13)
    with pytest.raises(eom.StartError, match="gap"):
        s.apply(q=[-1])
    with pytest.raises(ValueError, match="a state is one"):
        s.apply(q=[[1]])


def test_what_is_saved_goes_on_to_the_bit(ball):
    s = ball.stepper()
    s.advance(0.5)
    saved, copies = s.save(), [copy.copy(s), copy.deepcopy(s), pickle.loads(pickle.dumps(s))]
    s.advance(1)
    expected = s.y.tolist()
    for other in copies:
        assert other.t == 0.5
        other.advance(1)
        assert other.y.tolist() == expected
    s.restore(saved)
    assert s.t == 0.5
    s.advance(1)
    assert s.y.tolist() == expected
    with pytest.raises(ValueError, match="no saved run"):
        s.restore(b"[]")
    with pytest.raises(ValueError, match="no saved run"):
        ball.with_parameters(m=2).stepper().restore(saved)


@pytest.mark.parametrize("given", [dict(F=lambda t: 1), dict(F="sin(t)"), dict(u=lambda t: 1), dict(u="sin(t)")])
def test_inputs_are_no_functions(pushed, given):
    with pytest.raises(TypeError, match=f"`{next(iter(given))}` is constant in a run: write what depends on t"):
        pushed.run(until=1, **given)


def test_inputs_are_saved_with_the_run_and_cannot_differ_from_it(pushed):
    s = pushed.stepper(x=1)
    s.u = [3]
    s.advance(0.5)
    saved = s.save()
    s.advance(1)
    expected = s.y.tolist()
    other = pushed.stepper(x=1)
    other.restore(saved)
    assert other.u.tolist() == [3]
    other.advance(1)
    assert other.y.tolist() == expected
    other.u = [-1]
    other.restore(saved)
    assert other.u.tolist() == [3]
    # With another byte among them they are refused, or are what they were.
    for at in range(0, len(saved), 7):
        damaged = saved[:at] + bytes([saved[at] ^ 1]) + saved[at + 1 :]
        other.restore(saved)
        try:
            other.restore(damaged)
        except ValueError as error:
            assert "no saved run" in str(error)
        assert len(other.u) == 1 and np.isfinite(other.u).all()


WRONG = [
    (lambda s: s.advance(-1), ValueError, "cannot advance to t = -1"),
    (lambda s: s.advance(float("nan")), ValueError, "cannot advance to t = NaN"),
    (lambda s: s.advance(float("inf")), ValueError, "cannot advance to t = inf"),
    (lambda s: setattr(s, "u", [1, 2]), ValueError, "u has 2 numbers; give 1 number"),
    (lambda s: setattr(s, "u", [np.nan]), ValueError, "F = NaN in u"),
    (lambda s: s["y"], eom.UnknownNameError, "there is no number of the motion `y`"),
]


@pytest.mark.parametrize("call, kind, message", WRONG)
def test_what_cannot_be_is_told(pushed, call, kind, message):
    s = pushed.stepper(x=1)
    with pytest.raises(kind) as caught:
        call(s)
    assert message in str(caught.value)
    assert s.advance(0.1)


@pytest.mark.thread_unsafe
def test_ctrl_c_stops_an_advance(pendulum):
    s = pendulum.stepper()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(eom.Interrupted) as caught:
        s.advance(1e9)
    assert caught.value.result is s and s.t > 1
    assert s.advance(s.t + 1)


def test_what_a_stepper_does_not_have_is_not_set(pushed):
    stepper = pushed.stepper()
    with pytest.raises(AttributeError, match="a stepper has no `F` to set: `u` holds its inputs"):
        stepper.F = 5
    stepper.u = [5]
