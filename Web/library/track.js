// The source buffer of sound or of picture, and what of the queue it holds.

/** One source buffer; what is done to it is done in turn. */
export class Track {
  constructor(kind) {
    this.kind = kind;
    this.buffer = null;
    this.mime = '';
    this.init = null;
    this.turn = Promise.resolve();
    /** The next segment to load: an entry and a number; null for none. */
    this.cursor = null;
    /** What was loaded without a break up to the cursor, in seconds of the element. */
    this.real = null;
    this.loading = null;
    /** Whether the last segment that was wanted could not be had, and whether it is not tried again by itself. */
    this.isBroken = this.rests = false;
    /** Lets go of the segment that is on its way. */
    this.abort = null;
  }

  do(work) {
    const done = this.turn.then(async () => {
      await work();
      if (!this.buffer.updating) return;
      await new Promise((resolve, reject) => {
        const end = event => {
          for (const name of ['updateend', 'error']) this.buffer.removeEventListener(name, end);
          event.type === 'error' ? reject(new Error('decode')) : resolve();
        };
        for (const name of ['updateend', 'error']) this.buffer.addEventListener(name, end);
      });
    });
    this.turn = done.catch(() => {});
    return done;
  }

  append(bytes, offset, from, to) {
    return this.do(() => {
      const buffer = this.buffer;
      // The window must never be empty or turned round on the way.
      if (from < buffer.appendWindowEnd) [buffer.appendWindowStart, buffer.appendWindowEnd] = [from, to];
      else [buffer.appendWindowEnd, buffer.appendWindowStart] = [to, from];
      if (Math.abs(buffer.timestampOffset - offset) > 1e-9) buffer.timestampOffset = offset;
      buffer.appendBuffer(bytes);
    });
  }

  remove(from, to = Infinity) {
    return to > from ? this.do(() => this.buffer.remove(from, to)) : Promise.resolve();
  }

  /** The end of what is buffered without a break around a time; the time itself where nothing is. */
  end(time) {
    const ranges = this.buffer.buffered;
    for (let index = 0; index < ranges.length; index += 1) {
      if (ranges.start(index) <= time + 0.1 && ranges.end(index) > time) return ranges.end(index);
    }
    return time;
  }

  /** Whether all is loaded of the entry that the cursor is in. */
  get isDone() { return !this.cursor || this.cursor.index >= (this.cursor.entry[this.kind]?.playlist.segments.length ?? 0); }

  /** Loads go on there; what is on its way for another place is let go of. */
  place(cursor) {
    if (this.cursor && this.cursor.entry === cursor.entry && this.cursor.index === cursor.index) return;
    this.cursor = cursor;
    this.abort?.abort();
  }

  /** Makes the buffer take the segments of a part. */
  async use(part) {
    if (this.init === part.playlist.init) return;
    if (this.mime !== part.mime) {
      await this.do(() => this.buffer.changeType(part.mime));
      this.mime = part.mime;
    }
    await this.do(() => this.buffer.appendBuffer(part.init));
    this.init = part.playlist.init;
  }

  /** Appends, and where the buffer is full makes room of what lies before a time. */
  async store(bytes, offset, from, to, time) {
    try {
      await this.append(bytes, offset, from, to);
    } catch (error) {
      if (error.name !== 'QuotaExceededError') throw error;
      await this.remove(0, Math.max(0, time - 5));
      await this.append(bytes, offset, from, to);
    }
  }
}
