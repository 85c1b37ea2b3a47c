/* A function of the variable of an integral, and of those of integrals within: writes its values. */
typedef void eom_integrand(const void *frame, double s, const double *nested, double *out);

/* Where the root of a form is least, and how far its branch points lie beside; no kink where the
 * width is negative. */
typedef struct {
    double centre, width;
} eom_kink;

static inline void eom_project_out(double *x, const double *unit)
{
    const double along = eom_dot(EOM_COMPONENTS_MAX, x, unit);
    for (int i = 0; i < EOM_COMPONENTS_MAX; i++) {
        x[i] -= along * unit[i];
    }
}

/* The kink of |w| on [a, b], w affine in s and in `nested` further variables. */
static inline eom_kink eom_kink_of(double a, double b, int components, int nested, eom_integrand *w,
                                   const void *frame)
{
    const eom_kink none = {0.0, -1.0};
    double p[EOM_COMPONENTS_MAX] = {0.0}, r[EOM_COMPONENTS_MAX] = {0.0};
    double basis[EOM_NESTED_MAX][EOM_COMPONENTS_MAX] = {{0.0}};
    double at[EOM_NESTED_MAX] = {0.0};
    if (components > EOM_COMPONENTS_MAX || nested > EOM_NESTED_MAX) {
        return none;
    }
    w(frame, a, at, p);
    w(frame, b, at, r);
    for (int i = 0; i < EOM_COMPONENTS_MAX; i++) {
        r[i] -= p[i];
    }
    for (int variable = 0; variable < nested; variable++) {
        at[variable] = 1.0;
        w(frame, a, at, basis[variable]);
        at[variable] = 0.0;
        for (int i = 0; i < components; i++) {
            basis[variable][i] -= p[i];
        }
    }
    for (int index = 0; index < nested; index++) {
        double *direction = basis[index];
        const double length = sqrt(eom_dot(EOM_COMPONENTS_MAX, direction, direction));
        for (int other = 0; other < index; other++) {
            eom_project_out(direction, basis[other]);
        }
        const double left = sqrt(eom_dot(EOM_COMPONENTS_MAX, direction, direction));
        const double scale = left > 1e-14 * length ? 1.0 / left : 0.0;
        for (int i = 0; i < EOM_COMPONENTS_MAX; i++) {
            direction[i] *= scale;
        }
    }
    for (int index = 0; index < nested; index++) {
        eom_project_out(p, basis[index]);
        eom_project_out(r, basis[index]);
    }
    const double square = eom_dot(EOM_COMPONENTS_MAX, r, r);
    if (!(square >= DBL_MIN && square <= DBL_MAX)) {
        return none;
    }
    double cross = 0.0;
    for (int i = 0; i < EOM_COMPONENTS_MAX; i++) {
        for (int j = i + 1; j < EOM_COMPONENTS_MAX; j++) {
            const double minor = p[i] * r[j] - p[j] * r[i];
            cross += minor * minor;
        }
    }
    eom_kink kink = {-eom_dot(EOM_COMPONENTS_MAX, p, r) / square, sqrt(cross) / square};
    if (!(fabs(kink.centre) <= DBL_MAX && kink.width <= DBL_MAX)) {
        return none;
    }
    if (nested > 0) {
        kink.width = kink.width > 1e-14 ? kink.width : 1e-14;
    } else if (kink.width < 1e-17) {
        kink.width = 0.0;
    }
    kink.centre = a + (b - a) * kink.centre;
    kink.width = kink.width * fabs(b - a);
    return kink;
}

/* What has been summed so far. */
typedef struct {
    eom_integrand *f;
    const void *frame;
    double tolerance;
    int count, panels;
    /* Numbers, one a component: the result, f at a point, the sums of a panel over 7, 15 and 31
     * points, the integral of |f| of a panel, and as far as it is known. */
    double *result, *value, *rules[3], *size, *scale;
} eom_sum;

static inline void eom_point(eom_sum *sum, double u, double half, eom_kink map, const double *weights)
{
    double s = u, slope = half;
    if (map.width > 0.0) {
        s = map.centre + map.width * sinh(u);
        slope = half * (map.width * cosh(u));
    }
    sum->f(sum->frame, s, NULL, sum->value);
    for (int i = 0; i < sum->count; i++) {
        const double value = slope * sum->value[i];
        for (int rule = 0; rule < 3; rule++) {
            sum->rules[rule][i] += weights[rule] * value;
        }
        sum->size[i] += weights[1] * fabs(value);
    }
}

/* Whether the sums of a rule and of the one before it are the same to the tolerance. */
static inline int eom_agrees(eom_sum *sum, int rule)
{
    double largest = 0.0;
    for (int i = 0; i < sum->count; i++) {
        sum->scale[i] = fmax(sum->scale[i], sum->size[i]);
        largest = fmax(largest, sum->scale[i]);
    }
    for (int i = 0; i < sum->count; i++) {
        const double scale = fmax(sum->scale[i], 1e-2 * largest);
        const double difference = fabs(sum->rules[rule][i] - sum->rules[rule - 1][i]);
        if (difference <= sum->tolerance * scale) {
            continue;
        }
        const double relative = difference / scale;
        const double before = fabs(sum->rules[1][i] - sum->rules[0][i]);
        if (!(rule == 2 && relative <= 1e-8 && relative <= pow(before / scale, 1.25))) {
            return 0;
        }
    }
    return 1;
}

/* Adds the integral over a panel: 1 if it is known to the tolerance, 0 if not, -1 where f is not
 * finite. */
static inline int eom_panel(eom_sum *sum, double low, double high, eom_kink map)
{
    static const double centre[3] = EOM_CENTRE;
    static const double pairs[EOM_PAIRS][4] = EOM_PAIRS_TABLE;
    const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
    for (int i = 0; i < sum->count; i++) {
        sum->rules[0][i] = sum->rules[1][i] = sum->rules[2][i] = sum->size[i] = 0.0;
    }
    eom_point(sum, middle, half, map, centre);
    int rule = 1;
    for (int pair = 0; pair < EOM_PAIRS; pair++) {
        if (pair == EOM_PAIRS_OF_15) {
            if (eom_agrees(sum, 1)) {
                break;
            }
            rule = 2;
        }
        eom_point(sum, middle - half * pairs[pair][0], half, map, pairs[pair] + 1);
        eom_point(sum, middle + half * pairs[pair][0], half, map, pairs[pair] + 1);
    }
    for (int i = 0; i < sum->count; i++) {
        if (!(fabs(sum->rules[rule][i]) <= DBL_MAX)) {
            return -1;
        }
    }
    if (rule == 2 && !eom_agrees(sum, 2)) {
        return 0;
    }
    for (int i = 0; i < sum->count; i++) {
        sum->result[i] += sum->rules[rule][i];
    }
    return 1;
}

/* Adds the integral over a piece; 0 where it is not found. */
static inline int eom_piece(eom_sum *sum, double low, double high, eom_kink map)
{
    double open[EOM_DEPTH_MAX + 1][2];
    int depths[EOM_DEPTH_MAX + 1];
    int count = 1;
    if (map.width > 0.0) {
        low = asinh((low - map.centre) / map.width);
        high = asinh((high - map.centre) / map.width);
    }
    open[0][0] = low;
    open[0][1] = high;
    depths[0] = 0;
    while (count > 0) {
        count -= 1;
        const double from = open[count][0], to = open[count][1];
        const int depth = depths[count];
        sum->panels += 1;
        const int accepted = eom_panel(sum, from, to, map);
        if (accepted < 0) {
            return 0;
        }
        if (accepted) {
            continue;
        }
        if (sum->panels > EOM_PANELS_MAX || depth == EOM_DEPTH_MAX) {
            return 0;
        }
        const double middle = 0.5 * (from + to);
        open[count][0] = middle;
        open[count][1] = to;
        depths[count] = depth + 1;
        open[count + 1][0] = from;
        open[count + 1][1] = middle;
        depths[count + 1] = depth + 1;
        count += 2;
    }
    return 1;
}

/* The kink whose branch points are nearest to an end of a piece, if they are near. */
static inline eom_kink eom_near(double end, double length, int count, const eom_kink *kinks)
{
    eom_kink nearest = {0.0, -1.0};
    double least = 0.0;
    for (int i = 0; i < count; i++) {
        if (kinks[i].width > 0.0) {
            const double distance = hypot(end - kinks[i].centre, kinks[i].width);
            if (distance < length && (nearest.width < 0.0 || distance < least)) {
                least = distance;
                nearest = kinks[i];
            }
        }
    }
    return nearest;
}

/* The integral of f from a to b, `count` components at once, to a tolerance relative to that of |f|;
 * not numbers where it is not found. `numbers` has 6 count doubles. */
static inline void eom_integrate(double a, double b, double tolerance, int kink_count,
                                 const eom_kink *kinks, eom_integrand *f, const void *frame,
                                 int count, double *result, double *numbers)
{
    eom_sum sum;
    const double low = a < b ? a : b, high = a < b ? b : a;
    double breaks[EOM_KINKS_MAX + 1];
    int inside = 0, found = 1;
    for (int i = 0; i < count; i++) {
        result[i] = 0.0;
        numbers[5 * count + i] = 0.0;
    }
    if (a == b) {
        return;
    }
    sum.f = f;
    sum.frame = frame;
    sum.tolerance = tolerance;
    sum.count = count;
    sum.panels = 0;
    sum.result = result;
    sum.value = numbers;
    sum.rules[0] = numbers + count;
    sum.rules[1] = numbers + 2 * count;
    sum.rules[2] = numbers + 3 * count;
    sum.size = numbers + 4 * count;
    sum.scale = numbers + 5 * count;
    if (!(fabs(low) <= DBL_MAX && fabs(high) <= DBL_MAX)) {
        found = 0;
    }
    for (int i = 0; i < kink_count && inside <= EOM_KINKS_MAX; i++) {
        if (kinks[i].width >= 0.0 && low < kinks[i].centre && kinks[i].centre < high) {
            int at = inside;
            while (at > 0 && breaks[at - 1] > kinks[i].centre) {
                breaks[at] = breaks[at - 1];
                at -= 1;
            }
            breaks[at] = kinks[i].centre;
            inside += 1;
        }
    }
    double from = low;
    for (int i = 0; found && i <= inside && i <= EOM_KINKS_MAX; i++) {
        const double to = i < inside ? breaks[i] : high;
        if (!(to - from > DBL_EPSILON * (high - low))) {
            continue;
        }
        const eom_kink left = eom_near(from, to - from, kink_count, kinks);
        const eom_kink right = eom_near(to, to - from, kink_count, kinks);
        const int same = left.centre == right.centre && left.width == right.width;
        if (left.width > 0.0 && right.width > 0.0 && !same) {
            const double middle = from + 0.5 * (to - from);
            found = eom_piece(&sum, from, middle, left) && eom_piece(&sum, middle, to, right);
        } else {
            found = eom_piece(&sum, from, to, left.width > 0.0 ? left : right);
        }
        from = to;
    }
    for (int i = 0; i < count; i++) {
        result[i] = found ? (a > b ? -result[i] : result[i]) : NAN;
    }
}
