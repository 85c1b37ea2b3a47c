//! The arguments of `eom analyse` and its help.

use clap::{Args, ValueEnum, ValueHint};
use std::num::NonZeroUsize;

pub(super) const ANALYSE_EXAMPLES: &str = "\
Examples:
  eom analyse pendulum.eom --set theta=pi
      the linear system along the motion of that start, which has to be steady, with its eigenvalues
  eom analyse bicycle.eom --scenario straight --sweep x_dot=0.5:10:20
      eigenvalues over the speed, and the critical speeds, at which they cross the imaginary axis
  eom analyse cart.eom --find --set theta=3 --format json
      the steady motion that Newton's method finds from that start, and the linear system there
  eom analyse arm.eom --find --hold q1,q2 --trim tau1,tau2
      the torques that hold the arm where it is
  eom analyse ball.eom orbit --period 2*pi/30 --sweep A=0.004:0.008:41
      the orbit of a ball on a table that shakes, as its amplitude grows
  eom analyse hoop.eom equilibria --along Omega=3:6 --plot hoop.svg
      the steady motions as Omega grows, with those that branch off, and their diagram
  eom analyse ball.eom orbit --period 2*pi/30 --along A=0.004:0.013
      the orbits of the ball as a branch: where it turns back, where the period doubles
  eom analyse walker.eom orbit --section heel
      a gait: the orbit from one impact of the heel to the next
  eom analyse ball.eom bifurcation --sweep A=0.004:0.02:300 --section table --of z_dot+ --impacts 300 --plot ball.svg
      a bifurcation diagram: the speed after each of the last impacts of every run
  eom analyse duffing.eom bifurcation --sweep F=0.2:0.4:200 --period 2*pi --of x --until 1000 --carry both --plot duffing.svg
      once a period, each run from where the one before has come to, up and down: what hangs on to its branch
  eom analyse penny lyapunov --spans 5000
  eom analyse heavy-top conserved
  eom analyse ball.eom sensitivity --until 2
      ∂(state at t = 2)/∂(start, inputs, parameters)
  eom analyse ball.eom sensitivity --until 2 --of y
      the gradient of the height alone, by one sweep backwards

What counts as steady: every coordinate on which the motion depends, and every speed, stays. Coordinates on
which nothing depends, such as how far a wheel has rolled, may go on; --keep has them in the linear system,
too. With constraints the linear system is that of as many entries of the state as are free, ż = A z + B u; the
others follow. Derivatives are exact.

With one --sweep a row is printed for each value, and the critical values between them, each to rounding. What
touches, or crosses and comes back between two values, is looked for where an eigenvalue is nearest to the axis.

Exit codes:
  0  all that was asked has an answer
  1  some values of a sweep have none
  2  nothing was computed: an argument or a file cannot be used, or the motion is not steady there";

/// The arguments of `eom analyse`.
#[derive(Debug, Args)]
pub(crate) struct AnalyseArguments {
    /// A model of the catalogue, or a file: a path that ends in .eom.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: String,

    /// What is asked.
    #[arg(value_enum, default_value_t = Analysis::Linear)]
    pub(crate) what: Analysis,

    /// Set a parameter, a function, an input, or a value of the state, as for a run. May be repeated.
    #[arg(long = "set", value_name = "NAME=EXPR")]
    pub(crate) sets: Vec<String>,

    /// The state: the start of a declared scenario [default: the model's first], or of a scenario file.
    #[arg(long, value_name = "NAME|FILE", value_hint = ValueHint::FilePath)]
    pub(crate) scenario: Option<String>,

    /// Take each value of a name: NAME=FROM:TO:COUNT or NAME=V1,V2,….
    #[arg(long = "sweep", value_name = "NAME=VALUES")]
    pub(crate) sweep: Option<String>,

    /// Follow steady motions or orbits along a parameter, an input or a value of the state, around folds: NAME=FROM:TO.
    #[arg(long, value_name = "NAME=FROM:TO", conflicts_with_all = ["sweep", "find"])]
    pub(crate) along: Option<String>,

    /// Of branches: the least number of steps from one end to the other.
    #[arg(long, value_name = "N", default_value_t = 50, requires = "along")]
    pub(crate) steps: usize,

    /// Of branches: the most that are followed.
    #[arg(long, value_name = "N", default_value_t = 9, requires = "along")]
    pub(crate) branches: usize,

    /// Of branches and bifurcations: draw them into this file; X:Y=FILE chooses what runs up of branches.
    #[arg(long, value_name = "FIGURE")]
    pub(crate) plot: Option<String>,

    /// Find the steady motion near the state by Newton's method; of several the nearest.
    #[arg(long)]
    pub(crate) find: bool,

    /// Entries of the state that stay as they are while it is found, and along a branch; a swept one does anyway.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) hold: Vec<String>,

    /// Inputs that are found with it.
    #[arg(long, value_name = "INPUTS", value_delimiter = ',', conflicts_with = "along")]
    pub(crate) trim: Vec<String>,

    /// The free entries of the linear system [default: coordinates in their order, then their velocities].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) free: Vec<String>,

    /// Coordinates that are kept though nothing depends on them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,

    /// Of an orbit or a bifurcation: the contact or event after which it returns.
    #[arg(long, value_name = "NAME")]
    pub(crate) section: Option<String>,

    /// Of an orbit or a bifurcation of a driven system: the period of what drives it.
    #[arg(long, value_name = "T", allow_hyphen_values = true, conflicts_with = "section")]
    pub(crate) period: Option<String>,

    /// Of an orbit or a bifurcation: after how many of these it returns.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) returns: usize,

    /// Of a sensitivity or a bifurcation: the end of the motion [default: that of the scenario].
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub(crate) until: Option<String>,

    /// Of a sensitivity or a bifurcation: end the motion after so many impacts. With --until, whatever comes first.
    #[arg(long, value_name = "N")]
    pub(crate) impacts: Option<usize>,

    /// Of a sensitivity or a bifurcation: end the motion with a declared event, with its Nth as NAME=N; events=N counts
    /// impacts and all declared events.
    #[arg(long, value_name = "NAME[=N]")]
    pub(crate) until_event: Option<String>,

    /// Of a bifurcation: what is drawn of each return: a number of the motion or an expression of such, as for figures of
    /// runs; with + behind it after what happens there, else before. Of a sensitivity: an entry of the end or a sum of such,
    /// 2*x - y_dot, whose gradient is found by one sweep backwards [default: all entries]. May be repeated.
    #[arg(long, value_name = "EXPR")]
    pub(crate) of: Vec<String>,

    /// Of a bifurcation: the last returns of each run, so many [default: 30].
    #[arg(long, value_name = "N")]
    pub(crate) last: Option<NonZeroUsize>,

    /// Of a bifurcation: begin each run where the one before has come to, with rising values, falling ones, or both.
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) carry: Option<Carry>,

    /// Of a bifurcation, of exponents over a sweep: runs at the same time [default: one a core]. The answer does not depend
    /// on it.
    #[arg(long, value_name = "N", conflicts_with = "carry")]
    pub(crate) jobs: Option<usize>,

    /// Of exponents: how many, the largest ones [default: all].
    #[arg(long, value_name = "N")]
    pub(crate) exponents: Option<usize>,

    /// Of exponents: the time between two orthonormalisations.
    #[arg(long, value_name = "T", allow_hyphen_values = true, default_value = "1")]
    pub(crate) span: String,

    /// Of exponents: how many spans are counted.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) spans: usize,

    /// Of exponents: how many spans are left out before.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) transient: usize,

    /// How to write the answer.
    #[arg(long, value_enum, default_value_t = AnalyseFormat::Text)]
    pub(crate) format: AnalyseFormat,
}

/// What is asked of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Analysis {
    /// The linear system along a steady motion, its eigenvalues; critical values over a sweep.
    Linear,
    /// The steady motion near the state, with its linear system; --along a value its branches.
    Equilibria,
    /// The periodic orbit near the state, with its multipliers; over a sweep each from the one before, --along a value its
    /// branches.
    Orbit,
    /// How the state at the end changes with the start, the inputs and the parameters, through impacts.
    Sensitivity,
    /// Lyapunov exponents, with one standard deviation.
    Lyapunov,
    /// Where runs are at their last returns to a section, over a sweep: a bifurcation diagram.
    Bifurcation,
    /// What stays along every motion: energy, momenta, their sums, an invariant measure; whether motions run backwards.
    Conserved,
}

/// Which way runs go on from one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Carry {
    /// From the least value to the largest.
    Up,
    /// From the largest to the least.
    Down,
    /// Both, each from the start as it is given.
    Both,
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnalyseFormat {
    /// Text to read.
    Text,
    /// JSON, with all digits.
    Json,
    /// Numbers as tab-separated values; orbits and exponents over a sweep are always so.
    Tsv,
}
