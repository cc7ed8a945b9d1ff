// The cards and rows of titles and groups.

import { h, icon, button, note } from './dom.js';
import { t, count, clock } from './words.js';
import { menu } from './menus.js';
import * as shelf from './shelf.js';
import * as resume from './resume.js';

const glyph = item => shelf.isFilm(item) ? 'film' : 'note';

function picture(entry, glyph, width = 320) {
  const source = shelf.artwork(entry, width), tile = h('span', { className: 'tile' });
  const showGlyph = () => tile.replaceChildren(icon(glyph));
  if (source) tile.append(h('img', { src: source, alt: '', loading: 'lazy', decoding: 'async', onerror: showGlyph }));
  else showGlyph();
  return tile;
}

const aboutLine = (item, text) => h('small', { className: item.error ? 'problem' : '' }, item.error?.message ?? text);

export function groupCard(group, kind) {
  const place = new URLSearchParams({ by: kind.by, name: group.name, query: group.query });
  if (group.subtitle) place.set('subtitle', group.subtitle);
  if (group.year) place.set('year', group.year);
  const art = shelf.artwork(group, 320);
  if (art) place.set('art', art);
  const about = [group.subtitle, group.count && count(kind.of, group.count)].filter(Boolean).join(' · ');
  return h('a', { className: `card group ${kind.by}`, href: `#/in?${place}` },
    picture(group, kind.glyph ?? 'folder'), h('b', {}, group.name), h('small', {}, about));
}

/** Creates the card of a title; `click` handles clicks on it. */
export function card(item, player, click) {
  const point = resume.place(item.id), duration = item.duration ?? point?.duration;
  const className = `card item ${shelf.isFilm(item) ? 'film' : 'song'} ${item.state ?? ''}`;
  return h('div', { className, 'data-id': item.id },
    h('a', { href: `#${item.id}`, onclick: click }, picture(item, glyph(item)),
      duration ? h('i', { className: 'length' }, clock(duration)) : null,
      point ? h('progress', { max: point.duration, value: point.position, 'aria-label': t('position') }) : null,
      h('b', {}, item.title), aboutLine(item, shelf.subtitle(item))),
    moreButton(item, player));
}

/** Creates the row of a title, with a number or, if it has none, with its artwork. */
export function row(item, player, click, number, about) {
  return h('div', { className: `row item ${item.state ?? ''}`, 'data-id': item.id },
    h('a', { href: `#${item.id}`, onclick: click },
      number ? h('span', { className: 'number' }, number) : picture(item, glyph(item), 96),
      h('span', { className: 'text' }, h('b', {}, item.title), aboutLine(item, about)),
      h('span', { className: 'time' }, item.duration ? clock(item.duration) : '')),
    moreButton(item, player));
}

function moreButton(item, player) {
  const { queue } = player, { title } = item;
  const add = method => {
    queue[method]([item]);
    note(t('queueAdded', { title }));
  };
  return button('more', t('more', { title }), event => menu(event.currentTarget, title, [
    { label: t('play'), icon: 'play', do: () => player.playAll([item]) },
    { label: t('queueNext'), icon: 'next', do: () => add('addNext') },
    { label: t('queueAdd'), icon: 'queue', do: () => add('add') },
  ]), { className: 'tool more', 'aria-haspopup': 'menu' });
}
