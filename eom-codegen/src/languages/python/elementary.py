def _entries(name, values, names):
    """An array with one entry a name along its first axis."""
    values = np.asarray(values, float)
    if values.ndim == 0 or values.shape[0] != len(names):
        found = values.shape[0] if values.ndim > 0 else "a number"
        raise ValueError(f"{name} has {len(names)} entries ({', '.join(names)}); found {found}")
    return values


def _state(t, q, v=None, u=None):
    """t, q, v, u as arrays, and the shape of what runs over states."""
    t = np.asarray(t, float)
    q = _entries("q", q, POSITIONS)
    v = np.zeros(0) if v is None else _entries("v", v, SPEEDS)
    u = np.zeros(0) if u is None else _entries("u", u, INPUTS)
    batch = np.broadcast_shapes(t.shape, q.shape[1:], v.shape[1:], u.shape[1:])
    return t[()], q, v, u, batch


def _array(batch, shape, values):
    """Values, each a number or an array over states, in a shape before the axes of the states."""
    array = np.empty((len(values),) + batch)
    for index, value in enumerate(values):
        array[index] = value
    return array.reshape(shape + batch)


def _each(one, batch, count, t, *entries):
    """The numbers that a function has at each state: a list, one array over states each."""

    def whole(x, first):
        ones = (1,) * (len(batch) - (x.ndim - first))
        return np.broadcast_to(x.reshape(x.shape[:first] + ones + x.shape[first:]), x.shape[:first] + batch)

    t, entries = whole(np.asarray(t), 0), [whole(x, 1) for x in entries]
    results = [one(t[at], *(x[(slice(None),) + at] for x in entries)) for at in np.ndindex(*batch)]
    array = np.array(results, float).reshape(batch + (count,))
    return [array[..., index][()] for index in range(count)]


def _powi(a, n):
    """a**n by repeated squaring."""
    power, left = 1.0, abs(n)
    while True:
        if left & 1:
            power = power * a
        left >>= 1
        if left == 0:
            return 1.0 / power if n < 0 else power
        a = a * a


def _inverse_or_zero(a):
    """1/a, and 0 for a = 0."""
    return np.where(a == 0.0, 0.0, 1.0 / np.where(a == 0.0, 1.0, a))[()]


def _dot(x, y):
    total = 0.0
    for a, b in zip(x, y):
        total = total + a * b
    return total
