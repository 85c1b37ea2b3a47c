//! The systems that are timed, and the ways to time them beside other tools.
//!
//! ```text
//! Work ──ours, peers──▶ Contestants ──contest::hold──▶ Standings ──judge──▶ Figures ──report──▶ Markdown, SVG
//! ```
//!
//! `README.md` says which commands there are.

pub mod clock;
pub mod compile;
pub mod contest;
pub mod files;
pub mod instructions;
pub mod judge;
pub mod ours;
pub mod peers;
pub mod problem;
pub mod reference;
pub mod report;
pub mod systems;
pub mod work;

pub use systems::{DoublePendulum, pendulum};
