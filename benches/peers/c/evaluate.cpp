// One state: out = [accelerations, multipliers].
#include "hand.h"
#include "list.h"
#define ONE(name, n, k) \
  extern "C" void one_##name(const double *s, double *o) { h_##name(s, o); }
SYSTEMS(ONE)
#define CHAIN(n) \
  extern "C" void one_tri##n(const double *s, double *o) { h_tri##n(s, o); }
CHAINS(CHAIN)
