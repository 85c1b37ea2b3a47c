def _factor_solve_with(factor, x):
    _solve_lower(factor, x)
    for i in range(len(x)):
        x[i] = x[i] / factor[i][i]
    _solve_upper(factor, x)


def _singular(n, pivot):
    return not pivot > 4.0 * n * np.finfo(float).eps


def _factor_solve(g, x):
    """Solves G x = b in place of b; whether G is singular."""
    singular = _singular(len(x), _factor(g))
    if not singular:
        _factor_solve_with(g, x)
    return singular


def _pivoted(s, sizes, x):
    """Solves S x = b in place of b by elimination with pivots; whether S is singular."""
    k, smallest = len(x), 1.0
    for step in range(k):
        best = step
        for row in range(step + 1, k):
            if abs(s[row][step]) / sizes[row] > abs(s[best][step]) / sizes[best]:
                best = row
        pivot = abs(s[best][step]) / sizes[best]
        if pivot < smallest or pivot != pivot:
            smallest = pivot
        for numbers in (s, x, sizes):
            numbers[step], numbers[best] = numbers[best], numbers[step]
        for row in range(step + 1, k):
            factor = s[row][step] / s[step][step]
            for column in range(step, k):
                s[row][column] = s[row][column] - factor * s[step][column]
            x[row] = x[row] - factor * x[step]
    for row in reversed(range(k)):
        x[row] = (x[row] - _dot(s[row][row + 1 :], x[row + 1 :])) / s[row][row]
    return _singular(k, smallest)


def _solve(n, k, coupled, values):
    """v' and lambda from the lower triangle of M, A, R where it is not A, F and minus gamma:
    M a - R^T lambda = F, A a = gamma, by (A M^-1 R^T) lambda = gamma - A M^-1 F."""
    values = iter(values)
    lower = [[next(values) for _ in range(i + 1)] for i in range(n)]
    m = [[lower[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
    rows = [[next(values) for _ in range(n)] for _ in range(k)]
    response = [[next(values) for _ in range(n)] for _ in range(k)] if coupled else [r[:] for r in rows]
    a = [next(values) for _ in range(n)]
    multipliers = [-next(values) for _ in range(k)]
    nothing = [np.nan] * (n + k)
    if _factor_solve(m, a):
        return nothing
    for row in response:
        _factor_solve_with(m, row)
    schur, sizes = [[0.0] * k for _ in range(k)], [0.0] * k
    for i in range(k):
        for j in range(k):
            row, other = (rows[i], response[j]) if coupled else (rows[j], response[i])
            schur[i][j] = _dot(row, other)
            sizes[i] = max(sizes[i], _dot(map(abs, row), map(abs, other)))
        multipliers[i] = multipliers[i] - _dot(rows[i], a)
    singular = _pivoted(schur, sizes, multipliers) if coupled else _factor_solve(schur, multipliers)
    if singular:
        return nothing
    for i in range(k):
        for j in range(n):
            a[j] = a[j] + response[i][j] * multipliers[i]
    return a + multipliers
