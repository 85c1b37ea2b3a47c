(() => {
  const film = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const reel = reelOf(film);
  const { T, N, raw, value } = reel;
  const first = T[0], last = T[N - 1], span = last - first;
  // Digits of t by which a film has thirty thousand times; what is shown is at the time that is shown.
  const digits = span > 0 ? Math.min(Math.max(Math.ceil(Math.log10(3e4 / span)), 0), 15) : 3;
  const told = (time) => Number(time.toFixed(digits));
  const isExact = (time) => time === last || film.events.some((event) => event.t === time);
  let t = first, playing = false, clock = 0, speed = 1;
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let palette = paletteOf();
  const canvas = $("scene"), scene = sceneOf(film, reel, canvas, palette);

  const paint = () => {
    const shown = isExact(t) ? t : Math.min(Math.max(told(t), first), last);
    const at = reel.locate(shown);
    scene.paint(shown);
    curves.forEach((curve) => curve.cursor(at));
    const text = (film.coarse ? String(Number(T[at.i].toPrecision(9))) : shown.toFixed(digits)) + (film.unit ? " " + film.unit : "");
    $("clock").textContent = "t = " + text;
    $("time").value = span > 0 ? 1000 * (t - first) / span : 0;
    $("time").setAttribute("aria-valuetext", text);
    events();
  };

  // The curves ------------------------------------------------------------------------------------------------
  const MARGIN = { left: 58, right: 8, top: 8, bottom: 18 };
  const curves = [];
  const plain = (x) => (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6) ? x.toExponential() : String(x)).replace("-", "−");
  // Four digits, or all before the point, and fewer where the number may be off by more.
  const short = (x, off) => {
    if (!Number.isFinite(x)) return "–";
    const size = Math.abs(x);
    const unit = off > 0 ? 10 ** Math.ceil(Math.log10(2 * off)) : 0;
    if (size < unit / 2) return nothing(unit);
    const whole = size >= 1 && size < 1e6 ? Math.floor(Math.log10(size)) + 1 : 0;
    const most = Math.max(whole, 4);
    const kept = unit > 0 ? Math.min(Math.max(Math.floor(Math.log10(size / unit)) + 1, 1), most) : most;
    return kept < whole ? x.toExponential(kept - 1).replace("-", "−") : plain(Number(x.toPrecision(kept)));
  };
  // What is nothing beside a unit: its decimals are zeros, and where it has none it says how much may be left.
  const nothing = (unit) => (unit > 1 || unit < 1e-6 ? "0 ± " + plain(unit) : (0).toFixed(Math.round(-Math.log10(unit))));
  const number = (channel, at) => (reel.isRough(at) ? " ≈ " : " = ") + short(value(channel, at), reel.off(channel, at));
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
      // Few samples are joined by curves, many by lines.
      const parts = film.coarse ? 1 : Math.min(Math.max(Math.floor(4 * w / N), 1), 4);
      for (const k of shown) {
        context.strokeStyle = palette.series[k % 10];
        context.lineWidth = 1.6;
        context.beginPath();
        let open = false;
        const { channel } = group.curves[k];
        const through = (time, v) => {
          if (!Number.isFinite(v)) { open = false; return; }
          if (open) context.lineTo(X(time), Y(v)); else context.moveTo(X(time), Y(v));
          open = true;
        };
        for (let i = 0; i < N; i++) {
          through(T[i], raw(channel, i));
          for (let part = 1; part < parts && T[i] < T[i + 1]; part++) {
            const time = T[i] + (T[i + 1] - T[i]) * part / parts;
            through(time, value(channel, reel.locate(time)));
          }
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
      group.curves.forEach((curve, k) => { outputs[k].textContent = curve.symbol + number(curve.channel, at); });
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
  $("follow").addEventListener("change", () => { scene.keep($("follow").checked); later(); });
  $("reset").addEventListener("click", () => { $("follow").checked = false; scene.keep(false); scene.reset(); later(); });
  for (const part of [0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16]) {
    const by = film.pace * part;
    const option = new Option((by < 1e-3 || by >= 1e4 ? by.toExponential(1) : String(Number(by.toPrecision(3)))) + "×", by);
    option.selected = part === 1;
    $("speed").append(option);
  }
  speed = film.pace;
  $("speed").addEventListener("change", () => { speed = Number($("speed").value); });

  const turn = (dx, dy) => { scene.turn(dx, dy); later(); };
  const enlarge = (by) => { scene.enlarge(by); later(); };
  handle(canvas, () => scene, later, () => $("reset").click(), true);
  const KEYS = {
    " ": toggle, ArrowLeft: () => { pause(); go(t - film.pace / 60); }, ArrowRight: () => { pause(); go(t + film.pace / 60); },
    ",": () => nextEvent(-1), ".": () => nextEvent(1), Home: () => go(first), End: () => go(last),
    w: () => turn(0, -15), s: () => turn(0, 15), a: () => turn(-15, 0), d: () => turn(15, 0),
    "+": () => enlarge(1.2), "-": () => enlarge(1 / 1.2),
  };
  document.addEventListener("keydown", (event) => {
    const tag = event.target.tagName;
    const own = tag === "SELECT" || (tag === "INPUT" && event.key !== " " && event.key !== "," && event.key !== ".");
    if (own || (tag === "BUTTON" && event.key === " ") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = KEYS[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  const again = () => { palette = paletteOf(); scene.recolour(palette); curves.forEach((curve) => curve.forget()); later(); };
  addEventListener("resize", again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);

  if (film.coarse) {
    const told = document.createElement("p");
    told.textContent = `The motion turns faster than this page has room for: it is shown at ${N} uneven times, and nothing of what is between them.`;
    $("status").before(told);
  }
  film.groups.forEach(plot);
  const asked_t = /[#&]t=([-+.\deE]+)/.exec(location.hash);
  if (asked_t) go(Number(asked_t[1])); else if (!reduced) play();
  paint();
})();
