//! Expressions: precedence, exact literals, and the words for what people write by habit.

use super::tokens::{Parsed, Tokens, fault};
use crate::ast::{Equation, Expr, ExprKind, Factor, Ident, Number, Range, Region, Term, Total};
use crate::diagnostic::Problem;
use proc_macro2::{Delimiter, Literal, TokenTree};

/// How deep brackets, signs and powers may be nested: more than people write. A level takes up to
/// 15 kB of stack in a debug build, so that all of them fit a thread of 2 MB twice.
pub const DEPTH_MAX: usize = 64;

/// More digits than a measured quantity has, fewer than cost time in exact arithmetic.
const DIGITS_MAX: usize = 64;
/// Decimal orders of magnitude, within those of binary64.
const ORDER_MAX: i32 = 300;

/// `a[i][j]`: there are vectors and matrices, nothing above.
const INDICES_MAX: usize = 2;

/// `sum = [ "+" | "-" ] product { ( "+" | "-" ) product }`
pub(super) fn expression(tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    let start = tokens.here();
    deeper(tokens)?;
    let minus = tokens.eat_sign("-").is_some();
    if !minus {
        tokens.eat_sign("+");
    }
    let mut terms = vec![Term { minus, expr: product(tokens)? }];
    while let Some(minus) = sign_of_sum(tokens) {
        terms.push(Term { minus, expr: product(tokens)? });
    }
    tokens.depth -= 1;
    let region = start.to(tokens.behind());
    Ok(match terms.pop() {
        Some(Term { minus: false, expr }) if terms.is_empty() => expr,
        Some(Term { minus: true, expr }) if terms.is_empty() => {
            Expr { kind: ExprKind::Neg(Box::new(expr)), region }
        }
        last => {
            terms.extend(last);
            Expr { kind: ExprKind::Sum(terms), region }
        }
    })
}

fn sign_of_sum(tokens: &mut Tokens<'_>) -> Option<bool> {
    if tokens.eat_sign("-").is_some() { Some(true) } else { tokens.eat_sign("+").map(|_| false) }
}

/// `product = unary { ( "*" | "/" ) unary }`
fn product(tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    let start = tokens.here();
    let mut factors = vec![Factor { divides: false, expr: unary(tokens)? }];
    while let Some(divides) = sign_of_product(tokens) {
        factors.push(Factor { divides, expr: unary(tokens)? });
    }
    let region = start.to(tokens.behind());
    Ok(match factors.pop() {
        Some(Factor { expr, .. }) if factors.is_empty() => expr,
        last => {
            factors.extend(last);
            Expr { kind: ExprKind::Product(factors), region }
        }
    })
}

fn sign_of_product(tokens: &mut Tokens<'_>) -> Option<bool> {
    if tokens.eat_sign("*").is_some() { Some(false) } else { tokens.eat_sign("/").map(|_| true) }
}

/// `unary = "-" unary | power`
fn unary(tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    let start = tokens.here();
    if tokens.eat_sign("-").is_none() {
        return power(tokens);
    }
    deeper(tokens)?;
    let operand = unary(tokens)?;
    tokens.depth -= 1;
    let region = start.to(tokens.behind());
    Ok(Expr { kind: ExprKind::Neg(Box::new(operand)), region })
}

/// `power = postfix [ "^" unary ]`, so that a^b^c = a^(b^c), −x^2 = −(x^2), x^-2 = x^(−2)
fn power(tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    let base = postfix(tokens)?;
    if let Some(stars) = tokens.eat_sign("**") {
        tokens.slip(stars, &Problem::StarStar);
    } else if tokens.eat_sign("^").is_none() {
        return Ok(base);
    }
    deeper(tokens)?;
    let exponent = unary(tokens)?;
    tokens.depth -= 1;
    let region = base.region.to(tokens.behind());
    if let Some(meant) = power_of_function(&base, &exponent, *tokens) {
        return Err(fault(region, &Problem::PowerOfFunction { meant }));
    }
    Ok(Expr { kind: ExprKind::Pow { base: Box::new(base), exponent: Box::new(exponent) }, region })
}

/// `sin(x)^2` for `sin^2(x)`.
fn power_of_function(base: &Expr, exponent: &Expr, mut next: Tokens<'_>) -> Option<String> {
    let ExprKind::Name(name) = &base.kind else { return None };
    let key = name.name().key;
    let is_function = key == "sqrt" || eom_symbolic::Function::from_name(&key).is_some();
    let (mut inside, _) = next.eat_group(Delimiter::Parenthesis).filter(|_| is_function)?;
    let argument: Vec<String> = list(&mut inside).ok()?.iter().map(Expr::to_text).collect();
    let (argument, exponent) = (argument.join(", "), exponent.to_text());
    if exponent == "-1" && matches!(key.as_str(), "sin" | "cos" | "tan") {
        return Some(format!("a{key}({argument})` or `1/{key}({argument})"));
    }
    Some(format!("{}({argument})^{exponent}", name.text))
}

/// `postfix = primary { "[" list "]" }`
fn postfix(tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    let mut expr = primary(tokens)?;
    for _ in 0..INDICES_MAX {
        let Some((mut inside, close)) = tokens.eat_group(Delimiter::Bracket) else { break };
        let region = expr.region.to(close);
        let indices = list(&mut inside)?;
        if indices.is_empty() {
            let problem = Problem::NoExpression { found: inside.found() };
            return Err(fault(inside.here(), &problem));
        }
        expr = Expr { kind: ExprKind::Index { base: Box::new(expr), indices }, region };
        if let Some(row) = member_of_element(&expr, tokens) {
            let (contact, row) = row?;
            let region = expr.region.to(row.region);
            expr = Expr { kind: ExprKind::Member { contact, row }, region };
        }
    }
    Ok(expr)
}

/// `primary = number | name [ "." name | "(" list ")" ] | "(" expression ")" | "[" list "]"`
fn primary(tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    if let Some(value) = tokens.index_value() {
        tokens.skip();
        return Ok(Expr::whole_number(value, tokens.behind()));
    }
    if let Some(name) = tokens.mention() {
        return name_or_call(name?, tokens);
    }
    for delimiter in [Delimiter::Parenthesis, Delimiter::None] {
        if let Some((mut inside, region)) = tokens.eat_group(delimiter) {
            let inner = expression(&mut inside)?;
            if inside.is_sign(",") && !inside.is_decimal() {
                return Err(fault(region, &Problem::SeveralInBrackets));
            }
            ended(&inside, "`)`")?;
            return Ok(Expr { kind: inner.kind, region });
        }
    }
    if let Some((mut inside, region)) = tokens.eat_group(Delimiter::Bracket) {
        let entries = list(&mut inside)?;
        return Ok(Expr { kind: ExprKind::Array(entries), region });
    }
    match tokens.cursor().token_tree() {
        Some((TokenTree::Literal(literal), _)) => {
            tokens.skip();
            let region = tokens.behind();
            let number = number(&literal, region)?;
            Ok(Expr { kind: ExprKind::Number(number), region })
        }
        Some((TokenTree::Punct(punct), _)) => {
            Err(fault(tokens.here(), &no_operand(punct.as_char(), tokens)))
        }
        _ => Err(fault(tokens.here(), &Problem::NoExpression { found: tokens.found() })),
    }
}

fn no_operand(sign: char, tokens: &Tokens<'_>) -> Problem {
    match sign {
        '.' => Problem::LeadingPoint,
        '|' => Problem::Bars,
        '=' if tokens.is_sign("==") => Problem::EqualEqual,
        _ => Problem::NoExpression { found: tokens.found() },
    }
}

fn name_or_call(name: Ident, tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    let region = name.region;
    if let Some(row) = member(tokens) {
        let row = row?;
        let region = region.to(row.region);
        if let Some(problem) = foreign(&name, &row, tokens) {
            return Err(fault(region, &problem));
        }
        return Ok(Expr { kind: ExprKind::Member { contact: name, row }, region });
    }
    let is_called = tokens.is_group(Delimiter::Parenthesis);
    if matches!(name.text.as_str(), "if" | "match")
        || is_called && BRANCHES.contains(&name.text.as_str())
    {
        return Err(fault(region, &Problem::Branch { word: name.text }));
    }
    let Some((mut inside, close)) = tokens.eat_group(Delimiter::Parenthesis) else {
        return Ok(Expr { kind: ExprKind::Name(name), region });
    };
    let kind = match name.text.as_str() {
        "sum" => Some(ExprKind::Total(Box::new(total(&mut inside, &SUM)?))),
        "integral" => {
            let total = total(&mut inside, &INTEGRAL)?;
            if total.range.inclusive {
                let at = total.range.first.region.to(total.range.last.region);
                return Err(fault(at, &Problem::ClosedIntegral));
            }
            Some(ExprKind::Integral(Box::new(total)))
        }
        _ => None,
    };
    if let Some(kind) = kind {
        return Ok(Expr { kind, region: region.to(close) });
    }
    let arguments = list(&mut inside).map_err(|other| {
        // `in` belongs to a sum.
        let function = name.text.clone();
        if inside.is_word("in") { fault(region, &Problem::NoTotal { function }) } else { other }
    })?;
    let region = region.to(close);
    Ok(Expr { kind: ExprKind::Call { function: name, arguments }, region })
}

/// Functions of other languages that take conditions.
const BRANCHES: &[&str] =
    &["piecewise", "Piecewise", "ifelse", "IfThenElse", "iff", "select", "cases", "noEvent"];

/// Modules in which other languages keep what stands in none here.
const MODULES: &[&str] =
    &["np", "numpy", "math", "Math", "cmath", "jnp", "sp", "sympy", "torch", "scipy", "f64", "std"];

/// `np.cos`, `math.pi`, `x.sin()`: how a name is written in other languages.
fn foreign(name: &Ident, member: &Ident, tokens: &Tokens<'_>) -> Option<Problem> {
    let written = format!("{}.{}", name.text, member.text);
    if MODULES.contains(&name.text.as_str()) {
        return Some(Problem::OfModule { written, name: member.text.clone() });
    }
    let function = match member.text.as_str() {
        "diff" => eom_symbolic::name::dotted(&name.text, 1),
        "powi" | "powf" | "pow" => format!("{}^2", name.text),
        function => format!("{function}({})", name.text),
    };
    tokens.is_group(Delimiter::Parenthesis).then_some(Problem::Method { written, function })
}

/// `"." name` behind an element of an array of contacts: the element and the name.
fn member_of_element(expr: &Expr, tokens: &mut Tokens<'_>) -> Option<Parsed<(Ident, Ident)>> {
    let ExprKind::Index { base, indices } = &expr.kind else { return None };
    let (ExprKind::Name(array), [index]) = (&base.kind, &indices[..]) else { return None };
    let row = member(tokens)?;
    let contact = match index.whole() {
        Some(k) => Ok(Ident { region: expr.region, ..array.element(k) }),
        None => Err(fault(index.region, &Problem::NotWhole)),
    };
    Some(row.and_then(|row| Ok((contact?, row))))
}

/// `"." name`
fn member(tokens: &mut Tokens<'_>) -> Option<Parsed<Ident>> {
    let mut next = *tokens;
    next.eat_sign(".")?;
    next.word()?;
    let name = next.mention();
    *tokens = next;
    name
}

/// What is said of a `sum` or an `integral` that is not whole.
struct TotalWords {
    /// What stands after its term.
    rest: &'static str,
    /// The whole of it.
    form: &'static str,
    /// The index or the variable.
    index: &'static str,
}

const SUM: TotalWords = TotalWords {
    rest: "`, i in 1..=n` after the term of `sum`",
    form: "sum(…, i in 1..=3)",
    index: "index of `sum`",
};

const INTEGRAL: TotalWords = TotalWords {
    rest: "`, s in a..b` after what `integral` integrates",
    form: "integral(…, s in 0..l)",
    index: "variable of `integral`",
};

/// `expression "," name "in" range`, in the brackets of `sum` and `integral`
fn total(inside: &mut Tokens<'_>, words: &TotalWords) -> Parsed<Total> {
    let term = expression(inside)?;
    if inside.eat_sign(",").is_none() {
        return Err(inside.expected(words.rest));
    }
    let (index, range) = index_and_range(inside, words.index, words.form)?;
    inside.eat_sign(",");
    ended(inside, "`)`")?;
    Ok(Total { term, index, range })
}

/// `list = [ expression { "," expression } [ "," ] ]`, up to the end of its bracket
fn list(inside: &mut Tokens<'_>) -> Parsed<Vec<Expr>> {
    let mut entries = Vec::new();
    while !inside.at_end() {
        entries.push(expression(inside)?);
        if inside.eat_sign(",").is_none() {
            ended(inside, "`,`")?;
        }
    }
    Ok(entries)
}

fn ended(inside: &Tokens<'_>, expected: &str) -> Parsed<()> {
    if inside.at_end() { Ok(()) } else { Err(inside.unexpected(expected)) }
}

/// One level further in; refused where the stack might end.
fn deeper(tokens: &mut Tokens<'_>) -> Parsed<()> {
    tokens.depth += 1;
    if tokens.depth > DEPTH_MAX {
        return Err(fault(tokens.here(), &Problem::TooDeep { limit: DEPTH_MAX }));
    }
    Ok(())
}

/// `equation = expression "=" expression`
pub(super) fn equation(tokens: &mut Tokens<'_>) -> Parsed<Equation> {
    let lhs = expression(tokens)?;
    Ok(Equation { lhs, rhs: right_side(tokens)? })
}

/// `"=" expression`
pub(super) fn right_side(tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    if tokens.is_sign("==") || tokens.eat_sign("=").is_none() {
        return Err(tokens.unexpected("`=`"));
    }
    expression(tokens)
}

/// `[ name "in" ]`
pub(super) fn index(tokens: &mut Tokens<'_>) -> Parsed<Option<Ident>> {
    let mut next = *tokens;
    let outer = tokens.index_value().is_some();
    next.skip();
    if tokens.word().is_none() || !next.is_word("in") {
        return Ok(None);
    }
    let name = tokens.name("an index")?;
    if outer {
        return Err(fault(name.region, &Problem::IndexTwice { name: name.text }));
    }
    tokens.eat_word("in");
    Ok(Some(name))
}

/// `name "in" range`, in `sum` and `integral`
fn index_and_range(
    tokens: &mut Tokens<'_>,
    what: &'static str,
    form: &'static str,
) -> Parsed<(Ident, Range)> {
    let Some(index) = index(tokens)? else {
        let problem = Problem::NoIndex { what, form, found: tokens.found() };
        return Err(fault(tokens.here(), &problem));
    };
    let first = expression(tokens)?;
    if let ExprKind::Array(ends) = &first.kind
        && let [from, to] = &ends[..]
    {
        let instead = format!("write `{} in {}..{}`", index.text, from.to_text(), to.to_text());
        return Err(fault(first.region, &Problem::Interval { instead }));
    }
    Ok((index, range_from(first, tokens)?))
}

/// `range = expression ( ".." | "..=" ) expression`, its first expression read
pub(super) fn range_from(first: Expr, tokens: &mut Tokens<'_>) -> Parsed<Range> {
    let inclusive = tokens.eat_sign("..=").is_some();
    if !inclusive && tokens.eat_sign("..").is_none() {
        return Err(tokens.expected("`..` or `..=` in a range"));
    }
    Ok(Range { first, last: expression(tokens)?, inclusive })
}

/// A decimal literal, `digits [ "." [ digits ] ] [ "e" [ "±" ] digits ]`, and nothing after it.
pub(super) fn number(literal: &Literal, region: Region) -> Parsed<Number> {
    let text = literal.to_string();
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(fault(region, &Problem::NotANumber { literal: text }));
    }
    if text.starts_with("0x") || text.starts_with("0o") || text.starts_with("0b") {
        return Err(fault(region, &Problem::NotDecimal { literal: text }));
    }
    let (number, suffix) = text.split_at(number_length(&text));
    if !suffix.is_empty() {
        let number = number.trim_end_matches('_').to_owned();
        return Err(fault(region, &Problem::Suffix { number, suffix: suffix.into() }));
    }
    let huge = Problem::HugeNumber { digits: DIGITS_MAX, order: ORDER_MAX };
    decimal(&number.replace('_', "")).ok_or_else(|| fault(region, &huge))
}

/// The length of the number in front of a suffix.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = &text[from..];
        from + rest.find(|c: char| c != '_' && !c.is_ascii_digit()).unwrap_or(rest.len())
    };
    let mut end = digits(0);
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    let after_e = text[end..].strip_prefix(['e', 'E']).map(|rest| text.len() - rest.len());
    if let Some(after_e) = after_e {
        let signed = after_e + usize::from(text[after_e..].starts_with(['+', '-']));
        if text[signed..].trim_start_matches('_').starts_with(|c: char| c.is_ascii_digit()) {
            end = digits(signed);
        }
    }
    end
}

/// digits · 10^exponent, or nothing beyond the limits.
fn decimal(text: &str) -> Option<Number> {
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Number { text: text.to_owned(), digits: "0".to_owned(), exponent: 0 });
    }
    let exponent = power.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let order = exponent.checked_add(i32::try_from(digits.len()).ok()?)?;
    let within = digits.len() <= DIGITS_MAX && (1 - ORDER_MAX..=1 + ORDER_MAX).contains(&order);
    within.then(|| Number { text: text.to_owned(), digits: digits.to_owned(), exponent })
}
