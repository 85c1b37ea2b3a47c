/* a^n by repeated squaring. */
static inline double eom_powi(double a, int n)
{
    unsigned int left = n < 0 ? 0u - (unsigned int)n : (unsigned int)n;
    double power = 1.0;
    for (;;) {
        if (left & 1u) {
            power *= a;
        }
        left >>= 1;
        if (left == 0) {
            break;
        }
        a *= a;
    }
    return n < 0 ? 1.0 / power : power;
}

/* 1/a, and 0 for a = 0. */
static inline double eom_inverse_or_zero(double a)
{
    return a == 0.0 ? 0.0 : 1.0 / a;
}

/* -1, 0 or 1. */
static inline double eom_sign(double a)
{
    return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a;
}

static inline double eom_dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* sin x and cos x with the bits of the generated Rust, at most 1.4 ulp off: x = k pi/2 + r - e, and pi/2 in
 * three parts. Beyond |x| = 1647099 they are those of the C library. fma is one instruction where the
 * compiler is told that the machine has it (-march=native), else a call. */
static inline void eom_sin_cos(double x, double *sine, double *cosine)
{
    const double rounding = 6755399441055744.0;
    if (!(fabs(x) <= 1647099.0)) {
        *sine = sin(x);
        *cosine = cos(x);
        return;
    }
    const double k = fma(x, 0.6366197723675814, rounding) - rounding;
    const double exact = fma(-k, 1.5707963267948966, x), r = fma(-k, 6.12323399538461e-17, exact);
    const double e = fma(k, 3.5215598651832e-27, fma(k, 6.12323399538461e-17, r - exact));
    const double z = r * r, w = z * z;
    const double s = fma(w, fma(w, fma(z, 1.58969099521155e-10, -2.5050760253406863e-08),
            fma(z, 2.7557313707070068e-06, -0.0001984126982985795)),
        fma(z, 0.00833333333332249, -0.16666666666666632));
    const double c = fma(w, fma(w, fma(z, -1.1359647557788195e-11, 2.087572321298175e-09),
            fma(z, -2.7557314351390663e-07, 2.480158728947673e-05)),
        fma(z, -0.001388888888887411, 0.0416666666666666));
    const double sin_r = r - fma(-(z * r), s, e), cos_r = 1.0 - fma(-w, c, z * 0.5);
    const int quarters = (int)k & 3;
    const double a = quarters & 1 ? cos_r : sin_r, b = quarters & 1 ? sin_r : cos_r;
    *sine = quarters & 2 ? -a : a;
    *cosine = (quarters + 1) & 2 ? -b : b;
}

static inline double eom_sin(double x)
{
    double sine, cosine;
    eom_sin_cos(x, &sine, &cosine);
    return sine;
}

static inline double eom_cos(double x)
{
    double sine, cosine;
    eom_sin_cos(x, &sine, &cosine);
    return cosine;
}
