// The player's view: the bar at the bottom, the large view, the queue, and the stream details.

import { h, rename, say, note } from './dom.js';
import { t, clock, length, bytes, number } from './words.js';
import { build } from './controls.js';
import { openSettings } from './settings.js';
import { QueuePanel } from './queuepanel.js';
import * as mediaSession from './mediasession.js';
import * as shelf from './shelf.js';

const CODECS = {
  h264: 'H.264', hevc: 'HEVC', av1: 'AV1', vp9: 'VP9', mpeg4: 'MPEG-4', aac: 'AAC', mp3: 'MP3', ac3: 'AC-3',
  eac3: 'E-AC-3', flac: 'FLAC', opus: 'Opus', alac: 'ALAC',
};

export class PlayerView {
  constructor(section, player, video) {
    Object.assign(this, { section, player, video });
    this.queuePanel = new QueuePanel(player, () => this.toggleQueue(false));
    this.panel = this.queuePanel.element;
    build(this);
    this.listen();
    mediaSession.listenToMediaKeys(player);
  }

  listen() {
    const { player, video } = this;
    const on = (names, action) => names.split(' ').forEach(name => player.addEventListener(name, action));
    on('item', event => this.showItem(event.detail));
    on('play pause playing waiting', () => this.showState());
    on('timeupdate seeked durationchange', () => this.showTime());
    on('volumechange', () => this.showVolume());
    on('queue', () => this.showQueue());
    on('rendition settings', () => this.showRendition());
    on('details', event => this.showDetails(event.detail));
    on('saved', () => this.showSaved());
    on('cue', event => { this.cue.textContent = event.detail.replace(/<[^>]*>/g, ''); });
    on('failed', ({ detail: error }) =>
      this.showProblem(t('failed', { reason: error.isUnsupported ? t('failedCodec') : error.message })));
    on('trouble', () => this.showProblem(t('trouble')));
    on('refused', () => note(t('clickToPlay'), { label: t('play'), do: () => player.toggle() }));
    on('resumed', event => note(t('resumed', { position: clock(event.detail.position) }),
      { label: t('restart'), do: () => player.seek(0) }));
    on('mended', () => { this.problem.textContent = ''; });
    // The loaded part still plays if the rest fails to load.
    on('playing', () => { if (!player.problem) this.problem.textContent = ''; });
    this.screen.addEventListener('click', () => {
      if (!this.isLarge) this.large(true);
      else if (matchMedia('(hover: hover)').matches) player.toggle();
    });
    this.screen.addEventListener('dblclick', () => this.toggleFull());
    if ('remote' in video) {
      video.remote.addEventListener('connecting', () => player.useNative(true));
      video.remote.addEventListener('disconnect', () => player.useNative(false));
    }
  }

  // MARK: Display

  showItem(item) {
    const isFilm = shelf.isFilm(item), art = shelf.artwork(item, 640);
    this.section.hidden = false;
    document.body.classList.add('has-player');
    this.section.classList.toggle('music', !isFilm);
    this.title.textContent = item.title;
    this.about.textContent = shelf.subtitle(item);
    this.heading.textContent = item.title;
    this.nameIt();
    this.art.hidden = !art;
    if (art) this.art.src = art; else this.art.removeAttribute('src');
    this.problem.textContent = '';
    this.soundOnly.hidden = !isFilm;
    this.pip.classList.toggle('useless', !isFilm);
    document.title = `${item.title} – Segue`;
    history.replaceState(null, '', location.hash || '#/');
    if (isFilm && this.shownItem?.id !== item.id && !this.wasSmall) this.large(true);
    if (this.shownItem?.id !== item.id) say(t('nowPlaying', { title: item.title }));
    this.shownItem = item;
    this.showRendition();
    this.showState();
    this.showQueue();
    mediaSession.showTitle(item, art);
  }

  showState() {
    const isPlaying = !this.video.paused;
    rename(this.playButton, isPlaying ? 'pause' : 'play', t(isPlaying ? 'pause' : 'play'));
    this.section.classList.toggle('busy', isPlaying && this.video.readyState < 3);
    mediaSession.showPlaying(isPlaying);
    this.showTime();
  }

  showTime() {
    const { player } = this, { position, duration } = player;
    if (!this.isScrubbing) {
      this.scrubber.max = duration || 1;
      this.scrubber.value = position;
    }
    const shown = Number(this.scrubber.value);
    this.scrubber.style.setProperty('--done', `${duration ? (100 * shown) / duration : 0}%`);
    this.scrubber.setAttribute('aria-valuetext', t('positionValue', { position: clock(shown), duration: clock(duration) }));
    this.elapsed.textContent = clock(shown);
    this.remaining.textContent = clock(duration);
    this.section.dataset.position = position.toFixed(3);
    this.showReceived();
    for (const chapter of this.chapters.children) {
      const isCurrent = position >= chapter.dataset.start && position < chapter.dataset.end;
      if (isCurrent) chapter.firstChild.setAttribute('aria-current', 'true');
      else chapter.firstChild.removeAttribute('aria-current');
    }
    mediaSession.showPosition(position, duration, this.video.playbackRate);
  }

  showVolume() {
    const { video } = this;
    rename(this.mute, video.muted ? 'muted' : 'volume', t(video.muted ? 'unmute' : 'mute'));
    this.volume.value = video.volume;
  }

  scrub() {
    this.isScrubbing = true;
    this.player.seek(Number(this.scrubber.value));
    this.showTime();
  }

  showRendition() {
    const { player } = this, isWithout = !player.engine.isVideoWanted;
    this.section.classList.toggle('sound', isWithout);
    this.soundOnly.setAttribute('aria-pressed', String(player.isSoundOnly));
    this.showDetails(this.knownDetails);
  }

  showDetails(details) {
    this.knownDetails = details;
    const { player } = this;
    if (!details || details.id !== player.current?.id) { this.sent.textContent = ''; return; }
    const isFull = player.engine.isVideoWanted && details.kind === 'movie';
    const rendition = details.renditions?.[isFull ? 'full' : 'background'] ?? {};
    const chosen = rendition.fmp4 ?? Object.values(rendition)[0];
    const words = [h('b', {}, t(isFull ? 'sentFull' : 'sentBackground'))];
    for (const track of chosen?.tracks ?? []) {
      const name = CODECS[track.codec] ?? track.codec.toUpperCase();
      words.push(t(track.treatment === 'copy' ? 'sentCopied' : 'sentCoded', { codec: name }));
    }
    if (chosen) words.push('fMP4', t('sentRate', { rate: number(Math.round(chosen.averageBandwidth / 1000)) }));
    this.received = h('span', { className: 'received' });
    this.sent.setAttribute('aria-label', t('sent'));
    this.sent.replaceChildren(...words.map(word => h('i', {}, word)), h('i', {}, this.received));
    this.showReceived();
    this.showChapters(details.chapters ?? []);
  }

  showReceived() {
    const { ledger } = this.player.engine, total = ledger.sound + ledger.picture + ledger.other;
    if (this.received) this.received.textContent = t('sentBytes', { bytes: bytes(total) });
  }

  showSaved() {
    const { bytes: amount, seconds } = this.player.saved;
    this.saved.hidden = amount < 1000;
    this.saved.textContent = t('saved', { bytes: bytes(amount) });
    this.saved.title = this.savedLong.textContent = t('savedLong', { bytes: bytes(amount), time: length(seconds) });
    this.section.dataset.saved = Math.round(amount);
  }

  showChapters(chapters) {
    this.chapters.replaceChildren(...chapters.map((chapter, index) => {
      const end = chapter.end ?? chapters[index + 1]?.start ?? Infinity;
      const seek = () => this.player.seek(chapter.start);
      return h('li', { 'data-start': chapter.start, 'data-end': end }, h('button', { type: 'button', onclick: seek },
        h('span', { className: 'time' }, clock(chapter.start)), chapter.title ?? ''));
    }));
    this.chapters.setAttribute('aria-label', t('chapters'));
  }

  showProblem(text) {
    this.problem.textContent = text;
    if (!this.isLarge) note(text);
  }

  // MARK: Views

  large(isLarge) {
    if (isLarge === Boolean(this.isLarge)) return;
    this.isLarge = isLarge;
    this.wasSmall = !isLarge;
    this.section.classList.toggle('is-large', isLarge);
    document.body.classList.toggle('is-covered', isLarge);
    // The focus moves to the player and returns to the page behind it later.
    const behind = [...document.querySelectorAll('.skip, header, #kinds, main')];
    if (isLarge) this.before = behind.some(part => part.contains(document.activeElement)) ? document.activeElement : null;
    for (const part of behind) part.inert = isLarge;
    if (isLarge && this.before) this.playButton.focus();
    else if (!isLarge) (this.before?.isConnected ? this.before : this.name).focus();
    rename(this.expand, isLarge ? 'down' : 'up', t(isLarge ? 'collapse' : 'expand'));
    this.nameIt();
  }

  /** Sets the label of the title button: its visible text and its action. */
  nameIt() {
    const said = [this.title.textContent, this.about.textContent, t(this.isLarge ? 'collapse' : 'expand')];
    this.name.setAttribute('aria-label', said.filter(Boolean).join('. '));
  }

  toggleQueue(isOpen = this.panel.hidden) {
    this.panel.hidden = !isOpen;
    this.queueButton.setAttribute('aria-expanded', String(isOpen));
    this.showQueue();
    if (isOpen) this.queuePanel.focus();
    else this.queueButton.focus();
  }

  showQueue() {
    const { queue } = this.player;
    this.shuffle.setAttribute('aria-pressed', String(queue.isShuffled));
    this.repeat.setAttribute('aria-pressed', String(queue.repeat !== 'off'));
    const repeats = `${t('repeat')}: ${t({ off: 'repeatOff', all: 'repeatAll', one: 'repeatOne' }[queue.repeat])}`;
    this.repeat.classList.toggle('one', queue.repeat === 'one');
    [this.repeat.title, this.repeat.ariaLabel] = [repeats, repeats];
    this.next.disabled = queue.nextIndex < 0;
    this.queuePanel.show();
  }

  openSettings() { openSettings(this.section, this.player, this.settings); }

  // MARK: Other devices

  togglePip() {
    const { video } = this;
    if (document.pictureInPictureElement) document.exitPictureInPicture();
    else if (video.requestPictureInPicture) video.requestPictureInPicture().catch(error => note(error.message));
    else {
      const isInside = video.webkitPresentationMode === 'picture-in-picture';
      video.webkitSetPresentationMode?.(isInside ? 'inline' : 'picture-in-picture');
    }
  }

  toggleFull() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (this.section.requestFullscreen) {
      this.large(true);
      this.section.requestFullscreen().catch(() => {});
    } else this.video.webkitEnterFullscreen?.();
  }

  /** Gives another device an address, which it loads on its own. */
  async castTo() {
    const { video, player } = this;
    await player.useNative(true);
    if (video.webkitShowPlaybackTargetPicker) return video.webkitShowPlaybackTargetPicker();
    try { await video.remote.prompt(); } catch {
      note(t('castNone'));
      await player.useNative(false);
    }
  }
}
