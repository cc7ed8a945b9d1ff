"use strict";
// The page: adds the parts that need a script, and shows the state in the URL.

let shownFilters = null, shownKept = null;

function update() {
  readAddress();
  const filters = address({case: null, keep: []}), kept = state.keep.join("\n");
  if (filters !== shownFilters) {
    shownFilters = filters;
    selectCases();
    showFilters();
    showMatrix();
    showList();
    showCharts();
  }
  if (kept !== shownKept) {
    shownKept = kept;
    showKept();
  }
  showCase();
}

function showFilters() {
  for (const field of document.querySelectorAll("#filters [name]")) {
    const isTyped = document.activeElement === field && field.tagName !== "SELECT";
    if (!isTyped) field.value = state[field.name];
  }
  const cause = data.causes[marks.indexOf(state.cause)];
  const text = cause ? isolated(cause[1] + ": " + cause[2]) : "that is not in this report";
  $("only").replaceChildren(...(state.cause ? ["only the cause ", text] : []));
  $("clear").hidden = !isFiltered();
  for (const link of document.querySelectorAll("[data-cause]")) {
    link.setAttribute("aria-current", state.cause === marks[link.dataset.cause]);
  }
}

function choice(filter, all, options, minimum = 2) {
  if (options.length < minimum) return "";
  const choose = event => go({[filter]: event.target.value, case: null});
  return el("select", {name: filter, "aria-label": all, onchange: choose}, el("option", {value: ""}, all),
    options.map(option => el("option", {value: option}, visible(option))));
}

function buildFilters(search, verdicts) {
  const names = data.names, changes = new Set(rows.map(change).filter(Boolean));
  const allTags = new Set(Object.values(data.tags).flat());
  const clear = () => {
    search.value = "";
    location.hash = "#";
  };
  return el("form", {id: "filters", role: "search", onsubmit: event => event.preventDefault()}, search,
    choice("verdict", "all verdicts", verdicts), choice("network", "all networks", [...names.network].sort()),
    choice("platform", "all platforms", names.platform), choice("scenario", "all scenarios", names.scenario),
    choice("app", "all apps", names.app), choice("rule", "all rules", [...data.rules].sort(), 1),
    choice("tag", "all tags", [...allTags].sort(), 1), choice("change", "changed or not", [...changes], 1),
    el("button", {type: "button", id: "clear", hidden: true, onclick: clear}, "Show all"),
    el("span", {id: "count", role: "status"}));
}

function buildKey(verdicts) {
  const hasChanges = rows.some(row => change(row));
  return el("p", {class: "quiet key"}, verdicts.map(is => [el("span", {class: "cell " + is}, SIGN[is]), " " + is + " "]),
    hasChanges ? [el("span", {class: "cell changed"}), " changed since the last run"] : "");
}

function buildMatrix() {
  const open = event => {
    const index = event.target.dataset?.index;
    if (index !== undefined) go({case: key(rows[index])});
  };
  return el("div", {id: "matrix"}, el("div", {id: "across"}, el("div", {id: "heads"}), el("div", {
    id: "lines", class: "scroll", role: "grid", tabindex: 0, onkeydown: moveInMatrix, onclick: open,
    "aria-label": "Matrix of titles and conditions; arrow keys move, Enter opens",
  })));
}

function build() {
  const verdicts = Object.keys(RANK).filter(is => rows.some(row => verdict(row) === is));
  const search = el("input", {
    type: "search", name: "q", placeholder: "Search titles, findings, networks … (/)", "aria-label": "Search",
    autocomplete: "off", spellcheck: "false", oninput: event => go({q: event.target.value, case: null}, true),
  });
  $("cases").append(
    buildFilters(search, verdicts), el("p", {id: "only", class: "quiet"}), buildKey(verdicts), buildMatrix(),
    el("div", {id: "list", class: "scroll", role: "region", "aria-label": "Cases, failures first", tabindex: -1}));
  $("charts").append(el("p", {id: "charts-key", class: "quiet"}), el("div", {id: "charts-body"}));
  $("charts").after(
    el("section", {id: "kept", hidden: true}, el("h2", {}, "Kept on the page"), el("div", {id: "kept-body"})));
  document.body.append(el("aside", {id: "case", role: "dialog", "aria-label": "Case", hidden: true}));
  for (const link of document.querySelectorAll("[data-filter]")) link.href = "#" + link.dataset.filter;
  for (const link of document.querySelectorAll("[data-cause]")) link.href = "#cause=" + marks[link.dataset.cause];
  for (const link of document.querySelectorAll("[data-case]")) {
    link.href = "#" + new URLSearchParams({case: link.dataset.case});
  }
  listen(search);
}

function listen(search) {
  document.addEventListener("click", event => {
    if (event.target.closest("[data-filter],[data-cause]")) setTimeout(() => $("cases").scrollIntoView());
  });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape" && state.case) go({case: null});
    if (event.key === "/" && !/INPUT|SELECT/.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    }
  });
  addEventListener("hashchange", update);
  addEventListener("beforeprint", listOnPaper);
  addEventListener("afterprint", showList);
  addEventListener("resize", () => grid?.show(true));
}

function chooseTheme() {
  const kinds = ["auto", "light", "dark"], button = $("theme");
  const set = kind => {
    document.documentElement.dataset.theme = kind;
    button.textContent = "Colors: " + kind;
    try { localStorage.setItem("segue-theme", kind); } catch {}
  };
  let kind = "auto";
  try { kind = localStorage.getItem("segue-theme") || kind; } catch {}
  set(kinds.includes(kind) ? kind : "auto");
  button.hidden = false;
  button.onclick = () => set(kinds[(kinds.indexOf(document.documentElement.dataset.theme) + 1) % 3]);
}

// The style that all timelines share.
function addTimelineStyle() {
  const style = `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" class="shared">`;
  document.body.prepend(svg(style + data.common + "</svg>"));
}

async function begin() {
  chooseTheme();
  try {
    const ids = Array.from({length: data.rowBlocks}, (_, number) => "rows-" + number);
    rows = (await Promise.all(ids.map(decompressed))).flatMap(text => JSON.parse("[" + text.replaceAll("\n", ",") + "]"));
  } catch (error) {
    const text = `Cannot decompress the cases: ${error}. Use a browser from 2023 or later.`;
    return $("cases").append(el("p", {class: "warning"}, text));
  }
  if (data.common) addTimelineStyle();
  build();
  update();
  document.documentElement.dataset.ready = Math.round(performance.now());
}
begin();
