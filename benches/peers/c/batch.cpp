// Many states, component i of state b at i*n + b: loops that gcc vectorises (with -ffast-math).
#include "hand.h"
#include "list.h"
#define INLINE inline __attribute__((always_inline))
struct In {
  const double *p;
  long n;
  INLINE double operator[](int i) const { return p[i * n]; }
};
struct Out {
  double *p;
  long n;
  INLINE double &operator[](int i) const { return p[i * n]; }
};
#define MANY(name)                                                                            \
  extern "C" void many_##name(int n, const double *__restrict in, double *__restrict out) {   \
    _Pragma("GCC ivdep") for (int b = 0; b < n; b++) h_##name(In{in + b, n}, Out{out + b, n}); \
  }
#define SYSTEM(name, n, k) MANY(name)
SYSTEMS(SYSTEM)
#define CHAIN(n) MANY(tri##n)
CHAINS(CHAIN)
