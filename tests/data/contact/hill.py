"""A particle on the hill y = H cos(k x) under gravity, started in the valley x = -pi/k with the horizontal
speed v: it leaves where its normal force vanishes, flies, lands without a bounce and slides on.

With c = cos(k x), s = sin(k x), slope f' = -H k s, curvature f'' = -H k^2 c:
  sliding          x'^2 (1 + f'^2) = u            u = v^2 + 2 g H (1 - c), or after a landing its own
  normal force     g + f'' x'^2 = 0
  flight           x = x1 + w tau, y = y1 + f'(x1) w tau - g tau^2/2
  landing          the velocity is projected on the slope
Times are quadratures of dx/x'. mpmath 1.3.0, 40 digits."""
from mpmath import mp, mpf, cos, sin, sqrt, quad, findroot, pi, linspace, nstr
mp.dps = 40
g = mpf('9.81')

def hop(H, k, v, until):
    f = lambda x: H*cos(k*x)
    slope = lambda x: -H*k*sin(k*x)
    bend = lambda x: -H*k*k*cos(k*x)
    out = []
    t, x0, u0 = mpf(0), -pi/k, v*v          # u at x0: speed squared
    for _ in range(3):
        u = lambda x: u0 + 2*g*(f(x0) - f(x))
        w2 = lambda x: u(x)/(1 + slope(x)**2)
        force = lambda x: g + bend(x)*w2(x)
        # first zero of the force beyond x0
        xs = [x0 + i*(mpf(1)/2000)/k for i in range(1, 40000)]
        x1 = None
        previous = x0
        for x in xs:
            if u(x) <= 0: break
            if force(x) <= 0:
                x1 = findroot(force, (previous, x), solver='anderson', tol=mpf(10)**-60)
                break
            previous = x
        if x1 is None: break
        t += quad(lambda x: 1/sqrt(w2(x)), linspace(x0, x1, 9))
        w = sqrt(w2(x1))
        out.append(('leaves', t, x1, w))
        y1, vy = f(x1), slope(x1)*w
        gap = lambda tau: y1 + vy*tau - g*tau*tau/2 - f(x1 + w*tau)
        # gap ~ tau^3: step off it, then the first sign change
        tau = mpf(1)/1000
        while gap(tau) > 0: tau += mpf(1)/1000
        tau = findroot(gap, (tau - mpf(1)/1000, tau), solver='anderson', tol=mpf(10)**-60)
        t += tau
        x2 = x1 + w*tau
        vy2 = vy - g*tau
        d = slope(x2)
        w2_ = (w + d*vy2)/(1 + d*d)
        out.append(('lands', t, x2, w2_))
        x0, u0 = x2, w2_**2*(1 + d*d)
    # where it is at `until`, if it slides then
    return out, (x0, u0, t)

for H, k, v in [(mpf('0.3'), mpf(2), mpf('4.5')), (mpf('0.3'), mpf(2), mpf(6)), (mpf('0.1'), mpf(3), mpf('3.5'))]:
    out, last = hop(H, k, v, None)
    print('H', nstr(H, 5), 'k', nstr(k, 5), 'v', nstr(v, 5))
    for row in out:
        print('  ', row[0], *[nstr(c, 20) for c in row[1:]])
