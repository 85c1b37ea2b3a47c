//! Objects of JSON from lists of fields: one loop makes them all, where `json!` is code for each field, a hundredth of an
//! engine in a browser.

use serde_json::{Map, Value};

/// `object!({ "name": value, … })`, of what [`Value`] is made from.
macro_rules! object {
    ({ $($name:literal: $value:expr),* $(,)? }) => {
        $crate::object::of_fields(&mut [$(($name, serde_json::Value::from($value))),*])
    };
}
pub(crate) use object;

/// The object of these fields.
pub(crate) fn of_fields(fields: &mut [(&str, Value)]) -> Value {
    let mut object = Map::new();
    for (name, value) in fields {
        object.insert((*name).to_owned(), value.take());
    }
    Value::Object(object)
}
