//! The impulses of an impact of one contact with friction by Poisson's or Stronge's law, with their derivatives: a process in the
//! normal impulse Λ. With N = M⁻¹ on the constraints, a = ∇g N∇gᵀ, b = J N∇gᵀ, C = J NJᵀ,
//!
//! ```text
//! slides     dġ/dΛ = a − μ b·u        ds/dΛ = b − μ C u        dΦ/dΛ = μ u        u = s/‖s‖
//! sticks     dġ/dΛ = a − b·φ          s = 0                    dΦ/dΛ = φ          φ = C⁻¹b, ‖φ‖ ≤ μ
//! leaves     as it slides, from s = 0 where ‖C⁻¹b‖ > μ, in the direction u with ds/dΛ along u
//! ```
//!
//! Compression ends where ġ = 0, restitution where Λ = (1 + e) Λ_c (Poisson) or W = (1 − e²) W_c, W = ∫ġ dΛ (Stronge). In one
//! direction each way of the slip is straight, so that what a variation does to its end is the chain rule; in a plane it turns
//! (`turning`). The direction in which a slip leaves, ω(u) = u′·(b − μ C u) = 0, varies by δu = −u′ δω/ω′, ω′ < 0.
//!
//! A slip that begins at zero and is held comes to rest at once where it is varied: δΦ = C⁻¹δs, δġ = −b·C⁻¹δs.
//!
//! Where two ends meet, where the slip begins at zero and leaves, and where it sticks at the edge of its cone, the ways on either
//! side are others: there is no derivative.

use crate::error::AnalysisError;
use eom_core::elementary;
use eom_core::enclosure::{Dual, Number};
use eom_core::system::Restitution;
use std::f64::consts::TAU;

/// What impulses are made of: a, b, the lower triangle of C, μ, e, ġ⁻, s⁻.
pub(crate) const GIVEN: usize = 11;

/// A value with its derivatives by what is given.
pub(crate) type Varied = Dual<f64, GIVEN>;

/// Ways of the slip, one after another.
const WAYS_MAX: usize = 16;

/// Ends nearer than this part of their length are at one place, and so is the edge of a cone.
pub(crate) const EDGE: f64 = 1e-9;

/// Directions that are looked at for one in which a slip leaves, and halves between two of them.
const DIRECTIONS: u32 = 720;
const HALVES: usize = 60;

/// By this part of their distance they lie off the axes, along which bodies often leave.
const OFF_AXES: f64 = 0.3;

/// What is said where two ends meet.
pub(crate) const MEETS: &str = "ends a slip at the end of a phase";

/// How a contact responds to impulses, of values or with their derivatives: a, b, C, μ.
#[derive(Clone, Copy)]
pub(crate) struct Response<N> {
    pub(crate) normal: N,
    pub(crate) coupling: [N; 2],
    pub(crate) tangential: [[N; 2]; 2],
    pub(crate) friction: N,
}

impl Response<Varied> {
    /// The values alone.
    pub(crate) fn values(&self) -> Response<f64> {
        Response {
            normal: self.normal.value,
            coupling: self.coupling.map(|b| b.value),
            tangential: self.tangential.map(|row| row.map(|c| c.value)),
            friction: self.friction.value,
        }
    }
}

impl<N: Number> Response<N> {
    /// ds/dΛ of a slip in a direction.
    pub(crate) fn slip_rate(&self, u: [N; 2]) -> [N; 2] {
        [0, 1].map(|i| self.coupling[i] - self.friction * dot(self.tangential[i], u))
    }

    /// φ = C⁻¹b.
    pub(crate) fn holding(&self) -> [N; 2] {
        self.held_back(self.coupling)
    }

    /// C⁻¹s.
    pub(crate) fn held_back(&self, [x, y]: [N; 2]) -> [N; 2] {
        let [[xx, xy], [yx, yy]] = self.tangential;
        let det = xx * yy - xy * yx;
        [(x * yy - y * xy) / det, (y * xx - x * yx) / det]
    }

    /// dθ/dτ and d ln r/dτ.
    pub(crate) fn polar(&self, θ: N) -> [N; 2] {
        let u = direction(θ);
        let rate = self.slip_rate(u);
        [u[0] * rate[1] - u[1] * rate[0], dot(u, rate)]
    }
}

pub(crate) fn dot<N: Number>(a: [N; 2], b: [N; 2]) -> N {
    a[0] * b[0] + a[1] * b[1]
}

/// u(θ).
pub(crate) fn direction<N: Number>(θ: N) -> [N; 2] {
    let (sine, cosine) = θ.sin_cos();
    [cosine, sine]
}

/// How a contact responds to impulses, and how it is struck.
pub(crate) struct Blow {
    pub(crate) response: Response<Varied>,
    pub(crate) e: Varied,
    pub(crate) law: Restitution,
    pub(crate) rate: Varied,
    /// In one direction its second component is 0, and stays so.
    pub(crate) slip: [Varied; 2],
    /// Whether the slip is one in a plane.
    pub(crate) turns: bool,
    /// Whether variations move the slip.
    pub(crate) moves: bool,
}

/// A process under way.
pub(crate) struct Process<'b> {
    pub(crate) blow: &'b Blow,
    pub(crate) impulse: Varied,
    pub(crate) rate: Varied,
    pub(crate) work: Varied,
    pub(crate) slip: [Varied; 2],
    pub(crate) friction: [Varied; 2],
    /// Λ_c and W_c, once compression is over.
    pub(crate) compressed: Option<[Varied; 2]>,
}

/// Rates that stay: dġ/dΛ, ds/dΛ, dΦ/dΛ; up to this Λ from here, where they end.
pub(crate) struct Straight {
    rate: Varied,
    slip: [Varied; 2],
    friction: [Varied; 2],
    longest: Option<Varied>,
}

fn of(value: f64) -> Varied {
    Varied::of(value)
}

pub(crate) fn refused<T>(why: &str) -> Result<T, AnalysisError> {
    Err(AnalysisError::NotSmooth { why: why.to_owned() })
}

impl Blow {
    /// That of these numbers, in the order of what is given; a slip of one direction has C of 1 across it.
    pub(crate) fn new(given: [f64; GIVEN], law: Restitution, turns: bool, moves: bool) -> Self {
        let varied = |place: usize| {
            let mut varied = of(given[place]);
            varied.rates[place] = 1.0;
            varied
        };
        let [xx, xy, yy] = [3, 4, 5].map(varied);
        let response = Response {
            normal: varied(0),
            coupling: [1, 2].map(varied),
            tangential: [[xx, xy], [xy, yy]],
            friction: varied(6),
        };
        let slip = [9, 10].map(varied);
        Self { response, e: varied(7), law, rate: varied(8), slip, turns, moves }
    }

    /// Λ and Φ.
    pub(crate) fn impulses(&self) -> Result<[Varied; 3], AnalysisError> {
        let zero = of(0.0);
        let mut process = Process {
            blow: self,
            impulse: zero,
            rate: self.rate,
            work: zero,
            slip: self.slip,
            friction: [zero; 2],
            compressed: None,
        };
        if process.is_still() {
            process.begin_at_rest()?;
        }
        for _ in 0..WAYS_MAX {
            if process.goes_on()? {
                let [x, z] = process.friction;
                return Ok([process.impulse, x, z]);
            }
        }
        refused("has a law without a derivative here")
    }
}

impl Process<'_> {
    /// What a variation makes of a slip that is zero is brought to zero at once, where it sticks.
    fn begin_at_rest(&mut self) -> Result<(), AnalysisError> {
        match (self.sticks()?, self.blow.moves) {
            (true, _) => {}
            (false, true) => return refused("turns a slip that begins at zero"),
            (false, false) => return Ok(()),
        }
        let response = &self.blow.response;
        let held = response.held_back(self.slip);
        self.friction = held;
        self.rate = self.rate - dot(response.coupling, held);
        self.slip = [of(0.0); 2];
        Ok(())
    }

    fn is_still(&self) -> bool {
        self.slip.iter().all(|s| s.value == 0.0)
    }

    /// Whether what rests is held.
    fn sticks(&self) -> Result<bool, AnalysisError> {
        let response = self.blow.response.values();
        let [x, y] = response.holding();
        let (held, most) = (elementary::hypot(x, y), response.friction);
        if (held - most).abs() <= EDGE * most {
            return refused("has a slip that sticks at the edge of its cone");
        }
        Ok(held < most)
    }

    /// The rates of a slip in its present direction, of what sticks, or of what leaves s = 0.
    pub(crate) fn straight(&self) -> Result<Straight, AnalysisError> {
        let response = &self.blow.response;
        let Response { normal, coupling, friction: μ, .. } = *response;
        let leaves = self.is_still();
        if leaves && self.sticks()? {
            let φ = response.holding();
            let (rate, slip) = (normal - dot(coupling, φ), [of(0.0); 2]);
            return Ok(Straight { rate, slip, friction: φ, longest: None });
        }
        let u = match (leaves, self.blow.turns) {
            (true, true) => self.leaving()?,
            (false, true) => {
                let size = dot(self.slip, self.slip).sqrt();
                self.slip.map(|s| s / size)
            }
            (true, false) => [of(coupling[0].value.signum()), of(0.0)],
            (false, false) => [of(self.slip[0].value.signum()), of(0.0)],
        };
        let slip = response.slip_rate(u);
        let (left, towards) = (dot(self.slip, u), dot(slip, u));
        let longest = (!leaves && towards.value < 0.0).then(|| -left / towards);
        let (rate, friction) = (normal - μ * dot(coupling, u), u.map(|u| μ * u));
        Ok(Straight { rate, slip, friction, longest })
    }

    /// The direction in which a slip leaves s = 0 in a plane: ω falls through zero there.
    fn leaving(&self) -> Result<[Varied; 2], AnalysisError> {
        let response = self.blow.response.values();
        let place = |i: u32| TAU * (f64::from(i) + OFF_AXES) / f64::from(DIRECTIONS);
        let across = |θ: f64| response.polar(θ)[0];
        let falls = |i: &u32| across(place(*i)) > 0.0 && across(place(*i + 1)) <= 0.0;
        for i in (0..DIRECTIONS).filter(falls) {
            let (mut low, mut high) = (place(i), place(i + 1));
            for _ in 0..HALVES {
                let middle = 0.5 * (low + high);
                if across(middle) > 0.0 { low = middle } else { high = middle }
            }
            let [u, v] = direction(high);
            let along = response.polar(high)[1];
            if along <= 0.0 {
                continue;
            }
            let sideways = dot([-v, u], response.tangential.map(|row| dot(row, [-v, u])));
            let slope = -along - response.friction * sideways;
            let mut θ = of(high);
            let turned = self.blow.response.polar(θ)[0];
            θ.rates = turned.rates.map(|rate| -rate / slope);
            return Ok(direction(θ));
        }
        refused("has a law without a derivative here")
    }

    /// How far it is to the end of compression, or of restitution. None where it does not come.
    pub(crate) fn left(&self, straight: &Straight) -> Option<Varied> {
        let Blow { e, law, .. } = *self.blow;
        let Some([impulse, work]) = self.compressed else {
            return (straight.rate.value > 0.0).then(|| -self.rate / straight.rate);
        };
        let left = match law {
            Restitution::Newton | Restitution::Poisson => (of(1.0) + e) * impulse - self.impulse,
            // From rest by the root of what is left, which is e times that of the work.
            Restitution::Stronge if self.rate.value == 0.0 => {
                e * (of(-2.0) * work / straight.rate).sqrt()
            }
            Restitution::Stronge => {
                let missing = (of(1.0) - e * e) * work - self.work;
                let square = self.rate * self.rate + of(2.0) * straight.rate * missing;
                of(2.0) * missing / (self.rate + square.sqrt())
            }
        };
        left.value.is_finite().then_some(left)
    }

    /// Goes on to the next change of the slip's way, or to the end of a phase: whether all is over.
    fn goes_on(&mut self) -> Result<bool, AnalysisError> {
        // Where nothing is given back all is over, and changes with e along the way that there is.
        let ends_here = self.compressed.is_some() && self.blow.e.value == 0.0;
        if self.blow.turns && !self.is_still() && !ends_here {
            return self.turn();
        }
        let straight = self.straight()?;
        let left = self.left(&straight);
        if let (Some(left), Some(longest)) = (left, straight.longest)
            && (left.value - longest.value).abs() <= EDGE * longest.value
        {
            return refused(MEETS);
        }
        let ends = |longest: &Varied| left.is_none_or(|left| longest.value < left.value);
        if let Some(longest) = straight.longest.filter(ends) {
            self.advance(&straight, longest);
            self.slip = [of(0.0); 2];
            return Ok(false);
        }
        let Some(left) = left else { return refused("has a law without a derivative here") };
        self.advance(&straight, left);
        Ok(self.end_phase())
    }

    /// The end of a phase: whether it was the last.
    pub(crate) fn end_phase(&mut self) -> bool {
        if self.compressed.is_some() {
            return true;
        }
        self.rate = of(0.0);
        self.compressed = Some([self.impulse, self.work]);
        false
    }

    fn advance(&mut self, straight: &Straight, by: Varied) {
        self.impulse = self.impulse + by;
        self.work = self.work + by * (self.rate + of(0.5) * straight.rate * by);
        self.rate = self.rate + straight.rate * by;
        for i in 0..2 {
            self.slip[i] = self.slip[i] + straight.slip[i] * by;
            self.friction[i] = self.friction[i] + straight.friction[i] * by;
        }
    }
}
