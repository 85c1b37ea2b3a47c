//! LaTeX of the printers as MathML: strings in, strings out; and every formula of the snapshots is whole.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_symbolic::print::mathml;
use std::fs;

fn check(latex: &str, expected: &str) {
    assert_eq!(mathml(latex), format!("<math display=\"block\">{expected}</math>"), "{latex}");
}

#[test]
fn forms() {
    check("12.5", "<mn>12.5</mn>");
    check("a - b", "<mrow><mi>a</mi><mo>−</mo><mi>b</mi></mrow>");
    check(
        r"\dot{\theta}_{1}^{2}",
        "<msubsup><mover accent=\"true\"><mi>θ</mi><mo>˙</mo></mover><mn>1</mn><mn>2</mn></msubsup>",
    );
    check(r"\frac{1}{2} m", "<mrow><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>m</mi></mrow>");
    check(
        r"\left(x\right)^{2}",
        "<msup><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow><mn>2</mn></msup>",
    );
    check(r"\mathrm{d}x", "<mrow><mi mathvariant=\"normal\">d</mi><mi>x</mi></mrow>");
    check(
        r"\text{no row, $x < 1$}",
        "<mrow><mtext>no\u{a0}row,\u{a0}</mtext><mrow><mi>x</mi><mo>&lt;</mo><mn>1</mn></mrow></mrow>",
    );
    check(
        r"\text{a\_1 \{\}, b\^{}2 $\|$f$\|$}",
        "<mrow><mtext>a_1\u{a0}{},\u{a0}b^2\u{a0}</mtext><mo>‖</mo><mtext>f</mtext><mo>‖</mo></mrow>",
    );
    check(
        r"\begin{aligned} & a \\ & b \end{aligned}",
        "<mtable class=\"aligned\"><mtr><mtd><mrow></mrow></mtd><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mrow></mrow></mtd><mtd><mi>b</mi></mtd></mtr></mtable>",
    );
    // What is not written so is shown by its name, and nothing is lost of what is cut.
    check(r"\foo{x", "<mrow><mtext>foo</mtext><mi>x</mi></mrow>");
}

/// Elements that are opened and not closed, and commands that are not known.
fn faults(html: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut faults = Vec::new();
    for piece in html.split('<').skip(1) {
        let name = piece.split(['>', ' ']).next().unwrap();
        match name.strip_prefix('/') {
            None => open.push(name),
            Some(closed) if open.last() == Some(&closed) => {
                open.pop();
            }
            Some(closed) => faults.push(format!("</{closed}>")),
        }
    }
    faults.extend(open.into_iter().map(str::to_owned));
    if html.contains('\\') {
        faults.push("a backslash".to_owned());
    }
    faults
}

/// The equations of all fixtures, as they are printed.
#[test]
fn formulas_of_all_systems_are_whole() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/tests/snapshots");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_str().unwrap().ends_with(".latex.snap") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for block in text.split(r"\begin{align*}").skip(1) {
            let block = block.split(r"\end{align*}").next().unwrap();
            let html = mathml(&format!(r"\begin{{aligned}}{block}\end{{aligned}}"));
            assert_eq!(faults(&html), Vec::<String>::new(), "{}: {block}\n{html}", path.display());
            count += html.matches("<mi>").count();
        }
    }
    assert!(count > 5000, "{count} letters");
}
