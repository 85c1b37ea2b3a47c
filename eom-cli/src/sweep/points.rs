//! Figures of the tables of a sweep: points for each run or for each of its events, a field over two swept names.

use crate::names::{Target, speeds, speeds_ascii};
use crate::output::columns;
use crate::plot::{self, At, Axes, Field, Look, Series};
use crate::run::plan::Plan;
use crate::scenario::Values;
use crate::sweep::record::{Record, summary};
use eom_core::Counted;
use eom_core::info::SystemInfo;
use eom_interpreter::motion::numbers;
use eom_interpreter::names::unit;
use eom_sweep::table::{Cell, Column};
use models::scene::{Axis, Quantity};

/// A figure of tables.
#[derive(Debug, Clone)]
pub(crate) struct TableFigure {
    x: Vec<Place>,
    y: Vec<Place>,
    /// The events of which there is a point each; without them there is one for each run.
    pub(crate) at: Option<At>,
}

/// A column.
#[derive(Debug, Clone)]
struct Place {
    name: String,
    /// Its place in the row of a run, or of an event.
    index: usize,
    of_event: bool,
}

impl TableFigure {
    /// The figure that axes ask for; none where they are numbers along the motion, or no columns.
    pub(crate) fn new(plan: &Plan, axes: &Axes) -> Result<Option<Self>, String> {
        if !plan.is_sweep() {
            return Ok(None);
        }
        let info = plan.model.info;
        let at = axes.at.as_ref().map(|at| At::parse(at, info)).transpose()?;
        // The number of the run stands first in the tables, and in no record.
        let of_runs = &summary(plan)[1..];
        let of_events: Vec<Column> = if at.is_some() { columns::events(info) } else { Vec::new() };
        let place = |name: &String| {
            let find = |columns: &[Column]| columns.iter().position(|column| column.name == *name);
            let event = find(&of_events).map(|index| (index, true));
            let (index, of_event) = event.or(find(of_runs).map(|index| (index, false)))?;
            Some(Place { name: name.clone(), index, of_event })
        };
        let places = |names: &[String]| names.iter().map(place).collect::<Option<Vec<Place>>>();
        let (Some(x), Some(y)) = (places(&axes.x), places(&axes.y)) else {
            return if at.is_some() || axes.x.len() > 1 {
                Err(unknown(of_runs, &of_events, axes))
            } else {
                Ok(None)
            };
        };
        let of_motion = numbers(info);
        let moves = |place: &Place| of_motion.iter().any(|(name, ..)| *name == place.name);
        let is_motion = x.iter().chain(&y).all(moves) && at.is_none() && x.len() == 1;
        Ok((!is_motion).then_some(Self { x, y, at }))
    }

    /// What names of files call the axes.
    pub(crate) fn words(&self) -> Vec<String> {
        self.x.iter().chain(&self.y).map(|place| plot::word(&place.name)).collect()
    }

    /// The SVG of all records.
    pub(crate) fn svg(
        &self,
        plan: &Plan,
        records: &[Record],
        look: &Look,
    ) -> Result<String, String> {
        let title = plan.model.title.as_str();
        let runs = Counted(records.len() as u64, "run");
        if self.x.len() == 2 {
            let field = self.field(plan, records)?;
            return plot::heat((title, &runs.to_string()), &field, look);
        }
        let series: Vec<Series> = self
            .y
            .iter()
            .map(|y| Series {
                label: if self.y.len() > 1 { y.name.clone() } else { String::new() },
                points: self.points(plan, records, y, look),
            })
            .collect();
        let count: usize = series.iter().map(|series| series.points.len()).sum();
        let detail = format!("{} of {runs}", Counted(count as u64, "point"));
        let x = axis(plan, &self.x[0].name);
        let y: Vec<Axis> = self.y.iter().map(|y| axis(plan, &y.name)).collect();
        plot::points((title, &detail), [&x, &plot::common(&y)], &series, look)
    }

    /// The points of one number over the first: of each run, or of each of its events.
    fn points(&self, plan: &Plan, records: &[Record], y: &Place, look: &Look) -> Vec<[f64; 2]> {
        let Some(x) = self.x.first() else { return Vec::new() };
        let mut points = Vec::new();
        for record in records {
            match self.at {
                None => points.push([x.value(record, &[]), y.value(record, &[])]),
                Some(at) => {
                    let wanted = record.events.iter().filter(|row| is_at(at, row, plan.model.info));
                    let wanted = wanted.map(|row| [x.value(record, row), y.value(record, row)]);
                    points.extend(look.last(wanted.collect()));
                }
            }
        }
        points.retain(|point| point.iter().all(|number| number.is_finite()));
        points
    }

    /// The values over two swept names.
    fn field(&self, plan: &Plan, records: &[Record]) -> Result<Field, String> {
        let info = plan.model.info;
        let swept =
            |place: &Place| plan.axes.iter().position(|axis| axis.target.ascii(info) == place.name);
        let found: Option<Vec<usize>> = self.x.iter().map(swept).collect();
        let axes = match found.as_deref() {
            Some(&[a, b]) if a != b && plan.axes.len() == 2 && plan.starts.len() == 1 => [a, b],
            _ => {
                return Err(
                    "a heat map is over the two names that are swept, and no others".to_owned()
                );
            }
        };
        let lists = axes.map(|axis| match &plan.axes[axis].values {
            Values::Listed(values) => Some(values.clone()),
            _ => None,
        });
        let [Some(x), Some(y)] = lists else {
            return Err(
                "a heat map is over names with lists or ranges, not over random ones".into()
            );
        };
        let places = [x, y].map(|mut values| {
            values.sort_by(f64::total_cmp);
            values.dedup();
            values
        });
        let mut values = vec![f64::NAN; places[0].len() * places[1].len()];
        for record in records {
            let (_, point) = plan.point(record.run);
            let at = [0, 1].map(|k| places[k].iter().position(|value| *value == point[axes[k]]));
            if let [Some(i), Some(j)] = at {
                values[j * places[0].len() + i] = self.y[0].value(record, &[]);
            }
        }
        let named = [&self.x[0], &self.x[1], &self.y[0]].map(|place| axis(plan, &place.name));
        Ok(Field { axes: named, places, values })
    }
}

impl Place {
    /// Its number in a run or in one of its events; not a number where there is none.
    fn value(&self, record: &Record, event: &[Cell]) -> f64 {
        let row = if self.of_event { event } else { &record.summary[..] };
        match row.get(self.index) {
            Some(Cell::Number(value)) => *value,
            Some(Cell::Count(count)) => *count as f64,
            _ => f64::NAN,
        }
    }
}

/// Whether a row of events tells of one of them.
fn is_at(at: At, row: &[Cell], info: &SystemInfo) -> bool {
    let (Some(Cell::Text(kind)), Some(Cell::Text(names))) = (row.get(1), row.get(2)) else {
        return false;
    };
    match at {
        At::Impacts => kind == "impact",
        At::Contact(contact) => {
            kind == "impact" && names.split('+').any(|name| name == info.contacts[contact].ascii)
        }
        At::Event(event) => kind == "event" && *names == info.events[event].ascii,
    }
}

/// The axis of a column: what is swept by its own name, with the units that are documented.
pub(crate) fn axis(plan: &Plan, name: &str) -> Axis {
    let info = plan.model.info;
    let swept = plan.axes.iter().find(|axis| axis.target.ascii(info) == name);
    let coordinate = |name: &str| info.coordinates.iter().find(|item| item.ascii == name);
    let (symbol, doc) = match swept.map(|axis| axis.target) {
        Some(target @ Target::Parameter(index)) => (target.name(info), info.parameters[index].doc),
        Some(target @ Target::Coordinate(index)) => {
            (target.name(info), info.coordinates.get(index).map_or("", |item| item.doc))
        }
        Some(target) => (target.name(info), ""),
        None => {
            let parts = [("_end", " at the end"), ("+", "⁺"), ("-", "⁻")];
            let part =
                parts.iter().find_map(|(end, shown)| Some((name.strip_suffix(end)?, *shown)));
            let (base, shown) = part.unwrap_or((name, ""));
            let found = coordinate(base);
            let speed = speeds_ascii(info).iter().position(|speed| speed == base);
            let named = speed.and_then(|index| speeds(info).into_iter().nth(index));
            let named = named.or(found.map(|item| item.name.to_owned()));
            let symbol = named.map_or(name.to_owned(), |named| format!("{named}{shown}"));
            (symbol, found.map_or("", |item| item.doc))
        }
    };
    Axis { quantity: Quantity::Time, symbol, unit: unit(doc).to_owned() }
}

fn unknown(of_runs: &[Column], of_events: &[Column], axes: &Axes) -> String {
    let known: Vec<&str> =
        of_events.iter().chain(of_runs).map(|column| column.name.as_str()).collect();
    let all = axes.x.iter().chain(&axes.y);
    let missing = all.filter(|name| !known.contains(&name.as_str()));
    let missing: Vec<String> = missing.map(|name| format!("`{name}`")).collect();
    format!("there is no column {}\n  columns: {}", missing.join(", "), known.join(", "))
}
