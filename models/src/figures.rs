//! The figures of the documents: which runs they show, and how.
//!
//! A run is written as the arguments of `eom run`, so that each part of a figure can be had alone.

/// A figure of a document.
#[derive(Debug, Clone, Copy)]
pub struct FigureEntry {
    /// The name by which commands call it, and of its files.
    pub name: &'static str,
    /// The key of its document.
    pub document: &'static str,
    /// What it is called there, such as `Figure 3`; empty where the document has none like it.
    pub number: &'static str,
    /// What it shows.
    pub caption: &'static str,
    /// How it is drawn.
    pub drawing: Drawing,
}

/// How a figure is drawn.
#[derive(Debug, Clone, Copy)]
pub enum Drawing {
    /// A run as the scene of its model.
    Scene {
        /// The arguments of the run.
        run: &'static str,
    },
    /// Several runs as curves in one frame.
    Curves(Curves),
    /// Many runs from nearby starts, seen at a few times.
    Cloud(Cloud),
}

/// Several runs as curves in one frame.
#[derive(Debug, Clone, Copy)]
pub struct Curves {
    /// The title of the figure.
    pub title: &'static str,
    /// The line below it; may be empty.
    pub detail: &'static str,
    /// The horizontal axis.
    pub x: Along,
    /// The vertical axis.
    pub y: Along,
    /// Whether both axes have one scale.
    pub equal_aspect: bool,
    /// Whether what does not move is drawn, as in the scene of the first run's model.
    pub outlined: bool,
    /// The curves, in the order of the legend.
    pub curves: &'static [Curve],
}

/// What runs along an axis.
#[derive(Debug, Clone, Copy)]
pub struct Along {
    /// `t`, or the name of a coordinate, a velocity or an output, in ASCII: `theta_dot`.
    pub name: &'static str,
    /// The symbol on the axis.
    pub symbol: &'static str,
    /// Its unit; may be empty.
    pub unit: &'static str,
}

/// A curve.
#[derive(Debug, Clone, Copy)]
pub struct Curve {
    /// What the legend calls it.
    pub label: &'static str,
    /// The arguments of its run.
    pub run: &'static str,
}

/// Many runs from nearby starts, seen at a few times: a panel each, in the scene of the model.
#[derive(Debug, Clone, Copy)]
pub struct Cloud {
    /// The title of the figure.
    pub title: &'static str,
    /// The arguments of the run in the middle.
    pub run: &'static str,
    /// The velocities that differ, in ASCII, each by less than a number, evenly spread.
    pub spread: &'static [(&'static str, f64)],
    /// How many starts.
    pub starts: usize,
    /// What the starts are drawn with.
    pub seed: u64,
    /// The times of the panels, rising.
    pub times: &'static [f64],
    /// The unit of time.
    pub time_unit: &'static str,
}

/// The start of figures 1–4 of bouncing-penny is the scenario of the penny.
static FIGURES: [FigureEntry; 18] = [
    FigureEntry {
        name: "green-roll",
        document: "putting-green",
        number: "Figure 1",
        caption: "A ball slides and rolls on a level green, with several coefficients of friction: the velocity of its \
            centre falls to that of rolling, 5/7 of the start whatever the friction.",
        drawing: Drawing::Curves(Curves {
            title: "A ball that slides and then rolls",
            detail: "level, started at 2 m/s without spin",
            x: Along { name: "t", symbol: "t", unit: "s" },
            y: Along { name: "x_dot", symbol: "ẋ", unit: "m/s" },
            equal_aspect: false,
            outlined: false,
            curves: &[
                Curve {
                    label: "μ = 0.02 kg/s",
                    run: "putted-ball --set mu_x=0.02 --set h=0 --set s=0 --set x_dot=2 --set y_dot=0 --set y=0 --set z=0 --set z_dot=0 --until 3",
                },
                Curve {
                    label: "μ = 0.05 kg/s",
                    run: "putted-ball --set mu_x=0.05 --set h=0 --set s=0 --set x_dot=2 --set y_dot=0 --set y=0 --set z=0 --set z_dot=0 --until 3",
                },
                Curve {
                    label: "μ = 0.2 kg/s",
                    run: "putted-ball --set mu_x=0.2 --set h=0 --set s=0 --set x_dot=2 --set y_dot=0 --set y=0 --set z=0 --set z_dot=0 --until 3",
                },
            ],
        }),
    },
    FigureEntry {
        name: "green-hemisphere",
        document: "putting-green",
        number: "Figure 2",
        caption: "A particle slides off a hemisphere of radius 0.5 m: it leaves where cos θ is \
            2/3 and a third of ω₀²R/g.",
        drawing: Drawing::Curves(Curves {
            title: "A particle that slides off a hemisphere",
            detail: "started at the top with ω₀",
            x: Along { name: "horizontal", symbol: "R sin θ", unit: "m" },
            y: Along { name: "vertical", symbol: "R cos θ", unit: "m" },
            equal_aspect: true,
            outlined: true,
            curves: &[
                Curve { label: "ω₀ = 0.1 rad/s", run: "hemisphere --set ω0=0.1 --until 1.15" },
                Curve { label: "ω₀ = 1.5 rad/s", run: "hemisphere --until 0.5" },
                Curve { label: "ω₀ = 3 rad/s", run: "hemisphere --set ω0=3 --until 0.38" },
            ],
        }),
    },
    FigureEntry {
        name: "collision-pendulum",
        document: "nonholonomic-collisions",
        number: "",
        caption: "The nonholonomic pendulum of 5.2.1: after each impact the centre goes back along its own parabola.",
        drawing: Drawing::Scene { run: "floor-ball --scenario pendulum" },
    },
    FigureEntry {
        name: "collision-wall",
        document: "nonholonomic-collisions",
        number: "",
        caption: "The ball of section 5.1 rolls to a rough wall, spinning about the vertical, and leaves it.",
        drawing: Drawing::Scene { run: "wall-ball" },
    },
    FigureEntry {
        name: "collision-box",
        document: "nonholonomic-collisions",
        number: "",
        caption: "A rough ball in a box of rough walls, from above.",
        drawing: Drawing::Scene { run: "box-ball --impacts 20" },
    },
    FigureEntry {
        name: "collision-garwin",
        document: "nonholonomic-collisions",
        number: "",
        caption: "Garwin's ball: thrown under a table it strikes floor, table, floor, and comes back the way it came.",
        drawing: Drawing::Curves(Curves {
            title: "A superelastic ball under a table",
            detail: "height of the centre; the table begins at x = 0",
            x: Along { name: "x", symbol: "x", unit: "m" },
            y: Along { name: "z", symbol: "z", unit: "m" },
            equal_aspect: false,
            outlined: true,
            curves: &[Curve {
                label: "thrown at 3 m/s, 5 m/s down",
                run: "table-ball --until 0.56",
            }],
        }),
    },
    FigureEntry {
        name: "penny-1",
        document: "bouncing-penny",
        number: "Figure 1",
        caption: "The first 20 impacts for the elastic impact on a circular table.",
        drawing: Drawing::Scene { run: "penny --set a=0.2" },
    },
    FigureEntry {
        name: "penny-2",
        document: "bouncing-penny",
        number: "Figure 2",
        caption: "The first 20 impacts for the plastic impact on a circular table. From the eighteenth on the \
            penny grazes the edge by less than doubles tell: the run has forty digits.",
        drawing: Drawing::Scene {
            run: "penny --set a=0.2 --impact project --impacts 20 --precision 40",
        },
    },
    FigureEntry {
        name: "penny-3",
        document: "bouncing-penny",
        number: "Figure 3",
        caption: "The first 20 impacts for the elastic impact on an elliptical table.",
        drawing: Drawing::Scene { run: "penny" },
    },
    FigureEntry {
        name: "penny-4",
        document: "bouncing-penny",
        number: "Figure 4",
        caption: "The first 20 impacts for the plastic impact on an elliptical table, with forty digits, needed from \
            the seventeenth on; see figure 2.",
        drawing: Drawing::Scene { run: "penny --impact project --impacts 20 --precision 40" },
    },
    FigureEntry {
        name: "penny-5",
        document: "bouncing-penny",
        number: "Figure 5",
        caption: "100 different initial conditions at various times: θ̇₀ and φ̇₀ differ by less than \
            0.005 rad/s. The document gives neither the times nor the table; here it is the \
            elliptical one of figure 3.",
        drawing: Drawing::Cloud(Cloud {
            title: "100 pennies that start almost alike",
            run: "penny",
            spread: &[("theta_dot", 0.005), ("phi_dot", 0.005)],
            starts: 100,
            seed: 5,
            times: &[5.0, 15.0, 30.0, 60.0],
            time_unit: "s",
        }),
    },
    FigureEntry {
        name: "penny-controls",
        document: "bouncing-penny",
        number: "",
        caption: "The penny of section VII, with constant controls u₁ and u₂.",
        drawing: Drawing::Scene { run: "controlled-penny" },
    },
    FigureEntry {
        name: "penny-laws",
        document: "bouncing-penny",
        number: "",
        caption: "What the plastic impact leaves of the rolling speed: each impact of the projected \
            law takes energy, the elastic one takes none.",
        drawing: Drawing::Curves(Curves {
            title: "Rolling speed under the two laws of impact",
            detail: "elliptical table, the start of figures 3 and 4",
            x: Along { name: "t", symbol: "t", unit: "s" },
            y: Along { name: "theta_dot", symbol: "θ̇", unit: "rad/s" },
            equal_aspect: false,
            outlined: false,
            curves: &[
                Curve { label: "elastic", run: "penny --until 15" },
                Curve { label: "plastic, as projected", run: "penny --impact project --until 15" },
            ],
        }),
    },
    FigureEntry {
        name: "rough-path",
        document: "rough-plane",
        number: "Figure of section 1",
        caption: "The path of the particle on an inclined plane with rough and with viscous \
            friction of one coefficient; with viscous friction it peaks at a smaller w.",
        drawing: Drawing::Curves(Curves {
            title: "A particle on a rough plane",
            detail: "thrown up the slope, until the rough path comes back to w = 0",
            x: Along { name: "x", symbol: "x", unit: "m" },
            y: Along { name: "w", symbol: "w", unit: "m" },
            equal_aspect: true,
            outlined: false,
            curves: &[
                Curve { label: "rough friction", run: "rough-particle --until 1.293" },
                Curve { label: "viscous friction", run: "viscous-particle --until 1.293" },
            ],
        }),
    },
    FigureEntry {
        name: "rough-rod-spin",
        document: "rough-plane",
        number: "",
        caption: "How wrong the decoupled friction is: exactly, a rod stops to slide and \
            to turn at one instant; decoupled, each by itself.",
        drawing: Drawing::Curves(Curves {
            title: "The spin of a thin rod on a rough plane",
            detail: "thrown at 1.1 m/s with 6 rad/s",
            x: Along { name: "t", symbol: "t", unit: "s" },
            y: Along { name: "theta_dot", symbol: "θ̇", unit: "rad/s" },
            equal_aspect: false,
            outlined: false,
            curves: &[
                Curve { label: "exact", run: "thin-rod" },
                Curve { label: "decoupled, section 4.4", run: "thin-rod-hack" },
            ],
        }),
    },
    FigureEntry {
        name: "rough-rod-path",
        document: "rough-plane",
        number: "",
        caption: "The path of its centre: spinning it slides further, since friction is spent on the \
            spin; decoupled it feels nothing of that.",
        drawing: Drawing::Curves(Curves {
            title: "The path of a thin rod on a rough plane",
            detail: "thrown at 1.1 m/s with 6 rad/s",
            x: Along { name: "x", symbol: "x", unit: "m" },
            y: Along { name: "y", symbol: "y", unit: "m" },
            equal_aspect: true,
            outlined: false,
            curves: &[
                Curve { label: "exact", run: "thin-rod" },
                Curve { label: "decoupled, section 4.4", run: "thin-rod-hack" },
            ],
        }),
    },
    FigureEntry {
        name: "rough-board-spin",
        document: "rough-plane",
        number: "",
        caption: "The same of a flat board.",
        drawing: Drawing::Curves(Curves {
            title: "The spin of a flat board on a rough plane",
            detail: "thrown at 1.1 m/s with 6 rad/s",
            x: Along { name: "t", symbol: "t", unit: "s" },
            y: Along { name: "theta_dot", symbol: "θ̇", unit: "rad/s" },
            equal_aspect: false,
            outlined: false,
            curves: &[
                Curve { label: "exact", run: "flat-board" },
                Curve { label: "decoupled, section 5", run: "flat-board-hack" },
            ],
        }),
    },
    FigureEntry {
        name: "rough-box-path",
        document: "rough-plane",
        number: "",
        caption: "A box thrown up an incline: exact friction, and decoupled as in section 6.",
        drawing: Drawing::Curves(Curves {
            title: "The path of a solid box on a rough incline",
            detail: "thrown at 2.1 m/s with 5 rad/s",
            x: Along { name: "x", symbol: "x", unit: "m" },
            y: Along { name: "w", symbol: "w", unit: "m" },
            equal_aspect: true,
            outlined: false,
            curves: &[
                Curve { label: "exact", run: "solid-box" },
                Curve { label: "decoupled, section 6", run: "solid-box-hack" },
            ],
        }),
    },
];

/// The figures, by document, in their order.
pub fn figures() -> &'static [FigureEntry] {
    &FIGURES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::document;

    #[test]
    fn names_are_distinct_and_documents_known() {
        let mut names: Vec<_> = figures().iter().map(|figure| figure.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), figures().len());
        for figure in figures() {
            assert!(document(figure.document).is_some(), "{}", figure.name);
            assert!(!figure.caption.is_empty(), "{}", figure.name);
        }
    }
}
