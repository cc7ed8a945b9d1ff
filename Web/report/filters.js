"use strict";
// The page's URL contains the filters, the open case, and the kept cases; the filters select cases.

const FILTERS = ["q", ...DIMS, "verdict", "rule", "tag", "change", "cause"];
let state = {};
// The indices of the selected rows, failures first.
let hits = [];
let texts = null;

function readAddress() {
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
  if (isTyping) {
    history.replaceState(null, "", next);
    update();
  } else location.hash = next;
}

const isFiltered = () => FILTERS.some(filter => state[filter]);

function searchText(index) {
  if (!texts) texts = new Array(rows.length);
  if (texts[index] === undefined) {
    const row = rows[index];
    const findings = row[AT.found].map(found => data.rules[found[0]] + ": " + found[1]);
    texts[index] =
      [...DIMS.map(dim => value(row, dim)), verdict(row), ...tags(row), ...findings].join("\n").toLowerCase();
  }
  return texts[index];
}

function selectCases() {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = DIMS.filter(dim => state[dim]).map(dim => [AT[dim], data.names[dim].indexOf(state[dim])]);
  const cause = state.cause ? marks.indexOf(state.cause) : -1;
  const rule = state.rule ? data.rules.indexOf(state.rule) : -1;
  const verdicts = state.verdict.split(",");
  hits = [];
  rows.forEach((row, index) => {
    if (!wanted.every(([at, number]) => row[at] === number)) return;
    if (state.verdict && !verdicts.includes(verdict(row))) return;
    if (state.cause && row[AT.cause] !== cause) return;
    if (state.change && change(row) !== state.change) return;
    if (state.rule && !row[AT.found].some(found => found[0] === rule)) return;
    if (state.tag && !tags(row).includes(state.tag)) return;
    if (words.length && !words.every(word => searchText(index).includes(word))) return;
    hits.push(index);
  });
  hits.sort((one, other) => RANK[verdict(rows[one])] - RANK[verdict(rows[other])] || one - other);
}
