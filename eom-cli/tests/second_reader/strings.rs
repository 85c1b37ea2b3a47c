//! Scalars, vectors and matrices of strings that meval reads, and their algebra. Beside each string
//! stands a bound of its roundings: the same string with the absolute values of its terms.

use super::linear::Measured;
use std::slice;

/// A scalar as a string, and the string of what its roundings are measured by.
#[derive(Clone)]
pub(super) struct Strings {
    pub(super) value: String,
    pub(super) size: String,
}

/// The two numbers.
#[derive(Clone, Copy)]
pub(super) struct Component {
    pub(super) value: f64,
    pub(super) size: f64,
}

/// A scalar, a vector or a matrix by rows.
#[derive(Clone)]
pub(super) enum Form {
    Scalar(Strings),
    Vector(Vec<Strings>),
    Matrix(Vec<Vec<Strings>>),
}

/// The reason where an operation has no meaning for its operands.
pub(super) fn mismatch<T>() -> Result<T, String> {
    Err("shapes that do not match".to_owned())
}

pub(super) fn number(value: f64) -> Strings {
    sized_number(value, value.abs())
}

pub(super) fn sized_number(value: f64, size: f64) -> Strings {
    Strings { value: format!("({value:e})"), size: format!("{size:e}") }
}

impl Measured {
    /// The entries as strings.
    pub(super) fn form(&self) -> Form {
        let rows = (0..self.value.len()).map(|i| {
            let entries = self.value[i].iter().zip(&self.size[i]);
            entries.map(|(value, size)| sized_number(*value, *size)).collect()
        });
        Form::Matrix(rows.collect())
    }

    pub(super) fn column(&self, j: usize) -> Vec<Strings> {
        let rows = self.value.iter().zip(&self.size);
        rows.map(|(value, size)| sized_number(value[j], size[j])).collect()
    }
}

/// Σ ± of scalars.
pub(super) fn sum(terms: &[(bool, Strings)]) -> Strings {
    let value = terms.iter().map(|(minus, term)| {
        let sign = if *minus { '-' } else { '+' };
        format!("{sign}({})", term.value)
    });
    let size = terms.iter().map(|(_, term)| format!("+({})", term.size));
    let joined = |terms: Vec<String>| format!("0{}", terms.concat());
    Strings { value: joined(value.collect()), size: joined(size.collect()) }
}

pub(super) fn product(a: &Strings, b: &Strings) -> Strings {
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

fn negative(entry: &Strings) -> Strings {
    Strings { value: format!("-({})", entry.value), size: entry.size.clone() }
}

/// aⁿ with a whole n ≥ 0, or any exponent.
pub(super) fn power(base: &Strings, exponent: &Strings, is_whole: bool) -> Strings {
    let value = format!("({})^({})", base.value, exponent.value);
    let size = if is_whole {
        format!("({})^({})", base.size, exponent.value)
    } else {
        format!("abs({value})*({})/abs({})", base.size, base.value)
    };
    Strings { value, size }
}

/// An elementary function; its roundings are those of its arguments and its own.
pub(super) fn elementary(key: &str, arguments: &[Strings]) -> Strings {
    let values: Vec<&str> = arguments.iter().map(|a| a.value.as_str()).collect();
    let sizes: Vec<String> = arguments.iter().map(|a| format!("({})", a.size)).collect();
    let (values, sizes) = (values.join(", "), sizes.join("+"));
    let value = format!("{key}({values})");
    let size = match key {
        "abs" => sizes,
        "sign" => "1".to_owned(),
        "sqrt" => format!("sqrt({sizes})"),
        "ln" => format!("abs({value})+({sizes})/abs({values})"),
        _ => format!("abs({value})*(1+{sizes})"),
    };
    Strings { value, size }
}

pub(super) fn dot(a: &[Strings], b: &[Strings]) -> Result<Strings, String> {
    if a.len() != b.len() {
        return mismatch();
    }
    let terms: Vec<(bool, Strings)> =
        a.iter().zip(b).map(|(a, b)| (false, product(a, b))).collect();
    Ok(sum(&terms))
}

/// √(a·a).
pub(super) fn norm(a: &[Strings]) -> Result<Strings, String> {
    Ok(elementary("sqrt", &[dot(a, a)?]))
}

/// The places after one of three, going round.
const ROUND: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// a × b.
pub(super) fn cross(a: &[Strings], b: &[Strings]) -> Result<Vec<Strings>, String> {
    if a.len() != 3 || b.len() != 3 {
        return mismatch();
    }
    let entry =
        |[i, j]: [usize; 2]| sum(&[(false, product(&a[i], &b[j])), (true, product(&a[j], &b[i]))]);
    Ok(ROUND.map(entry).to_vec())
}

/// ω with ω × x = (A − Aᵀ)/2 x.
pub(super) fn vee(a: &[Vec<Strings>]) -> Result<Vec<Strings>, String> {
    if a.len() != 3 || a.iter().any(|row| row.len() != 3) {
        return mismatch();
    }
    let entry = |[i, j]: [usize; 2]| {
        product(&number(0.5), &sum(&[(false, a[j][i].clone()), (true, a[i][j].clone())]))
    };
    Ok(ROUND.map(entry).to_vec())
}

/// The right-handed turn about an axis.
pub(super) fn turn(axis: usize, angle: &Strings) -> Form {
    let [i, j] = ROUND[axis];
    let [cos, sin] = ["cos", "sin"].map(|key| elementary(key, slice::from_ref(angle)));
    let mut rows = vec![vec![number(0.0); 3]; 3];
    rows[axis][axis] = number(1.0);
    (rows[i][i], rows[j][j]) = (cos.clone(), cos);
    (rows[i][j], rows[j][i]) = (negative(&sin), sin);
    Form::Matrix(rows)
}

pub(super) fn transposed(rows: &[Vec<Strings>]) -> Vec<Vec<Strings>> {
    let columns = rows.first().map_or(0, Vec::len);
    (0..columns).map(|j| rows.iter().map(|row| row[j].clone()).collect()).collect()
}

impl Form {
    pub(super) fn entries(&self) -> Vec<Strings> {
        match self {
            Self::Scalar(entry) => vec![entry.clone()],
            Self::Vector(entries) => entries.clone(),
            Self::Matrix(rows) => rows.concat(),
        }
    }

    /// Entries in the shape of this form, in the order in which it has them.
    pub(super) fn with(&self, mut entries: Vec<Strings>) -> Self {
        match self {
            Self::Scalar(_) => Self::Scalar(entries.remove(0)),
            Self::Vector(_) => Self::Vector(entries),
            Self::Matrix(rows) => {
                let columns = rows.first().map_or(1, Vec::len).max(1);
                Self::Matrix(entries.chunks(columns).map(<[Strings]>::to_vec).collect())
            }
        }
    }

    fn map(&self, each: &dyn Fn(&Strings) -> Strings) -> Self {
        self.with(self.entries().iter().map(each).collect())
    }

    pub(super) fn negated(&self) -> Self {
        self.map(&negative)
    }

    /// a + b, or a − b.
    pub(super) fn combined(&self, other: &Self, minus: bool) -> Result<Self, String> {
        let shape = |form: &Self| match form {
            Self::Scalar(_) => None,
            Self::Vector(entries) => Some((entries.len(), 0)),
            Self::Matrix(rows) => Some((rows.len(), rows.first().map_or(0, Vec::len))),
        };
        if shape(self) != shape(other) {
            return mismatch();
        }
        let add = |(a, b): (Strings, Strings)| sum(&[(false, a), (minus, b)]);
        Ok(self.with(self.entries().into_iter().zip(other.entries()).map(add).collect()))
    }

    pub(super) fn times(&self, other: &Self) -> Result<Self, String> {
        match (self, other) {
            (Self::Scalar(a), b) | (b, Self::Scalar(a)) => Ok(b.map(&|entry| product(a, entry))),
            (Self::Matrix(a), Self::Vector(b)) => {
                Ok(Self::Vector(a.iter().map(|row| dot(row, b)).collect::<Result<_, _>>()?))
            }
            (Self::Matrix(a), Self::Matrix(b)) => {
                let columns = transposed(b);
                let row = |row: &Vec<Strings>| columns.iter().map(|c| dot(row, c)).collect();
                Ok(Self::Matrix(a.iter().map(row).collect::<Result<_, _>>()?))
            }
            _ => Err("products of vectors".to_owned()),
        }
    }

    pub(super) fn divided(&self, by: &Self) -> Result<Self, String> {
        match by {
            Self::Scalar(by) => Ok(self.map(&|entry| quotient(entry, by))),
            _ => Err("a division by a vector".to_owned()),
        }
    }
}
