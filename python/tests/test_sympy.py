"""The equations in SymPy: what it makes of them is what is computed."""

import numpy as np
import pytest

import eom

sympy = pytest.importorskip("sympy")


@pytest.mark.parametrize("name", ["penny", "controlled_penny", "sliding_penny", "wall_ball", "table_ball", "box_ball"])
def test_sympy_solves_the_equations(name):
    system = getattr(eom.models, name)()
    found = system.equations.sympy()
    rng = np.random.default_rng(5)
    q, v, u = (rng.normal(size=len(symbols)) for symbols in (found.q, found.v, found.u))
    t = sympy.Symbol("t")
    values = {t: 0.3, **found.parameters, **dict(zip(found.q + found.v + found.u, [*q, *v, *u]))}
    number = lambda matrix: np.array(matrix.evalf(20, subs=values), dtype=float)
    mass = system.mass_matrix(0.3, q)
    assert np.allclose(number(found.M), mass, rtol=1e-13)
    # M v̇ + h − F is in the span of Aᵀ, with the multipliers as its parts.
    a, λ = system.accelerations(0.3, q, v, u), system.multipliers(0.3, q, v, u)
    rows = number(found.A)
    left = number(found.M) @ a + number(found.h)[:, 0] - number(found.F)[:, 0]
    scale = abs(number(found.M)) @ abs(a) + abs(number(found.h)[:, 0]) + abs(rows.T) @ abs(λ)
    assert (abs(left - rows.T @ λ) <= 1e-11 * scale + 1e-300).all()
    if system.contacts:
        assert np.allclose(number(found.gaps)[:, 0], system.gaps(0.3, q), rtol=1e-12, atol=1e-14)


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


def test_what_has_no_form_is_told():
    bead = eom.system("""system Bead {
        coordinates { x }
        function f(x) = x^2;
        kinetic = (ẋ^2 + ḟ^2)/2;
    }""")
    with pytest.raises(ValueError, match="has no form in SymPy"):
        bead.equations.sympy()
