"""Functions of the tools as machine code, timed by compiled loops over pointers: in a chain, where each call waits for the
one before, and over a batch of 264 states."""
import ctypes
import glob
import os
import subprocess

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
        library = compiled("harness_" + peer.WANTED[0].replace("/", "_"), file.read())
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


def heyoka_objects(tag, outputs, arguments, fast):
    """the object code of heyoka's compiled functions, linked without Python: of a state, of a batch"""
    import heyoka as hy
    states = hy.cfunc(outputs, arguments, compact_mode=False, fast_math=fast).llvm_states
    folder = os.path.join(os.path.dirname(os.path.dirname(hy.__file__)), "heyoka.libs")
    link = [glob.glob(folder + "/libheyoka*")[0], "-Wl,-rpath," + folder, "-Wl,--allow-shlib-undefined"]
    tag = f"heyoka_{tag}_{int(fast)}"
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


def casadi_object(tag, f):
    """the C of a function of CasADi of one list, by gcc"""
    folder = os.getcwd()
    os.chdir(peer.WORK)
    try:
        f.generate(f"casadi_{tag}_f.c")
    finally:
        os.chdir(folder)
    with open(os.path.join(peer.WORK, f"casadi_{tag}_f.c")) as file:
        source = file.read()
    source += f"""
void rhs(const double*s,double*o){{const double*a[{f.sz_arg() + 1}]={{s}};double*r[{f.sz_res() + 1}]={{o}};
long long iw[{f.sz_iw() + 1}];double w[{f.sz_w() + 1}];f(a,r,iw,w,0);}}
"""
    return address(compiled("casadi_" + tag, source, "-ffast-math"), "rhs")
