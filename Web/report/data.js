"use strict";
// The data of the report and the elements that show it. Data becomes text nodes and attributes, never HTML.

const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);

const DIMS = ["title", "scenario", "network", "platform", "app"];
// The places of a case's values in its row.
const AT = {
  title: 0, scenario: 1, network: 2, platform: 3, app: 4, seed: 5,
  verdict: 6, cause: 7, picture: 8, change: 9, found: 10, background: 11, nearest: 12, metrics: 13,
};
const RANK = {fail: 0, broken: 1, known: 2, pass: 3, skip: 4};
const SIGN = {fail: "✕", broken: "!", known: "k", pass: "·", skip: "–"};
const CHANGES = ["", "new", "mended", "worse", "better", "excused", "added"];

let rows = [];

function el(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== ""));
  return made;
}

const hex = sign => "\\u{" + sign.charCodeAt(0).toString(16) + "}";
const visible = text => String(text).replace(/[\u0000-\u001f\u007f-\u009f]/g, hex);
const isolated = text => el("bdi", {}, visible(text));

const value = (row, dim) => dim === "seed" ? String(row[AT.seed]) : data.names[dim][row[AT[dim]]];
const verdict = row => data.verdicts[row[AT.verdict]];
const change = row => CHANGES[row[AT.change]];
const tags = row => data.tags[row[AT.title]] || [];
const key = row => [...DIMS.slice(1).map(dim => value(row, dim)), row[AT.seed], value(row, "title")].join("~");
const conditions = row =>
  DIMS.slice(1).map(dim => value(row, dim)).join(" · ") + (row[AT.seed] === 1 ? "" : " · seed " + row[AT.seed]);

// A cause's name in URLs: a hash of its findings' common properties, so that the next report has the same name.
function mark(cause) {
  let hash = 2166136261;
  for (const sign of cause[0] + " " + (cause[3] || cause[1])) hash = Math.imul(hash ^ sign.codePointAt(0), 16777619);
  return (hash >>> 0).toString(36);
}
const marks = data.causes.map(mark);

async function decompressed(id) {
  const bytes = Uint8Array.from(atob($(id).textContent), sign => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

function figure(number, unit) {
  const digits = value =>
    value === 0 ? "0" : Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
  if (unit === "bytes" || unit === "bit/s") {
    const power = number >= 1e9 ? 3 : number >= 1e6 ? 2 : number >= 1e3 ? 1 : 0;
    return digits(number / 1000 ** power) + " " + ["", "k", "M", "G"][power] + (unit === "bytes" ? "B" : "bit/s");
  }
  return digits(number) + (unit ? " " + unit : "");
}
const metricName = metric =>
  metric.replace(/Seconds|Milliseconds/, "").replace(/[A-Z]/g, letter => " " + letter.toLowerCase());
