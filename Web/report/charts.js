"use strict";
// The charts: the spread of each metric over the selected cases of each network.

const CHARTS = [
  "startupSeconds", "stalls", "stallSeconds", "stallShare", "switchGapSeconds", "silenceSeconds", "firstByteSeconds",
  "bitrate", "bytes", "requests", "errors",
];
const MAX_NETWORKS = 40;

// The 10th, 50th, and 90th percentile.
function spread(values) {
  const sorted = values.sort((one, other) => one - other);
  const part = share => sorted[Math.floor((sorted.length - 1) * share)];
  return [part(.1), part(.5), part(.9)];
}

function spreads(at, judged, networks, former, metric) {
  const byNetwork = new Map(networks.map(network => [network, []]));
  for (const row of judged) {
    const number = row[AT.metrics + at];
    if (typeof number === "number") byNetwork.get(row[AT.network]).push(number);
  }
  return networks.filter(network => byNetwork.get(network).length).map(network => {
    const text = data.names.network[network];
    return {text, now: spread(byNetwork.get(network)), was: former?.[text]?.[metric]};
  });
}

function drawSpread({text, now, was}, unit, worse, percent) {
  const bar = el("span", {class: "bar"}), dot = el("span", {class: "dot"});
  const track = el("span", {class: "track", "aria-hidden": "true"}, bar, dot);
  bar.style.left = percent(now[0]);
  bar.style.width = percent(now[2] - now[0]);
  dot.style.left = percent(now[1]);
  let note = "", direction = "";
  if (was) {
    const old = el("span", {class: "was"});
    old.style.left = percent(was[1]);
    track.prepend(old);
    const difference = now[1] - was[1];
    if (Math.abs(difference) > .05 * Math.max(Math.abs(was[1]), 1e-9)) {
      note = ` (was ${figure(was[1], unit)})`;
      direction = !worse ? "" : difference * worse > 0 ? " up" : " down";
    }
  }
  const [low, middle, high] = now.map(number => figure(number, unit));
  const title = `${visible(text)}: 10th percentile ${low}, median ${middle}, 90th percentile ${high}${note}`;
  return el("div", {class: "line", title},
    el("a", {class: "label", href: address({network: text, case: null})}, isolated(text)), track,
    el("span", {class: "value" + direction}, middle + note));
}

function showCharts() {
  const judged = hits.map(index => rows[index]).filter(row => ["pass", "fail", "known"].includes(verdict(row)));
  const networks = [...new Set(judged.map(row => row[AT.network]))].sort((one, other) => one - other);
  const former = isFiltered() ? null : data.former;
  const charts = [];
  for (const metric of CHARTS) {
    const at = data.metrics.findIndex(entry => entry[0] === metric), [, unit, worse] = data.metrics[at];
    const lines = spreads(at, judged, networks, former, metric);
    const maximum = Math.max(0, ...lines.map(line => Math.max(line.now[2], line.was ? line.was[2] : 0)));
    if (!maximum) continue;
    const percent = number => Math.max(0, number / maximum * 100) + "%";
    const chart = el("div", {class: "chart"}, el("h3", {}, metricName(metric)),
      lines.slice(0, MAX_NETWORKS).map(line => drawSpread(line, unit, worse, percent)));
    if (lines.length > MAX_NETWORKS) {
      const more = `… and ${lines.length - MAX_NETWORKS} more networks; filter to see them`;
      chart.append(el("p", {class: "quiet"}, more));
    }
    charts.push(chart);
  }
  $("charts-body").replaceChildren(...charts);
  $("charts").hidden = !charts.length;
  $("charts-key").textContent =
    "A point is the median, a bar the 10th to 90th percentile" + (former ? ", a ring the median of the last run." : ".");
}
