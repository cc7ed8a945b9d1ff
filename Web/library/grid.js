// A list of any length; only the visible part is in the page.

import { h } from './dom.js';

const PAGE = 100;

export class VirtualGrid {
  /**
   * @param options.source  `(offset, limit, signal, wait) => Promise<{entries, total, pending}>`; `pending` counts the
   *                        incomplete entries, and `wait` is the number of seconds to wait for them
   * @param options.render  returns an element with one link or button for an entry and its index
   * @param options.layout  `cards` or `rows`
   */
  constructor({ source, render, layout = 'cards', label }) {
    Object.assign(this, { source, render, layout, total: 0, pages: new Map(), shown: new Map(), focused: 0 });
    this.element = h('ul', { className: `grid ${layout}`, role: 'list', 'aria-label': label });
    this.abort = new AbortController();
    this.look = () => { this.wanted ??= requestAnimationFrame(() => { this.wanted = null; this.update(); }); };
    addEventListener('scroll', this.look, { passive: true, signal: this.abort.signal });
    new ResizeObserver(this.look).observe(this.element);
    this.element.addEventListener('keydown', event => this.key(event));
    this.element.addEventListener('focusin', event => {
      const cell = event.target.closest('li');
      if (cell) this.rove(Number(cell.dataset.index));
    });
  }

  /** Loads the first page and returns the number of entries. */
  async begin() {
    await this.load(0);
    this.update();
    return this.total;
  }

  end() { this.abort.abort(); }

  async load(page) {
    if (this.pages.has(page)) return;
    this.pages.set(page, null);
    try {
      const found = await this.source(page * PAGE, PAGE, this.abort.signal, 0);
      this.take(page, found);
      if (found.pending) this.complete(page);
    } catch (error) {
      this.pages.delete(page);
      if (page === 0) throw error;
    }
  }

  take(page, found) {
    const former = this.pages.get(page) ?? [];
    this.pages.set(page, found.entries);
    this.total = found.total;
    for (const [index, cell] of this.shown) {
      const place = index - page * PAGE;
      if (place < 0 || place >= PAGE) continue;
      // Unchanged entries keep their elements, so a click in progress still works.
      if (JSON.stringify(former[place]) !== JSON.stringify(found.entries[place])) this.fill(cell, index);
    }
    this.look();
  }

  /** Reloads a page until all its entries are complete, or the server makes no progress. */
  async complete(page) {
    try {
      for (let pending = PAGE, idle = 0; pending && idle < 6 && !this.abort.signal.aborted;) {
        const found = await this.source(page * PAGE, PAGE, this.abort.signal, 5);
        this.take(page, found);
        idle = found.pending < pending ? 0 : idle + 1;
        pending = found.pending;
      }
    } catch { /* The entries shown so far remain. */ }
  }

  entry(index) { return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE] ?? null; }

  measure() {
    const width = this.element.clientWidth;
    if (this.layout === 'rows') return { columns: 1, width, height: 60, gap: 0 };
    const gap = width < 520 ? 12 : 20, columns = Math.max(2, Math.floor((width + gap) / ((width < 520 ? 140 : 176) + gap)));
    const cell = (width - gap * (columns - 1)) / columns;
    return { columns, width: cell, height: Math.round(cell + 62), gap };
  }

  update() {
    if (!this.element.isConnected || !this.element.clientWidth) return;
    const box = this.measure(), step = box.height + box.gap;
    this.columns = box.columns;
    this.element.style.height = `${Math.max(0, Math.ceil(this.total / box.columns) * step - box.gap)}px`;
    const top = -this.element.getBoundingClientRect().top;
    const first = Math.max(0, (Math.floor(top / step) - 2) * box.columns);
    const last = Math.min(this.total, (Math.ceil((top + innerHeight) / step) + 2) * box.columns);
    for (const [index, cell] of this.shown) {
      if ((index < first || index >= last) && !cell.contains(document.activeElement)) {
        cell.remove();
        this.shown.delete(index);
      }
    }
    for (let index = first; index < last; index += 1) {
      let cell = this.shown.get(index);
      if (!cell) {
        cell = h('li', { 'data-index': index, role: 'listitem' });
        this.shown.set(index, cell);
        this.fill(cell, index);
        this.insert(cell, index);
      }
      cell.setAttribute('aria-setsize', this.total);
      cell.style.width = `${box.width}px`;
      cell.style.height = `${box.height}px`;
      const [x, y] = [(index % box.columns) * (box.width + box.gap), Math.floor(index / box.columns) * step];
      cell.style.transform = `translate(${x}px, ${y}px)`;
    }
    const lastPage = Math.floor(Math.max(first, last - 1) / PAGE);
    for (let page = Math.floor(first / PAGE); page <= lastPage; page += 1) this.load(page);
  }

  /** Inserts a cell at its place in reading order. */
  insert(cell, index) {
    const next = [...this.element.children].find(other => Number(other.dataset.index) > index);
    this.element.insertBefore(cell, next ?? null);
  }

  fill(cell, index) {
    const entry = this.entry(index);
    const hadFocus = cell.contains(document.activeElement);
    cell.classList.toggle('waiting', !entry);
    cell.setAttribute('aria-posinset', index + 1);
    cell.replaceChildren(...(entry ? [this.render(entry, index)] : []));
    this.reach(cell, index === this.focused);
    if (hadFocus) cell.querySelector('a, button')?.focus();
  }

  /** Sets whether Tab reaches a cell: it reaches one cell only, and arrow keys reach the others. */
  reach(cell, isReached) {
    for (const control of cell?.querySelectorAll('a, button') ?? []) control.tabIndex = isReached ? 0 : -1;
  }

  rove(index) {
    this.reach(this.shown.get(this.focused), false);
    this.focused = index;
    this.reach(this.shown.get(index), true);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const columns = this.columns ?? 1;
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || (this.layout === 'rows' && Math.abs(step) === 1 && event.key.match(/Left|Right/))) return;
    const index = Math.min(Math.max(0, this.focused + step), this.total - 1);
    event.preventDefault();
    event.stopPropagation();
    this.go(index);
  }

  go(index) {
    const box = this.measure(), step = box.height + box.gap, row = Math.floor(index / box.columns) * step;
    const top = this.element.getBoundingClientRect().top + row;
    if (top < 130) scrollBy(0, top - 130);
    else if (top + box.height > innerHeight - 110) scrollBy(0, top + box.height - innerHeight + 110);
    this.update();
    this.rove(index);
    this.shown.get(index)?.querySelector('a, button')?.focus({ preventScroll: true });
  }
}
