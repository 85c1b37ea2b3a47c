//! The impact of one contact with friction as a process in its normal impulse Λ (Routh 1860, Keller 1986), of numbers, and of
//! numbers with derivatives.
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
//! Poisson    Λ = (1 + e) Λ_c          Stronge    W_e = −e² W_c, W_e = ∫ġ dΛ from Λ_c on
//! ```
//!
//! In one direction all of this is straight. In a plane u turns (`turning`).
//!
//! **Derivatives** of Λ and Φ by all that is given are those of the arithmetic, of which the ends of ways are a part. Beside it:
//!
//! ```text
//! leaves     ω(u) = u′·(b − μ C u) = 0        δθ = −δω/ω′,  ω′ = −u·(b − μ C u) − μ u′·C u′ < 0
//! begins at s = 0 and is held                 comes to rest at once where it is varied: δΦ = C⁻¹δs, δġ = −p·C⁻¹δs
//! ```
//!
//! Where two ends meet, where the slip begins at zero and leaves, and where it sticks at the edge of its cone, the ways on either
//! side are others: there is no derivative.

mod turning;

pub use crate::hybrid::works::process::together;
pub use crate::hybrid::works::state::{Spring, Term};

use crate::system::Restitution;
use eom_elementary::Number;
use eom_enclosure::Dual;

/// Ways of the slip, one after another.
const PARTS_MAX: usize = 16;

/// Directions that are looked at for one in which a slip leaves.
const DIRECTIONS: u32 = 720;

/// Cuts of an interval to a root.
const CUTS_MAX: usize = 200;

/// Ends nearer than this part of their length are at one place, and so is the edge of a cone.
pub(crate) const EDGE: f64 = 1e-9;

/// A number of a process: a value, which tells its ways, and derivatives.
pub trait Varied: Number {
    /// Whether it has derivatives.
    const VARIES: bool;
    /// The value.
    fn value(self) -> f64;
    /// The derivatives.
    fn rates(&self) -> &[f64];
}

impl Varied for f64 {
    const VARIES: bool = false;

    fn value(self) -> f64 {
        self
    }

    fn rates(&self) -> &[f64] {
        &[]
    }
}

impl<const K: usize> Varied for Dual<f64, K> {
    const VARIES: bool = true;

    fn value(self) -> f64 {
        self.value
    }

    fn rates(&self) -> &[f64] {
        &self.rates
    }
}

/// How a contact responds to impulses. Of a slip in one direction the second components are 0, and C is 1 across it.
#[derive(Debug, Clone, Copy)]
pub struct Response<N> {
    /// a.
    pub normal: N,
    /// b.
    pub coupling: [N; 2],
    /// p.
    pub pushed: [N; 2],
    /// C by rows.
    pub tangential: [[N; 2]; 2],
    /// μ.
    pub friction: N,
    /// Whether the slip is one in a plane.
    pub turns: bool,
}

/// How a contact is struck.
#[derive(Debug, Clone, Copy)]
pub struct Blow<N> {
    /// ġ⁻ ≤ 0. From ġ⁻ = 0 what slides jams: its dġ/dΛ counts as zero where it is more.
    pub rate: N,
    /// s⁻.
    pub slip: [N; 2],
    /// The law, and its e.
    pub law: Restitution,
    /// e.
    pub e: N,
    /// Whether derivatives move the slip.
    pub moves: bool,
}

/// The impulses of an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impulses<N> {
    /// Λ.
    pub normal: N,
    /// Φ: the slip is pushed with −JᵀΦ.
    pub friction: [N; 2],
}

/// Why a process has no impulses, or these no derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoImpulses {
    /// It does not end.
    Endless,
    /// A slip ends where a phase does: no derivatives.
    Meets,
    /// A slip sticks with as much as it can: no derivatives.
    AtEdge,
    /// A slip that begins at zero is turned: no derivatives.
    TurnsFromRest,
    /// A slip has all but come to rest and turns: no derivatives that rounding leaves.
    Passes,
    /// A phase ends while what ends it does not change: no derivatives.
    WithoutRate,
    /// A slip in a plane leaves rest, beside other contacts: no derivatives.
    LeavesInPlane,
    /// A gap neither opens nor is pressed at the end: no derivatives.
    Bears,
}

/// A process under way.
#[derive(Debug, Clone)]
struct Process<'r, N> {
    response: &'r Response<N>,
    law: Restitution,
    e: N,
    /// Λ, ġ, W; W_e once compression is over.
    impulse: N,
    rate: N,
    work: N,
    slip: [N; 2],
    friction: [N; 2],
    /// Λ_c and W_c, once compression is over.
    compressed: Option<[N; 2]>,
}

/// Rates that stay: dġ/dΛ, ds/dΛ, dΦ/dΛ; up to this Λ from here, where they end.
struct Straight<N> {
    rate: N,
    slip: [N; 2],
    friction: [N; 2],
    longest: Option<N>,
}

impl<N: Varied> Response<N> {
    /// The impulses of a blow.
    ///
    /// # Errors
    /// [`NoImpulses`] where the process does not end, or, of numbers with derivatives, has none.
    pub fn impact(&self, blow: &Blow<N>) -> Result<Impulses<N>, NoImpulses> {
        let jammed = if blow.rate.value() == 0.0 { self.jammed(blow.slip) } else { *self };
        let zero = N::of(0.0);
        let mut process = Process {
            response: &jammed,
            law: blow.law,
            e: blow.e,
            impulse: zero,
            rate: blow.rate,
            work: zero,
            slip: blow.slip,
            friction: [zero; 2],
            compressed: None,
        };
        if N::VARIES && process.is_still() {
            process.begin_at_rest(blow.moves)?;
        }
        for _ in 0..PARTS_MAX {
            if process.part()? {
                let Process { impulse: normal, friction, .. } = process;
                return Ok(Impulses { normal, friction });
            }
        }
        Err(NoImpulses::Endless)
    }

    /// Whether friction brings a slip in any direction back: u·C u > 0.
    pub fn opposes(&self) -> bool {
        let [[xx, xy], [yx, yy]] = self.tangential.map(|row| row.map(N::value));
        let half = 0.5 * (xy + yx);
        xx > 0.0 && xx * yy > half * half
    }

    /// The values alone.
    fn values(&self) -> Response<f64> {
        Response {
            normal: self.normal.value(),
            coupling: self.coupling.map(N::value),
            pushed: self.pushed.map(N::value),
            tangential: self.tangential.map(|row| row.map(N::value)),
            friction: self.friction.value(),
            turns: self.turns,
        }
    }

    /// The same with a ≤ μ p·u, where something slides.
    fn jammed(&self, slip: [N; 2]) -> Self {
        if is_zero(slip) {
            return *self;
        }
        let size = dot(slip, slip).sqrt();
        let most = self.friction * dot(self.pushed, slip.map(|s| s / size));
        let normal = if most.value() < self.normal.value() { most } else { self.normal };
        Self { normal, ..*self }
    }

    /// dġ/dΛ of a slip in a direction.
    fn gap_rate(&self, u: [N; 2]) -> N {
        self.normal - self.friction * dot(self.pushed, u)
    }

    /// ds/dΛ of a slip in a direction.
    fn slip_rate(&self, u: [N; 2]) -> [N; 2] {
        [0, 1].map(|i| self.coupling[i] - self.friction * dot(self.tangential[i], u))
    }

    /// C⁻¹s.
    fn held_back(&self, [x, y]: [N; 2]) -> [N; 2] {
        let [[xx, xy], [yx, yy]] = self.tangential;
        let det = xx * yy - xy * yx;
        [(x * yy - y * xy) / det, (y * xx - x * yx) / det]
    }

    /// dθ/dτ and d ln r/dτ.
    fn polar(&self, θ: N) -> [N; 2] {
        let u = direction(θ);
        let rate = self.slip_rate(u);
        [u[0] * rate[1] - u[1] * rate[0], dot(u, rate)]
    }

    /// The direction in which a slip leaves s = 0.
    fn leaving(&self) -> Result<[N; 2], NoImpulses> {
        if !self.turns {
            return Ok([N::of(self.coupling[0].value().signum()), N::of(0.0)]);
        }
        let values = self.values();
        let across = |θ: f64| values.polar(θ)[0];
        let place = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(DIRECTIONS);
        // There the direction is kept: across falls through zero, and rises where others lead away.
        for i in (0..DIRECTIONS).filter(|i| across(place(*i)) >= 0.0 && across(place(i + 1)) < 0.0)
        {
            let θ = root(across, place(i), place(i + 1));
            let along = values.polar(θ)[1];
            if along > 0.0 {
                let [x, y] = direction(θ);
                let sideways = values.tangential.map(|row| dot(row, [-y, x]));
                let slope = -along - values.friction * dot([-y, x], sideways);
                return Ok(direction(
                    N::of(θ) - without_value(self.polar(N::of(θ))[0]) / N::of(slope),
                ));
            }
        }
        Err(NoImpulses::Endless)
    }
}

impl<N: Varied> Process<'_, N> {
    /// What a variation makes of a slip that is zero is brought to zero at once, where it sticks.
    fn begin_at_rest(&mut self, moves: bool) -> Result<(), NoImpulses> {
        if !self.sticks()? {
            return if moves { Err(NoImpulses::TurnsFromRest) } else { Ok(()) };
        }
        self.friction = self.response.held_back(self.slip);
        self.rate = self.rate - dot(self.response.pushed, self.friction);
        self.slip = [N::of(0.0); 2];
        Ok(())
    }

    /// Goes on to the next change of the slip's way, or to the end of a phase: whether all is over.
    fn part(&mut self) -> Result<bool, NoImpulses> {
        // Where nothing is given back all is over, and changes with e along the way that there is.
        let ends_here = self.compressed.is_some() && self.e.value() == 0.0;
        if self.response.turns && !self.is_still() && !ends_here {
            return self.turn();
        }
        let straight = self.straight()?;
        let left = self.left(&straight);
        if let (true, Some(left), Some(longest)) = (N::VARIES, left, straight.longest)
            && (left.value() - longest.value()).abs() <= EDGE * longest.value()
        {
            return Err(NoImpulses::Meets);
        }
        let ends = |longest: &N| left.is_none_or(|left| longest.value() < left.value());
        if let Some(longest) = straight.longest.filter(ends) {
            self.advance(&straight, longest);
            self.slip = [N::of(0.0); 2];
            return Ok(false);
        }
        self.advance(&straight, left.ok_or(NoImpulses::Endless)?);
        Ok(self.end_phase())
    }

    /// The end of a phase: whether it was the last.
    fn end_phase(&mut self) -> bool {
        if self.compressed.is_some() {
            return true;
        }
        self.compressed = Some([self.impulse, self.work]);
        [self.rate, self.work] = [N::of(0.0); 2];
        !N::VARIES && self.e.value() == 0.0
    }

    fn is_still(&self) -> bool {
        is_zero(self.slip)
    }

    /// Whether what rests is held.
    fn sticks(&self) -> Result<bool, NoImpulses> {
        let response = self.response.values();
        let φ = response.held_back(response.coupling);
        let (held, most) = (dot(φ, φ).sqrt(), response.friction);
        if N::VARIES && (held - most).abs() <= EDGE * most {
            return Err(NoImpulses::AtEdge);
        }
        Ok(held <= most)
    }

    /// The rates of a slip in its present direction, of what sticks, or of what leaves s = 0.
    fn straight(&self) -> Result<Straight<N>, NoImpulses> {
        let response = self.response;
        let leaves = self.is_still();
        if leaves && self.sticks()? {
            let φ = response.held_back(response.coupling);
            let (rate, slip) = (response.normal - dot(response.pushed, φ), [N::of(0.0); 2]);
            return Ok(Straight { rate, slip, friction: φ, longest: None });
        }
        let u = if leaves {
            response.leaving()?
        } else if response.turns {
            let size = dot(self.slip, self.slip).sqrt();
            self.slip.map(|s| s / size)
        } else {
            [N::of(self.slip[0].value().signum()), N::of(0.0)]
        };
        let slip = response.slip_rate(u);
        let (left, towards) = (dot(self.slip, u), dot(slip, u));
        let longest = (!leaves && towards.value() < 0.0).then(|| -left / towards);
        let friction = u.map(|u| response.friction * u);
        Ok(Straight { rate: response.gap_rate(u), slip, friction, longest })
    }

    /// How far it is to the end of compression, or of restitution. None where it does not come.
    fn left(&self, straight: &Straight<N>) -> Option<N> {
        let Some([impulse, work]) = self.compressed else {
            return (straight.rate.value() > 0.0).then(|| -self.rate / straight.rate);
        };
        let left = match self.law {
            Restitution::Newton | Restitution::Poisson => {
                (N::of(1.0) + self.e) * impulse - self.impulse
            }
            // From ġ = 0 by the root of the work, which has a derivative by e = 0.
            Restitution::Stronge if self.rate.value() == 0.0 => {
                self.e * (N::of(-2.0) * work / straight.rate).sqrt()
            }
            Restitution::Stronge => {
                let missing = -(self.e * self.e * work) - self.work;
                let square = self.rate * self.rate + N::of(2.0) * straight.rate * missing;
                N::of(2.0) * missing / (self.rate + square.sqrt())
            }
        };
        let value = left.value();
        value.is_finite().then(|| if value < 0.0 { without_value(left) } else { left })
    }

    fn advance(&mut self, straight: &Straight<N>, by: N) {
        self.impulse = self.impulse + by;
        self.work = self.work + by * (self.rate + N::of(0.5) * straight.rate * by);
        self.rate = self.rate + straight.rate * by;
        for i in 0..2 {
            self.slip[i] = self.slip[i] + straight.slip[i] * by;
            self.friction[i] = self.friction[i] + straight.friction[i] * by;
        }
    }
}

/// The derivatives alone, of 0.
pub(crate) fn without_value<N: Varied>(number: N) -> N {
    number - N::of(number.value())
}

/// The values alone.
pub(crate) fn values<N: Varied>(of: &[N]) -> Vec<f64> {
    of.iter().map(|number| number.value()).collect()
}

/// x·y.
pub(crate) fn product<N: Varied>(x: &[N], y: &[N]) -> N {
    x.iter().zip(y).fold(N::of(0.0), |sum, (x, y)| sum + *x * *y)
}

fn is_zero<N: Varied>(slip: [N; 2]) -> bool {
    slip.iter().all(|s| s.value() == 0.0)
}

fn dot<N: Number>(a: [N; 2], b: [N; 2]) -> N {
    a[0] * b[0] + a[1] * b[1]
}

/// u(θ).
fn direction<N: Number>(θ: N) -> [N; 2] {
    let (sine, cosine) = θ.sin_cos();
    [cosine, sine]
}

/// A root of f, which falls through zero between low and high, by halves.
fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..CUTS_MAX {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        let value = f(middle);
        if value == 0.0 {
            return middle;
        }
        if value > 0.0 { low = middle } else { high = middle }
    }
    high
}
