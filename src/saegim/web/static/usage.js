// Charts of the usage page, from the table beside them.
const rows = [...document.querySelectorAll("#days tbody tr")].map((row) => row.dataset);
const style = getComputedStyle(document.documentElement);
const color = (name) => {
  const probe = document.createElement("i");
  probe.className = `ink-${name}`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
};
const at = rows.map((row) => new Date(`${row.day}T00:00:00`).getTime() / 1000);
const SERIES = {
  turns: [["turns", "accent"]],
  latency: [["p50", "accent"], ["p95", "ink"]],
  tokens: [["tokens", "accent"]],
  cost: [["cost", "accent"]],
  escalated: [["escalated", "accent"]],
};
const DAY = 86400;
const last = at.at(-1);
// What a scale reaches at least, so that a quiet month is flat and not without numbers.
const LEAST = { turns: 4, latency: 100, tokens: 100, cost: 0.01, escalated: 100 };
const charts = [];

function draw(place) {
  const series = SERIES[place.dataset.chart];
  const bars = ["turns", "tokens", "cost", "escalated"].includes(place.dataset.chart);
  const axis = { stroke: color("muted"), grid: { stroke: color("line"), width: 1 }, ticks: { show: false }, font: `12px ${style.fontFamily}` };
  const size = { width: place.clientWidth, height: 200 };
  const chart = new window.uPlot(
    {
      ...size,
      cursor: { y: false },
      legend: { show: false },
      scales: { x: { time: true, range: () => [last - 29.5 * DAY, last + DAY / 2] }, y: { range: (_u, _low, high) => [0, Math.max(high * 1.1, LEAST[place.dataset.chart])] } },
      axes: [{ ...axis, size: 28, values: "{M}/{D}" }, { ...axis, size: 60 }],
      series: [
        {},
        ...series.map(([name, ink], index) => ({
          label: name,
          stroke: color(ink),
          fill: bars && index === 0 ? color(`${ink}-soft`) : undefined,
          width: 2,
          paths: bars && index === 0 ? window.uPlot.paths.bars({ size: [0.6, 40], radius: 0.2 }) : undefined,
          points: { show: !bars, size: 5 },
        })),
      ],
    },
    [at, ...series.map(([name]) => rows.map((row) => Number(row[name])))],
    place,
  );
  charts.push([place, chart]);
}

addEventListener("load", () => {
  if (rows.length) for (const place of document.querySelectorAll("[data-chart]")) draw(place);
});
addEventListener("resize", () => {
  for (const [place, chart] of charts) chart.setSize({ width: place.clientWidth, height: 200 });
});
