// The player without its view: an engine, a queue, saved positions, and the behavior in the background.

import { MediaSourceEngine } from './mse.js';
import { NativeEngine } from './native.js';
import { Queue } from './queue.js';
import * as resume from './resume.js';
import * as hls from './hls.js';
import { store } from './dom.js';

export class Player extends EventTarget {
  constructor(video) {
    super();
    this.video = video;
    this.queue = new Queue();
    this.settings = { leavesPicture: true, volume: 1, speed: 1, subtitles: null, ...store.get('settings', {}) };
    this.isSoundOnly = false;
    this.isHidden = document.visibilityState === 'hidden';
    this.saved = { bytes: 0, seconds: 0 };
    this.url = new URL('.', document.baseURI);
    this.engine = this.makeEngine(MediaSourceEngine.isSupported);
    this.queue.addEventListener('change', () => { this.engine.reconsider(); this.tell('queue'); });
    document.addEventListener('visibilitychange', () => this.visibility());
    document.addEventListener('enterpictureinpicture', () => this.decide(), true);
    document.addEventListener('leavepictureinpicture', () => this.decide(), true);
    addEventListener('pagehide', () => this.save());
    const names = [
      'play', 'pause', 'volumechange', 'ratechange', 'timeupdate', 'seeked', 'waiting', 'playing', 'durationchange',
    ];
    for (const name of names) {
      video.addEventListener(name, () => this.tell(name));
    }
    video.addEventListener('pause', () => this.save());
    video.addEventListener('seeked', () => this.save());
    video.addEventListener('timeupdate', () => this.time());
    video.volume = this.settings.volume;
  }

  tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  // MARK: Engines

  makeEngine(isMediaSource) {
    const address = (item, query) => new URL(`items/${item.id}/master.m3u8?${new URLSearchParams(query)}`, this.url).href;
    const engine = isMediaSource
      ? new MediaSourceEngine(this.video, {
        next: count => {
          const item = this.queue.items[this.queue.after(count)];
          return this.queue.repeat !== 'one' && item?.links?.play ? item : null;
        },
        address: item => address(item, { container: 'fmp4', apart: 1, artwork: 0 }),
      })
      : new NativeEngine(this.video, {
        playlist: (item, { background }) => {
          const query = background || item.kind !== 'movie' ? '?background=1' : '';
          return new URL(`items/${item.id}/index.m3u8${query}`, this.url).href;
        },
      });
    engine.addEventListener('entry', event => this.entered(event.detail.entry, event.detail.count));
    engine.addEventListener('finished', () => this.finished());
    engine.addEventListener('failed', event => this.failed(event.detail));
    engine.addEventListener('trouble', event => this.tell('trouble', event.detail));
    engine.addEventListener('mended', () => { this.problem = null; this.tell('mended'); });
    engine.addEventListener('again', event => this.addSaved(-event.detail));
    engine.isVideoWanted = this.wantsPicture;
    return engine;
  }

  get isNative() { return this.engine instanceof NativeEngine; }

  /** Switches to the other engine at the same position. */
  async useNative(isNative) {
    if (isNative === this.isNative) return;
    const item = this.current, position = this.position, wasPaused = this.video.paused;
    this.engine.destroy();
    this.engine = this.makeEngine(!isNative);
    if (item) await this.begin(item, position, !wasPaused);
  }

  // MARK: Playing

  get current() { return this.engine.current?.item ?? this.pending ?? null; }

  get position() { return this.engine.position; }

  get duration() { return this.engine.duration || this.current?.duration || 0; }

  /** Plays items, starting with one of them. */
  playAll(items, index = 0) {
    if (!items.length) return;
    this.save();
    this.engine.stop();
    this.queue.replace(items, index);
    this.playCurrent();
  }

  playCurrent({ fromBeginning = false } = {}) {
    const item = this.queue.current;
    if (!item) return;
    const place = fromBeginning ? null : resume.place(item.id);
    this.begin(item, place?.position ?? 0, true);
    if (place) this.tell('resumed', place);
  }

  async begin(item, position, plays) {
    this.problem = null;
    this.pending = item;
    this.tell('item', item);
    this.describe(item);
    // Called immediately, while the browser still accepts the click as a user gesture.
    if (plays) this.video.play().catch(() => { /* A second attempt follows below and reports errors. */ });
    try {
      await this.engine.start(item, position);
      if (this.pending !== item) return;
      this.video.playbackRate = this.settings.speed;
      if (plays) await this.video.play();
    } catch (error) {
      if (error.name === 'NotAllowedError') this.tell('refused');
      else if (error.name !== 'AbortError') this.failed(error);
    }
  }

  /** Handles the start of an entry, `count` entries after the previous one. */
  entered(entry, count) {
    if (count > 0) {
      resume.save(this.last.id, this.last.duration, this.last.duration);
      this.queue.index = this.queue.after(count);
      this.describe(entry.item);
      this.tell('queue');
    }
    this.pending = entry.item;
    this.last = { ...entry.item, duration: entry.duration };
    this.countFrom = null;
    this.tell('item', entry.item);
    this.loadSubtitles();
    this.lookUpRates(entry);
  }

  finished() {
    if (this.current) resume.save(this.current.id, this.duration, this.duration);
    const index = this.queue.nextIndex;
    if (index < 0) return this.tell('pause');
    this.queue.index = index;
    this.tell('queue');
    this.playCurrent({ fromBeginning: true });
  }

  async failed(error) {
    const hasNative = this.video.canPlayType('application/vnd.apple.mpegurl');
    if (error.isUnsupported && !this.isNative && hasNative) return this.useNative(true);
    this.problem = error;
    this.tell('failed', error);
  }

  toggle() {
    if (!this.current) return this.queue.current && this.playCurrent();
    if (this.video.paused) this.video.play().catch(() => {});
    else this.video.pause();
  }

  seek(position) { this.engine.seek(position); this.tell('timeupdate'); }

  skip(seconds) { this.seek(this.position + seconds); }

  nextTitle() {
    const index = this.queue.repeat === 'one' ? (this.queue.index + 1) % this.queue.items.length : this.queue.nextIndex;
    if (index >= 0) this.jump(index);
  }

  previousTitle() {
    if (this.position > 4 || this.queue.index <= 0) this.seek(0);
    else this.jump(this.queue.index - 1);
  }

  jump(index) {
    this.save();
    this.engine.stop();
    this.queue.go(index);
    this.playCurrent();
  }

  set(name, value) {
    this.settings[name] = value;
    store.set('settings', this.settings);
    if (name === 'speed') this.video.playbackRate = value;
    if (name === 'volume') this.video.volume = value;
    this.decide();
    this.tell('settings');
  }

  // MARK: Background

  visibility() {
    this.isHidden = document.visibilityState === 'hidden';
    this.save();
    this.decide();
    if (!this.isHidden) resume.refresh();
  }

  soundOnly(isOn) {
    this.isSoundOnly = isOn;
    this.decide();
    this.tell('settings');
  }

  get wantsPicture() {
    const { video } = this;
    const isElsewhere = document.pictureInPictureElement || video.remote?.state === 'connected'
      || video.webkitCurrentPlaybackTargetIsWireless;
    return !this.isSoundOnly && !(this.isHidden && this.settings.leavesPicture && !isElsewhere);
  }

  decide() {
    const wants = this.wantsPicture;
    this.count();
    this.engine.wantPicture(wants);
    this.tell('rendition');
  }

  /** Adds the size of the video that was neither loaded nor shown. */
  count() {
    const time = this.video.currentTime;
    const isWithout = !this.engine.isVideoWanted && this.engine.current?.picture;
    if (isWithout && this.countFrom !== null && this.countFrom !== undefined) {
      const passed = time - Math.max(this.countFrom, this.engine.pictureEnd);
      // A seek is not elapsed time.
      if (passed > 0 && time - this.countFrom < 90) this.addSaved(passed);
    }
    this.countFrom = isWithout ? time : null;
  }

  addSaved(seconds) {
    this.saved.seconds = Math.max(0, this.saved.seconds + seconds);
    this.saved.bytes = Math.max(0, this.saved.bytes + (seconds * (this.pictureRate ?? 0)) / 8);
    this.tell('saved');
  }

  /** The bit rate of the video without the audio. */
  async lookUpRates(entry) {
    this.pictureRate = 0;
    if (!entry.picture) return;
    const details = await this.details(entry.item);
    const best = kind => {
      const renditions = details?.renditions?.[kind] ?? {};
      return Object.values(renditions).find(one => one.isPreferred) ?? renditions.fmp4;
    };
    const [full, background] = [best('full'), best('background')];
    if (full?.averageBandwidth) this.pictureRate = full.averageBandwidth - (background?.averageBandwidth ?? 0);
  }

  async details(item) {
    if (this.known?.id !== item.id) {
      const details = fetch(`api/items/${item.id}`).then(answer => (answer.ok ? answer.json() : null)).catch(() => null);
      this.known = { id: item.id, details };
    }
    return this.known.details;
  }

  async describe(item) {
    const details = await this.details(item);
    if (this.pending?.id === item.id) this.tell('details', details);
  }

  // MARK: Resume position

  time() {
    this.count();
    const now = Date.now();
    if (!this.video.paused && now - (this.savedAt ?? 0) > 10_000) this.save();
    this.showCues();
  }

  save() {
    const entry = this.engine.current;
    if (!entry || this.video.readyState < 1 || this.problem) return;
    this.savedAt = Date.now();
    resume.save(entry.item.id, this.position, this.duration);
  }

  // MARK: Subtitles

  get subtitleTracks() { return this.engine.subtitles; }

  chooseSubtitles(track) {
    this.set('subtitles', track?.language ?? null);
    this.loadSubtitles();
    this.tell('settings');
  }

  async loadSubtitles() {
    const entry = this.engine.current, wish = this.settings.subtitles;
    const track = wish && this.engine.subtitles.find(one => one.language === wish);
    this.subtitle = track ?? null;
    this.cues = [];
    this.showCues();
    if (!track) return;
    const playlist = hls.media(await (await fetch(track.url)).text(), track.url);
    const seen = new Set();
    for (const segment of playlist.segments) {
      const answer = await fetch(segment.url);
      if (this.subtitle !== track || this.engine.current !== entry) return;
      for (const cue of hls.cues(await answer.text())) {
        const key = `${cue.start} ${cue.end} ${cue.text}`;
        if (!seen.has(key)) this.cues.push(cue);
        seen.add(key);
      }
      this.showCues();
    }
  }

  /** Shows the subtitles of the current time. */
  showCues() {
    const time = this.position;
    const text = (this.cues ?? []).filter(cue => cue.start <= time && time < cue.end).map(cue => cue.text).join('\n');
    if (text !== this.shownText) this.tell('cue', this.shownText = text);
  }
}
