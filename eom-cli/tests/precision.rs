//! `eom run --precision`: what it tells, what it writes, what it refuses.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::eom;
use std::fs;

const BALL: &str = "system Ball {
    coordinates { y }
    parameters { m = 1 where m > 0, g = 9.81, e = 1 }
    function f(y) = 0;
    kinetic = m/2*ẏ^2;
    potential = m*g*y + f;
    contact floor { gap = y; impact = restitution(e); }
    scenario drop { y = 1.1; until t = 2; }
}
";

/// Figure 2 of the bouncing penny: doubles end before the eighteenth impact, which dips by less than rounding makes of the gap. The book has these lines.
#[test]
fn a_penny_grazes_on_with_forty_digits() {
    let here = common::folder("precision/penny");
    let run = "run penny --set a=0.2 --impact project --impacts 20";
    let [doubles, _] = eom(&here, run, 1);
    assert!(doubles.contains("impacts      17 "), "{doubles}");
    assert!(doubles.contains("take more digits, `eom run … --precision 40`"), "{doubles}");
    let [said, _] = eom(&here, &format!("{run} --precision 40 --events impacts.csv"), 0);
    let book = fs::read_to_string("../book/src/running.md").unwrap();
    let lines = said.lines().filter(|line| ["  t ", "  x "].iter().any(|l| line.starts_with(l)));
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines.iter().all(|line| book.contains(line)), "{said}");
    assert!(said.contains("40 digits, needed: in doubles the run stopped at t = 7.5595"), "{said}");
    let events = fs::read_to_string(here.join("impacts.csv")).unwrap();
    assert_eq!(events.lines().count(), 21);
    let last: Vec<&str> = events.lines().last().unwrap().split(',').collect();
    assert!(said.contains(&format!("  t          {}\n", last[0])), "{last:?}\n{said}");
    assert_eq!(last[..3], ["8.23239201441602729168954762561584337372", "impact", "back"]);
}

/// What a file asks for; a run that doubles tell as well; samples and figures.
#[test]
fn files_ask_for_digits() {
    let here = common::folder("precision/files");
    fs::write(here.join("ball.eom"), BALL).unwrap();
    fs::write(here.join("long.toml"), "[solver]\nprecision = 30\n[end]\nimpacts = 3\n").unwrap();
    let run = "run ball.eom --scenario long.toml --csv ball.csv --sample 0.25 --plot t:y=ball.svg";
    let [said, _] = eom(&here, run, 0);
    assert!(said.contains("30 digits, of which doubles have 1"), "{said}");
    // 5√(2.2/9.81).
    assert!(said.contains("  t          2.36780994911918"), "{said}");
    let samples = fs::read_to_string(here.join("ball.csv")).unwrap();
    assert_eq!(samples.lines().count(), 12, "{samples}");
    // y = 1.1 − 9.81/32.
    assert_eq!(
        samples.lines().nth(2).unwrap().split(',').nth(1).unwrap(),
        "7.934375e-1",
        "{samples}"
    );
    assert!(fs::read_to_string(here.join("ball.svg")).unwrap().contains("<svg"));
    // Impacts that accumulate end the run early, with what came before.
    let [said, _] = eom(&here, "run ball.eom --set e=0.5 --precision 20", 1);
    assert!(said.contains("`floor` is struck faster than the digits tell"), "{said}");
    assert!(said.contains("leave out `--precision`"), "{said}");
}

#[test]
fn what_has_no_digits_is_refused() {
    let here = common::folder("precision/refused");
    fs::write(here.join("ball.eom"), BALL).unwrap();
    let rough = BALL
        .replace("coordinates { y }", "coordinates { x, y }")
        .replace("ẏ^2", "(ẋ^2 + ẏ^2)")
        .replace("restitution(e);", "restitution(e); slip = ẋ; friction = 1/2;");
    fs::write(here.join("rough.eom"), rough).unwrap();
    let table = [
        ("ball.eom --precision 16", "--precision: from 17 to 200 digits; it is 16"),
        ("ball.eom --precision 1000", "from 17 to 200 digits; it is 1000"),
        ("ball.eom --precision 40 --method radau", "it goes without `method`"),
        ("ball.eom --precision 40 --rtol 1e-20", "it goes without `rtol`"),
        ("ball.eom --precision 40 --set f=y^2", "functions are those of the declaration"),
        ("ball.eom --precision 40 --sweep e=0.5,1", "--precision goes without a sweep"),
        ("ball.eom --precision 40 --gif a.gif", "--precision goes without --gif"),
        ("ball.eom --precision 40 --ledger", "--precision goes without --ledger"),
        ("ball.eom --precision 40 --set y=-1", "floor"),
        (
            "rough.eom --precision 40",
            "the friction of `floor` is followed in double precision only",
        ),
    ];
    for (arguments, text) in table {
        let [_, said] = eom(&here, &format!("run {arguments}"), 2);
        assert!(said.contains(text), "{arguments}\nmisses `{text}` in\n{said}");
    }
}
