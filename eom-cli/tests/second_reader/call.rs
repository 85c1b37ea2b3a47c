//! Calls and indices as strings.

use super::results::name_of;
use super::strings::{
    Form, Strings, cross, dot, elementary, mismatch, norm, transposed, turn, vee,
};
use super::translate::Reader;
use eom_cli::numbers::is_function;
use eom_codegen::ast::{Expr, ExprKind, Ident};

impl Reader<'_> {
    pub(super) fn call(&mut self, function: &Ident, arguments: &[Expr]) -> Result<Form, String> {
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
                Ok(Form::Scalar(self.known(name_of(&key, &label(first)?))?))
            }
            "sharp" => {
                let row = self.row(&label(first)?)?;
                Ok(Form::Vector(self.moment.fields.column(row)))
            }
            "inverse" if matches!(&first.kind, ExprKind::Name(name) if name.name().key == "gram") => {
                Ok(self.moment.gram_inverse.form())
            }
            _ => {
                let forms =
                    arguments.iter().map(|a| self.form(a)).collect::<Result<Vec<_>, _>>()?;
                self.of_forms(&key, &forms)
            }
        }
    }

    /// Functions of numbers, vectors and matrices.
    fn of_forms(&self, key: &str, forms: &[Form]) -> Result<Form, String> {
        match (key, forms) {
            ("dot" | "cross", [a @ Form::Scalar(_), b] | [a, b @ Form::Scalar(_)]) => a.times(b),
            ("dot", [Form::Vector(a), Form::Vector(b)]) => Ok(Form::Scalar(dot(a, b)?)),
            ("abs" | "norm", [Form::Vector(a)]) => Ok(Form::Scalar(norm(a)?)),
            ("cross", [Form::Vector(a), Form::Vector(b)]) => Ok(Form::Vector(cross(a, b)?)),
            ("vee", [Form::Matrix(rows)]) => Ok(Form::Vector(vee(rows)?)),
            ("transpose", [Form::Matrix(rows)]) => Ok(Form::Matrix(transposed(rows))),
            ("rot_x", [Form::Scalar(angle)]) => Ok(turn(0, angle)),
            ("rot_y", [Form::Scalar(angle)]) => Ok(turn(1, angle)),
            ("rot_z", [Form::Scalar(angle)]) => Ok(turn(2, angle)),
            _ => {
                let scalar = |form: &Form| match form {
                    Form::Scalar(strings) => Ok(strings.clone()),
                    _ => mismatch(),
                };
                let scalars = forms.iter().map(scalar).collect::<Result<Vec<Strings>, _>>()?;
                if is_function(key) {
                    return Ok(Form::Scalar(elementary(key, &scalars)));
                }
                match self.partial_of(key) {
                    Some((function, orders)) => Ok(self.partial(function, orders, &scalars)),
                    None => Err(format!("the function {key}")),
                }
            }
        }
    }

    pub(super) fn index(&mut self, base: &Expr, indices: &[Expr]) -> Result<Form, String> {
        if let ExprKind::Name(ident) = &base.kind {
            let key = ident.name().key;
            let is_family = self.system.indexed.iter().any(|i| i.name.name().key == key);
            if let Some(value) = indices.first().and_then(Expr::whole).filter(|_| is_family) {
                let kind = ExprKind::Name(ident.element(value));
                return self.form(&Expr { kind, region: base.region });
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
            (Form::Matrix(rows), [i]) => {
                let row = rows.get(*i).cloned().map(Form::Vector);
                return row.ok_or_else(|| "an index beyond the entries".to_owned());
            }
            _ => None,
        };
        entry.cloned().map(Form::Scalar).ok_or_else(|| "an index beyond the entries".to_owned())
    }

    /// An index by its number from 1, or by the name of a coordinate, of a speed or of a row.
    fn place(&self, index: &Expr, is_row: bool) -> Result<usize, String> {
        if let Some(number) = index.whole() {
            return usize::try_from(number - 1).map_err(|_| "an index below 1".to_owned());
        }
        let key = label(index)?;
        if is_row {
            return self.row(&key);
        }
        let info = self.moment.system.info();
        let names = if info.is_plain() { info.coordinates } else { info.velocities };
        let found = names.iter().position(|name| name.ascii == key);
        found.ok_or_else(|| format!("no number for {key}"))
    }

    /// The index of a row of B.
    fn row(&self, key: &str) -> Result<usize, String> {
        let found = self.moment.names.iter().position(|row| row == key);
        found.ok_or_else(|| format!("no row {key}"))
    }
}

/// The name of a row or a coordinate: `roll_x`, `floor.stick_x`.
fn label(expr: &Expr) -> Result<String, String> {
    match &expr.kind {
        ExprKind::Name(ident) => Ok(ident.name().key),
        ExprKind::Member { contact, row } => {
            Ok(format!("{}.{}", contact.name().key, row.name().key))
        }
        _ => Err("an argument that is no name".to_owned()),
    }
}
