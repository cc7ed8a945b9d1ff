// The views of the library: each fragment of the address selects one.

import { h, icon, button, say, note, store } from './dom.js';
import { t, count } from './words.js';
import { VirtualGrid } from './grid.js';
import { card, groupCard, row } from './cards.js';
import * as shelf from './shelf.js';
import * as resume from './resume.js';

const SORTS = [
  ['title', 'sortTitle'], ['-added', 'sortAdded'], ['-year', 'sortYear'], ['duration', 'sortDuration'],
  ['-recent', 'sortRecent'],
];

/** The maximum number of found titles that come before the groups in a search. */
const FEW = 5;

/** The categories of the page; those with groups need a server that has groups. */
const KINDS = [
  { path: '', name: 'home' },
  { path: 'films', name: 'films', query: 'kind=movie' },
  { path: 'series', name: 'series', by: 'series', glyph: 'film', unit: 'seriesCount', of: 'episodeCount' },
  { path: 'artists', name: 'artists', by: 'artist', glyph: 'note', unit: 'artistCount', of: 'songCount' },
  { path: 'albums', name: 'albums', by: 'album', glyph: 'note', unit: 'albumCount', of: 'songCount' },
  { path: 'songs', name: 'songs', query: 'kind=music', layout: 'rows', unit: 'songCount' },
  { path: 'folders', name: 'folders', by: 'folder', glyph: 'folder', unit: 'folderCount', of: 'titles' },
];

export class Views {
  constructor(list, kinds, player) {
    Object.assign(this, { list, kinds, player, grids: [], turn: 0, hasGroups: true });
    addEventListener('hashchange', () => this.show());
    player.addEventListener('item', () => this.mark());
    player.addEventListener('rendition', () => this.mark());
  }

  async begin() {
    this.hasGroups = await shelf.hasGroups();
    this.kinds.replaceChildren(...KINDS.filter(kind => this.hasGroups || !kind.path).map(kind =>
      h('a', { href: `#/${kind.path}`, 'data-path': kind.path }, t(kind.name))));
    await this.show();
  }

  get place() {
    const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
    return { path: path.split('/')[0], query: new URLSearchParams(query ?? '') };
  }

  async show() {
    const turn = ++this.turn, { path, query } = this.place;
    this.list.setAttribute('aria-busy', 'true');
    for (const grid of this.grids) grid.end();
    this.grids = [];
    const within = path === 'in' ? KINDS.find(one => one.by === query.get('by'))?.path : path;
    for (const link of this.kinds.children) {
      if (link.dataset.path === within) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const kind = KINDS.find(one => one.path === path);
    try {
      const content = path === 'search' ? this.search(query.get('q') ?? '')
        : path === 'in' ? this.group(query)
          : kind?.by ? this.groups(kind, query) : kind?.query ? this.all(kind) : this.home();
      const shown = await content;
      if (turn !== this.turn) return;
      this.list.replaceChildren(...shown);
      if (path !== 'search') scrollTo(0, 0);
      for (const grid of this.grids) await grid.begin();
      this.said();
    } catch (error) {
      if (error.name === 'AbortError' || turn !== this.turn) return;
      this.list.replaceChildren(h('p', { className: 'empty' }, t('listFailed', { reason: error.message })));
    }
    if (turn === this.turn) this.list.removeAttribute('aria-busy');
    this.mark();
  }

  /** Shows the number of entries, and a message if there are none. */
  said() {
    const total = this.grids.reduce((sum, grid) => sum + grid.total, 0);
    if (!total && !this.list.querySelector('.strip')) this.list.append(h('p', { className: 'empty' }, t('listNoMatch')));
    for (const grid of this.grids) {
      const mark = this.list.querySelector(`[data-count="${grid.name}"]`);
      if (mark) mark.textContent = count(grid.unit, grid.total);
    }
    say(count(this.grids.length === 1 ? this.grids[0].unit : 'titles', total));
  }

  // MARK: Pages

  async home() {
    const found = await Promise.all(resume.begun().slice(0, 12).map(id => shelf.item(id).catch(() => null)));
    const begun = found.filter(Boolean);
    const strip = begun.length && h('section', { className: 'strip' }, h('h2', {}, t('continue')),
      h('ul', { role: 'list' }, begun.map(item => h('li', {}, this.card(item)))));
    const grid = this.grid('all', this.hasGroups ? 'sort=-added' : '');
    return [strip, this.head(t(this.hasGroups ? 'added' : 'all'), 'all'), grid.element].filter(Boolean);
  }

  async all(kind) {
    const query = `${kind.query}&sort=${store.get(`sort.${kind.path}`, 'title')}`;
    const grid = this.grid(kind.path, query, kind.layout, kind.unit);
    return [this.head(t(kind.name), kind.path, [this.sorter(kind.path), ...this.actions(query)]), grid.element];
  }

  async groups(kind, query) {
    const within = new URLSearchParams(query);
    within.set('by', kind.by);
    const grid = this.groupGrid(kind, within.toString());
    return [this.head(t(kind.name), kind.path), grid.element];
  }

  /** Shows the contents of a folder, series, artist, or album. */
  async group(place) {
    const by = place.get('by'), name = place.get('name') ?? '', query = place.get('query') ?? '';
    const kind = KINDS.find(one => one.by === by) ?? KINDS[0];
    const crumbs = h('p', { className: 'crumbs' }, h('a', { href: `#/${kind.path}` }, icon('back'), t(kind.name)));
    if (by === 'artist' || by === 'series') {
      const inner = by === 'artist' ? 'album' : 'season';
      const found = (await shelf.groups(`by=${inner}&${query}`, 0, 200)).entries;
      if (by === 'artist' && found.length) {
        const grid = this.groupGrid(KINDS.find(one => one.by === 'album'), `by=album&${query}`);
        return [crumbs, this.head(name, grid.name, this.actions(query)), grid.element];
      }
      if (found.length > 0) {
        const sections = found.map(season => {
          const grid = this.grid(`season ${season.name}`, season.query, 'rows');
          const isNumber = /^\d+$/.test(season.name);
          const title = isNumber ? t('seasonNumber', { number: season.name }) : season.name;
          return [h('h2', { className: 'part' }, title), grid.element];
        });
        return [crumbs, this.head(name, '', this.actions(query)), ...sections.flat()];
      }
    }
    if (by === 'folder') {
      const inner = await shelf.groups(`by=folder&${query}`, 0, 1).catch(() => ({ total: 0 }));
      const folders = inner.total > 0 && this.groupGrid(kind, `by=folder&${query}`);
      const grid = this.grid('folder', query);
      return [crumbs, this.head(name, 'folder', this.actions(query)), folders?.element, grid.element].filter(Boolean);
    }
    const grid = this.grid('album', query, 'rows', 'songCount');
    return [crumbs, this.albumHead(place, name, query), grid.element];
  }

  albumHead(place, name, query) {
    const art = place.get('art')?.replace(/width=\d+/, 'width=480');
    const front = art ? h('img', { src: art, alt: '', width: 220, height: 220 }) : h('span', { className: 'tile' }, icon('note'));
    const about = [place.get('subtitle'), place.get('year')].filter(Boolean).join(' · ');
    return h('div', { className: 'sleeve-head' }, front, h('div', {}, h('h1', {}, name),
      h('p', { className: 'quiet' }, about), h('p', { className: 'quiet', 'data-count': 'album' }),
      h('div', { className: 'actions' }, this.actions(query))));
  }

  async search(text) {
    const q = new URLSearchParams({ q: text }).toString();
    const parts = [];
    if (this.hasGroups) {
      const kinds = KINDS.filter(kind => ['series', 'artist', 'album'].includes(kind.by));
      const found = await Promise.all(kinds.map(kind =>
        shelf.groups(`by=${kind.by}&${q}`, 0, 6).catch(() => ({ entries: [] }))));
      kinds.forEach((kind, index) => {
        if (!found[index].entries.length) return;
        parts.push(h('section', { className: 'strip' }, h('h2', {}, t(kind.name)),
          h('ul', { role: 'list' }, found[index].entries.map(group => h('li', {}, groupCard(group, kind))))));
      });
    }
    const grid = this.grid('found', q, 'rows'), { total } = await shelf.items(q, 0, 1, undefined, 0);
    // A few titles fit on the screen; many would hide the groups.
    const found = total > FEW ? [...parts, grid.element] : [grid.element, ...parts];
    return [this.head(t('results', { text }), 'found'), ...found];
  }

  // MARK: Parts

  head(title, name, actions = []) {
    return h('div', { className: 'head' }, h('h1', {}, title), h('span', { className: 'quiet', 'data-count': name }),
      h('div', { className: 'actions' }, actions));
  }

  actions(query) {
    const play = async (act) => {
      try { act(await shelf.all(query)); } catch (error) { note(error.message); }
    };
    const all = () => play(items => this.player.playAll(items));
    const shuffled = () => play(items => {
      this.player.queue.shuffle(true);
      this.player.playAll(items, Math.floor(Math.random() * items.length));
    });
    return [
      h('button', { type: 'button', className: 'word main', onclick: all }, icon('play'), t('playAll')),
      h('button', { type: 'button', className: 'word', onclick: shuffled }, icon('shuffle'), t('shuffle')),
      button('queue', t('queueAdd'), () => play(items => this.player.queue.add(items))),
    ];
  }

  sorter(path) {
    const chosen = store.get(`sort.${path}`, 'title');
    return h('label', { className: 'sorter' }, h('span', { className: 'hidden' }, t('sort')),
      h('select', { onchange: event => { store.set(`sort.${path}`, event.target.value); this.show(); } },
        SORTS.map(([value, key]) => h('option', { value, selected: value === chosen }, t(key)))));
  }

  grid(name, query, layout = 'cards', unit = 'titles') {
    const grid = new VirtualGrid({
      layout, label: t('all'), source: (offset, limit, signal, wait) => shelf.items(query, offset, limit, signal, wait),
      render: (item, index) => (layout === 'rows' ? this.row(item, index, query) : this.card(item, index)),
    });
    Object.assign(grid, { name, unit });
    this.grids.push(grid);
    return grid;
  }

  groupGrid(kind, query) {
    const grid = new VirtualGrid({
      label: t(kind.name), source: (offset, limit, signal) => shelf.groups(query, offset, limit, signal),
      render: group => groupCard(group, kind),
    });
    Object.assign(grid, { name: kind.path, unit: kind.unit });
    this.grids.push(grid);
    return grid;
  }

  card(item, index) { return card(item, this.player, event => this.click(event, item, index)); }

  row(item, index, query) {
    // Numbers are meaningful only within an album or a season.
    const isWithin = /(^|&)(album|season)=/.test(query), number = isWithin && (item.track ?? item.episode);
    const isRepeated = isWithin && [undefined, this.place.query.get('subtitle')].includes(item.artist);
    const about = isRepeated ? '' : shelf.subtitle(item);
    return row(item, this.player, event => this.click(event, item, index), number, about);
  }

  async click(event, item, index) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0) return;
    event.preventDefault();
    if (item.error) return note(t('failed', { reason: item.error.message }));
    // The rest of the list follows. Loaded items start immediately, while the browser accepts the click as a user gesture.
    const grid = this.grids.find(one => one.element.contains(event.currentTarget ?? event.target));
    const known = grid?.pages.get(Math.floor(index / 100));
    if (!known) return this.player.playAll([item]);
    const playable = known.filter(one => !one.error);
    this.player.playAll(playable, playable.indexOf(item));
  }

  mark() {
    const id = this.player.current?.id;
    for (const element of this.list.querySelectorAll('.item')) {
      element.classList.toggle('playing', element.dataset.id === id);
    }
  }
}
