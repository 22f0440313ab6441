// The tables: the alternative to the charts for screen readers and print, and what charts cannot say.

const PAGE = 100; // lines of a table that are shown at once

/** A table of texts with pages. `rows(from, to)` answers lists of texts; the first of a list is the heading of its line. */
class Table {
  constructor(host, caption, heads, open = false) {
    this.body = element("tbody");
    this.where = element("span", { class: "quiet" });
    this.first = 0;
    this.lines = [];
    const turn = (by) => () => { this.first += by * PAGE; this.render(); };
    this.back = element("button", { type: "button", onclick: turn(-1) }, "Back");
    this.next = element("button", { type: "button", onclick: turn(1) }, "Next");
    this.pages = element("div", { class: "pages" }, this.back, this.next, this.where);
    this.summary = element("summary", {}, caption);
    this.caption = caption;
    const table = element("table", {}, element("caption", { class: "hidden" }, caption),
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))), this.body);
    this.heads = heads;
    this.details = element("details", { open }, this.summary, element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": caption }, table), this.pages);
    host.append(this.details);
  }

  show(lines) {
    this.lines = lines;
    this.first = 0;
    this.render();
  }

  render(all = false) {
    const shown = all ? this.lines.slice(0, 1000) : this.lines.slice(this.first, this.first + PAGE);
    this.body.replaceChildren(...shown.map((line) => element("tr", {}, ...line.map((text, index) =>
      element(index ? "td" : "th", index ? { "data-head": this.heads[index] } : { scope: "row" }, String(text))))));
    this.summary.textContent = `${this.caption} (${this.lines.length})`;
    this.pages.hidden = this.lines.length <= PAGE;
    this.back.disabled = this.first === 0;
    this.next.disabled = this.first + PAGE >= this.lines.length;
    this.where.textContent = `${this.first + 1} to ${Math.min(this.first + PAGE, this.lines.length)} of ${this.lines.length}`;
  }
}

const serviceLine = (run) => (row) => {
  const [environment, stage] = run.groups[row.group];
  const way = row.at.map((at, segment) => `${run.states[row.state[segment]]} ${words(endOf(run, row, segment) - at)}`);
  const shown = way.length > 8 ? [`${way.length - 8} before`, ...way.slice(-8)] : way;
  const reasons = Object.values(row.reasons);
  return [row.name, row.kind, environment, stage, run.states[row.state.at(-1)] ?? "", run.running_states[row.ran.at(-1)] ?? "", shown.join(", "), reasons.at(-1) ?? ""];
};

const deploymentLine = (run) => ([environment, queued, started, ended, state]) => [
  environment, clock(run, queued), started === null ? "" : words(started - queued), ended === null ? "" : words(ended - queued), state || "under way",
];

const failureLine = (run) => ([at, environment, stage, name, step, reason, rule]) => [name, environment, stage, clock(run, at), step, reason, rule];

/** Where two runs differ: services whose last state or busy time is not the same, the largest difference first. */
function differences(run, other) {
  const twins = new Map(other.rows.map((row) => [keyOf(other, row), row]));
  const busy = (which, row) => row.at.reduce((sum, at, segment) =>
    ["working", "building", "waiting", "queued", "stopping"].includes(phaseOf(which, row.state[segment]).name) ? sum + endOf(which, row, segment) - at : sum, 0);
  const found = [];
  for (const row of run.rows) {
    const twin = twins.get(keyOf(run, row));
    const here = busy(run, row), there = twin ? busy(other, twin) : 0;
    const last = run.states[row.state.at(-1)] ?? "", its = twin ? other.states[twin.state.at(-1)] ?? "" : "does not exist";
    if (Math.abs(here - there) > 1e-6 || last !== its) {
      found.push([Math.abs(here - there), [row.name, run.groups[row.group].filter(Boolean).join(" · "), last, its, words(here), words(there), `${there >= here ? "+" : "−"}${words(Math.abs(there - here))}`]]);
    }
    twins.delete(keyOf(run, row));
  }
  for (const row of twins.values()) {
    found.push([busy(other, row), [row.name, other.groups[row.group].filter(Boolean).join(" · "), "does not exist", other.states[row.state.at(-1)] ?? "", "", words(busy(other, row)), ""]]);
  }
  return found.sort((left, right) => right[0] - left[0]).map(([, line]) => line);
}
