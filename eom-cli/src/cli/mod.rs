//! The arguments of the command and their help.

mod analyse;
mod run;
mod sweep;

pub(crate) use analyse::{AnalyseArguments, AnalyseFormat, Analysis, Carry};
pub(crate) use run::RunArguments;
pub(crate) use sweep::{GatherArguments, GatherFormat, SweepArguments};

use crate::plot::ImageFormat;
use analyse::ANALYSE_EXAMPLES;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use eom_codegen::Language;
use run::RUN_EXAMPLES;
use std::path::PathBuf;
use sweep::{GATHER_EXAMPLES, SWEEP_EXAMPLES};

/// Declared mechanical systems: their equations, their motion, their figures.
#[derive(Debug, Parser)]
#[command(name = "eom", version, after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Whether messages and help have colours. On its own: on a terminal, unless NO_COLOR is set.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true
    )]
    pub(crate) color: ColorChoice,

    /// Print no summaries, notes and progress: only errors, and what is asked for with -.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  all that was asked is done
  1  a run ended early (the summary says why), a file that was checked has mistakes, a value does
     not exist, or output could not be written
  2  nothing was done: an argument, a value, the start state or a file cannot be used
  130  an interrupt ended a run; what was computed is kept";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  eom completions bash > ~/.local/share/bash-completion/completions/eom
  eom completions zsh > ~/.zfunc/_eom
      with fpath+=~/.zfunc before compinit in ~/.zshrc
  eom completions fish > ~/.config/fish/completions/eom.fish
  eom completions powershell >> $PROFILE
  eom completions elvish >> ~/.config/elvish/rc.elv";

const STUDIO_EXAMPLES: &str = "\
Examples:
  eom studio sleigh.eom
      prints an address to open; only who has it can read or write the file
  eom studio
      the gallery, run by this machine

The page is served on 127.0.0.1 alone, to this machine, and nothing else on the disk. It ends with Ctrl-C.";

const FMT_EXAMPLES: &str = "\
Examples:
  eom fmt pendulum.eom
  eom fmt --check models/*.eom
      names those that are not laid out
  eom fmt - < pendulum.eom";

const MODELS_EXAMPLES: &str = "\
Examples:
  eom models
  eom models --out models/eom
      from a copy of the repository: each model as a file, as it stands in its Rust source
  eom models --out models/eom --check";

const NEW_EXAMPLES: &str = "\
Examples:
  eom new sleigh
      writes sleigh.eom, a sleigh in a rink with comments on each line
  eom new models/my-robot";

const CHECK_EXAMPLES: &str = "\
Examples:
  eom check sleigh.eom
  eom check models/*.eom
  eom check --deny warnings sleigh.eom
      fails where something is suspicious, too

Mistakes are shown with their lines, all in one go. A file that is right may have warnings, of what
is suspicious, and notes, of what is worth knowing; each is called by the name in brackets, and
`allow name;` or `allow name(subject);` in the file says that it is meant.

Exit codes:
  0  all files are right: they mean something, their claims follow, their errata do not
  1  a file has mistakes, or warnings that were denied
  2  a file cannot be read";

const EVAL_EXAMPLES: &str = "\
Examples:
  eom eval penny --state state.json
  eom eval penny --state states.json --impact front --format json
  eom eval cradle.eom --state state.json --impact ab,bc
  echo '{\"q\": {\"x\": 1}, \"v\": {\"x_dot\": 2}}' | eom eval sleigh.eom --state -

A state, or a list of them:
  {\"t\": 0, \"q\": {name: number}, \"v\": {name: number}, \"inputs\": {name: number}}
What is not named is 0. Names are in Unicode or ASCII; a velocity is named as its coordinate or as
itself. A rotation R has the unit quaternion R_w, R_x, R_y, R_z in q.

The answer has, by name: accelerations, multipliers, energy, mass_matrix, constraint_residuals
(A v + b), gaps; with --impact the projector P and velocity_after. Accelerations are those with all
contacts open; the impact is taken whatever the gap. The state may be off its constraints: the
residuals say by how much.

Of several contacts, --impact a,b, it has velocity_before, velocity_after, impulses, and the gap rates
before and after: by the law that is declared for several, joint or sequential. impulses_in_turn has a row
for each impact of a sequence, the first hundred.

Exit codes:
  0  everything has a value
  1  something has none at a state (null in JSON)
  2  nothing was evaluated: an argument, a state or a file cannot be used";

const DERIVE_EXAMPLES: &str = "\
Examples:
  eom derive penny
  eom derive sleigh.eom
  eom derive penny --part equations
  eom derive penny --form reduced
  eom derive sleigh.eom --form hamiltonian --format markdown
  eom derive penny --format latex > penny.tex
  eom derive penny --format json

LaTeX is written as a fragment: \\input it into a document that has \\usepackage{amsmath}.";

const GENERATE_EXAMPLES: &str = "\
Examples:
  eom generate sleigh.eom --lang c --out sleigh.h
  eom generate sleigh.eom --lang c --out sleigh.h --check
      for CI: whether the file in the repository is that of the model
  eom generate penny --lang python > penny.py
  eom generate penny --lang rust --no-std > penny.rs

C, Python and Rust without `std` have the functions of the equations of motion at a state: parameters with defaults
and bounds, accelerations and multipliers, mass matrix, energies, rows, gaps, the velocity after an
impact, guards and resets. The file says at its top what the arrays hold.

Exit codes:
  0  the code is written, or the file is up to date
  1  the file is stale, or could not be written
  2  nothing was done: an argument or a file cannot be used";

const DOCUMENTS_EXAMPLES: &str = "\
Examples:
  eom documents
      the equations of the five documents, each with its verdict
  eom documents bouncing-penny
  eom documents --format tsv > verdicts.tsv
      columns: document, equation, place, when, verdict, reading, printed_tex,
      corrected_tex, difference, reason, by

Verdicts:
  follows     it follows from the declaration of a model: decided when the model was compiled
  follows with a reading
              it follows where a symbol is taken for what the report says
  erratum     as printed it does not follow; the corrected form does
  definition  it fixes a name or a notation
  general     it speaks of all systems of a kind; an instance exercises it
  open        nothing stands for it yet";

const FIGURES_EXAMPLES: &str = "\
Examples:
  eom figures
      all figures, as SVG and PNG, in the folder figures
  eom figures penny-3 penny-5 --out /tmp
  eom figures --list";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the models, or write each as a file.
    #[command(after_help = MODELS_EXAMPLES)]
    Models(ModelsArguments),
    /// Write an example file NAME.eom to start from.
    #[command(after_help = NEW_EXAMPLES)]
    New(NewArguments),
    /// Check files: everything they say, the claims too, also those of motions.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Lay out files: indentation, spaces, empty lines. Comments stay.
    #[command(after_help = FMT_EXAMPLES)]
    Fmt(FmtArguments),
    /// Evaluate a model at given states: accelerations, multipliers, energies, impacts.
    #[command(after_help = EVAL_EXAMPLES)]
    Eval(EvalArguments),
    /// Print the equations derived from a model's declaration.
    #[command(after_help = DERIVE_EXAMPLES)]
    Derive(DeriveArguments),
    /// Write the code of a model, to be kept beside one's own: Rust, C or Python.
    #[command(after_help = GENERATE_EXAMPLES)]
    Generate(GenerateArguments),
    /// Print the equations of the documents, each with its verdict.
    #[command(after_help = DOCUMENTS_EXAMPLES)]
    Documents(DocumentsArguments),
    /// Draw the figures of the documents, as SVG and PNG.
    #[command(after_help = FIGURES_EXAMPLES)]
    Figures(FiguresArguments),
    /// Write the pages of the book that are made from the models.
    Book(BookArguments),
    /// Run a model from an initial state, or from many; write samples, events, figures.
    #[command(after_help = RUN_EXAMPLES)]
    Run(Box<RunArguments>),
    /// Make a sweep in chunks, each a file: on one machine or on many.
    #[command(after_help = SWEEP_EXAMPLES)]
    Sweep(Box<SweepArguments>),
    /// Say which chunks of a sweep are there; make one table of them.
    #[command(after_help = GATHER_EXAMPLES)]
    Gather(GatherArguments),
    /// Open a file in the page, in the browser: it is saved as it is edited, and read again when it changes.
    #[command(after_help = STUDIO_EXAMPLES)]
    Studio(StudioArguments),
    /// Answer the questions of a page: what `eom studio` starts.
    #[command(hide = true)]
    Engine(EngineArguments),
    /// Ask what a motion means: eigenvalues, critical values, periodic orbits, bifurcations, Lyapunov
    /// exponents.
    #[command(after_help = ANALYSE_EXAMPLES)]
    Analyse(Box<AnalyseArguments>),
    /// Print a script that completes the arguments of eom in a shell.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArguments),
}

/// The arguments of `eom studio`.
#[derive(Debug, Args)]
pub(crate) struct StudioArguments {
    /// A file of a declaration, which is there; `eom new` makes one. Without one the page begins with
    /// a model of the gallery, and nothing is saved.
    pub(crate) file: Option<PathBuf>,
    /// The folder of the page, built by `npm run build` in web.
    #[arg(long, value_name = "DIR", default_value = "web/dist")]
    pub(crate) page: PathBuf,
    /// The port; any that is free where it is 0.
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Seconds after which an answer is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub(crate) limit: u32,
    /// Megabytes that answers may take.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    pub(crate) memory: u32,
}

/// The arguments of `eom engine`.
#[derive(Debug, Args)]
pub(crate) struct EngineArguments {
    /// Megabytes that answers may take.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    pub(crate) memory: u32,
}

/// The arguments of `eom fmt`.
#[derive(Debug, Args)]
pub(crate) struct FmtArguments {
    /// Files of declarations; `-` is standard input, written to standard output.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Write nothing; exit with 1 where a file is not laid out.
    #[arg(long)]
    pub(crate) check: bool,
}

/// The arguments of `eom completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    pub(crate) shell: Shell,
}

/// The arguments of `eom models`.
#[derive(Debug, Args)]
pub(crate) struct ModelsArguments {
    /// Write each model as a file NAME.eom into this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Where the declarations stand.
    #[arg(long, value_name = "DIR", default_value = "models/src")]
    pub(crate) models: PathBuf,
    /// Write nothing; exit with 2 where a file is stale.
    #[arg(long, requires = "out")]
    pub(crate) check: bool,
}

/// The arguments of `eom new`.
#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// The name of the file, with or without .eom; there must be none yet.
    pub(crate) name: String,
}

/// The arguments of `eom check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The files.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// What makes the check fail besides mistakes.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) deny: Option<Deny>,
}

/// What makes a check fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Warnings; notes never do.
    Warnings,
}

/// The arguments of `eom eval`.
#[derive(Debug, Args)]
pub(crate) struct EvalArguments {
    /// A model of the catalogue, or a file: a path that ends in .eom.
    pub(crate) model: String,
    /// The states as JSON; - is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) state: PathBuf,
    /// The impact at this contact, too; at several together: a,b.
    #[arg(long, value_name = "CONTACT", value_delimiter = ',')]
    pub(crate) impact: Vec<String>,
    /// Set a parameter or function. May be repeated.
    #[arg(long = "set", value_name = "NAME=EXPR")]
    pub(crate) sets: Vec<String>,
    /// How to write the answer.
    #[arg(long, value_enum, default_value_t = EvalFormat::Text)]
    pub(crate) format: EvalFormat,
}

/// How values at states are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// Text to read.
    Text,
    /// JSON: an object for a state, a list for a list.
    Json,
}

/// The arguments of `eom derive`.
#[derive(Debug, Args)]
pub(crate) struct DeriveArguments {
    /// A model of the catalogue (`eom models` lists them), or a file: a path that ends in .eom.
    pub(crate) model: String,
    /// How to write the equations.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Which of the equations to write.
    #[arg(long, value_enum, default_value_t = Part::All)]
    pub(crate) part: Part,
    /// The motion in one form only, without the contacts.
    #[arg(long, value_enum, conflicts_with = "part")]
    pub(crate) form: Option<DeriveForm>,
}

/// The arguments of `eom generate`.
#[derive(Debug, Args)]
pub(crate) struct GenerateArguments {
    /// A model of the catalogue, or a file: a path that ends in .eom.
    pub(crate) model: String,
    /// The language.
    #[arg(long, value_parser = languages())]
    pub(crate) lang: Language,
    /// Rust without `std` and without dependencies, for a microcontroller: one file of functions on arrays.
    #[arg(long)]
    pub(crate) no_std: bool,
    /// With derivatives of accelerations and multipliers by state, inputs and parameters, Hessians times vectors, inverse
    /// dynamics and its regressor; the file is a few times as long.
    #[arg(long)]
    pub(crate) derivatives: bool,
    /// Write the code to this file [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write nothing; exit with 1 where the file is not as it would be written.
    #[arg(long, requires = "out")]
    pub(crate) check: bool,
}

/// The languages of generated code, by their names.
fn languages() -> impl TypedValueParser<Value = Language> {
    let plain = Language::ALL.iter().filter(|language| !language.options().contains(' '));
    let values =
        plain.map(|language| PossibleValue::new(language.options()).help(language.about()));
    PossibleValuesParser::new(values).try_map(|name| {
        let found = Language::ALL.iter().find(|language| language.options() == name);
        found.copied().ok_or("there is no such language")
    })
}

/// The arguments of `eom documents`.
#[derive(Debug, Args)]
pub(crate) struct DocumentsArguments {
    /// The document, such as bouncing-penny [default: all].
    pub(crate) document: Option<String>,
    /// How to write the report.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// How verdicts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Text to read.
    Text,
    /// Tab-separated values, one line an equation.
    Tsv,
    /// A table for the book.
    Markdown,
}

/// The arguments of `eom figures`.
#[derive(Debug, Args)]
pub(crate) struct FiguresArguments {
    /// The figures, such as penny-3 [default: all].
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// The folder for the files; it is made where it is missing.
    #[arg(long, value_name = "DIR", default_value = "figures")]
    pub(crate) out: PathBuf,
    /// Write only this format [default: both].
    #[arg(long, value_enum)]
    pub(crate) format: Option<ImageFormat>,
    /// List the figures and what they show; draw nothing.
    #[arg(long)]
    pub(crate) list: bool,
}

/// The arguments of `eom book`.
#[derive(Debug, Args)]
pub(crate) struct BookArguments {
    /// The book.
    #[arg(long, value_name = "DIR", default_value = "book")]
    pub(crate) book: PathBuf,
    /// Where the declarations stand.
    #[arg(long, value_name = "DIR", default_value = "models/src")]
    pub(crate) models: PathBuf,
    /// Write nothing; exit with 2 where a page is stale.
    #[arg(long)]
    pub(crate) check: bool,
}

/// A part of the equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Everything.
    All,
    /// All but the contacts.
    Equations,
    /// The contacts: gaps, projectors, velocities after an impact.
    Contacts,
}

/// A form of the equations of motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeriveForm {
    /// With a multiplier for each constraint.
    Multipliers,
    /// Without multipliers, along the velocities that the constraints leave free.
    Reduced,
    /// Solved for the accelerations and the multipliers, where that can be read.
    Explicit,
    /// Momenta in place of velocities: q̇ = ∂H/∂p, ṗ = −∂H/∂q and forces.
    Hamiltonian,
    /// What stays along every motion: energy, momenta, their sums, an invariant measure; whether motions run backwards.
    Conserved,
}

/// How equations are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Unicode text.
    Text,
    /// LaTeX, a fragment that needs the package amsmath.
    #[value(alias = "tex")]
    Latex,
    /// Markdown with formulas between $$.
    Markdown,
    /// JSON: what is declared, the derived functions, these equations, the claims.
    Json,
    /// The straight-line programs behind it, with their operation counts.
    Program,
}
