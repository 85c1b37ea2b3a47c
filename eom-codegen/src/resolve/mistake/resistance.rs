//! What is said of friction at contacts and constraints, and of resistance against rolling and spinning.

use eom_symbolic::mechanics::Resisted;

use crate::resolve::expression::context::ExprContext;

type Words = (String, Option<String>);

/// What the velocity is, as it is written.
const fn example(resisted: Resisted) -> &'static str {
    match resisted {
        Resisted::Slip => {
            "the velocity of one body along the other: `slip = ẋ;`, in a plane `slip = [ẋ, ẏ];`; of a point on a surface `point` and `surface` tell it"
        }
        Resisted::Roll => {
            "the angular velocity of one body on the other along the surface: `roll = θ̇;`, of a ball `roll = [ω_1, ω_2];`"
        }
        Resisted::Spin => {
            "the angular velocity of one body on the other about the normal: `spin = ω_3;`"
        }
    }
}

/// The coefficient as it is written.
const fn coefficient(resisted: Resisted) -> &'static str {
    match resisted {
        Resisted::Slip => "friction = μ;",
        Resisted::Roll => "rolling = δ;",
        Resisted::Spin => "spinning = δ;",
    }
}

/// A velocity that nothing acts on.
pub(super) fn without(of: &str, resisted: Resisted) -> Words {
    let (motion, add) = (resisted.motion(), coefficient(resisted));
    let message = match resisted {
        Resisted::Slip => format!("{of} slips without friction"),
        Resisted::Roll => format!("{of} rolls without resistance"),
        Resisted::Spin => format!("{of} spins without resistance"),
    };
    (message, Some(format!("add `{add}`, or leave the {motion} out")))
}

/// A coefficient of no velocity.
pub(super) fn of_nothing(of: &str, resisted: Resisted) -> Words {
    let (has, does) = match resisted {
        Resisted::Slip => ("friction", "slips"),
        Resisted::Roll => ("rolling resistance", "rolls"),
        Resisted::Spin => ("spinning resistance", "spins"),
    };
    let message = format!("{of} has {has}, and does not say what {does}");
    (message, Some(format!("add {}", example(resisted))))
}

/// Too many velocities.
pub(super) fn size(found: &str, resisted: Resisted, most: usize) -> Words {
    let motion = resisted.motion();
    let count = match most {
        1 => "one velocity",
        2 => "one velocity or two",
        _ => "of one to three velocities",
    };
    let message = format!("a {motion} is {count}, and this is {found}");
    let help = match resisted {
        Resisted::Slip => "write the velocities along the surface: `slip = [ẋ, ẏ];`".to_owned(),
        Resisted::Roll | Resisted::Spin => format!("write {}", example(resisted)),
    };
    (message, Some(help))
}

/// Nothing that moves.
pub(super) fn still(resisted: Resisted) -> Words {
    let motion = resisted.motion();
    (
        format!("this {motion} holds no velocity: nothing acts on it"),
        Some(format!("write {}", example(resisted))),
    )
}

/// What moves along the normal.
pub(super) fn along_gap(contact: &str) -> Words {
    (
        format!(
            "this slip is the rate of the gap of `{contact}`: while it is closed both are zero"
        ),
        Some(format!("write {}", example(Resisted::Slip))),
    )
}

/// Coefficients of directions where they have no meaning.
pub(super) fn pair(resisted: Resisted) -> Words {
    let (motion, word) = (resisted.motion(), resisted.word());
    (
        format!(
            "coefficients of directions belong to a {motion} of as many velocities, and are the same at rest"
        ),
        Some(format!("write `{motion} = […, …]; {word}([μ_x, μ_y]);`, or one coefficient")),
    )
}

/// The force of what there is not.
pub(super) fn none(contact: &str, resisted: Resisted) -> Words {
    let (motion, add) = (resisted.motion(), coefficient(resisted));
    let (message, what) = match resisted {
        Resisted::Slip => (format!("`{contact}` has no friction"), "what slips at it"),
        Resisted::Roll => (format!("`{contact}` has no rolling resistance"), "what rolls on it"),
        Resisted::Spin => (format!("`{contact}` has no spinning resistance"), "what spins on it"),
    };
    (message, Some(format!("declare {what}, and how much it holds: `{motion} = …; {add}`")))
}

/// The friction of a row that has some.
pub(super) fn twice(row: &str) -> Words {
    (format!("the friction of `{row}` is declared twice"), Some("keep one of them".to_owned()))
}

/// A claim at a contact with friction.
pub(super) fn claim_at(contact: &str) -> Words {
    (
        format!("contact `{contact}` has friction, of whose impulses claims know nothing"),
        Some("state it of a contact without friction, or test it on a run".to_owned()),
    )
}

/// A claim of a closed contact that does one thing or another.
pub(super) fn sticks_or_slides(contact: &str) -> Words {
    (
        format!("contact `{contact}` has friction: it sticks or slides"),
        Some(format!("write `closed {contact} sticks` or `closed {contact} slides`")),
    )
}

/// What a contact with friction cannot have.
pub(super) fn beside(contact: &str, what: &str) -> Words {
    (
        format!("contact `{contact}` has friction and {what}"),
        Some("keep one of them; the friction acts at the impact as well".to_owned()),
    )
}

/// Friction of a matrix of rows.
pub(super) fn of_many(row: &str) -> Words {
    (
        format!(
            "`{row}` is a matrix of constraints: friction is that of a row, or of a vector of them"
        ),
        Some("declare those that press together as a vector by itself".to_owned()),
    )
}

/// What a contact cannot have where a constraint has friction.
pub(super) fn beside_row(row: &str, contact: &str, what: &str) -> Words {
    (
        format!("constraint `{row}` has friction, and contact `{contact}` has {what}"),
        Some(
            "the friction acts at impacts, too: give the contact `elastic`, `plastic`, `restitution(e)` or `poisson(e)`, \
             all struck together"
                .to_owned(),
        ),
    )
}

/// The friction of a constraint that has none.
pub(super) fn no_row(row: &str) -> Words {
    (
        format!("`{row}` has no friction"),
        Some(format!(
            "declare what slips along it, and how much it holds: `row {row} {{ slip = …; friction = μ; }}`"
        )),
    )
}

/// A claim of what the friction of a constraint takes part in.
pub(super) fn claim(row: &str) -> Words {
    (
        format!(
            "constraint `{row}` has friction, which acts on accelerations, multipliers and impacts: claims know nothing of it"
        ),
        Some("claim it `of` a scenario, or test it on a run".to_owned()),
    )
}

/// A coefficient that changes with a velocity.
pub(super) fn of_velocity(name: &str, what: &str) -> Words {
    let (place, allowed) = ExprContext::Friction.words();
    let message = format!("`{name}` is {what}: {place} depends on {allowed} only");
    let help = "write `friction(μ_s, μ);`, of what rests and of what slides; what the slip changes at a contact `c` is a force \
                beside: `friction = μ_s;` and `force x = λ(c)*(μ_s - μ)*tanh(ẋ/v_s);`";
    (message, Some(help.to_owned()))
}

/// A coefficient below zero.
pub(super) fn negative(value: &str) -> Words {
    let message = format!("the coefficient of friction is {value}: it must not be negative");
    (message, Some("friction takes energy away: change the sign".to_owned()))
}

/// What sticks is held by less than what slides.
pub(super) fn order() -> Words {
    let message = "what sticks is held by less than what slides".to_owned();
    (message, Some("write `friction(μ_s, μ)` with μ_s ≥ μ".to_owned()))
}
