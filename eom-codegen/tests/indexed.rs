//! Names with indices and sums: a declaration that uses them derives to the same equations and
//! programs as the one that writes every name and term out.

use eom_codegen::{Derivation, derive_source};
use std::fmt::Write;

fn derive(source: &str) -> Derivation {
    derive_source(source).unwrap_or_else(|mistakes| {
        let said: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        panic!("{source}\n{}", said.join("\n"))
    })
}

/// Both declarations derive to the same text, programs, metadata of parameters.
fn check(indexed: &str, plain: &str) {
    let (indexed, plain) = (derive(indexed), derive(plain));
    assert_eq!(unbracketed(&indexed.equations_text()), unbracketed(&plain.equations_text()));
    assert_eq!(unnumbered(&indexed.listings()), unnumbered(&plain.listings()));
    let fields = |d: &Derivation| -> Vec<(String, String, String)> {
        let parameters = d.model.parameters.iter();
        parameters
            .map(|p| (p.named.name.clone(), p.default_text.clone(), unbracketed(&p.bound_text)))
            .collect()
    };
    assert_eq!(fields(&indexed), fields(&plain));
    let starts = |d: &Derivation| -> Vec<String> {
        let scenarios = d.model.scenarios.iter();
        scenarios
            .map(|s| {
                let entries = [&s.position[..], &s.velocity, &s.inputs].concat();
                format!("{:?} {:?}", d.model.pool.evaluate(&entries, |_| f64::NAN), s.solve)
            })
            .collect()
    };
    assert_eq!(starts(&indexed), starts(&plain));
    let claims = |d: &Derivation| -> Vec<String> {
        d.model.claims.iter().map(|claim| claim.named.name.clone()).collect()
    };
    assert_eq!(claims(&indexed), claims(&plain));
}

/// Without the numbers of temporaries: they are those of first construction.
fn unnumbered(listing: &str) -> String {
    let words = listing.split(' ').map(|word| match word.trim().strip_prefix('w') {
        Some(number) if number.parse::<u32>().is_ok() => "w",
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `m[1] > 0` stays as it is written.
fn unbracketed(text: &str) -> String {
    text.replace(['[', ']'], "")
}

/// The text for each number, joined.
fn each(
    range: std::ops::RangeInclusive<usize>,
    between: &str,
    text: impl Fn(usize) -> String,
) -> String {
    range.map(text).collect::<Vec<_>>().join(between)
}

/// A chain of n links with n masses, by recursion of the positions.
fn chain(n: usize) -> String {
    format!(
        "system Chain {{
            coordinates {{ θ[1..={n}] }}
            parameters {{ m[i in 1..={n}] = 1/i where m[i] > 0, l[1..={n}] = 1 where g > 0, g = 9.81 }}
            let X[0] = 0;
            let Y[0] = 0;
            let X[i in 1..={n}] = X[i - 1] + l[i]*sin(θ[i]);
            let Y[i in 1..={n}] = Y[i - 1] - l[i]*cos(θ[i]);
            kinetic = sum(m[i]/2*(Ẋ[i]^2 + Y_dot[i]^2), i in 1..={n});
            potential = g*sum(m[i]*Y[i], i in 1..{});
            force θ[{n}] = -θ̇[{n}];
            output E[k in 1..={n}] = θ̇[k]^2;
            scenario swing {{ θ[1..={n}] = 0.2; θ̇[j in 1..={n}] = j/10; until t = 1; }}
            claim force: force(θ[{n}]) = -θ_dot[{n}];
        }}",
        n + 1
    )
}

fn written_out(n: usize) -> String {
    let mut text = "system Chain { coordinates { ".to_owned();
    text += &each(1..=n, ", ", |i| format!("θ{i}"));
    text += " } parameters { ";
    text += &each(1..=n, ", ", |i| format!("m{i} = 1/{i} where m{i} > 0"));
    text += ", ";
    text += &each(1..=n, ", ", |i| format!("l{i} = 1 where g > 0"));
    text += ", g = 9.81 } let X0 = 0; let Y0 = 0;";
    for i in 1..=n {
        write!(text, "let X{i} = X{} + l{i}*sin(θ{i});", i - 1).expect("a string");
    }
    for i in 1..=n {
        write!(text, "let Y{i} = Y{} - l{i}*cos(θ{i});", i - 1).expect("a string");
    }
    text += "kinetic = ";
    text += &each(1..=n, " + ", |i| format!("m{i}/2*(X{i}_dot^2 + Ẏ{i}^2)"));
    text += "; potential = g*(";
    text += &each(1..=n, " + ", |i| format!("m{i}*Y{i}"));
    write!(text, "); force θ{n} = -θ̇{n};").expect("a string");
    for i in 1..=n {
        write!(text, "output E{i} = θ̇{i}^2;").expect("a string");
    }
    text += "scenario swing { ";
    text += &each(1..=n, " ", |i| format!("θ{i} = 0.2; θ̇{i} = {i}/10;"));
    write!(text, " until t = 1; }} claim force: force(θ{n}) = -θ̇{n}; }}").expect("a string");
    text
}

#[test]
fn a_chain_of_links() {
    for n in 1..=5 {
        check(&chain(n), &written_out(n));
    }
}

/// The chain whose length is a parameter.
fn sized(n: usize) -> String {
    let text = chain(n).replace(&format!("..={n}"), "..=N").replace(&format!("[{n}]"), "[N]");
    let text = text.replace(&format!("1..{})", n + 1), "1..N + 1)");
    text.replace("parameters {", &format!("parameters {{ N = {n},"))
}

/// A whole number that sizes arrays is a number of the declaration, and no parameter of the system.
#[test]
fn a_parameter_sizes_arrays() {
    for n in 1..=5 {
        check(&sized(n), &written_out(n));
    }
}

/// The ends of sums and indices may be made of it, a paper's letter too; the end of an integral is a parameter as before.
#[test]
fn a_size_is_a_number_wherever_it_stands() {
    let derived = derive(
        r#"system S {
            coordinates { x[i in 1..=N] }
            parameters { m[i in 1..=N] = i/N where m[i] > 0, a = 2, /** Particles. */ N = 3 }
            kinetic = sum(m[i]/2*ẋ[i]^2, i in 1..=N);
            potential = a*x[N]*sum(x[i], i in 1..N) + integral(s, s in 0..a)*x[N - 2]/N;
            claim total: tex r"\sum_{i=1}^{N} m_i \ddot{x}_i = -a(x_1 + x_2 + 2x_3) - \frac{a^2}{2N}, \quad N = 3";
        }"#,
    );
    let names: Vec<&str> = derived.model.parameters.iter().map(|p| &*p.named.name).collect();
    assert_eq!(names, ["m1", "m2", "m3", "a"]);
    let masses = derived.model.parameters.iter().map(|p| p.default_text.as_str());
    assert_eq!(masses.collect::<Vec<_>>()[..3], ["1/3", "2/3", "3/3"]);
}

#[test]
fn arrays_rows_and_sums() {
    // Nested sums, an inner end by the outer index, index arithmetic, whole arrays, rows by index,
    // differentials, vectors as elements, inputs, `solve`, matrices by index.
    check(
        "system S {
            coordinates { x[1..=3], y[1..=3] }
            inputs { u[1..=2] }
            parameters { m[1..=3] = 1, k = 2 }
            let P[i in 1..=3] = [x[i], y[i]];
            let J = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
            kinetic = sum(m[i]*norm(Ṗ[i])^2, i in 1..=3)/2;
            potential = k*sum(sum(dot(P[i], P[j])*J[i][4 - j], j in i + 1..=3), i in 1..3) + dot(m, x);
            force x[2] = u[1] + P[2][1]*u[2];
            constraints {
                tie[i in 1..=2]: y[i]*dx[i] - x[i + 1]*dy[i + 1];
            }
            holonomic { rod: P[2] = P[1] + [1, 2]; }
            scenario go { x[2] = 1; y[2] = 2; u[1..=2] = 3; solve ẋ[1..=2], ẏ[3]; until t = 1; }
            claim rows: [tie[1], tie[2]] = [y[1]*dx[1] - x[2]*dy[2], y[2]*dx[2] - x[3]*dy[3]];
            claim multipliers: λ(tie[2])*projector[1, 1] = λ(tie2)*projector[x[1], x[1]];
            claim powers: sum(i^2*x[i]^i, i in 1..=3) = x[1] + 4*x[2]^2 + 9*x[3]^3;
        }",
        "system S {
            coordinates { x1, x2, x3, y1, y2, y3 }
            inputs { u1, u2 }
            parameters { m1 = 1, m2 = 1, m3 = 1, k = 2 }
            kinetic = (m1*norm([ẋ1, ẏ1])^2 + m2*norm([ẋ2, ẏ2])^2 + m3*norm([ẋ3, ẏ3])^2)/2;
            potential = k*((x1*x2 + y1*y2)*2 + (x1*x3 + y1*y3)*1 + (x2*x3 + y2*y3)*4) + m1*x1 + m2*x2 + m3*x3;
            force x2 = u1 + x2*u2;
            constraints { tie1: y1*dx1 - x2*dy2; tie2: y2*dx2 - x3*dy3; }
            holonomic { rod: [x2, y2] = [x1 + 1, y1 + 2]; }
            scenario go { x2 = 1; y2 = 2; u1 = 3; u2 = 3; solve ẋ1, ẋ2, ẏ3; until t = 1; }
            claim rows: 0 = 0;
            claim multipliers: 0 = 0;
            claim powers: 0 = 0;
        }",
    );
}

/// Balls in a row, each gap, its rows, conditions and law by the index; and what names them.
#[test]
fn contacts() {
    let frame = "coordinates { x[1..=4], θ[1..=4] } parameters { e[1..=3] = 1/2, R = 1 }
        kinetic = sum(ẋ[i]^2 + θ̇[i]^2, i in 1..=4)/2;
        constraints { roll[i in 1..=4]: sum(i*dx[i], i in 1..=2) + dθ[i]; }";
    let indexed = "
        contact c[i in 1..=3] {
            gap = x[i + 1] - x[i] - 2*R;
            impact = restitution(e[i]);
            constraints { slip: θ̇[i] = sum(i*k*θ̇[k], k in 2..=3); }
            when x[i] > i, x[4] < 9;
            releases roll[i];
            relabel { θ[i] <-> θ[i + 1]; }
            dissipation = i*ẋ[i]^2;
        }
        contact d[1..=2] { gap = x[1]; impact = assign { ẋ[1] = 0; } }
        impacts { c } = sequential;
        impacts { d[1], d[2] } = joint;
        claim touch at c[2]: impulse(c[2]) = impulse(c2);
        claim slip at c[2]: impulse(c[2].slip) = impulse(c2.slip);
        claim force closed c[1], c[3]: λ(c[3]) = λ(c3);";
    let contact = |i: usize| {
        format!(
            "contact c{i} {{
                gap = x{} - x{i} - 2*R;
                impact = restitution(e{i});
                constraints {{ slip: θ̇{i} = 2*{i}*θ̇2 + 3*{i}*θ̇3; }}
                when x{i} > {i}, x4 < 9;
                releases roll{i};
                relabel {{ θ{i} <-> θ{}; }}
                dissipation = {i}*ẋ{i}^2;
            }}",
            i + 1,
            i + 1
        )
    };
    let plain = each(1..=3, "\n", contact)
        + "contact d1 { gap = x1; impact = assign { ẋ1 = 0; } }
        contact d2 { gap = x1; impact = assign { ẋ1 = 0; } }
        impacts { c1, c2, c3 } = sequential;
        impacts { d1, d2 } = joint;
        claim touch at c2: impulse(c2) = impulse(c2);
        claim slip at c2: impulse(c2.slip) = impulse(c2.slip);
        claim force closed c1, c3: λ(c3) = λ(c3);";
    check(&format!("system S {{ {frame} {indexed} }}"), &format!("system S {{ {frame} {plain} }}"));
}

#[test]
fn events() {
    let frame = "coordinates { x[1..=3] } kinetic = sum(ẋ[i]^2, i in 1..=3)/2;";
    let indexed = "
        /// Passes a place.
        event at[i in 1..=3] { guard = x[i] - i; rising; reset { ẋ[i] = -i*ẋ[i]; } }
        event b[0..=1] { guard = x[2]; falling; }
        scenario s { ẋ[1] = 1; until at[2] = 3; }";
    let plain = "
        /// Passes a place.
        event at1 { guard = x1 - 1; rising; reset { ẋ1 = -ẋ1; } }
        /// Passes a place.
        event at2 { guard = x2 - 2; rising; reset { ẋ2 = -2*ẋ2; } }
        /// Passes a place.
        event at3 { guard = x3 - 3; rising; reset { ẋ3 = -3*ẋ3; } }
        event b0 { guard = x2; falling; }
        event b1 { guard = x2; falling; }
        scenario s { ẋ1 = 1; until at2 = 3; }";
    let (indexed, plain) =
        (format!("system S {{ {frame} {indexed} }}"), format!("system S {{ {frame} {plain} }}"));
    check(&indexed, &plain);
    let events = |source: &str| {
        let model = derive(source).model;
        let names: Vec<String> =
            model.events.iter().map(|event| event.named.name.clone()).collect();
        let docs: Vec<String> = model.events.iter().map(|event| event.named.doc.clone()).collect();
        (names, docs, model.scenarios[0].until_events.map(|end| (end.event, end.count)))
    };
    assert_eq!(events(&indexed), events(&plain));
}
