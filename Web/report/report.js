(() => {
"use strict";
const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const DIMS = ["title", "scenario", "network", "platform", "app"];
const AT = {title: 0, scenario: 1, network: 2, platform: 3, app: 4, seed: 5, verdict: 6, cause: 7, picture: 8, change: 9, found: 10, background: 11, metrics: 12};
const RANK = {fail: 0, broken: 1, known: 2, pass: 3, skip: 4};
const SIGN = {fail: "✕", broken: "!", known: "k", pass: "·", skip: "–"};
const CHANGES = ["", "new", "mended", "worse", "better", "excused", "added"];
let rows = [], texts = null, places = null, hits = [], opener = null;

function el(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== ""));
  return made;
}
const visible = text => String(text).replace(/[\u0000-\u001f\u007f-\u009f]/g, sign => "\\u{" + sign.charCodeAt(0).toString(16) + "}");
const name = text => el("bdi", {}, visible(text));
const value = (row, dim) => dim === "seed" ? String(row[AT.seed]) : data.names[dim][row[AT[dim]]];
const verdict = row => data.verdicts[row[AT.verdict]];
const key = row => [...DIMS.slice(1).map(dim => value(row, dim)), row[AT.seed], value(row, "title")].join("~");
const around = row => DIMS.slice(1).map(dim => value(row, dim)).join(" · ") + (row[AT.seed] === 1 ? "" : " · seed " + row[AT.seed]);
const tags = row => data.tags[row[AT.title]] || [];

// A cause's name in addresses: of what its findings have in common, so that it is the same tomorrow.
function mark(cause) {
  let hash = 2166136261;
  for (const sign of cause[0] + " " + (cause[3] || cause[1])) hash = Math.imul(hash ^ sign.codePointAt(0), 16777619);
  return (hash >>> 0).toString(36);
}
const marks = data.causes.map(mark);

async function unpacked(id) {
  const bytes = Uint8Array.from(atob($(id).textContent), sign => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

// The address.
const FILTERS = ["q", ...DIMS, "verdict", "rule", "tag", "change", "cause"];
let state = {};
function read() {
  const words = new URLSearchParams(location.hash.slice(1));
  state = {keep: words.getAll("keep"), case: words.get("case")};
  for (const filter of FILTERS) state[filter] = words.get(filter) || "";
}
function address(changes) {
  const next = {...state, ...changes}, words = new URLSearchParams();
  for (const filter of FILTERS) if (next[filter]) words.set(filter, next[filter]);
  for (const kept of next.keep || []) words.append("keep", kept);
  if (next.case) words.set("case", next.case);
  return "#" + words;
}
function go(changes, isTyping) {
  const next = address(changes);
  if (next === (location.hash || "#")) return;
  if (isTyping) { history.replaceState(null, "", next); update(); } else location.hash = next;
}
const isFiltered = () => FILTERS.some(filter => state[filter]);

function textOf(index) {
  if (!texts) texts = new Array(rows.length);
  if (texts[index] === undefined) {
    const row = rows[index];
    texts[index] = [...DIMS.map(dim => value(row, dim)), verdict(row), ...tags(row),
      ...row[AT.found].map(found => data.rules[found[0]] + ": " + found[1])].join("\n").toLowerCase();
  }
  return texts[index];
}
function find() {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = DIMS.filter(dim => state[dim]).map(dim => [AT[dim], data.names[dim].indexOf(state[dim])]);
  const cause = state.cause ? marks.indexOf(state.cause) : -1;
  const rule = state.rule ? data.rules.indexOf(state.rule) : -1;
  const verdicts = state.verdict.split(",");
  const change = CHANGES.indexOf(state.change);
  hits = [];
  rows.forEach((row, index) => {
    if (!wanted.every(([at, number]) => row[at] === number)) return;
    if (state.verdict && !verdicts.includes(verdict(row))) return;
    if (state.cause && row[AT.cause] !== cause) return;
    if (state.change && row[AT.change] !== change) return;
    if (state.rule && !row[AT.found].some(found => found[0] === rule)) return;
    if (state.tag && !tags(row).includes(state.tag)) return;
    if (words.length && !words.every(word => textOf(index).includes(word))) return;
    hits.push(index);
  });
  hits.sort((one, other) => RANK[verdict(rows[one])] - RANK[verdict(rows[other])] || one - other);
}

// A list of which only what is seen is drawn.
function virtual(box, height, count, draw) {
  const inner = el("div", {class: "inner"});
  inner.style.height = count * height + "px";
  box.replaceChildren(inner);
  let from = -1, to = -1;
  const show = force => {
    const first = Math.max(0, Math.floor(box.scrollTop / height) - 4);
    const last = Math.min(count, Math.ceil((box.scrollTop + (box.clientHeight || 600)) / height) + 4);
    if (first === from && last === to && force !== true) return;
    [from, to] = [first, last];
    const seen = [];
    for (let index = first; index < last; index++) {
      const row = draw(index);
      row.style.top = index * height + "px";
      seen.push(row);
    }
    inner.replaceChildren(...seen);
  };
  box.onscroll = show;
  show(true);
  return show;
}

// The matrix: titles down, what they were crossed with across; where that is too wide, more goes down.
const CELL = 22, WIDEST = 64, LINES = 40, PAPER = 500;
let grid = null;
function pivot() {
  const distinct = dims => new Set(hits.map(index => dims.map(dim => rows[index][AT[dim]]).join(" "))).size;
  const counts = {};
  for (const dim of ["network", "platform", "scenario", "app", "seed"]) counts[dim] = distinct([dim]);
  let across = Object.keys(counts).filter(dim => counts[dim] > 1).sort((one, other) => counts[one] - counts[other]);
  const down = ["title"];
  while (across.length && distinct(across) > WIDEST) down.push(across.pop());
  const columns = new Map(), lines = new Map();
  for (const index of hits) {
    const row = rows[index];
    const columnKey = across.map(dim => row[AT[dim]]).join(" "), lineKey = down.map(dim => row[AT[dim]]).join(" ");
    if (!columns.has(columnKey)) columns.set(columnKey, {key: columnKey, order: across.map(dim => row[AT[dim]]), row});
    if (!lines.has(lineKey)) lines.set(lineKey, {row, order: down.map(dim => row[AT[dim]]), cells: new Map(), counts: [0, 0, 0, 0, 0]});
    const line = lines.get(lineKey);
    if (!line.cells.has(columnKey)) line.cells.set(columnKey, index);
    line.counts[RANK[verdict(row)]]++;
  }
  const inOrder = (one, other) => one.order.reduce((sum, number, place) => sum || number - other.order[place], 0);
  grid = {across, down, columns: [...columns.values()].sort(inOrder), active: [0, 0],
    lines: [...lines.values()].sort((one, other) => other.counts[0] - one.counts[0] || other.counts[1] - one.counts[1]
      || other.counts[2] - one.counts[2] || inOrder(one, other))};
}
function heads() {
  const made = [];
  grid.across.forEach((dim, level) => {
    const head = el("div", {class: "heads", role: "row"}, el("span", {class: "dim"}, dim));
    let most = 1;
    for (let column = 0; column < grid.columns.length;) {
      const same = other => grid.columns[other] && grid.columns[other].order.slice(0, level + 1).every((number, place) => number === grid.columns[column].order[place]);
      let span = 1;
      while (same(column + span)) span++;
      const text = value(grid.columns[column].row, dim), isNarrow = text.length * 7.2 + 6 > span * CELL;
      const cell = el("span", {class: isNarrow ? "head narrow" : "head", role: "columnheader", title: dim + " " + visible(text)}, el("a", {href: address({[dim]: dim === "seed" ? "" : text, case: null})}, name(text)));
      cell.style.width = span * CELL + "px";
      if (isNarrow) most = Math.max(most, text.length);
      head.append(cell);
      column += span;
    }
    head.style.height = (most > 1 ? Math.min(150, most * 7 + 8) : 20) + "px";
    made.push(head);
  });
  return made;
}
const lineName = line => grid.down.filter(dim => dim !== "title" || data.names.title.length > 1 || grid.down.length === 1).map(dim => value(line.row, dim)).join(" · ");
function drawLine(number) {
  const line = grid.lines[number], words = lineName(line);
  const bad = line.counts[0] + line.counts[1];
  const made = el("div", {class: "row", role: "row"},
    el("a", {class: "label", role: "rowheader", title: visible(words), tabindex: -1, href: address({title: value(line.row, "title"), case: null})}, name(words)),
    el("span", {class: "bad"}, bad ? String(bad) : ""));
  grid.columns.forEach((column, place) => {
    const index = line.cells.get(column.key);
    if (index === undefined) return made.append(el("span", {class: "cell"}));
    const row = rows[index], is = verdict(row), change = CHANGES[row[AT.change]];
    const isNew = change && change !== "worse" && change !== "better";
    const isActive = grid.active[0] === number && grid.active[1] === place;
    made.append(el("span", {class: "cell " + is + (isNew ? " changed" : "") + (isActive ? " active" : ""), role: "gridcell", id: `cell-${number}-${place}`, "data-index": index,
      title: `${visible(value(row, "title"))}\n${visible(around(row))}\n${is}${change ? ", " + change : ""}`, "aria-label": `${visible(value(row, "title"))}, ${visible(around(row))}: ${is}`}, SIGN[is]));
  });
  return made;
}
function showMatrix() {
  pivot();
  const box = $("lines");
  $("heads").replaceChildren(...heads());
  $("matrix").style.setProperty("--columns", grid.columns.length);
  box.style.height = Math.min(grid.lines.length * 24 + 2, Math.max(240, innerHeight * .55)) + "px";
  box.scrollTop = 0;
  grid.show = virtual(box, 24, grid.lines.length, drawLine);
  box.setAttribute("aria-rowcount", grid.lines.length);
}
function moveInMatrix(event) {
  const moves = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0], Home: [0, -1e9], End: [0, 1e9]};
  const box = $("lines"), move = moves[event.key];
  if (event.key === "Enter" || event.key === " ") {
    const index = grid.lines[grid.active[0]]?.cells.get(grid.columns[grid.active[1]]?.key);
    event.preventDefault();
    if (index !== undefined) go({case: key(rows[index])});
  }
  if (!move || !grid.lines.length) return;
  event.preventDefault();
  const clamp = (number, most) => Math.max(0, Math.min(most - 1, number));
  grid.active = [clamp(grid.active[0] + move[0], grid.lines.length), clamp(grid.active[1] + move[1], grid.columns.length)];
  const top = grid.active[0] * 24;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + 24 > box.scrollTop + box.clientHeight) box.scrollTop = top + 24 - box.clientHeight;
  grid.show(true);
  box.setAttribute("aria-activedescendant", `cell-${grid.active[0]}-${grid.active[1]}`);
}

// The list.
const badge = row => el("span", {class: "badge " + verdict(row)}, SIGN[verdict(row)] + " " + verdict(row));
const first = row => row[AT.found].find(found => found[3] === undefined) || row[AT.found][0];
function drawEntry(place) {
  const row = rows[hits[place]], found = first(row);
  return el("a", {class: "entry", href: address({case: key(row)})}, badge(row),
    el("span", {class: "main"}, el("span", {class: "of"}, name(value(row, "title")), " ", el("span", {class: "quiet"}, name(around(row)))),
      el("span", {class: "found"}, CHANGES[row[AT.change]] ? el("b", {}, CHANGES[row[AT.change]] + " ") : "", found ? name(data.rules[found[0]] + ": " + found[1]) : "")));
}
function showList() {
  const box = $("list");
  box.style.height = Math.min(hits.length * 46 + 2, Math.max(240, innerHeight * .5)) + "px";
  box.scrollTop = 0;
  virtual(box, 46, hits.length, drawEntry);
  const cases = count => count + (count === 1 ? " case" : " cases");
  $("count").textContent = hits.length === rows.length ? cases(rows.length) : `${hits.length} of ${cases(rows.length)}`;
  box.hidden = $("matrix").hidden = !hits.length;
}

// On paper stands what failed, and not only what is seen of it.
function listOnPaper() {
  const bad = hits.map((index, place) => [rows[index], place]).filter(([row]) => RANK[verdict(row)] < 2);
  const rest = bad.length > PAPER ? [el("p", {}, `… and ${bad.length - PAPER} more`)] : [];
  $("list").replaceChildren(el("div", {class: "inner"}, bad.slice(0, PAPER).map(([, place]) => drawEntry(place)), rest));
}

// Figures.
function figure(number, unit) {
  const digits = value => value === 0 ? "0" : Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
  if (unit === "bytes" || unit === "bit/s") {
    const power = number >= 1e9 ? 3 : number >= 1e6 ? 2 : number >= 1e3 ? 1 : 0;
    return digits(number / 1000 ** power) + " " + ["", "k", "M", "G"][power] + (unit === "bytes" ? "B" : "bit/s");
  }
  return digits(number) + (unit ? " " + unit : "");
}
const words = metric => metric.replace(/Seconds|Milliseconds/, "").replace(/[A-Z]/g, letter => " " + letter.toLowerCase());
const CHARTS = ["startupSeconds", "stalls", "stallSeconds", "stallShare", "switchGapSeconds", "silenceSeconds", "firstByteSeconds", "bitrate", "bytes", "requests", "errors"];
function spread(values) {
  const sorted = values.sort((one, other) => one - other), part = share => sorted[Math.floor((sorted.length - 1) * share)];
  return [part(.1), part(.5), part(.9)];
}
function showCharts() {
  const box = $("charts-body"), judged = hits.map(index => rows[index]).filter(row => ["pass", "fail", "known"].includes(verdict(row)));
  const networks = [...new Set(judged.map(row => row[AT.network]))].sort((one, other) => one - other), charts = [];
  const former = isFiltered() ? null : data.former;
  for (const metric of CHARTS) {
    const at = data.metrics.findIndex(entry => entry[0] === metric), [, unit, worse] = data.metrics[at];
    const byNetwork = new Map(networks.map(network => [network, []]));
    for (const row of judged) { const number = row[AT.metrics + at]; if (typeof number === "number") byNetwork.get(row[AT.network]).push(number); }
    const lines = networks.filter(network => byNetwork.get(network).length).map(network => {
      const text = data.names.network[network];
      return {text, now: spread(byNetwork.get(network)), was: former?.[text]?.[metric]};
    });
    const most = Math.max(0, ...lines.map(line => Math.max(line.now[2], line.was ? line.was[2] : 0)));
    if (!most) continue;
    const percent = number => Math.max(0, number / most * 100) + "%";
    const chart = el("div", {class: "chart"}, el("h3", {}, words(metric)));
    for (const {text, now, was} of lines.slice(0, LINES)) {
      const bar = el("span", {class: "bar"}), dot = el("span", {class: "dot"}), track = el("span", {class: "track", "aria-hidden": "true"}, bar, dot);
      bar.style.left = percent(now[0]); bar.style.width = percent(now[2] - now[0]); dot.style.left = percent(now[1]);
      let beside = "", kind = "";
      if (was) {
        const old = el("span", {class: "was"});
        old.style.left = percent(was[1]);
        track.prepend(old);
        const apart = now[1] - was[1];
        if (Math.abs(apart) > .05 * Math.max(Math.abs(was[1]), 1e-9)) {
          beside = ` (was ${figure(was[1], unit)})`;
          kind = !worse ? "" : apart * worse > 0 ? " up" : " down";
        }
      }
      chart.append(el("div", {class: "line", title: `${visible(text)}: a tenth below ${figure(now[0], unit)}, the middle ${figure(now[1], unit)}, a tenth above ${figure(now[2], unit)}${beside}`},
        el("a", {class: "label", href: address({network: text, case: null})}, name(text)), track, el("span", {class: "value" + kind}, figure(now[1], unit) + beside)));
    }
    if (lines.length > LINES) chart.append(el("p", {class: "quiet"}, `… and ${lines.length - LINES} more networks; a filter shows them`));
    charts.push(chart);
  }
  box.replaceChildren(...charts);
  $("charts").hidden = !charts.length;
  $("charts-key").textContent = "A point is the case in the middle, a bar all but the lowest and the highest tenth" + (former ? "; a ring is the last run." : ".");
}

// A case.
const quoted = text => /^[\w./,:=+@%-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
const command = row => "segue regress " + quoted(data.paths[row[AT.title]] || value(row, "title")) + DIMS.slice(1).map(dim => ` --${dim} ${quoted(value(row, dim))}`).join("") + (row[AT.seed] === 1 ? "" : " --seed " + row[AT.seed]) + " --log logs --html case.html";
const log = row => ["logs", ...value(row, "title").split("/").filter(part => part && part !== "." && part !== ".."), ["scenario", "platform", "app", "network", "seed"].map(dim => value(row, dim)).join(".") + ".jsonl"].join("/");
const blocks = new Map();
async function picture(row, isAlone) {
  const number = row[AT.picture], rank = number % 3, place = Math.floor(number / 3), block = Math.floor(place / data.together);
  if (number < 0 || block >= data.pictureBlocks[rank]) return null;
  const id = `pictures-${rank}-${block}`;
  if (!blocks.has(id)) blocks.set(id, unpacked(id).then(text => text.split("\0")));
  const packed = (await blocks.get(id))[place % data.together];
  return packed.replace(/[\u0001-\u001f]/g, sign => sign === "\u001f" ? (isAlone ? data.common : "") : data.signs[sign.charCodeAt(0)] || sign);
}
function drawn(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}
function copied(text) {
  const button = el("button", {class: "copy", onclick: async () => {
    try { await navigator.clipboard.writeText(text); button.textContent = "copied"; } catch { getSelection().selectAllChildren(button.previousSibling); }
  }}, "copy");
  return el("div", {class: "command"}, el("code", {}, visible(text)), button);
}
function card(row, isKept) {
  const is = verdict(row), id = key(row), cause = row[AT.cause];
  const figures = data.metrics.map(([metric, unit], at) => [words(metric), unit, row[AT.metrics + at]]).filter(entry => typeof entry[2] === "number");
  const frame = el("div", {class: "picture"});
  const made = el("div", {class: "card"}, el("div", {class: "line"}, badge(row), CHANGES[row[AT.change]] ? el("span", {class: "badge change"}, CHANGES[row[AT.change]]) : "",
      el("h2", {tabindex: -1}, name(value(row, "title"))),
      el("button", {onclick: () => go({keep: isKept ? state.keep.filter(kept => kept !== id) : [...new Set([...state.keep, id])]})}, isKept ? "put away" : "keep on the page")),
    el("p", {class: "quiet"}, DIMS.slice(1).map((dim, place) => [place ? " · " : "", el("a", {href: address({[dim]: value(row, dim), case: null})}, name(value(row, dim)))]), row[AT.seed] === 1 ? "" : ` · seed ${row[AT.seed]}`, tags(row).map(tag => [" · ", el("a", {href: address({tag, case: null})}, name("#" + tag))])),
    row[AT.found].length ? el("ul", {class: "findings"}, row[AT.found].map(found => el("li", {}, el("code", {}, data.rules[found[0]]), " ", name(found[1]),
      typeof found[2] === "number" ? el("span", {class: "quiet"}, ` at ${figure(found[2], "s")}`) : "", found[3] === undefined ? "" : el("span", {class: "quiet"}, " known as ", name(data.issues[found[3]]))))) : "",
    cause >= 0 ? el("p", {}, el("a", {href: "#" + new URLSearchParams({cause: marks[cause]})}, "all cases of this cause")) : "",
    figures.length ? el("dl", {class: "metrics"}, row[AT.background] >= 0 ? el("div", {}, el("dt", {}, "in the background"), el("dd", {}, data.backgrounds[row[AT.background]])) : "",
      figures.map(([metric, unit, number]) => el("div", {}, el("dt", {}, metric), el("dd", {}, figure(number, unit))))) : "", frame,
    el("h3", {}, "To play it again"), copied(command(row)), data.hasLogs ? el("p", {class: "quiet"}, "Its log, in the run's folder: ", el("a", {href: log(row).split("/").map(encodeURIComponent).join("/")}, el("code", {}, visible(log(row))))) : "");
  picture(row).then(async text => {
    if (text) frame.append(drawn(text), el("p", {class: "noprint"}, el("a", {href: "#", onclick: async event => {
      event.preventDefault();
      const link = el("a", {download: "case.svg", href: URL.createObjectURL(new Blob([await picture(row, true)], {type: "image/svg+xml"}))});
      link.click();
    }}, "save the picture")));
    else if (row[AT.picture] < -2) frame.append(el("p", {class: "quiet"}, data.reasons[-3 - row[AT.picture]]));
    else frame.append(el("p", {class: "quiet"}, "Its picture is not in this page; this draws it:"), copied(data.hasLogs ? `segue judge ${quoted(log(row))} --draw case.svg` : command(row)));
  });
  return made;
}
function caseOf(id) {
  if (!places) places = new Map(rows.map((row, index) => [key(row), index]));
  return places.get(id);
}
function showCase() {
  const box = $("case"), index = state.case ? caseOf(state.case) : undefined, wasOpen = !box.hidden;
  box.hidden = !state.case;
  document.body.classList.toggle("open", !!state.case);
  if (!state.case) { if (wasOpen && opener?.isConnected) opener.focus({preventScroll: true}); return box.replaceChildren(); }
  if (!wasOpen) opener = document.activeElement;
  const place = hits.indexOf(index), step = by => hits[place + by] === undefined ? null : address({case: key(rows[hits[place + by]])});
  const bar = el("div", {class: "line noprint"}, el("a", {class: "button", href: (place > 0 && step(-1)) || null}, "‹ before"), el("span", {class: "quiet"}, place >= 0 ? `${place + 1} of ${hits.length}` : ""),
    el("a", {class: "button", href: (place >= 0 && step(1)) || null}, "next ›"), el("button", {class: "close", "aria-label": "close", onclick: () => go({case: null})}, "✕ close"));
  box.replaceChildren(bar, index === undefined ? el("p", {}, "There is no such case in this report: ", name(state.case)) : card(rows[index], state.keep.includes(state.case)));
  box.querySelector("h2")?.focus({preventScroll: true});
  box.scrollTop = 0;
}
function showKept() {
  const kept = state.keep.map(caseOf).filter(index => index !== undefined);
  $("kept").hidden = !kept.length;
  $("kept-body").replaceChildren(...kept.map(index => card(rows[index], true)));
}

// The page.
let shownFilters = null, shownKept = null;
function update() {
  read();
  const filters = address({case: null, keep: []}), kept = state.keep.join("\n");
  if (filters !== shownFilters) {
    shownFilters = filters;
    find();
    for (const field of document.querySelectorAll("#filters [name]")) if (field.value !== state[field.name] && document.activeElement !== field || field.tagName === "SELECT") field.value = state[field.name];
    const cause = data.causes[marks.indexOf(state.cause)];
    $("only").replaceChildren(...(state.cause ? ["only the cause ", cause ? name(cause[1] + ": " + cause[2]) : "that is not in this report"] : []));
    $("clear").hidden = !isFiltered();
    for (const link of document.querySelectorAll("[data-cause]")) link.setAttribute("aria-current", state.cause === marks[link.dataset.cause]);
    showMatrix(); showList(); showCharts();
  }
  if (kept !== shownKept) { shownKept = kept; showKept(); }
  showCase();
}
function choice(filter, all, options, least = 2) {
  if (options.length < least) return "";
  return el("select", {name: filter, "aria-label": all, onchange: event => go({[filter]: event.target.value, case: null})}, el("option", {value: ""}, all), options.map(option => el("option", {value: option}, visible(option))));
}
function build() {
  const there = new Set(rows.map(verdict)), changed = new Set(rows.map(row => CHANGES[row[AT.change]]).filter(Boolean));
  const search = el("input", {type: "search", name: "q", placeholder: "Search titles, findings, networks … (/)", "aria-label": "Search", autocomplete: "off", spellcheck: "false", oninput: event => go({q: event.target.value, case: null}, true)});
  $("cases").append(
    el("form", {id: "filters", role: "search", onsubmit: event => event.preventDefault()}, search,
      choice("verdict", "every verdict", Object.keys(RANK).filter(is => there.has(is))), choice("network", "every network", [...data.names.network].sort()), choice("platform", "every platform", data.names.platform),
      choice("scenario", "every scenario", data.names.scenario), choice("app", "every app", data.names.app), choice("rule", "every rule", [...data.rules].sort(), 1),
      choice("tag", "every tag", [...new Set(Object.values(data.tags).flat())].sort(), 1), choice("change", "new or not", [...changed], 1),
      el("button", {type: "button", id: "clear", hidden: true, onclick: () => { search.value = ""; location.hash = "#"; }}, "show all"), el("span", {id: "count", role: "status"})),
    el("p", {id: "only", class: "quiet"}),
    el("p", {class: "quiet key"}, Object.keys(RANK).filter(is => there.has(is)).map(is => [el("span", {class: "cell " + is}, SIGN[is]), " " + is + " "]), changed.size ? [el("span", {class: "cell changed"}), " otherwise than in the last run"] : ""),
    el("div", {id: "matrix"}, el("div", {id: "across"}, el("div", {id: "heads"}), el("div", {id: "lines", class: "scroll", role: "grid", tabindex: 0, "aria-label": "Titles by what they were crossed with; arrows move, Enter opens",
      onkeydown: moveInMatrix, onclick: event => { const index = event.target.dataset?.index; if (index !== undefined) go({case: key(rows[index])}); }}))),
    el("div", {id: "list", class: "scroll", role: "region", "aria-label": "Cases, those that failed first", tabindex: -1}));
  $("charts").append(el("p", {id: "charts-key", class: "quiet"}), el("div", {id: "charts-body"}));
  $("charts").after(el("section", {id: "kept", hidden: true}, el("h2", {}, "Kept on the page"), el("div", {id: "kept-body"})));
  document.body.append(el("aside", {id: "case", role: "dialog", "aria-label": "A case", hidden: true}));
  for (const link of document.querySelectorAll("[data-filter]")) link.href = "#" + link.dataset.filter;
  for (const link of document.querySelectorAll("[data-cause]")) link.href = "#cause=" + marks[link.dataset.cause];
  for (const link of document.querySelectorAll("[data-case]")) link.href = "#" + new URLSearchParams({case: link.dataset.case});
  document.addEventListener("click", event => { if (event.target.closest("[data-filter],[data-cause]")) setTimeout(() => $("cases").scrollIntoView()); });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape" && state.case) go({case: null});
    if (event.key === "/" && !/INPUT|SELECT/.test(document.activeElement.tagName)) { event.preventDefault(); search.focus(); }
  });
  addEventListener("hashchange", update);
  addEventListener("beforeprint", listOnPaper);
  addEventListener("afterprint", showList);
  addEventListener("resize", () => grid?.show(true));
}
function theme() {
  const kinds = ["auto", "light", "dark"], button = $("theme");
  const set = kind => { document.documentElement.dataset.theme = kind; button.textContent = "colours: " + kind; try { localStorage.setItem("segue-theme", kind); } catch {} };
  let kind = "auto";
  try { kind = localStorage.getItem("segue-theme") || kind; } catch {}
  set(kinds.includes(kind) ? kind : "auto");
  button.hidden = false;
  button.onclick = () => set(kinds[(kinds.indexOf(document.documentElement.dataset.theme) + 1) % 3]);
}
async function begin() {
  theme();
  try {
    const packed = await Promise.all(Array.from({length: data.rowBlocks}, (_, number) => unpacked("rows-" + number)));
    rows = packed.flatMap(text => JSON.parse("[" + text.replaceAll("\n", ",") + "]"));
  } catch (error) {
    $("cases").append(el("p", {class: "warning"}, "This browser cannot unpack the cases (" + error + "); any of 2023 or later can."));
    return;
  }
  if (data.common) {
    const shared = document.importNode(new DOMParser().parseFromString('<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" class="shared">' + data.common + "<" + "/svg>", "image/svg+xml").documentElement, true);
    document.body.prepend(shared);
  }
  build();
  update();
  document.documentElement.dataset.ready = Math.round(performance.now());
}
begin();
})();
