//! The impact of one contact with friction as a process in its normal impulse Λ (Routh 1860, Keller 1986).
//!
//! The rates at the contact change with Λ, its slip s pushed back by Coulomb's friction. With N = M⁻¹ on the
//! constraints, a = ∇g N∇gᵀ, b = J N∇gᵀ, and of the force f on the slip Jᵀf, with what declared forces make of it, a row (J + R)ᵀf,
//! p = (J + R) N∇gᵀ, which is b where they hold none, and C = J N(J + R)ᵀ,
//!
//! ```text
//! slides     dġ/dΛ = a − μ p·u        ds/dΛ = b − μ C u        dΦ/dΛ = μ u        u = s/‖s‖
//! sticks     dġ/dΛ = a − p·φ          s = 0                    dΦ/dΛ = φ          φ = C⁻¹b, ‖φ‖ ≤ μ
//! leaves     as it slides, from s = 0 where ‖C⁻¹b‖ > μ, in the direction u with ds/dΛ along u
//! ```
//!
//! Compression ends where ġ = 0, at Λ_c with the work W_c = ∫ġ dΛ < 0. Restitution ends
//!
//! ```text
//! Poisson    Λ = (1 + e) Λ_c          Stronge    W = (1 − e²) W_c
//! ```
//!
//! In one direction all of this is straight. In a plane u turns; with polar coordinates of s, s = r u(θ), and
//! dΛ = r dτ, what is left where r → 0 is regular:
//!
//! ```text
//! dθ/dτ = u′·(b − μ C u)      d ln r/dτ = u·(b − μ C u)      dΛ/dτ = r
//! ```
//!
//! which is integrated by extrapolation of the midpoint rule.

use crate::linalg::dot;
use crate::midpoint::extrapolated;
use crate::system::Restitution;
use eom_elementary as elementary;

/// Ways of the slip, one after another.
const PARTS_MAX: usize = 16;

/// Steps of a slip that turns.
const STEPS_MAX: usize = 10_000;

/// A slip that turns has come to rest at e to this power of what it was.
const AT_REST: f64 = -42.0;

/// The error of a step, as a part of the sizes of what it changes.
const TOLERANCE: f64 = 1e-14;

/// The first step, as a part of the time in which θ, ln r or Λ change.
const FIRST_STEP: f64 = 0.1;

/// A step with an error below this part of the tolerance is followed by a longer one.
const LONGER: f64 = 1e-2;

/// Cuts of an interval to a root.
const CUTS_MAX: usize = 200;

/// Directions that are looked at for one in which a slip leaves.
const DIRECTIONS: u32 = 720;

/// θ, ln r, Λ, ġ, W, Φ.
type Turning = [f64; 7];

/// How a contact responds to impulses.
#[derive(Debug, Clone)]
pub(super) struct Response {
    /// a.
    pub(super) normal: f64,
    /// b, one number a component of the slip.
    pub(super) coupling: Vec<f64>,
    /// p likewise.
    pub(super) pushed: Vec<f64>,
    /// C by rows.
    pub(super) tangential: Vec<f64>,
    /// μ.
    pub(super) friction: f64,
}

/// The impulses of an impact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Impulses {
    /// Λ.
    pub(super) normal: f64,
    /// Φ: the slip is pushed with −JᵀΦ.
    pub(super) friction: Vec<f64>,
}

/// A process under way.
#[derive(Debug, Clone)]
struct Process<'r> {
    response: &'r Response,
    restitution: Restitution,
    e: f64,
    /// Λ, ġ, W.
    impulse: f64,
    rate: f64,
    work: f64,
    slip: Vec<f64>,
    friction: Vec<f64>,
    /// Λ_c and W_c, once compression is over.
    compressed: Option<[f64; 2]>,
}

/// Rates that stay: dġ/dΛ, ds/dΛ, dΦ/dΛ; up to this Λ from here.
struct Straight {
    rate: f64,
    slip: Vec<f64>,
    friction: Vec<f64>,
    longest: f64,
}

impl Response {
    /// The impulses from ġ⁻ ≤ 0 and s⁻; from ġ⁻ = 0 what slides jams: its dġ/dΛ counts as zero where it is more. None
    /// where the process does not end.
    pub(super) fn impact(
        &self,
        rate: f64,
        slip: &[f64],
        (restitution, e): (Restitution, f64),
    ) -> Option<Impulses> {
        let jammed = if rate == 0.0 { self.jammed(slip) } else { self.clone() };
        let mut process = Process {
            response: &jammed,
            restitution,
            e,
            impulse: 0.0,
            rate,
            work: 0.0,
            slip: slip.to_vec(),
            friction: vec![0.0; slip.len()],
            compressed: None,
        };
        for _ in 0..PARTS_MAX {
            if process.part()? {
                let Process { impulse: normal, friction, .. } = process;
                return Some(Impulses { normal, friction });
            }
        }
        None
    }

    /// The same with a ≤ μ b·u, where something slides.
    fn jammed(&self, slip: &[f64]) -> Self {
        let size = dot(slip, slip).sqrt();
        if size == 0.0 {
            return self.clone();
        }
        let u: Vec<f64> = slip.iter().map(|s| s / size).collect();
        let normal = self.normal.min(self.friction * dot(&self.pushed, &u));
        Self { normal, ..self.clone() }
    }

    /// ds/dΛ of a slip in this direction.
    fn slip_rate(&self, u: &[f64]) -> Vec<f64> {
        let n = u.len();
        let row = |i: usize| dot(&self.tangential[i * n..][..n], u);
        (0..n).map(|i| self.coupling[i] - self.friction * row(i)).collect()
    }

    /// Whether friction brings a slip in any direction back: u·C u > 0.
    pub(super) fn opposes(&self) -> bool {
        match self.tangential[..] {
            [c] => c > 0.0,
            [xx, xy, yx, yy] => {
                let half = 0.5 * (xy + yx);
                xx > 0.0 && xx * yy > half * half
            }
            _ => true,
        }
    }

    /// φ = C⁻¹b.
    fn holding(&self) -> Vec<f64> {
        match (&self.coupling[..], &self.tangential[..]) {
            ([b], [c]) => vec![b / c],
            ([x, y], [xx, xy, yx, yy]) => {
                let det = xx * yy - xy * yx;
                vec![(x * yy - y * xy) / det, (y * xx - x * yx) / det]
            }
            _ => Vec::new(),
        }
    }

    /// The direction in which a slip leaves s = 0.
    fn leaving(&self) -> Option<Vec<f64>> {
        if let [b] = self.coupling[..] {
            return Some(vec![b.signum()]);
        }
        let across = |θ: f64| self.polar(θ)[0];
        let place = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(DIRECTIONS);
        for i in 0..DIRECTIONS {
            let (low, high) = (place(i), place(i + 1));
            // There the direction is kept: across falls through zero, or rises where others lead away.
            if across(low) == 0.0 || across(low).signum() != across(high).signum() {
                let θ = root(across, low, high);
                if self.polar(θ)[1] > 0.0 {
                    return Some(direction(θ));
                }
            }
        }
        None
    }

    /// dθ/dτ and d ln r/dτ.
    fn polar(&self, θ: f64) -> [f64; 2] {
        let u = direction(θ);
        let rate = self.slip_rate(&u);
        [u[0] * rate[1] - u[1] * rate[0], dot(&u, &rate)]
    }
}

impl Process<'_> {
    /// Goes on to the next change of the slip's way, or to the end: whether it is over.
    fn part(&mut self) -> Option<bool> {
        if !self.is_still() && self.slip.len() > 1 {
            return self.turn();
        }
        let straight = self.straight()?;
        let Some(left) = self.left(&straight).filter(|left| *left <= straight.longest) else {
            if straight.longest == f64::INFINITY {
                return None;
            }
            self.advance(&straight, straight.longest);
            self.slip.fill(0.0);
            return Some(false);
        };
        self.advance(&straight, left);
        if self.compressed.is_none() {
            self.rate = 0.0;
            self.compressed = Some([self.impulse, self.work]);
            return Some(self.e == 0.0);
        }
        Some(true)
    }

    fn is_still(&self) -> bool {
        self.slip.iter().all(|s| *s == 0.0)
    }

    /// The rates of a slip in one direction, of what sticks, or of what leaves s = 0.
    fn straight(&self) -> Option<Straight> {
        let Response { normal, pushed, friction: μ, .. } = self.response;
        if self.is_still() {
            let φ = self.response.holding();
            if dot(&φ, &φ).sqrt() <= *μ {
                let rate = normal - dot(pushed, &φ);
                let slip = vec![0.0; φ.len()];
                return Some(Straight { rate, slip, friction: φ, longest: f64::INFINITY });
            }
        }
        let leaves = self.is_still();
        let u = if leaves { self.response.leaving()? } else { vec![self.slip[0].signum()] };
        let slip = self.response.slip_rate(&u);
        let towards = dot(&slip, &u);
        let longest =
            if leaves || towards >= 0.0 { f64::INFINITY } else { -dot(&self.slip, &u) / towards };
        let rate = normal - μ * dot(pushed, &u);
        let friction = u.iter().map(|u| μ * u).collect();
        Some(Straight { rate, slip, friction, longest })
    }

    /// How far it is to the end of compression, or of restitution. None where it does not come.
    fn left(&self, straight: &Straight) -> Option<f64> {
        let Some([impulse, work]) = self.compressed else {
            return (straight.rate > 0.0).then(|| -self.rate / straight.rate);
        };
        let left = match self.restitution {
            Restitution::Newton | Restitution::Poisson => (1.0 + self.e) * impulse - self.impulse,
            Restitution::Stronge => {
                let missing = (1.0 - self.e * self.e) * work - self.work;
                let square = self.rate * self.rate + 2.0 * straight.rate * missing;
                2.0 * missing / (self.rate + square.sqrt())
            }
        };
        left.is_finite().then_some(left.max(0.0))
    }

    fn advance(&mut self, straight: &Straight, by: f64) {
        self.impulse += by;
        self.work += by * (self.rate + 0.5 * straight.rate * by);
        self.rate += straight.rate * by;
        let rates = straight.slip.iter().zip(&straight.friction);
        for ((s, φ), (ds, dφ)) in self.slip.iter_mut().zip(&mut self.friction).zip(rates) {
            *s += ds * by;
            *φ += dφ * by;
        }
    }

    /// Goes on with a slip that turns in its plane: to rest, or to the end. Whether it is over.
    fn turn(&mut self) -> Option<bool> {
        let r = dot(&self.slip, &self.slip).sqrt();
        let θ = elementary::atan2(self.slip[1], self.slip[0]);
        let mut y: Turning =
            [θ, 0.0, self.impulse, self.rate, self.work, self.friction[0], self.friction[1]];
        let rates = |y: &Turning| self.turning(y, r);
        let [across, along] = self.response.polar(θ);
        let span = self.impulse.max(self.rate.abs() / self.response.normal);
        // From ġ = 0 nothing but the slip has a span.
        let fastest = if span > 0.0 { r / span } else { 0.0 };
        let mut h = FIRST_STEP / across.abs().max(along.abs()).max(fastest);
        let mut over = false;
        for _ in 0..STEPS_MAX {
            let (next, change) = extrapolated(&rates, &y, h);
            let error = self.size_of(&change, &next);
            if error.is_nan() || error > TOLERANCE {
                h *= 0.5;
                continue;
            }
            let missing = |y: &Turning| self.missing(y);
            if missing(&next) <= 0.0 {
                let cut = root(|h| missing(&extrapolated(&rates, &y, h).0), 0.0, h);
                y = extrapolated(&rates, &y, cut).0;
                over = true;
                break;
            }
            y = next;
            if y[1] < AT_REST {
                break;
            }
            if error < LONGER * TOLERANCE {
                h *= 1.5;
            }
        }
        if !over && y[1] >= AT_REST {
            return None;
        }
        let [θ, rest, impulse, rate, work, x, z] = y;
        (self.impulse, self.rate, self.work) = (impulse, rate, work);
        self.friction = vec![x, z];
        let size = if over { r * elementary::exp(rest) } else { 0.0 };
        self.slip = direction(θ).iter().map(|u| size * u).collect();
        if over && self.compressed.is_none() {
            self.rate = 0.0;
            self.compressed = Some([self.impulse, self.work]);
            return Some(self.e == 0.0);
        }
        Some(over)
    }

    /// How large a change of what turns is, beside what it may be at this Λ.
    fn size_of(&self, change: &Turning, at: &Turning) -> f64 {
        let Response { normal, friction: μ, .. } = self.response;
        let rate = self.rate.abs() + normal * at[2];
        let friction = μ * at[2] + f64::MIN_POSITIVE;
        // ln r falls far, where it has the rounding of its size and r no weight.
        let sizes = [1.0, 1.0 + at[1].abs(), at[2], rate, rate * at[2], friction, friction];
        let parts = change.iter().zip(sizes).map(|(change, size)| change.abs() / size);
        parts
            .fold(0.0, |largest, part| if part > largest || part.is_nan() { part } else { largest })
    }

    /// d/dτ of a slip that turns.
    fn turning(&self, y: &Turning, r: f64) -> Turning {
        let Response { normal, pushed, friction: μ, .. } = self.response;
        let (u, [across, along]) = (direction(y[0]), self.response.polar(y[0]));
        let r = r * elementary::exp(y[1]);
        let rate = normal - μ * dot(pushed, &u);
        [across, along, r, r * rate, r * y[3], r * μ * u[0], r * μ * u[1]]
    }

    /// What is missing to the end of compression, or of restitution.
    fn missing(&self, y: &Turning) -> f64 {
        match (self.compressed, self.restitution) {
            (None, _) => -y[3],
            (Some([_, work]), Restitution::Stronge) => (1.0 - self.e * self.e) * work - y[4],
            (Some([impulse, _]), _) => (1.0 + self.e) * impulse - y[2],
        }
    }
}

/// u(θ).
fn direction(θ: f64) -> Vec<f64> {
    vec![elementary::cos(θ), elementary::sin(θ)]
}

/// A root of f, which changes its sign between low and high, by halves.
fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let sign = f(low).signum();
    for _ in 0..CUTS_MAX {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        let value = f(middle);
        if value == 0.0 {
            return middle;
        }
        if value.signum() == sign { low = middle } else { high = middle }
    }
    high
}
