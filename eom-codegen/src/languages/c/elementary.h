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
 * four parts, of which k times the first three is exact. Beyond |x| = 1647099 they are those of the C
 * library. */
static inline void eom_sin_cos(double x, double *sine, double *cosine)
{
    const double rounding = 6755399441055744.0;
    if (!(fabs(x) <= 1647099.0)) {
        *sine = sin(x);
        *cosine = cos(x);
        return;
    }
    const double k = (x * 0.6366197723675814 + rounding) - rounding;
    const double exact = (x - k * 1.5707963267341256) - k * 6.077094383272197e-11, third = k * 6.12323399538461e-17;
    const double r = exact - third, e = (third - (exact - r)) + k * 3.5215598651832e-27;
    const double z = r * r, w = z * z;
    const double s = (-0.16666666666666632 + z * 0.00833333333332249)
        + w * ((-0.0001984126982985795 + z * 2.7557313707070068e-06) + w * (-2.5050760253406863e-08 + z * 1.58969099521155e-10));
    const double c = (0.0416666666666666 + z * -0.001388888888887411)
        + w * ((2.480158728947673e-05 + z * -2.7557314351390663e-07) + w * (2.087572321298175e-09 + z * -1.1359647557788195e-11));
    const double sin_r = r - (e - z * r * s), cos_r = 1.0 - (z * 0.5 - w * c);
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
