//! The LaTeX of the printers as MathML, for pages that need no script to show an equation: every browser has MathML
//! Core. It reads the commands that [`latex`](super::latex) and the report write, in [`SYMBOLS`], of functions and
//! below, and shows the name of one that it does not know.

use crate::function::Function;
use std::fmt::Write as _;

/// Commands that stand for a letter or an operator: what it is, and its characters.
#[rustfmt::skip]
const SYMBOLS: &[(&str, Kind, &str)] = &[
    // table
    ("alpha", Kind::Letter, "α"), ("beta", Kind::Letter, "β"), ("gamma", Kind::Letter, "γ"), ("delta", Kind::Letter, "δ"),
    ("varepsilon", Kind::Letter, "ε"), ("epsilon", Kind::Letter, "ϵ"), ("zeta", Kind::Letter, "ζ"), ("eta", Kind::Letter, "η"),
    ("theta", Kind::Letter, "θ"), ("vartheta", Kind::Letter, "ϑ"), ("iota", Kind::Letter, "ι"), ("kappa", Kind::Letter, "κ"),
    ("varkappa", Kind::Letter, "ϰ"), ("lambda", Kind::Letter, "λ"), ("mu", Kind::Letter, "μ"), ("nu", Kind::Letter, "ν"),
    ("xi", Kind::Letter, "ξ"), ("pi", Kind::Letter, "π"), ("varpi", Kind::Letter, "ϖ"), ("rho", Kind::Letter, "ρ"),
    ("varrho", Kind::Letter, "ϱ"), ("sigma", Kind::Letter, "σ"), ("varsigma", Kind::Letter, "ς"), ("tau", Kind::Letter, "τ"),
    ("upsilon", Kind::Letter, "υ"), ("varphi", Kind::Letter, "φ"), ("phi", Kind::Letter, "ϕ"), ("chi", Kind::Letter, "χ"),
    ("psi", Kind::Letter, "ψ"), ("omega", Kind::Letter, "ω"), ("ell", Kind::Letter, "ℓ"), ("partial", Kind::Letter, "∂"),
    ("Gamma", Kind::Upright, "Γ"), ("Delta", Kind::Upright, "Δ"), ("Theta", Kind::Upright, "Θ"), ("Lambda", Kind::Upright, "Λ"),
    ("Xi", Kind::Upright, "Ξ"), ("Pi", Kind::Upright, "Π"), ("Sigma", Kind::Upright, "Σ"), ("Upsilon", Kind::Upright, "Υ"),
    ("Phi", Kind::Upright, "Φ"), ("Psi", Kind::Upright, "Ψ"), ("Omega", Kind::Upright, "Ω"), ("nabla", Kind::Upright, "∇"),
    ("cdot", Kind::Operator, "⋅"), ("times", Kind::Operator, "×"), ("neq", Kind::Operator, "≠"), ("leq", Kind::Operator, "≤"),
    ("geq", Kind::Operator, "≥"), ("int", Kind::Operator, "∫"), ("to", Kind::Operator, "→"),
    ("leftrightarrow", Kind::Operator, "↔"), ("|", Kind::Operator, "‖"), ("surd", Kind::Operator, "√"),
];

#[derive(Clone, Copy)]
enum Kind {
    Letter,
    Upright,
    Operator,
}

/// Accents over what follows.
const ACCENTS: [(&str, &str); 3] = [("dot", "˙"), ("ddot", "¨"), ("dddot", "⃛")];

/// Spaces.
const SPACES: [(&str, &str); 3] = [("quad", "1em"), ("qquad", "2em"), (",", "0.17em")];

/// A formula in LaTeX as a block of MathML.
pub fn mathml(latex: &str) -> String {
    let mut reader = Reader { rest: latex };
    let body = reader.row(&|_| false);
    format!("<math display=\"block\">{body}</math>")
}

/// What is left of a formula.
struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    /// Elements up to where `ends` says, or to a `}`; as one element.
    fn row(&mut self, ends: &dyn Fn(&str) -> bool) -> String {
        let mut row: Vec<String> = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.chars().next() {
                None | Some('}') => break,
                _ if ends(self.rest) => break,
                Some(sign @ ('^' | '_')) => self.script(sign, &mut row),
                Some(_) => row.push(self.element()),
            }
        }
        match &row[..] {
            [one] => one.clone(),
            _ => format!("<mrow>{}</mrow>", row.concat()),
        }
    }

    /// An index or an exponent, or both, of the last element.
    fn script(&mut self, sign: char, row: &mut Vec<String>) {
        let base = row.pop().unwrap_or_else(|| "<mrow></mrow>".to_owned());
        self.rest = &self.rest[1..];
        let first = self.argument();
        self.rest = self.rest.trim_start();
        let other = if sign == '^' { '_' } else { '^' };
        let Some(rest) = self.rest.strip_prefix(other) else {
            let name = if sign == '^' { "msup" } else { "msub" };
            row.push(format!("<{name}>{base}{first}</{name}>"));
            return;
        };
        self.rest = rest;
        let second = self.argument();
        let (below, above) = if sign == '_' { (first, second) } else { (second, first) };
        row.push(format!("<msubsup>{base}{below}{above}</msubsup>"));
    }

    /// `{ … }`, or the next element.
    fn argument(&mut self) -> String {
        self.rest = self.rest.trim_start();
        let Some(rest) = self.rest.strip_prefix('{') else { return self.element() };
        self.rest = rest;
        let inside = self.row(&|_| false);
        self.rest = self.rest.strip_prefix('}').unwrap_or(self.rest);
        inside
    }

    /// The text within `{ … }` as it stands.
    fn braced(&mut self) -> &'t str {
        let Some(rest) = self.rest.trim_start().strip_prefix('{') else { return "" };
        let mut depth = 1;
        for (at, letter) in rest.char_indices() {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            if depth == 0 {
                self.rest = &rest[at + 1..];
                return &rest[..at];
            }
        }
        self.rest = "";
        rest
    }

    fn element(&mut self) -> String {
        if self.rest.starts_with('{') {
            return self.argument();
        }
        if let Some(rest) = self.rest.strip_prefix('\\') {
            self.rest = rest;
            return self.command();
        }
        let is_digit = |c: char| c.is_ascii_digit() || c == '.';
        let digits = self.rest.find(|c| !is_digit(c)).unwrap_or(self.rest.len());
        let letter = self.rest.chars().next().unwrap_or_default();
        let length = if digits > 0 { digits } else { letter.len_utf8() };
        let (now, rest) = self.rest.split_at(length);
        self.rest = rest;
        match letter {
            _ if digits > 0 => format!("<mn>{now}</mn>"),
            '-' => "<mo>−</mo>".to_owned(),
            _ if letter.is_alphabetic() => format!("<mi>{now}</mi>"),
            _ => format!("<mo>{}</mo>", escaped(now)),
        }
    }

    fn command(&mut self) -> String {
        let length = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let length =
            if length == 0 { self.rest.chars().next().map_or(0, char::len_utf8) } else { length };
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        if let Some((_, kind, text)) = SYMBOLS.iter().find(|(known, ..)| *known == name) {
            return match kind {
                Kind::Letter => format!("<mi>{text}</mi>"),
                Kind::Upright => upright(text),
                Kind::Operator => format!("<mo>{text}</mo>"),
            };
        }
        if Function::of_command(name).is_some() {
            return format!("<mi>{name}</mi>");
        }
        if let Some((_, accent)) = ACCENTS.iter().find(|(known, _)| *known == name) {
            return format!("<mover accent=\"true\">{}<mo>{accent}</mo></mover>", self.argument());
        }
        if let Some((_, width)) = SPACES.iter().find(|(known, _)| *known == name) {
            return format!("<mspace width=\"{width}\"></mspace>");
        }
        match name {
            "frac" => {
                let (above, below) = (self.argument(), self.argument());
                format!("<mfrac>{above}{below}</mfrac>")
            }
            "sqrt" => format!("<msqrt>{}</msqrt>", self.argument()),
            "left" => self.fenced(),
            "begin" => self.table(),
            "mathrm" | "operatorname" => upright(&plain(self.braced())),
            "mathcal" => {
                format!("<mi>{}</mi>", self.braced().chars().map(script).collect::<String>())
            }
            "text" => self.text(),
            _ => format!("<mtext>{}</mtext>", escaped(name)),
        }
    }

    /// `\left( … \right)`
    fn fenced(&mut self) -> String {
        let open = self.fence();
        let inside =
            self.row(&|rest| rest.starts_with(r"\right") && !rest.starts_with(r"\rightarrow"));
        self.rest = self.rest.strip_prefix(r"\right").unwrap_or(self.rest);
        let close = self.fence();
        format!("<mrow><mo>{open}</mo>{inside}<mo>{close}</mo></mrow>")
    }

    fn fence(&mut self) -> String {
        let fence = self.rest.chars().next().unwrap_or('.');
        self.rest = self.rest.get(fence.len_utf8()..).unwrap_or_default();
        if fence == '.' { String::new() } else { escaped(&fence.to_string()) }
    }

    /// `\begin{aligned} … & … \\ … \end{aligned}`
    fn table(&mut self) -> String {
        let name = self.braced();
        let end = format!(r"\end{{{name}}}");
        let mut rows = String::new();
        loop {
            let mut cells = String::new();
            loop {
                let cell = self.row(&|rest| {
                    rest.starts_with('&') || rest.starts_with(r"\\") || rest.starts_with(r"\end")
                });
                let _ = write!(cells, "<mtd>{cell}</mtd>");
                match self.rest.strip_prefix('&') {
                    Some(rest) => self.rest = rest,
                    None => break,
                }
            }
            let _ = write!(rows, "<mtr>{cells}</mtr>");
            match self.rest.strip_prefix(r"\\") {
                Some(rest) => self.rest = rest,
                None => break,
            }
        }
        self.rest = self.rest.strip_prefix(end.as_str()).unwrap_or("");
        format!("<mtable class=\"{}\">{rows}</mtable>", escaped(name))
    }

    /// Words, with formulas between `$`.
    fn text(&mut self) -> String {
        let parts = self.braced().split('$').enumerate();
        let parts = parts.filter(|(_, part)| !part.is_empty()).map(|(at, part)| {
            if at % 2 == 1 {
                Reader { rest: part }.row(&|_| false)
            } else {
                format!("<mtext>{}</mtext>", spaced(&plain(part)))
            }
        });
        format!("<mrow>{}</mrow>", parts.collect::<String>())
    }
}

fn upright(text: &str) -> String {
    format!("<mi mathvariant=\"normal\">{}</mi>", escaped(text))
}

/// Words without the marks of TeX.
fn plain(text: &str) -> String {
    let mut words = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (read, word) = match rest.strip_prefix('\\') {
            _ if rest.starts_with(r"\textbackslash") => (r"\textbackslash".len(), "\\"),
            Some(behind) => {
                let length = behind.chars().next().map_or(0, char::len_utf8);
                (1 + length, if behind.starts_with(',') { " " } else { &behind[..length] })
            }
            None if matches!(first, '{' | '}') => (1, ""),
            None => (first.len_utf8(), &rest[..first.len_utf8()]),
        };
        words.push_str(word);
        rest = &rest[read..];
    }
    words
}

/// Spaces at the ends of words are kept.
fn spaced(text: &str) -> String {
    escaped(text).replace(' ', "\u{a0}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A capital in script; some have a place of their own.
fn script(letter: char) -> char {
    match letter {
        'B' => 'ℬ',
        'E' => 'ℰ',
        'F' => 'ℱ',
        'H' => 'ℋ',
        'I' => 'ℐ',
        'L' => 'ℒ',
        'M' => 'ℳ',
        'R' => 'ℛ',
        'A'..='Z' => char::from_u32(0x1D49C + letter as u32 - 'A' as u32).unwrap_or(letter),
        other => other,
    }
}
