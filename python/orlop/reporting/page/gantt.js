// The chart of states: a line for each service, drawn on the canvas of a uPlot chart, of which only the visible lines are painted.

const LINE = 20; // pixels of a line
const LINE_OF_TWO = 32; // of one with states and running states of two runs
const AXIS = 34; // pixels of the time axis above the lines
const LONGEST = 560; // pixels of the chart before it scrolls

class Gantt {
  /** `changed(min, max)` is called when the visible time changes, `chosen(row, segment)` when a state is selected. */
  constructor(host, run, other, changed, chosen) {
    this.run = run;
    this.other = other ? new Map(other.rows.map((row) => [keyOf(other, row), row])) : null;
    this.otherRun = other;
    this.line = other && [run, other].some((each) => each.running_states.length) ? LINE_OF_TWO : LINE;
    this.changed = changed;
    this.chosen = chosen;
    this.folded = new Set();
    this.filter = new Filter();
    this.lines = [];
    this.selected = { line: -1, segment: -1 };
    this.tip = element("div", { class: "tip", role: "tooltip", hidden: true });
    this.inner = element("div", { class: "gantt-inner" });
    this.space = element("div");
    this.host = element("div", {
      class: "gantt", tabindex: 0, role: "application", "aria-roledescription": "timeline", "aria-label": "States of services over time", "aria-describedby": "keys",
      onkeydown: (event) => this.key(event), onscroll: () => this.redraw(), onwheel: (event) => this.wheel(event),
    }, this.inner, this.space);
    host.append(this.host, this.tip);
    this.open();
  }

  get width() { return Math.max(280, this.host.parentElement.clientWidth); }
  get labels() { return Math.min(230, Math.round(this.width * 0.3)); }

  open() {
    const end = this.run.end;
    this.plot = new uPlot({
      width: this.width, height: AXIS + this.line, padding: [0, 8, 0, 0],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      scales: { x: { min: this.run.begin, max: end }, y: { range: [0, 1] } },
      series: [{}, { show: false }],
      axes: [
        { ...quiet(), side: 0, size: AXIS, space: 64, values: timeTicks },
        { size: () => this.labels, values: () => [], grid: { show: false }, ticks: { show: false } },
      ],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false }, bind: { dblclick: () => null } },
      hooks: {
        draw: [() => this.paint()],
        setScale: [(plot, key) => key === "x" && this.changed(plot.scales.x.min, plot.scales.x.max)],
      },
    }, [[this.run.begin, end], [null, null]], this.inner);
    this.plot.over.addEventListener("mousemove", (event) => this.hover(event));
    this.plot.over.addEventListener("mouseleave", () => { this.tip.hidden = true; });
    this.plot.over.addEventListener("click", (event) => this.click(event));
    this.plot.root.addEventListener("click", (event) => event.target !== this.plot.over && this.click(event));
    this.plot.over.addEventListener("dblclick", () => this.zoom(this.run.begin, this.run.end));
    this.show(this.filter);
  }

  show(filter) {
    this.filter = filter;
    this.lines = linesOf(this.run, filter, this.folded);
    this.selected = { line: -1, segment: -1 };
    this.resize();
  }

  resize() {
    const wanted = this.lines.length * this.line;
    const height = Math.min(wanted, this.printed ? wanted : LONGEST);
    this.host.style.height = `${height + AXIS}px`;
    this.space.style.height = `${wanted - height}px`;
    this.plot.setSize({ width: this.width, height: height + AXIS });
    this.redraw();
  }

  redraw() { this.plot.redraw(false); }

  zoom(min, max) {
    const least = Math.max(0.01, (this.run.end - this.run.begin) / 1e6);
    min = Math.max(this.run.begin, min);
    max = Math.min(this.run.end, Math.max(max, min + least));
    this.plot.setScale("x", { min, max });
  }

  /** Shows `factor` times as much time; the place `at`, 0 to 1 of the width, stays. */
  scale(factor, at = 0.5) {
    const { min, max } = this.plot.scales.x, middle = min + (max - min) * at;
    this.zoom(middle - (middle - min) * factor, middle + (max - middle) * factor);
  }

  shift(part) {
    const { min, max } = this.plot.scales.x;
    const by = Math.max(this.run.begin - min, Math.min(this.run.end - max, (max - min) * part));
    this.zoom(min + by, max + by);
  }

  wheel(event) {
    if (!event.ctrlKey && !event.shiftKey) return; // scrolls
    event.preventDefault();
    if (event.shiftKey) return this.shift(Math.sign(event.deltaY || event.deltaX) * 0.1);
    const box = this.plot.over.getBoundingClientRect();
    this.scale(event.deltaY > 0 ? 1.25 : 0.8, Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  }

  // ---- painting --------------------------------------------------------------------------------------------------------------

  paint() {
    const { ctx, bbox } = this.plot, ratio = devicePixelRatio, line = this.line * ratio;
    const first = Math.floor(this.host.scrollTop / this.line), offset = this.host.scrollTop * ratio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, bbox.top, bbox.left + bbox.width, bbox.height);
    ctx.clip();
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (let index = first; index < this.lines.length; index++) {
      const top = bbox.top + index * line - offset;
      if (top > bbox.top + bbox.height) break;
      this.paintLine(ctx, bbox, this.lines[index], index, top, line, ratio);
    }
    ctx.restore();
  }

  paintLine(ctx, bbox, { group, row }, index, top, line, ratio) {
    ctx.font = `${row ? "" : "600 "}${12 * ratio}px system-ui, sans-serif`;
    ctx.fillStyle = colour(row ? "text" : "strong");
    const text = row ? row.name : `${this.folded.has(group) ? "▸" : "▾"} ${this.run.groups[group].filter(Boolean).join(" · ")}`;
    const room = row ? bbox.left - 22 * ratio : bbox.left + bbox.width - 12 * ratio;
    ctx.fillText(fitted(ctx, text, room), (row ? 18 : 4) * ratio, top + line / 2);
    if (!row) return;
    ctx.fillStyle = colour("line");
    ctx.fillRect(bbox.left, top + line - ratio, bbox.width, 1);
    const twin = this.other?.get(keyOf(this.run, row));
    const high = line - 6 * ratio, gap = (this.line === LINE ? 1 : 3) * ratio, half = Math.round((high - gap) / 2);
    this.paintStates(ctx, bbox, this.run, row, top + 3 * ratio, this.other ? half : high);
    if (twin) this.paintStates(ctx, bbox, this.otherRun, twin, top + 3 * ratio + half + gap, half);
    if (this.selected.line === index && this.selected.segment >= 0) {
      const [left, right] = this.edges(bbox, this.run, row, this.selected.segment);
      ctx.strokeStyle = colour("strong");
      ctx.lineWidth = 2 * ratio;
      ctx.strokeRect(left, top + 2 * ratio, Math.max(right - left, 2 * ratio), line - 4 * ratio);
    }
  }

  edges(bbox, run, row, segment) {
    const base = this.run.begin; // both runs begin at the same place of the chart
    const place = (seconds) => this.plot.valToPos(base + seconds, "x", true);
    return [Math.max(bbox.left, place(row.at[segment])), Math.min(bbox.left + bbox.width, place(endOf(run, row, segment)))];
  }

  /** The states of a row, and below them as a thin line its running states. */
  paintStates(ctx, bbox, run, row, top, whole) {
    const thin = row.ran.length ? Math.max(2 * devicePixelRatio, Math.round(whole / 4)) : 0;
    const height = thin ? whole - thin - devicePixelRatio : whole;
    if (thin) this.paintRunning(ctx, bbox, run, row, top + whole - thin, thin);
    let painted = -1;
    const { min, max } = this.plot.scales.x;
    for (let segment = Math.max(0, segmentAt(row, min - this.run.begin)); segment < row.at.length; segment++) {
      if (this.run.begin + row.at[segment] > max) break;
      const phase = phaseOf(run, row.state[segment]);
      if (phase.name === "idle") continue;
      const [left, right] = this.edges(bbox, run, row, segment);
      if (right < bbox.left || (right <= painted && phase.name !== "failed")) continue; // hidden below what is painted
      ctx.fillStyle = phase.colour;
      ctx.fillRect(left, top, Math.max(right - left, 1), height);
      if (phase.name === "failed" && right - left > 8) this.cross(ctx, left + 3, top + 3, height - 6);
      painted = Math.max(painted, Math.floor(right));
    }
  }

  paintRunning(ctx, bbox, run, row, top, height) {
    const place = (seconds) => this.plot.valToPos(this.run.begin + seconds, "x", true);
    row.ran_at.forEach((at, index) => {
      const left = Math.max(bbox.left, place(at)), right = Math.min(bbox.left + bbox.width, place(ranUntil(run, row, index)));
      if (right < bbox.left || left > bbox.left + bbox.width) return;
      ctx.fillStyle = phaseOfRunning(run, row.ran[index]).colour;
      ctx.fillRect(left, top, Math.max(right - left, 1), height);
    });
  }

  /** Marks a failure by more than its colour. */
  cross(ctx, left, top, size) {
    ctx.strokeStyle = "#fff";
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(left, top);
    ctx.lineTo(left + size, top + size);
    ctx.moveTo(left + size, top);
    ctx.lineTo(left, top + size);
    ctx.stroke();
  }

  // ---- pointer and keys ------------------------------------------------------------------------------------------------------

  /** The line and the time below the pointer. */
  at(event) {
    const box = this.plot.over.getBoundingClientRect();
    const index = Math.floor((event.clientY - box.top + this.host.scrollTop) / this.line);
    return { index, line: this.lines[index], seconds: this.plot.posToVal(event.clientX - box.left, "x") - this.run.begin };
  }

  hover(event) {
    const { line, seconds } = this.at(event);
    if (!line?.row) { this.tip.hidden = true; return; }
    this.tell(line.row, segmentAt(line.row, seconds), seconds);
    const box = this.host.parentElement.getBoundingClientRect();
    const left = Math.min(event.clientX - box.left + 14, box.width - this.tip.offsetWidth - 4);
    this.tip.style.left = `${Math.max(0, left)}px`;
    this.tip.style.top = `${event.clientY - box.top + 18}px`;
  }

  tell(row, segment, seconds) {
    const log = segment < 0 ? [] : logOf(row, row.at[segment], endOf(this.run, row, segment)).slice(-5);
    const twin = this.other?.get(keyOf(this.run, row));
    const [name, where, ...lines] = describe(this.run, row, segment);
    const shown = this.other
      ? [name, where, `upper half, ${this.run.label}: ${lines.join("; ")}`, `lower half, ${this.otherRun.label}: ${twin ? describe(this.otherRun, twin, segmentAt(twin, seconds)).slice(2).join("; ") : "does not exist"}`]
      : [name, where, ...lines];
    this.tip.replaceChildren(...shown.map((text, index) => element(index ? "div" : "strong", {}, text)), ...log.map(([, text]) => element("code", {}, text)));
    this.tip.hidden = false;
  }

  click(event) {
    const { index, line, seconds } = this.at(event);
    if (!line) return;
    if (!line.row) return this.fold(line.group);
    this.select(index, segmentAt(line.row, seconds));
  }

  fold(group) {
    this.folded.has(group) ? this.folded.delete(group) : this.folded.add(group);
    this.show(this.filter);
  }

  select(index, segment) {
    const line = this.lines[index];
    this.selected = { line: index, segment };
    const top = index * this.line, seen = this.host.clientHeight - AXIS;
    if (top < this.host.scrollTop) this.host.scrollTop = top;
    else if (top + this.line > this.host.scrollTop + seen) this.host.scrollTop = top + this.line - seen;
    this.redraw();
    if (line?.row) this.chosen(line.row, segment);
  }

  /** The next line with a row, up or down. */
  step(by) {
    let index = this.selected.line;
    do index += by; while (this.lines[index] && !this.lines[index].row);
    const row = this.lines[index]?.row;
    if (row) this.select(index, Math.min(Math.max(this.selected.segment, 0), row.at.length - 1));
  }

  key(event) {
    const row = this.lines[this.selected.line]?.row;
    const acts = {
      ArrowDown: () => this.step(1), ArrowUp: () => this.step(-1),
      ArrowRight: () => event.shiftKey || !row ? this.shift(0.2) : this.select(this.selected.line, Math.min(this.selected.segment + 1, row.at.length - 1)),
      ArrowLeft: () => event.shiftKey || !row ? this.shift(-0.2) : this.select(this.selected.line, Math.max(this.selected.segment - 1, 0)),
      Home: () => { this.selected = { line: -1, segment: 0 }; this.step(1); },
      End: () => { this.selected = { line: this.lines.length, segment: 0 }; this.step(-1); },
      PageDown: () => { this.host.scrollTop += LONGEST - this.line; }, PageUp: () => { this.host.scrollTop -= LONGEST - this.line; },
      "+": () => this.scale(0.5), "=": () => this.scale(0.5), "-": () => this.scale(2), 0: () => this.zoom(this.run.begin, this.run.end),
      Enter: () => row && this.focusOn(row), Escape: () => { this.tip.hidden = true; this.select(-1, -1); },
    };
    if (!acts[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    acts[event.key]();
  }

  /** Zooms to the selected state. */
  focusOn(row) {
    const segment = this.selected.segment;
    if (segment < 0) return;
    const begin = this.run.begin + row.at[segment], end = this.run.begin + endOf(this.run, row, segment);
    this.zoom(begin - (end - begin) * 0.5, end + (end - begin) * 0.5);
  }
}

/** The text, cut so that it fits. */
function fitted(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text;
  let length = text.length;
  while (length > 1 && ctx.measureText(`${text.slice(0, length)}…`).width > room) length = Math.floor(length * 0.9);
  return `${text.slice(0, length)}…`;
}
