//! Expressions of the declaration as strings that meval reads, with a bound of their roundings
//! beside each: the same string with the absolute values of its terms.

use super::linear::{Matrix, derivative};
use super::moment::Moment;
use crate::numbers::{Mistake, evaluate, is_function};
use eom_codegen::ast::{self, Expr, ExprKind, Ident, Total};
use eom_symbolic::name::Side;
use std::collections::BTreeMap;

/// A scalar as a string, and the string of what its roundings are measured by.
#[derive(Clone)]
pub(super) struct Strings {
    value: String,
    size: String,
}

/// The two numbers.
#[derive(Clone, Copy)]
pub(super) struct Component {
    pub(super) value: f64,
    pub(super) size: f64,
}

/// A scalar, a vector or a matrix by rows.
#[derive(Clone)]
enum Form {
    Scalar(Strings),
    Vector(Vec<Strings>),
    Matrix(Vec<Vec<Strings>>),
}

/// Reads expressions at a moment.
pub(super) struct Reader<'a> {
    system: &'a ast::System,
    moment: &'a Moment,
    known: Vec<(String, f64)>,
    /// `let` names that were read, before and after the impact.
    lets: BTreeMap<(String, bool), Form>,
    /// Whether velocities are those after the impact.
    after: bool,
}

fn number(value: f64) -> Strings {
    Strings { value: format!("({value:e})"), size: format!("{:e}", value.abs()) }
}

fn numbers(matrix: &Matrix) -> Form {
    Form::Matrix(matrix.iter().map(|row| row.iter().copied().map(number).collect()).collect())
}

/// Σ ± of scalars.
fn sum(terms: &[(bool, Strings)]) -> Strings {
    let mut total = Strings { value: "0".to_owned(), size: "0".to_owned() };
    for (minus, term) in terms {
        let sign = if *minus { '-' } else { '+' };
        total.value += &format!("{sign}({})", term.value);
        total.size += &format!("+({})", term.size);
    }
    total
}

fn product(a: &Strings, b: &Strings) -> Strings {
    Strings {
        value: format!("({})*({})", a.value, b.value),
        size: format!("({})*({})", a.size, b.size),
    }
}

fn quotient(a: &Strings, b: &Strings) -> Strings {
    Strings {
        value: format!("({})/({})", a.value, b.value),
        size: format!("({})*({})/({})^2", a.size, b.size, b.value),
    }
}

fn dot(a: &[Strings], b: &[Strings]) -> Result<Strings, String> {
    if a.len() != b.len() {
        return Err("shapes that do not match".to_owned());
    }
    let terms: Vec<(bool, Strings)> =
        a.iter().zip(b).map(|(a, b)| (false, product(a, b))).collect();
    Ok(sum(&terms))
}

fn transposed(rows: &[Vec<Strings>]) -> Vec<Vec<Strings>> {
    let columns = rows.first().map_or(0, Vec::len);
    (0..columns).map(|j| rows.iter().map(|row| row[j].clone()).collect()).collect()
}

fn negated(form: Form) -> Form {
    form.map(&|entry| Strings { value: format!("-({})", entry.value), size: entry.size.clone() })
}

impl Form {
    fn entries(self) -> Vec<Strings> {
        match self {
            Self::Scalar(entry) => vec![entry],
            Self::Vector(entries) => entries,
            Self::Matrix(rows) => rows.into_iter().flatten().collect(),
        }
    }

    fn map(self, each: &dyn Fn(&Strings) -> Strings) -> Self {
        match self {
            Self::Scalar(entry) => Self::Scalar(each(&entry)),
            Self::Vector(entries) => Self::Vector(entries.iter().map(each).collect()),
            Self::Matrix(rows) => {
                Self::Matrix(rows.iter().map(|row| row.iter().map(each).collect()).collect())
            }
        }
    }

    fn combined(self, other: Self, minus: bool) -> Result<Self, String> {
        let add = |a: &Strings, b: &Strings| sum(&[(false, a.clone()), (minus, b.clone())]);
        let all = |a: &[Strings], b: &[Strings]| -> Result<Vec<Strings>, String> {
            if a.len() == b.len() {
                Ok(a.iter().zip(b).map(|(a, b)| add(a, b)).collect())
            } else {
                Err("shapes that do not match".to_owned())
            }
        };
        match (self, other) {
            (Self::Scalar(a), Self::Scalar(b)) => Ok(Self::Scalar(add(&a, &b))),
            (Self::Vector(a), Self::Vector(b)) => Ok(Self::Vector(all(&a, &b)?)),
            (Self::Matrix(a), Self::Matrix(b)) if a.len() == b.len() => {
                let rows = a.iter().zip(&b).map(|(a, b)| all(a, b));
                Ok(Self::Matrix(rows.collect::<Result<_, _>>()?))
            }
            _ => Err("shapes that do not match".to_owned()),
        }
    }

    fn times(self, other: Self) -> Result<Self, String> {
        match (self, other) {
            (Self::Scalar(a), b) | (b, Self::Scalar(a)) => Ok(b.map(&|entry| product(&a, entry))),
            (Self::Matrix(a), Self::Vector(b)) => {
                Ok(Self::Vector(a.iter().map(|row| dot(row, &b)).collect::<Result<_, _>>()?))
            }
            (Self::Matrix(a), Self::Matrix(b)) => {
                let columns = transposed(&b);
                let row = |row: &Vec<Strings>| columns.iter().map(|c| dot(row, c)).collect();
                Ok(Self::Matrix(a.iter().map(row).collect::<Result<_, _>>()?))
            }
            _ => Err("products of vectors".to_owned()),
        }
    }

    fn divided(self, by: Self) -> Result<Self, String> {
        match by {
            Self::Scalar(by) => Ok(self.map(&|entry| quotient(entry, &by))),
            _ => Err("a division by a vector".to_owned()),
        }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(system: &'a ast::System, moment: &'a Moment) -> Self {
        let sizes = moment.sizes.iter().map(|(name, size)| (sized(name), *size));
        let known = moment.known.iter().cloned().chain(sizes).collect();
        Self { system, moment, known, lets: BTreeMap::new(), after: false }
    }

    /// Left − right, by component.
    pub(super) fn difference(&mut self, lhs: &Expr, rhs: &Expr) -> Result<Vec<Strings>, String> {
        let (lhs, rhs) = (self.form(lhs)?, self.form(rhs)?);
        Ok(lhs.combined(rhs, true)?.entries())
    }

    /// The value of a scalar expression.
    pub(super) fn scalar(&mut self, expr: &Expr) -> Result<Component, String> {
        match self.form(expr)? {
            Form::Scalar(strings) => self.evaluate(&strings),
            _ => Err("shapes that do not match".to_owned()),
        }
    }

    /// What meval says of a scalar.
    pub(super) fn evaluate(&self, strings: &Strings) -> Result<Component, String> {
        let read = |text: &str| {
            evaluate(text, &self.known).map_err(|mistake| match mistake {
                Mistake::NotFinite { .. } => "not finite at a state".to_owned(),
                Mistake::Unreadable { reason, .. } => reason,
            })
        };
        Ok(Component { value: read(&strings.value)?, size: read(&strings.size)? })
    }

    fn form(&mut self, expr: &Expr) -> Result<Form, String> {
        match &expr.kind {
            ExprKind::Number(literal) => {
                let text = literal.text.clone();
                Ok(Form::Scalar(Strings { value: text.clone(), size: text }))
            }
            ExprKind::Name(ident) => self.name(ident),
            ExprKind::Call { function, arguments } => self.call(function, arguments),
            ExprKind::Index { base, indices } => self.index(base, indices),
            ExprKind::Neg(inner) => Ok(negated(self.form(inner)?)),
            ExprKind::Sum(terms) => {
                let mut total: Option<Form> = None;
                for term in terms {
                    let form = self.form(&term.expr)?;
                    total = Some(match total {
                        None if term.minus => negated(form),
                        None => form,
                        Some(total) => total.combined(form, term.minus)?,
                    });
                }
                total.ok_or_else(|| "an empty sum".to_owned())
            }
            ExprKind::Product(factors) => {
                let mut total: Option<Form> = None;
                for factor in factors {
                    let form = self.form(&factor.expr)?;
                    total = Some(match total {
                        None => form,
                        Some(total) if factor.divides => total.divided(form)?,
                        Some(total) => total.times(form)?,
                    });
                }
                total.ok_or_else(|| "an empty product".to_owned())
            }
            ExprKind::Pow { base, exponent } => self.power(base, exponent),
            ExprKind::Array(entries) => self.array(entries),
            ExprKind::Total(total) => self.total(total),
            #[allow(unreachable_patterns, reason = "forms that the language may learn")]
            _ => Err("forms beyond strings".to_owned()),
        }
    }

    fn power(&mut self, base: &Expr, exponent: &Expr) -> Result<Form, String> {
        let whole = exponent.whole().is_some_and(|n| n >= 0);
        let (Form::Scalar(base), Form::Scalar(exponent)) = (self.form(base)?, self.form(exponent)?)
        else {
            return Err("powers of vectors".to_owned());
        };
        let value = format!("({})^({})", base.value, exponent.value);
        let size = if whole {
            format!("({})^({})", base.size, exponent.value)
        } else {
            format!("abs({value})*({})/abs({})", base.size, base.value)
        };
        Ok(Form::Scalar(Strings { value, size }))
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
                Some(sum) => sum.combined(term, false)?,
            });
        }
        sum.ok_or_else(|| "an empty sum".to_owned())
    }

    fn name(&mut self, ident: &Ident) -> Result<Form, String> {
        let name = ident.name();
        let declared = self.system.lets.iter().find(|d| d.name.name().key == name.key);
        if let Some(definition) = declared {
            let after = self.after || name.side == Side::Plus;
            return match name.dots {
                0 => self.definition(&name.key, after, &definition.value.clone()),
                1 if !after => self.rate(&definition.value.clone()),
                _ => Err("second derivatives of names".to_owned()),
            };
        }
        if let Some(form) = self.word(&name.key).filter(|_| name.dots == 0) {
            let after = self.after || name.side == Side::Plus;
            return if after && name.key == "velocity" { self.velocity(true) } else { form };
        }
        let ascii = match name.key.as_str() {
            "pi" => return Ok(Form::Scalar(Strings { value: "pi".into(), size: "pi".into() })),
            _ => name.ascii(),
        };
        let after = format!("{ascii}_plus");
        let found = if self.after && self.knows(&after) { after } else { ascii };
        if self.knows(&found) {
            Ok(Form::Scalar(Strings { size: sized(&found), value: found }))
        } else {
            Err(format!("no number for {found}"))
        }
    }

    fn knows(&self, name: &str) -> bool {
        self.known.iter().any(|(known, _)| known == name)
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
        let entries = form.clone().entries();
        let mut names = Vec::new();
        for (i, entry) in entries.iter().enumerate() {
            let Component { value, size } = self.evaluate(entry)?;
            let name = format!("let_{key}_{}_{i}", u8::from(after));
            self.known.extend([(sized(&name), size), (name.clone(), value)]);
            names.push(Strings { size: sized(&name), value: name });
        }
        let form = match form {
            Form::Scalar(_) => Form::Scalar(names.remove(0)),
            Form::Vector(_) => Form::Vector(names),
            Form::Matrix(rows) => {
                let columns = rows.first().map_or(1, Vec::len).max(1);
                Form::Matrix(names.chunks(columns).map(<[Strings]>::to_vec).collect())
            }
        };
        self.lets.insert(index, form.clone());
        Ok(form)
    }

    /// The time derivative of a `let`: along the line (t + s, q + s q̇, v + s v̇), by differences.
    fn rate(&mut self, value: &Expr) -> Result<Form, String> {
        let moment = self.moment;
        let at = |s: f64| -> Result<Vec<Component>, String> {
            let mut reader = Reader::new(self.system, moment);
            for (name, value) in moment.ahead(s) {
                if let Some(known) = reader.known.iter_mut().find(|(known, _)| *known == name) {
                    known.1 = value;
                }
            }
            let entries = reader.form(value)?.entries();
            entries.iter().map(|entry| reader.evaluate(entry)).collect()
        };
        let here = at(0.0)?;
        let rates = derivative(here.len(), &|s| {
            Ok(at(s)?.iter().map(|component| component.value).collect())
        })?;
        let mut names = Vec::new();
        for (rate, here) in rates.iter().zip(&here) {
            let Strings { value, .. } = number(*rate);
            names.push(Strings { value, size: format!("{:e}", rate.abs() + here.size) });
        }
        match self.form(value)? {
            Form::Scalar(_) => Ok(Form::Scalar(names.remove(0))),
            Form::Vector(_) => Ok(Form::Vector(names)),
            Form::Matrix(_) => Err("time derivatives of matrices".to_owned()),
        }
    }

    /// What only claims know.
    fn word(&mut self, key: &str) -> Option<Result<Form, String>> {
        let moment = self.moment;
        Some(match key {
            "velocity" => self.velocity(false),
            "mass" => Ok(numbers(&moment.mass)),
            "projector" => Ok(numbers(&moment.projector)),
            "gram" => Ok(numbers(&moment.gram)),
            "identity" => {
                let m = moment.v.len();
                let entry = |i, j| number(if i == j { 1.0 } else { 0.0 });
                Ok(Form::Matrix((0..m).map(|i| (0..m).map(|j| entry(i, j)).collect()).collect()))
            }
            "dissipation" => match &self.system.dissipation {
                Some(function) => self.form(&function.value.clone()),
                None => Ok(Form::Scalar(number(0.0))),
            },
            _ => return None,
        })
    }

    fn velocity(&self, after: bool) -> Result<Form, String> {
        let side = if after { "_plus" } else { "" };
        let names = self.moment.speeds(0).into_iter().map(|name| format!("{name}{side}"));
        let known = |name: String| {
            if self.knows(&name) {
                Ok(Strings { size: sized(&name), value: name })
            } else {
                Err(format!("no number for {name}"))
            }
        };
        Ok(Form::Vector(names.map(known).collect::<Result<_, _>>()?))
    }

    fn call(&mut self, function: &Ident, arguments: &[Expr]) -> Result<Form, String> {
        let key = function.name().key;
        let [first, ..] = arguments else { return Err(format!("no number for {key}")) };
        match key.as_str() {
            "plus" | "minus" => {
                let outer = std::mem::replace(&mut self.after, key == "plus");
                let form = self.form(first);
                self.after = outer;
                form
            }
            "lambda" | "impulse" | "force" => {
                let name = format!("{key}_of_{}", name_of(first)?);
                if self.knows(&name) {
                    Ok(Form::Scalar(Strings { size: sized(&name), value: name }))
                } else {
                    Err(format!("no number for {name}"))
                }
            }
            "sharp" => {
                let row = self.row(&name_of(first)?)?;
                let entries = self.moment.fields.iter().map(|field| number(field[row]));
                Ok(Form::Vector(entries.collect()))
            }
            "inverse" => Ok(numbers(&self.moment.gram_inverse)),
            "dot" | "norm" | "transpose" => self.vector_call(&key, arguments),
            _ if is_function(&key) => self.scalar_call(&key, arguments),
            "integral" => Err("integrals".to_owned()),
            _ => Err(format!("the function {key}")),
        }
    }

    fn vector_call(&mut self, key: &str, arguments: &[Expr]) -> Result<Form, String> {
        let forms = arguments.iter().map(|a| self.form(a)).collect::<Result<Vec<_>, _>>()?;
        match (key, forms.as_slice()) {
            ("dot", [Form::Vector(a), Form::Vector(b)]) => Ok(Form::Scalar(dot(a, b)?)),
            ("norm", [Form::Vector(a)]) => {
                let Strings { value, size } = dot(a, a)?;
                let (value, size) = (format!("sqrt({value})"), format!("sqrt({size})"));
                Ok(Form::Scalar(Strings { value, size }))
            }
            ("transpose", [Form::Matrix(rows)]) => Ok(Form::Matrix(transposed(rows))),
            _ => Err("shapes that do not match".to_owned()),
        }
    }

    /// An elementary function; its roundings are those of its argument and its own.
    fn scalar_call(&mut self, key: &str, arguments: &[Expr]) -> Result<Form, String> {
        let mut values = Vec::new();
        let mut sizes = vec!["1".to_owned()];
        for argument in arguments {
            let Form::Scalar(strings) = self.form(argument)? else {
                return Err("functions of vectors".to_owned());
            };
            values.push(strings.value);
            sizes.push(format!("({})", strings.size));
        }
        let value = format!("{key}({})", values.join(", "));
        let sizes = sizes.join("+");
        let size = match key {
            "abs" => sizes.trim_start_matches("1+").to_owned(),
            "sign" => "1".to_owned(),
            "sqrt" => format!("sqrt({})", sizes.trim_start_matches("1+")),
            _ => format!("abs({value})*({sizes})"),
        };
        Ok(Form::Scalar(Strings { value, size }))
    }

    fn index(&mut self, base: &Expr, indices: &[Expr]) -> Result<Form, String> {
        if let ExprKind::Name(ident) = &base.kind {
            let key = ident.name().key;
            let is_family = self.system.indexed.iter().any(|i| i.name.name().key == key);
            if let Some(value) = indices.first().and_then(Expr::whole).filter(|_| is_family) {
                return self.name(&ident.element(value));
            }
        }
        let rows_are_named = matches!(&base.kind, ExprKind::Name(ident) if ident.name().key == "gram")
            || matches!(&base.kind, ExprKind::Call { function, .. } if function.name().key == "inverse");
        let form = self.form(base)?;
        let places = indices
            .iter()
            .map(|index| self.place(index, rows_are_named))
            .collect::<Result<Vec<usize>, _>>()?;
        let entry = match (&form, places.as_slice()) {
            (Form::Vector(entries), [i]) => entries.get(*i),
            (Form::Matrix(rows), [i, j]) => rows.get(*i).and_then(|row| row.get(*j)),
            _ => None,
        };
        entry.cloned().map(Form::Scalar).ok_or_else(|| "an index beyond the entries".to_owned())
    }

    /// An index by its number from 1, or by the name of a coordinate or of a row.
    fn place(&self, index: &Expr, row: bool) -> Result<usize, String> {
        if let Some(number) = index.whole() {
            return usize::try_from(number - 1).map_err(|_| "an index below 1".to_owned());
        }
        let key = name_of(index)?;
        if row {
            return self.row(&key);
        }
        let coordinates = self.moment.system.info().coordinates;
        let found = coordinates.iter().position(|coordinate| coordinate.ascii == key);
        found.ok_or_else(|| format!("no number for {key}"))
    }

    /// The index of a row of B.
    fn row(&self, key: &str) -> Result<usize, String> {
        let info = self.moment.system.info();
        let contact = self.moment.contact.filter(|&c| info.contacts[c].ascii == key);
        let found = info.rows.iter().position(|row| row.ascii == key);
        found.or(contact.map(|_| info.rows.len())).ok_or_else(|| format!("no number for {key}"))
    }
}

fn sized(name: &str) -> String {
    format!("{name}_size")
}

fn name_of(expr: &Expr) -> Result<String, String> {
    match &expr.kind {
        ExprKind::Name(ident) => Ok(ident.name().key),
        _ => Err("an argument that is no name".to_owned()),
    }
}
