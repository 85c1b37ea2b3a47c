//! Greek alone.
#![allow(uncommon_codepoints, confusable_idents)]

eom_core::lagrangian! {
    /// Ἐκκρεμές.
    pub system Εκκρεμές {
        coordinates { θ, φ }
        parameters { μ = 1 where μ > 0, λ = 1 where λ > 0, γ = 9.81 }
        kinetic = μ/2*λ^2*(θ̇^2 + sin(θ)^2*φ̇^2);
        potential = -μ*γ*λ*cos(θ);
        claim α: φ̈*sin(θ) = -2*cos(θ)*θ̇*φ̇;
    }
}

fn main() {
    assert_eq!(Εκκρεμές::INFO.coordinates[1].ascii, "phi");
}
