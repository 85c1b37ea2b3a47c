def _project_out(x, unit):
    along = _dot(x, unit)
    return [a - along * b for a, b in zip(x, unit)]


def _kink(a, b, components, nested, w):
    """Where |w| is least on [a, b], and how far its branch points lie beside; None without."""
    if components > _COMPONENTS_MAX or nested > _NESTED_MAX:
        return None
    padding = [0.0] * (_COMPONENTS_MAX - components)
    zero = [0.0] * nested
    p = w(a, *zero) + padding
    r = [x - y for x, y in zip(w(b, *zero) + padding, p)]
    basis = []
    for variable in range(nested):
        at = w(a, *(1.0 if i == variable else 0.0 for i in range(nested))) + padding
        direction = [x - y for x, y in zip(at, p)]
        length = np.sqrt(_dot(direction, direction))
        for unit in basis:
            direction = _project_out(direction, unit)
        left = np.sqrt(_dot(direction, direction))
        scale = 1.0 / left if left > 1e-14 * length else 0.0
        basis.append([x * scale for x in direction])
    for unit in basis:
        p, r = _project_out(p, unit), _project_out(r, unit)
    square = _dot(r, r)
    if not np.finfo(float).tiny <= square < np.inf:
        return None
    cross = 0.0
    for i in range(len(p)):
        for j in range(i + 1, len(p)):
            minor = p[i] * r[j] - p[j] * r[i]
            cross = cross + minor * minor
    centre, width = -_dot(p, r) / square, np.sqrt(cross) / square
    if not (abs(centre) < np.inf and width < np.inf):
        return None
    if nested > 0:
        width = max(width, 1e-14)
    elif width < 1e-17:
        width = 0.0
    return a + (b - a) * centre, width * abs(b - a)


class _Sum:
    """What has been summed so far of the integral of f, `count` components at once."""

    def __init__(self, f, count, tolerance):
        self.f, self.count, self.tolerance, self.panels = f, count, tolerance, 0
        self.result, self.scale = [0.0] * count, [0.0] * count

    def piece(self, low, high, kink):
        """Adds the integral over a piece, in a variable that suits a kink; False if not found."""
        if kink is not None:
            low, high = (np.arcsinh((x - kink[0]) / kink[1]) for x in (low, high))
        left = [(low, high, 0)]
        while left:
            low, high, depth = left.pop()
            self.panels += 1
            accepted = self.panel(low, high, kink)
            if accepted is None:
                return False
            if accepted:
                continue
            if self.panels > _PANELS_MAX or depth == _DEPTH_MAX:
                return False
            middle = 0.5 * (low + high)
            left += [(middle, high, depth + 1), (low, middle, depth + 1)]
        return True

    def panel(self, low, high, kink):
        """Adds the integral over a panel if it is known to the tolerance; None if f is not finite."""
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        self.rules = [[0.0] * self.count for _ in range(3)]
        self.size = [0.0] * self.count
        self.point(middle, half, kink, _CENTRE)
        rule = 1
        for index, (x, *weights) in enumerate(_PAIRS):
            if index == _PAIRS_OF_15:
                if self.agrees(1):
                    break
                rule = 2
            self.point(middle - half * x, half, kink, weights)
            self.point(middle + half * x, half, kink, weights)
        if not all(abs(total) < np.inf for total in self.rules[rule]):
            return None
        if rule == 2 and not self.agrees(2):
            return False
        self.result = [x + y for x, y in zip(self.result, self.rules[rule])]
        return True

    def point(self, u, half, kink, weights):
        s, slope = u, half
        if kink is not None:
            centre, width = kink
            s, slope = centre + width * np.sinh(u), half * (width * np.cosh(u))
        for i, value in enumerate(self.f(s)):
            value = slope * value
            for rule, weight in zip(self.rules, weights):
                rule[i] = rule[i] + weight * value
            self.size[i] = self.size[i] + weights[1] * abs(value)

    def agrees(self, rule):
        """Whether the sums of a rule and of the one before it are the same to the tolerance."""
        self.scale = [max(x, y) for x, y in zip(self.scale, self.size)]
        largest = max(self.scale)
        for i in range(self.count):
            scale = max(self.scale[i], 1e-2 * largest)
            difference = abs(self.rules[rule][i] - self.rules[rule - 1][i])
            if difference <= self.tolerance * scale:
                continue
            relative = difference / scale
            before = abs(self.rules[1][i] - self.rules[0][i])
            if not (rule == 2 and relative <= 1e-8 and relative <= np.power(before / scale, 1.25)):
                return False
        return True


def _near(end, length, kinks):
    """The kink whose branch points are nearest to an end of a piece, if they are near."""
    nearest, least = None, length
    for kink in kinks:
        if kink[1] > 0.0:
            distance = np.hypot(end - kink[0], kink[1])
            if distance < least:
                nearest, least = kink, distance
    return nearest


def _integrate(a, b, tolerance, kinks, f, count):
    """The integral of f, a function of s with a list of values, from a to b; nan if not found."""
    if a == b:
        return [0.0] * count
    low, high = (a, b) if a < b else (b, a)
    kinks = [kink for kink in kinks if kink is not None]
    inside = sorted([kink[0] for kink in kinks if low < kink[0] < high][: _KINKS_MAX + 1])
    total = _Sum(f, count, tolerance)
    found, start = bool(abs(low) < np.inf and abs(high) < np.inf), low
    for end in (inside + [high])[: _KINKS_MAX + 1]:
        if not (found and end - start > np.finfo(float).eps * (high - low)):
            continue
        left, right = _near(start, end - start, kinks), _near(end, end - start, kinks)
        if left is not None and right is not None and left != right:
            middle = start + 0.5 * (end - start)
            found = total.piece(start, middle, left) and total.piece(middle, end, right)
        else:
            found = total.piece(start, end, right if left is None else left)
        start = end
    if not found:
        return [np.nan] * count
    return total.result if a < b else [-x for x in total.result]
