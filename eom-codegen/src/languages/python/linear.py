def _factor(g):
    """G = L D L^T in place of G, a list of rows. Returns the smallest pivot relative to its terms."""
    smallest = 1.0
    for i, row in enumerate(g):
        for j in range(i):
            row[j] = row[j] - _dot(row[:j], g[j][:j])
        terms = abs(row[i])
        for j in range(i):
            l = row[j] / g[j][j]
            terms = terms + abs(row[j] * l)
            row[i] = row[i] - row[j] * l
            row[j] = l
        relative = abs(row[i]) / terms
        if relative < smallest or relative != relative:
            smallest = relative
        if smallest != smallest:
            return smallest
    return smallest


def _solve_lower(factor, x):
    for i in range(len(x)):
        x[i] = x[i] - _dot(factor[i][:i], x[:i])


def _solve_upper(factor, x):
    for i in reversed(range(len(x))):
        for k in range(i):
            x[k] = x[k] - factor[i][k] * x[i]
