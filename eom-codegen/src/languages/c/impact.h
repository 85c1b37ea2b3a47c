/* Rows made orthonormal in the metric G of the kinetic energy: with G = L D L^T the numbers
 * z = D^1/2 L^T v have v.G v = z.z, and a row r acts on them as c = D^-1/2 L^-1 r^T. */
typedef struct {
    int n;
    /* How many rows were taken, and offered. */
    int rank, offered;
    int diagonal;
    /* L below the diagonal, n n; D^1/2, n; the rows, n each; their offsets; the triangle R with
     * B = R c; which of the offered rows were taken; numbers to work with. */
    double *factor, *roots, *rows, *offsets, *triangle, *refined, *z, *change;
    int *kept;
} eom_space;

/* Doubles that a space of n speeds and `count` rows takes. */
#define eom_SPACE(n, count) ((n) * (n) + 3 * (n) + (count) * (n) + 2 * (count) + (count) * (count))

static inline int eom_space_of(eom_space *space, int n, int count, const double *metric,
                               double *numbers, int *kept)
{
    space->n = n;
    space->rank = 0;
    space->offered = 0;
    space->factor = numbers;
    space->roots = space->factor + n * n;
    space->z = space->roots + n;
    space->change = space->z + n;
    space->rows = space->change + n;
    space->offsets = space->rows + count * n;
    space->refined = space->offsets + count;
    space->triangle = space->refined + count;
    space->kept = kept;
    for (int i = 0; i < n * n; i++) {
        space->factor[i] = metric[i];
    }
    const double relative = eom_factor(n, space->factor);
    space->diagonal = 1;
    int positive = relative > 4.0 * n * DBL_EPSILON;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if (space->factor[i * n + j] != 0.0) {
                space->diagonal = 0;
            }
        }
        positive = positive && space->factor[i * n + i] > 0.0;
        space->roots[i] = sqrt(space->factor[i * n + i]);
    }
    return positive;
}

/* z = D^1/2 L^T v. */
static inline void eom_whiten(eom_space *space, const double *v)
{
    const int n = space->n;
    for (int i = 0; i < n; i++) {
        if (space->diagonal) {
            space->z[i] = space->roots[i] * v[i];
            continue;
        }
        double above = 0.0;
        for (int k = i + 1; k < n; k++) {
            above += space->factor[k * n + i] * v[k];
        }
        space->z[i] = space->roots[i] * (v[i] + above);
    }
}

/* v = L^-T D^-1/2 z, in place of z. */
static inline void eom_unwhiten(eom_space *space)
{
    for (int i = 0; i < space->n; i++) {
        space->z[i] /= space->roots[i];
    }
    if (!space->diagonal) {
        eom_solve_upper(space->n, space->factor, space->z);
    }
}

static inline double eom_norm(eom_space *space, const double *v)
{
    eom_whiten(space, v);
    return sqrt(eom_dot(space->n, space->z, space->z));
}

/* Takes the row r.v + offset = 0; leaves it out where it depends on those before it. */
static inline void eom_push(eom_space *space, const double *row, double offset)
{
    const int n = space->n, start = space->rank * (space->rank + 1) / 2;
    for (int i = 0; i < n; i++) {
        space->z[i] = row[i];
    }
    if (!space->diagonal) {
        eom_solve_lower(n, space->factor, space->z);
    }
    for (int i = 0; i < n; i++) {
        space->z[i] /= space->roots[i];
    }
    const double norm = sqrt(eom_dot(n, space->z, space->z));
    for (int j = 0; j < space->rank; j++) {
        space->triangle[start + j] = 0.0;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < space->rank; j++) {
            const double *c = space->rows + j * n;
            const double part = eom_dot(n, space->z, c);
            space->triangle[start + j] += part;
            for (int i = 0; i < n; i++) {
                space->z[i] -= part * c[i];
            }
            offset -= part * space->offsets[j];
        }
    }
    const double rest = sqrt(eom_dot(n, space->z, space->z));
    if (rest <= DBL_MAX && rest > 1e-10 * norm) {
        for (int i = 0; i < n; i++) {
            space->rows[space->rank * n + i] = space->z[i] / rest;
        }
        space->offsets[space->rank] = offset / rest;
        space->triangle[start + space->rank] = rest;
        space->kept[space->rank] = space->offered;
        space->rank += 1;
    }
    space->offered += 1;
}

/* v - factor G^-1 B^T (B G^-1 B^T)^-1 (B v + b), in place. */
static inline void eom_apply(eom_space *space, double factor, double *v)
{
    const int n = space->n;
    eom_whiten(space, v);
    for (int i = 0; i < n; i++) {
        space->change[i] = 0.0;
    }
    for (int j = 0; j < space->rank; j++) {
        const double *c = space->rows + j * n;
        const double part = -factor * (eom_dot(n, space->z, c) + space->offsets[j]);
        for (int i = 0; i < n; i++) {
            space->change[i] += part * c[i];
        }
    }
    for (int i = 0; i < n; i++) {
        space->z[i] = space->change[i];
    }
    eom_unwhiten(space);
    for (int i = 0; i < n; i++) {
        v[i] += space->z[i];
    }
}

/* Takes away what is left of B v + b + e (B before + b) = 0 in the rows taken; `which` has their
 * places among `rows`. */
static inline void eom_refine(eom_space *space, const double *rows, const double *offsets,
                              const double *e, const int *which, const double *before, double *v)
{
    const int n = space->n;
    for (int i = 0; i < n; i++) {
        space->z[i] = 0.0;
    }
    for (int j = 0; j < space->rank; j++) {
        const int row = which[space->kept[j]];
        const double *parts = space->triangle + j * (j + 1) / 2;
        const double rate = eom_dot(n, rows + row * n, v) + offsets[row];
        const double old = eom_dot(n, rows + row * n, before) + offsets[row];
        const double beta = (rate + e[row] * old - eom_dot(j, parts, space->refined)) / parts[j];
        for (int i = 0; i < n; i++) {
            space->z[i] -= beta * space->rows[j * n + i];
        }
        space->refined[j] = beta;
    }
    eom_unwhiten(space);
    for (int i = 0; i < n; i++) {
        v[i] += space->z[i];
    }
}

/* The velocity after an impact, in place of that before; not numbers where the metric is not
 * positive definite.
 *
 *     v - G^-1 B^T (B G^-1 B^T)^-1 diag(1 + e) (B v + b)
 *
 * `rows` has `count` rows, of which `gap` is the gradient. With `project` it reflects on that row
 * alone, then projects on the others. `numbers` has eom_SPACE(n, count) + n doubles, `places` 2 count
 * integers. */
static inline void eom_impact(int n, int count, int gap, int project, const double *metric,
                              const double *rows, const double *offsets, const double *e, double *v,
                              double *numbers, int *places)
{
    eom_space space;
    double *before = numbers + eom_SPACE(n, count);
    int *which = places + count;
    if (!eom_space_of(&space, n, count, metric, numbers, places)) {
        for (int i = 0; i < n; i++) {
            v[i] = NAN;
        }
        return;
    }
    int fixed = 1, uniform = 1;
    for (int row = 0; row < count; row++) {
        fixed = fixed && offsets[row] == 0.0;
        uniform = uniform && e[row] == e[0];
    }
    for (int i = 0; i < n; i++) {
        before[i] = v[i];
    }
    const double scale = eom_norm(&space, v);
    int taken = 0;
    if (project) {
        eom_push(&space, rows + gap * n, offsets[gap]);
        eom_apply(&space, 2.0, v);
        space.rank = 0;
        space.offered = 0;
    }
    for (int row = 0; row < count; row++) {
        if (!(project && row == gap)) {
            which[taken++] = row;
            eom_push(&space, rows + row * n, offsets[row]);
        }
    }
    if (project) {
        eom_apply(&space, 1.0, v);
    } else if (uniform) {
        eom_apply(&space, 1.0 + e[0], v);
    } else {
        eom_refine(&space, rows, offsets, e, which, before, v);
    }
    eom_refine(&space, rows, offsets, e, which, before, v);
    if (fixed && eom_norm(&space, v) <= 64.0 * DBL_EPSILON * scale) {
        for (int i = 0; i < n; i++) {
            v[i] = 0.0;
        }
    }
}
