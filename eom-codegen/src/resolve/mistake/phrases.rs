//! Pieces of messages: lists, counts, near names.

use crate::diagnostic::suggestion;

/// `1 to 6`, or a list where some are missing.
pub(super) fn indices(values: &[i64]) -> String {
    match (values.first(), values.last()) {
        (Some(first), Some(last)) if values.windows(2).all(|w| w[1] == w[0] + 1) => {
            format!("{first} to {last}")
        }
        _ => values.iter().map(i64::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// What operands must be like.
pub(super) fn fitting(operation: &str) -> &'static str {
    // table
    match operation {
        "a product" => {
            "write `dot(a, b)` or `cross(a, b)` for vectors; matrices need as many columns as rows follow"
        }
        "dot" => "write vectors of one length; numbers are multiplied by `*`",
        "cross" => "write vectors of three, `[x, y, 0]` in a plane",
        "a quotient" => "divide by a number, such as a component `v[1]` or `norm(v)`",
        "a power" => "raise a number, such as `norm(v)^2` or `v[1]^2`",
        _ => "write operands of one shape",
    }
}

/// `…`, `…, …`
pub(super) fn places(count: usize) -> String {
    vec!["…"; count].join(", ")
}

/// The nearest name; where it looks like the one written, the letter that is another.
pub(super) fn did_you_mean(written: &str, near: Option<String>) -> Option<String> {
    near.map(|near| suggestion(written, &near))
}

/// The same, or another thing to do.
pub(super) fn near_or(written: &str, near: Option<String>, otherwise: &str) -> String {
    did_you_mean(written, near).unwrap_or_else(|| otherwise.to_owned())
}

/// `one coordinate`, `2 coordinates`
pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("one {one}") } else { format!("{number} {many}") }
}

pub(super) fn count(arguments: usize) -> String {
    if arguments == 1 { "one argument".to_owned() } else { format!("{arguments} arguments") }
}
