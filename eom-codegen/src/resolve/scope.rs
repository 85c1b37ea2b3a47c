//! The names of a declaration: what each stands for, and which cannot be declared.

use super::expression::value::Shaped;
use super::layout::Layout;
use super::mistake::Mistake;
use crate::ast::{self, Expr, Family, Gap, Ident, Resists};
use crate::diagnostic::Errors;
use eom_elementary::order;
use eom_symbolic::mechanics::Resisted;
use eom_symbolic::name::{self, Looks, Name};
use eom_symbolic::{ExprPool, Function, Partial, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a declared name stands for, by its index among its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entity {
    Coordinate(usize),
    /// A component of a rotation's quaternion, by its index in q.
    Component(usize),
    /// A speed with a name of its own, by its index in v.
    Speed(usize),
    Rotation(usize),
    Parameter(usize),
    Input(usize),
    Let(usize),
    Function(usize),
    /// A free constant of a motion.
    Constant(usize),
}

impl Entity {
    /// The kind with its article.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Coordinate(_) => "a coordinate",
            Self::Component(_) => "a component of a rotation",
            Self::Speed(_) => "a velocity",
            Self::Rotation(_) => "a rotation",
            Self::Parameter(_) => "a parameter",
            Self::Input(_) => "an input",
            Self::Let(_) => "a `let`",
            Self::Function(_) => "a function",
            Self::Constant(_) => "a constant of the motion",
        }
    }

    /// Whether `dx` is a form where it is called x.
    fn has_differential(self) -> bool {
        matches!(
            self,
            Self::Coordinate(_)
                | Self::Let(_)
                | Self::Function(_)
                | Self::Speed(_)
                | Self::Rotation(_)
        )
    }
}

/// ExprContext that are not functions of one value but are reserved with them.
const RESERVED: [&str; 14] = [
    "t",
    "pi",
    "sqrt",
    "norm",
    "dot",
    "cross",
    "transpose",
    "vee",
    "rot_x",
    "rot_y",
    "rot_z",
    "sum",
    "integral",
    "dt",
];

/// The keys of a declared function and of its arguments.
#[derive(Debug, Clone)]
struct FunctionNames {
    key: String,
    arguments: Vec<String>,
}

impl FunctionNames {
    /// The orders of a partial by its key, `f_xy` → (1, 1): the suffix is made of the arguments'
    /// names, the longest first where several fit.
    fn orders(&self, key: &str) -> Option<Orders> {
        let suffix = key.strip_prefix(&self.key)?;
        if suffix.is_empty() {
            return Some(Orders::default());
        }
        let suffix = suffix.strip_prefix('_').filter(|suffix| !suffix.is_empty())?;
        self.taken_apart(suffix, &mut Vec::new())
    }

    /// The orders that a suffix spells; `dead` holds the lengths of suffixes that spell none, since of
    /// arguments `a` and `aa` there are more ways than time.
    fn taken_apart(&self, suffix: &str, dead: &mut Vec<usize>) -> Option<Orders> {
        if suffix.is_empty() {
            return Some(Orders::default());
        }
        if dead.contains(&suffix.len()) {
            return None;
        }
        let mut order: Vec<usize> = (0..self.arguments.len().min(Partial::ARGUMENTS_MAX)).collect();
        order::sort_by_key(&mut order, |which| std::cmp::Reverse(self.arguments[*which].len()));
        let found = order.into_iter().find_map(|which| {
            let mut orders =
                self.taken_apart(suffix.strip_prefix(&self.arguments[which])?, dead)?;
            orders[which] = orders[which].saturating_add(1);
            Some(orders)
        });
        if found.is_none() {
            dead.push(suffix.len());
        }
        found
    }
}

/// How often a partial is differentiated with respect to each argument.
type Orders = [u8; Partial::ARGUMENTS_MAX];

/// Where a slip, a roll or a spin stands.
#[derive(Debug, Clone)]
pub(crate) enum Slipping {
    /// In an item of its own.
    Written(Expr),
    /// A point on a surface tells it.
    Told(Gap),
}

/// The declared names, in the order of declaration.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    entries: Vec<(Name, Entity)>,
    /// Where the entry of each key stands.
    places: FxHashMap<String, usize>,
    /// The arrays: the key of the name, what is declared, the values of the index.
    arrays: Vec<(String, Family, Vec<i64>)>,
    functions: Vec<FunctionNames>,
    rows: Vec<String>,
    /// The keys of the outputs, which no formula may mention.
    outputs: Vec<String>,
    /// The rows of A of each declared row; `None` where a component is 0 = 0.
    row_places: Vec<Shaped<Option<usize>>>,
    contacts: Vec<String>,
    /// What slips, rolls and spins at each contact with resistance against it.
    slips: Vec<[Option<Slipping>; 3]>,
    /// The keys of the rows with friction, and what slips along them.
    rough_rows: Vec<(String, Option<Expr>)>,
    /// The keys of the own rows of each contact.
    contact_rows: Vec<Vec<String>>,
    /// What each of them has become, in the order of the contacts.
    contact_row_places: Vec<Vec<Shaped<Option<usize>>>>,
    /// What q and v hold.
    pub(crate) layout: Layout,
    looks: Looks,
}

impl Scope {
    /// Collects the names of a declaration and interns their symbols.
    pub(crate) fn collect(system: &ast::System, pool: &mut ExprPool, errors: &mut Errors) -> Self {
        errors.lose(system.lost);
        let mut scope = Self { layout: Layout::new(system), ..Self::default() };
        if scope.layout.positions.is_empty() {
            Mistake::NoCoordinates { system: system.name.text.clone() }
                .report(errors, system.name.region);
        }
        pool.symbol(SymbolKind::Time, "t");
        for (index, declared) in system.coordinates.iter().enumerate() {
            scope.declare(&declared.name, Entity::Coordinate(index), errors);
        }
        scope.collect_kinematics(system, errors);
        for (index, declared) in system.parameters.iter().enumerate() {
            scope.declare(&declared.name, Entity::Parameter(index), errors);
        }
        for (index, declared) in system.inputs.iter().enumerate() {
            scope.declare(&declared.name, Entity::Input(index), errors);
        }
        for (index, declared) in system.lets.iter().enumerate() {
            scope.declare(&declared.name, Entity::Let(index), errors);
        }
        for (index, declared) in system.functions.iter().enumerate() {
            scope.declare(&declared.name, Entity::Function(index), errors);
            scope.functions.push(FunctionNames {
                key: declared.name.name().key,
                arguments: declared.arguments.iter().map(|a| a.name().key).collect(),
            });
        }
        scope.outputs = system.outputs.iter().map(|output| output.name.name().key).collect();
        scope.collect_arrays(system, errors);
        scope.check_differentials(system, errors);
        scope.collect_items(system, errors);
        scope
    }

    /// Adds a name, unless it is reserved, dotted or taken.
    pub(crate) fn declare(&mut self, ident: &Ident, entity: Entity, errors: &mut Errors) {
        let name = ident.name();
        if !name.is_plain() {
            Mistake::DottedName { name: ident.text.clone(), base: name.display }
                .report(errors, ident.region);
        } else if is_reserved(&name.key) {
            Mistake::Reserved { name: ident.text.clone() }.report(errors, ident.region);
        } else if let Some(place) = self.places.get(&name.key) {
            let (first, other) = &self.entries[*place];
            let first = (first.display != name.display).then(|| first.display.clone());
            Mistake::Taken { name: ident.text.clone(), by: other.what(), first }
                .report(errors, ident.region);
        } else {
            self.places.insert(name.key.clone(), self.entries.len());
            self.entries.push((name, entity));
        }
    }

    /// The arrays, each one name for all of its pieces: `x[0]` and `x[i in 1..=6]`.
    fn collect_arrays(&mut self, system: &ast::System, errors: &mut Errors) {
        for indexed in &system.indexed {
            let key = indexed.name.name().key;
            if let (Family::Values, Some(entity)) = (indexed.family, self.find(&key)) {
                let (name, by) = (indexed.name.text.clone(), entity.what());
                Mistake::Taken { name, by, first: None }.report(errors, indexed.name.region);
            }
            if let Some(index) = &indexed.index {
                self.check_index(index, errors);
            }
            let known = self.arrays.iter_mut().find(|a| a.0 == key && a.1 == indexed.family);
            match known {
                Some(array) => array.2.extend(&indexed.values),
                None => self.arrays.push((key, indexed.family, indexed.values.clone())),
            }
        }
        self.arrays.iter_mut().for_each(|array| order::sort(&mut array.2));
    }

    /// The values of the index of an array.
    pub(crate) fn array(&self, key: &str, family: Family) -> Option<&[i64]> {
        let array = self.arrays.iter().find(|array| array.0 == key && array.1 == family)?;
        Some(&array.2)
    }

    /// An index or a variable of integration has a name of its own.
    pub(crate) fn check_index(&self, index: &Ident, errors: &mut Errors) {
        if !Self::check_bound(index, errors) {
            return;
        }
        if let Some(entity) = self.find(&index.name().key) {
            let (name, by) = (index.text.clone(), entity.what());
            Mistake::Taken { name, by, first: None }.report(errors, index.region);
        }
    }

    /// Whether a name can be that of something else for a while: it has no dots and no meaning of its own.
    pub(crate) fn check_bound(bound: &Ident, errors: &mut Errors) -> bool {
        let name = bound.name();
        if !name.is_plain() {
            Mistake::DottedName { name: bound.text.clone(), base: name.display }
                .report(errors, bound.region);
        } else if is_reserved(&name.key) {
            Mistake::Reserved { name: bound.text.clone() }.report(errors, bound.region);
        } else {
            return true;
        }
        false
    }

    /// Quasi-velocities, which [`Self::place_speed`] gives their indices, and rotations.
    fn collect_kinematics(&mut self, system: &ast::System, errors: &mut Errors) {
        for declared in &system.velocities {
            self.declare(&declared.name, Entity::Speed(0), errors);
        }
        let n = system.coordinates.len();
        for (index, declared) in system.rotations.iter().enumerate() {
            self.declare(&declared.name, Entity::Rotation(index), errors);
            for (axis, speed) in declared.speeds.iter().enumerate() {
                self.declare(speed, Entity::Speed(n + 3 * index + axis), errors);
            }
            for component in 0..4 {
                let position = n + 4 * index + component;
                let ident = Ident {
                    text: self.layout.positions[position].clone(),
                    region: declared.name.region,
                };
                self.declare(&ident, Entity::Component(position), errors);
            }
        }
    }

    /// Takes in which entry of v a quasi-velocity has become.
    pub(crate) fn place_speed(&mut self, ident: &Ident, speed: usize) {
        if let Some(place) = self.places.get(&ident.name().key) {
            self.entries[*place].1 = Entity::Speed(speed);
        }
    }

    /// `dx` cannot be declared beside a coordinate, function or `let` called `x`, nor `f_x` beside a
    /// function f of x.
    fn check_differentials(&self, system: &ast::System, errors: &mut Errors) {
        let idents = system
            .coordinates
            .iter()
            .map(|d| &d.name)
            .chain(system.parameters.iter().map(|d| &d.name))
            .chain(system.inputs.iter().map(|d| &d.name))
            .chain(system.lets.iter().map(|d| &d.name))
            .chain(system.functions.iter().map(|d| &d.name))
            .chain(system.velocities.iter().map(|d| &d.name))
            .chain(system.rotations.iter().flat_map(|r| r.speeds.iter().chain([&r.name])));
        for ident in idents {
            let key = ident.name().key;
            let of = self.functions.iter().position(|f| f.key != key && f.orders(&key).is_some());
            if let Some(of) = of {
                let function = system.functions[of].name.text.clone();
                Mistake::IsPartial { name: ident.text.clone(), function }
                    .report(errors, ident.region);
            }
            let Some(base) = name::split_differential(&ident.text) else { continue };
            if self.find(&Name::parse(base).key).is_some_and(Entity::has_differential) {
                Mistake::Differential { name: ident.text.clone(), base: base.to_owned() }
                    .report(errors, ident.region);
            }
        }
    }

    /// Rows, contacts, events, scenarios and claims have names of their own kind.
    fn collect_items(&mut self, system: &ast::System, errors: &mut Errors) {
        let rows: Vec<&Ident> =
            system.constraints.iter().chain(&system.holonomic).map(|row| &row.name).collect();
        self.rows = distinct("constraint", &rows, errors);
        let contacts: Vec<&Ident> = system.contacts.iter().map(|c| &c.name).collect();
        self.contacts = distinct("contact", &contacts, errors);
        let declared =
            |resists: &Resists| resists.friction.as_ref().and(resists.motion.as_ref()).cloned();
        let slips = |contact: &ast::Contact| {
            let mut slips =
                contact.resists.each_ref().map(|resists| declared(resists).map(Slipping::Written));
            let told = matches!(contact.gap, Gap::Surface(_)).then_some(&contact.resists[0]);
            if told.is_some_and(|slip| slip.friction.is_some()) {
                slips[0] = Some(Slipping::Told(contact.gap.clone()));
            }
            slips
        };
        self.slips = system.contacts.iter().map(slips).collect();
        let rough = system.row_frictions.iter();
        self.rough_rows = rough.map(|row| (row.name.name().key, declared(&row.resists))).collect();
        for contact in &system.contacts {
            let rows: Vec<&Ident> = contact.rows.iter().map(|row| &row.name).collect();
            self.contact_rows.push(distinct("constraint", &rows, errors));
        }
        let events: Vec<&Ident> = system.events.iter().map(|e| &e.name).collect();
        distinct("event", &events, errors);
        let outputs: Vec<&Ident> = system.outputs.iter().map(|output| &output.name).collect();
        distinct("output", &outputs, errors);
        let scenarios: Vec<&Ident> = system.scenarios.iter().map(|s| &s.name).collect();
        distinct("scenario", &scenarios, errors);
        let claims: Vec<&Ident> = system
            .claims
            .iter()
            .map(|c| &c.name)
            .chain(system.errata.iter().map(|e| &e.name))
            .chain(system.sentences.iter().map(|s| &s.name))
            .collect();
        distinct("claim", &claims, errors);
    }

    /// What a key stands for.
    pub(crate) fn find(&self, key: &str) -> Option<Entity> {
        self.places.get(key).map(|place| self.entries[*place].1)
    }

    /// Whether a function is declared of so many arguments.
    pub(crate) fn has_arguments(&self, function: usize, count: usize) -> bool {
        self.functions.get(function).is_some_and(|names| names.arguments.len() == count)
    }

    /// The function or partial of a key: the function's index and the orders.
    pub(crate) fn partial(&self, key: &str) -> Option<(usize, Orders)> {
        match self.find(key) {
            Some(Entity::Function(index)) => Some((index, Orders::default())),
            Some(_) => None,
            None => (self.functions.iter().enumerate())
                .find_map(|(index, function)| Some((index, function.orders(key)?))),
        }
    }

    /// The function whose partial a key could be, were its suffix made of arguments.
    pub(crate) fn function_of(&self, key: &str) -> Option<usize> {
        let is_prefix = |f: &FunctionNames| {
            key.strip_prefix(&f.key).is_some_and(|suffix| suffix.starts_with('_'))
        };
        self.functions.iter().position(is_prefix)
    }

    /// Takes in which rows of A the declared rows have become, in their order.
    pub(crate) fn place_rows(&mut self, places: Vec<Shaped<Option<usize>>>) {
        self.row_places = places;
    }

    /// The rows of A of a declared row.
    pub(crate) fn row(&self, ident: &Ident) -> Option<&Shaped<Option<usize>>> {
        let key = ident.name().key;
        self.row_places.get(self.rows.iter().position(|row| *row == key)?)
    }

    /// Whether an output of this name is declared.
    pub(crate) fn declares_output(&self, name: &Name) -> bool {
        self.outputs.contains(&name.key)
    }

    /// Whether a row of this name is declared, whatever it has become.
    pub(crate) fn declares_row(&self, ident: &Ident) -> bool {
        self.rows.contains(&ident.name().key)
    }

    /// Takes in what the rows of the next contact have become.
    pub(crate) fn place_contact_rows(&mut self, places: Vec<Shaped<Option<usize>>>) {
        self.contact_row_places.push(places);
    }

    /// Whether a contact declares such a row.
    pub(crate) fn has_contact_row(&self, contact: usize, row: &Ident) -> bool {
        let key = row.name().key;
        self.contact_rows.get(contact).is_some_and(|rows| rows.contains(&key))
    }

    /// The own rows of a contact that a declared row of it has become.
    pub(crate) fn contact_row(
        &self,
        contact: usize,
        row: &Ident,
    ) -> Option<&Shaped<Option<usize>>> {
        let key = row.name().key;
        let declared = self.contact_rows.get(contact)?.iter().position(|row| *row == key)?;
        self.contact_row_places.get(contact)?.get(declared)
    }

    /// The nearest row of a contact.
    pub(crate) fn nearest_contact_row(&self, contact: usize, row: &Ident) -> Option<String> {
        let rows = self.contact_rows.get(contact)?;
        self.near(&row.name().key, rows.iter().map(String::as_str)).map(str::to_owned)
    }

    /// The contact of a name.
    pub(crate) fn contact(&self, ident: &Ident) -> Option<usize> {
        let key = ident.name().key;
        self.contacts.iter().position(|contact| *contact == key)
    }

    /// The declared name nearest to one that is not declared, with its dots.
    pub(crate) fn nearest(&self, name: &Name) -> Option<String> {
        self.nearest_of(name, |_| true).map(|near| near.unicode())
    }

    /// The nearest differential to that of an undeclared name.
    pub(crate) fn nearest_differential(&self, base: &str) -> Option<String> {
        let near = self.nearest_of(&Name::parse(base), Entity::has_differential)?;
        Some(name::differential(&near.unicode()))
    }

    /// The nearest coordinate, or speed with a name of its own, whatever its derivative.
    pub(crate) fn nearest_coordinate(&self, name: &Name) -> Option<String> {
        let near = self.nearest_of(name, |e| matches!(e, Entity::Coordinate(_) | Entity::Speed(_)));
        near.map(|near| near.display)
    }

    /// The nearest velocity: that of a coordinate, or one with a name of its own.
    pub(crate) fn nearest_velocity(&self, name: &Name) -> Option<String> {
        let near =
            self.nearest_of(name, |e| matches!(e, Entity::Coordinate(_) | Entity::Speed(_)))?;
        let of_coordinate = matches!(self.find(&near.key), Some(Entity::Coordinate(_)));
        Some(name::dotted(&near.display, u8::from(of_coordinate)))
    }

    /// The nearest entry of the state, or input.
    pub(crate) fn nearest_state(&self, name: &Name) -> Option<String> {
        let state = |e| {
            matches!(
                e,
                Entity::Coordinate(_) | Entity::Speed(_) | Entity::Rotation(_) | Entity::Input(_)
            )
        };
        self.nearest_of(name, state).map(|near| near.unicode())
    }

    /// The nearest of what a claim of a motion may set or vary.
    pub(crate) fn nearest_varied(&self, name: &Name) -> Option<String> {
        let varied = |e| {
            matches!(
                e,
                Entity::Parameter(_) | Entity::Input(_) | Entity::Coordinate(_) | Entity::Speed(_)
            )
        };
        self.nearest_of(name, varied).map(|near| near.unicode())
    }

    /// The nearest of some names, while there is time for it.
    pub(crate) fn near<'n>(
        &self,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        self.looks.nearest(name, names)
    }

    /// The derivative that a name is elsewhere, `xdot` for ẋ, or the nearest name with the dots of this one.
    fn nearest_of(&self, name: &Name, wanted: impl Fn(Entity) -> bool) -> Option<Name> {
        if let Some(derivative) = self.derivative_elsewhere(name, &wanted) {
            return Some(derivative);
        }
        let entries: Vec<&Name> =
            self.entries.iter().filter(|(_, e)| wanted(*e)).map(|(n, _)| n).collect();
        let keys = entries.iter().map(|n| n.key.as_str());
        let near = self.near(&name.key, keys)?.to_owned();
        let found = entries.into_iter().find(|entry| entry.key == near)?;
        Some(Name { display: found.display.clone(), key: near, ..name.clone() })
    }

    /// ẋ of what is declared, where the name is one of the ways in which others write it.
    fn derivative_elsewhere(&self, name: &Name, wanted: impl Fn(Entity) -> bool) -> Option<Name> {
        name::elsewhere::derivatives(&name.key).find_map(|(base, dots)| {
            let entity = self.find(base).filter(|e| e.has_differential() && wanted(*e))?;
            let (declared, _) = self.entries.iter().find(|(_, other)| *other == entity)?;
            let dots = name.dots.saturating_add(dots);
            Some(Name {
                key: base.to_owned(),
                display: declared.display.clone(),
                dots,
                ..name.clone()
            })
        })
    }

    /// The nearest constraint row.
    pub(crate) fn nearest_row(&self, ident: &Ident) -> Option<String> {
        self.near(&ident.name().key, self.rows.iter().map(String::as_str)).map(str::to_owned)
    }

    /// What slips, rolls or spins at a contact with resistance against it.
    pub(crate) fn slip(&self, contact: usize, resisted: Resisted) -> Option<&Slipping> {
        self.slips.get(contact)?[resisted as usize].as_ref()
    }

    /// What slips along a row with friction.
    pub(crate) fn slip_along(&self, row: &Ident) -> Option<&Expr> {
        let key = row.name().key;
        self.rough_rows.iter().find(|(known, _)| *known == key)?.1.as_ref()
    }

    /// The nearest contact.
    pub(crate) fn nearest_contact(&self, ident: &Ident) -> Option<String> {
        self.near(&ident.name().key, self.contacts.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Takes back the names that a motion declared.
    pub(crate) fn forget_constants(&mut self) {
        self.entries.retain(|(_, entity)| !matches!(entity, Entity::Constant(_)));
        let keys = self.entries.iter().map(|(name, _)| name.key.clone());
        self.places = keys.zip(0..).collect();
    }
}

fn is_reserved(key: &str) -> bool {
    RESERVED.contains(&key) || Function::from_name(key).is_some()
}

/// The keys of names, a second one of a kind reported.
fn distinct(what: &'static str, idents: &[&Ident], errors: &mut Errors) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut seen = FxHashSet::default();
    for ident in idents {
        let name = ident.name();
        // Columns are called without the dot, and two that differ in it alike.
        let is_lost = what == "output" || seen.contains(&name.key);
        if what != "claim" && !name.is_plain() && is_lost {
            Mistake::DottedName { name: ident.text.clone(), base: name.display }
                .report(errors, ident.region);
        } else if !seen.insert(name.key.clone()) {
            Mistake::Duplicate { what, name: ident.text.clone() }.report(errors, ident.region);
        }
        keys.push(name.key);
    }
    keys
}
