static inline int eom_singular(int n, double pivot)
{
    return !(pivot > 4.0 * n * DBL_EPSILON);
}

static inline void eom_no_numbers(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = NAN;
    }
}

static inline void eom_factor_solve_with(int n, const double *factor, double *x)
{
    eom_solve_lower(n, factor, x);
    for (int i = 0; i < n; i++) {
        x[i] /= factor[i * n + i];
    }
    eom_solve_upper(n, factor, x);
}

/* Solves G x = b in place of b, G n by n; x is not a number where G is singular. */
static inline double eom_factor_solve(int n, double *g, double *x)
{
    const double pivot = eom_factor(n, g);
    if (eom_singular(n, pivot)) {
        eom_no_numbers(n, x);
    } else {
        eom_factor_solve_with(n, g, x);
    }
    return pivot;
}

/* S x = b in place of b by elimination; the pivot is the largest of its column, each row relative to
 * the size of the terms that it was summed from. */
static inline double eom_pivoted(int k, double *s, double *sizes, double *x)
{
    double smallest = 1.0;
    for (int step = 0; step < k; step++) {
        int best = step;
        for (int row = step + 1; row < k; row++) {
            if (fabs(s[row * k + step]) / sizes[row] > fabs(s[best * k + step]) / sizes[best]) {
                best = row;
            }
        }
        const double pivot = fabs(s[best * k + step]) / sizes[best];
        if (pivot < smallest || pivot != pivot) {
            smallest = pivot;
        }
        for (int column = 0; column < k; column++) {
            const double kept = s[step * k + column];
            s[step * k + column] = s[best * k + column];
            s[best * k + column] = kept;
        }
        double kept = x[step];
        x[step] = x[best];
        x[best] = kept;
        kept = sizes[step];
        sizes[step] = sizes[best];
        sizes[best] = kept;
        for (int row = step + 1; row < k; row++) {
            const double factor = s[row * k + step] / s[step * k + step];
            for (int column = step; column < k; column++) {
                s[row * k + column] -= factor * s[step * k + column];
            }
            x[row] -= factor * x[step];
        }
    }
    for (int row = k - 1; row >= 0; row--) {
        const double known = eom_dot(k - row - 1, s + row * k + row + 1, x + row + 1);
        x[row] = (x[row] - known) / s[row * k + row];
    }
    return smallest;
}

/* Accelerations and multipliers of n speeds and k rows,
 *
 *     M a - R^T lambda = F      A a = gamma
 *     (A M^-1 R^T) lambda = gamma - A M^-1 F      a = M^-1 (F + R^T lambda)
 *
 * from the lower triangle of M by rows, A by rows, R by rows (only with `coupled`, else it is A), F,
 * -gamma. `work` has n n + k n + k k + k numbers. */
static inline void eom_solve(int n, int k, int coupled, const double *all, double *a,
                             double *lambda, double *work)
{
    double *m = work, *response = m + n * n, *schur = response + k * n, *sizes = schur + k * k;
    const double *rows = all + n * (n + 1) / 2;
    const double *reactions = coupled ? rows + k * n : rows;
    const double *force = reactions + k * n, *drift = force + n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const int low = i < j ? i : j, high = i < j ? j : i;
            m[i * n + j] = all[high * (high + 1) / 2 + low];
        }
        a[i] = force[i];
    }
    for (int i = 0; i < k; i++) {
        lambda[i] = -drift[i];
        sizes[i] = 0.0;
    }
    if (eom_singular(n, eom_factor_solve(n, m, a))) {
        eom_no_numbers(k, lambda);
        return;
    }
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < n; j++) {
            response[i * n + j] = reactions[i * n + j];
        }
        eom_factor_solve_with(n, m, response + i * n);
    }
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            double met = 0.0;
            /* Of a symmetric matrix the lower triangle is read: row j of A on the response of i. */
            const double *row = rows + (coupled ? i : j) * n;
            const double *other = response + (coupled ? j : i) * n;
            schur[i * k + j] = eom_dot(n, row, other);
            for (int l = 0; l < n; l++) {
                met += fabs(row[l] * other[l]);
            }
            if (met > sizes[i]) {
                sizes[i] = met;
            }
        }
        lambda[i] -= eom_dot(n, rows + i * n, a);
    }
    const double pivot =
        coupled ? eom_pivoted(k, schur, sizes, lambda) : eom_factor_solve(k, schur, lambda);
    if (eom_singular(k, pivot)) {
        eom_no_numbers(n, a);
        eom_no_numbers(k, lambda);
        return;
    }
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < n; j++) {
            a[j] += response[i * n + j] * lambda[i];
        }
    }
}
