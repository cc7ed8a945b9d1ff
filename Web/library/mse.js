// Plays items one after another through Media Source Extensions.
//
// Audio and video load separately. The video can pause while the page is hidden without affecting the audio, and the
// audio of the next item follows the current one without a gap, cut at the sample.

import * as entries from './entry.js';
import * as hls from './hls.js';
import * as mp4 from './mp4.js';
import { Downloads } from './downloads.js';
import { Track } from './track.js';

/** The time of an item's start in its segments (`X-TIMESTAMP-MAP`), in seconds. */
const ORIGIN = 1;

/** The buffer ahead in seconds: of video, of audio, and of audio without video. */
const AHEAD = { picture: 15, sound: 30, alone: 60 };

/** The buffer ahead of still frames that replace video, in seconds, and its memory limit in bytes. */
const STILL = { ahead: 12, batch: 6, bytes: 12e6, leastStep: 0.125 };

export class MediaSourceEngine extends EventTarget {
  static get isSupported() {
    return typeof globalThis.MediaSource === 'function' && MediaSource.isTypeSupported('audio/mp4; codecs="mp4a.40.2"');
  }

  constructor(video, { next, address }) {
    super();
    Object.assign(this, { video, next, address });
    this.entries = [];
    this.isVideoWanted = true;
    this.downloads = new Downloads();
    for (const name of ['trouble', 'mended']) {
      this.downloads.addEventListener(name, ({ detail }) => this.dispatchEvent(new CustomEvent(name, { detail })));
    }
    this.quality = 0;
    this.generation = 0;
    this.listeners = [
      ['timeupdate', () => this.tick()], ['seeking', () => this.sought()],
      ['waiting', () => this.retry()], ['play', () => this.retry()],
      ['ended', () => this.dispatchEvent(new Event('finished'))],
    ];
    for (const [name, listener] of this.listeners) video.addEventListener(name, listener);
  }

  // MARK: Current item

  /** The entry at the element's current time. */
  get current() {
    const time = this.video.currentTime;
    return this.entries.findLast(entry => entry.begin <= time + 1e-3) ?? this.entries[0] ?? null;
  }

  announce(entry, count) {
    this.announced = entry;
    this.dispatchEvent(new CustomEvent('entry', { detail: { entry, count } }));
  }

  /** Returns the number of entries after the announced one, out of the first `count`. */
  behind(count = this.entries.length) { return count - this.entries.indexOf(this.announced); }

  get ledger() { return this.downloads.ledger; }

  get position() { return this.current ? Math.max(0, this.video.currentTime - this.current.begin) : 0; }

  get duration() { return this.current?.duration ?? 0; }

  /** Starts an item at a position in seconds. */
  async start(item, position = 0) {
    this.stop();
    const generation = ++this.generation;
    /** The start position, which a seek may change while the playlists load. */
    this.asked = position;
    const entry = await this.load(item, 0);
    if (generation !== this.generation) return;
    const source = new MediaSource();
    this.source = source;
    const opened = new Promise(resolve => source.addEventListener('sourceopen', resolve, { once: true }));
    this.url = URL.createObjectURL(source);
    this.video.src = this.url;
    await opened;
    if (generation !== this.generation) return;
    URL.revokeObjectURL(this.url);
    this.entries = [entry];
    this.isPrepared = false;
    this.sound = this.open('sound', entry);
    this.picture = this.open('picture', entry);
    source.duration = entry.duration;
    const begin = Math.min(Math.max(0, this.asked), Math.max(0, entry.duration - 1));
    for (const track of this.tracks) track.cursor = { entry, index: hls.segmentAt(entry[track.kind].playlist, begin) };
    if (begin > 0) this.video.currentTime = begin;
    this.announce(entry, 0);
    this.tick();
  }

  stop() {
    this.generation += 1;
    this.downloads.stop();
    this.entries = [];
    this.sound = this.picture = null;
    this.source = null;
    this.announced = null;
  }

  destroy() {
    this.stop();
    for (const [name, listener] of this.listeners) this.video.removeEventListener(name, listener);
    this.video.removeAttribute('src');
    this.video.load();
  }

  get tracks() { return [this.sound, this.picture].filter(Boolean); }

  seek(position) {
    const entry = this.current;
    if (!entry) {
      this.asked = position;
      return;
    }
    this.video.currentTime = entry.begin + Math.min(Math.max(0, position), entry.duration - 0.05);
    // Before it has metadata, the element seeks without an event.
    if (this.video.readyState === 0) this.sought();
  }

  // MARK: Loading

  load(item, begin) { return entries.entry(this.downloads, this.address(item), item, begin, this.preferredSound); }

  open(kind, entry) {
    if (!entry[kind]) return null;
    const track = new Track(kind);
    track.mime = entry[kind].mime;
    track.buffer = this.source.addSourceBuffer(track.mime);
    return track;
  }

  /** Starts the work that is due; called after every change. */
  tick() {
    if (!this.source || this.source.readyState === 'closed') return;
    const entry = this.current;
    if (entry && entry !== this.announced) {
      this.announce(entry, this.entries.indexOf(entry) - this.entries.indexOf(this.announced));
    }
    for (const track of this.tracks) {
      if (track.loading || track.rests) continue;
      track.loading = this.pump(track).finally(() => { track.loading = null; });
    }
  }

  /** Retries failed segments. */
  retry() {
    for (const track of this.tracks) track.rests = false;
    this.tick();
  }

  ahead(track) {
    const time = this.video.currentTime;
    if (track.kind === 'sound') return track.end(time) - time;
    return track.real && track.real[0] <= time + 0.25 && track.real[1] > time ? track.real[1] - time : 0;
  }

  async pump(track) {
    const generation = this.generation;
    const isCurrent = () => generation === this.generation && this.source?.readyState !== 'closed';
    try {
      while (isCurrent()) {
        if (track.kind === 'picture') {
          await this.standIn(track);
          if (!isCurrent()) return;
          // One frame is needed as a still.
          if (!this.isVideoWanted && (track.still || !track.cursor)) return;
        }
        const sound = this.isVideoWanted && this.picture ? AHEAD.sound : AHEAD.alone;
        if (this.ahead(track) >= (track.kind === 'picture' ? AHEAD.picture : sound)) break;
        if (track.isDone) {
          if (!(await this.follow(track))) break;
          continue;
        }
        await this.loadNext(track, isCurrent);
      }
      if (isCurrent()) await this.tidy(track);
    } catch (error) {
      if (error.name === 'AbortError' || !isCurrent()) return;
      track.isBroken = track.rests = true;
      this.dispatchEvent(new CustomEvent('failed', { detail: error }));
    }
  }

  async loadNext(track, isCurrent) {
    if (track.kind === 'picture') this.catchUp(track);
    const { cursor } = track, { entry, index } = cursor, part = entry[track.kind];
    const segment = part.playlist.segments[index];
    const abort = new AbortController(), end = () => abort.abort(), all = this.downloads.signal;
    track.abort = abort;
    all.addEventListener('abort', end, { once: true });
    let bytes;
    try {
      bytes = await this.downloads.get(segment.url, track.kind, abort.signal);
    } catch (error) {
      // A seek or stop canceled the request.
      if (abort.signal.aborted && isCurrent()) return;
      throw error;
    } finally {
      all.removeEventListener('abort', end);
      track.abort = null;
    }
    if (!isCurrent() || track.cursor !== cursor) return;
    if (track.isBroken) {
      track.isBroken = false;
      if (!this.tracks.some(one => one.isBroken)) this.dispatchEvent(new CustomEvent('mended'));
    }
    await track.use(part);
    const opening = track.kind === 'picture' ? mp4.opening(bytes) : null;
    if (opening?.picture) track.still = { picture: opening.picture, track: part.track };
    const from = Math.max(entry.begin, cursor.from ?? 0);
    await track.store(bytes, entry.begin - ORIGIN, from, entry.begin + entry.duration, this.video.currentTime);
    if (!isCurrent() || track.cursor !== cursor) return;
    const begin = opening ? entry.begin - ORIGIN + opening.begin / part.track.timescale : entry.begin + segment.start;
    const finish = Math.min(begin + segment.duration, entry.begin + entry.duration);
    track.real = track.real ? [track.real[0], finish] : [begin, finish];
    track.cursor = { entry, index: index + 1 };
  }

  /** Skips video segments that are already in the past. */
  catchUp(track) {
    const { entry, index } = track.cursor, { playlist } = entry.picture;
    const now = hls.segmentAt(playlist, this.video.currentTime - entry.begin);
    if (now <= index || entry !== this.current) return;
    track.real = null;
    track.cursor = { entry, index: now };
  }

  /** Fills the video buffer with a still frame where the content is not loaded. */
  async standIn(track) {
    const time = this.video.currentTime;
    const isReturning = this.isVideoWanted && track.isStandingIn && !(this.ahead(track) > 0);
    const isMissing = this.isVideoWanted && this.current && !this.current.picture;
    if (!track.still || (this.isVideoWanted && !isReturning && !isMissing)) {
      track.isStandingIn &&= this.isVideoWanted && this.ahead(track) <= 0;
      return;
    }
    const real = this.ahead(track), end = Math.max(track.end(time), time);
    if (real > STILL.ahead || end - time > STILL.ahead / 2) return;
    track.isStandingIn = true;
    const { picture, track: description } = track.still;
    const step = Math.max(STILL.leastStep, (picture.byteLength * STILL.batch) / STILL.bytes);
    const last = this.entries.at(-1), limit = last.begin + last.duration;
    const count = Math.min(Math.ceil(STILL.batch / step), Math.ceil((limit - end) / step));
    if (count > 0) await track.store(mp4.still(picture, description, end, step, count), 0, 0, limit, time);
  }

  /** Continues with the item after the last one; returns whether there is one that fits. */
  async follow(track) {
    const last = this.entries.at(-1);
    if (track.cursor && track.cursor.entry !== last) {
      const next = this.entries[this.entries.indexOf(track.cursor.entry) + 1];
      if (next) {
        // An item without video shows a still frame.
        track.cursor = { entry: next, index: 0 };
        return Boolean(next[track.kind]);
      }
    }
    if (this.appending) return (await this.appending) && track.cursor?.entry !== this.entries.at(-1);
    this.appending = this.appendNext();
    const entry = await this.appending.finally(() => { this.appending = null; });
    if (entry) return this.follow(track);
    if (this.tracks.every(one => one.isDone || (one.kind === 'picture' && !this.isVideoWanted))) await this.finish();
    return false;
  }

  async appendNext() {
    const wanted = () => this.next(this.behind()), item = wanted();
    if (!item) return null;
    const last = this.entries.at(-1), generation = this.generation;
    let entry;
    try {
      entry = await this.load(item, last.begin + last.duration);
    } catch {
      return null;
    }
    const fits = (!entry.sound || this.sound) && (!entry.picture || this.picture) && (entry.sound || !this.sound);
    if (!fits || generation !== this.generation || wanted()?.id !== item.id) return null;
    for (const track of this.tracks) await track.turn;
    if (generation !== this.generation || this.tracks.some(track => track.buffer.updating)) return null;
    // An ended source reopens when one of its buffers changes.
    if (this.source.readyState === 'ended') await this.tracks[0].remove(this.source.duration);
    if (generation !== this.generation || this.source.readyState !== 'open') return null;
    this.source.duration = entry.begin + entry.duration;
    this.entries.push(entry);
    return entry;
  }

  async finish() {
    for (const track of this.tracks) await track.turn;
    if (this.source?.readyState === 'open' && !this.tracks.some(track => track.buffer.updating)) this.source.endOfStream();
  }

  async tidy(track) {
    const time = this.video.currentTime;
    if (track.buffer.buffered.length && track.buffer.buffered.start(0) < time - 90) await track.remove(0, time - 60);
  }

  /** Removes loaded items that no longer come next in the queue. */
  async reconsider() {
    if (!this.announced) return;
    let count = this.entries.indexOf(this.announced) + 1;
    while (count < this.entries.length && this.next(this.behind(count))?.id === this.entries[count].item.id) count += 1;
    await this.cut(count);
    this.tick();
  }

  /** Keeps the first `count` entries and removes the content of the others. */
  async cut(count) {
    if (count >= this.entries.length) return;
    const generation = this.generation, last = this.entries[count - 1], end = last.begin + last.duration;
    this.entries.length = count;
    for (const track of this.tracks) {
      track.abort?.abort();
      if (track.cursor && !this.entries.includes(track.cursor.entry)) {
        track.cursor = { entry: last, index: last[track.kind]?.playlist.segments.length ?? 0 };
        if (track.real) track.real[1] = Math.min(track.real[1], end);
      }
      await track.remove(end);
    }
    for (const track of this.tracks) await track.turn;
    if (generation === this.generation && this.source.readyState === 'open') this.source.duration = end;
  }

  /** Handles a seek: plays the loaded content there, or loads it. */
  sought() {
    const time = this.video.currentTime, entry = this.current;
    if (!entry) return;
    for (const track of this.tracks) {
      track.rests = false;
      const isThere = track.kind === 'sound' ? track.end(time) > time : this.ahead(track) > 0;
      if (track.kind === 'sound' && isThere) {
        const end = track.end(time), last = this.entries.findLast(one => one.begin <= end - 1e-3) ?? entry;
        const playlist = last.sound?.playlist;
        const index = playlist ? hls.segmentAt(playlist, end - last.begin) : 0;
        const isWhole = playlist && end - last.begin >= last.duration - 0.05;
        track.place({ entry: last, index: isWhole ? playlist.segments.length : index });
      } else if (!isThere) {
        const part = entry[track.kind];
        // Cancel the request: its content could be stored before the buffer is emptied, and would be lost.
        track.cursor = { entry, index: part ? hls.segmentAt(part.playlist, time - entry.begin) : 0 };
        track.abort?.abort();
        track.real = null;
        if (track.kind === 'picture' && this.isVideoWanted) track.remove(0).catch(() => {});
      }
    }
    this.tick();
  }

  // MARK: Choices

  /** Sets whether video loads; the audio is not affected. */
  wantPicture(isWanted) {
    if (isWanted === this.isVideoWanted) return;
    this.isVideoWanted = isWanted;
    const track = this.picture;
    if (!track) return;
    if (!isWanted) {
      track.abort?.abort();
    } else if (!(this.ahead(track) > 0)) {
      const entry = this.current, part = entry?.picture;
      const time = this.video.currentTime;
      if (part) {
        const segment = part.playlist.segments[hls.segmentAt(part.playlist, time - entry.begin)];
        // The part between the start of its segment and now is loaded after all.
        this.dispatchEvent(new CustomEvent('again', { detail: Math.max(0, time - entry.begin - segment.start) }));
      }
      track.isStandingIn = true;
      track.real = null;
      if (part) track.place({ entry, index: hls.segmentAt(part.playlist, this.video.currentTime - entry.begin) });
    }
    this.tick();
  }

  get sounds() { return this.current?.choices.sounds ?? []; }

  get chosenSound() { return this.current?.sound?.choice ?? null; }

  async chooseSound(choice) {
    const entry = this.current;
    if (!entry?.sound || !this.sound) return;
    this.preferredSound = choice.language;
    await this.replace(this.sound, entry, await entries.part(this.downloads, 'sound', choice));
  }

  async choosePicture(choice, entry) {
    // The next item may have started since the choices were shown.
    if (entry !== this.current || !entry.picture || !this.picture) return;
    await this.replace(this.picture, entry, await entries.part(this.downloads, 'picture', choice));
  }

  /** The end of the loaded video, in seconds of the element. */
  get pictureEnd() { return this.picture?.real?.[1] ?? 0; }

  /** Loads the video variants in other sizes, which the server has to encode. */
  async otherPictures(entry) {
    const url = new URL(this.address(entry.item));
    url.searchParams.set('ladder', 1);
    return (await entries.choices(this.downloads, url.href)).pictures;
  }

  /** Switches to another playlist of the same item slightly ahead of the current time. */
  async replace(track, entry, part) {
    track.abort?.abort();
    entry[track.kind] = part;
    track.cursor = null;
    await this.cut(this.entries.indexOf(entry) + 1);
    const time = this.video.currentTime + 0.4;
    await track.turn;
    if (track.kind === 'sound') await track.remove(time);
    track.real = null;
    const index = hls.segmentAt(part.playlist, time - entry.begin);
    track.cursor = { entry, index, from: track.kind === 'sound' ? time : 0 };
    this.retry();
  }

  get subtitles() { return this.current?.choices.subtitles ?? []; }
}
