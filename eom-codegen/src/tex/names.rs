//! What a symbol means: entries of the notation, and declared names.

use super::fault::Fault;
use crate::ast::{Explained, Expr, ExprKind, Ident, Notation, NotationKey, Range, Region, System};
use crate::diagnostic::{Errors, Problem};
use eom_symbolic::Function;
use eom_symbolic::name::Name;
use eom_symbolic::tex::{Key, Mark, Phrases, Symbol, read_key};
use rustc_hash::FxHashMap;

/// An entry of the notation, its key read.
#[derive(Debug)]
pub(super) struct Entry<'s> {
    pub(super) key: Key,
    pub(super) written: &'s Notation,
}

/// The symbols of a declaration.
#[derive(Debug)]
pub(super) struct Names<'s> {
    pub(super) notation: Vec<Entry<'s>>,
    /// Declared names by their keys, as written.
    declared: FxHashMap<String, String>,
    /// The keys of declared functions.
    functions: Vec<String>,
    /// The keys of coordinates.
    coordinates: Vec<String>,
    /// The keys of parameters.
    parameters: Vec<String>,
    /// The keys of `let`s that are vectors.
    vectors: Vec<String>,
    declaration: &'s System,
}

impl<'s> Names<'s> {
    /// Reads the notation; an entry that stands twice, or explains what is declared, is reported.
    pub(super) fn collect(system: &'s System, errors: &mut Errors) -> Self {
        let mut declared = FxHashMap::default();
        let plain = (system.coordinates.iter().chain(&system.inputs).map(|d| &d.name))
            .chain(system.parameters.iter().map(|d| &d.name))
            .chain(system.velocities.iter().chain(&system.lets).map(|d| &d.name))
            .chain(system.functions.iter().map(|d| &d.name))
            .chain(system.rotations.iter().flat_map(|r| r.speeds.iter().chain([&r.name])));
        for ident in plain {
            let name = ident.name();
            declared.insert(name.key, name.display);
        }
        let functions = system.functions.iter().map(|f| f.name.name().key).collect();
        let coordinates = system.coordinates.iter().map(|d| d.name.name().key).collect();
        let parameters = system.parameters.iter().map(|d| d.name.name().key).collect();
        let mut vectors = Vec::new();
        for defined in &system.lets {
            if is_vector(&defined.value, &vectors) {
                vectors.push(defined.name.name().key);
            }
        }
        let mut names = Self {
            notation: Vec::new(),
            declared,
            functions,
            coordinates,
            parameters,
            vectors,
            declaration: system,
        };
        for written in &system.notation {
            if let Some(key) = names.key(written, errors) {
                names.notation.push(Entry { key, written });
            }
        }
        names
    }

    fn key(&self, written: &Notation, errors: &mut Errors) -> Option<Key> {
        let at = written.key.region();
        let text = written.key.text();
        let read = match written.value {
            Explained::Given => {
                Phrases::default().give(text).map(|()| Key::Phrase(text.to_owned()))
            }
            _ => read_key(text),
        };
        let key = match read {
            Ok(key) => key,
            Err(mistake) => {
                let fault = Fault::unread(mistake, text);
                let at = match &written.key {
                    NotationKey::Tex(literal) => literal.place(&fault.at),
                    NotationKey::Name(_) => at,
                };
                errors.report(at, &fault.problem);
                return None;
            }
        };
        let symbol = written.key.text().to_owned();
        let first = self.entry_in(&key, written.within.as_ref());
        if let Some(first) = first.and_then(|first| self.notation.get(first)) {
            let (first, second) = (meaning(first.written), meaning(written));
            errors.report(at, &Problem::TwoMeanings { symbol, first, second });
            return None;
        }
        let taken = match &key {
            Key::Symbol(symbol) => self
                .declared_name(symbol, None)
                .map(|name| name.map(|name| eom_symbolic::name::dotted(&name, symbol.dots))),
            _ => Ok(None),
        };
        let itself = |name: &str| meaning(written) == name;
        if let Ok(Some(first)) = taken
            && !written.reading
            && !itself(&first)
        {
            let second = meaning(written);
            errors.report(at, &Problem::TwoMeanings { symbol, first, second });
            return None;
        }
        Some(key)
    }

    /// What is explained as a whole, and what is given, as a claim of the block sees it; with the entries of the latter.
    pub(super) fn phrases(&self, within: Option<&Ident>) -> (Phrases, Vec<usize>) {
        let (mut phrases, mut given) = (Phrases::default(), Vec::new());
        let block = within.map(|name| &name.text);
        for (place, entry) in self.notation.iter().enumerate() {
            let of = entry.written.within.as_ref().map(|name| &name.text);
            let Key::Phrase(_) = entry.key else { continue };
            if of.is_some() && of != block {
                continue;
            }
            // Both were read when the notation was.
            match entry.written.value {
                Explained::Given if phrases.give(entry.written.key.text()).is_ok() => {
                    given.push(place);
                }
                Explained::Given => {}
                _ => drop(phrases.explain(entry.written.key.text())),
            }
        }
        (phrases, given)
    }

    /// The entry of a key, by its place: that of the block, else that for all claims.
    pub(super) fn entry(&self, key: &Key, within: Option<&Ident>) -> Option<usize> {
        within.and_then(|_| self.entry_in(key, within)).or_else(|| self.entry_in(key, None))
    }

    /// The entry of a key in one block, or in those for all claims.
    fn entry_in(&self, key: &Key, block: Option<&Ident>) -> Option<usize> {
        let text = block.map(|name| &name.text);
        self.notation.iter().position(|entry| {
            entry.key == *key && entry.written.within.as_ref().map(|name| &name.text) == text
        })
    }

    /// The declared name that a symbol is spelled like; the two where there are two. `constants` are those of a motion.
    pub(super) fn declared_name(
        &self,
        symbol: &Symbol,
        constants: Option<&[Ident]>,
    ) -> Result<Option<String>, (String, String)> {
        let Symbol { letter, index, .. } = symbol;
        let letter = word(letter).unwrap_or(letter);
        let plain = !letter.contains('\\') && symbol.primes == 0;
        if !plain || matches!(symbol.mark, Mark::Star | Mark::Both) {
            return Ok(None);
        }
        let spellings = if index.is_empty() {
            vec![letter.to_owned()]
        } else {
            vec![format!("{letter}_{index}"), format!("{letter}{index}")]
        };
        let mut found: Vec<String> = Vec::new();
        for spelling in spellings {
            let key = Name::parse(&spelling).key;
            let constant = constants.unwrap_or_default().iter().find(|c| c.name().key == key);
            let name =
                constant.map(|c| c.text.clone()).or_else(|| self.declared.get(&key).cloned());
            found.extend(name);
        }
        let reserved = matches!((letter, index.as_str()), ("t" | "π", ""));
        if reserved {
            found.push(if letter == "t" { "t".to_owned() } else { "pi".to_owned() });
        }
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.clone())),
            [first, second, ..] => Err((first.clone(), second.clone())),
        }
    }

    /// Whether a name is one that the declaration gives, and no word of claims such as `energy`.
    pub(super) fn declares(&self, name: &Name) -> bool {
        self.declared.contains_key(&name.key)
    }

    /// Whether a symbol is spelled like a coordinate.
    pub(super) fn is_coordinate(&self, symbol: &Symbol) -> bool {
        let found = self.declared_name(symbol, None).ok().flatten();
        found.is_some_and(|name| self.coordinates.contains(&Name::parse(&name).key))
    }

    /// `f_x`, a partial of a declared function; of one argument f′ as well.
    pub(super) fn partial(&self, symbol: &Symbol) -> Option<String> {
        let Symbol { letter, index, .. } = symbol;
        let key = Name::parse(word(letter).unwrap_or(letter)).key;
        let function = self.declaration.functions.iter().find(|f| f.name.name().key == key)?;
        let is_argument = |c: char| {
            let key = Name::parse(&c.to_string()).key;
            function.arguments.iter().any(|argument| argument.name().key == key)
        };
        if symbol.dots > 0 || symbol.mark != Mark::None {
            return None;
        }
        if let ([argument], true) = (function.arguments.as_slice(), symbol.primes > 0) {
            let by = vec![argument.text.as_str(); usize::from(symbol.primes)];
            let is_whole = index.is_empty();
            return is_whole.then(|| eom_symbolic::name::partial(&function.name.text, &by));
        }
        let plain = symbol.primes == 0;
        let is_partial = plain && !index.is_empty() && index.chars().all(is_argument);
        is_partial.then(|| format!("{}_{index}", function.name.name().display))
    }

    /// The vector that a symbol is a component of, `p_{B,1}`, and which.
    pub(super) fn component(&self, symbol: &Symbol) -> Option<(String, i64)> {
        let (index, place) = symbol.index.rsplit_once(',').unwrap_or(("", &symbol.index));
        let place = place.parse().ok()?;
        let whole = Symbol { index: index.to_owned(), ..symbol.clone() };
        let name = self.declared_name(&whole, None).ok().flatten()?;
        self.vectors.contains(&Name::parse(&name).key).then_some((name, place))
    }

    /// Whether an expression holds parameters and numbers only.
    pub(super) fn is_constant(&self, value: &Expr) -> bool {
        let mut is_constant = true;
        value.for_names(&mut |ident| {
            let key = ident.name().key;
            let is_called = key == "sqrt" || Function::from_name(&key).is_some();
            is_constant &= key == "pi" || is_called || self.parameters.contains(&key);
        });
        is_constant
    }

    /// Whether a name is that of a declared function.
    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains(&Name::parse(name).key)
    }

    /// The declared name nearest to a symbol, with its dots.
    pub(super) fn nearest(&self, symbol: &Symbol) -> Option<String> {
        let spelled = format!("{}{}", symbol.letter, symbol.index);
        let key = Name::parse(&spelled).key;
        let near = eom_symbolic::name::nearest(&key, self.declared.keys().map(String::as_str))?;
        let near = self.declared.get(near)?;
        Some(eom_symbolic::name::dotted(near, symbol.dots))
    }

    /// The value of an entry.
    pub(super) fn value(&self, entry: usize) -> Option<&'s Expr> {
        match &self.notation.get(entry)?.written.value {
            Explained::Value(value) => Some(value),
            Explained::Region(_) | Explained::Given => None,
        }
    }

    /// The region of an entry.
    pub(super) fn region(&self, entry: usize) -> Option<&'s [(Ident, Range)]> {
        match &self.notation.get(entry)?.written.value {
            Explained::Region(ranges) => Some(ranges),
            Explained::Value(_) | Explained::Given => None,
        }
    }
}

/// The word in `\mathrm{word}`; a letter in that font is another symbol.
fn word(letter: &str) -> Option<&str> {
    let fonts = [r"\mathrm{", r"\text{", r"\operatorname{", r"\mathit{"];
    let word = fonts.iter().find_map(|font| letter.strip_prefix(font))?.strip_suffix('}')?;
    (word.chars().count() > 1 && word.chars().all(char::is_alphabetic)).then_some(word)
}

/// Whether the value of a definition is a vector, those before it being known.
fn is_vector(value: &Expr, vectors: &[String]) -> bool {
    match &value.kind {
        ExprKind::Array(entries) => {
            !entries.iter().any(|entry| matches!(entry.kind, ExprKind::Array(_)))
        }
        ExprKind::Name(ident) => vectors.contains(&ident.name().key),
        ExprKind::Neg(of) => is_vector(of, vectors),
        ExprKind::Sum(terms) => terms.iter().any(|term| is_vector(&term.expr, vectors)),
        ExprKind::Product(factors) => factors.iter().any(|f| is_vector(&f.expr, vectors)),
        ExprKind::Call { function, .. } => matches!(function.text.as_str(), "cross" | "vee"),
        _ => false,
    }
}

/// What an entry explains by, as text.
pub(super) fn meaning(written: &Notation) -> String {
    match &written.value {
        Explained::Value(value) => value.to_string(),
        Explained::Given => "given".to_owned(),
        Explained::Region(ranges) => {
            let ranges = ranges.iter().map(|(name, range)| format!("{} in {range}", name.text));
            ranges.collect::<Vec<_>>().join(", ")
        }
    }
}

/// A name at a place.
pub(super) fn name(text: &str, region: Region) -> Expr {
    Expr { kind: ExprKind::Name(Ident { text: text.to_owned(), region }), region }
}
