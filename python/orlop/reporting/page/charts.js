// The charts beside the one of states: queue depth, capacity and cost over time, and how durations are distributed.

const HEIGHT = 170; // pixels of a chart
const COLOURS = ["#2f7de1", "#c98a1b", "#2e9e5b", "#8b6fd6", "#d6453d"];

const quiet = () => ({ stroke: () => colour("quiet"), grid: { stroke: () => colour("line") }, ticks: { stroke: () => colour("line") }, size: 56 });
/** The marks of a time axis: the time of day, with seconds where they matter, and the date where it changes. */
function timeTicks(plot, ticks) {
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : 60, length = step < 1 ? 23 : step < 60 ? 19 : 16;
  let day = "";
  return ticks.map((tick) => {
    const text = new Date(tick * 1000).toISOString(), its = text.slice(0, 10), isNew = its !== day;
    day = its;
    return step >= 86400 ? its : `${text.slice(11, length)}${isNew ? `\n${its}` : ""}`;
  });
}

const widthOf = (host) => Math.max(260, host.clientWidth);

/** A chart in a figure with a caption. Answers the chart. */
function figure(host, title, options, data) {
  const place = element("div", { role: "img", "aria-label": title });
  host.append(element("figure", {}, element("figcaption", {}, title), place));
  const plot = new uPlot({ width: widthOf(place), height: HEIGHT, legend: { live: true }, ...options }, data, place);
  plots.push([plot, place]);
  return plot;
}

const plots = []; // of the page, with what gives them their width

/** Values over time that hold until the next one: one line for each name. `changed` is called when the visible time changes. */
function overTime(host, title, run, at, values, changed) {
  const stepped = uPlot.paths.stepped({ align: 1 });
  const series = Object.keys(values).map((label, index) => ({
    label, stroke: COLOURS[index % COLOURS.length], width: 1.5, fill: index ? undefined : `${COLOURS[index]}22`, paths: stepped, points: { show: false },
  }));
  const last = run.end - run.begin;
  const extended = at.length && at.at(-1) < last ? last : null;
  const grown = (list) => extended === null ? list : [...list, list.at(-1)];
  return figure(host, title, {
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    scales: { x: { min: run.begin, max: run.end }, y: { range: (plot, min, max) => [0, Math.max(1, max ?? 1) * 1.05] } },
    series: [{}, ...series], axes: [{ ...quiet(), size: 52, space: 64, values: timeTicks }, quiet()],
    cursor: { drag: { x: true, y: false }, points: { size: 6 }, bind: { dblclick: (plot) => () => plot.setScale("x", { min: run.begin, max: run.end }) } },
    hooks: { setScale: [(plot, key) => key === "x" && changed(plot.scales.x.min, plot.scales.x.max)] },
  }, [grown(at).map((seconds, index) => run.begin + (index < at.length ? seconds : last)), ...Object.values(values).map(grown)]);
}

/** How many values lie in each slice: bars. `bins` are [least, most, count]; a second list is that of the other run. */
function distribution(host, title, lists, labels) {
  const bins = lists[0];
  if (!bins.length) return null;
  const bars = (align) => uPlot.paths.bars({ size: [lists.length > 1 ? 0.45 : 0.9, 60], align });
  const middle = bins.map(([least, most]) => (least + most) / 2);
  const margin = bins.length > 1 ? middle[1] - middle[0] : Math.max(1, middle[0] * 0.1);
  const times = { ...quiet(), values: (plot, ticks) => ticks.map((tick) => words(Math.max(0, tick))) };
  return figure(host, title, {
    scales: { x: { time: false, range: [middle[0] - margin, middle.at(-1) + margin] }, y: { range: (plot, min, max) => [0, Math.max(1, max) * 1.05] } },
    series: [
      { label: "duration", value: (plot, value) => value === null ? "" : words(value) },
      ...lists.map((list, index) => ({ label: labels[index], stroke: COLOURS[index], fill: `${COLOURS[index]}88`, paths: bars(lists.length > 1 ? (index ? 1 : -1) : 0), points: { show: false } })),
    ],
    axes: [times, quiet()], cursor: { drag: { x: false, y: false }, points: { show: false } },
  }, [middle, ...lists.map((list) => list.map(([, , count]) => count))]);
}

/** What was known after so many runs: the median and the 90th percentile with its bounds. */
function convergence(host, steps) {
  const known = steps.filter((step) => step.p90 !== null);
  if (known.length < 2) return null;
  const list = (read) => known.map(read);
  return figure(host, "Convergence: durations by number of runs", {
    scales: { x: { time: false, distr: 3 }, y: { range: (plot, min, max) => [0, Math.max(1e-3, max) * 1.1] } },
    series: [
      { label: "runs" }, { label: "90 %, upper bound", stroke: `${COLOURS[1]}88`, dash: [4, 4] }, { label: "90 %, lower bound", stroke: `${COLOURS[1]}88`, dash: [4, 4] },
      { label: "90 %", stroke: COLOURS[1], width: 2 }, { label: "median", stroke: COLOURS[0], width: 2 },
    ],
    bands: [{ series: [1, 2], fill: `${COLOURS[1]}22` }],
    axes: [quiet(), { ...quiet(), values: (plot, ticks) => ticks.map((tick) => words(Math.max(0, tick))) }], cursor: { drag: { x: false, y: false } },
  }, [list((step) => step.runs), list((step) => step.p90[2]), list((step) => step.p90[1]), list((step) => step.p90[0]), list((step) => step.p50)]);
}

/** Values in slices: what the distribution of a list of durations shows. Both runs have the same slices. */
function slices(values, least, most, count = 20) {
  if (!values.length) return [];
  const width = (most - least) / count || 1;
  const found = Array.from({ length: most > least ? count : 1 }, (_, index) => [least + width * index, least + width * (index + 1), 0]);
  for (const value of values) found[Math.min(Math.floor((value - least) / width), found.length - 1)][2]++;
  return found;
}
