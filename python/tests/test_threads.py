"""What threads may share: systems and results all of it, a stepper one at a time."""

import os
import pickle
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import eom
from conftest import BALL


def everything(system, result, i):
    """What is asked of one system and one result: numbers, texts, and what is made when it is first asked for."""
    y = np.linspace([1.0, 0.0], [2.0, 1.0], 500)
    one = system.run(until=1, y=1 + i, e=0.5)
    table = system.sweep({"e": [0.3, 0.6], "y": [1 + i, 2]}, until=1, outcomes=["kinetic"], jobs=2)
    other = system.with_parameters(e=0.25 + i / 100)
    return [
        one.y.tolist(), one.message, [event.t for event in one.events],
        {name: list(column) for name, column in table.items()},
        system.rhs(0.0, y[i]).tolist(), system.accelerations(0.0, y[:, :1], y[:, 1:]).tolist(),
        system.equations.text, other.run(until=0.5).y.tolist(),
        result.sol([0.1, 0.2 + i / 100]).tolist(), result.ledger.end,
        [list(column) for column in result.contact_forces.values()],
        pickle.loads(pickle.dumps(result)).y.tolist(), pickle.loads(pickle.dumps(system)).run(until=0.1).y.tolist(),
    ]


def test_systems_and_results_are_shared():
    def made():
        system = eom.system(BALL)
        return system, system.run(until=1, y=1)

    expected = [everything(*made(), i) for i in range(4)]
    for _ in range(3):
        # A new one, so that what is made on demand is asked for by all at once.
        shared, barrier = made(), threading.Barrier(8)

        def work(i):
            barrier.wait()
            return everything(*shared, i % 4)

        with ThreadPoolExecutor(8) as pool:
            for i, found in enumerate(pool.map(work, range(8))):
                assert repr(found) == repr(expected[i % 4]), i


def test_a_stepper_is_told_by_one_thread_at_a_time():
    stepper = eom.system(BALL).stepper(y=1)
    told, barrier = [], threading.Barrier(4)

    def work():
        barrier.wait()
        for _ in range(300):
            try:
                stepper.step(1e-3)
                assert stepper.t >= 0 and np.isfinite(stepper.y).all()
            except RuntimeError as busy:
                told.append(str(busy))

    with ThreadPoolExecutor(4) as pool:
        for ended in [pool.submit(work) for _ in range(4)]:
            ended.result()
    assert all("at work in another thread" in message for message in told), told
    # Nothing is left undone by who was sent away.
    stepper.advance(2.0)
    assert stepper.t == 2.0
    with pytest.raises(ValueError):
        stepper.advance(1.0)


@pytest.mark.thread_unsafe
def test_a_stepper_that_advances_says_so():
    stepper = eom.system(BALL).stepper(y=1, e=1)
    asked = [
        lambda: stepper.t, lambda: stepper.y, lambda: stepper["energy"], lambda: stepper.events, lambda: stepper.end,
        lambda: stepper.advance(1e6), lambda: stepper.step(1), lambda: stepper.apply(q=[2]), stepper.save,
        lambda: stepper.accelerations, lambda: pickle.dumps(stepper), lambda: stepper.closed, lambda: repr(stepper),
    ]
    told = []

    def ask(*_):
        for each in asked:
            with pytest.raises(RuntimeError, match="at work in another thread"):
                each()
        told.append(True)
        raise KeyboardInterrupt

    # The handler runs within `advance`, in its thread.
    before = signal.signal(signal.SIGINT, ask)
    try:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(eom.Interrupted) as caught:
            stepper.advance(1e9)
    finally:
        signal.signal(signal.SIGINT, before)
    assert told and caught.value.result is stepper and stepper.step(0.1)
