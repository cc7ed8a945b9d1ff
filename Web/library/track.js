// The source buffer of audio or video, and the part of the queue that it holds.

/** A source buffer whose operations run one after another. */
export class Track {
  constructor(kind) {
    this.kind = kind;
    this.buffer = null;
    this.mime = '';
    this.init = null;
    this.turn = Promise.resolve();
    /** The next segment to load, as an entry and an index; null if there is none. */
    this.cursor = null;
    /** The contiguous range loaded up to the cursor, in seconds of the element. */
    this.real = null;
    this.loading = null;
    /** Whether the last segment failed to load, and whether it waits for a reason to retry. */
    this.isBroken = this.rests = false;
    /** Cancels the request for the segment that is loading. */
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
      // The window must never be empty or inverted between the two assignments.
      if (from < buffer.appendWindowEnd) [buffer.appendWindowStart, buffer.appendWindowEnd] = [from, to];
      else [buffer.appendWindowEnd, buffer.appendWindowStart] = [to, from];
      if (Math.abs(buffer.timestampOffset - offset) > 1e-9) buffer.timestampOffset = offset;
      buffer.appendBuffer(bytes);
    });
  }

  remove(from, to = Infinity) {
    return to > from ? this.do(() => this.buffer.remove(from, to)) : Promise.resolve();
  }

  /** Returns the end of the buffered range around a time, or the time itself if nothing is buffered there. */
  end(time) {
    const ranges = this.buffer.buffered;
    for (let index = 0; index < ranges.length; index += 1) {
      if (ranges.start(index) <= time + 0.1 && ranges.end(index) > time) return ranges.end(index);
    }
    return time;
  }

  /** Whether the entry at the cursor is fully loaded. */
  get isDone() {
    if (!this.cursor) return true;
    return this.cursor.index >= (this.cursor.entry[this.kind]?.playlist.segments.length ?? 0);
  }

  /** Moves the cursor, canceling the request for another segment. */
  place(cursor) {
    if (this.cursor && this.cursor.entry === cursor.entry && this.cursor.index === cursor.index) return;
    this.cursor = cursor;
    this.abort?.abort();
  }

  /** Prepares the buffer for the segments of a part. */
  async use(part) {
    if (this.init === part.playlist.init) return;
    if (this.mime !== part.mime) {
      await this.do(() => this.buffer.changeType(part.mime));
      this.mime = part.mime;
    }
    await this.do(() => this.buffer.appendBuffer(part.init));
    this.init = part.playlist.init;
  }

  /** Appends a segment; if the buffer is full, first removes the content before a time. */
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
