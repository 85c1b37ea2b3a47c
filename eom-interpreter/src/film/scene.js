// What a film shows at a time: its numbers, and its drawing on a canvas. The page of a film and the page in the browser
// have it in common; neither time nor buttons are known here.

const GAP = 65535;
// The least distance of the outline of a ball from its middle, in units of the page.
const LEAST_BALL = 4;
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

// Samples that a polynomial passes, as the film was measured with.
const POINTS = 6;
// What of a range can be seen.
const SEEN = 2e-3;

/** The place of the last sample that is not after a time. */
export const before = (T, t) => {
  let low = 0, high = T.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (T[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
};

/** What is between samples at a time: the sample `i` before it, of two at one time the later one, the first sample of the
 *  polynomial through the nearest ones of the arc, which the sides of events end, and the weights of their values. */
export const between = (T, t) => {
  const i = before(T, t), goes = (k) => T[k] < T[k + 1];
  let first = i, last = i;
  if (t > T[i] && goes(i)) last++;
  while (last > i && last - first + 1 < POINTS) {
    const down = goes(first - 1), up = goes(last);
    if (down && !(up && T[last + 1] - t < t - T[first - 1])) first--;
    else if (up) last++;
    else break;
  }
  const places = Array.from({ length: last - first + 1 }, (_, k) => first + k);
  const weights = places.map((j) => places.reduce((w, k) => (k === j ? w : w * (t - T[k]) / (T[j] - T[k])), 1));
  const part = weights.length > 1 ? (t - T[i]) / (T[i + 1] - T[i]) : 0;
  return { i, first, weights, part };
};

/** The number there, of values by their places; straight between the two next ones where others have none. */
export const mixed = (of, at) => {
  let sum = 0;
  for (let k = 0; k < at.weights.length; k++) sum += at.weights[k] * of(at.first + k);
  return Number.isFinite(sum) || at.weights.length < 2 ? sum : of(at.i) + at.part * (of(at.i + 1) - of(at.i));
};

/** The numbers of a film: channels at samples, stored one after another as parts of their ranges. */
export const reelOf = (film) => {
  const T = new Float64Array(bytes(film.t).buffer);
  const packed = new Uint16Array(bytes(film.values).buffer);
  const rough = bytes(film.rough);
  const N = T.length;
  // A number of a channel at a sample.
  const raw = (channel, i) => {
    const [low, high] = film.ranges[channel];
    const k = packed[channel * N + i];
    return k === GAP ? NaN : low + (high - low) * k / (GAP - 1);
  };
  // Where samples are too far apart nothing is known between them.
  const locate = (t) => between(T, film.coarse ? T[before(T, t)] : t);
  const value = (channel, at) => mixed((i) => raw(channel, i), at);
  const width = (channel) => film.ranges[channel][1] - film.ranges[channel][0];
  // How far off a number is at most; near corners no more than can be seen.
  const off = (channel, at) => (isRough(at) ? SEEN * width(channel) : width(channel) / GAP + (film.off[channel] || 0));
  const isRough = ({ i, weights }) => weights.length > 1 && (rough[i >> 3] >> (i & 7) & 1) === 1;
  return { T, N, raw, locate, value, off, isRough };
};

/** The colours of the style sheet, in the words of drawings. */
export const paletteOf = () => {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  const palette = { ink: of("--ink"), quiet: of("--quiet"), line: of("--line"), page: of("--page") };
  palette.series = [...Array(10).keys()].map((k) => of("--c" + k));
  const words = ["blue", "red", "green", "orange", "purple", "brown", "teal", "pink", "gold", "gray"];
  words.forEach((word, k) => { palette[word] = palette.series[k]; });
  palette.black = palette.ink;
  return palette;
};

/** A canvas as large as it is shown, in units of the page. */
export const fit = (canvas, context) => {
  const ratio = devicePixelRatio || 1;
  const w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return [w, h];
};

/** The drawing of a film on a canvas. */
export const sceneOf = (film, reel, canvas, palette) => {
  const { raw, value, locate } = reel;
  const pen = canvas.getContext("2d");
  const space = film.dimension === 3;
  const middle = film.box.map(([low, high]) => (low + high) / 2);
  const size = Math.max(...film.box.map(([low, high]) => high - low));
  const whole = () => ({ yaw: -0.6, pitch: 0.45, zoom: 1, at: middle.slice() });
  const eye = whole();
  let scale = 1, width = 1, height = 1, t = 0, follows = false;
  const tint = (shape, usual) => {
    if (!shape.color) return palette[usual] || usual;
    return palette[shape.color] || shape.color;
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
  const placed = (p, r, b) => (space ? turned(p, r, b) : [p[0] + b[0], p[1] + b[1]]);
  // A closed curve: a point for each of the directions of a circle.
  const round = (point) => Array.from({ length: 49 }, (_, k) => point(Math.cos(k * Math.PI / 24), Math.sin(k * Math.PI / 24)));
  // An ellipse in the plane of the first two axes of a body, turned within it.
  const oval = (p, r, [a, b], angle = 0) => {
    const [c, d] = [Math.cos(angle), Math.sin(angle)];
    return round((u, v) => placed(p, r, [a * u * c - b * v * d, a * u * d + b * v * c, 0]));
  };
  const FACES = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];

  const draws = {
    point: (s, { points: [p] }) => dot(p, 4.5, tint(s, "blue")),
    line: (s, { points }) => stroke(points, tint(s, "black"), 2.2),
    path: (s, { points }) => stroke(points, tint(s, "black"), 2.2),
    polygon: (s, { points }) => { fill(points, tint(s, "blue"), 0.25); stroke(points, tint(s, "blue"), 2, true); },
    circle: (s, a) => disk(s, a, false),
    disk: (s, a) => disk(s, a, true),
    ellipse: (s, { points: [p], sizes: [a, b, angle], r }) => {
      const edge = oval(p, r, [a, b], angle), color = tint(s, "blue");
      fill(edge, color, 0.25);
      stroke(edge, color, 2);
    },
    box: (s, a) => (space ? solid(s, a) : rectangle(s, a)),
    sphere: (s, { points: [p], sizes: [R], r }) => ellipsoid(s, p, [R, R, R], r),
    ellipsoid: (s, { points: [p], sizes, r }) => ellipsoid(s, p, sizes, r),
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
      arrow(p, tip(s, p, v, length), tint(s, "red"));
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
    const edge = oval(p, r, [radius, radius]), color = tint(s, "blue");
    if (filled) fill(edge, color, 0.25);
    stroke(edge, color, 2);
    const rim = (angle) => placed(p, r, [radius * Math.cos(angle), radius * Math.sin(angle), 0]);
    if (spoke !== null) stroke([p, rim(spoke)], color, 2);
    else if (s.rotation) stroke([p, rim(0)], color, 2);
  };
  // The outline of an ellipsoid, and its ellipses in the planes of two axes, faint where they are behind. With
  // A = P R diag(a, b, c), P onto the page and Q = A Aᵀ, the outline is where Q u/√(uᵀ Q u) is, for all directions u.
  const ellipsoid = (s, p, semi, r) => {
    const [x, y, near] = project(p), color = tint(s, "blue");
    if (!Number.isFinite(x + y)) return;
    const along = semi.map((a, k) => {
      const b = [0, 0, 0];
      b[k] = a;
      const [X, Y] = project(turned(p, r, b));
      return [X - x, Y - y];
    });
    const outline = round((c, d) => {
      const parts = along.map(([X, Y]) => X * c + Y * d), length = Math.hypot(...parts);
      // A ball is seen, however small.
      if (length < LEAST_BALL) return [x + LEAST_BALL * c, y + LEAST_BALL * d];
      return [0, 1].map((k) => along.reduce((sum, v, j) => sum + v[k] * parts[j], 0) / length + (k ? y : x));
    });
    pen.beginPath();
    outline.forEach(([X, Y], k) => (k ? pen.lineTo(X, Y) : pen.moveTo(X, Y)));
    pen.closePath();
    pen.fillStyle = color; pen.globalAlpha = 0.22; pen.fill(); pen.globalAlpha = 1;
    pen.strokeStyle = color; pen.lineWidth = 1.6; pen.stroke();
    for (const [u, v] of [[0, 1], [1, 2], [0, 2]]) {
      const ring = round((c, d) => {
        const b = [0, 0, 0];
        b[u] = semi[u] * c;
        b[v] = semi[v] * d;
        return turned(p, r, b);
      });
      for (let k = 0; k + 1 < ring.length; k++) {
        pen.globalAlpha = project(ring[k])[2] >= near ? 0.9 : 0.2;
        stroke([ring[k], ring[k + 1]], color, 1.2);
      }
      pen.globalAlpha = 1;
    }
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
  const tip = (s, p, v, length) => p.map((c, k) => c + (length === null ? s.usual : length) * v[k]);
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
    const p = s.kind === "arrow" ? tip(s, ...a.points, a.length) : a.points[0];
    if (!s.label || !p || !p.every(Number.isFinite)) return;
    const [x, y] = project(p);
    pen.font = "13px system-ui, sans-serif";
    pen.lineWidth = 3; pen.strokeStyle = palette.page; pen.strokeText(s.label, x + 9, y - 9);
    pen.fillStyle = palette.ink; pen.fillText(s.label, x + 9, y - 9);
  };

  // The middle of the page stays at the first point of the last shape that moves.
  const body = [...film.shapes].reverse().find((s) => s.points && s.kind !== "trace" && s.kind !== "arrow") || film.shapes.find((s) => s.points);
  const follow = (at) => {
    if (!follows || !body) return;
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

  /** Draws a time. */
  const paint = (time) => {
    t = time;
    [width, height] = fit(canvas, pen);
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
  };
  /** Moves the drawing in the plane, turns it in space. */
  const turn = (dx, dy) => {
    if (space) {
      eye.yaw += dx / 150;
      eye.pitch = Math.min(Math.max(eye.pitch + dy / 150, -1.55), 1.55);
    } else {
      eye.at[0] -= dx / scale;
      eye.at[1] += dy / scale;
    }
  };
  const enlarge = (by) => { eye.zoom = Math.min(Math.max(eye.zoom * by, 0.02), 500); };
  /** The drawing as it was at first. */
  const reset = () => { Object.assign(eye, whole()); };
  /** Whether the body stays in the middle. */
  const keep = (does) => {
    follows = does;
    if (!does) eye.at = middle.slice();
  };
  const recolour = (colours) => { palette = colours; };
  return { paint, turn, enlarge, reset, keep, recolour, eye };
};

/** The pointer moves the drawing that there is, the wheel enlarges it, always or with the key for that and where the
 *  canvas has the focus; a double click shows the whole of it. Then `changed` is told. */
export const handle = (canvas, scene, changed, reset, always) => {
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); canvas.style.cursor = "grabbing"; });
  canvas.addEventListener("pointerup", () => { canvas.style.cursor = ""; });
  canvas.addEventListener("pointermove", (event) => {
    if (!event.buttons || !scene()) return;
    scene().turn(event.movementX, event.movementY);
    changed();
  });
  canvas.addEventListener("wheel", (event) => {
    if (!scene() || !(always || event.ctrlKey || document.activeElement === canvas)) return;
    event.preventDefault();
    scene().enlarge(Math.exp(-event.deltaY / 500));
    changed();
  }, { passive: false });
  canvas.addEventListener("dblclick", reset);
};

