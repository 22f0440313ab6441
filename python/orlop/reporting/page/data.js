// What the charts and tables read of the report's data: rows with their states, and which of them the filters keep.
//
// Globals of the page: `report` is the data, `uPlot` the chart library. All files of this folder are one script.

const phaseOf = (run, state) => report.phases[report.phase_of_state[run.states[state]] ?? report.idle];
const phaseOfRunning = (run, state) => report.phases[report.phase_of_running[run.running_states[state]] ?? report.idle];
const keyOf = (run, row) => [...run.groups[row.group], row.name, row.kind].join("\u0000");

/** The index of the state that the row is in at a time, -1 before its first one. */
function segmentAt(row, time) {
  let low = 0, high = row.at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.at[middle] <= time) low = middle + 1; else high = middle;
  }
  return row.until !== null && time > row.until ? -1 : low - 1;
}

/** Seconds at which a state of the row ends. */
const endOf = (run, row, segment) => segment + 1 < row.at.length ? row.at[segment + 1] : row.until ?? run.end - run.begin;

/** Seconds at which a running state of the row ends. */
const ranUntil = (run, row, index) => row.ran_at[index + 1] ?? row.until ?? run.end - run.begin;

/** The running states of a row between two times, with how long each lasted there: texts. */
function runningBetween(run, row, begin, end) {
  const found = [];
  row.ran_at.forEach((at, index) => {
    const from = Math.max(at, begin), until = Math.min(ranUntil(run, row, index), end);
    if (until > from || (from === until && at >= begin && index === row.ran.length - 1)) found.push(`${run.running_states[row.ran[index]]} ${words(until - from)}`);
  });
  return found;
}

/** "2m13s" of 133. */
function words(seconds) {
  if (seconds > 0 && seconds < 0.9995) return `${Math.round(seconds * 1000)}ms`;
  if (seconds < 9.95) return `${Math.round(seconds * 10) / 10}s`;
  const whole = Math.round(seconds), two = (number) => String(number).padStart(2, "0");
  if (whole >= 86400) return `${Math.floor(whole / 86400)}d${two(Math.floor(whole % 86400 / 3600))}h`;
  if (whole >= 3600) return `${Math.floor(whole / 3600)}h${two(Math.floor(whole % 3600 / 60))}m`;
  return whole >= 60 ? `${Math.floor(whole / 60)}m${two(whole % 60)}s` : `${whole}s`;
}

/** "2026-03-01 08:00:00" of a time of the run, in UTC. */
const clock = (run, seconds) => new Date((run.begin + seconds) * 1000).toISOString().slice(0, 19).replace("T", " ");

/** What stands in the tooltip and is read aloud: lines about one state of a row. */
function describe(run, row, segment) {
  const [environment, stage] = run.groups[row.group];
  const lines = [`${row.name} (${row.kind})`, [environment, stage].filter(Boolean).join(", ")];
  if (segment < 0) return [...lines, "no state yet"];
  const begin = row.at[segment], end = endOf(run, row, segment);
  lines.push(`${run.states[row.state[segment]]} for ${words(end - begin)}, from ${clock(run, begin)}`);
  if (row.reasons[segment]) lines.push(row.reasons[segment]);
  const ran = runningBetween(run, row, begin, end);
  if (ran.length) lines.push(`running state: ${ran.length > 6 ? `${ran.length - 6} before, ` : ""}${ran.slice(-6).join(", ")}`);
  return lines.filter(Boolean);
}

/** The log lines of a row between two times. */
const logOf = (row, begin, end) => row.log.filter(([at]) => at >= begin && at <= end);

const RUNNING = "running: "; // what begins the name of a running state among the states of the filter

/** Keeps what a filter asks for: a text in names, kinds, groups or reasons; an environment; a state or running state that was reached; failures only. */
class Filter {
  constructor() { this.text = ""; this.environment = ""; this.state = ""; this.failed = false; }

  keeps(run, row) {
    const [environment, stage] = run.groups[row.group];
    if (this.environment && environment !== this.environment) return false;
    if (this.state && !row.state.some((state) => run.states[state] === this.state) && !row.ran.some((state) => RUNNING + run.running_states[state] === this.state)) return false;
    if (this.failed && !row.state.some((state) => phaseOf(run, state).name === "failed")) return false;
    if (!this.text) return true;
    row.haystack ??= [environment, stage, row.name, row.kind, ...Object.values(row.reasons)].join("\n").toLowerCase();
    return this.text.toLowerCase().split(/\s+/).every((word) => row.haystack.includes(word));
  }
}

/** The lines of the chart: a heading for each group, and below it its rows, unless it is folded. */
function linesOf(run, filter, folded) {
  const lines = [];
  let group = -1;
  for (const row of run.rows) {
    if (!filter.keeps(run, row)) continue;
    if (row.group !== group) {
      group = row.group;
      lines.push({ group });
    }
    if (!folded.has(group)) lines.push({ group, row });
  }
  return lines;
}

/** An element with attributes, texts and children. Texts are set as text: names of resources are never read as HTML. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
