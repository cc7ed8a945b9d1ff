// The downloads for playback: counts bytes and retries while the server does not respond.

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Dispatches `trouble` when retries fail, and `mended` when the server responds again. */
export class Downloads extends EventTarget {
  constructor() {
    super();
    /** The received bytes by kind. */
    this.ledger = { sound: 0, picture: 0, other: 0 };
    this.unload = new AbortController();
  }

  /** Cancels all requests. */
  stop() {
    this.unload.abort();
    this.unload = new AbortController();
  }

  /** Aborted with all other requests. */
  get signal() { return this.unload.signal; }

  /** Returns the bytes at an address; `kind` is `sound`, `picture`, or `other`. */
  async get(url, kind, signal = this.signal) {
    for (let attempt = 0; ; attempt += 1) {
      let failure;
      try {
        const answer = await fetch(url, { signal });
        if (answer.ok) {
          const bytes = await answer.arrayBuffer();
          this.ledger[kind] += bytes.byteLength;
          if (attempt > 0) this.dispatchEvent(new CustomEvent('mended'));
          return bytes;
        }
        const problem = await answer.json().catch(() => null);
        failure = Object.assign(new Error(problem?.error?.message ?? String(answer.status)), { status: answer.status });
        if (answer.status < 500) throw failure;
      } catch (error) {
        if (signal.aborted || error.status < 500) throw error;
        failure = error;
      }
      if (attempt > 0) this.dispatchEvent(new CustomEvent('trouble', { detail: failure }));
      // Another request may be the first to succeed again.
      const mended = new Promise(done => this.addEventListener('mended', done, { once: true }));
      await Promise.race([wait(Math.min(8000, 500 * 2 ** attempt)), mended]);
      if (signal.aborted) throw failure;
    }
  }

  async text(url) { return new TextDecoder().decode(await this.get(url, 'other')); }
}
