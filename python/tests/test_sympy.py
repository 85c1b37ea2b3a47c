"""The equations in SymPy: what it makes of them is what is computed."""

import numpy as np
import pytest

import eom

sympy = pytest.importorskip("sympy")

MODELS = [name for name in dir(eom.models) if not name.startswith("_")]

# The models that have no form in SymPy, and what the refusal says.
WITHOUT = {
    "flat_board": "integral",
    "solid_box": "integral",
    "thin_rod": "integral",
    "capstan": "the friction of `ring` has no form in SymPy",
}


def numbers(found, t, q, v, u, λ):
    """The matrices at a state, as arrays."""
    given = {sympy.Symbol("t"): t, **found.parameters, **dict(zip(found.q, q)), **dict(zip(found.v, v))}
    given |= dict(zip(found.u, u)) | dict(zip(found.multipliers, λ))
    all_of_them = [found.M, found.h, found.F, found.A, found.b, found.gaps]
    called = sympy.lambdify(list(given), all_of_them, modules=["scipy", "numpy"], cse=True)
    return [np.array(matrix, dtype=float).reshape(like.shape) for matrix, like in
            zip(called(*given.values()), all_of_them)]


def compare(system, t, q, v, u):
    """That M v̇ + h = F + Aᵀλ, and each function is that of the system, at a state."""
    found = system.equations.sympy()
    a, λ = system.accelerations(t, q, v, u), system.multipliers(t, q, v, u)
    assert np.isfinite(a).all()
    mass, bias, force, rows, offsets, gaps = numbers(found, t, q, v, u, λ)
    assert np.allclose(mass, system.mass_matrix(t, q), rtol=1e-12, atol=1e-14 * abs(mass).max())
    left = mass @ a + bias[:, 0] - force[:, 0] - rows.T @ λ
    scale = abs(mass) @ abs(a) + abs(bias[:, 0]) + abs(force[:, 0]) + abs(rows.T) @ abs(λ)
    assert (abs(left) <= 1e-10 * scale.max() + 1e-300).all()
    residuals = system.residuals(t, q, v)
    assert np.allclose(rows @ v + offsets[:, 0], residuals, rtol=1e-12, atol=1e-12)
    assert np.allclose(gaps[:, 0], system.gaps(t, q), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", MODELS)
def test_sympy_has_the_equations_of_every_model(name):
    system = getattr(eom.models, name)()
    if name in WITHOUT:
        with pytest.raises(ValueError, match=WITHOUT[name]):
            system.equations.sympy()
        return
    rng = np.random.default_rng(5)
    sizes = [len(system.coordinates), len(system.velocities), len(system.inputs)]
    compare(system, 0.3, *(rng.uniform(0.2, 1, size) for size in sizes))


# A call of each function, and where it is looked at: within its pieces, at their corners, beyond.
FUNCTIONS = [
    ("sin(x)", [-2, 0, 3]),
    ("cos(x)", [-2, 0, 3]),
    ("tan(x)", [-1, 0, 1.5]),
    ("asin(x)", [-0.9, 0, 0.9]),
    ("acos(x)", [-0.9, 0, 0.9]),
    ("atan(x)", [-5, 0, 5]),
    ("atan2(x, y)", [-2, 0, 2]),
    ("atan2(x, -y)", [-2, 2]),
    ("sinh(x)", [-2, 0, 2]),
    ("cosh(x)", [-2, 0, 2]),
    ("tanh(x)", [-2, 0, 2]),
    ("exp(x)", [-2, 0, 2]),
    ("ln(x)", [0.1, 1, 7]),
    ("erf(x)", [-3, -0.5, 0, 0.5, 3]),
    ("sqrt(x)", [0.1, 1, 7]),
    ("abs(x)", [-2, 0, 2]),
    ("sign(x)", [-2, 0, 2]),
    ("ramp(x, -1, 1)", [-3, -1, -0.3, 0, 0.7, 1, 3]),
    ("ramp(x, 2, -1)", [-3, -1, 0.7, 2, 3]),
    ("ramp(x)", [-3, 0, 0.5, 1, 3]),
    ("smoothstep(x, -1, 1)", [-3, -1, -0.3, 0, 0.7, 1, 3]),
    ("smoothstep(x)", [-3, 0, 0.2, 0.5, 0.8, 1, 3]),
    ("x^(2/3) + x^1.5 + 2^x", [0.1, 1, 7]),
    ("x^3*abs(x)^1.5", [-2, 2]),
    ("norm([x, y])", [-2, 0, 2]),
]


@pytest.mark.parametrize("text, places", FUNCTIONS, ids=[text for text, _ in FUNCTIONS])
def test_functions_are_those_of_the_language(text, places):
    # The one as a force, its derivative as that of a potential.
    given = eom.system(f"system P {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; force x = {text}; }}")
    derived = eom.system(f"system P {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = -({text}); }}")
    forms = [system.equations.sympy() for system in (given, derived)]
    value, slope = (found.F[0] - found.h[0] for found in forms)
    x, y = forms[0].q
    for place in places:
        at = {x: place, y: 0.75}
        exact = [system.accelerations(0, [place, 0.75], [0, 0])[0] for system in (given, derived)]
        found = [float(one.subs(at).evalf(20)) for one in (value, slope)]
        assert np.allclose(found, exact, rtol=1e-13, atol=1e-14), place
        # SymPy's derivative is the same, where it has one.
        if text.startswith(("ramp", "smoothstep", "erf", "atan2")) and place not in (0, 0.75):
            assert np.isclose(float(value.diff(x).subs(at).evalf(20)), exact[1], rtol=1e-13, atol=1e-14), place


NUMBERS = [
    ("1e20*x + e", "10**20*x + e"),
    ("1e20*x + e20", "10**20*x + e20"),
    ("1e-20*x", "x/10**20"),
    ("6.02e23*x + 6.67e-11", "602*10**21*x + Rational(667, 10**13)"),
    ("0.1*x + 1/3*e + 2.5E-3", "x/10 + e/3 + Rational(1, 400)"),
    ("E*x + I + pi + λ", "Symbol('E')*x + Symbol('I') + pi + Symbol('lambda')"),
]


@pytest.mark.parametrize("text, expected", NUMBERS)
def test_numbers_and_names_are_read_as_such(text, expected):
    found = eom.system(f"system P {{ coordinates {{ x }} parameters {{ e = 1, e20 = 7, E = 2, I = 3, λ = 4 }} "
                       f"kinetic = ẋ^2/2; force x = {text}; }}").equations.sympy()
    assert found.F[0] - sympy.parse_expr(expected) == 0


LETS = [
    "parameters { m = 2, R = 0.3 } let I = m*R^2; kinetic = I/2*ẋ^2; potential = m*R*cos(x);",
    "parameters { m = 2, R = 0.3 } let I = m*R^2/2; let k = I + m*R^2; kinetic = k/2*ẋ^2; potential = -k*cos(x);",
    "parameters { m = 2, R = 0.3 } let X = R*cos(x); kinetic = m*(ẋ^2 + Ẋ^2)/2; potential = m*9.81*X;",
    "parameters { a = 2 } function f(x) = x^2*sin(a*x); kinetic = (ẋ^2 + ḟ^2)/2; potential = f(x + 1);",
    "parameters { a = 2 } function f(x) = sin(a*x); function g(x) = x^3; kinetic = ẋ^2/2; potential = g(f(2*x))*f;",
    "kinetic = ẋ^2/2; potential = x^2; dissipation = 0.3*norm([ẋ, 1 - x]) + 0.2*abs(ẋ);",
]


@pytest.mark.parametrize("items", LETS)
def test_what_the_declaration_names_is_written_out(items):
    system = eom.system(f"system S {{ coordinates {{ x }} {items} }}")
    compare(system, 0.0, np.array([0.4]), np.array([0.7]), np.array([]))


def test_forces_hold_multipliers():
    slide = eom.system("""system Slide {
        coordinates { x, y }
        parameters { mu = 0.3 }
        kinetic = (ẋ^2 + ẏ^2)/2;
        potential = 9.81*y + x^2;
        holonomic { h: y = sin(x); }
        force x = -mu*λ(h)*tanh(ẋ);
    }""")
    compare(slide, 0.0, np.array([0.3, np.sin(0.3)]), np.array([0.5, 0.5 * np.cos(0.3)]), np.array([]))
    assert [str(symbol) for symbol in slide.equations.sympy().multipliers] == ["lambda(h)"]


def test_the_lagrangian_of_a_pendulum_by_sympy(pendulum):
    # Lagrange's equations by SymPy, from the energies as they are declared.
    t = sympy.Symbol("t")
    names = sympy.symbols("m1 m2 l1 l2 g")
    m1, m2, l1, l2, g = names
    a, b = (sympy.Function(name)(t) for name in "ab")
    x1, y1 = l1 * sympy.sin(a), -l1 * sympy.cos(a)
    x2, y2 = x1 + l2 * sympy.sin(b), y1 - l2 * sympy.cos(b)
    square = lambda *parts: sum(part.diff(t) ** 2 for part in parts)
    lagrangian = m1 / 2 * square(x1, y1) + m2 / 2 * square(x2, y2) - m1 * g * y1 - m2 * g * y2
    equations = [lagrangian.diff(q.diff(t)).diff(t) - lagrangian.diff(q) for q in (a, b)]
    found = pendulum.equations.sympy()
    plain = dict(zip([a, b], found.q)) | dict(zip([a.diff(t), b.diff(t)], found.v))
    rates = sympy.symbols("alpha beta")
    order = [(a.diff(t, 2), rates[0]), (b.diff(t, 2), rates[1]), *reversed(plain.items())]
    ours = found.M * sympy.Matrix(rates) + found.h - found.F
    for mine, theirs in zip(ours, equations):
        assert sympy.simplify(mine - theirs.subs(order)) == 0


WITHOUT_FORM = [
    ("function f(x); kinetic = ẋ^2/2; potential = f(x);", {"f": "x^2"}, "`f` has no form in SymPy"),
    ("function f(x) = x^2; kinetic = ẋ^2/2; potential = f(x);", {"f": "x^3"}, "write its formula into the declaration"),
    ("kinetic = ẋ^2/2; potential = integral(exp(-s^2*x^2), s in 0..1);", {}, "an integral has no form in SymPy"),
]


@pytest.mark.parametrize("items, values, message", WITHOUT_FORM)
def test_what_has_no_form_is_told(items, values, message):
    system = eom.system(f"system Bead {{ coordinates {{ x }} {items} }}")
    with pytest.raises(ValueError, match=message):
        (system.with_parameters(values) if values else system).equations.sympy()


def test_a_parameter_without_a_value_stays_a_symbol():
    found = eom.system("system S { coordinates { x } parameters { k, m = 2 } kinetic = m*ẋ^2/2; "
                       "potential = k*x^2; }").equations.sympy()
    assert found.parameters == {sympy.Symbol("m"): 2.0}


def test_an_expression_of_sympy_is_written_as_a_declaration_has_it():
    # What is read again is that expression, at 20 points.
    x, y, k = sympy.symbols("x y k", positive=True)
    q = sympy.Function("q")(sympy.Symbol("t"))
    for expression in [
        x**2 / 3 - 1 / x**2, sympy.sqrt(x) / sympy.sqrt(x + y), -(x + y) * k / (x + 2 * y) ** 2, x ** sympy.Rational(-3, 2),
        sympy.Abs(x - y) * sympy.log(y), sympy.exp(-x) + sympy.E * sympy.pi, sympy.Float(0.1) * x, 1e-7 * x + 1e25 * y,
        sympy.atan2(x, y) ** 3, sympy.Float("0.1", 30) ** 2 * x, (-x) ** 3, sympy.sign(x - y) * sympy.erf(k), x ** (y**2),
    ]:
        system = eom.system("system S { coordinates { x, y } parameters { k = 1 } kinetic = (ẋ^2 + ẏ^2)/2; "
                            f"output o = {eom.formula(expression)}; }}")
        at = np.random.default_rng(4).uniform(0.3, 1.2, (20, 2))
        there = [float(expression.subs({x: a, y: b, k: 1})) for a, b in at]
        assert np.allclose(system.outputs(0, at, at)[:, 0], there, rtol=1e-13, atol=0), expression
    assert eom.formula(q.diff() ** 2 + q * q.diff("t", 2)) == "q*q_ddot + q_dot^2"


@pytest.mark.parametrize("text", ["I*x", "oo", "Max(0, x)", "f(x, y)", "V(x)", "V(x).diff(x)",
                                  "Piecewise((x, x > 0), (0, True))", "sec(x)", "Integral(x, (x, 0, 1))",
                                  "Matrix([[x]])", "x < 1"])
def test_what_has_no_form_in_the_language_is_told(text):
    with pytest.raises(ValueError, match="has no form in the language of declarations"):
        eom.formula(sympy.sympify(text))


@pytest.mark.parametrize("given", [None, b"x", [1]])
def test_what_is_no_expression_is_told(given):
    with pytest.raises(TypeError, match="an expression of SymPy is asked for, not"):
        eom.formula(given)
