//! Characters of print, and how they are written in a declaration.

/// A character as it can be shown: those that nobody sees by their number.
pub(super) fn shown(found: char) -> String {
    let invisible = found.is_control()
        || found.is_whitespace()
        || matches!(found, '\u{37e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    if invisible { format!("U+{:04X}", u32::from(found)) } else { found.to_string() }
}

/// How a character of printed mathematics is written here.
pub(super) fn spelling_of(found: char) -> &'static str {
    match found {
        '²' => "write `^2`",
        '³' => "write `^3`",
        '⁰' | '¹' | '⁴'..='⁹' => "write a power with `^`",
        '⁺' | '⁻' => "write `ẋ_plus` behind an impact, `ẋ_minus` before it, a power with `^`",
        '₀'..='₉' => "write an index in the name: ω1 or ω_1",
        '−' | '–' => "write `-`",
        '·' | '×' | '⋅' | '∗' | '•' => "write `*`",
        '\u{37e}' | '；' => "write `;`",
        '，' => "write `,`",
        '＝' => "write `=`",
        '÷' => "write `/`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '√' => "write `sqrt(x)`",
        '½' => "write `1/2`",
        '¼' => "write `1/4`",
        '¾' => "write `3/4`",
        '“' | '”' | '„' | '«' | '»' => "write `\"`",
        '≠' | '≈' | '≡' => "write `=` in an equation",
        '‖' => "write `norm(v)`",
        '∑' => "write `sum(…, i in 1..=n)`",
        '∫' => "write `integral(…, s in a..b)`",
        '°' => "write an angle in radians: `30*pi/180`",
        '\\' => {
            "write `a/b` for a fraction, `ẋ` or `x_dot` for a derivative, names as `θ` or `theta`"
        }
        '`' | '∙' | '∘' => "write `*` for a product",
        '…' => "write `..` or `..=`",
        '\u{a0}' | '\u{2000}'..='\u{200b}' | '\u{202f}' | '\u{3000}' => "write a plain space",
        '∂' => "write the derivative out",
        '∞' => "leave the bound out",
        '′' | '\'' | '‘' | '’' | '˙' | '¨' => "write a derivative as `ẋ` or `x_dot`",
        '"' => "close the string",
        _ => "write it in letters, digits and `+ - * / ^`",
    }
}
