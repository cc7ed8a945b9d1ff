// The panel with the queue: plays, moves, and removes its items.

import { h, button, say } from './dom.js';
import { t, count, clock, length, number } from './words.js';
import * as shelf from './shelf.js';

/** The maximum number of rows. */
const ROWS = 500;

export class QueuePanel {
  constructor(player, close) {
    this.player = player;
    this.list = h('ol', { className: 'queue-list' });
    this.count = h('span', { className: 'quiet' });
    const clear = h('button', { type: 'button', className: 'word', onclick: () => player.queue.clear() }, t('queueClear'));
    const head = [h('h2', {}, t('queue')), this.count, clear, button('close', t('close'), close)];
    this.element = h('aside', { className: 'queue', 'aria-label': t('queue'), hidden: true },
      h('div', { className: 'dialog-head' }, head), this.list);
  }

  focus() { (this.element.querySelector('.current button') ?? this.element.querySelector('button')).focus(); }

  show() {
    if (this.element.hidden) return;
    const { items } = this.player.queue, { activeElement } = document;
    const total = items.reduce((sum, item) => sum + (item.duration ?? 0), 0);
    this.count.textContent = count('queueCount', items.length, { time: length(total) });
    const focused = activeElement?.closest?.('.queue-list li'), place = focused && [...this.list.children].indexOf(focused);
    const name = activeElement?.dataset?.act;
    this.list.replaceChildren(...items.slice(0, ROWS).map((item, index) => this.row(item, index)));
    if (!items.length) this.list.append(h('li', { className: 'quiet' }, t('queueEmpty')));
    if (focused) {
      const row = this.list.children[Math.min(this.movedTo ?? place, items.length - 1)];
      row?.querySelector(`[data-act="${name}"]`)?.focus();
    }
    this.movedTo = null;
  }

  row(item, index) {
    const { queue } = this.player, { title } = item, isCurrent = index === queue.index;
    const about = [shelf.subtitle(item), item.duration && clock(item.duration)].filter(Boolean).join(' · ');
    const state = { className: isCurrent ? 'current' : '', 'aria-current': isCurrent ? 'true' : undefined };
    const row = h('li', { ...state, draggable: true },
      h('button', { type: 'button', className: 'name', 'data-act': 'play', onclick: () => this.player.jump(index) },
        h('b', {}, title), h('small', {}, about)),
      button('up', t('queueUp', { title }), () => this.move(index, index - 1), { 'data-act': 'up', disabled: index === 0 }),
      button('down', t('queueDown', { title }), () => this.move(index, index + 1),
        { 'data-act': 'down', disabled: index === queue.items.length - 1 }),
      button('close', t('queueRemove', { title }), () => this.remove(index), { 'data-act': 'remove' }));
    this.makeDraggable(row, index);
    return row;
  }

  makeDraggable(row, index) {
    row.addEventListener('dragstart', event => {
      this.dragged = index;
      event.dataTransfer.effectAllowed = 'move';
    });
    row.addEventListener('dragover', event => {
      event.preventDefault();
      row.classList.add('over');
    });
    row.addEventListener('dragleave', () => row.classList.remove('over'));
    row.addEventListener('drop', event => {
      event.preventDefault();
      if (this.dragged !== undefined) this.player.queue.move(this.dragged, index);
    });
  }

  move(index, to) {
    const { queue } = this.player;
    if (to < 0 || to >= queue.items.length) return;
    const { title } = queue.items[index];
    this.movedTo = to;
    queue.move(index, to);
    say(t('queueMoved', { title, number: number(to + 1) }));
  }

  remove(index) {
    const { queue } = this.player, { title } = queue.items[index], wasCurrent = index === queue.index;
    queue.remove(index);
    say(t('queueRemoved', { title }));
    if (wasCurrent && queue.current) this.player.jump(queue.index);
  }
}
