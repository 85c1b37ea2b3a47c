//! What rustc shows of mistakes, one rule a file, and declarations in hostile surroundings.
//!
//! `TRYBUILD=overwrite cargo test -p eom-ui-tests` accepts changed messages; read them first.

#[test]
fn mistakes_are_shown_where_they_stand() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("err/*.rs");
    cases.pass("ok/*.rs");
}
