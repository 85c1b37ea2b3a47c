"""Which printed equations of putting-green.txt follow, decided by SymPy and random numbers.

Run with `python equations.py` in an environment that has sympy and mpmath; it writes
`equations.tsv` beside itself. It shares no code with the project.

f is an arbitrary function: f_x, f_y, f_xx, f_xy, f_yy are independent numbers. Each system is solved
by Newton and Euler or by Lagrange as a linear system in the accelerations and the reactions, at
random states in 40 digits. A printed equation follows where its residual is below 10⁻³⁰ at each
state. Where it does not follow, a corrected form is decided in the same way and must follow.
"""

import pathlib
import random

import mpmath as mp
import sympy as sp
from sympy import Matrix, Rational, acos, cos, diff, sin, sqrt

HERE = pathlib.Path(__file__).parent
STATES, DIGITS = 6, 40
# Parameters: positive. State and jet of f: any sign.
m, g, R, k, μ, μx, μy, μz = PARAMETERS = sp.symbols("m g R k mu mu_x mu_y mu_z", positive=True)
x, y, z, ψ, θ, φ = sp.symbols("x y z psi theta phi", real=True)
vx, vy, vz, ψd, θd, φd = sp.symbols("x_dot y_dot z_dot psi_dot theta_dot phi_dot", real=True)
ax, ay, az, ψdd, θdd, φdd = sp.symbols("x_ddot y_ddot z_ddot psi_ddot theta_ddot phi_ddot", real=True)
fx, fy, fxx, fxy, fyy = sp.symbols("f_x f_y f_xx f_xy f_yy", real=True)
ωx, ωy, ωz, αx, αy, αz, λ, λx, λy, λz = sp.symbols("w_x w_y w_z a_x a_y a_z lam l_x l_y l_z", real=True)
N = 1 + fx**2 + fy**2
normal = Matrix([-fx, -fy, 1])
n = normal / sqrt(N)
f_dot = fx * vx + fy * vy
bend = fxx * vx**2 + 2 * fxy * vx * vy + fyy * vy**2
ROWS = []


def evaluate(expressions, values):
    """The values of expressions whose symbols have values."""
    symbols = sorted({s for e in expressions for s in e.free_symbols}, key=str)
    return sp.lambdify(symbols, expressions, "mpmath")(*(values[s] for s in symbols))


class Motion:
    """What determines symbols at a state: the expressions `first`, then equations linear in
    unknowns, then the expressions `after`. Every other symbol is free."""

    def __init__(self, equations=(), unknowns=(), first=None, after=None):
        self.first, self.unknowns, self.after = first or {}, list(unknowns), after or {}
        self.matrix, self.right = sp.linear_eq_to_matrix(list(equations), self.unknowns) if unknowns else (None, None)

    def values(self, symbols, seed):
        """Every symbol at the state of this seed; parameters are positive."""
        expressions = [*self.first.values(), *self.after.values()]
        entries = [*self.matrix, *self.right] if self.unknowns else []
        symbols = symbols.union(*(e.free_symbols for e in [*expressions, *entries]), PARAMETERS)
        values = {}
        for s in symbols:
            size = mp.mpf(random.Random(f"{seed} {s}").randint(-2000, 2000) or 1) / 1000
            values[s] = abs(size) + mp.mpf(1) / 5 if s.is_positive else size
        for s, e in self.first.items():
            values[s] = evaluate([e], values)[0]
        if self.unknowns:
            n = len(self.unknowns)
            numbers = evaluate(entries, values)
            matrix = mp.matrix([numbers[i * n:(i + 1) * n] for i in range(n)])
            solved = mp.lu_solve(matrix, mp.matrix(numbers[n * n:]))
            values.update(zip(self.unknowns, solved))
        for s, e in self.after.items():
            values[s] = evaluate([e], values)[0]
        return values

def residual(sides, motion):
    """The largest |left − right| at random states, relative to the sides."""
    worst = mp.mpf(0)
    sides = [sp.sympify(s) for s in sides]
    for seed in range(STATES):
        values = motion.values(set().union(*(s.free_symbols for s in sides)), seed)
        left, right = evaluate(sides, values)
        worst = max(worst, abs(left - right) / max(abs(left), abs(right), mp.mpf(1)))
    return worst


def decide(number, motion, printed, corrected=None, reason=""):
    """One row of the table; the lists are the components of a vector equation."""
    def largest(pairs):
        pairs = pairs if isinstance(pairs, list) else [pairs]
        return max(residual(pair, motion) for pair in pairs)

    off = largest(printed)
    follows = off < mp.mpf(10) ** -30
    if corrected is None:
        assert follows, (number, off)
    else:
        assert not follows, number
        assert largest(corrected) < mp.mpf(10) ** -30, number
    ROWS.append((number, "follows" if follows else "erratum", reason))


def note(number, verdict, reason):
    ROWS.append((number, verdict, reason))


def equal(left, right):
    return [(a, b) for a, b in zip(left, right)]


def lagrange(L, K, q, v, a, force):
    """d/dt ∂L/∂v − ∂L/∂q + ∂K/∂v − force, with d/dt along q̇ = v, v̇ = a; f through its jet."""
    def d_dt(e):
        return sum(diff(e, s) * u for s, u in zip(q, v)) + sum(diff(e, s) * u for s, u in zip(v, a))
    return [d_dt(diff(L, u)) - diff(L, s) + diff(K, u) - F for s, u, F in zip(q, v, force)]


def particle():
    """Sections 2: Newton with the normal force λ N and friction −μẋ, −μẏ on the coordinates."""
    note("1", "definition", "position of the particle")
    decide("2", Motion(first={vz: f_dot}), (vz, f_dot), reason="the rate of r_p on the surface")
    decide("3", Motion(first={vz: f_dot}), (m / 2 * (vx**2 + vy**2 + vz**2),
                              m / 2 * (vx**2 + vy**2 + (vx * fx + vy * fy) ** 2)), reason="T; V = mgf")
    def newton(friction):
        # The equations of Lagrange in x, y are the projections of Newton's on the tangents.
        return Motion([m * ax + fx * m * az + m * g * fx + friction * vx,
                       m * ay + fy * m * az + m * g * fy + friction * vy,
                       az - fx * ax - fy * ay - bend], [ax, ay, az])
    free = newton(0)
    def bent(cross):
        return fxx * vx**2 + cross * fxy * vx * vy + fyy * vy**2 + g
    why = "the cross term of z̈ is 2ẋẏ f_xy, as in (6) and (8)"
    decide("4a", free, (ax, -fx * (ay * fy + bent(1)) / (1 + fx**2)),
           (ax, -fx * (ay * fy + bent(2)) / (1 + fx**2)), why)
    decide("4b", free, (ay, -fy * (vx * fx + bent(1)) / (1 + fy**2)),
           (ay, -fy * (ax * fx + bent(2)) / (1 + fy**2)), why + "; ẋ f_x stands for ẍ f_x")
    assert residual((ay, -fy * (ax * fx + bent(1)) / (1 + fy**2)), free) > 1e-3, "ẍ alone is not enough"
    assert residual((ay, -fy * (vx * fx + bent(2)) / (1 + fy**2)), free) > 1e-3, "nor is the 2"
    decide("5a", free, (ax, -fx * bent(1) / N), (ax, -fx * bent(2) / N), why)
    decide("5b", free, (ay, -fy * bent(1) / N), (ay, -fy * bent(2) / N), why)
    damped = newton(μ)
    decide("6a", damped, (ax, (-μ * vx - g * m * fx - m * vx**2 * fx * fxx - 2 * m * vx * vy * fx * fxy
                               + μ * vy * fx * fy - μ * vx * fy**2 - m * vy**2 * fx * fyy) / (m * N)),
           reason="∂f/∂y² read as (∂f/∂y)²; it has the 2 that (4), (5) lack")
    decide("6b", damped, (ay, (-μ * vy - g * m * fy - m * vx**2 * fxx * fy - 2 * m * vx * vy * fxy * fy
                               + μ * vx * fx * fy - μ * vy * fx**2 - m * vy**2 * fy * fyy) / (m * N)),
           reason="∂f/∂x² read as (∂f/∂x)²")


def newton_ball():
    """Section 3: m a = λ N + F_f − m g e₃, I α = −R n̂ × F_f, F_f = −μ‖λN‖ v/‖v‖, z = f."""
    v = Matrix([vx, vy, f_dot])
    speed = sqrt(v.dot(v))
    friction = -μ * λ * sqrt(N) * v / speed
    total = λ * normal + friction - Matrix([0, 0, m * g])
    arm = -R * n
    torque = arm.cross(friction)
    inertia = Rational(2, 5) * m * R**2
    def on(jet):
        """The motion where f has this jet."""
        equations = [*(m * Matrix([ax, ay, az]) - total), az - fx * ax - fy * ay - bend]
        spin = {s: e / inertia for s, e in zip((αx, αy, αz), torque)}
        return Motion(equations, [ax, ay, az, λ], {**jet, vz: f_dot}, spin)
    ball = on({})
    tangents = Matrix([1, 0, fx]), Matrix([0, 1, fy])
    decide("7", Motion(), equal(tangents[0].cross(tangents[1]) / sqrt(N), n), reason="the cross product of the tangents")
    decide("8", ball, (az, fx * ax + fy * ay + fxx * vx**2 + fyy * vy**2 + 2 * vx * vy * fxy),
           reason="second derivative of z = f")
    F = m * (g + fxx * vx**2 + fyy * vy**2 + 2 * vx * vy * fxy) / N
    decide("9", ball, (λ, F), reason="λ of z − f = 0: the force of friction is tangent and does not enter")
    decide("10", ball, equal(λ * normal, [-fx * F, -fy * F, F]), reason="λ∇(z − f)")
    C = F * sqrt(1 + fx**2 + fy**2) / sqrt(vx**2 + vy**2 + (fx * vx + fy * vy) ** 2)
    decide("11", ball, equal(friction, [-μ * vx * C, -μ * vy * C, -μ * C * (fx * vx + fy * vy)]),
           reason="−μ‖F_N‖ v/‖v‖")
    decide("12a", ball, (ax, -fx * F / m - μ / m * vx * C), reason="Newton")
    decide("12b", ball, (ay, -fy * F / m - μ / m * vy * C), reason="Newton")
    decide("12c", ball, (az, -g + F / m - μ / m * (fx * vx + fy * vy) * C), reason="Newton")
    S = 2 * m * R * sqrt(vx**2 + vy**2 + (vx * fx + vy * fy) ** 2)
    decide("13a", ball, (αx, -5 * μ * (vx * fx * fy + vy * (1 + fy**2)) * F / S), reason="∂f²/∂y read as (∂f/∂y)²")
    decide("13b", ball, (αy, 5 * μ * (vx * (1 + fx**2) + vy * fx * fy) * F / S), reason="∂f²/∂x read as (∂f/∂x)²")
    decide("13c", ball, (αz, 5 * μ * (-vy * fx + vx * fy) * F / S), reason="Euler")
    flat = on({s: sp.Integer(0) for s in (fx, fy, fxx, fxy, fyy)})
    plane = sqrt(vx**2 + vy**2)
    decide("14a", flat, (ax, -g * μ * vx / plane), reason="f constant")
    decide("14b", flat, (ay, -g * μ * vy / plane), reason="f constant")
    decide("14c", flat, (az, 0), reason="f constant")
    decide("14d", flat, (sqrt(αx**2 + αy**2 + αz**2), 5 * g * μ / (2 * R)),
           reason="ω̇ read as the magnitude; as a vector it is 5gμ/(2R) (−ẏ, ẋ, 0)/‖v‖")


def hemisphere():
    """Section 4.1: polar coordinates, from the Cartesian acceleration of (15)."""
    r, rd, rdd, w0 = sp.symbols("r r_dot r_ddot w_0", positive=True)
    e_r, e_θ = Matrix([sin(θ), cos(θ)]), Matrix([cos(θ), -sin(θ)])
    def rate(e):
        return (diff(e, r) * rd + diff(e, θ) * θd + diff(e, rd) * rdd + diff(e, θd) * θdd)
    position = r * e_r
    velocity = rate(position)
    acceleration = rate(velocity)
    force = λ * e_r - m * g * Matrix([0, 1])
    free = Motion(m * acceleration - force, [rdd, θdd])
    note("15", "definition", "position of the particle")
    decide("16", Motion(), equal(velocity, [rd * sin(θ) + r * θd * cos(θ), rd * cos(θ) - r * θd * sin(θ)]),
           reason="the rate of (15)")
    decide("17", Motion(), (m / 2 * velocity.dot(velocity), m / 2 * (rd**2 + r**2 * θd**2)), reason="T; V = mgr cos θ")
    decide("18a", free, (rdd, r * θd**2 - g * cos(θ) + λ / m), reason="Newton along r")
    decide("18b", free, (θdd, g / r * sin(θ)), (θdd, g / r * sin(θ) - 2 * rd * θd / r),
           "r is free: the term −2ṙθ̇/r is lost; the printed form holds while ṙ = 0")
    note("18c", "definition", "the gap of the contact")
    held = [e.subs({rdd: 0, rd: 0, r: R}) for e in m * acceleration - force]
    loss = {θ: acos(sp.exp(-sp.Symbol("s", real=True) ** 2)), θd: sqrt(g / R * cos(θ))}
    decide("19", Motion(held, [θdd, λ], loss), (λ, 0), reason="λ = 0 on r = R, with cos θ* > 0")
    square = w0**2 + 2 * g / R * (1 - cos(θ))
    decide("20", Motion(held, [θdd, λ]), (diff(square, θ) * θd, 2 * θd * θdd),
           reason="the integral of θ̈ that is θ̇₀ at θ = 0")
    angle = Rational(2, 3) + R / (3 * g) * w0
    def meets(c):
        """(20) against the square of (19) where cos θ* = c."""
        return w0**2 + 2 * g / R * (1 - c), g / R * c
    decide("21", Motion(), meets(angle), meets(Rational(2, 3) + R / (3 * g) * w0**2),
           "θ̇₀ is squared; as printed the argument of cos⁻¹ has a unit")


def rosen_ball():
    """Section 4.2. The printed ω (26)–(28) enter K_f as they stand."""
    note("22", "definition", "the dissipation function")
    note("23", "general", "Lagrange's equations with a dissipation function")
    note("24", "definition", "velocity of the centre")
    body = [φd * sin(θ) * sin(ψ) + θd * cos(ψ), φd * cos(ψ) * sin(θ) - θd * sin(ψ), φd * cos(θ) + ψd]
    def about_3(s):
        return Matrix([[cos(s), -sin(s), 0], [sin(s), cos(s), 0], [0, 0, 1]])
    def about_1(s):
        return Matrix([[1, 0, 0], [0, cos(s), -sin(s)], [0, sin(s), cos(s)]])
    # Space-two 3-1-3: turned about the fixed axes 3, 1, 3 by ψ, θ, φ in this order.
    turned = about_3(φ) * about_1(θ) * about_3(ψ)
    turned_dot = diff(turned, ψ) * ψd + diff(turned, θ) * θd + diff(turned, φ) * φd
    def vee(W):
        return [W[2, 1], W[0, 2], W[1, 0]]
    space = vee(turned_dot * turned.T)
    decide("25", Motion(), equal(space, body), equal(space, turned * Matrix(body)),
           "(26)–(28) are components along the axes of the ball, not along e₁, e₂, e₃")
    in_body = vee(turned.T * turned_dot)
    for number, printed, right in zip(("26", "27", "28"), body, in_body):
        decide(number, Motion(), (right, printed), reason="body axes; space-two 3-1-3 by ψ, θ, φ")
    K = lambda w: m / 2 * (vx**2 + vy**2 + vz**2) + m * k**2 / 2 * sum(s**2 for s in w)
    T = m / 2 * (vx**2 + vy**2 + vz**2) + m * k**2 / 2 * (θd**2 + φd**2 + ψd**2 + 2 * φd * ψd * cos(θ))
    height = sp.Symbol("f", real=True)
    decide("29", Motion(), (K(body) - m * g * z, T - m * g * height), (K(body) - m * g * z, T - m * g * z),
           "z is a coordinate of its own: V = mgz, from which (37) has its gm; mgf would pull sideways in flight")
    note("30", "definition", "")
    r = R
    def slips(w):
        return [vx - r / sqrt(N) * (w[1] + w[2] * fy), vy + r / sqrt(N) * (w[0] + w[2] * fx),
                vz + r / sqrt(N) * (w[0] * fy - w[1] * fx)]
    W = [ωx, ωy, ωz]
    contact = Matrix([vx, vy, vz]) + Matrix(W).cross(-R * n)
    for number, left, right in zip(("31", "32", "33"), contact, slips(W)):
        decide(number, Motion(), (left, right), reason="v_s = v + ω × (−R n̂), with r = R")
    note("34", "definition", "the dissipation function by components")
    γ = slips(body)
    Kf = sum(c / 2 * s**2 for c, s in zip((μx, μy, μz), γ))
    q, v, a = (x, y, z, ψ, θ, φ), (vx, vy, vz, ψd, θd, φd), (ax, ay, az, ψdd, θdd, φdd)
    euler = lagrange(T - m * g * z, Kf, q, v, a, [*(λ * normal), 0, 0, 0])
    W_dot = [sum(diff(w, p) * u for p, u in zip(q[3:], v[3:])) + sum(diff(w, u) * b for u, b in zip(v[3:], a[3:]))
             for w in body]
    sol = Motion([*euler, az - fx * ax - fy * ay - bend], [*a, λ], {vz: f_dot}, dict(zip((αx, αy, αz), W_dot)))
    λh, (gx, gy, gz) = -λ, γ
    sign = "λ_h is minus the multiplier of z − f"
    decide("35", sol, (m * ax + μx * gx - λh * fx, 0), reason=sign)
    decide("36", sol, (m * ay + μy * gy - λh * fy, 0), reason=sign)
    decide("37", sol, (m * az + μz * gz + g * m + λh, 0), reason=sign)
    s = r / sqrt(N)
    friction = s * (-μx * gx * fy + μy * gy * fx)
    decide("38", sol, (k**2 * m * (ψdd + φd * cos(θ) - φd * θd * sin(θ)) + friction, 0),
           (k**2 * m * (ψdd + φdd * cos(θ) - φd * θd * sin(θ)) + friction, 0), "φ̇ cos θ stands for φ̈ cos θ")
    decide("39", sol, (k**2 * m * (θdd + φd * ψd * sin(θ)) + s * (μx * gx * sin(ψ) + μy * gy * cos(ψ))
                       + s * (μz * gz * (cos(ψ) * fy + sin(ψ) * fx)), 0), reason="Lagrange")
    decide("40", sol, (k**2 * m * (φdd + ψdd * cos(θ) - θd * ψd * sin(θ))
                       + s * (-μx * gx * (cos(ψ) * sin(θ) + cos(θ) * fy))
                       + s * (μy * gy * (sin(ψ) * sin(θ) + cos(θ) * fx))
                       + s * (μz * gz * sin(θ) * (sin(ψ) * fy - cos(ψ) * fx)), 0), reason="Lagrange")
    note("41", "definition", "the gap of the contact")
    def bracket(last):
        return sin(θ) / sqrt(N) * (k**2 * m * sqrt(N) * (-θd * ψd + cos(θ) * θd * φd + last * sin(θ))
                                   + r * (-cos(ψ) * gx * μx + sin(ψ) * gy * μy)
                                   + r * (-cos(ψ) * fx + sin(ψ) * fy) * gz * μz)
    decide("42", sol, (bracket(φd), 0), (bracket(φdd), 0), "φ̇ sin θ stands for φ̈ sin θ")
    torque = [s * (gy * μy + fy * gz * μz), s * (gx * μx + fx * gz * μz), s * (-fy * gx * μx + fx * gy * μy)]
    decide("43", sol, (-k**2 * m * αy + torque[1], 0), reason="holds though (26)–(28) are body components")
    decide("44", sol, (k**2 * m * αx + torque[0], 0), reason="the same")
    decide("45", sol, (k**2 * m * αz + torque[2], 0), reason="the same")


def rolling_ball():
    """(46)–(56): the force of the contact is F = −(λ_x, λ_y, λ_z) − λ_h N; γ = 0 to first order in time."""
    note("46", "general", "the limit is shown by numbers: the error falls as 1/μ")
    c = sp.Symbol("c", real=True)  # any number: what the equations leave open in λ
    F = Matrix(sp.symbols("F_1:4", real=True))
    W, A = Matrix([ωx, ωy, ωz]), Matrix([αx, αy, αz])
    s = R / sqrt(N)
    torque = (-R * n).cross(F)
    normal_dot = Matrix([-fxx * vx - fxy * vy, -fxy * vx - fyy * vy, 0])
    n_dot = normal_dot / sqrt(N) + normal * (normal.dot(normal_dot)) * (-1 / N ** Rational(3, 2))
    slip_dot = Matrix([ax, ay, az]) + A.cross(-R * n) + W.cross(-R * n_dot)
    equations = [*(m * Matrix([ax, ay, az]) - F + Matrix([0, 0, m * g])), *(m * k**2 * A - torque), *slip_dot]
    velocity = -W.cross(-R * n)
    solution = Motion(equations, [ax, ay, az, αx, αy, αz, *F], dict(zip((vx, vy, vz), velocity)))
    λh = c
    lx, ly, lz = -F - λh * normal
    why = "λ_h is open: γ_z = f_x γ_x + f_y γ_y + (z − f)˙, so only three of (53)–(56) are independent"
    decide("47", solution, (m * ax + lx - λh * fx, 0), reason=why)
    decide("48", solution, (m * ay + ly - λh * fy, 0), reason=why)
    decide("49", solution, (m * az + lz + g * m + λh, 0), reason=why)
    decide("50", solution, (-k**2 * m * αy + s * (lx + fx * lz), 0), reason="Euler")
    decide("51", solution, (k**2 * m * αx + s * (ly + fy * lz), 0), reason="Euler")
    decide("52", solution, (k**2 * m * αz + s * (-fy * lx + fx * ly), 0), reason="Euler")
    for number in ("53", "54", "55"):
        note(number, "definition", "a row of the constraints")
    slip = Matrix([vx, vy, vz]) + W.cross(-R * n)
    assert residual((slip[2], fx * slip[0] + fy * slip[1] + vz - f_dot), Motion()) < 1e-30, "the dependent row"
    note("56", "definition", "as (41)")


def simulated_ball():
    """(57)–(62): Newton and Euler with F = −(μ_xγ_x, μ_yγ_y, μ_zγ_z) + λ N, components along e₁, e₂, e₃."""
    v, W = Matrix([vx, vy, f_dot]), Matrix([ωx, ωy, ωz])
    γ = v + W.cross(-R * n)
    drag = Matrix([-c * s for c, s in zip((μx, μy, μz), γ)])
    α = (-R * n).cross(drag) / (m * k**2)
    newton = m * Matrix([ax, ay, az]) - drag - λ * normal + Matrix([0, 0, m * g])
    ball = Motion([*newton, az - fx * ax - fy * ay - bend], [ax, ay, az, λ], after=dict(zip((αx, αy, αz), α)))
    λh, (gx, gy, gz), s = -λ, γ, R / (k**2 * m * sqrt(N))
    sign = "λ_h is minus the multiplier of z − f"
    decide("57", ball, (ax, -μx / m * gx + λh / m * fx), reason=sign)
    decide("58", ball, (ay, -μy / m * gy + λh / m * fy), reason=sign)
    decide("59", ball, (az, -μz / m * gz - g - λh / m), reason=sign)
    decide("60", ball, (αy, s * (gx * μx + fx * gz * μz)), reason="Euler")
    decide("61", ball, (αx, -s * (gy * μy + fy * gz * μz)), reason="Euler")
    decide("62", ball, (αz, -s * (-fy * gx * μx + fx * gy * μy)), reason="Euler")


if __name__ == "__main__":
    mp.mp.dps = DIGITS + 10
    for system in (particle, newton_ball, hemisphere, rosen_ball, rolling_ball, simulated_ball):
        system()
    lines = ["equation\tverdict\treason", *("\t".join(row) for row in ROWS)]
    (HERE / "equations.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
