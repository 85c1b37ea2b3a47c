// DOP853 on the smooth problems; returns the accepted steps.
#include "hand.h"
#include "dop853.h"
#define RUN(name, n)                                                                       \
  struct F_##name {                                                                        \
    inline void operator()(const double *y, double *d) const {                             \
      double o[2 * n];                                                                     \
      for (int i = 0; i < n; i++) d[i] = y[n + i];                                         \
      h_##name(y, o);                                                                      \
      for (int i = 0; i < n; i++) d[n + i] = o[i];                                         \
    }                                                                                      \
  };                                                                                       \
  extern "C" long run_##name(const double *start, double end, double tolerance, double *y) { \
    Dop853<2 * n, F_##name> d;                                                             \
    d.rtol = d.atol = tolerance;                                                           \
    memcpy(y, start, 16 * n);                                                              \
    return d.run(y, end);                                                                  \
  }
RUN(double_pendulum, 2)
RUN(nlink6, 6)
RUN(particle, 2)
RUN(ball, 6)
