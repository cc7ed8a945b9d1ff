// The resume positions: stored by the server for each person, or by the browser if the server does not store them.

import { store } from './dom.js';

const points = new Map(Object.entries(store.get('resume', {})));
let isKept = true, isEnded = false;

const isNewer = (one, other) => !other || one.at > other.at;

const newest = () => [...points].sort(([, one], [, other]) => (one.at < other.at ? 1 : -1));

function keep() { store.set('resume', Object.fromEntries(newest().slice(0, 500))); }

/** Loads the server's positions, which include those of other devices. */
export async function refresh() {
  try {
    const answer = await fetch('api/resume');
    isKept = answer.ok;
    if (!isKept) return;
    for (const { id, ...point } of (await answer.json()).points ?? []) {
      if (isNewer(point, points.get(id))) points.set(id, point);
    }
    keep();
  } catch { /* The browser's own positions remain. */ }
}

/** Returns the position to resume at; null near the beginning and for finished items. */
export function place(id) {
  const point = points.get(id);
  return point && !point.finished && point.position > 5 ? point : null;
}

export const point = id => points.get(id) ?? null;

/** Returns the unfinished items, most recent first. */
export const begun = () => newest().map(([id]) => id).filter(place);

export function save(id, position, duration) {
  if (!(duration > 0) || isEnded) return;
  const finished = position > duration - Math.min(15, duration * 0.05);
  const written = { position: Math.round(position * 1000) / 1000, duration, finished, at: new Date().toISOString() };
  points.set(id, written);
  keep();
  if (!isKept) return;
  fetch(`api/resume/${id}`, {
    method: 'PUT', keepalive: true, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(written),
  }).then(answer => { if (answer.status === 404 || answer.status === 405) isKept = false; }).catch(() => {});
}

/** Stops saving positions, after a logout. */
export function end() { isEnded = true; }
