"""Calls the functions of generated modules; the calls of `run` follow below."""

import importlib, math, sys
import numpy

NAMES = {"tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
         "arctan2": "atan2", "arcsinh": "asinh", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log",
         "hypot": "hypot", "power": "pow"}

def guarded(name, f):
    def call(*x):
        try:
            return f(*x)
        except (ValueError, OverflowError):
            return getattr(numpy, name)(*x)
    return numpy.vectorize(call, otypes=[float])

class Np:
    def __getattr__(self, name):
        return getattr(numpy, name)

def sin_cos(x):
    """As the generated Rust and C have it."""
    if not abs(x) <= 1647099.0:
        return guarded("sin", math.sin)(x), guarded("cos", math.cos)(x)
    k = (x * 0.6366197723675814 + 6755399441055744.0) - 6755399441055744.0
    exact, third = (x - k * 1.5707963267341256) - k * 6.077094383272197e-11, k * 6.12323399538461e-17
    r = exact - third
    e = (third - (exact - r)) + k * 3.5215598651832e-27
    z = r * r
    w = z * z
    s = (-0.16666666666666632 + z * 0.00833333333332249) + w * ((-0.0001984126982985795 + z * 2.7557313707070068e-06) + w * (-2.5050760253406863e-08 + z * 1.58969099521155e-10))
    c = (0.0416666666666666 + z * -0.001388888888887411) + w * ((2.480158728947673e-05 + z * -2.7557314351390663e-07) + w * (2.087572321298175e-09 + z * -1.1359647557788195e-11))
    sin_r, cos_r = r - (e - z * r * s), 1.0 - (z * 0.5 - w * c)
    return ((sin_r, cos_r), (cos_r, -sin_r), (-sin_r, -cos_r), (-cos_r, sin_r))[int(k) % 4]

EXACT = Np()
for index, name in enumerate(("sin", "cos")):
    f = numpy.vectorize(lambda x, index=index: sin_cos(float(x))[index], otypes=[float])
    setattr(EXACT, name, (lambda f: lambda x: f(x)[()])(f))
for name, own in NAMES.items():
    f = guarded(name, getattr(math, own))
    setattr(EXACT, name, (lambda f: lambda *x: f(*x)[()])(f))

numpy.seterr(all="ignore")

# How many forces the outputs and guards of each module take.
FORCES = {}

def flat(x):
    return [float(y) for part in (x if isinstance(x, tuple) else (x,)) for y in numpy.ravel(part)]

def calls(module, functions, p, t, q, v, u, multipliers):
    for function in functions:
        f = getattr(module, function)
        name = function.split("_")[0]
        if function == "dry_friction":
            value, force = f(p, t, q, v)
            yield function, (force, value)
        elif function == "powers":
            try:
                yield function, f(p, t, q, v, u, multipliers=multipliers)
            except TypeError:
                yield function, f(p, t, q, v, u)
        elif name == "reset":
            yield function, f(p, t, q, v, u)
        elif function in ("mass_matrix", "constraint_rows", "holonomic", "gaps", "gap_rows") or function.startswith("contact_rows"):
            yield function, f(p, t, q)
        elif function in ("constraint_rows_at", "coriolis_matrix", "rates", "energy", "frictions", "gap_drift", "contact_forces") or name in ("impact",) or function.startswith("contact_drift"):
            yield function, f(p, t, q, v)
        elif function in ("inverse_dynamics", "regressor"):
            a = numpy.array([0.9 - 0.4 * speed for speed in range(len(module.SPEEDS))])
            yield function, f(p, t, q, v, a.reshape((-1,) + (1,) * (numpy.ndim(v) - 1)), u)
        elif function == "hessian_product":
            (n, m, k), r = map(len, (module.POSITIONS, module.SPEEDS, module.ROWS)), len(module.INPUTS)
            shape = (-1,) + (1,) * (numpy.ndim(v) - 1)
            weights = numpy.array([0.7 - 0.3 * i for i in range(m + k)]).reshape(shape)
            direction = numpy.array([0.25 * i - 0.6 for i in range(n + m + r)]).reshape(shape)
            yield function, f(p, t, q, v, weights, direction, u)
        elif "forces" in f.__code__.co_varnames[: f.__code__.co_argcount + f.__code__.co_kwonlyargcount]:
            yield function, f(p, t, q, v, u, forces=[0.37] * FORCES[module.__name__])
        elif function in ("derivatives", "parameter_derivatives", "accelerations", "frictionless", "guards", "outputs", "borne_forces") or name == "armed":
            yield function, f(p, t, q, v, u)

def after(module, key, p, t, q, v):
    has = lambda what: hasattr(module, what + "_" + key)
    if has("relabel") or has("assign"):
        q1, v1 = getattr(module, "relabel_" + key)(q, v) if has("relabel") else (q, v)
        v1 = getattr(module, "assign_" + key)(p, t, q, v1) if has("assign") else v1
        yield "after_" + key, (q1, v1)

def run(prefix, functions, samples, exact, forces):
    module = importlib.import_module(prefix)
    FORCES[prefix] = forces
    module.np = EXACT if exact else numpy
    for index, (parameters, t, q, v, u, multipliers) in enumerate(samples):
        p = module.Parameters(**parameters)
        p.check()
        found = list(calls(module, functions, p, t, q, v, u, multipliers))
        for key in module.CONTACTS:
            found += after(module, key, p, t, numpy.array(q), numpy.array(v))
        for function, values in found:
            print(f"{prefix} {index} {function}:", *map(repr, flat(values)))
    if not exact:
        return
    # States along further axes: one call, the numbers of each.
    parameters, multipliers = samples[0][0], samples[0][5]
    p = module.Parameters(**parameters)
    columns = [numpy.array([sample[i] for sample in samples]).T for i in range(1, 5)]
    whole = dict(calls(module, functions, p, *columns, multipliers))
    for index, (_, t, q, v, u, _) in enumerate(samples):
        for function, values in calls(module, functions, p, t, q, v, u, multipliers):
            every = whole[function] if isinstance(whole[function], tuple) else (whole[function],)
            one = flat(tuple(part[..., index] for part in every))
            assert numpy.array_equal(one, flat(values), equal_nan=True), (prefix, function, one, flat(values))
