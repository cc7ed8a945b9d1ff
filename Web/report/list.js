"use strict";
// The list of the selected cases.

const MAX_PRINTED = 500;

const badge = row => el("span", {class: "badge " + verdict(row)}, SIGN[verdict(row)] + " " + verdict(row));
const firstFinding = row => row[AT.found].find(found => found[3] === undefined) || row[AT.found][0];

function drawEntry(place) {
  const row = rows[hits[place]], found = firstFinding(row);
  return el("a", {class: "entry", href: address({case: key(row)})}, badge(row),
    el("span", {class: "main"},
      el("span", {class: "of"},
        isolated(value(row, "title")), " ", el("span", {class: "quiet"}, isolated(conditions(row)))),
      el("span", {class: "found"},
        change(row) ? el("b", {}, change(row) + " ") : "",
        found ? isolated(data.rules[found[0]] + ": " + found[1]) : "")));
}

function showList() {
  const box = $("list");
  box.style.height = Math.min(hits.length * 46 + 2, Math.max(240, innerHeight * .5)) + "px";
  box.scrollTop = 0;
  virtualList(box, 46, hits.length, drawEntry);
  const cases = count => count + (count === 1 ? " case" : " cases");
  $("count").textContent =
    hits.length === rows.length ? cases(rows.length) : `${hits.length} of ${cases(rows.length)}`;
  box.hidden = $("matrix").hidden = !hits.length;
}

// Paper shows all failures, not only the visible rows.
function listOnPaper() {
  const bad = hits.map((index, place) => [rows[index], place]).filter(([row]) => RANK[verdict(row)] < 2);
  const rest = bad.length > MAX_PRINTED ? [el("p", {}, `… and ${bad.length - MAX_PRINTED} more`)] : [];
  const entries = bad.slice(0, MAX_PRINTED).map(([, place]) => drawEntry(place));
  $("list").replaceChildren(el("div", {class: "inner"}, entries, rest));
}
