"use strict";
(() => {
  const film = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const T = new Float64Array(bytes(film.t).buffer);
  const packed = new Uint16Array(bytes(film.values).buffer);
  const N = T.length, first = T[0], last = T[N - 1], span = last - first;
  const GAP = 65535;

  // A number of a channel at a sample: channels are stored one after another, as parts of their range.
  const raw = (channel, i) => {
    const [low, high] = film.ranges[channel];
    const k = packed[channel * N + i];
    return k === GAP ? NaN : low + (high - low) * k / (GAP - 1);
  };

  // The samples around a time; of two at one time the later one counts.
  const locate = (t) => {
    let low = 0, high = N - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (T[middle] <= t) low = middle; else high = middle - 1;
    }
    const next = Math.min(low + 1, N - 1);
    const h = T[next] - T[low];
    return { i: low, j: next, s: h > 0 ? (t - T[low]) / h : 0 };
  };
  const value = (channel, at) => {
    const a = raw(channel, at.i);
    return at.s === 0 ? a : a + at.s * (raw(channel, at.j) - a);
  };

  let t = first, playing = false, clock = 0, speed = 1;
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let palette = {};
  const readPalette = () => {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    palette = { ink: of("--ink"), quiet: of("--quiet"), line: of("--line"), page: of("--page") };
    palette.series = [...Array(10).keys()].map((k) => of("--c" + k));
    const words = ["blue", "red", "green", "orange", "purple", "brown", "teal", "pink", "gold", "gray"];
    words.forEach((word, k) => { palette[word] = palette.series[k]; });
    palette.black = palette.ink;
  };
  readPalette();
  const tint = (shape, usual) => {
    if (!shape.color) return palette[usual] || usual;
    return palette[shape.color] || shape.color;
  };

  // The scene -------------------------------------------------------------------------------------------------
  const scene = $("scene"), pen = scene.getContext("2d");
  const space = film.dimension === 3;
  const middle = film.box.map(([low, high]) => (low + high) / 2);
  const size = Math.max(...film.box.map(([low, high]) => high - low));
  const eye = { yaw: -0.6, pitch: 0.45, zoom: 1, at: middle.slice() };
  const whole = JSON.stringify(eye);
  let scale = 1, width = 1, height = 1;

  const fit = (canvas, context) => {
    const ratio = devicePixelRatio || 1;
    const w = canvas.clientWidth, h = canvas.clientHeight;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return [w, h];
  };

  // A point on the page, and how near it is.
  const project = (p) => {
    if (!space) return [width / 2 + scale * (p[0] - eye.at[0]), height / 2 - scale * (p[1] - eye.at[1]), 0];
    const [x, y, z] = p.map((c, k) => c - eye.at[k]);
    const [cy, sy, cp, sp] = [Math.cos(eye.yaw), Math.sin(eye.yaw), Math.cos(eye.pitch), Math.sin(eye.pitch)];
    const right = cy * x - sy * y, ahead = sy * x + cy * y;
    return [width / 2 + scale * right, height / 2 - scale * (cp * z + sp * ahead), cp * -ahead + sp * z];
  };
  const trail = (points, closed) => {
    pen.beginPath();
    let open = false;
    for (const p of points) {
      if (!p || !p.every(Number.isFinite)) { open = false; continue; }
      const [x, y] = project(p);
      if (open) pen.lineTo(x, y); else pen.moveTo(x, y);
      open = true;
    }
    if (closed) pen.closePath();
  };
  const stroke = (points, color, w, closed) => {
    trail(points, closed);
    pen.strokeStyle = color;
    pen.lineWidth = w;
    pen.stroke();
  };
  const fill = (points, color, alpha) => {
    trail(points, true);
    pen.fillStyle = color;
    pen.globalAlpha = alpha;
    pen.fill();
    pen.globalAlpha = 1;
  };
  const dot = (p, r, color) => {
    if (!p.every(Number.isFinite)) return;
    const [x, y] = project(p);
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.fillStyle = color;
    pen.fill();
  };

  const D = film.dimension;
  // The parts of a shape at a time.
  const parts = (shape, at) => {
    let c = shape.first;
    const take = (n) => Array.from({ length: n }, () => value(c++, at));
    const points = Array.from({ length: shape.points }, () => take(D));
    const sizes = take(shape.sizes);
    const spoke = shape.spoke ? take(1)[0] : null;
    const r = shape.rotation ? take(9) : [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const length = shape.scale ? take(1)[0] : null;
    return { points, sizes, spoke, r, length };
  };
  // Body axes at a point: p + R b.
  const turned = (p, r, b) => p.map((c, k) => c + r[3 * k] * b[0] + r[3 * k + 1] * b[1] + r[3 * k + 2] * b[2]);
  const round = (p, r, radius, u, v) => Array.from({ length: 49 }, (_, k) => {
    const a = k * Math.PI / 24;
    const b = [0, 0, 0];
    b[u] = radius * Math.cos(a);
    b[v] = radius * Math.sin(a);
    return space ? turned(p, r, b) : [p[0] + b[0], p[1] + b[1]];
  });
  const rim = (p, r, radius, angle) => {
    const b = [radius * Math.cos(angle), radius * Math.sin(angle), 0];
    return space ? turned(p, r, b) : [p[0] + b[0], p[1] + b[1]];
  };
  const FACES = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];

  const draws = {
    point: (s, { points: [p] }) => dot(p, 4.5, tint(s, "blue")),
    line: (s, { points }) => stroke(points, tint(s, "black"), 2.2),
    path: (s, { points }) => stroke(points, tint(s, "black"), 2.2),
    polygon: (s, { points }) => { fill(points, tint(s, "blue"), 0.25); stroke(points, tint(s, "blue"), 2, true); },
    circle: (s, a) => disk(s, a, false),
    disk: (s, a) => disk(s, a, true),
    box: (s, a) => (space ? solid(s, a) : rectangle(s, a)),
    sphere: (s, { points: [p], sizes: [radius], r }) => {
      const [x, y] = project(p), color = tint(s, "blue"), R = Math.max(Math.abs(radius) * scale, 4);
      if (!Number.isFinite(x + y)) return;
      pen.beginPath();
      pen.arc(x, y, R, 0, 2 * Math.PI);
      pen.fillStyle = color; pen.globalAlpha = 0.22; pen.fill(); pen.globalAlpha = 1;
      pen.strokeStyle = color; pen.lineWidth = 1.6; pen.stroke();
      for (const [u, v] of [[0, 1], [1, 2], [0, 2]]) {
        const line = round(p, r, radius, u, v), near = project(p)[2];
        for (let k = 0; k + 1 < line.length; k++) {
          pen.globalAlpha = project(line[k])[2] >= near ? 0.9 : 0.2;
          stroke([line[k], line[k + 1]], color, 1.2);
        }
        pen.globalAlpha = 1;
      }
    },
    axes: (s, { points: [p], sizes: [a], r }) => [0, 1, 2].forEach((k) => {
      const b = [0, 0, 0];
      b[k] = a;
      arrow(p, turned(p, r, b), s.color ? tint(s) : palette.series[[1, 2, 0][k]]);
    }),
    spring: (s, { points: [a, b] }) => {
      const [p, q] = [project(a), project(b)];
      const [dx, dy] = [q[0] - p[0], q[1] - p[1]], l = Math.hypot(dx, dy) || 1, w = 0.018 * size * scale;
      pen.beginPath();
      pen.moveTo(p[0], p[1]);
      for (let k = 0; k <= 20; k++) {
        const part = 0.1 + 0.8 * k / 20, side = k === 0 || k === 20 ? 0 : k % 2 ? w : -w;
        pen.lineTo(p[0] + part * dx - side * dy / l, p[1] + part * dy + side * dx / l);
      }
      pen.lineTo(q[0], q[1]);
      pen.strokeStyle = tint(s, "gray"); pen.lineWidth = 1.8; pen.stroke();
    },
    trace: (s, { points: [p] }, at) => {
      const points = [];
      for (let i = 0; i <= at.i; i++) points.push(Array.from({ length: D }, (_, k) => raw(s.first + k, i)));
      points.push(p);
      pen.globalAlpha = 0.65;
      stroke(points, tint(s, "blue"), 1.3);
      pen.globalAlpha = 1;
    },
    arrow: (s, { points: [p, v], length }) => {
      const by = length === null ? s.usual : length;
      arrow(p, p.map((c, k) => c + by * v[k]), tint(s, "red"));
    },
    ground: (s) => {
      if (s.heights) return surface(s);
      const frames = s.curves;
      let which = 0;
      while (which + 1 < frames.length && frames[which + 1].t <= t) which++;
      for (const line of frames.length ? frames[which].lines : []) {
        const points = Array.from({ length: line.length / 2 }, (_, k) => [line[2 * k], line[2 * k + 1]]);
        stroke(points, tint(s, "black"), 2.4);
      }
    },
    surface: (s) => surface(s),
  };
  const disk = (s, { points: [p], sizes: [radius], spoke, r }, filled) => {
    const edge = round(p, r, radius, 0, 1), color = tint(s, "blue");
    if (filled) fill(edge, color, 0.25);
    stroke(edge, color, 2);
    if (spoke !== null) stroke([p, rim(p, r, radius, spoke)], color, 2);
    else if (s.rotation) stroke([p, rim(p, r, radius, 0)], color, 2);
  };
  const rectangle = (s, { points: [p], sizes: [a, b, angle = 0] }) => {
    const [c, d] = [Math.cos(angle), Math.sin(angle)];
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => [
      p[0] + (u * a * c - v * b * d) / 2, p[1] + (u * a * d + v * b * c) / 2]);
    fill(corners, tint(s, "blue"), 0.25);
    stroke(corners, tint(s, "blue"), 2, true);
  };
  const solid = (s, { points: [p], sizes: [a, b, c], r }) => {
    const corner = (k) => turned(p, r, [(k & 1 ? a : -a) / 2, (k & 2 ? b : -b) / 2, (k & 4 ? c : -c) / 2]);
    const corners = Array.from({ length: 8 }, (_, k) => corner(k));
    const depth = (face) => face.reduce((sum, k) => sum + project(corners[k])[2], 0);
    for (const face of [...FACES].sort((f, g) => depth(f) - depth(g))) {
      const points = face.map((k) => corners[k]);
      fill(points, palette.page, 0.55);
      fill(points, tint(s, "blue"), 0.25);
      stroke(points, tint(s, "blue"), 1.6, true);
    }
  };
  const arrow = (from, to, color) => {
    const [p, q] = [project(from), project(to)];
    const [dx, dy] = [q[0] - p[0], q[1] - p[1]], l = Math.hypot(dx, dy);
    if (!(l > 0.5)) return;
    const head = Math.min(11, 0.6 * l), [u, v] = [dx / l, dy / l];
    pen.beginPath();
    pen.moveTo(p[0], p[1]);
    pen.lineTo(q[0] - 0.7 * head * u, q[1] - 0.7 * head * v);
    pen.strokeStyle = color; pen.lineWidth = 2.4; pen.stroke();
    pen.beginPath();
    pen.moveTo(q[0], q[1]);
    pen.lineTo(q[0] - head * u + 0.4 * head * v, q[1] - head * v - 0.4 * head * u);
    pen.lineTo(q[0] - head * u - 0.4 * head * v, q[1] - head * v + 0.4 * head * u);
    pen.closePath();
    pen.fillStyle = color; pen.fill();
  };
  const surface = (s) => {
    const n = s.cells + 1, [[x0, x1], [y0, y1]] = s.over;
    let which = 0;
    while (which + 1 < s.heights.length && s.heights[which + 1].t <= t) which++;
    const at = (j, i) => [x0 + (x1 - x0) * i / s.cells, y0 + (y1 - y0) * j / s.cells, s.heights[which].z[j * n + i]];
    const lines = [];
    for (let k = 0; k < n; k++) {
      lines.push(Array.from({ length: n }, (_, i) => at(k, i)));
      lines.push(Array.from({ length: n }, (_, j) => at(j, k)));
    }
    pen.globalAlpha = 0.55;
    lines.forEach((line) => stroke(line.map((p) => (p[2] === null ? null : p)), tint(s, "gray"), 0.8));
    pen.globalAlpha = 1;
  };
  const label = (s, a) => {
    const p = a.points[0];
    if (!s.label || !p || !p.every(Number.isFinite)) return;
    const [x, y] = project(p);
    pen.font = "13px system-ui, sans-serif";
    pen.lineWidth = 3; pen.strokeStyle = palette.page; pen.strokeText(s.label, x + 9, y - 9);
    pen.fillStyle = palette.ink; pen.fillText(s.label, x + 9, y - 9);
  };

  const paint = () => {
    [width, height] = fit(scene, pen);
    pen.clearRect(0, 0, width, height);
    pen.lineJoin = pen.lineCap = "round";
    const [bx, by] = space ? [1.45 * size, 1.3 * size] : film.box.map(([low, high]) => 1.12 * (high - low));
    scale = eye.zoom * Math.min(width / bx, height / by);
    const at = locate(t);
    follow(at);
    const labels = [];
    for (const s of film.shapes) {
      const a = parts(s, at);
      draws[s.kind](s, a, at);
      labels.push([s, a]);
    }
    labels.forEach(([s, a]) => label(s, a));
    ruler();
    curves.forEach((curve) => curve.cursor(at));
    const text = t.toFixed(span < 1e4 ? 3 : 0) + (film.unit ? " " + film.unit : "");
    $("clock").textContent = "t = " + text;
    $("time").value = span > 0 ? 1000 * (t - first) / span : 0;
    $("time").setAttribute("aria-valuetext", text);
    events();
  };
  // The middle of the page stays at the first point of the last shape that moves.
  const body = [...film.shapes].reverse().find((s) => s.points && s.kind !== "trace" && s.kind !== "arrow") || film.shapes.find((s) => s.points);
  const follow = (at) => {
    if (!$("follow").checked || !body) return;
    const p = parts(body, at).points[0];
    if (p.every(Number.isFinite)) eye.at = p;
  };
  // The length of a round number of units.
  const ruler = () => {
    if (space) return;
    const raw = 110 / scale, power = 10 ** Math.floor(Math.log10(raw));
    const length = power * (raw / power >= 5 ? 5 : raw / power >= 2 ? 2 : 1);
    if (!Number.isFinite(length)) return;
    const [x, y] = [14, height - 14];
    pen.strokeStyle = pen.fillStyle = palette.quiet;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(x, y - 4); pen.lineTo(x, y); pen.lineTo(x + length * scale, y); pen.lineTo(x + length * scale, y - 4);
    pen.stroke();
    pen.font = "12px system-ui, sans-serif";
    pen.fillText(Number(length.toPrecision(3)) + (film.length ? " " + film.length : ""), x + 4, y - 7);
  };

  // The curves ------------------------------------------------------------------------------------------------
  const MARGIN = { left: 58, right: 8, top: 8, bottom: 18 };
  const curves = [];
  const plain = (x) => (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6) ? x.toExponential() : String(x)).replace("-", "−");
  const short = (x) => (Number.isFinite(x) ? plain(Number(x.toPrecision(4))) : "–");
  const step = (range, count) => {
    const raw = range / count, power = 10 ** Math.floor(Math.log10(raw)), m = raw / power;
    return power * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
  };
  const plot = (group) => {
    const shown = new Set(group.curves.map((_, k) => k).filter((k) => k < 6));
    const head = document.createElement("h2");
    head.textContent = group.name + (group.unit ? " (" + group.unit + ")" : "");
    const canvas = document.createElement("canvas");
    canvas.className = "curves";
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", group.name + " over time: " + group.curves.map((c) => c.symbol).join(", "));
    const legend = document.createElement("div");
    legend.className = "legend";
    const outputs = group.curves.map((curve, k) => {
      const item = document.createElement("label");
      item.style.setProperty("--tint", "var(--c" + (k % 10) + ")");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = shown.has(k);
      box.addEventListener("change", () => { if (box.checked) shown.add(k); else shown.delete(k); still = null; paint(); });
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      const text = document.createElement("span");
      item.append(box, swatch, text);
      legend.append(item);
      return text;
    });
    $("curves").append(head, canvas, legend);
    const context = canvas.getContext("2d");
    let still = null, w = 1, h = 1, range = [0, 1];
    const X = (time) => MARGIN.left + (w - MARGIN.left - MARGIN.right) * (time - first) / (span || 1);
    const Y = (v) => h - MARGIN.bottom - (h - MARGIN.top - MARGIN.bottom) * (v - range[0]) / (range[1] - range[0]);
    const draw = () => {
      const chosen = [...shown].map((k) => film.ranges[group.curves[k].channel]).filter(([a, b]) => Number.isFinite(a + b));
      let low = Math.min(...chosen.map((r) => r[0])), high = Math.max(...chosen.map((r) => r[1]));
      if (!(high > low)) { const m = Number.isFinite(low) ? low : 0; low = m - (Math.abs(m) || 1) / 2; high = m + (Math.abs(m) || 1) / 2; }
      const pad = 0.05 * (high - low);
      range = [low - pad, high + pad];
      context.clearRect(0, 0, w, h);
      context.font = "11px system-ui, sans-serif";
      context.fillStyle = palette.quiet;
      context.lineWidth = 1;
      const tick = (values, place) => values.forEach(place);
      const of = (a, b, count) => {
        const d = step(b - a, count), from = Math.ceil(a / d), found = [];
        for (let k = from; k * d <= b && found.length < 20; k++) found.push(Number((k * d).toPrecision(12)));
        return found;
      };
      context.textAlign = "right";
      tick(of(range[0], range[1], 4), (v) => {
        context.strokeStyle = palette.line;
        context.beginPath(); context.moveTo(MARGIN.left, Y(v)); context.lineTo(w - MARGIN.right, Y(v)); context.stroke();
        context.fillText(plain(v), MARGIN.left - 6, Y(v) + 4);
      });
      context.textAlign = "center";
      if (span > 0) tick(of(first, last, 6), (v) => context.fillText(plain(v), Math.min(Math.max(X(v), MARGIN.left), w - 14), h - 4));
      context.strokeStyle = palette.red; context.globalAlpha = 0.35; context.setLineDash([2, 3]);
      film.events.slice(0, 400).forEach((e) => { context.beginPath(); context.moveTo(X(e.t), MARGIN.top); context.lineTo(X(e.t), h - MARGIN.bottom); context.stroke(); });
      context.setLineDash([]); context.globalAlpha = 1;
      for (const k of shown) {
        context.strokeStyle = palette.series[k % 10];
        context.lineWidth = 1.6;
        context.beginPath();
        let open = false;
        for (let i = 0; i < N; i++) {
          const v = raw(group.curves[k].channel, i);
          if (!Number.isFinite(v)) { open = false; continue; }
          if (open) context.lineTo(X(T[i]), Y(v)); else context.moveTo(X(T[i]), Y(v));
          open = true;
        }
        context.stroke();
      }
      still = context.getImageData(0, 0, canvas.width, canvas.height);
    };
    const cursor = (at) => {
      const before = canvas.width;
      [w, h] = fit(canvas, context);
      if (!still || before !== canvas.width || still.width !== canvas.width) draw(); else context.putImageData(still, 0, 0);
      context.strokeStyle = palette.ink;
      context.lineWidth = 1;
      context.beginPath(); context.moveTo(X(t), MARGIN.top); context.lineTo(X(t), h - MARGIN.bottom); context.stroke();
      group.curves.forEach((curve, k) => { outputs[k].textContent = curve.symbol + " = " + short(value(curve.channel, at)); });
    };
    const seek = (event) => {
      const x = event.clientX - canvas.getBoundingClientRect().left;
      go(first + span * (x - MARGIN.left) / (w - MARGIN.left - MARGIN.right));
    };
    canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); pause(); seek(event); });
    canvas.addEventListener("pointermove", (event) => { if (event.buttons) seek(event); });
    curves.push({ cursor, forget: () => { still = null; } });
  };

  // Events ----------------------------------------------------------------------------------------------------
  const buttons = film.events.map((event) => {
    const item = document.createElement("li"), button = document.createElement("button");
    const time = document.createElement("span");
    time.textContent = "t = " + Number(event.t.toPrecision(7));
    button.append(time, event.what);
    button.addEventListener("click", () => { pause(); go(event.t); });
    item.append(button);
    $("events").append(item);
    return button;
  });
  if (!film.events.length) $("events").append(film.none);
  if (film.more) { const item = document.createElement("li"); item.textContent = film.more; $("events").append(item); }
  let current = -1;
  const events = () => {
    let index = -1;
    for (let k = 0; k < film.events.length && film.events[k].t <= t + 1e-12 * Math.abs(t); k++) index = k;
    if (index === current) return;
    if (buttons[current]) buttons[current].removeAttribute("aria-current");
    current = index;
    const button = buttons[current];
    if (button) {
      button.setAttribute("aria-current", "true");
      const list = $("events");
      if (button.offsetTop < list.scrollTop || button.offsetTop > list.scrollTop + list.clientHeight - 30) list.scrollTop = button.offsetTop - 60;
    }
    $("status").textContent = button ? "last: " + film.events[current].what + " at t = " + Number(film.events[current].t.toPrecision(6)) : "";
  };
  const nextEvent = (direction) => {
    const ε = 1e-9 * (span || 1);
    const times = film.events.map((e) => e.t);
    const found = direction > 0 ? times.find((x) => x > t + ε) : times.filter((x) => x < t - ε).pop();
    pause();
    go(found === undefined ? (direction > 0 ? last : first) : found);
  };

  // Playing ---------------------------------------------------------------------------------------------------
  let asked = false;
  const later = () => { if (!asked) { asked = true; requestAnimationFrame(tick); } };
  const tick = (now) => {
    asked = false;
    if (playing) {
      // A frame may have begun before it was asked for.
      t += speed * Math.min(Math.max(now - clock, 0), 200) / 1000;
      clock = now;
      if (t >= last) {
        if ($("loop").checked && span > 0) t = first; else { t = last; pause(); }
      }
      later();
    }
    paint();
  };
  const go = (time) => { t = Math.min(Math.max(time, first), last); later(); };
  const pause = () => { playing = false; $("play").textContent = "Play"; $("play").setAttribute("aria-pressed", "false"); };
  const play = () => {
    if (t >= last) t = first;
    playing = true;
    clock = performance.now();
    $("play").textContent = "Pause";
    $("play").setAttribute("aria-pressed", "true");
    later();
  };
  const toggle = () => (playing ? pause() : play());
  $("play").addEventListener("click", toggle);
  $("back").addEventListener("click", () => nextEvent(-1));
  $("next").addEventListener("click", () => nextEvent(1));
  $("time").addEventListener("input", () => { pause(); go(first + span * $("time").value / 1000); });
  $("follow").addEventListener("change", () => { if (!$("follow").checked) eye.at = middle.slice(); later(); });
  $("reset").addEventListener("click", () => { $("follow").checked = false; Object.assign(eye, JSON.parse(whole)); later(); });
  for (const part of [0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16]) {
    const by = film.pace * part;
    const option = new Option((by < 1e-3 || by >= 1e4 ? by.toExponential(1) : String(Number(by.toPrecision(3)))) + "×", by);
    option.selected = part === 1;
    $("speed").append(option);
  }
  speed = film.pace;
  $("speed").addEventListener("change", () => { speed = Number($("speed").value); });

  const turn = (dx, dy) => {
    if (space) {
      eye.yaw += dx / 150;
      eye.pitch = Math.min(Math.max(eye.pitch + dy / 150, -1.55), 1.55);
    } else {
      eye.at[0] -= dx / scale;
      eye.at[1] += dy / scale;
    }
    later();
  };
  scene.addEventListener("pointerdown", (event) => { scene.setPointerCapture(event.pointerId); scene.style.cursor = "grabbing"; });
  scene.addEventListener("pointerup", () => { scene.style.cursor = ""; });
  scene.addEventListener("pointermove", (event) => { if (event.buttons) turn(event.movementX, event.movementY); });
  scene.addEventListener("wheel", (event) => {
    event.preventDefault();
    eye.zoom = Math.min(Math.max(eye.zoom * Math.exp(-event.deltaY / 500), 0.02), 500);
    later();
  }, { passive: false });
  scene.addEventListener("dblclick", () => $("reset").click());
  const KEYS = {
    " ": toggle, ArrowLeft: () => { pause(); go(t - film.pace / 60); }, ArrowRight: () => { pause(); go(t + film.pace / 60); },
    ",": () => nextEvent(-1), ".": () => nextEvent(1), Home: () => go(first), End: () => go(last),
    w: () => turn(0, -15), s: () => turn(0, 15), a: () => turn(-15, 0), d: () => turn(15, 0),
    "+": () => { eye.zoom *= 1.2; later(); }, "-": () => { eye.zoom /= 1.2; later(); },
  };
  document.addEventListener("keydown", (event) => {
    const tag = event.target.tagName;
    const own = tag === "SELECT" || (tag === "INPUT" && event.key !== " " && event.key !== "," && event.key !== ".");
    if (own || (tag === "BUTTON" && event.key === " ") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = KEYS[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  const again = () => { readPalette(); curves.forEach((curve) => curve.forget()); later(); };
  addEventListener("resize", again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);

  film.groups.forEach(plot);
  const asked_t = /[#&]t=([-+.\deE]+)/.exec(location.hash);
  if (asked_t) go(Number(asked_t[1])); else if (!reduced) play();
  paint();
})();
