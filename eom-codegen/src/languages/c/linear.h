/* G = L D L^T in place, only the lower triangle is read: L below the diagonal, D on it. Returns the
 * smallest pivot relative to the terms that it was summed from: near the unit of rounding G is
 * singular; not a number where an entry is not finite. */
static inline double eom_factor(int n, double *g)
{
    double smallest = 1.0;
    for (int i = 0; i < n; i++) {
        double *row = g + i * n;
        for (int j = 0; j < i; j++) {
            row[j] -= eom_dot(j, row, g + j * n);
        }
        double terms = fabs(row[i]);
        for (int j = 0; j < i; j++) {
            const double l = row[j] / g[j * n + j];
            terms += fabs(row[j] * l);
            row[i] -= row[j] * l;
            row[j] = l;
        }
        const double relative = fabs(row[i]) / terms;
        if (relative < smallest || relative != relative) {
            smallest = relative;
        }
        if (smallest != smallest) {
            return smallest;
        }
    }
    return smallest;
}

/* L x = b in place. */
static inline void eom_solve_lower(int n, const double *factor, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] -= eom_dot(i, factor + i * n, x);
    }
}

/* L^T x = b in place. */
static inline void eom_solve_upper(int n, const double *factor, double *x)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int k = 0; k < i; k++) {
            x[k] -= factor[i * n + k] * x[i];
        }
    }
}
