/* Times of functions f(state, outputs) in nanoseconds of this thread. */
#include <time.h>
typedef void (*rhs_t)(const double *, double *);
typedef void (*rhsb_t)(int, const double *, double *);
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}
/* outputs feed the next inputs, the first of them where there are more */
double latency(rhs_t f, const double *s0, int ns, int no, long calls) {
  double s[64], o[512];
  for (int i = 0; i < ns; i++) s[i] = s0[i];
  double t = now();
  for (long k = 0; k < calls; k++) {
    f(s, o);
    for (int i = 0, j = 0; i < ns; i++) {
      s[i] = s0[i] + 1e-13 * o[j];
      if (++j == no) j = 0;
    }
  }
  return (now() - t) / calls;
}
/* f(n, in, out) over n states, component i of state b at i*n + b; 264: a multiple of all lanes, and streams that are a power of two
   apart would meet in the cache */
double batch(rhsb_t f, const double *s0, int ns, int no, long calls) {
  enum { B = 264 };
  static double s[64 * B], o[64 * B];
  for (int b = 0; b < B; b++)
    for (int i = 0; i < ns; i++) s[i * B + b] = s0[i] + 1e-3 * b * (i + 1) / B;
  double t = now();
  for (long k = 0; k < calls / B + 1; k++) f(B, s, o);
  return (now() - t) / ((calls / B + 1) * (double)B);
}
