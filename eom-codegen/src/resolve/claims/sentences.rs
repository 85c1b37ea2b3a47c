//! Sentences: what claims say of whole motions. Here it is seen that they can be decided; they are decided by runs.

use crate::ast::{self, Expr, ExprKind, Ident, Number};
use crate::diagnostic::Errors;
use crate::resolve::expression::Resolver;
use crate::resolve::expression::context::ExprContext;
use crate::resolve::hybrid::unknown;
use crate::resolve::mistake::Mistake;
use crate::resolve::scope::Entity;
use eom_symbolic::ExprId;
use eom_symbolic::mechanics::claim::sentence::{Argument, QuantityRow};
use eom_symbolic::mechanics::{Part, Quantity, Sentence};
use eom_symbolic::name::nearest;

/// The sentences; one with a mistake is left out.
pub(crate) fn sentences(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) -> Vec<Sentence> {
    system.sentences.iter().filter_map(|said| sentence(resolver, system, said, errors)).collect()
}

fn sentence(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    declared: &ast::Sentence,
    errors: &mut Errors,
) -> Option<Sentence> {
    let scenario = scenario(system, &declared.scenario, errors);
    let settings = settings(resolver, &declared.settings, errors);
    let asked = asked(resolver, system, &declared.quantity, errors);
    let mut number = |expr: &Expr| resolver.scalar(expr, ExprContext::Sentence, errors);
    let value = number(&declared.value);
    let within = declared.within.as_ref().map(&mut number);
    let within = within.or_else(|| half_a_unit(&declared.value).map(|unit| number(&unit)));
    let Asked { quantity, subject, numbers, index, part } = asked?;
    Some(Sentence {
        named: declared.name.named(&declared.docs),
        scenario: scenario?,
        settings,
        quantity,
        subject,
        numbers,
        index,
        part,
        relation: declared.relation.map(crate::resolve::relation),
        value,
        within: within.filter(|_| declared.relation.is_none()),
        text: declared.to_string(),
    })
}

fn scenario(system: &ast::System, ident: &Ident, errors: &mut Errors) -> Option<usize> {
    let key = ident.name().key;
    let found = system.scenarios.iter().position(|scenario| scenario.name.name().key == key);
    if found.is_none() && !errors.is_empty() {
        // It may be one that could not be read.
        errors.hide();
    } else if found.is_none() {
        let keys: Vec<String> = system.scenarios.iter().map(|s| s.name.name().key).collect();
        let near = nearest(&key, keys.iter().map(String::as_str)).map(str::to_owned);
        Mistake::UnknownScenario { name: ident.text.clone(), near }.report(errors, ident.region);
    }
    found
}

/// What is other than in the scenario.
fn settings(
    resolver: &mut Resolver<'_>,
    given: &[ast::Assignment],
    errors: &mut Errors,
) -> Vec<(String, ExprId)> {
    let mut settings: Vec<(String, ExprId)> = Vec::new();
    for assignment in given {
        let value = resolver.scalar(&assignment.value, ExprContext::Sentence, errors);
        let Some(name) = varied(resolver, &assignment.target, errors) else { continue };
        if settings.iter().any(|(known, _)| *known == name) {
            Mistake::AssignedTwice { name: assignment.target.text.clone() }
                .report(errors, assignment.target.region);
        }
        settings.push((name, value));
    }
    settings
}

/// The ASCII name of a parameter, an input or an entry of the state.
fn varied(resolver: &Resolver<'_>, ident: &Ident, errors: &mut Errors) -> Option<String> {
    let name = ident.name();
    let found = resolver.scope.find(&name.key);
    if found.is_none() {
        let near = resolver.scope.nearest_varied(&name);
        Mistake::NotVaried { name: ident.text.clone(), near }.report(errors, ident.region);
        return None;
    }
    let is_number = matches!(found, Some(Entity::Parameter(_) | Entity::Input(_)));
    if !(is_number && name.is_plain()) {
        unknown(resolver, ident, errors)?;
    }
    Some(name.ascii())
}

/// What a sentence speaks of.
struct Asked {
    quantity: Quantity,
    subject: String,
    numbers: Vec<ExprId>,
    index: usize,
    part: Part,
}

/// `re(critical(p, 0, 1)[2])`
fn asked(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    expr: &Expr,
    errors: &mut Errors,
) -> Option<Asked> {
    let (part, inner) = part(expr);
    let (index, head) = index(inner);
    let (word, arguments): (&Ident, &[Expr]) = match &head.kind {
        ExprKind::Name(word) => (word, &[]),
        ExprKind::Call { function, arguments } => (function, arguments),
        _ => {
            Mistake::NoQuantity { text: expr.to_text(), near: None }.report(errors, expr.region);
            return None;
        }
    };
    let Some(row) = Quantity::of_word(&word.text) else {
        let near = nearest(&word.text, Quantity::TABLE.iter().map(|row| row.word));
        Mistake::NoQuantity { text: word.text.clone(), near }.report(errors, word.region);
        return None;
    };
    let subject = subject(resolver, system, row, arguments, errors)?;
    let rest = if subject.is_empty() { arguments } else { &arguments[1..] };
    // A period stands in the place of a section.
    let least = row.numbers[0] + usize::from(row.first == Argument::Section && subject.is_empty());
    let most = row.numbers[1] + usize::from(row.first == Argument::Section && subject.is_empty());
    let index = match index {
        Indexed::No => Some(1),
        Indexed::By(index) => Some(index).filter(|index| *index >= 1 && row.is_indexed),
        Indexed::Wrongly => None,
    };
    // Behind a section or a span stands how many of them.
    let counts = rest.get(least.max(usize::from(row.quantity == Quantity::Lyapunov))..);
    let is_varied = matches!(row.first, Argument::Name | Argument::Entry);
    let whole = |count: &Expr| count.whole().is_some_and(|count| count >= 1);
    let counted = is_varied || counts.is_none_or(|counts| counts.iter().all(whole));
    let fits = counted && (least..=most).contains(&rest.len());
    let Some(index) = index.filter(|_| fits) else {
        Mistake::QuantityForm { word: row.word, form: row.form }.report(errors, expr.region);
        return None;
    };
    let numbers = rest.iter().map(|e| resolver.scalar(e, ExprContext::Sentence, errors)).collect();
    Some(Asked { quantity: row.quantity, subject, numbers, index: index - 1, part })
}

/// What is taken of a complex number.
fn part(expr: &Expr) -> (Part, &Expr) {
    if let ExprKind::Call { function, arguments } = &expr.kind
        && let [inner] = &arguments[..]
        && let Some((_, part)) = Part::WORDS.iter().find(|(word, _)| *word == function.text)
    {
        return (*part, inner);
    }
    (Part::Whole, expr)
}

/// The index of a quantity.
enum Indexed {
    No,
    /// From 1.
    By(usize),
    /// By what is no whole number, or by several.
    Wrongly,
}

/// The index, and what is indexed.
fn index(expr: &Expr) -> (Indexed, &Expr) {
    let ExprKind::Index { base, indices } = &expr.kind else { return (Indexed::No, expr) };
    let number = match &indices[..] {
        [one] => one.whole().and_then(|number| usize::try_from(number).ok()),
        _ => None,
    };
    (number.map_or(Indexed::Wrongly, Indexed::By), base)
}

/// The name that a quantity takes first: of what is varied, or of a section. Empty where a number stands there.
fn subject(
    resolver: &Resolver<'_>,
    system: &ast::System,
    row: &QuantityRow,
    arguments: &[Expr],
    errors: &mut Errors,
) -> Option<String> {
    let named = arguments.first().and_then(|first| match &first.kind {
        ExprKind::Name(ident) => Some(ident),
        _ => None,
    });
    match (row.first, named) {
        (Argument::Number, _) => Some(String::new()),
        (Argument::Name, Some(ident)) => varied(resolver, ident, errors),
        (Argument::Entry, Some(ident)) => {
            unknown(resolver, ident, errors)?;
            Some(ident.name().ascii())
        }
        (Argument::Name | Argument::Entry, None) => {
            let at = arguments.first().map(|argument| argument.region);
            let form = Mistake::QuantityForm { word: row.word, form: row.form };
            form.report(errors, at.unwrap_or(system.name.region));
            None
        }
        (Argument::Section, named) => {
            let Some(ident) = named else { return Some(String::new()) };
            let key = ident.name().key;
            let is_section = system
                .contacts
                .iter()
                .map(|contact| &contact.name)
                .chain(system.events.iter().map(|event| &event.name))
                .any(|name| name.name().key == key);
            // A parameter may be the period.
            Some(if is_section { key } else { String::new() })
        }
    }
}

/// Half a unit of the last digit of a number that is printed with a point.
fn half_a_unit(value: &Expr) -> Option<Expr> {
    match &value.kind {
        ExprKind::Neg(inner) => half_a_unit(inner),
        ExprKind::Number(number) if number.text.contains('.') => {
            let exponent = last_place(&number.text)?.checked_sub(1)?;
            let text = format!("5e{exponent}");
            let half = Number { text, digits: "5".to_owned(), exponent };
            Some(Expr { kind: ExprKind::Number(half), region: value.region })
        }
        _ => None,
    }
}

/// The power of ten of the last digit: −2 of `4.29`, 1 of `4.29e3`.
fn last_place(text: &str) -> Option<i32> {
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (_, fraction) = mantissa.split_once('.')?;
    power.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)
}
