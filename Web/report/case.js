"use strict";
// A case: its findings, metrics, timeline, and the commands that replay it.

let rowsByKey = null, opener = null;
const blocks = new Map();

const quoted = text => /^[\w./,:=+@%-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";

function command(row) {
  const options = DIMS.slice(1).map(dim => ` --${dim} ${quoted(value(row, dim))}`).join("");
  return "segue regress " + quoted(data.paths[row[AT.title]] || value(row, "title")) + options
    + (row[AT.seed] === 1 ? "" : " --seed " + row[AT.seed]) + " --log logs --html case.html";
}

function logPath(row) {
  const folders = value(row, "title").split("/").filter(part => part && part !== "." && part !== "..");
  const name = ["scenario", "platform", "app", "network", "seed"].map(dim => value(row, dim)).join(".") + ".jsonl";
  return ["logs", ...folders, name].join("/");
}

// The timeline of a case as SVG; null if the page does not have it.
async function timeline(row, isAlone) {
  const number = row[AT.picture], rank = number % 3, place = Math.floor(number / 3);
  const block = Math.floor(place / data.together);
  if (number < 0 || block >= data.pictureBlocks[rank]) return null;
  const id = `pictures-${rank}-${block}`;
  if (!blocks.has(id)) blocks.set(id, decompressed(id).then(text => text.split("\0")));
  const packed = (await blocks.get(id))[place % data.together];
  return packed.replace(/[\u0001-\u001f]/g,
    sign => sign === "\u001f" ? (isAlone ? data.common : "") : data.signs[sign.charCodeAt(0)] || sign);
}

function svg(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

function copyable(text) {
  const button = el("button", {class: "copy", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch { getSelection().selectAllChildren(button.previousSibling); }
  }}, "copy");
  return el("div", {class: "command"}, el("code", {}, visible(text)), button);
}

function drawFinding(found) {
  return el("li", {}, el("code", {}, data.rules[found[0]]), " ", isolated(found[1]),
    typeof found[2] === "number" ? el("span", {class: "quiet"}, ` at ${figure(found[2], "s")}`) : "",
    found[3] === undefined ? "" : el("span", {class: "quiet"}, " known as ", isolated(data.issues[found[3]])));
}

function drawMetrics(row) {
  const entries = data.metrics.map(([metric, unit], at) => [metricName(metric), unit, row[AT.metrics + at]])
    .filter(entry => typeof entry[2] === "number").map(([name, unit, number]) => [name, figure(number, unit)]);
  if (!entries.length) return "";
  if (row[AT.background] >= 0) entries.unshift(["in the background", data.backgrounds[row[AT.background]]]);
  return el("dl", {class: "metrics"},
    entries.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))));
}

function drawConditions(row) {
  const links = DIMS.slice(1).map((dim, place) => [
    place ? " · " : "", el("a", {href: address({[dim]: value(row, dim), case: null})}, isolated(value(row, dim))),
  ]);
  return el("p", {class: "quiet"}, links, row[AT.seed] === 1 ? "" : ` · seed ${row[AT.seed]}`,
    tags(row).map(tag => [" · ", el("a", {href: address({tag, case: null})}, isolated("#" + tag))]));
}

// The drawings of a case: its timeline, and its parting from the nearest passing case if there is one.
const drawings = text => text.split(/(?=<svg )/);

function drawNearest(row) {
  if (!row[AT.nearest]) return "";
  const [passing, ...sentences] = row[AT.nearest];
  const box = el("div", {class: "nearest"}, el("h3", {}, "Nearest passing case"),
    el("p", {}, el("a", {href: address({case: passing})}, "The case"), " ", isolated(sentences[0])),
    sentences.slice(1).map(sentence => el("p", {}, isolated(sentence))));
  timeline(row, false).then(text => {
    const parting = text && drawings(text)[1];
    if (parting) box.append(el("div", {class: "picture"}, svg(parting)));
  });
  return box;
}

function drawTimeline(row) {
  const frame = el("div", {class: "picture"});
  timeline(row, false).then(text => {
    if (text) {
      frame.append(svg(drawings(text)[0]), el("p", {class: "noprint"}, el("a", {href: "#", onclick: async event => {
        event.preventDefault();
        const file = new Blob([drawings(await timeline(row, true))[0]], {type: "image/svg+xml"});
        el("a", {download: "case.svg", href: URL.createObjectURL(file)}).click();
      }}, "Save the timeline")));
    } else if (row[AT.picture] < -2) {
      frame.append(el("p", {class: "quiet"}, data.reasons[-3 - row[AT.picture]]));
    } else {
      frame.append(el("p", {class: "quiet"}, "The page has no room for the timeline. This command draws it:"),
        copyable(data.hasLogs ? `segue judge ${quoted(logPath(row))} --draw case.svg` : command(row)));
    }
  });
  return frame;
}

function drawCase(row, isKept) {
  const id = key(row), cause = row[AT.cause], path = logPath(row);
  const keep = isKept ? state.keep.filter(kept => kept !== id) : [...new Set([...state.keep, id])];
  return el("div", {class: "card"},
    el("div", {class: "line"}, badge(row), change(row) ? el("span", {class: "badge change"}, change(row)) : "",
      el("h2", {tabindex: -1}, isolated(value(row, "title"))),
      el("button", {onclick: () => go({keep})}, isKept ? "Remove" : "Keep on the page")),
    drawConditions(row),
    row[AT.found].length ? el("ul", {class: "findings"}, row[AT.found].map(drawFinding)) : "",
    cause >= 0
      ? el("p", {}, el("a", {href: "#" + new URLSearchParams({cause: marks[cause]})}, "All cases with this cause")) : "",
    drawMetrics(row), drawNearest(row), drawTimeline(row), el("h3", {}, "Reproduce"), copyable(command(row)),
    data.hasLogs
      ? el("p", {class: "quiet"}, "Log in the run's folder: ",
        el("a", {href: path.split("/").map(encodeURIComponent).join("/")}, el("code", {}, visible(path)))) : "");
}

function indexOf(id) {
  if (!rowsByKey) rowsByKey = new Map(rows.map((row, index) => [key(row), index]));
  return rowsByKey.get(id);
}

function showCase() {
  const box = $("case"), index = state.case ? indexOf(state.case) : undefined, wasOpen = !box.hidden;
  box.hidden = !state.case;
  if (!state.case) {
    if (wasOpen && opener?.isConnected) opener.focus({preventScroll: true});
    return box.replaceChildren();
  }
  if (!wasOpen) opener = document.activeElement;
  const place = hits.indexOf(index);
  const step = by => hits[place + by] === undefined ? null : address({case: key(rows[hits[place + by]])});
  const bar = el("div", {class: "line noprint"},
    el("a", {class: "button", href: (place > 0 && step(-1)) || null}, "‹ Previous"),
    el("span", {class: "quiet"}, place >= 0 ? `${place + 1} of ${hits.length}` : ""),
    el("a", {class: "button", href: (place >= 0 && step(1)) || null}, "Next ›"),
    el("button", {class: "close", "aria-label": "Close", onclick: () => go({case: null})}, "✕ Close"));
  box.replaceChildren(bar, index === undefined
    ? el("p", {}, "This report has no such case: ", isolated(state.case))
    : drawCase(rows[index], state.keep.includes(state.case)));
  box.querySelector("h2")?.focus({preventScroll: true});
  box.scrollTop = 0;
}

function showKept() {
  const kept = state.keep.map(indexOf).filter(index => index !== undefined);
  $("kept").hidden = !kept.length;
  $("kept-body").replaceChildren(...kept.map(index => drawCase(rows[index], true)));
}
