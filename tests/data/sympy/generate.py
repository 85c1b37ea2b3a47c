"""Reference accelerations, multipliers and energies of six systems, by SymPy.

Run with `python generate.py` in an environment that has sympy and mpmath; it writes one
JSON file a system beside itself. It shares no code with the project.

Lagrange's equations are formed by differentiating along functions of t,

    E_i = d/dt ∂L/∂v_i − ∂L/∂q_i + ∂D/∂v_i = (Aᵀλ)_i,    d/dt (A v + b) = 0,

and are solved for the accelerations and λ as one linear system, in 40 digits. Nothing is
eliminated by hand. Every input is a double, taken as the exact number that it is.
"""

import json
import pathlib
import platform
import random
from dataclasses import dataclass, field

import mpmath as mp
import sympy as sp
from sympy import Rational, cos, sin, symbols

HERE = pathlib.Path(__file__).parent
STATES, DIGITS = 5, 40
t = sp.Symbol("t")


@dataclass
class System:
    """A declaration: T, V, D in q, v, t; `rows` are A v + b; `follows` are the indices of
    the velocities that the rows determine; `declaration` says it in the project's language."""

    name: str
    q: list
    v: list
    parameters: dict
    kinetic: object
    potential: object
    declaration: str
    dissipation: object = sp.Integer(0)
    rows: list = field(default_factory=list)
    follows: list = field(default_factory=list)


def coordinates(names):
    q = list(symbols(names, real=True, seq=True))
    return q, [sp.Symbol(f"{x}_dot", real=True) for x in q]


def rate(f, q, v):
    """d/dt of a function of t and q."""
    return sp.diff(f, t) + sum(sp.diff(f, x) * u for x, u in zip(q, v))


def penny():
    q, v = coordinates("x y theta phi")
    R, m, I, J = symbols("R m I J")
    φ = q[3]
    return System(
        "penny", q, v, {R: 0.01, m: 0.0025, I: 1.25e-7, J: 6.25e-8},
        m / 2 * (v[0] ** 2 + v[1] ** 2) + I / 2 * v[2] ** 2 + J / 2 * v[3] ** 2, sp.Integer(0),
        "coordinates { x, y, theta, phi } kinetic = m/2*(x_dot^2 + y_dot^2) + I/2*theta_dot^2"
        " + J/2*phi_dot^2; constraints { roll_x: dx - R*cos(phi)*dtheta; roll_y: dy - R*sin(phi)*dtheta; }",
        rows=[v[0] - R * cos(φ) * v[2], v[1] - R * sin(φ) * v[2]], follows=[0, 1],
    )  # fmt: skip


def double_pendulum():
    q, v = coordinates("q0 q1")
    g = sp.Symbol("g")
    T, V, vx, vy, height = 0, 0, 0, 0, 0
    for angle, u in zip(q, v):
        vx, vy, height = vx + cos(angle) * u, vy + sin(angle) * u, height - cos(angle)
        T, V = T + (vx**2 + vy**2) / 2, V + g * height
    return System(
        "double_pendulum", q, v, {g: 9.81}, T, V,
        "coordinates { q0, q1 } (angles from the downward vertical, unit rods and masses)"
        " let X0 = sin(q0); let Y0 = -cos(q0); let X1 = X0 + sin(q1); let Y1 = Y0 - cos(q1);"
        " kinetic = (X0_dot^2 + Y0_dot^2 + X1_dot^2 + Y1_dot^2)/2; potential = g*(Y0 + Y1);",
    )  # fmt: skip


def particle():
    q, v = coordinates("x y")
    m, g = symbols("m g")
    f = Rational(3, 10) * sin(q[0]) * cos(2 * q[1])
    return System(
        "particle", q, v, {m: 1.0, g: 9.81},
        m / 2 * (v[0] ** 2 + v[1] ** 2 + rate(f, q, v) ** 2), m * g * f,
        "coordinates { x, y } let f = 0.3*sin(x)*cos(2*y);"
        " kinetic = m/2*(x_dot^2 + y_dot^2 + f_dot^2); potential = m*g*f;",
    )  # fmt: skip


def chaplygin_sleigh():
    q, v = coordinates("x y theta")
    m, J, a = symbols("m J a")
    X, Y, θ = q[0] + a * cos(q[2]), q[1] + a * sin(q[2]), q[2]
    return System(
        "chaplygin_sleigh", q, v, {m: 1.5, J: 0.375, a: 0.25},
        m / 2 * (rate(X, q, v) ** 2 + rate(Y, q, v) ** 2) + J / 2 * v[2] ** 2, sp.Integer(0),
        "coordinates { x, y, theta } (x, y the blade; the centre of mass at distance a ahead)"
        " let X = x + a*cos(theta); let Y = y + a*sin(theta);"
        " kinetic = m/2*(X_dot^2 + Y_dot^2) + J/2*theta_dot^2;"
        " constraints { blade: cos(theta)*dy - sin(theta)*dx; }",
        rows=[cos(θ) * v[1] - sin(θ) * v[0]], follows=[1],
    )  # fmt: skip


def rheonomic_pendulum():
    q, v = coordinates("theta")
    m, l, g, A, Ω, c = symbols("m l g A Omega c")
    X, Y = l * sin(q[0]), A * cos(Ω * t) - l * cos(q[0])
    return System(
        "rheonomic_pendulum", q, v, {m: 0.75, l: 1.25, g: 9.81, A: 0.125, Ω: 3.5, c: 0.0625},
        m / 2 * (rate(X, q, v) ** 2 + rate(Y, q, v) ** 2), m * g * Y,
        "coordinates { theta } let X = l*sin(theta); let Y = A*cos(Omega*t) - l*cos(theta);"
        " kinetic = m/2*(X_dot^2 + Y_dot^2); potential = m*g*Y; dissipation = c/2*theta_dot^2;",
        dissipation=c / 2 * v[0] ** 2,
    )  # fmt: skip


def knife_edge():
    q, v = coordinates("x y phi")
    m, J, g, α = symbols("m J g alpha")
    φ = q[2]
    return System(
        "knife_edge", q, v, {m: 0.5, J: 0.125, g: 9.81, α: 0.4375},
        m / 2 * (v[0] ** 2 + v[1] ** 2) + J / 2 * v[2] ** 2, -m * g * q[0] * sin(α),
        "coordinates { x, y, phi } (x down the slope) kinetic = m/2*(x_dot^2 + y_dot^2) + J/2*phi_dot^2;"
        " potential = -m*g*x*sin(alpha); constraints { edge: sin(phi)*dx - cos(phi)*dy; }",
        rows=[sin(φ) * v[0] - cos(φ) * v[1]], follows=[0],
    )  # fmt: skip


def equations(s):
    """The linear system K [a; λ] = r as expressions in t, q, v and the parameters."""
    n, k = len(s.q), len(s.rows)
    path = [sp.Function(f"path_{x}")(t) for x in s.q]
    a = [sp.Symbol(f"{x}_ddot") for x in s.q]
    λ = list(symbols(f"lambda_0:{k}"))
    along = {**dict(zip(s.q, path)), **{u: sp.diff(p, t) for u, p in zip(s.v, path)}}

    def at_state(e):
        e = e.subs({sp.diff(p, t, 2): x for p, x in zip(path, a)})
        e = e.subs({sp.diff(p, t): u for p, u in zip(path, s.v)})
        return e.subs(dict(zip(path, s.q)))

    def d_dt(e):
        return at_state(sp.diff(e.subs(along), t))

    L = s.kinetic - s.potential
    residuals = [
        d_dt(sp.diff(L, s.v[i])) - sp.diff(L, s.q[i]) + sp.diff(s.dissipation, s.v[i])
        - sum(sp.diff(row, s.v[i]) * λ[j] for j, row in enumerate(s.rows))
        for i in range(n)
    ]  # fmt: skip
    residuals += [d_dt(row) for row in s.rows]
    unknowns = a + λ
    K = sp.Matrix([[sp.diff(e, z) for z in unknowns] for e in residuals])
    r = sp.Matrix([-e.subs({z: 0 for z in unknowns}) for e in residuals])
    return K, r


def on_rows(s, values):
    """The velocities named in `follows`, solved from the rows and rounded to doubles."""
    unknown = [s.v[i] for i in s.follows]
    solved = sp.solve(s.rows, unknown, dict=True)[0]
    for u in unknown:
        values[u] = float(evaluate(s, solved[u], values))


def evaluate(s, e, values):
    names = [t, *s.q, *s.v, *s.parameters]
    inputs = [mp.mpf(values[x]) if x in values else mp.mpf(s.parameters[x]) for x in names]
    return sp.lambdify(names, e, modules="mpmath")(*inputs)


def draw(rng, low, high):
    """A multiple of 1/1024, so that its decimal form is exact and short."""
    return rng.randint(int(low * 1024), int(high * 1024)) / 1024


def state(s, rng, K, r, constrained):
    values = {t: draw(rng, 0, 5)}
    values |= {x: draw(rng, -3, 3) for x in s.q} | {u: draw(rng, -4, 4) for u in s.v}
    if constrained and s.rows:
        on_rows(s, values)
    solution = mp.lu_solve(evaluate(s, K, values), evaluate(s, r, values))
    numbers, n = [float(mp.chop(z, mp.mpf(10) ** (5 - DIGITS))) for z in solution], len(s.q)
    return {
        "t": values[t],
        "q": [values[x] for x in s.q],
        "v": [values[u] for u in s.v],
        "on_constraints": constrained or not s.rows,
        "accelerations": numbers[:n],
        "multipliers": numbers[n:],
        "kinetic": float(evaluate(s, s.kinetic, values)),
        "potential": float(evaluate(s, s.potential, values)),
    }


def check(name, actual, expected):
    """Agreement to rounding with a closed form from the literature."""
    for x, y in zip(actual, expected, strict=True):
        assert abs(x - y) <= 1e-12 * max(1, abs(y)), (name, actual, expected)


def closed_forms(name, p, state):
    """Hand-solved motions, for the states on the constraints."""
    q, v = [mp.mpf(x) for x in state["q"]], [mp.mpf(x) for x in state["v"]]
    found = state["accelerations"] + state["multipliers"]
    if name == "penny":
        x, y = -p["R"] * v[2] * v[3] * mp.sin(q[3]), p["R"] * v[2] * v[3] * mp.cos(q[3])
        check(name, found, [x, y, 0, 0, p["m"] * x, p["m"] * y])
    if name == "double_pendulum":
        # 2 a₀ + cos δ a₁ = −sin δ v₁² − 2 g sin q₀, cos δ a₀ + a₁ = sin δ v₀² − g sin q₁.
        c, s = mp.cos(q[0] - q[1]), mp.sin(q[0] - q[1])
        r0 = -s * v[1] ** 2 - 2 * p["g"] * mp.sin(q[0])
        r1 = s * v[0] ** 2 - p["g"] * mp.sin(q[1])
        check(name, found, [(r0 - c * r1) / (2 - c**2), (2 * r1 - c * r0) / (2 - c**2)])
    if name == "particle":
        # a = −∇f (vᵀ∇²f v + g)/(1 + |∇f|²), f = 0.3 sin x cos 2y.
        k, sx, cx = mp.mpf(3) / 10, mp.sin(q[0]), mp.cos(q[0])
        s2, c2 = mp.sin(2 * q[1]), mp.cos(2 * q[1])
        fx, fy = k * cx * c2, -2 * k * sx * s2
        bend = -k * sx * c2 * v[0] ** 2 - 4 * k * cx * s2 * v[0] * v[1] - 4 * k * sx * c2 * v[1] ** 2
        push = -(bend + p["g"]) / (1 + fx**2 + fy**2)
        check(name, found, [fx * push, fy * push])
    if name == "chaplygin_sleigh":
        # u̇ = a ω², (J + m a²) ω̇ = −m a u ω with u along the blade.
        c, s, ω = mp.cos(q[2]), mp.sin(q[2]), v[2]
        u = v[0] * c + v[1] * s
        u_dot, ω_dot = p["a"] * ω**2, -p["m"] * p["a"] * u * ω / (p["J"] + p["m"] * p["a"] ** 2)
        λ = p["m"] * (u * ω + p["a"] * ω_dot)
        check(name, found, [u_dot * c - u * ω * s, u_dot * s + u * ω * c, ω_dot, λ])
    if name == "rheonomic_pendulum":
        lift = -p["A"] * p["Omega"] ** 2 * mp.cos(p["Omega"] * state["t"])
        θ2 = -(p["g"] + lift) / p["l"] * mp.sin(q[0]) - p["c"] * v[0] / (p["m"] * p["l"] ** 2)
        check(name, found, [θ2])
    if name == "knife_edge":
        c, s, ω = mp.cos(q[2]), mp.sin(q[2]), v[2]
        u, pull = v[0] * c + v[1] * s, p["g"] * mp.sin(p["alpha"])
        u_dot = pull * c
        λ = p["m"] * (-u * ω - pull * s)
        check(name, found, [u_dot * c - u * ω * s, u_dot * s + u * ω * c, 0, λ])


def write(s):
    rng = random.Random(s.name)
    K, r = equations(s)
    states = [state(s, rng, K, r, True) for _ in range(STATES)]
    if s.rows:
        states.append(state(s, rng, K, r, False))
    parameters = {str(name): value for name, value in s.parameters.items()}
    for each in states:
        if each["on_constraints"]:
            closed_forms(s.name, parameters, each)
    made = f"generate.py, sympy {sp.__version__}, mpmath {mp.__version__}, Python {platform.python_version()}"
    content = {
        "system": s.name,
        "made": made,
        "lagrangian": s.declaration,
        "parameters": parameters,
        "states": states,
    }
    with open(HERE / f"{s.name}.json", "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1, ensure_ascii=False)
        file.write("\n")
    print(s.name, len(states))


def main():
    mp.mp.dps = DIGITS
    for system in (penny, double_pendulum, particle, chaplygin_sleigh, rheonomic_pendulum, knife_edge):
        write(system())


if __name__ == "__main__":
    main()
