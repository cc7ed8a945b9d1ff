// Plays through the browser's own HLS: without Media Source Extensions, or when another device plays.

export class NativeEngine extends EventTarget {
  constructor(video, { playlist }) {
    super();
    Object.assign(this, { video, playlist, isVideoWanted: true, item: null, turn: 0, from: null });
    this.ledger = { sound: 0, picture: 0, other: 0 };
    const fail = () => {
      const { error } = this.video;
      if (error) this.dispatchEvent(new CustomEvent('failed', { detail: new Error(error.message || 'codec') }));
    };
    this.listeners = [
      ['ended', () => this.dispatchEvent(new Event('finished'))],
      ['error', fail],
    ];
    for (const [name, listener] of this.listeners) video.addEventListener(name, listener);
  }

  /** The position; while an address loads, the position at which playback will start. */
  get position() { return this.from ?? this.video.currentTime; }

  get duration() { return this.video.duration || this.item?.duration || 0; }

  get current() {
    const { item, duration } = this;
    return item && { item, begin: 0, duration, picture: item.kind === 'movie' };
  }

  async start(item, position = 0) {
    const turn = ++this.turn;
    this.item = item;
    this.from = position;
    this.video.src = this.playlist(item, { background: !this.isVideoWanted, position });
    this.dispatchEvent(new CustomEvent('entry', { detail: { entry: this.current, count: 0 } }));
    this.video.addEventListener('loadedmetadata', () => {
      if (turn !== this.turn) return;
      if (Math.abs(this.video.currentTime - this.from) > 0.3) this.video.currentTime = this.from;
      this.from = null;
    }, { once: true });
  }

  stop() { this.turn += 1; this.item = this.from = null; }

  destroy() {
    this.stop();
    for (const [name, listener] of this.listeners) this.video.removeEventListener(name, listener);
    this.video.removeAttribute('src');
    this.video.load();
  }

  seek(position) {
    const to = Math.min(Math.max(0, position), this.duration - 0.05);
    if (this.from === null) this.video.currentTime = to; else this.from = to;
  }

  /** Switches to a playlist with or without video at the same position, which leaves a gap. */
  wantPicture(isWanted) {
    if (isWanted === this.isVideoWanted) return;
    this.isVideoWanted = isWanted;
    if (!this.item || this.item.kind !== 'movie') return;
    const wasPaused = this.video.paused;
    this.start(this.item, this.position);
    if (!wasPaused) this.video.play().catch(() => {});
  }

  get pictureEnd() { return 0; }

  get sounds() { return []; }

  get subtitles() { return []; }

  reconsider() {}
}
