"""The same work from Python: eom's package beside heyoka.py, SymPy with PyDy, SciPy with numba; beside Pinocchio and MuJoCo.

    python benches/peers/python/from_python.py [--out benches/PYTHON.md]

Set-up, one run, a batch of states, an ensemble; of the double pendulum, and of the penny with its constraints and
impacts; accelerations of chains in space. Times are processor times of all threads, the shortest of calls in turns of 20 ms:
other work on the machine is not counted, and a busy machine is slower all the same. Errors are those of the last state or of the last impact beside
heyoka at its tightest.
"""
import argparse
import datetime
import importlib.metadata
import math
import platform
import time

import events as penny_events
import lagrange
import numpy as np
import problems
import trees

import eom

PENDULUM = """
system DoublePendulum {
    coordinates { θ1, θ2 }
    let x1 = sin(θ1); let y1 = -cos(θ1);
    let x2 = x1 + sin(θ2); let y2 = y1 - cos(θ2);
    kinetic = (ẋ1^2 + ẏ1^2 + ẋ2^2 + ẏ2^2)/2;
    potential = 9.81*(y1 + y2);
}
"""
START, END, TOLERANCE = problems.START["double_pendulum"], 10.0, 1e-10
PENNY, IMPACTS = problems.START["penny"], 20
STATES, PENNIES = 100_000, 200
TURN = 0.02  # s
P = problems.PENNY


def spins(count):
    """starts of pennies: their spins and turns"""
    golden = np.array([0.6180339887498949, 0.7548776662466927])
    return [10.0, 0.2] + 0.005 * (2 * (np.outer(np.arange(1, count + 1), golden) % 1.0) - 1)


# SymPy, with its code compiled by numba

def compiled(name):
    """rhs(t, y) of a problem from its Lagrangian: derived by SymPy, compiled by numba when it is first called"""
    import numba
    import sympy
    d = lagrange.by(sympy, name)
    n = len(d["q"])
    a = [sympy.sympify(e) for e in lagrange.solve(d)[:n]]
    made = numba.njit(sympy.lambdify([d["q"] + d["v"]], d["v"] + a, modules="math", cse=True))

    @numba.njit
    def rhs(t, y):
        out = np.empty(2 * n)
        for i, entry in enumerate(made((y[0], y[1], y[2], y[3]) if n == 2 else
                                       (y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7]))):
            out[i] = entry
        return out
    rhs(0.0, np.array(problems.STATE[name]))
    return rhs


def kane():
    """Kane's equations of two links by SymPy's mechanics, their function by PyDy"""
    import sympy
    from pydy.codegen.ode_function_generators import generate_ode_function
    from sympy.physics import mechanics as me
    q, u = me.dynamicsymbols("q:2"), me.dynamicsymbols("u:2")
    N, O = me.ReferenceFrame("N"), me.Point("O")
    O.set_vel(N, 0)
    last, points, loads = O, [], []
    for i in range(2):
        p = last.locatenew(f"P{i}", sympy.sin(q[i]) * N.x - sympy.cos(q[i]) * N.y)
        p.set_vel(N, last.vel(N) + sympy.cos(q[i]) * u[i] * N.x + sympy.sin(q[i]) * u[i] * N.y)
        points.append(me.Particle(f"B{i}", p, 1))
        loads.append((p, -problems.G * N.y))
        last = p
    made = me.KanesMethod(N, q, u, kd_eqs=[a.diff() - b for a, b in zip(q, u)])
    made.kanes_equations(points, loads)
    rhs = generate_ode_function(
        made.forcing_full, q, u, constants=[], mass_matrix=made.mass_matrix_full, generator="lambdify")
    rhs(np.array(START), 0.0)
    return rhs


def scipy_run(rhs, y, end, tolerance):
    from scipy.integrate import solve_ivp
    return solve_ivp(rhs, (0, end), y, method="DOP853", rtol=tolerance, atol=tolerance).y[:, -1]


def scipy_penny(rhs, y, count):
    """impacts by solve_ivp's events and the map in closed form; the time of the last"""
    from scipy.integrate import solve_ivp

    def guard(side):
        def gap(t, y):
            X, Y = y[0] + side * P["R"] * math.cos(y[3]), y[1] + side * P["R"] * math.sin(y[3])
            return 1 - (X / P["a"]) ** 2 - (Y / P["b"]) ** 2
        gap.terminal, gap.direction = True, -1
        return gap
    sides, t, y = (1.0, -1.0), 0.0, np.array(y)
    guards = [guard(side) for side in sides]
    for _ in range(count):
        part = solve_ivp(rhs, (t, t + 100), y, method="DOP853", rtol=TOLERANCE, atol=TOLERANCE, events=guards)
        t, y = part.t[-1], part.y[:, -1].copy()
        penny_events.impact(y, next(side for side, found in zip(sides, part.t_events) if len(found)))
    return t


# heyoka

def heyoka_pendulum(tolerance=TOLERANCE):
    import heyoka as hy
    hy.llvm_state.set_diskcache_enabled(False)
    hy.llvm_state.memcache_limit = 0
    return hy.taylor_adaptive(lagrange.first_order("double_pendulum"), START, tol=tolerance, fast_math=True)


def heyoka_run(taylor):
    taylor.time, taylor.state[:] = 0.0, START
    taylor.propagate_until(END)
    return taylor.state.copy()


def heyoka_batch():
    import heyoka as hy
    equations = lagrange.first_order("double_pendulum")
    function = hy.cfunc([right for _, right in equations], vars=[left for left, _ in equations], fast_math=True)
    states = pendulum_states().T.copy()
    return lambda: function(states)


def heyoka_penny(tolerance=TOLERANCE):
    import heyoka as hy
    hy.llvm_state.set_diskcache_enabled(False)
    hy.llvm_state.memcache_limit = 0
    system, guards = penny_events.penny_system()
    hits = []

    def at(side):
        def callback(taylor, sign):
            penny_events.impact(taylor.state, side)
            hits.append(taylor.time)
            return len(hits) < IMPACTS
        return callback
    made = [hy.t_event(g, callback=at(e), direction=hy.event_direction.positive) for g, e in zip(guards, (1.0, -1.0))]
    taylor = hy.taylor_adaptive(system, PENNY, t_events=made, tol=tolerance, fast_math=True)

    def run(start=PENNY):
        taylor.time, taylor.state[:] = 0.0, start
        taylor.reset_cooldowns()
        hits.clear()
        taylor.propagate_until(1e9)
        return hits[-1]
    return run


# the rows

def pendulum_states():
    return np.random.default_rng(1).normal(size=(STATES, 4))


def numba_batch(rhs):
    import numba

    @numba.njit(parallel=True)
    def many(states):
        out = np.empty_like(states)
        for i in numba.prange(len(states)):
            out[i] = rhs(0.0, states[i])
        return out
    states = pendulum_states()
    many(states)
    return lambda: many(states)


def setups():
    """what each tool takes once, packages loaded; nothing was derived or compiled before"""
    import heyoka, numba, pydy.codegen, scipy.integrate, sympy.physics.mechanics  # noqa: F401, E401
    penny = eom.models.penny().source
    return [
        ("set-up, double pendulum: from its Lagrangian to the first right-hand side", None, {
            "eom": lambda: eom.system(PENDULUM).rhs(0, START),
            "heyoka": heyoka_pendulum,
            "SciPy, numba": lambda: compiled("double_pendulum"),
            "SymPy, PyDy": kane,
        }, 1),
        ("set-up, penny: two constraints, two contacts", None, {
            "eom": lambda: eom.system(penny).rhs(0, PENNY),
            "heyoka": heyoka_penny,
            "SciPy, numba": lambda: compiled("penny"),
        }, 1),
    ]


def rows():
    """title, error, and for each tool what is timed; what it gives is compared with the reference"""
    pendulum, penny = eom.system(PENDULUM), eom.models.penny()
    rhs, rolling = compiled("double_pendulum"), compiled("penny")
    taylor, hit = heyoka_pendulum(), heyoka_penny()
    by_kane = kane()
    best, last = heyoka_run(heyoka_pendulum(1e-16)), heyoka_penny(1e-16)()
    states, starts = np.asfortranarray(pendulum_states()), spins(PENNIES)
    point = dict(until=END, q0=START[:2], v0=START[2:], rtol=TOLERANCE, atol=TOLERANCE, t_eval=[END])
    q0, v0 = PENNY[:4], PENNY[4:]
    hits = dict(q0=q0, v0=v0, impacts=IMPACTS, method="taylor", rtol=TOLERANCE, atol=TOLERANCE)
    R = P["R"]
    over = [dict(theta_dot=a, phi_dot=b, y_dot=R * a) for a, b in starts]
    y0 = [problems.penny_start(*row) for row in starts]

    def state(y):
        return float(np.max(np.abs(y - best) / np.maximum(1, np.abs(best))))

    def impact(t):
        return abs(t - last)

    return [
        (f"one run of the double pendulum, {END:g} s, tolerance {TOLERANCE:g}", state, {
            "eom": lambda: pendulum.run(method="taylor", **point).y[:, -1],
            "heyoka": lambda: heyoka_run(taylor),
            "SciPy, numba": lambda: scipy_run(rhs, START, END, TOLERANCE),
            "SymPy, PyDy": lambda: scipy_run(lambda t, y: by_kane(y, t), START, END, TOLERANCE),
        }, 8),
        (f"one run of the penny, {IMPACTS} impacts", impact, {
            "eom": lambda: penny.run(**hits).events[-1].t,
            "heyoka": hit,
            "SciPy, numba": lambda: scipy_penny(rolling, PENNY, IMPACTS),
        }, 8),
        (f"a batch of {STATES:,} right-hand sides, double pendulum", None, {
            "eom": lambda: pendulum.rhs(0.0, states),  # in Fortran's order: numbers side by side, as heyoka takes them
            "heyoka": heyoka_batch(),
            "SciPy, numba": numba_batch(rhs),
        }, 8),
        (f"an ensemble of {PENNIES} pennies, {IMPACTS} impacts each", None, {
            "eom": lambda: penny.sweep(over, **hits)["t_end"],
            "heyoka": lambda: [hit(y) for y in y0],
            "SciPy, numba": lambda: [scipy_penny(rolling, y, IMPACTS) for y in y0[:4]],
        }, 3),
    ]


def measured(tools, turns):
    """the shortest processor time of each, which take turns; what they gave. A turn is as long as `TURN`, so that a short call
    is not measured with what the others have left in the caches; what is done in one turn alone is done once"""
    best, given = dict.fromkeys(tools, math.inf), {}
    for _ in range(turns):
        for name, work in tools.items():
            left = TURN if turns > 1 else 0.0
            while True:
                begin = time.process_time()
                given[name] = work()
                took = time.process_time() - begin
                best[name] = min(best[name], took)
                left -= took
                if left <= 0:
                    break
    return best, given


def shown(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            break
    return f"{seconds / size:.3g} {unit}"


def table(names, made):
    lines = ["| | " + " | ".join(names) + " | eom / best of the others |", "| --- " * (len(names) + 2) + "|"]
    for title, error, tools, turns in made:
        best, given = measured(tools, turns)
        if title.startswith("an ensemble"):
            # Four of them stand for all.
            best["SciPy, numba"] *= PENNIES / 4
        cells = []
        for name in names:
            if name not in best:
                cells.append("–")
                continue
            off = f" ({error(given[name]):.0e})" if error else ""
            cells.append(shown(best[name]) + off)
        ratio = best["eom"] / min(time for name, time in best.items() if name != "eom")
        lines.append(f"| {title} | " + " | ".join(cells) + f" | {ratio:.2g} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--out")
    out = arguments.parse_args().out
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}"
                         for name in ("heyoka", "scipy", "numba", "sympy", "pydy", "pin", "mujoco", "numpy"))
    # Those of the set-up are measured before the others are set up.
    work = (row for some in (setups, rows) for row in some())
    tables = [table(["eom", "heyoka", "SciPy, numba", "SymPy, PyDy"], work),
              table(["eom", "Pinocchio", "MuJoCo"], trees.rows())]
    text = f"""# From Python

Written by `benches/peers/python/from_python.py`: processor times of all threads, the shortest of calls in turns of 20 ms, on a
machine that others use too; compare the columns of one row. eom makes machine code of what it has derived when it is loaded, the
others compile; `eom_core` runs the same systems compiled (RESULTS.md). In parentheses the error beside heyoka at its
tightest, of the last state relative to max(1, |y|), or of the time of the last impact in s.

{datetime.date.today()}; {platform.machine()}, Python {platform.python_version()}; {versions}.

{tables[0]}

Accelerations of chains in space: eom from the Lagrangian, Pinocchio by articulated bodies, MuJoCo by `mj_forward`, with the error
beside Pinocchio, relative to the largest acceleration.

{tables[1]}
"""
    if out:
        with open(out, "w", encoding="utf-8") as file:
            file.write(text)


main()
