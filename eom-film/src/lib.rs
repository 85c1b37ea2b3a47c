//! A motion that is looked at: its states at even times and on both sides of every event, and what is drawn of each.
//!
//! ```text
//! Subject, its end → Film: frames, numbers of each → one HTML file that plays them
//! ```
//!
//! Who runs the system is not known here: the runs that a film is made of are asked for. The command draws pictures of
//! the same frames.

mod data;
mod film;
mod html;
mod thread;
mod window;

pub use data::usual_scale;
pub use film::{Film, Length, Make, Subject, drawing};
pub use html::{Page, escaped, html};
pub use window::{CurveAt, HeightsAt, Window};
