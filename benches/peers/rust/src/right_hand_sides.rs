//! dy/dt of the smooth problems, as a person writes them.

const G: f64 = 9.81;

pub fn double_pendulum(s: &[f64], o: &mut [f64]) {
    let (s1, c1) = s[0].sin_cos();
    let (s2, c2) = s[1].sin_cos();
    let (c, d) = (c1 * c2 + s1 * s2, s1 * c2 - c1 * s2);
    let f1 = -d * s[3] * s[3] - 2.0 * G * s1;
    let f2 = d * s[2] * s[2] - G * s2;
    let i = 1.0 / (2.0 - c * c);
    o[0] = s[2];
    o[1] = s[3];
    o[2] = (f1 - c * f2) * i;
    o[3] = (2.0 * f2 - c * f1) * i;
}
pub fn particle(s: &[f64], o: &mut [f64]) {
    let (sx, cx) = s[0].sin_cos();
    let (sy, cy) = (2.0 * s[1]).sin_cos();
    let (fx, fy, fxx, fxy, fyy) =
        (0.3 * cx * cy, -0.6 * sx * sy, -0.3 * sx * cy, -0.6 * cx * sy, -1.2 * sx * cy);
    let (u, v) = (s[2], s[3]);
    let k = (G + fxx * u * u + 2.0 * fxy * u * v + fyy * v * v) / (1.0 + fx * fx + fy * fy);
    o[0] = u;
    o[1] = v;
    o[2] = -fx * k;
    o[3] = -fy * k;
}
pub fn nlink6(s: &[f64], o: &mut [f64]) {
    const N: usize = 6;
    let (mut sn, mut cs) = ([0.0; N], [0.0; N]);
    for i in 0..N {
        let (a, b) = s[i].sin_cos();
        sn[i] = a;
        cs[i] = b;
    }
    let (mut l, mut dd, mut y) = ([[0.0f64; N]; N], [0.0; N], [0.0; N]);
    for i in 0..N {
        let mut f = -G * ((N - i) as f64) * sn[i];
        for j in 0..N {
            let k = (N - if i > j { i } else { j }) as f64;
            f -= k * (sn[i] * cs[j] - cs[i] * sn[j]) * s[N + j] * s[N + j];
        }
        y[i] = f;
    }
    for j in 0..N {
        for i in j..N {
            l[i][j] = ((N - i) as f64) * (cs[i] * cs[j] + sn[i] * sn[j]);
        }
    }
    for j in 0..N {
        dd[j] = 1.0 / l[j][j];
        for i in j + 1..N {
            let q = l[i][j] * dd[j];
            for k in i..N {
                l[k][i] -= q * l[k][j];
            }
        }
        for i in j + 1..N {
            y[i] -= l[i][j] * dd[j] * y[j];
        }
    }
    for i in (0..N).rev() {
        let mut x = y[i];
        for k in i + 1..N {
            x -= l[k][i] * o[N + k];
        }
        o[N + i] = x * dd[i];
    }
    for i in 0..N {
        o[i] = s[N + i];
    }
}
pub fn ball(s: &[f64], o: &mut [f64]) {
    let (m, r, mu, h) = (0.0459, 0.02135, 0.02, 0.05);
    let mk2 = m * 0.4 * r * r;
    let (sx, cx) = s[0].sin_cos();
    let (sy, cy) = s[1].sin_cos();
    let (sp, cp) = s[3].sin_cos();
    let (st, ct) = s[4].sin_cos();
    let (xd, yd, zd, pd, td, fd) = (s[6], s[7], s[8], s[9], s[10], s[11]);
    let (fx, fy, fxx, fxy) = (h * cx * sy, h * sx * cy, -h * sx * sy, h * cx * cy);
    let n = 1.0 + fx * fx + fy * fy;
    let q = r / n.sqrt();
    let (wx, wy, wz) = (fd * st * sp + td * cp, fd * cp * st - td * sp, fd * ct + pd);
    let gx = mu * (xd - q * (wy + wz * fy));
    let gy = mu * (yd + q * (wx + wz * fx));
    let gz = mu * (zd + q * (wx * fy - wy * fx));
    let (tx, ty, tz) = (-q * (gy + gz * fy), q * (gx + gz * fx), -q * (gy * fx - gx * fy));
    let i = 1.0 / mk2;
    let a = tz * i + fd * td * st;
    let b = (tx * cp - ty * sp) * i - fd * pd * st;
    let c = (st * (tx * sp + ty * cp) + ct * tz) * i + td * pd * st;
    let ph = (c - a * ct) / (st * st);
    let kap = fxx * (xd * xd + yd * yd) + 2.0 * fxy * xd * yd;
    let l = (m * kap + gz + m * G - fx * gx - fy * gy) / n;
    let im = 1.0 / m;
    for k in 0..6 {
        o[k] = s[6 + k];
    }
    o[6] = (-gx - l * fx) * im;
    o[7] = (-gy - l * fy) * im;
    o[8] = (-gz + l) * im - G;
    o[9] = a - ph * ct;
    o[10] = b;
    o[11] = ph;
}
