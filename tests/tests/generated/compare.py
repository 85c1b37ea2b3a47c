"""Calls the functions of generated modules; the calls of `run` follow below."""

import importlib, math, sys
import numpy

NAMES = {"sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
         "arctan2": "atan2", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log",
         "log1p": "log1p", "hypot": "hypot", "power": "pow"}

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

EXACT = Np()
for name, own in NAMES.items():
    f = guarded(name, getattr(math, own))
    setattr(EXACT, name, (lambda f: lambda *x: f(*x)[()])(f))

numpy.seterr(all="ignore")

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
                yield function, f(p, t, q, v, u, multipliers)
            except TypeError:
                yield function, f(p, t, q, v, u)
        elif name == "reset":
            yield function, f(p, t, q, v, u)
        elif function in ("mass_matrix", "constraint_rows", "holonomic", "gaps", "gap_rows") or function.startswith("contact_rows"):
            yield function, f(p, t, q)
        elif function in ("rates", "energy", "frictions", "gap_drift", "contact_forces") or name in ("impact",) or function.startswith("contact_drift"):
            yield function, f(p, t, q, v)
        elif function in ("accelerations", "frictionless", "guards", "outputs") or name == "armed":
            yield function, f(p, t, q, v, u)

def after(module, key, p, t, q, v):
    has = lambda what: hasattr(module, what + "_" + key)
    if has("relabel") or has("assign"):
        q1, v1 = getattr(module, "relabel_" + key)(q, v) if has("relabel") else (q, v)
        v1 = getattr(module, "assign_" + key)(p, t, q, v1) if has("assign") else v1
        yield "after_" + key, (q1, v1)

def run(prefix, functions, samples, exact):
    module = importlib.import_module(prefix)
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
