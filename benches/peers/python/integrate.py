"""heyoka's Taylor integrator on one smooth problem, at its own orders for some tolerances; and its step
on the double pendulum. Everything symbolic and LLVM's compilation stand before the clock of a run starts."""
import json
import os
import time

import lagrange
import peer
import problems

TOLERANCES = [1e-6, 1e-9, 1e-12, 1e-15]
ORDERS = {12: 1e-9, 15: 1e-12, 19: 1e-15}
made = {}


def data(name):
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data")
    with open(os.path.join(folder, name + ".json")) as file:
        return json.load(file)


def integrator(system, tolerance):
    import heyoka as hy
    key = system, tolerance
    if key not in made:
        hy.llvm_state.set_diskcache_enabled(False)
        if system not in made:
            made[system] = lagrange.first_order(system)
        start = problems.START[system]
        made[key] = hy.taylor_adaptive(made[system], start, tol=tolerance, fast_math=True)
    return made[key]


def arrive(taylor, system, start):
    """the time of a run and its steps; the last state is left in `taylor`"""
    taylor.time = 0.0
    taylor.state[:] = start
    begin = time.thread_time()
    steps = taylor.propagate_until(problems.END[system])[3]
    return (time.thread_time() - begin) * 1e9, steps


def runs(system, tolerance):
    def make():
        taylor = integrator(system, tolerance)
        starts = data("runs")[system]["starts"]

        def measure():
            ns, steps, states = 0.0, 0, []
            for start in starts:
                took, made = arrive(taylor, system, start)
                ns, steps = ns + took, steps + made
                states += taylor.state.tolist()
            return dict(ns=ns / len(starts), state=states, steps=steps // len(starts))
        return measure
    return make


def step(system, tolerance):
    """one step of a run"""
    def make():
        taylor = integrator(system, tolerance)

        def measure():
            ns, steps = arrive(taylor, system, problems.START[system])
            return dict(ns=ns / steps, state=taylor.state.tolist(), steps=steps)
        return measure
    return make


def setup(system):
    """from the Lagrangian to an integrator at 1e-9: once, on all threads"""
    def make():
        import heyoka  # the time to load it is not counted
        start = time.process_time()
        integrator(system, 1e-9)
        ns = (time.process_time() - start) * 1e9
        return lambda: dict(ns=ns)
    return make


for row in sorted(peer.WANTED, reverse=True):
    kind, system = row.split("/")
    if kind == "setup":
        peer.contestant(row, "heyoka fast_math", setup(system))
        continue
    if kind == "taylor":
        peer.contestant(row, "heyoka fast_math", step("double_pendulum", ORDERS[int(system)]))
        continue
    for tolerance in TOLERANCES:
        peer.contestant(row, "heyoka, Taylor, fast_math", runs(system, tolerance), tolerance)
peer.serve("heyoka")
