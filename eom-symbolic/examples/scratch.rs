use eom_symbolic::mechanics::*;
use eom_symbolic::*;
use std::time::Instant;
fn nlink(n: usize) -> SystemModel {
    let mut p = ExprPool::new();
    let time = p.symbol(SymbolKind::Time, "t");
    let coords: Vec<Coordinate> = (0..n).map(|i| Coordinate {
        named: Named { name: format!("q{i}"), key: format!("q{i}"), doc: String::new() },
        position: p.symbol(SymbolKind::Coordinate(i), &format!("q{i}")),
        velocity: p.symbol(SymbolKind::Velocity(i), &format!("v{i}")),
        acceleration: p.symbol(SymbolKind::Acceleration(i), &format!("a{i}")),
    }).collect();
    let (mut t, mut u, mut y, mut vx, mut vy) = (ExprPool::ZERO, ExprPool::ZERO, ExprPool::ZERO, ExprPool::ZERO, ExprPool::ZERO);
    let g = p.number(&Rational::from_decimal("9.81").unwrap());
    for c in &coords {
        let q = p.symbol_expr(c.position); let v = p.symbol_expr(c.velocity);
        let (s, co) = (p.call(Function::Sin, &[q]), p.call(Function::Cos, &[q]));
        let a = p.mul(co, v); vx = p.add(vx, a);
        let a = p.mul(s, v); vy = p.add(vy, a);
        y = p.sub(y, co);
        let (x2, y2) = (p.powi(vx, 2), p.powi(vy, 2));
        let e = p.sum(&[(ExprPool::HALF, x2), (ExprPool::HALF, y2)]);
        t = p.add(t, e);
        let gy = p.mul(g, y); u = p.add(u, gy);
    }
    let l = p.sub(t, u);
    SystemModel { pool: p, named: Named::default(), document: String::new(), time, coordinates: coords, parameters: vec![], inputs: vec![], lets: vec![],
        kinetic: Some(t), potential: Some(u), lagrangian: l, dissipation: ExprPool::ZERO, forces: vec![ExprPool::ZERO; n], rows: vec![], contacts: vec![], events: vec![], scenarios: vec![], outputs: vec![], claims: vec![] }
}
fn main() {
    for n in [2, 4, 6, 8, 12, 16, 24, 32] {
        let mut best = f64::INFINITY; let mut nodes = 0;
        for _ in 0..5 {
            let t0 = Instant::now();
            let mut m = nlink(n);
            let e = lagrange::derive(&mut m).unwrap();
            best = best.min(t0.elapsed().as_secs_f64()); nodes = m.pool.len();
            std::hint::black_box(e);
        }
        let mut m = nlink(n);
        let e = lagrange::derive(&mut m).unwrap();
        let t0 = Instant::now();
        let pr = program::SystemPrograms::new(&m, &e);
        println!("n={n} derive {:.3} ms nodes {nodes}, programs {:.2} ms dyn {}", best*1e3, t0.elapsed().as_secs_f64()*1e3, pr.dynamics.op_counts());
        if n == 2 { println!("{}", pr.dynamics.listing(&m.pool)); }
    }
}
