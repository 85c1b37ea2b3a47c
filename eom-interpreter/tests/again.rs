//! A text that is read again.

use eom_core::System as _;
use eom_interpreter::Interpreted;

const TEXT: &str = "system Spring { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; }";

fn read(text: &str) -> Interpreted {
    Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"))
}

#[test]
fn it_has_the_same_tables() {
    let first = read(TEXT).info();
    eom_codegen::forget_texts();
    assert!(std::ptr::eq(first, read(TEXT).info()));
    let there = std::thread::spawn(|| read(TEXT).info()).join();
    assert!(there.is_ok_and(|info| std::ptr::eq(first, info)));
    let other = read(&TEXT.replace("x^2/2", "x^4/4"));
    assert!(!std::ptr::eq(first, other.info()) && other.info().source != first.source);
}

#[test]
fn its_mistakes_stand_where_they_are() {
    for text in ["system S { coordinates { x } kinetic = k*ẋ^2/2; }", "system S {\n kinetic = k; }"]
    {
        eom_codegen::forget_texts();
        let mistakes = Interpreted::new(text).err().unwrap_or_default();
        let at = text.find("k*").or(text.find("k;"));
        let starts: Vec<usize> = mistakes.iter().map(|one| one.at.byte_range().start).collect();
        assert!(at.is_some_and(|at| starts.contains(&at)), "{text}: {starts:?}");
    }
}
