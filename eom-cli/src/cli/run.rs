//! The arguments of `eom run` and its help.

use crate::complaint::Complaint;
use crate::film::Pace;
use crate::plot::{ImageFormat, Look};
use clap::{Args, ValueHint};
use std::num::NonZeroUsize;
use std::path::PathBuf;

pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  eom run penny --plot penny.svg
      the model's first scenario, and its figure
  eom run penny --plot x,y --plot t:energy --plot phi:phi_dot --format png
      the path in the plane, the energy over time, a phase plot: penny-x-y.png, …
  eom run penny --set a=0.2 --impact project --plot round.png
      a round table and the plastic law of the document
  eom run penny --set phi=pi/3 --set φ̇=-0.2 --until 10 --sample 0.01 --csv - | head
      other initial values, in ASCII or in Unicode, sampled every 0.01
  eom run penny --set a=0.2 --impact project --impacts 20 --precision 40
      forty digits, where grazing impacts are too much for doubles
  eom run penny --impacts 10000 --events impacts.csv
      a long run; only its impacts are written
  eom run sleigh.eom --scenario long.toml --set e=1/2 --parquet long.parquet
      a start, an end and an output from a file, with another value on top
  eom run sleigh.eom --sweep e=0.2:1:9 --sweep theta_dot=0.3,0.4 --table runs.csv
      18 runs on all cores, a row each; after an interrupt go on with --resume
  eom run sleigh.eom --plot t:X,Y --plot theta:theta_dot@boards --y-range -1:1 --dark
      two curves in a frame, points at impacts; `let`s are axes like others
  eom run sleigh.eom --sweep e=0:1:200 --plot e:x_end --plot e:theta_dot+@boards
      final states, and the turn after each impact, over a swept parameter
  eom run ball.eom --sweep A=1:2:300 --impacts 300 --last 40 --plot A:y_dot+@table
      a bifurcation diagram: the last 40 impacts of each run
  eom run penny --html penny.html
      the motion as one file that a browser plays: drawing, curves, equations, events
  eom run penny --gif penny.gif --speed 0.5
      the drawing in motion, half as fast as it goes, for slides and chats
  eom run penny --frames pictures --format png --fps 25
      a picture for each frame, for slides or `ffmpeg -framerate 25 -i pictures/frame-%05d.png penny.mp4`
  eom run putted-ball --ledger
      what changed the energy, entry by entry, and whether the sum closes
  eom run heavy-top --conserved
  eom run heavy-top --conserve all --until 1e5
      energy and momenta that stay, each with its drift over the run

Samples have the columns t, coordinates, velocities, declared outputs. Events have t, event,
contact, coordinates, velocities before (x_dot-), velocities after (x_dot+). The table of a sweep
has run, state, what is swept, ended (complete, early, refused), reason, t_end, coordinates and
velocities at the end (x_end), energy, energy_change, impacts, events, steps. Files of events and tables
are CSV, or by their ending JSON lines (.jsonl) or Parquet (.parquet). Numbers are written with
all their digits: reading them gives the same value.

A scenario file has the tables [state] with from, t, q, v, solve (or [[state]], once a start),
[parameters], [functions], [inputs], [sweep], [end] with time, impacts, events, event, [solver]
with method, precision, step, forces, rtol, atol, impact, project_start, start_tolerance, step_max, steps, events, and
[output] with csv, jsonl, parquet, events, table, html, gif, plot, sample, ledger, large. Names are as in
--set; θ needs quotes.

Exit codes:
  0  the run, or every run of a sweep, reached the end that was asked of it
  1  a run ended early or was refused (the summary or the table says why), or output could not be
     written
  2  nothing was run: an argument, a value, the start state or a file cannot be used
  130  an interrupt ended it; what was computed is kept and written";

/// The arguments of `eom run`.
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub(crate) struct RunArguments {
    /// A model of the catalogue (`eom models` lists them), or a file: a path that ends in .eom.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: String,

    /// Set a parameter, a function, an input, or an initial value: of a coordinate (φ or phi), of
    /// a velocity (φ̇ or phi_dot), or of the time t. EXPR may use pi, the elementary functions, and
    /// the parameters; for a parameter those declared before it, for a function also its
    /// arguments. May be repeated.
    #[arg(long = "set", value_name = "NAME=EXPR")]
    pub(crate) sets: Vec<String>,

    /// Where to start: a declared scenario [default: the model's first], or a scenario file: a path
    /// that ends in .toml. What is set with --set stands above what a file says.
    #[arg(long, value_name = "NAME|FILE", value_hint = ValueHint::FilePath)]
    pub(crate) scenario: Option<String>,

    /// Run once for each value of a name: NAME=FROM:TO:COUNT or NAME=V1,V2,…. May be repeated: then
    /// all combinations are run, the last name changing first.
    #[arg(long = "sweep", value_name = "NAME=VALUES")]
    pub(crate) sweeps: Vec<String>,

    /// What `eom analyse --along` says in place of sweeps.
    #[arg(skip)]
    pub(crate) along: Option<String>,

    /// The impact law of all contacts: elastic, plastic, project, or restitution=E with E from 0
    /// to 1 [default: as declared].
    #[arg(long, value_name = "LAW")]
    pub(crate) impact: Option<String>,

    /// End after so many impacts. With --until, whatever comes first.
    #[arg(long, value_name = "N")]
    pub(crate) impacts: Option<usize>,

    /// End with a declared event, with its Nth as NAME=N; events=N counts impacts and all declared events.
    #[arg(long, value_name = "NAME[=N]")]
    pub(crate) until_event: Option<String>,

    /// End at this time. Without --until, --until-event and --impacts the scenario says when to end.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub(crate) until: Option<String>,

    /// Write samples at this fixed interval of time [default: at every step of the integrator].
    #[arg(long, value_name = "DT", allow_hyphen_values = true, visible_alias = "every")]
    pub(crate) sample: Option<String>,

    /// Write the samples though they come to more than 4 GB.
    #[arg(long)]
    pub(crate) large: bool,

    /// Write samples as CSV; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,

    /// Write samples as JSON lines; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Option<PathBuf>,

    /// Write samples as Parquet.
    #[arg(long, value_name = "FILE")]
    pub(crate) parquet: Option<PathBuf>,

    /// Write impacts and events; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,

    /// Write a row for each run of a sweep; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,

    /// Draw a figure. FILE ends in .svg, .png or .pdf and shows the motion; X,Y is the path in the plane
    /// of x and y, X:Y is y over x, such as t:energy or phi:phi_dot, with =FILE or a name made of the
    /// model and the axes. X and Y are t, coordinates, velocities, accelerations (x_ddot),
    /// outputs, `let`s, λ(row), λ(contact), gap(contact), momentum(x), impulse(contact), energy, kinetic, potential, or expressions of them. t:a,b has
    /// several curves; X:Y@EVENT a point at each impact of a contact, each declared event, or at
    /// `impacts`. A sweep has up to twelve runs in one figure; columns of its table are points, such as
    /// e:x_end, also at events, e:x@EVENT, and a,b:x_end is a heat map over two swept names. May be repeated.
    #[arg(long, value_name = "FILE|AXES[=FILE]")]
    pub(crate) plot: Vec<String>,

    /// Write the motion as one HTML file that plays it offline: the drawing of the declaration, curves, equations,
    /// ledger, events.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Write the motion as a GIF that plays for ever; impacts are there at their times. A pixel is 1/96 inch, or as
    /// --dpi says.
    #[arg(long, value_name = "FILE")]
    pub(crate) gif: Option<PathBuf>,

    /// Draw the motion as pictures into a folder that is empty or not there yet: frame-00000.svg, …, in the format of
    /// --format.
    #[arg(long, value_name = "DIR")]
    pub(crate) frames: Option<PathBuf>,

    /// Pictures a second, of --gif and --frames [default: 30].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) fps: Option<f64>,

    /// How much time of the motion passes in a second of --gif and --frames [default: 1].
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    pub(crate) speed: Option<f64>,

    /// The format of pictures, and of figures without a name of their own.
    #[arg(long, value_enum, default_value_t = ImageFormat::Svg)]
    pub(crate) format: ImageFormat,

    /// The range of the horizontal axis of figures, LOW:HIGH.
    #[arg(long, value_name = "LOW:HIGH", requires = "plot", allow_hyphen_values = true)]
    pub(crate) x_range: Option<String>,

    /// The range of the vertical axis.
    #[arg(long, value_name = "LOW:HIGH", requires = "plot", allow_hyphen_values = true)]
    pub(crate) y_range: Option<String>,

    /// Logarithmic axes of figures.
    #[arg(long, value_enum, value_name = "AXES", requires = "plot")]
    pub(crate) log: Option<Logarithmic>,

    /// The size of the frame of figures, in units of 1/96 inch.
    #[arg(long, value_name = "WxH")]
    pub(crate) size: Option<String>,

    /// The title of figures in place of the model's; an empty one leaves it out.
    #[arg(long, value_name = "TEXT", requires = "plot")]
    pub(crate) title: Option<String>,

    /// Of figures with a point at each event (`e:theta_dot+@boards`): the last N points of each run.
    #[arg(long, value_name = "N", requires = "plot")]
    pub(crate) last: Option<NonZeroUsize>,

    /// Figures on a dark page.
    #[arg(long)]
    pub(crate) dark: bool,

    /// Dots an inch of figures in PNG [default: 240].
    #[arg(long, value_name = "DPI", allow_hyphen_values = true)]
    pub(crate) dpi: Option<f64>,

    /// Keep the ledger of the energy and print it: the work of every force, dissipation and input,
    /// the jumps at impacts, the drift of constraints, and whether the sum closes.
    #[arg(long)]
    pub(crate) ledger: bool,

    /// Keep a conserved quantity by projection after each step of free motion: `energy`, `momentum(phi)`, a name that
    /// --conserved prints, or `all`; again for another.
    #[arg(long, value_name = "NAME")]
    pub(crate) conserve: Vec<String>,

    /// Look for conserved quantities, and print the drift of each over the run.
    #[arg(long)]
    pub(crate) conserved: bool,

    /// How arcs are integrated: taylor (power series of an order that follows from the tolerance, where the system
    /// has them), runge-kutta (order 8), radau (implicit, order 9, for stiff systems), or automatic: the one of them
    /// that the motion asks for [default: automatic]; or moreau: time stepping, of first order, for more contacts than can be
    /// followed event by event, with --step.
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,

    /// Run with so many decimal digits, 17 to 200, by power series of the exact equations: for what doubles cannot tell, such
    /// as a grazing impact. Free motion, constraints, impacts of one contact at a time and declared events. Text
    /// files have the numbers with all their digits, the summary the end.
    #[arg(long, value_name = "DIGITS")]
    pub(crate) precision: Option<u64>,

    /// The step of --method moreau.
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub(crate) step: Option<String>,

    /// How forces are looked at: bounded (steps are short enough to see a barrier or a pulse however
    /// narrow), or sampled (what lies between the stages of a step is stepped over) [default: bounded].
    #[arg(long, value_name = "HOW")]
    pub(crate) forces: Option<String>,

    /// The relative tolerance of a step [default: 1e-14].
    #[arg(long, value_name = "TOL", allow_hyphen_values = true)]
    pub(crate) rtol: Option<String>,

    /// The absolute tolerance of a step, in the units of the state [default: 1e-16]; NAME=TOL is that of a coordinate or a
    /// velocity. May be repeated.
    #[arg(long, value_name = "[NAME=]TOL", allow_hyphen_values = true)]
    pub(crate) atol: Vec<String>,

    /// Move a start state that is off its constraints onto them, instead of refusing it.
    #[arg(long)]
    pub(crate) project_start: bool,

    /// Runs of a sweep at the same time [default: one a core]. The results do not depend on it.
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,

    /// Go on with a sweep that was interrupted: runs that are done already are not made again.
    #[arg(long)]
    pub(crate) resume: bool,
}

/// Which axes are logarithmic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Logarithmic {
    /// The horizontal one.
    X,
    /// The vertical one.
    Y,
    /// Both.
    XY,
}

impl RunArguments {
    /// How fast films go.
    pub(crate) fn pace(&self) -> Pace {
        Pace { rate: self.fps.unwrap_or(30.0), speed: self.speed.unwrap_or(1.0) }
    }

    /// How figures are to look.
    pub(crate) fn look(&self) -> Result<Look, Complaint> {
        let range = |option: &str, text: &Option<String>| {
            text.as_ref().map(|text| Look::range(option, text)).transpose()
        };
        let (x, y) = (range("--x-range", &self.x_range)?, range("--y-range", &self.y_range)?);
        let is =
            |wanted: Logarithmic| self.log == Some(wanted) || self.log == Some(Logarithmic::XY);
        Ok(Look {
            ranges: [x, y],
            log: [is(Logarithmic::X), is(Logarithmic::Y)],
            size: self.size.as_deref().map(Look::size).transpose()?,
            title: self.title.clone(),
            dark: self.dark,
            dpi: self.dpi.map(Look::dpi).transpose()?,
            last: self.last.map(NonZeroUsize::get),
        })
    }
}
