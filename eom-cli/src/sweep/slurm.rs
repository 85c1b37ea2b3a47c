//! The script of a Slurm array that makes the chunks of a sweep.

use crate::cli::SweepArguments;
use crate::shell::quoted;
use std::fmt::Write as _;
use std::num::NonZeroU64;

/// Arrays are no longer than this where nothing is said: so Slurm has it (`MaxArraySize` 1001).
const TASKS: u64 = 1000;

/// The script: task i of n makes the chunks i w … (i + 1) w − 1, w = ⌈chunks/n⌉.
pub(crate) fn script(arguments: &SweepArguments, chunks: u64) -> String {
    let asked = arguments.tasks.map_or(TASKS, NonZeroU64::get);
    let width = chunks.div_ceil(asked.min(chunks).max(1)).max(1);
    // With so many chunks each, fewer tasks may do.
    let tasks = chunks.div_ceil(width).max(1);
    let mut command = format!("eom sweep {}", quoted(&arguments.model));
    let mut option = |name: &str, value: &str| {
        let _ = write!(command, " {name} {}", quoted(value));
    };
    arguments.sets.iter().for_each(|set| option("--set", set));
    arguments.sweeps.iter().for_each(|sweep| option("--sweep", sweep));
    arguments.sample.iter().for_each(|interval| option("--sample", interval));
    option("--size", &arguments.size.to_string());
    option("--out", &arguments.out.display().to_string());
    if arguments.events {
        command.push_str(" --events");
    }
    if let Some(scenario) = &arguments.scenario {
        let _ = write!(command, " -- {}", quoted(scenario));
    }
    // Options of the task stand in front, for a name behind `--` would be one more argument.
    let command = command.replacen(
        "eom sweep ",
        "eom sweep --jobs \"${SLURM_CPUS_PER_TASK:-1}\" --chunks \"$first..$((first + width))\" ",
        1,
    );
    format!(
        "#!/bin/sh\n\
         # {chunks} chunks in {tasks} tasks. Once all are done: eom gather {}\n\
         #SBATCH --job-name=eom-sweep\n\
         #SBATCH --array=0-{}\n\
         #SBATCH --cpus-per-task=1\n\
         set -eu\n\
         width={width}\n\
         first=$((SLURM_ARRAY_TASK_ID * width))\n\
         exec {command}\n",
        quoted(&arguments.out.display().to_string()),
        tasks - 1
    )
}
