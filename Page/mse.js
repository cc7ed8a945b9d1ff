// Plays items one after another through Media Source Extensions.
//
// Sound and picture are loaded apart. So the picture can be left out while nobody sees it, without touching the sound,
// and the sound of the next item joins that of the present one, cut at the sample.

import * as hls from './hls.js';
import * as mp4 from './mp4.js';

/** Where an item's own time zero lies in its segments (`X-TIMESTAMP-MAP`), in seconds. */
const ORIGIN = 1;

/** How far ahead is loaded: of the picture, of the sound, and of the sound while nothing else is loaded; in seconds. */
const AHEAD = { picture: 15, sound: 30, alone: 60 };

/** How far ahead a still picture stands in for one that is not loaded, and what it may take of memory. */
const STILL = { ahead: 12, batch: 6, bytes: 12e6, leastStep: 0.125 };

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/** One source buffer; what is done to it is done in turn. */
class Track {
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
}

export class MediaSourceEngine extends EventTarget {
  static get isSupported() {
    return typeof globalThis.MediaSource === 'function' && MediaSource.isTypeSupported('audio/mp4; codecs="mp4a.40.2"');
  }

  constructor(video, { next, address }) {
    super();
    Object.assign(this, { video, next, address });
    this.entries = [];
    this.isPictureWanted = true;
    this.ledger = { sound: 0, picture: 0, other: 0 };
    this.quality = 0;
    this.generation = 0;
    this.listeners = [
      ['timeupdate', () => this.tick()], ['seeking', () => this.sought()], ['waiting', () => this.tick()],
      ['ended', () => this.dispatchEvent(new Event('finished'))],
    ];
    for (const [name, listener] of this.listeners) video.addEventListener(name, listener);
  }

  // MARK: What is playing

  /** The entry at the element's time. */
  get current() {
    const time = this.video.currentTime;
    return this.entries.findLast(entry => entry.begin <= time + 1e-3) ?? this.entries[0] ?? null;
  }

  announce(entry, count) {
    this.announced = entry;
    this.dispatchEvent(new CustomEvent('entry', { detail: { entry, count } }));
  }

  /** How many entries there are behind the one that was announced, up to a number of them. */
  behind(count = this.entries.length) { return count - this.entries.indexOf(this.announced); }

  get position() { return this.current ? Math.max(0, this.video.currentTime - this.current.begin) : 0; }

  get duration() { return this.current?.duration ?? 0; }

  /** Begins with an item, at a position in seconds. */
  async start(item, position = 0) {
    this.stop();
    const generation = ++this.generation;
    /** Where to begin; another place may be asked for while the playlists are loaded. */
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
    this.unload?.abort();
    this.unload = new AbortController();
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
    // Before it knows anything of the title the element goes there without a word.
    if (this.video.readyState === 0) this.sought();
  }

  // MARK: Loading

  async get(url, kind, signal = this.unload.signal) {
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
      // What is fetched beside it may find first that the server is back.
      await Promise.race([wait(Math.min(8000, 500 * 2 ** attempt)), new Promise(done => this.addEventListener('mended', done, { once: true }))]);
      if (signal.aborted) throw failure;
    }
  }

  async text(url) { return new TextDecoder().decode(await this.get(url, 'other')); }

  /** An item as an entry: its playlists, and the tracks that are chosen. */
  async load(item, begin) {
    const url = this.address(item);
    const choices = hls.multivariant(await this.text(url), url);
    const entry = { item, begin, choices, sound: null, picture: null, duration: 0 };
    const pictures = choices.pictures.filter(one => MediaSource.isTypeSupported(`video/mp4; codecs="${one.codec}"`));
    if (choices.pictures.length && !pictures.length) throw Object.assign(new Error('codec'), { isUnsupported: true });
    const sound = choices.sounds.find(one => one.language === this.preferredSound) ?? choices.sounds.find(one => one.isDefault) ?? choices.sounds[0];
    const load = async choice => choice && { choice, playlist: hls.media(await this.text(choice.url), choice.url) };
    [entry.sound, entry.picture] = await Promise.all([load(sound), load(pictures[0])]);
    for (const one of [entry.sound, entry.picture].filter(Boolean)) {
      one.init = await this.get(one.playlist.init, 'other');
      one.track = mp4.track(one.init);
      const type = one === entry.sound ? 'audio' : 'video';
      one.mime = `${type}/mp4; codecs="${one === entry.sound ? one.track.codec : one.choice.codec}"`;
      if (!MediaSource.isTypeSupported(one.mime)) throw Object.assign(new Error('codec'), { isUnsupported: true });
    }
    entry.duration = (entry.sound ?? entry.picture)?.playlist.duration ?? 0;
    if (!(entry.duration > 0)) throw new Error('empty');
    return entry;
  }

  open(kind, entry) {
    if (!entry[kind]) return null;
    const track = new Track(kind);
    track.mime = entry[kind].mime;
    track.buffer = this.source.addSourceBuffer(track.mime);
    return track;
  }

  /** Called whenever something may be to do. */
  tick() {
    if (!this.source || this.source.readyState === 'closed') return;
    const entry = this.current;
    if (entry && entry !== this.announced) this.announce(entry, this.entries.indexOf(entry) - this.entries.indexOf(this.announced));
    for (const track of this.tracks) if (!track.loading) track.loading = this.pump(track).finally(() => { track.loading = null; });
  }

  ahead(track) {
    const time = this.video.currentTime;
    if (track.kind === 'sound') return track.end(time) - time;
    return track.real && track.real[0] <= time + 0.25 && track.real[1] > time ? track.real[1] - time : 0;
  }

  isDone(track) {
    const { cursor } = track;
    return !cursor || cursor.index >= (cursor.entry[track.kind]?.playlist.segments.length ?? 0);
  }

  async pump(track) {
    const generation = this.generation;
    const isCurrent = () => generation === this.generation && this.source?.readyState !== 'closed';
    try {
      while (isCurrent()) {
        if (track.kind === 'picture') {
          await this.standIn(track);
          if (!isCurrent()) return;
          // One picture is needed to stand in for the others.
          if (!this.isPictureWanted && (track.still || !track.cursor)) return;
        }
        const most = track.kind === 'picture' ? AHEAD.picture : this.isPictureWanted && this.picture ? AHEAD.sound : AHEAD.alone;
        if (this.ahead(track) >= most) break;
        if (this.isDone(track)) {
          if (!(await this.follow(track))) break;
          continue;
        }
        await this.loadNext(track, isCurrent);
      }
      if (isCurrent()) await this.tidy(track);
    } catch (error) {
      if (error.name === 'AbortError' || !isCurrent()) return;
      this.dispatchEvent(new CustomEvent('failed', { detail: error }));
    }
  }

  async loadNext(track, isCurrent) {
    if (track.kind === 'picture') this.catchUp(track);
    const { cursor } = track, { entry, index } = cursor, part = entry[track.kind];
    const segment = part.playlist.segments[index];
    const abort = new AbortController(), end = () => abort.abort();
    track.abort = abort;
    this.unload.signal.addEventListener('abort', end, { once: true });
    let bytes;
    try {
      bytes = await this.get(segment.url, track.kind, abort.signal);
    } catch (error) {
      // Another place, or nothing, is wanted instead.
      if (abort.signal.aborted && isCurrent()) return;
      throw error;
    } finally {
      this.unload.signal.removeEventListener('abort', end);
      track.abort = null;
    }
    if (!isCurrent() || track.cursor !== cursor) return;
    await this.useInit(track, part);
    const opening = track.kind === 'picture' ? mp4.opening(bytes) : null;
    if (opening?.picture) track.still = { picture: opening.picture, track: part.track };
    const from = Math.max(entry.begin, cursor.from ?? 0);
    await this.store(track, bytes, entry.begin - ORIGIN, from, entry.begin + entry.duration);
    if (!isCurrent() || track.cursor !== cursor) return;
    const begin = opening ? entry.begin - ORIGIN + opening.begin / part.track.timescale : entry.begin + segment.start;
    const finish = Math.min(begin + segment.duration, entry.begin + entry.duration);
    track.real = track.real ? [track.real[0], finish] : [begin, finish];
    track.cursor = { entry, index: index + 1 };
  }

  /** Pictures that came too late are left out. */
  catchUp(track) {
    const { entry, index } = track.cursor, { playlist } = entry.picture;
    const now = hls.segmentAt(playlist, this.video.currentTime - entry.begin);
    if (now <= index || entry !== this.current) return;
    track.real = null;
    track.cursor = { entry, index: now };
  }

  async useInit(track, part) {
    if (track.init === part.playlist.init) return;
    if (track.mime !== part.mime) {
      await track.do(() => track.buffer.changeType(part.mime));
      track.mime = part.mime;
    }
    await track.do(() => track.buffer.appendBuffer(part.init));
    track.init = part.playlist.init;
  }

  async store(track, bytes, offset, from, to) {
    try {
      await track.append(bytes, offset, from, to);
    } catch (error) {
      if (error.name !== 'QuotaExceededError') throw error;
      const time = this.video.currentTime;
      await track.remove(0, Math.max(0, time - 5));
      await track.append(bytes, offset, from, to);
    }
  }

  /** Keeps the picture's buffer filled with a still where its real content is not loaded. */
  async standIn(track) {
    const time = this.video.currentTime;
    const isReturning = this.isPictureWanted && track.isStandingIn && !(this.ahead(track) > 0);
    const isMissing = this.isPictureWanted && this.current && !this.current.picture;
    if (!track.still || (this.isPictureWanted && !isReturning && !isMissing)) {
      track.isStandingIn &&= this.isPictureWanted && this.ahead(track) <= 0;
      return;
    }
    const real = this.ahead(track), end = Math.max(track.end(time), time);
    if (real > STILL.ahead || end - time > STILL.ahead / 2) return;
    track.isStandingIn = true;
    const { picture, track: description } = track.still;
    const step = Math.max(STILL.leastStep, (picture.byteLength * STILL.batch) / STILL.bytes);
    const last = this.entries.at(-1), limit = last.begin + last.duration;
    const count = Math.min(Math.ceil(STILL.batch / step), Math.ceil((limit - end) / step));
    if (count > 0) await this.store(track, mp4.still(picture, description, end, step, count), 0, 0, limit);
  }

  /** Goes on with the next item behind the last; whether there is one that fits. */
  async follow(track) {
    const last = this.entries.at(-1);
    if (track.cursor && track.cursor.entry !== last) {
      const next = this.entries[this.entries.indexOf(track.cursor.entry) + 1];
      if (next) {
        // Without pictures of its own an item shows a still one.
        track.cursor = { entry: next, index: 0 };
        return Boolean(next[track.kind]);
      }
    }
    if (this.appending) return (await this.appending) && track.cursor?.entry !== this.entries.at(-1);
    this.appending = this.appendNext();
    const entry = await this.appending.finally(() => { this.appending = null; });
    if (entry) return this.follow(track);
    if (this.tracks.every(one => this.isDone(one) || (one.kind === 'picture' && !this.isPictureWanted))) await this.finish();
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
    // A source that had ended opens again when something is done to its buffers.
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

  /** Takes back what was loaded of items to come, as the queue has changed. */
  async reconsider() {
    if (!this.announced) return;
    let count = this.entries.indexOf(this.announced) + 1;
    while (count < this.entries.length && this.next(this.behind(count))?.id === this.entries[count].item.id) count += 1;
    await this.cut(count);
    this.tick();
  }

  /** Keeps so many entries and takes back what was loaded of the others. */
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

  /** The element goes elsewhere: what is there, or is loaded there. */
  sought() {
    const time = this.video.currentTime, entry = this.current;
    if (!entry) return;
    for (const track of this.tracks) {
      const isThere = track.kind === 'sound' ? track.end(time) > time : this.ahead(track) > 0;
      if (track.kind === 'sound' && isThere) {
        const end = track.end(time), last = this.entries.findLast(one => one.begin <= end - 1e-3) ?? entry;
        const playlist = last.sound?.playlist;
        const index = playlist ? hls.segmentAt(playlist, end - last.begin) : 0;
        const isWhole = playlist && end - last.begin >= last.duration - 0.05;
        this.place(track, { entry: last, index: isWhole ? playlist.segments.length : index });
      } else if (!isThere) {
        const part = entry[track.kind];
        // What is on its way is let go of, as it may be stored before the buffer is emptied and be gone then.
        track.cursor = { entry, index: part ? hls.segmentAt(part.playlist, time - entry.begin) : 0 };
        track.abort?.abort();
        track.real = null;
        if (track.kind === 'picture' && this.isPictureWanted) track.remove(0).catch(() => {});
      }
    }
    this.tick();
  }

  place(track, cursor) {
    if (track.cursor && track.cursor.entry === cursor.entry && track.cursor.index === cursor.index) return;
    track.cursor = cursor;
    track.abort?.abort();
  }

  // MARK: Choices

  /** Whether pictures are loaded; the sound does not notice. */
  wantPicture(isWanted) {
    if (isWanted === this.isPictureWanted) return;
    this.isPictureWanted = isWanted;
    const track = this.picture;
    if (!track) return;
    if (!isWanted) {
      track.abort?.abort();
    } else if (!(this.ahead(track) > 0)) {
      const entry = this.current, part = entry?.picture;
      const time = this.video.currentTime;
      if (part) {
        const segment = part.playlist.segments[hls.segmentAt(part.playlist, time - entry.begin)];
        // What lies between the begin of its segment and now is loaded after all.
        this.dispatchEvent(new CustomEvent('again', { detail: Math.max(0, time - entry.begin - segment.start) }));
      }
      track.isStandingIn = true;
      track.real = null;
      if (part) this.place(track, { entry, index: hls.segmentAt(part.playlist, this.video.currentTime - entry.begin) });
    }
    this.tick();
  }

  get sounds() { return this.current?.choices.sounds ?? []; }

  get chosenSound() { return this.current?.sound?.choice ?? null; }

  async chooseSound(choice) {
    const entry = this.current;
    if (!entry?.sound || !this.sound) return;
    this.preferredSound = choice.language;
    const part = { choice, playlist: hls.media(await this.text(choice.url), choice.url) };
    part.init = await this.get(part.playlist.init, 'other');
    part.track = mp4.track(part.init);
    part.mime = `audio/mp4; codecs="${part.track.codec}"`;
    if (!MediaSource.isTypeSupported(part.mime)) throw Object.assign(new Error('codec'), { isUnsupported: true });
    await this.replace(this.sound, entry, part);
  }

  async choosePicture(choice, entry) {
    // The next item may have begun since the choices were shown.
    if (entry !== this.current || !entry.picture || !this.picture) return;
    const part = { choice, playlist: hls.media(await this.text(choice.url), choice.url) };
    part.init = await this.get(part.playlist.init, 'other');
    part.track = mp4.track(part.init);
    part.mime = `video/mp4; codecs="${choice.codec}"`;
    await this.replace(this.picture, entry, part);
  }

  /** The end of the pictures that were loaded, in seconds of the element. */
  get pictureEnd() { return this.picture?.real?.[1] ?? 0; }

  /** The same pictures in other sizes, which the server has to encode. */
  async otherPictures(entry) {
    const url = new URL(this.address(entry.item));
    url.searchParams.set('ladder', 1);
    const { pictures } = hls.multivariant(await this.text(url.href), url.href);
    return pictures.filter(one => MediaSource.isTypeSupported(`video/mp4; codecs="${one.codec}"`));
  }

  /** Goes over to another playlist of the same item a moment ahead. */
  async replace(track, entry, part) {
    track.abort?.abort();
    entry[track.kind] = part;
    track.cursor = null;
    await this.cut(this.entries.indexOf(entry) + 1);
    const time = this.video.currentTime + 0.4;
    await track.turn;
    if (track.kind === 'sound') await track.remove(time);
    track.real = null;
    track.cursor = { entry, index: hls.segmentAt(part.playlist, time - entry.begin), from: track.kind === 'sound' ? time : 0 };
    this.tick();
  }

  get subtitles() { return this.current?.choices.subtitles ?? []; }
}
