//! What is said of rows that are not affine in the velocities.

const NOT_AFFINE: &str = "the row is not affine in the velocities";
const FORM: &str = "a constraint has the form a(t,q)*ẋ + … + b(t,q) = 0";

/// A row that can only be affine.
pub(super) fn not_affine() -> (String, Option<String>) {
    (NOT_AFFINE.to_owned(), Some(FORM.to_owned()))
}

/// A row of `constraints` whose reaction the declaration does not say.
pub(super) fn row(name: &str) -> (String, Option<String>) {
    (
        NOT_AFFINE.to_owned(),
        Some(format!(
            "{FORM}; `allow chetaev({name});` takes this one as \
             φ(t,q,q̇) = 0 with the reaction λ ∂φ/∂q̇: Chetaev's rule, which is an assumption"
        )),
    )
}

/// `free …;` beside such a row.
pub(super) fn free(row: &str) -> (String, Option<String>) {
    (
        format!("no velocity is eliminated by the row `{row}`, which is not affine in them"),
        Some("leave `free` out: such a system has no reduced equations".to_owned()),
    )
}
