//! Bodies over which something is spread: integrals over their length or area.

eom_core::lagrangian! {
    /// A thin rod on a rough plane; the closed forms of its friction are claims.
    pub system Rod {
        document "David Eberly, Rough Plane Analysis, section 4";
        coordinates { x, y, θ }
        parameters {
            /// Mass by length.
            δ_0 = 1 where δ_0 > 0,
            /// From the origin of x, y to one end.
            L1 = 1 where L1 > 0,
            /// To the other.
            L2 = 1/2 where L2 > 0,
            /// Friction by length.
            c = 3/10 where c > 0,
        }
        let λ1 = ẋ*cos(θ) + ẏ*sin(θ);
        let λ2 = -ẋ*sin(θ) + ẏ*cos(θ);
        let z0 = (λ2 - L2*θ̇)/λ1;
        let z1 = (λ2 + L1*θ̇)/λ1;
        kinetic = integral(δ_0/2*norm([ẋ - L*θ̇*sin(θ), ẏ + L*θ̇*cos(θ)])^2, L in -L2..L1);
        dissipation = integral(c*norm([ẋ - L*θ̇*sin(θ), ẏ + L*θ̇*cos(θ)]), L in -L2..L1);
        scenario spin { ẋ = 0.4; ẏ = 0.3; θ̇ = 3; until t = 1/2; }

        claim mu_0: integral(δ_0, L in -L2..L1) = δ_0*(L1 + L2);
        claim mu_2: integral(δ_0*L^2, L in -L2..L1) = δ_0*(L1^3 + L2^3)/3;
        claim eq_force_x: force(x) = integral(-c*(ẋ - L*θ̇*sin(θ))
            /sqrt((ẋ - L*θ̇*sin(θ))^2 + (ẏ + L*θ̇*cos(θ))^2), L in -L2..L1);
        claim eq_force_θ: force(θ) = integral(-c*L*(-ẋ*sin(θ) + ẏ*cos(θ) + L*θ̇)
            /sqrt(λ1^2 + (λ2 + L*θ̇)^2), L in -L2..L1);
        claim eq_J0: integral(1/sqrt(1 + z^2), z in z0..z1)
            = ln(z1 + sqrt(1 + z1^2)) - ln(z0 + sqrt(1 + z0^2));
        claim eq_J1: integral(z/sqrt(1 + z^2), z in z0..z1) = sqrt(1 + z1^2) - sqrt(1 + z0^2);
        claim eq_J2: integral(z^2/sqrt(1 + z^2), z in z0..z1)
            = z1/2*sqrt(1 + z1^2) - ln(z1 + sqrt(1 + z1^2))/2
            - z0/2*sqrt(1 + z0^2) + ln(z0 + sqrt(1 + z0^2))/2;
        claim eq_I2: integral(L^2/sqrt(λ1^2 + (λ2 + L*θ̇)^2), L in -L2..L1)
            = λ1/(abs(λ1)*θ̇^3)*(λ1^2*integral(z^2/sqrt(1 + z^2), z in z0..z1)
            - 2*λ1*λ2*integral(z/sqrt(1 + z^2), z in z0..z1)
            + λ2^2*integral(1/sqrt(1 + z^2), z in z0..z1));
        claim eq_force_by_I: force(x) = -c*(ẋ*integral(1/sqrt(λ1^2 + (λ2 + L*θ̇)^2), L in -L2..L1)
            - θ̇*sin(θ)*integral(L/sqrt(λ1^2 + (λ2 + L*θ̇)^2), L in -L2..L1));
        claim eq_hack: integral(abs(L), L in -L2..L1) = (L1^2 + L2^2)/2;
        claim eq_balance: integral(L/abs(L), L in -L2..L1) = L1 - L2;
    }
}

eom_core::lagrangian! {
    /// A flat board on a rough plane: integrals within integrals.
    pub system Board {
        document "David Eberly, Rough Plane Analysis, section 5";
        coordinates { x, y, θ }
        parameters {
            /// Mass by area.
            δ_0 = 1 where δ_0 > 0,
            /// Half of one side.
            α_0 = 1 where α_0 > 0.1 && α_0 < 3,
            /// Half of the other.
            β_0 = 1/2 where β_0 > 0.1 && β_0 < 3,
            /// Friction by area.
            c = 3/10 where c > 0,
        }
        let R = sqrt(α_0^2 + β_0^2);
        kinetic = integral(integral(δ_0/2*norm([
            ẋ - θ̇*(α*sin(θ) + β*cos(θ)), ẏ + θ̇*(α*cos(θ) - β*sin(θ))
        ])^2, α in -α_0..α_0), β in -β_0..β_0);
        dissipation = integral(integral(c*norm([
            ẋ - θ̇*(α*sin(θ) + β*cos(θ)), ẏ + θ̇*(α*cos(θ) - β*sin(θ))
        ]), α in -α_0..α_0), β in -β_0..β_0);
        scenario spin { ẋ = 0.4; ẏ = 0.3; θ̇ = 3; until t = 1/10; }

        claim energy_of: kinetic = δ_0*α_0*β_0*(2*(ẋ^2 + ẏ^2) + 2/3*(α_0^2 + β_0^2)*θ̇^2);
        erratum eq_mean: integral(integral(sqrt(α^2 + β^2), α in -α_0..α_0), β in -β_0..β_0)
            = 4/3*α_0*β_0*R + α_0^3/2*ln((R + β_0)/(R - β_0)) + β_0^3/2*ln((R + α_0)/(R - α_0));
            corrected: integral(integral(sqrt(α^2 + β^2), α in -α_0..α_0), β in -β_0..β_0)
            = 4/3*α_0*β_0*R + α_0^3/3*ln((R + β_0)/(R - β_0)) + β_0^3/3*ln((R + α_0)/(R - α_0));
        claim eq_square: integral(integral(α^2 + β^2, α in -α_0..α_0), β in -β_0..β_0)
            = 4/3*α_0*β_0*(α_0^2 + β_0^2);
    }
}

eom_core::lagrangian! {
    /// A chain that slides off a curved edge, and whatever else can be integrated: ends that move,
    /// kinks, integrals of integrals, closed forms.
    pub system Slide {
        coordinates { x, y }
        parameters { m = 1 where m > 0, k = 2, l = 1.5 where l > 0 }
        inputs { u }
        kinetic = m/2*(ẋ^2 + ẏ^2*(1 + integral(exp(-s^2*x^2), s in 0..l)));
        potential = k*integral(sqrt(1 + s^4), s in 0..x) + integral(cos(s*y)*x, s in t..l + x^2);
        force x = u*integral(tanh(s*ẋ), s in 0..l);
        output area = integral(integral(exp(-a*b), a in b..x), b in 0..y);
        output kinked = integral(abs(s - x)*sign(s - y)*(1 + u), s in -2..2);
        output twice = integral(s*y, s in 0..integral(exp(-s^2), s in 0..x));
        scenario slide { x = 1/2; ẋ = 1; y = 0.1; u = 1; until t = 2; }

        claim edge: force(x) = u*ln(cosh(l*ẋ))/ẋ;
        claim arctangent: integral(1/(1 + s^2), s in 0..x) = atan(x);
        claim parts: integral(s*exp(s), s in 0..x) = (x - 1)*exp(x) + 1;
        claim order: integral(integral(sin(a*b + x), a in 0..1), b in 0..2)
            = integral(integral(sin(a*b + x), b in 0..2), a in 0..1);
        claim turned: integral(exp(s*y), s in 0..x) = -integral(exp(r*y), r in x..0);
        claim leibniz: m*ẍ = u*integral(tanh(s*ẋ), s in 0..l) - k*sqrt(1 + x^4)
            - integral(cos(s*y), s in t..l + x^2) - 2*x^2*cos((l + x^2)*y)
            - m*ẏ^2*integral(s^2*x*exp(-s^2*x^2), s in 0..l);
        erratum end: m*ẍ = u*integral(tanh(s*ẋ), s in 0..l) - k*sqrt(1 + x^4);
            corrected: m*ẍ + integral(cos(s*y), s in t..l + x^2) + 2*x^2*cos((l + x^2)*y)
                + m*ẏ^2*x*integral(s^2*exp(-s^2*x^2), s in 0..l)
                = u*integral(tanh(s*ẋ), s in 0..l) - k*sqrt(1 + x^4);
    }
}
