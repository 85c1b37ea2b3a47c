//! Expressions of the declaration as strings that meval reads.

use super::function::orders;
use super::moment::Moment;
use super::results::sized;
use super::strings::{Component, Form, Strings, dot, mismatch, number, power};
use eom_cli::numbers::{Mistake, Scope};
use eom_codegen::ast::{self, Expr, ExprKind, Factor, Ident, Term, Total};
use eom_core::function::Orders;
use eom_symbolic::name::{Name, Side};
use std::collections::BTreeMap;

/// Reads expressions at a moment.
pub(super) struct Reader<'a> {
    pub(super) system: &'a ast::System,
    pub(super) moment: &'a Moment,
    pub(super) scope: Scope,
    /// `let` names that were read, before and after the impact.
    lets: BTreeMap<(String, bool), Form>,
    /// Variables of integrals around: their keys, and what the strings call them.
    pub(super) bound: Vec<(String, String)>,
    /// Whether velocities are those after the impact.
    pub(super) after: bool,
}

/// Why meval gives no number.
pub(super) fn unread(mistake: Mistake) -> String {
    match mistake {
        Mistake::NotFinite { .. } => "not finite at a state".to_owned(),
        Mistake::Unreadable { reason, .. } => reason,
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(system: &'a ast::System, moment: &'a Moment) -> Self {
        let known = moment.known.iter().chain(&moment.sizes).cloned().collect();
        let (scope, lets) = (Scope::new(known), BTreeMap::new());
        Self { system, moment, scope, lets, bound: Vec::new(), after: false }
    }

    /// Left − right, by component.
    pub(super) fn difference(&mut self, lhs: &Expr, rhs: &Expr) -> Result<Vec<Strings>, String> {
        let (lhs, rhs) = (self.form(lhs)?, self.form(rhs)?);
        Ok(lhs.combined(&rhs, true)?.entries())
    }

    /// The value of a scalar expression.
    pub(super) fn scalar(&mut self, expr: &Expr) -> Result<Component, String> {
        match self.form(expr)? {
            Form::Scalar(strings) => self.evaluate(&strings),
            _ => mismatch(),
        }
    }

    /// What meval says of a scalar.
    pub(super) fn evaluate(&self, strings: &Strings) -> Result<Component, String> {
        Ok(Component { value: self.read(&strings.value)?, size: self.read(&strings.size)? })
    }

    /// What meval says of a string.
    pub(super) fn read(&self, text: &str) -> Result<f64, String> {
        self.scope.ascii(text).and_then(|formula| formula.at(&[])).map_err(unread)
    }

    pub(super) fn form(&mut self, expr: &Expr) -> Result<Form, String> {
        match &expr.kind {
            ExprKind::Number(literal) => {
                let text = literal.text.clone();
                Ok(Form::Scalar(Strings { value: text.clone(), size: text }))
            }
            ExprKind::Name(ident) => self.name(ident),
            ExprKind::Member { .. } => Err("a row that is no number".to_owned()),
            ExprKind::Call { function, arguments } => self.call(function, arguments),
            ExprKind::Index { base, indices } => self.index(base, indices),
            ExprKind::Neg(inner) => Ok(self.form(inner)?.negated()),
            ExprKind::Sum(terms) => self.sum(terms),
            ExprKind::Product(factors) => self.product(factors),
            ExprKind::Pow { base, exponent } => self.power(base, exponent),
            ExprKind::Array(entries) => self.array(entries),
            ExprKind::Total(total) => self.total(total),
            ExprKind::Integral(total) => self.integral(total),
        }
    }

    fn sum(&mut self, terms: &[Term]) -> Result<Form, String> {
        let mut total: Option<Form> = None;
        for term in terms {
            let form = self.form(&term.expr)?;
            total = Some(match total {
                None if term.minus => form.negated(),
                None => form,
                Some(total) => total.combined(&form, term.minus)?,
            });
        }
        total.ok_or_else(|| "an empty sum".to_owned())
    }

    fn product(&mut self, factors: &[Factor]) -> Result<Form, String> {
        let mut total: Option<Form> = None;
        for factor in factors {
            let form = self.form(&factor.expr)?;
            total = Some(match total {
                None => form,
                Some(total) if factor.divides => total.divided(&form)?,
                Some(total) => total.times(&form)?,
            });
        }
        total.ok_or_else(|| "an empty product".to_owned())
    }

    fn power(&mut self, base: &Expr, exponent: &Expr) -> Result<Form, String> {
        let is_whole = exponent.whole().is_some_and(|n| n >= 0);
        match (self.form(base)?, self.form(exponent)?) {
            (Form::Scalar(base), Form::Scalar(exponent)) => {
                Ok(Form::Scalar(power(&base, &exponent, is_whole)))
            }
            (Form::Vector(entries), Form::Scalar(_)) if exponent.whole() == Some(2) => {
                Ok(Form::Scalar(dot(&entries, &entries)?))
            }
            _ => Err("powers of vectors".to_owned()),
        }
    }

    fn array(&mut self, entries: &[Expr]) -> Result<Form, String> {
        let mut vector = Vec::new();
        let mut matrix = Vec::new();
        for entry in entries {
            match self.form(entry)? {
                Form::Scalar(entry) => vector.push(entry),
                Form::Vector(row) => matrix.push(row),
                Form::Matrix(_) => return Err("arrays of matrices".to_owned()),
            }
        }
        if matrix.is_empty() { Ok(Form::Vector(vector)) } else { Ok(Form::Matrix(matrix)) }
    }

    fn total(&mut self, total: &Total) -> Result<Form, String> {
        let range = total.range.numbers().map_err(|_| "a range that is no numbers".to_owned())?;
        let mut sum: Option<Form> = None;
        for i in range {
            let term = self.form(&total.term.at_index(&total.index, i))?;
            sum = Some(match sum {
                None => term,
                Some(sum) => sum.combined(&term, false)?,
            });
        }
        sum.ok_or_else(|| "an empty sum".to_owned())
    }

    fn name(&mut self, ident: &Ident) -> Result<Form, String> {
        let name = ident.name();
        if let Some((_, bound)) = self.bound.iter().rev().find(|(key, _)| *key == name.key) {
            return Ok(Form::Scalar(Strings {
                value: bound.clone(),
                size: format!("abs({bound})"),
            }));
        }
        let after = self.after || name.side == Side::Plus;
        if let Some(value) = self.defined(&name.key) {
            return match name.dots {
                0 => self.definition(&name.key, after, value),
                1 if !after => self.rate(value),
                _ => Err("second derivatives of names".to_owned()),
            };
        }
        if name.key == "pi" {
            return Ok(Form::Scalar(Strings { value: "pi".into(), size: "pi".into() }));
        }
        if let Some(form) = self.word(&name.key, after).filter(|_| name.dots == 0) {
            return form;
        }
        match self.known_name(&name) {
            Ok(strings) => Ok(Form::Scalar(strings)),
            Err(reason) => self.function_or_differential(ident).unwrap_or(Err(reason)),
        }
    }

    /// The value of a `let`.
    pub(super) fn defined(&self, key: &str) -> Option<&'a Expr> {
        let found = self.system.lets.iter().find(|definition| definition.name.name().key == key);
        found.map(|definition| &definition.value)
    }

    fn known_name(&self, name: &Name) -> Result<Strings, String> {
        let ascii = name.ascii();
        let after = format!("{ascii}_plus");
        self.known(if self.after && self.scope.knows(&after) { after } else { ascii })
    }

    /// A name of the moment.
    pub(super) fn known(&self, name: String) -> Result<Strings, String> {
        if self.scope.knows(&name) {
            Ok(Strings { size: sized(&name), value: name })
        } else {
            Err(format!("no number for {name}"))
        }
    }

    /// `f`, `f_xy`, `ḟ`, and `dr` of a `let` or a function.
    fn function_or_differential(&mut self, ident: &Ident) -> Option<Result<Form, String>> {
        let name = ident.name();
        if let Some((function, orders)) = self.partial_of(&name.key) {
            return match name.dots {
                0 => {
                    let arguments = self.moment.system.info().functions[function].arguments;
                    let point: Result<Vec<Strings>, String> =
                        arguments.iter().map(|argument| self.known((*argument).into())).collect();
                    Some(point.map(|point| self.partial(function, orders, &point)))
                }
                1 => {
                    let plain = Ident { text: name.display, region: ident.region };
                    Some(self.rate(&Expr { kind: ExprKind::Name(plain), region: ident.region }))
                }
                _ => None,
            };
        }
        let of = name.display.strip_prefix('d').filter(|_| name.is_plain())?;
        let key = Name::parse(of).key;
        if self.defined(&key).is_none() && self.partial_of(&key).is_none() {
            return None;
        }
        let inner = Ident { text: of.to_owned(), region: ident.region };
        Some(self.differential(&Expr { kind: ExprKind::Name(inner), region: ident.region }))
    }

    /// The function and the orders of which a name is the partial.
    pub(super) fn partial_of(&self, key: &str) -> Option<(usize, Orders)> {
        let functions = self.moment.system.info().functions;
        functions.iter().enumerate().find_map(|(i, function)| {
            let rest = key.strip_prefix(function.ascii)?;
            let suffix = if rest.is_empty() { rest } else { rest.strip_prefix('_')? };
            Some((i, orders(suffix, function.arguments)?))
        })
    }

    /// A partial of a function at a point.
    pub(super) fn partial(&self, function: usize, orders: Orders, point: &[Strings]) -> Form {
        Form::Scalar(self.moment.functions[function].partial(orders, point))
    }

    /// A `let` name: its entries are evaluated once and have names of their own.
    fn definition(&mut self, key: &str, after: bool, value: &Expr) -> Result<Form, String> {
        let index = (key.to_owned(), after);
        if let Some(form) = self.lets.get(&index) {
            return Ok(form.clone());
        }
        let outer = std::mem::replace(&mut self.after, after);
        let form = self.form(value);
        self.after = outer;
        let form = form?;
        let mut names = Vec::new();
        for (i, entry) in form.entries().iter().enumerate() {
            let Component { value, size } = self.evaluate(entry)?;
            let name = format!("let_{key}_{}_{i}", u8::from(after));
            self.scope.set(&sized(&name), size);
            self.scope.set(&name, value);
            names.push(Strings { size: sized(&name), value: name });
        }
        let form = form.with(names);
        self.lets.insert(index, form.clone());
        Ok(form)
    }

    /// What only claims know.
    fn word(&mut self, key: &str, after: bool) -> Option<Result<Form, String>> {
        let moment = self.moment;
        Some(match key {
            "velocity" => self.velocity(after),
            "mass" => Ok(moment.mass.form()),
            "projector" => Ok(moment.projector.form()),
            "gram" => Ok(moment.gram.form()),
            "identity" => {
                let m = moment.v.len();
                let entry = |i, j| number(if i == j { 1.0 } else { 0.0 });
                Ok(Form::Matrix((0..m).map(|i| (0..m).map(|j| entry(i, j)).collect()).collect()))
            }
            "dissipation" => self.dissipation(),
            _ => return None,
        })
    }

    /// D, with what the closed contacts add.
    fn dissipation(&mut self) -> Result<Form, String> {
        let declared = self.system.dissipation.iter().map(|function| &function.value);
        let contacts = self.system.contacts.iter().enumerate();
        let closed = contacts.filter(|(i, _)| self.moment.closed.contains(i));
        let own = closed.filter_map(|(_, contact)| contact.dissipation.as_ref());
        let mut total = Form::Scalar(number(0.0));
        for part in declared.chain(own) {
            total = total.combined(&self.form(part)?, false)?;
        }
        Ok(total)
    }

    fn velocity(&self, after: bool) -> Result<Form, String> {
        let side = if after { "_plus" } else { "" };
        let names = self.moment.speeds(0).into_iter().map(|name| format!("{name}{side}"));
        Ok(Form::Vector(names.map(|name| self.known(name)).collect::<Result<_, _>>()?))
    }
}
