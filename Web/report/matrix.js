"use strict";
// The matrix: titles as rows, other dimensions as columns. Dimensions that make it too wide become rows.

const CELL = 22, MAX_COLUMNS = 64;
let grid = null;

// A list that draws only the visible rows. Returns a function that draws them again.
function virtualList(box, height, count, draw) {
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

function pivot() {
  const distinct = dims => new Set(hits.map(index => dims.map(dim => rows[index][AT[dim]]).join(" "))).size;
  const counts = {};
  for (const dim of ["network", "platform", "scenario", "app", "seed"]) counts[dim] = distinct([dim]);
  const across = Object.keys(counts).filter(dim => counts[dim] > 1).sort((one, other) => counts[one] - counts[other]);
  const down = ["title"];
  while (across.length && distinct(across) > MAX_COLUMNS) down.push(across.pop());
  const columns = new Map(), lines = new Map();
  for (const index of hits) {
    const row = rows[index], columnOrder = across.map(dim => row[AT[dim]]), lineOrder = down.map(dim => row[AT[dim]]);
    const columnKey = columnOrder.join(" "), lineKey = lineOrder.join(" ");
    if (!columns.has(columnKey)) columns.set(columnKey, {key: columnKey, order: columnOrder, row});
    if (!lines.has(lineKey)) lines.set(lineKey, {row, order: lineOrder, cells: new Map(), counts: [0, 0, 0, 0, 0]});
    const line = lines.get(lineKey);
    if (!line.cells.has(columnKey)) line.cells.set(columnKey, index);
    line.counts[RANK[verdict(row)]]++;
  }
  const inOrder = (one, other) => one.order.reduce((sum, number, place) => sum || number - other.order[place], 0);
  const byFailures = (one, other) => other.counts[0] - one.counts[0] || other.counts[1] - one.counts[1]
    || other.counts[2] - one.counts[2] || inOrder(one, other);
  grid = {
    across, down, active: [0, 0],
    columns: [...columns.values()].sort(inOrder), lines: [...lines.values()].sort(byFailures),
  };
}

function drawHeads() {
  return grid.across.map((dim, level) => {
    const head = el("div", {class: "heads", role: "row"}, el("span", {class: "dim"}, dim));
    let longest = 1;
    for (let column = 0; column < grid.columns.length;) {
      const order = grid.columns[column].order;
      const isSame = other =>
        grid.columns[other]?.order.slice(0, level + 1).every((number, place) => number === order[place]);
      let span = 1;
      while (isSame(column + span)) span++;
      const text = value(grid.columns[column].row, dim), isNarrow = text.length * 7.2 + 6 > span * CELL;
      const cell = el("span",
        {class: isNarrow ? "head narrow" : "head", role: "columnheader", title: dim + " " + visible(text)},
        el("a", {href: address({[dim]: dim === "seed" ? "" : text, case: null})}, isolated(text)));
      cell.style.width = span * CELL + "px";
      if (isNarrow) longest = Math.max(longest, text.length);
      head.append(cell);
      column += span;
    }
    head.style.height = (longest > 1 ? Math.min(200, longest * 7.4 + 12) : 20) + "px";
    return head;
  });
}

function lineName(line) {
  const hasTitle = data.names.title.length > 1 || grid.down.length === 1;
  return grid.down.filter(dim => dim !== "title" || hasTitle).map(dim => value(line.row, dim)).join(" · ");
}

function drawCell(index, number, place) {
  const row = rows[index], is = verdict(row), changed = change(row);
  const isMarked = changed && changed !== "worse" && changed !== "better";
  const isActive = grid.active[0] === number && grid.active[1] === place;
  const title = visible(value(row, "title")), text = visible(conditions(row));
  return el("span", {
    class: "cell " + is + (isMarked ? " changed" : "") + (isActive ? " active" : ""), role: "gridcell",
    id: `cell-${number}-${place}`, "data-index": index,
    title: `${title}\n${text}\n${is}${changed ? ", " + changed : ""}`, "aria-label": `${title}, ${text}: ${is}`,
  }, SIGN[is]);
}

function drawLine(number) {
  const line = grid.lines[number], text = lineName(line), bad = line.counts[0] + line.counts[1];
  const href = address({title: value(line.row, "title"), case: null});
  return el("div", {class: "row", role: "row"},
    el("a", {class: "label", role: "rowheader", title: visible(text), tabindex: -1, href}, isolated(text)),
    el("span", {class: "bad"}, bad ? String(bad) : ""),
    grid.columns.map((column, place) => {
      const index = line.cells.get(column.key);
      return index === undefined ? el("span", {class: "cell"}) : drawCell(index, number, place);
    }));
}

function showMatrix() {
  pivot();
  const box = $("lines");
  $("heads").replaceChildren(...drawHeads());
  $("matrix").style.setProperty("--columns", grid.columns.length);
  box.style.height = Math.min(grid.lines.length * 24 + 2, Math.max(240, innerHeight * .55)) + "px";
  box.scrollTop = 0;
  grid.show = virtualList(box, 24, grid.lines.length, drawLine);
  box.setAttribute("aria-rowcount", grid.lines.length);
}

function moveInMatrix(event) {
  const moves = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0],
    Home: [0, -1e9], End: [0, 1e9],
  };
  const box = $("lines"), move = moves[event.key];
  if (event.key === "Enter" || event.key === " ") {
    const index = grid.lines[grid.active[0]]?.cells.get(grid.columns[grid.active[1]]?.key);
    event.preventDefault();
    if (index !== undefined) go({case: key(rows[index])});
  }
  if (!move || !grid.lines.length) return;
  event.preventDefault();
  const clamp = (number, count) => Math.max(0, Math.min(count - 1, number));
  const [line, column] = grid.active;
  grid.active = [clamp(line + move[0], grid.lines.length), clamp(column + move[1], grid.columns.length)];
  const top = grid.active[0] * 24;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + 24 > box.scrollTop + box.clientHeight) box.scrollTop = top + 24 - box.clientHeight;
  grid.show(true);
  box.setAttribute("aria-activedescendant", `cell-${grid.active[0]}-${grid.active[1]}`);
}
