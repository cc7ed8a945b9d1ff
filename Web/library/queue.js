// The queue of items to play. It does not touch the page.

export class Queue extends EventTarget {
  constructor({ random = Math.random } = {}) {
    super();
    this.random = random;
    this.items = [];
    this.index = -1;
    this.repeat = 'off';
    this.isShuffled = false;
    /** The order before shuffling. */
    this.unshuffled = null;
  }

  get current() { return this.items[this.index] ?? null; }

  /** The index of the item that follows the current one; -1 if there is none. */
  get nextIndex() { return this.after(1); }

  /** Returns the index of the item that follows after `count` items; -1 if there is none. */
  after(count) {
    if (this.index < 0) return -1;
    if (this.repeat === 'one') return this.index;
    const index = this.index + count;
    return this.repeat === 'all' && this.items.length ? index % this.items.length : index < this.items.length ? index : -1;
  }

  /** Replaces all items and starts with one of them. */
  replace(items, index = 0) {
    this.items = [...items];
    this.index = Math.min(index, items.length - 1);
    this.unshuffled = null;
    if (this.isShuffled) this.mix();
    this.changed();
  }

  add(items) {
    this.items.push(...items);
    this.unshuffled?.push(...items);
    if (this.index < 0 && this.items.length) this.index = 0;
    this.changed();
  }

  addNext(items) {
    this.items.splice(this.index + 1, 0, ...items);
    this.unshuffled?.push(...items);
    if (this.index < 0 && this.items.length) this.index = 0;
    this.changed();
  }

  remove(index) {
    const [gone] = this.items.splice(index, 1);
    if (!gone) return null;
    if (this.unshuffled) this.unshuffled.splice(this.unshuffled.indexOf(gone), 1);
    if (index < this.index) this.index -= 1;
    if (this.index >= this.items.length) this.index = this.items.length - 1;
    this.changed();
    return gone;
  }

  move(from, to) {
    if (from === to || !this.items[from] || to < 0 || to >= this.items.length) return;
    const [moved] = this.items.splice(from, 1);
    this.items.splice(to, 0, moved);
    if (from === this.index) this.index = to;
    else {
      if (from < this.index) this.index -= 1;
      if (to <= this.index) this.index += 1;
    }
    this.changed();
  }

  /** Removes all items but the current one. */
  clear() {
    this.items = this.current ? [this.current] : [];
    this.index = this.items.length - 1;
    this.unshuffled = null;
    this.changed();
  }

  go(index) {
    if (!this.items[index]) return;
    this.index = index;
    this.changed();
  }

  shuffle(isShuffled) {
    if (isShuffled === this.isShuffled) return;
    this.isShuffled = isShuffled;
    if (isShuffled) this.mix();
    else if (this.unshuffled) {
      const current = this.current;
      this.items = this.unshuffled;
      this.index = this.items.indexOf(current);
      this.unshuffled = null;
    }
    this.changed();
  }

  /** Shuffles the items after the current one (Fisher and Yates). */
  mix() {
    const current = this.current;
    this.unshuffled ??= [...this.items];
    const rest = this.items.filter((_, index) => index !== this.index);
    for (let index = rest.length - 1; index > 0; index -= 1) {
      const other = Math.floor(this.random() * (index + 1));
      [rest[index], rest[other]] = [rest[other], rest[index]];
    }
    this.items = current ? [current, ...rest] : rest;
    this.index = current ? 0 : -1;
  }

  setRepeat(repeat) {
    this.repeat = repeat;
    this.changed();
  }

  changed() { this.dispatchEvent(new Event('change')); }
}
