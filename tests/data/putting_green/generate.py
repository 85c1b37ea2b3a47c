"""Reference numbers for the systems of putting-green.txt on one green, in 30 digits.

Run with `python generate.py` in an environment that has mpmath; it writes `states.json` and
`trajectories.json` beside itself. It shares no code with the project. Newton's and Euler's equations of
a ball are solved as one linear system of its accelerations and reactions; nothing is eliminated by
hand, and the attitude is left out, since a ball is the same all round.

The green is z = f(x, y) = s y + h exp(−((x − a)² + y²)/w²).
"""

import json
import pathlib
import platform
import random

import mpmath as mp

HERE = pathlib.Path(__file__).parent
mp.mp.dps = 34
GREEN = {"s": "0.02", "h": "0.15", "a": "1.5", "w": "0.6"}
BALL = {"m": "0.0459", "R": "0.02135", "g": "9.81"}


def exact(table):
    """The doubles nearest to decimals, as the exact numbers that they are."""
    return {name: mp.mpf(float(value)) for name, value in table.items()}


s, h, a, w = exact(GREEN).values()
m, R, g = exact(BALL).values()
k2 = 2 * R**2 / 5


class Jet:
    """f and its derivatives up to the second at a point."""

    def __init__(self, x, y):
        u = x - a
        e = h * mp.exp(-(u**2 + y**2) / w**2)
        c = -2 / w**2
        self.f, self.x, self.y = s * y + e, c * u * e, s + c * y * e
        self.xx, self.xy, self.yy = (c + c**2 * u**2) * e, c**2 * u * y * e, (c + c**2 * y**2) * e

    @property
    def normal(self):
        """(−f_x, −f_y, 1), the gradient of z − f."""
        return [-self.x, -self.y, mp.mpf(1)]

    def bend(self, v):
        """z̈ − f_x ẍ − f_y ÿ on the surface."""
        return self.xx * v[0] ** 2 + 2 * self.xy * v[0] * v[1] + self.yy * v[1] ** 2


def cross(p, q):
    return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]


def dot(p, q):
    return mp.fsum(x * y for x, y in zip(p, q))


def slip(v, ω, n):
    """v + ω × (−R n̂)."""
    return [p + q for p, q in zip(v, cross(ω, [-R * c / mp.sqrt(dot(n, n)) for c in n]))]


def solve(rows):
    """Solves rows [coefficients, right side]."""
    return list(mp.lu_solve(mp.matrix([row[:-1] for row in rows]), mp.matrix([row[-1] for row in rows])))


def held(jet, v, force):
    """(v̇, λ): m v̇ = force(λ) + λ∇(z − f) − m g e₃ with z = f; the force is affine in λ."""
    n = jet.normal
    at_0, at_1 = force(mp.mpf(0)), force(mp.mpf(1))
    rows = []
    for i in range(3):
        row = [mp.mpf(0)] * 3 + [-n[i] - at_1[i] + at_0[i], at_0[i] - (m * g if i == 2 else 0)]
        row[i] = m
        rows.append(row)
    rows.append([-jet.x, -jet.y, mp.mpf(1), mp.mpf(0), jet.bend(v)])
    solution = solve(rows)
    return solution[:3], solution[3]


def newton(jet, v, ω, μ):
    """Section 3: friction −μ‖λN‖ v/‖v‖ at the contact. (v̇, ω̇, λ)"""
    n = jet.normal
    size = mp.sqrt(dot(n, n))
    speed = mp.sqrt(dot(v, v))
    friction = lambda λ: [-μ * λ * size * c / speed for c in v]
    acceleration, λ = held(jet, v, friction)
    torque = cross([-R * c / size for c in n], friction(λ))
    return acceleration, [c / (m * k2) for c in torque], λ


def rosen(jet, v, ω, μ):
    """(57)–(62): friction −(μ_x γ_x, μ_y γ_y, μ_z γ_z). (v̇, ω̇, λ)"""
    n = jet.normal
    drag = [-c * γ for c, γ in zip(μ, slip(v, ω, n))]
    acceleration, λ = held(jet, v, lambda λ: drag)
    torque = cross([-R * c / mp.sqrt(dot(n, n)) for c in n], drag)
    return acceleration, [c / (m * k2) for c in torque], λ


def rolling(jet, v, ω):
    """(47)–(56): the rate of v + ω × (−R n̂) is zero. (v̇, ω̇, force of the contact)"""
    n = jet.normal
    size = mp.sqrt(dot(n, n))
    n_dot = [-jet.xx * v[0] - jet.xy * v[1], -jet.xy * v[0] - jet.yy * v[1], mp.mpf(0)]
    unit = [c / size for c in n]
    unit_dot = [d / size - c * dot(n, n_dot) / size**3 for c, d in zip(n, n_dot)]
    turn = cross(ω, [-R * c for c in unit_dot])
    basis = [[mp.mpf(i == j) for j in range(3)] for i in range(3)]
    arm = [-R * c for c in unit]
    rows = []
    for i in range(3):  # m v̇ − F = −m g e₃
        rows.append([m * e for e in basis[i]] + [mp.mpf(0)] * 3 + [-e for e in basis[i]] + [-m * g * (i == 2)])
    for i in range(3):  # m k² ω̇ − arm × F = 0
        rows.append([mp.mpf(0)] * 3 + [m * k2 * e for e in basis[i]] + [-cross(arm, e)[i] for e in basis] + [mp.mpf(0)])
    for i in range(3):  # v̇ + ω̇ × arm = −ω × arm˙
        rows.append(list(basis[i]) + [cross(e, arm)[i] for e in basis] + [mp.mpf(0)] * 3 + [-turn[i]])
    solution = solve(rows)
    return solution[:3], solution[3:6], solution[6:]


def rolled(v, jet):
    """ω of a ball that rolls with v on the tangent plane and does not pivot: n̂ × v/R."""
    n = jet.normal
    return [c / (R * mp.sqrt(dot(n, n))) for c in cross(n, v)]


def integrate(f, y, t, end, tol=mp.mpf(10) ** -28):
    """(t, y) after each step of Gragg, Bulirsch and Stoer's method."""
    step = mp.mpf("0.02")
    yield t, y
    while t < end:
        step = min(step, end - t)
        table = []
        for j in range(1, 17):
            n = 2 * j
            d = step / n
            before, now = y, [p + d * q for p, q in zip(y, f(y))]
            for _ in range(n - 1):
                before, now = now, [p + 2 * d * q for p, q in zip(before, f(now))]
            row = [[(p + q + d * r) / 2 for p, q, r in zip(before, now, f(now))]]
            for i, last in enumerate(table[-1] if table else []):
                c = (mp.mpf(j) / (j - i - 1)) ** 2 - 1
                row.append([p + (p - q) / c for p, q in zip(row[i], last)])
            table.append(row)
            if j > 3 and max(abs(p - q) for p, q in zip(row[-1], row[-2])) < tol:
                break
        else:
            step /= 2
            continue
        t, y = t + step, row[-1]
        yield t, y


def flow(f, y, t, end):
    """y at the end."""
    *_, (_, last) = integrate(f, y, t, end)
    return last


def crossing(f, y, t, end, guard):
    """The first (t, y) at which the guard falls through 0, or None."""
    before = None
    for now in integrate(f, y, t, end):
        if before and guard(now[1]) < 0 <= guard(before[1]):
            value = lambda time: guard(flow(f, before[1], before[0], time))
            root = mp.findroot(value, (before[0], now[0]), solver="anderson", tol=mp.mpf(10) ** -27, verify=False)
            return root, flow(f, before[1], before[0], root)
        before = now
    return None


def on_surface(rates):
    """ẏ of y = (x, y, v_x, v_y, ω) on z = f."""
    def f(y):
        jet = Jet(y[0], y[1])
        v = [y[2], y[3], jet.x * y[2] + jet.y * y[3]]
        acceleration, spin, _ = rates(jet, v, y[4:])
        return [y[2], y[3], *acceleration[:2], *spin]
    return f


def whole(y):
    """(q, v) of a state on the surface: x, y, z and ẋ, ẏ, ż, ω."""
    jet = Jet(y[0], y[1])
    return [y[0], y[1], jet.f], [y[2], y[3], jet.x * y[2] + jet.y * y[3], *y[4:]]


def hop():
    """Section 5: the ball leaves the mound where λ = 0, flies, lands without restitution, goes on."""
    μ = [mp.mpf(float("0.05"))] * 3
    rates = lambda jet, v, ω: rosen(jet, v, ω, μ)
    f = on_surface(rates)
    start = [mp.mpf(0), mp.mpf(0.125), mp.mpf(5), mp.mpf(-0.25), mp.mpf(0), mp.mpf(0), mp.mpf(0)]
    end = mp.mpf(1.5)

    def reaction(y):
        jet = Jet(y[0], y[1])
        return rates(jet, whole(y)[1][:3], y[4:])[2]

    events, t, y = [], mp.mpf(0), start
    while (lost := crossing(f, y, t, end, reaction)) is not None:
        t0, y0 = lost
        q0, v0 = whole(y0)
        events.append({"event": "release", "t": t0, "q": q0, "v": v0})
        arc = lambda τ: [q0[0] + v0[0] * τ, q0[1] + v0[1] * τ, q0[2] + v0[2] * τ - g * τ**2 / 2]
        gap = lambda τ: arc(τ)[2] - Jet(*arc(τ)[:2]).f
        τ = mp.mpf("0.001")  # The gap grows as τ³ at first.
        while gap(τ) > 0:
            τ += mp.mpf("0.001")
        τ = mp.findroot(gap, (τ - mp.mpf("0.001"), τ), solver="anderson", tol=mp.mpf(10) ** -60, verify=False)
        q, v = arc(τ), [v0[0], v0[1], v0[2] - g * τ]
        n = Jet(*q[:2]).normal
        c = dot(n, v) / dot(n, n)
        after = [p - c * d for p, d in zip(v, n)]
        t, y = t0 + τ, [q[0], q[1], after[0], after[1], *y0[4:]]
        events.append({"event": "landing", "t": t, "q": q, "v_minus": [*v, *y0[4:]], "v": [*after, *y0[4:]]})
    q, v = whole(flow(f, y, t, end))
    q0, v0 = whole(start)
    return {"mu": μ[0], "start": {"t": 0, "q": q0, "v": v0}, "events": events, "end": {"t": end, "q": q, "v": v}}


def roll():
    """Pure rolling over the mound, from a start without pivoting."""
    x, y, vx, vy = mp.mpf(0), mp.mpf(0.125), mp.mpf(2), mp.mpf(-0.25)
    jet = Jet(x, y)
    start = [x, y, vx, vy, *rolled([vx, vy, jet.x * vx + jet.y * vy], jet)]
    end = mp.mpf(1)
    q, v = whole(flow(on_surface(rolling), start, mp.mpf(0), end))
    q0, v0 = whole(start)
    return {"start": {"t": 0, "q": q0, "v": v0}, "end": {"t": end, "q": q, "v": v}}


def skid():
    """Section 3: Newton's ball over the mound."""
    μ = mp.mpf(float("0.2"))
    start = [mp.mpf(0), mp.mpf(0.125), mp.mpf(3), mp.mpf(-0.25), mp.mpf(0), mp.mpf(0), mp.mpf(0)]
    end = mp.mpf(0.75)
    f = on_surface(lambda jet, v, ω: newton(jet, v, ω, μ))
    q, v = whole(flow(f, start, mp.mpf(0), end))
    q0, v0 = whole(start)
    return {"mu": μ, "start": {"t": 0, "q": q0, "v": v0}, "end": {"t": end, "q": q, "v": v}}


def hemisphere():
    """Section 4.1: the angle from (21) with θ̇₀ squared, the time as the integral of dθ/θ̇ with (20)."""
    radius, rate = mp.mpf(float("0.5")), mp.mpf(float("1.5"))
    angle = mp.acos(mp.mpf(2) / 3 + radius * rate**2 / (3 * g))
    speed = lambda θ: mp.sqrt(rate**2 + 2 * g / radius * (1 - mp.cos(θ)))
    return {"R": radius, "rate": rate, "angle": angle, "rate_at_release": speed(angle),
            "t": mp.quad(lambda θ: 1 / speed(θ), [0, angle])}


def states():
    """Accelerations and the reactions at random states on the surface."""
    source = random.Random(20070127)
    draw = lambda: mp.mpf(source.randint(-1536, 1536)) / 1024
    rows = []
    for _ in range(6):
        x, y, vx, vy, *ω = (draw() for _ in range(7))
        jet = Jet(x, y)
        v = [vx, vy, jet.x * vx + jet.y * vy]
        μ = [mp.mpf(source.randint(64, 512)) / 1024 for _ in range(3)]
        spun = rolled(v, jet)
        row = {"q": [x, y, jet.f], "v": [*v, *ω], "mu": μ, "rolling_v": [*v, *spun]}
        for name, (acceleration, spin, λ) in {
            "newton": newton(jet, v, ω, μ[0]), "rosen": rosen(jet, v, ω, μ), "rolling": rolling(jet, v, spun),
        }.items():
            row[name] = {"accelerations": [*acceleration, *spin], "multipliers": λ if name == "rolling" else [λ]}
        rows.append(row)
    return rows


def plain(value):
    """Numbers as the nearest doubles."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if isinstance(value, str) else float(value)


def write(name, content):
    made = f"generate.py, mpmath {mp.__version__}, Python {platform.python_version()}"
    text = json.dumps(plain({"made": made, "green": exact(GREEN), "ball": exact(BALL), **content}), indent=1)
    (HERE / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write("states", {"states": states()})
    write("trajectories", {"hemisphere": hemisphere(), "roll": roll(), "skid": skid(), "hop": hop()})
