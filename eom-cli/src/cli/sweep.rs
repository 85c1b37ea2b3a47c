//! The arguments of `eom sweep` and `eom gather`, and their help.

use clap::{Args, ValueEnum, ValueHint};
use std::num::NonZeroU64;
use std::path::PathBuf;

pub(super) const SWEEP_EXAMPLES: &str = "\
Examples:
  eom sweep table.eom sweep.toml --out sweep
      all runs of the file's [sweep], 1000 in a chunk; what is there already is not made again
  eom sweep table.eom sweep.toml --out sweep --chunks 0..8
      on one machine the first eight chunks, on the next --chunks 8..16
  eom sweep table.eom --sweep e=0.1:0.9:1000 --sweep A=0.01:0.02:1000 --out sweep --size 10000
  eom sweep table.eom sweep.toml --out sweep --slurm sweep.sh --tasks 200
      the script of a Slurm array of 200 tasks, for sbatch sweep.sh
  eom gather sweep --table sweep.parquet

Chunk k has the runs k S to (k + 1) S - 1. It is a file, DIR/runs/chunk-000007.parquet, that is there whole
or not at all; its bytes do not depend on who writes it, when, or how often. So chunks may be made on any
number of machines that share DIR, in any order, and be interrupted at any time. The footer of each has the
digest of the sweep: the version of eom, the model's text, all that is set, the numbers of its runs.

Runs that ended early or were refused say so in their rows.

Exit codes:
  0  every chunk that was asked for is there
  1  a chunk could not be written
  2  nothing was run: an argument or a file cannot be used, or DIR is of another sweep
  130  an interrupt ended it; chunks that are whole are kept";

pub(super) const GATHER_EXAMPLES: &str = "\
Examples:
  eom gather sweep
      whether all chunks are there, and which are missing
  eom gather sweep --format json
  eom gather sweep --table runs.parquet
      one file of all chunks, in the order of the runs

The folder is the data set: DuckDB, Polars, Spark and Arrow read DIR/runs/*.parquet as one table.

Exit codes:
  0  all chunks are there
  1  some are missing; they are listed as --chunks of eom sweep takes them
  2  it is no folder of a sweep, or chunks of different sweeps are mixed";

/// The arguments of `eom sweep`.
#[derive(Debug, Args)]
pub(crate) struct SweepArguments {
    /// A model of the catalogue, or a file: a path that ends in .eom.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: String,

    /// A scenario file with the table `[sweep]`, or a declared scenario. Its `[output]` is left aside.
    #[arg(value_name = "SWEEP.toml", value_hint = ValueHint::FilePath)]
    pub(crate) scenario: Option<String>,

    /// The folder of the chunks; it is made where it is missing.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,

    /// Runs in a chunk. A chunk should take some ten seconds or more.
    #[arg(long, value_name = "S", default_value = "1000")]
    pub(crate) size: NonZeroU64,

    /// The chunks to make, from 0: 7, 0..8 without the last, or several as in 3,8..12 [default: all].
    #[arg(long, value_name = "LIST")]
    pub(crate) chunks: Option<String>,

    /// Set a parameter, a function, an input, or a value of the start. May be repeated.
    #[arg(long = "set", value_name = "NAME=EXPR")]
    pub(crate) sets: Vec<String>,

    /// Run once for each value of a name: NAME=FROM:TO:COUNT or NAME=V1,V2,…. May be repeated.
    #[arg(long = "sweep", value_name = "NAME=VALUES")]
    pub(crate) sweeps: Vec<String>,

    /// Keep impacts and events, too: DIR/events.
    #[arg(long)]
    pub(crate) events: bool,

    /// Keep samples at this interval of time, too: DIR/samples.
    #[arg(long, value_name = "DT")]
    pub(crate) sample: Option<String>,

    /// Threads [default: one a core]. The bytes do not depend on it.
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,

    /// Make no run: write the script of a Slurm array that makes all of them; - is standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "chunks")]
    pub(crate) slurm: Option<PathBuf>,

    /// Tasks of the Slurm array [default: a chunk each, at most 1000].
    #[arg(long, value_name = "N", requires = "slurm")]
    pub(crate) tasks: Option<NonZeroU64>,
}

/// The arguments of `eom gather`.
#[derive(Debug, Args)]
pub(crate) struct GatherArguments {
    /// The folder that `eom sweep --out` wrote.
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,

    /// Write all rows as one Parquet file.
    #[arg(long, value_name = "FILE.parquet")]
    pub(crate) table: Option<PathBuf>,

    /// Which table that is: runs, events or samples.
    #[arg(long, value_name = "TABLE", default_value = "runs", requires = "table")]
    pub(crate) of: String,

    /// How to tell what is there.
    #[arg(long, value_enum, default_value_t = GatherFormat::Text)]
    pub(crate) format: GatherFormat,
}

/// How it is told what a folder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GatherFormat {
    /// Text to read.
    Text,
    /// A JSON object.
    Json,
}
