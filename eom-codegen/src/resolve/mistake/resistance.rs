//! What is said of friction at contacts, and of resistance against rolling and spinning.

use eom_symbolic::mechanics::Resisted;

type Words = (String, Option<String>);

/// What the velocity is, as it is written.
const fn example(resisted: Resisted) -> &'static str {
    match resisted {
        Resisted::Slip => {
            "the velocity of one body along the other: `slip = ẋ;`, in a plane `slip = [ẋ, ẏ];`"
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
pub(super) fn without(contact: &str, resisted: Resisted) -> Words {
    let (motion, add) = (resisted.motion(), coefficient(resisted));
    let message = match resisted {
        Resisted::Slip => format!("contact `{contact}` slips without friction"),
        Resisted::Roll => format!("contact `{contact}` rolls without resistance"),
        Resisted::Spin => format!("contact `{contact}` spins without resistance"),
    };
    (message, Some(format!("add `{add}`, or leave the {motion} out")))
}

/// A coefficient of no velocity.
pub(super) fn of_nothing(contact: &str, resisted: Resisted) -> Words {
    let (has, does) = match resisted {
        Resisted::Slip => ("friction", "slips"),
        Resisted::Roll => ("rolling resistance", "rolls"),
        Resisted::Spin => ("spinning resistance", "spins"),
    };
    let message = format!("contact `{contact}` has {has}, and does not say what {does}");
    (message, Some(format!("add {}", example(resisted))))
}

/// Too many velocities.
pub(super) fn size(found: &str, resisted: Resisted) -> Words {
    let motion = resisted.motion();
    let count = if resisted.components() > 1 { "one velocity or two" } else { "one velocity" };
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

/// Coefficients of directions where they have no meaning.
pub(super) fn pair(resisted: Resisted) -> Words {
    let (motion, word) = (resisted.motion(), resisted.word());
    (
        format!(
            "coefficients of two directions belong to a {motion} of two velocities, and are the same at rest"
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
