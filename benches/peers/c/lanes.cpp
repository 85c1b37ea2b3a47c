// The n-link pendulum over lanes of gcc's vector types, as wide as the machine has.
#include "list.h"
#include <string.h>
#ifdef __AVX512F__
enum { W = 8 };
#elif defined(__AVX__)
enum { W = 4 };
#else
enum { W = 2 };
#endif
typedef double V __attribute__((vector_size(8 * W)));
#define AI static inline __attribute__((always_inline))
AI V whole(V x) { return (x + 0x1.8p52) - 0x1.8p52; }  // to the nearest integer
AI void sincos_lanes(V x, V *sp, V *cp) {
  V k = whole(x * 0.63661977236758134308), r = x - k * 1.57079632679489655800e+00;
  r = r - k * 6.12323399573676603587e-17;
  V z = r * r;
  V ps = z * (z * (z * (z * (z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08) + 2.75573137070700676789e-06) - 1.98412698298579493134e-04) + 8.33333333332248946124e-03) - 1.66666666666666324348e-01;
  V s = r * z * ps + r;
  V pc = z * (z * (z * (z * (z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09) - 2.75573143513906633035e-07) + 2.48015872894767294178e-05) - 1.38888888888741095749e-03) + 4.16666666666666019037e-02;
  V h = z * 0.5, w = 1.0 - h, c = w + (((1.0 - w) - h) + z * z * pc);
  // k modulo 4 in {-2, -1, 0, 1, 2}
  V m = k - 4.0 * whole(0.25 * k), odd = m * m;
  V a = odd == 1.0 ? c : s, b = odd == 1.0 ? s : c;
  *sp = (odd == 4.0) | (m == -1.0) ? -a : a;
  *cp = (odd == 4.0) | (m == 1.0) ? -b : b;
}
template <int n> AI void dense(const V *s, V *o) {
  V S[n], C[n], L[n][n], D[n], y[n];
  for (int i = 0; i < n; i++) sincos_lanes(s[i], &S[i], &C[i]);
  for (int i = 0; i < n; i++) {
    V f = -9.81 * (n - i) * S[i];
    for (int j = 0; j < n; j++) {
      double k = n - (i > j ? i : j);
      f -= k * (S[i] * C[j] - C[i] * S[j]) * s[n + j] * s[n + j];
    }
    y[i] = f;
  }
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) L[i][j] = (double)(n - i) * (C[i] * C[j] + S[i] * S[j]);
  for (int j = 0; j < n; j++) {
    D[j] = 1.0 / L[j][j];
    for (int i = j + 1; i < n; i++) {
      V l = L[i][j] * D[j];
      for (int k = i; k < n; k++) L[k][i] -= l * L[k][j];
      y[i] -= l * y[j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    V x = y[i];
    for (int k = i + 1; k < n; k++) x -= L[k][i] * o[k];
    o[i] = x * D[i];
  }
}
template <int n> AI void tridiagonal(const V *s, V *o) {
  V S[n], C[n], c[n], d[n], T[n], g[n];
  const V *w = s + n;
  for (int i = 0; i < n; i++) sincos_lanes(s[i], &S[i], &C[i]);
  for (int i = 0; i < n - 1; i++) {
    c[i] = C[i] * C[i + 1] + S[i] * S[i + 1];
    d[i] = S[i + 1] * C[i] - C[i + 1] * S[i];
  }
  T[0] = w[0] * w[0] + 9.81 * C[0];
  g[0] = C[0] * 0.0 + 1.0;
  for (int i = 1; i < n; i++) {
    V l = c[i - 1] * g[i - 1];
    g[i] = 1.0 / (2.0 - l * c[i - 1]);
    T[i] = w[i] * w[i] + l * T[i - 1];
  }
  T[n - 1] *= g[n - 1];
  for (int i = n - 2; i >= 0; i--) T[i] = (T[i] + c[i] * T[i + 1]) * g[i];
  o[0] = T[1] * d[0] - 9.81 * S[0];
  for (int i = 1; i < n - 1; i++) o[i] = T[i + 1] * d[i] - T[i - 1] * d[i - 1];
  o[n - 1] = -T[n - 2] * d[n - 2];
}
#define LANES(name, body, n)                                                              \
  extern "C" void name(int N, const double *in, double *out) {                            \
    for (int b = 0; b + W <= N; b += W) {                                                 \
      V s[2 * n], o[n];                                                                   \
      _Pragma("GCC unroll 64") for (int i = 0; i < 2 * n; i++) memcpy(&s[i], in + (long)i * N + b, 8 * W); \
      body<n>(s, o);                                                                      \
      _Pragma("GCC unroll 64") for (int i = 0; i < n; i++) memcpy(out + (long)i * N + b, &o[i], 8 * W);    \
    }                                                                                     \
  }
#define CHAIN(n) LANES(lanes_nlink##n, dense, n) LANES(lanes_tri##n, tridiagonal, n)
CHAINS(CHAIN)
