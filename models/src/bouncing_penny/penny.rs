//! The rolling penny on an elliptical table, written by hand: Clark and Bloch, sections V and VI.

use eom_core::info::{
    ContactInfo, NameInfo, ParameterInfo, RowInfo, RowKind, ScenarioInfo, SystemInfo, Unknown,
};
use eom_core::{Declared, Energy, Law, ParameterError, Scenario, System};
use std::f64::consts::FRAC_PI_2;

/// The rolling penny: m/2 (ẋ² + ẏ²) + I/2 θ̇² + J/2 φ̇² with ẋ = R cos φ θ̇, ẏ = R sin φ θ̇.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(non_snake_case, reason = "the names of the document")]
pub struct Penny {
    /// Radius, m.
    pub R: f64,
    /// Mass, kg.
    pub m: f64,
    /// Moment of inertia about the axis of the disk, kg m².
    pub I: f64,
    /// Moment of inertia about a diameter, kg m².
    pub J: f64,
    /// Half-axis of the table along x, m.
    pub a: f64,
    /// Half-axis of the table along y, m.
    pub b: f64,
}

const fn name(name: &'static str, ascii: &'static str, doc: &'static str) -> NameInfo {
    NameInfo { name, ascii, doc }
}

const fn positive(
    name: &'static str,
    doc: &'static str,
    default: &'static str,
    bound: &'static str,
) -> ParameterInfo {
    ParameterInfo { name, ascii: name, doc, default: Some(default), bound }
}

const fn row(name: &'static str, doc: &'static str) -> RowInfo {
    RowInfo { name, ascii: name, doc, kind: RowKind::Velocity }
}

const fn contact(name: &'static str, doc: &'static str) -> ContactInfo {
    ContactInfo { name, ascii: name, doc, law: "elastic" }
}

const COORDINATES: &[NameInfo] = &[
    name("x", "x", "Contact point, m."),
    name("y", "y", "Contact point, m."),
    name("θ", "theta", "Rolling angle, rad."),
    name("φ", "phi", "Heading, rad."),
];

const PARAMETERS: &[ParameterInfo] = &[
    positive("R", "Radius, m.", "0.01", "R > 0"),
    positive("m", "Mass, kg.", "0.0025", "m > 0"),
    positive("I", "Moment of inertia about the axis, kg m².", "m*R^2/2", "I > 0"),
    positive("J", "Moment of inertia about a diameter, kg m².", "m*R^2/4", "J > 0"),
    positive("a", "Half-axis of the table along x, m.", "0.15", "a > 0"),
    positive("b", "Half-axis of the table along y, m.", "0.20", "b > 0"),
];

static INFO: SystemInfo = SystemInfo {
    name: "Penny",
    doc: "The rolling penny on an elliptical table.",
    document: "bouncing-penny",
    coordinates: COORDINATES,
    parameters: PARAMETERS,
    inputs: &[],
    rows: &[row("roll_x", "ẋ = R cos φ θ̇."), row("roll_y", "ẏ = R sin φ θ̇.")],
    contacts: &[
        contact("front", "The front of the penny meets the edge."),
        contact("back", "The back of the penny meets the edge."),
    ],
    events: &[],
    scenarios: &[ScenarioInfo {
        name: "figure_3",
        doc: "Figure 3: the first 20 impacts on the elliptical table.",
        solve: &[Unknown::Velocity(0), Unknown::Velocity(1)],
    }],
    outputs: &[],
    claims: &[],
    equations: "J*φ̈ = 0\n(I + m*R^2)*θ̈ = 0\nẋ = R*cos(φ)*θ̇\nẏ = R*sin(φ)*θ̇\n",
    source: "",
};

impl Penny {
    /// ∂g/∂(x, y, θ, φ) with the end of the penny at (x + s R cos φ, y + s R sin φ).
    fn gap_gradient(&self, q: &[f64], side: f64) -> [f64; 4] {
        let (sin, cos) = q[3].sin_cos();
        let (x, y) = (q[0] + side * self.R * cos, q[1] + side * self.R * sin);
        let (gx, gy) = (-2.0 * x / self.a.powi(2), -2.0 * y / self.b.powi(2));
        [gx, gy, 0.0, side * self.R * (gy * cos - gx * sin)]
    }

    /// g = 1 − ((x + s R cos φ)/a)² − ((y + s R sin φ)/b)².
    fn gap(&self, q: &[f64], side: f64) -> f64 {
        let (sin, cos) = q[3].sin_cos();
        let x = (q[0] + side * self.R * cos) / self.a;
        let y = (q[1] + side * self.R * sin) / self.b;
        1.0 - x.powi(2) - y.powi(2)
    }
}

impl System for Penny {
    fn info(&self) -> &'static SystemInfo {
        &INFO
    }

    fn parameters(&self, values: &mut [f64]) {
        values.copy_from_slice(&[self.R, self.m, self.I, self.J, self.a, self.b]);
    }

    fn accelerations(&self, _: f64, q: &[f64], v: &[f64], _: &[f64], a: &mut [f64], λ: &mut [f64]) {
        let (sin, cos) = q[3].sin_cos();
        let turn = self.R * v[2] * v[3];
        a.copy_from_slice(&[-turn * sin, turn * cos, 0.0, 0.0]);
        λ.copy_from_slice(&[self.m * a[0], self.m * a[1]]);
    }

    fn mass_matrix(&self, _: f64, _: &[f64], m: &mut [f64]) {
        m.fill(0.0);
        for (i, value) in [self.m, self.m, self.I, self.J].into_iter().enumerate() {
            m[5 * i] = value;
        }
    }

    fn constraint_rows(&self, _: f64, q: &[f64], a: &mut [f64], b: &mut [f64]) {
        let (sin, cos) = q[3].sin_cos();
        let r = self.R;
        a.copy_from_slice(&[1.0, 0.0, -r * cos, 0.0, 0.0, 1.0, -r * sin, 0.0]);
        b.fill(0.0);
    }

    fn holonomic(&self, _: f64, _: &[f64], _: &mut [f64]) {}

    fn energy(&self, _: f64, _: &[f64], v: &[f64]) -> Energy {
        let kinetic = self.m / 2.0 * (v[0].powi(2) + v[1].powi(2))
            + self.I / 2.0 * v[2].powi(2)
            + self.J / 2.0 * v[3].powi(2);
        Energy { kinetic, potential: 0.0, jacobi: kinetic }
    }

    fn gaps(&self, _: f64, q: &[f64], g: &mut [f64]) {
        g.copy_from_slice(&[self.gap(q, 1.0), self.gap(q, -1.0)]);
    }

    fn gap_rows(&self, _: f64, q: &[f64], grad: &mut [f64], rate: &mut [f64]) {
        grad[..4].copy_from_slice(&self.gap_gradient(q, 1.0));
        grad[4..].copy_from_slice(&self.gap_gradient(q, -1.0));
        rate.fill(0.0);
    }

    fn law(&self, _: usize) -> Law {
        Law::Elastic
    }

    fn guards(&self, _: f64, _: &[f64], _: &[f64], _: &[f64], _: &mut [f64]) {}

    fn reset(&self, _: usize, _: f64, _: &mut [f64], _: &mut [f64], _: &[f64]) {}

    fn outputs(&self, _: f64, _: &[f64], _: &[f64], _: &[f64], _: &mut [f64]) {}

    fn scenario(&self, index: usize) -> Option<Scenario> {
        (index == 0).then(|| Scenario {
            t: 0.0,
            q: vec![0.0, 0.0, 0.0, FRAC_PI_2],
            v: vec![0.0, 0.0, 10.0, 0.2],
            u: Vec::new(),
            until_time: None,
            until_impacts: Some(20),
        })
    }
}

impl Declared for Penny {
    const INFO: &'static SystemInfo = &INFO;

    fn with_parameters(overrides: &[Option<f64>]) -> Result<Self, ParameterError> {
        let mut values = [0.0; 6];
        for i in 0..6 {
            let [r, m, ..] = values;
            let default =
                [0.01, 0.0025, m * f64::powi(r, 2) / 2.0, m * f64::powi(r, 2) / 4.0, 0.15, 0.2][i];
            let value = overrides.get(i).copied().flatten().unwrap_or(default);
            let ParameterInfo { name, bound, .. } = PARAMETERS[i];
            if !value.is_finite() {
                return Err(ParameterError::NotFinite { name, value });
            }
            if value <= 0.0 {
                return Err(ParameterError::Bound { name, value, bound });
            }
            values[i] = value;
        }
        let [R, m, I, J, a, b] = values;
        Ok(Self { R, m, I, J, a, b })
    }
}
