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
