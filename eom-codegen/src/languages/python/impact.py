class _Space:
    """Rows made orthonormal in the metric G = L D L^T: z = D^1/2 L^T v has v.G v = z.z."""

    def __init__(self, metric):
        n = len(metric)
        self.factor = [list(row) for row in metric]
        relative = _factor(self.factor)
        self.diagonal = all(self.factor[i][j] == 0.0 for i in range(n) for j in range(i))
        pivots = [self.factor[i][i] for i in range(n)]
        self.positive = relative > 4.0 * n * np.finfo(float).eps and all(d > 0.0 for d in pivots)
        self.roots = [np.sqrt(d) for d in pivots] if self.positive else []
        self.clear()

    def clear(self):
        self.rows, self.offsets, self.triangle, self.kept, self.offered = [], [], [], [], 0

    def whiten(self, v):
        if self.diagonal:
            return [root * x for root, x in zip(self.roots, v)]
        above = [_dot([row[i] for row in self.factor[i + 1 :]], v[i + 1 :]) for i in range(len(v))]
        return [root * (x + a) for root, x, a in zip(self.roots, v, above)]

    def unwhiten(self, z):
        z = [x / root for x, root in zip(z, self.roots)]
        if not self.diagonal:
            _solve_upper(self.factor, z)
        return z

    def norm(self, v):
        z = self.whiten(v)
        return np.sqrt(_dot(z, z))

    def push(self, row, offset):
        """Takes the row r.v + offset = 0; leaves it out where it depends on those before it."""
        z = list(row)
        if not self.diagonal:
            _solve_lower(self.factor, z)
        z = [x / root for x, root in zip(z, self.roots)]
        norm, parts = np.sqrt(_dot(z, z)), [0.0] * len(self.rows)
        for _ in range(2):
            for j, c in enumerate(self.rows):
                part = _dot(z, c)
                parts[j] = parts[j] + part
                z = [x - part * y for x, y in zip(z, c)]
                offset = offset - part * self.offsets[j]
        rest = np.sqrt(_dot(z, z))
        if rest < np.inf and rest > 1e-10 * norm:
            self.rows.append([x / rest for x in z])
            self.offsets.append(offset / rest)
            self.triangle.append(parts + [rest])
            self.kept.append(self.offered)
        self.offered += 1

    def apply(self, factor, v):
        """v - factor G^-1 B^T (B G^-1 B^T)^-1 (B v + b)."""
        z, change = self.whiten(v), [0.0] * len(v)
        for c, offset in zip(self.rows, self.offsets):
            part = -factor * (_dot(z, c) + offset)
            change = [x + part * y for x, y in zip(change, c)]
        return [x + y for x, y in zip(v, self.unwhiten(change))]

    def refine(self, rows, before, v):
        """v without what is left of B v + b + e (B before + b) = 0 in the rows taken."""
        z, refined = [0.0] * len(v), []
        for place, c, parts in zip(self.kept, self.rows, self.triangle):
            row, offset, e = rows[place]
            rate, old = _dot(row, v) + offset, _dot(row, before) + offset
            beta = (rate + e * old - _dot(parts, refined)) / parts[-1]
            z = [x - beta * y for x, y in zip(z, c)]
            refined.append(beta)
        return [x + y for x, y in zip(v, self.unwhiten(z))]


def _impact(metric, rows, gap, project, before):
    """The velocity after an impact: v - G^-1 B^T (B G^-1 B^T)^-1 diag(1 + e) (B v + b) for rows
    (r, offset, e), or the reflection on the row `gap` alone, then the projection on the others."""
    space, before = _Space(metric), list(before)
    if not space.positive:
        return [np.nan] * len(before)
    v, scale = before, space.norm(before)
    if project:
        row, offset, _ = rows[gap]
        space.push(row, offset)
        v = space.apply(2.0, v)
        space.clear()
    taken = [row for place, row in enumerate(rows) if not (project and place == gap)]
    for row, offset, _ in taken:
        space.push(row, offset)
    if project:
        v = space.apply(1.0, v)
    elif all(row[2] == rows[0][2] for row in rows):
        v = space.apply(1.0 + rows[0][2], v)
    else:
        v = space.refine(taken, before, v)
    v = space.refine(taken, before, v)
    fixed = all(offset == 0.0 for _, offset, _ in rows)
    if fixed and space.norm(v) <= 64.0 * np.finfo(float).eps * scale:
        return [0.0] * len(v)
    return v
