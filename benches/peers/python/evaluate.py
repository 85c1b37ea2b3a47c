"""Accelerations and multipliers: heyoka, CasADi's C, numba, all with an unrolled LDL^T; timed by
compiled loops over function pointers, in a chain (latency) and over a batch of 252 states."""
import ctypes
import glob
import math
import os
import subprocess

import lagrange
import peer
import problems

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-O3", "-march=native", "-fno-math-errno", "-shared", "-fPIC"]
kept = []


def compiled(tag, source, *extra):
    base = os.path.join(peer.WORK, tag)
    with open(base + ".c", "w") as file:
        file.write(source)
    command = ["gcc", *FLAGS, "-o", base + ".so", base + ".c", *extra, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr[:200])
    kept.append(ctypes.CDLL(base + ".so"))
    return kept[-1]


def address(library, symbol):
    return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value


def harness():
    with open(os.path.join(HERE, "..", "c", "harness.c")) as file:
        library = compiled("harness", file.read())
    for name in ("latency", "batch"):
        function = getattr(library, name)
        function.restype = ctypes.c_double
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    return library


LOOPS = harness()


def timed(system, pointer, batch, outputs=None):
    n, k = problems.shape(system)
    count = outputs or n + k
    state = (ctypes.c_double * (2 * n))(*problems.STATE[system])
    loop = LOOPS.batch if batch else LOOPS.latency
    once = loop(pointer, state, 2 * n, count, 2000)
    calls = max(500, int((3e6 if peer.QUICK else 6e6) / max(once, 1.0)))

    def measure():
        ns = loop(pointer, state, 2 * n, count, calls)
        return dict(ns=ns, outputs=one(system, pointer, batch, count))
    return measure


def one(system, pointer, batch, count):
    """the outputs at the state itself"""
    lanes = 8 if batch else 1
    state = problems.STATE[system]
    inputs = (ctypes.c_double * (lanes * len(state)))(*[x for x in state for _ in range(lanes)])
    outputs = (ctypes.c_double * (lanes * count))()
    if batch:
        ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(pointer)(
            lanes, ctypes.addressof(inputs), ctypes.addressof(outputs))
    else:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(pointer)(
            ctypes.addressof(inputs), ctypes.addressof(outputs))
    return list(outputs)[::lanes]


def heyoka_objects(system, fast):
    """the object code of heyoka's compiled function, linked without Python"""
    import heyoka as hy
    d = lagrange.heyoka(system)
    outputs = lagrange.expressions(lagrange.solve(d))
    states = hy.cfunc(outputs, d["q"] + d["v"], compact_mode=False, fast_math=fast).llvm_states
    folder = os.path.join(os.path.dirname(os.path.dirname(hy.__file__)), "heyoka.libs")
    link = [glob.glob(folder + "/libheyoka*")[0], "-Wl,-rpath," + folder, "-Wl,--allow-shlib-undefined"]
    tag = f"heyoka_{system}_{int(fast)}"
    scalar = """extern void cfunc(double*,const double*,const double*,const double*);
void rhs(const double*s,double*o){cfunc(o,s,0,0);}"""
    width = hy.recommended_simd_size()
    lanes = f"""extern void cfunc(double*,const double*,const double*,const double*,unsigned long);
void rhsb(int n,const double*in,double*out)
{{for(int b=0;b+{width}<=n;b+={width})cfunc(out+b,in+b,0,0,n);}}"""
    pointers = []
    for source, symbol, code in ((scalar, "rhs", states[0]), (lanes, "rhsb", states[2])):
        object_file = os.path.join(peer.WORK, f"{tag}_{symbol}.o")
        with open(object_file, "wb") as file:
            file.write(code.object_code)
        pointers.append(address(compiled(f"{tag}_{symbol}", source, object_file, *link), symbol))
    return pointers


def heyoka(system):
    made = {}

    def maker(fast, batch):
        def make():
            if fast not in made:
                made[fast] = heyoka_objects(system, fast)
            return timed(system, made[fast][batch], batch)
        return make
    for fast in (False, True):
        name = "heyoka fast_math" if fast else "heyoka"
        peer.contestant("latency/" + system, name, maker(fast, 0))
        peer.contestant("batch/" + system, name, maker(fast, 1))


def casadi(system):
    import casadi as ca
    d = lagrange.casadi(system)
    n, k = problems.shape(system)
    rows = dict(M=[[d["M"][i, j] for j in range(n)] for i in range(n)], F=[d["F"][i] for i in range(n)],
                A=[[d["A"][i, j] for j in range(n)] for i in range(k)],
                gamma=[d["gamma"][i] for i in range(k)])
    f = ca.Function("f", [ca.vertcat(d["q"], d["v"])], [ca.vertcat(*lagrange.solve(rows))], {"cse": True})
    folder = os.getcwd()
    os.chdir(peer.WORK)
    try:
        f.generate(f"casadi_{system}_f.c")
    finally:
        os.chdir(folder)
    with open(os.path.join(peer.WORK, f"casadi_{system}_f.c")) as file:
        source = file.read()
    source += f"""
void rhs(const double*s,double*o){{const double*a[{f.sz_arg() + 1}]={{s}};double*r[{f.sz_res() + 1}]={{o}};
long long iw[{f.sz_iw() + 1}];double w[{f.sz_w() + 1}];f(a,r,iw,w,0);}}
"""
    return timed(system, address(compiled("casadi_" + system, source, "-ffast-math"), "rhs"), False)


def numba(system):
    import numba as nb
    import symengine as se
    d = lagrange.symengine(system)
    n, k = problems.shape(system)
    flat = [e for row in d["M"] for e in row] + d["F"] + [e for row in d["A"] for e in row] + d["gamma"]
    shared, reduced = se.cse([se.sympify(e) for e in flat])
    lines = [f"{symbol} = {e}" for symbol, e in shared]

    def named(e):
        e = se.sympify(e)
        if e.is_Symbol or e.is_number:
            return e
        symbol = se.Symbol(f"t{len(lines)}")
        lines.append(f"{symbol} = {e}")
        return symbol
    it = iter([named(e) for e in reduced])
    take = lambda rows, columns: [[next(it) for _ in range(columns)] for _ in range(rows)]
    parts = dict(M=take(n, n), F=take(1, n)[0], A=take(k, n), gamma=take(1, k)[0])
    outputs = lagrange.solve(parts, named)
    unpack = [f"q{i} = s[{i}]; v{i} = s[{n + i}]" for i in range(n)]
    body = unpack + lines + [f"o[{i}] = {e}" for i, e in enumerate(outputs)]
    names = dict(sin=math.sin, cos=math.cos, sqrt=math.sqrt)
    exec("def rhs(s, o):\n    " + "\n    ".join(body), names)
    f = nb.njit(names["rhs"])
    pointer = nb.types.CPointer(nb.types.float64)

    @nb.cfunc(nb.types.void(pointer, pointer))
    def c(s, o):
        f(nb.carray(s, (2 * n,)), nb.carray(o, (n + k,)))
    kept.append((f, c))
    return timed(system, c.address, False)


for system in problems.STATE:
    heyoka(system)
    peer.contestant("latency/" + system, "CasADi SX, C by gcc", lambda: casadi(system))
    peer.contestant("latency/" + system, "SymEngine and numba", lambda: numba(system))
peer.serve("heyoka", "casadi", "symengine", "numba")
