//! What functions without brackets hold, in formulas of waves and swings.

use eom_codegen::derive_source;

/// What waves and swings are printed with.
const WAVES: &str = "coordinates { x, θ, θ_1, ψ } inputs { F }
    parameters { ω = 2 where ω > 0, n = 3, k = 1 where k > 0, m = 1 where m > 0, α = 0.1, arm = 2 where arm > 0 }
    function f(x, θ);
    let r_B = [x, θ];
    kinetic = m/2*(ẋ^2 + θ̇^2 + θ̇_1^2 + ψ̇^2); force x = F*f*arm; potential = α*n*k*ω*x;";

fn of_waves(tex: &str) -> String {
    let source = format!("system S {{ {WAVES} claim c: tex r\"{tex}\"; }}");
    let found = derive_source(&source).err().unwrap_or_default();
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The argument of a function without brackets is a product of constants and what they stand before; `(t)` is no factor.
#[test]
fn arguments_end_where_readers_end_them() {
    for tex in [
        r"\sin\omega t = 2\sin\left(\frac{\omega t}{2}\right)\cos\left(\frac{\omega t}{2}\right)",
        r"\cos\omega t + \psi = \psi + \cos(\omega t), \quad \sin n\theta\cos n\theta = \frac12\sin(2n\theta)",
        r"\sin 2\theta\cos\theta = 2\sin\theta\cos^2\theta, \quad \cos^2\frac12\theta = \frac{1 + \cos\theta}{2}",
        r"\cos^2\frac{\theta}{2} = \frac{1 + \cos\theta}{2}, \quad \cos 2\pi x = 1 - 2\sin^2(\pi x)",
        r"\sin 2kx = 2\sin kx\cos kx, \quad \cos\frac{\pi}{2}x\dot{x} = \dot{x}\cos(\pi x/2), \quad \sin k = \sin(k)",
        r"\sin\sqrt{\frac{k}{m}}\,t = \sin\left(t\sqrt{\frac{k}{m}}\right), \quad \cos{kx} = \cos(kx)",
        r"\sin x\,\psi = \psi\sin(x), \quad \sin x\,(x + \psi) = (x + \psi)\sin(x), \quad \sin\theta\psi = \psi\sin(\theta)",
        r"x(t) = x, \quad \theta_1(t) = \theta_1, \quad \dot\theta(t)^2 = \dot\theta\dot\theta, \quad F(t) = F",
        r"\frac{d}{dt}\theta(t) = \dot\theta, \quad \sin\theta(t)\cos\theta(t) = \frac12\sin 2\theta, \quad \frac{dx(t)}{dt} = \dot{x}",
        // As SymPy prints it.
        r"\frac{d}{d t} x{\left(t \right)} = \dot{x}, \quad \sin{\left(2 \theta{\left(t \right)} \right)} = 2\sin\theta\cos\theta",
        r"\text{sin}(x) = \sin x, \quad \mbox{cos}\theta = \cos\theta, \quad \operatorname{erf}(-x) = -\operatorname{erf} x",
        // As this program prints it.
        r"f_{x} \dot{x} + f_{\theta} \dot{\theta} = \frac{df}{dt}, \quad \mathrm{arm} = \frac{\mathrm{arm}^2}{\mathrm{arm}}",
        r"r_{B,1} = x, \quad \dot{r}_{B,2} = \dot{\theta}",
    ] {
        let found = of_waves(tex);
        assert!(found.is_empty(), "{tex}\n{found}");
    }
    for tex in [
        r"\sin kx = x\sin(k)",
        r"\sin\omega t = t\sin(\omega)",
        r"\cos 2\pi x = x",
        r"\cos\frac12 x = x\cos(1/2)",
        r"\sin n\theta = \theta\sin(n)",
        r"\sin x\,\psi = \sin(x\psi)",
        r"\cos\omega t + \psi = \cos(\omega t + \psi)",
        r"\text{sin}(x) = x",
        r"\sin{\left(\theta{\left(t \right)} \right)} = \sin(\theta t)",
        r"f_x = f",
        r"r_{B,1} = \theta",
    ] {
        let found = of_waves(tex);
        assert!(found.contains("does not follow"), "{tex}\n{found}");
    }
}

/// What has two readings is refused.
#[test]
fn arguments_that_may_end_elsewhere_are_refused() {
    let sine = r"where the argument of `\sin` ends";
    let value = "may be a value or a product";
    let table = [
        (r"\sin x\psi = 0", sine),
        (r"\sin kx\psi = 0", sine),
        (r"\sin\theta t = 0", sine),
        (r"\sin\alpha\,t = 0", sine),
        (r"\sin k\,x = 0", sine),
        (r"\sin k\cdot x = 0", sine),
        (r"\sin k\,(x + 1) = 0", sine),
        (r"\sin x(x + 1) = 0", sine),
        (r"\sin 2\cdot x = 0", sine),
        (r"\sin\theta/2 = 0", sine),
        (r"\sin{x + \psi} = 0", sine),
        (r"\sin\frac{x}{2}\psi = 0", sine),
        (r"\arcsin x\psi = 0", r"where the argument of `\arcsin` ends"),
        (r"\sinh^{-1} x = 1/\sinh(x)", "the inverse by its own name"),
        (r"\sec^{-1} x = \cos x", "the inverse by its own name"),
        (r"\sec x\psi = 0", r"where the argument of `\sec` ends"),
        (r"e^{-x} = 1", "r\"e\" = exp(1)"),
        (r"\dot{x}_c = 0", "r\"\\dot{x}_c\" = ẋ;"),
        (r"x(t - 1) = 0", value),
        (r"x(\psi) = 0", value),
        (r"m(t) = 0", value),
        (r"\theta(0) = 0", value),
        (r"x(t_0) = 0", value),
        (r"\text{sn}(x) = x", "`\\mathrm{sn}` has no meaning here"),
        (r"f_y = 0", "`f_y` has no meaning here"),
        (r"\dot{x}^{+2} = 0", "expected an exponent without a sign"),
        (r"\begin{pmatrix} m & \\ & m \end{pmatrix} = (m, m)", "expected an entry of the matrix"),
        (
            r"\begin{vmatrix} m & x \\ 0 & m \end{vmatrix} = m^2",
            r"`\begin{vmatrix}` is not a command",
        ),
    ];
    for (tex, words) in table {
        let found = of_waves(tex);
        assert!(found.contains(words), "{tex}\nexpected `{words}`, found\n{found}");
    }
}

/// What is nested is read once: each level of these was read twice by the one around it.
#[test]
fn nesting_takes_no_time() {
    let nested =
        |before: &str, behind: &str| format!("{}x{}", before.repeat(40), behind.repeat(40));
    for (before, behind) in [(r"\frac{m ", "}{k}"), (r"\frac{d ", "}{k}"), (r"\sin{(", ")k}")] {
        let found = of_waves(&format!("{} = 0", nested(before, behind)));
        assert!(!found.is_empty(), "{before}");
    }
}
