// The server's library, through addresses relative to the page's own.

async function json(address, options) {
  const answer = await fetch(address, options);
  if (answer.ok) return answer.json();
  const problem = await answer.json().catch(() => null);
  throw Object.assign(new Error(problem?.error?.message ?? `${answer.status}`), { status: answer.status });
}

/** Returns the items of a query, waiting up to `wait` seconds for the server to analyze them. */
export const items = (query, offset, limit, signal, wait = 5) =>
  json(`api/items?${join(query, { offset, limit, wait })}`, { signal })
    .then(found => ({ entries: found.items, total: found.total, pending: found.pending ?? 0 }));

export const groups = (query, offset, limit, signal) =>
  json(`api/groups?${join(query, { offset, limit })}`, { signal })
    .then(found => ({ entries: found.groups, total: found.total }));

export const item = id => json(`api/items/${id}`);

/** Returns whether the server groups titles by series, artist, and so on. */
export async function hasGroups() {
  try { await groups('by=folder', 0, 1); return true; } catch { return false; }
}

/** Returns up to `limit` items of a query, loaded page by page. */
export async function all(query, limit = 2000) {
  const found = [];
  while (found.length < limit) {
    const { entries, total } = await items(query, found.length, 500);
    found.push(...entries);
    if (!entries.length || found.length >= total) break;
  }
  return found;
}

function join(query, more) {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(more)) parameters.set(name, value);
  return parameters;
}

/** Returns the address of an item's or group's artwork; null if it has none. */
export function artwork(entry, width) {
  const link = entry.links ? entry.links.artwork && `items/${entry.id}/artwork.jpg` : entry.artwork?.replace(/^\//, '');
  return link ? `${link.split('?')[0]}?width=${width}` : null;
}

export const isFilm = entry => entry.kind === 'movie';

/** Returns the second line of a title. */
export function subtitle(entry) {
  if (entry.links === undefined) return entry.subtitle ?? '';
  if (entry.artist) return [entry.artist, entry.album].filter(Boolean).join(' · ');
  if (entry.series) return entry.series;
  return entry.year ? String(entry.year) : entry.folder;
}
