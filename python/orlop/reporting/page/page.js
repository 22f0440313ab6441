// The page: controls, charts and tables, and what connects them.

const [run, other] = report.runs;
const section = (title, ...children) => element("section", { "aria-label": title }, element("h2", {}, title), ...children);
const main = document.querySelector("main");
const said = element("p", { class: "hidden", role: "status", "aria-live": "polite" });
const detail = element("div", { class: "detail", hidden: true });
const filter = new Filter();
const timed = [];
let gantt = null, services = null;

/** Shows the same time in all charts. */
function showTime(min, max) {
  for (const plot of timed) {
    if (plot.scales.x.min !== min || plot.scales.x.max !== max) plot.setScale("x", { min, max });
  }
  if (gantt && (gantt.plot.scales.x.min !== min || gantt.plot.scales.x.max !== max)) gantt.plot.setScale("x", { min, max });
}

/** A selected state: its lines and its log, which are also read aloud. */
function showDetail(row, segment) {
  const lines = describe(run, row, segment);
  const begin = row.at[segment] ?? 0, end = segment < 0 ? 0 : endOf(run, row, segment);
  detail.replaceChildren(...lines.map((text, index) => element(index ? "p" : "h3", {}, text)),
    element("pre", {}, logOf(row, begin, end).map(([at, text]) => `${clock(run, at).slice(11)}  ${text}`).join("\n") || "no log lines"));
  detail.hidden = false;
  said.textContent = lines.join(", ");
}

function applyFilter() {
  gantt.show(filter);
  const kept = run.rows.filter((row) => filter.keeps(run, row));
  services.show(kept.map(serviceLine(run)));
  said.textContent = `${kept.length} of ${run.rows.length} services`;
  document.getElementById("count").textContent = said.textContent;
}

function controls() {
  const field = (label, input) => element("label", {}, label, input);
  const options = (first, values) => [element("option", { value: "" }, first), ...values.map((value) => element("option", {}, value))];
  const set = (name, read) => (event) => { filter[name] = read(event.target); applyFilter(); };
  const environments = [...new Set(run.groups.map(([environment]) => environment))].filter(Boolean).sort();
  const zooms = [["Zoom in", () => gantt.scale(0.5)], ["Zoom out", () => gantt.scale(2)], ["Whole run", () => gantt.zoom(run.begin, run.end)]];
  return element("div", { class: "controls", role: "search" },
    field("Search", element("input", { type: "search", id: "search", placeholder: "name, kind, reason", oninput: set("text", (input) => input.value.trim()) })),
    field("Environment", element("select", { id: "environment", onchange: set("environment", (input) => input.value) }, ...options("all", environments))),
    field("State", element("select", { id: "state", onchange: set("state", (input) => input.value) }, ...options("any", [...[...run.states].sort(), ...[...run.running_states].sort().map((state) => RUNNING + state)]))),
    element("label", { class: "check" }, element("input", { type: "checkbox", id: "failed", onchange: set("failed", (input) => input.checked) }), "failed only"),
    ...zooms.map(([text, act]) => element("button", { type: "button", onclick: act }, text)),
    element("button", { type: "button", id: "theme", onclick: changeTheme }, "Dark or light"),
    element("span", { id: "count", class: "quiet" }));
}

function changeTheme() {
  const root = document.documentElement, isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  repaint();
}

function repaint() {
  gantt.redraw();
  for (const [plot] of plots) plot.redraw(false, true);
}

/** What colours, halves and thin lines of the chart mean. */
function legend() {
  const item = (text, style, name = "") => element("li", {}, element("i", { style, class: name, "aria-hidden": "true" }), text);
  const halves = other ? [item(`upper half of a bar: ${run.label}`, "", "upper"), item(`lower half: ${other.label}`, "", "lower")] : [];
  const phases = report.phases.filter((phase) => phase.name !== "idle").map((phase) => item(phase.meaning, `background:${phase.colour}`));
  const states = [...new Set(report.runs.flatMap((each) => each.running_states))].filter((state) => state in report.phase_of_running);
  const running = states.map((state) => item(state, `background:${report.phases[report.phase_of_running[state]].colour}`, "thin"));
  const list = (label, items) => items.length ? element("ul", { class: "legend", "aria-label": label }, element("li", { class: "quiet" }, label), ...items) : null;
  return [list("Two runs:", halves), list("Bars, states:", phases), list("Thin line below, running states:", running)].filter(Boolean);
}

function many() {
  const found = report.many;
  const place = section(`${found.runs} runs`);
  main.append(place);
  const facts = [["runs as expected", `${found.runs - found.failed} of ${found.runs}`], ...Object.entries(found.durations).map(([name, value]) => [name.replace("p", "percentile "), value === null ? "–" : words(value)]),
    ["converged", found.converged ? "yes" : "no: more runs would change the percentiles"]];
  place.append(element("dl", {}, ...facts.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)])));
  if (found.failures.length) {
    new Table(place, "Why deployments failed", ["Cause", "Deployments", "Share", "Reason"], true)
      .show(found.failures.map((cause) => [cause.rule ? `the rule "${cause.rule}"` : "no rule", cause.deployments, `${(100 * cause.share).toFixed(1)} %`, cause.reason]));
  }
  const charts = element("div", { class: "charts" });
  place.append(charts);
  distribution(charts, "Durations of deployments in all runs", [found.histogram], ["deployments"]);
  convergence(charts, found.convergence);
  new Table(place, "Worst seeds", ["Seed", "Longest deployment", "Broken expectations", "Repeat it with"], true)
    .show(found.worst.map((entry) => [entry.seed, entry.longest === null ? "–" : words(entry.longest), entry.failed.join("; ") || "none", entry.repeat]));
}

function build() {
  main.append(element("h1", {}, report.title), element("p", { class: "quiet" }, report.facts.join(" · ")),
    element("div", { class: "answer", role: "region", "aria-label": "Answer" }, ...report.answer.map((text, index) => element("p", { class: index < report.answer.length - report.runs.length ? "verdict" : null }, text))), said);
  const states = section("Services", controls(), ...legend());
  const place = element("div", { class: "place" });
  states.append(place, element("p", { id: "keys", class: "quiet" },
    "Drag or Ctrl and the wheel to zoom, double click for the whole run. Keys: arrows choose a service and a state, + and − zoom, Shift and arrows move in time, Enter zooms to the state, 0 shows all."), detail);
  main.append(states);
  gantt = new Gantt(place, run, other, showTime, showDetail);
  services = new Table(states, "Services as a table", ["Name", "Kind", "Environment", "Stage", "State", "Running state", "On the way", "Reason"]);
  const charts = element("div", { class: "charts" });
  main.append(section("Over time", charts));
  timed.push(overTime(charts, "Queue depth: deployments", run, run.queue.at, { waiting: run.queue.waiting, running: run.queue.running }, showTime));
  for (const series of run.series) timed.push(overTime(charts, series.title, run, series.at, series.values, showTime));
  durations(charts);
  main.append(deployments());
  if (report.many) many();
  if (other) main.append(comparison());
  applyFilter();
}

function durations(charts) {
  const ended = (which) => which.deployments.filter(([, , , ended]) => ended !== null).map(([, queued, , ended]) => ended - queued);
  const lists = [run, other].filter(Boolean).map(ended), all = lists.flat();
  if (lists[0].length) distribution(charts, "Durations of deployments, from request to end", lists.map((list) => slices(list, Math.min(...all), Math.max(...all))), report.runs.map((each) => each.label));
}

function deployments() {
  const place = section("Deployments and failures");
  new Table(place, "Failures", ["Name", "Environment", "Stage", "Time", "Step", "Reason", "Rule"], true).show(run.failures.map(failureLine(run)));
  new Table(place, "Deployments", ["Environment", "Requested", "Waited", "Took", "State"]).show(run.deployments.map(deploymentLine(run)));
  return place;
}

function comparison() {
  const place = section(`Comparison: ${run.label} and ${other.label}`, element("p", {}, report.difference || "Both runs are the same."));
  new Table(place, "Services that differ", ["Name", "Where", run.label, other.label, `Busy, ${run.label}`, `Busy, ${other.label}`, "Difference"], true).show(differences(run, other));
  return place;
}

build();
let resizing = 0;
addEventListener("resize", () => {
  cancelAnimationFrame(resizing);
  resizing = requestAnimationFrame(() => { gantt.resize(); for (const [plot, place] of plots) plot.setSize({ width: widthOf(place), height: HEIGHT }); });
});
addEventListener("beforeprint", () => {
  gantt.printed = gantt.lines.length <= 500; // what a canvas holds
  gantt.resize();
  services.details.open = true;
  services.render(true);
});
addEventListener("afterprint", () => { gantt.printed = false; gantt.resize(); services.render(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
document.documentElement.dataset.ready = "yes";
