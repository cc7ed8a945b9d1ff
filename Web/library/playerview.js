// The player's view: the bar at the bottom, the large view, the queue, and the stream details.

import { h, icon, button, rename, say, note } from './dom.js';
import { t, count, clock, length, bytes, number, decimal, languageName } from './words.js';
import { menu } from './menus.js';
import * as shelf from './shelf.js';

const CODECS = {
  h264: 'H.264', hevc: 'HEVC', av1: 'AV1', vp9: 'VP9', mpeg4: 'MPEG-4', aac: 'AAC', mp3: 'MP3', ac3: 'AC-3', eac3: 'E-AC-3', flac: 'FLAC', opus: 'Opus', alac: 'ALAC',
};

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

export class PlayerView {
  constructor(section, player, video) {
    Object.assign(this, { section, player, video });
    this.build();
    this.listen();
    this.session();
  }

  build() {
    const { player, video } = this, queue = player.queue;
    video.playsInline = true;
    this.art = h('img', { alt: '', hidden: true });
    this.cue = h('div', { className: 'cue', 'aria-hidden': 'true' });
    this.problem = h('p', { className: 'problem', role: 'alert' });
    this.screen = h('div', { className: 'screen' }, video, h('div', { className: 'sleeve' }, this.art, icon('note')), this.cue);
    this.title = h('b', {});
    this.about = h('small', {});
    this.saved = h('span', { className: 'saved', hidden: true });
    this.savedLong = h('p', { className: 'saved-long quiet' });
    this.sent = h('p', { className: 'sent quiet' });
    this.chapters = h('ol', { className: 'chapters' });
    this.playButton = button('play', t('play'), () => player.toggle(), { className: 'tool main', 'aria-keyshortcuts': 'Space k' });
    this.previous = button('previous', t('previous'), () => player.previousTitle(), { 'aria-keyshortcuts': 'p' });
    this.next = button('next', t('next'), () => player.nextTitle(), { 'aria-keyshortcuts': 'n' });
    this.shuffle = button('shuffle', t('shuffle'), () => queue.shuffle(!queue.isShuffled), { className: 'tool extra' });
    this.repeat = button('repeat', t('repeat'), () => queue.setRepeat({ off: 'all', all: 'one', one: 'off' }[queue.repeat]), { className: 'tool extra' });
    this.scrubber = h('input', { type: 'range', className: 'scrubber', min: 0, max: 1, step: 'any', value: 0, 'aria-label': t('position'), oninput: () => this.scrub(), onchange: () => { this.isScrubbing = false; } });
    this.elapsed = h('span', { className: 'time' }, '0:00');
    this.remaining = h('span', { className: 'time' }, '0:00');
    this.soundOnly = button('ear', t('soundOnly'), () => player.soundOnly(!player.isSoundOnly), { className: 'tool ear', 'aria-keyshortcuts': 'b' });
    this.mute = button('volume', t('mute'), () => { video.muted = !video.muted; }, { className: 'tool extra', 'aria-keyshortcuts': 'm' });
    this.volume = h('input', { type: 'range', className: 'volume extra', min: 0, max: 1, step: 0.02, value: player.settings.volume, 'aria-label': t('volume'), oninput: () => { video.muted = false; player.set('volume', Number(this.volume.value)); } });
    this.settings = button('settings', t('settings'), () => this.openSettings(), { 'aria-haspopup': 'dialog' });
    this.pip = button('pip', t('pip'), () => this.togglePip(), { className: 'tool large', 'aria-keyshortcuts': 'i' });
    this.cast = button('cast', t('cast'), () => this.castTo(), { className: 'tool extra' });
    this.full = button('full', t('fullscreen'), () => this.toggleFull(), { className: 'tool large', 'aria-keyshortcuts': 'f' });
    this.queueButton = button('queue', t('queue'), () => this.toggleQueue(), { 'aria-keyshortcuts': 'q', 'aria-expanded': 'false' });
    this.expand = button('up', t('expand'), () => this.large(!this.isLarge));
    this.name = h('button', { type: 'button', className: 'name', onclick: () => this.large(!this.isLarge) }, this.title, this.about);
    this.bar = h('div', { className: 'bar' }, h('div', { className: 'now' }, this.name, this.saved),
      h('div', { className: 'transport' }, this.shuffle, this.previous, this.playButton, this.next, this.repeat),
      h('div', { className: 'line' }, this.elapsed, this.scrubber, this.remaining),
      h('div', { className: 'more-tools' }, this.soundOnly, this.mute, this.volume, this.cast, this.settings, this.pip, this.full, this.queueButton, this.expand));
    this.detail = h('div', { className: 'detail' }, this.problem, this.sent, this.savedLong, this.chapters);
    this.queueList = h('ol', { className: 'queue-list' });
    this.queueCount = h('span', { className: 'quiet' });
    this.panel = h('aside', { className: 'queue', 'aria-label': t('queue'), hidden: true },
      h('div', { className: 'dialog-head' }, h('h2', {}, t('queue')), this.queueCount,
        h('button', { type: 'button', className: 'word', onclick: () => queue.clear() }, t('queueClear')), button('close', t('close'), () => this.toggleQueue(false))), this.queueList);
    this.heading = h('h2', { className: 'hidden' });
    this.section.append(this.heading, this.screen, this.detail, this.bar, this.panel);
    this.pip.hidden = !document.pictureInPictureEnabled && !video.webkitSupportsPresentationMode;
    this.full.hidden = !document.fullscreenEnabled && !video.webkitEnterFullscreen;
    this.cast.hidden = !('remote' in video) && !('webkitShowPlaybackTargetPicker' in video);
  }

  listen() {
    const { player, video } = this;
    const on = (names, action) => names.split(' ').forEach(name => player.addEventListener(name, action));
    on('item', event => this.showItem(event.detail));
    on('play pause playing waiting', () => this.showState());
    on('timeupdate seeked durationchange', () => this.showTime());
    on('volumechange', () => { rename(this.mute, video.muted ? 'muted' : 'volume', t(video.muted ? 'unmute' : 'mute')); this.volume.value = video.volume; });
    on('queue', () => this.showQueue());
    on('rendition settings', () => this.showRendition());
    on('details', event => this.showDetails(event.detail));
    on('saved', () => this.showSaved());
    on('cue', event => { this.cue.textContent = event.detail.replace(/<[^>]*>/g, ''); });
    on('failed', event => this.showProblem(t('failed', { reason: event.detail.isUnsupported ? t('failedCodec') : event.detail.message })));
    on('trouble', () => this.showProblem(t('trouble')));
    on('refused', () => note(t('clickToPlay'), { label: t('play'), do: () => player.toggle() }));
    on('resumed', event => note(t('resumed', { position: clock(event.detail.position) }), { label: t('restart'), do: () => player.seek(0) }));
    on('mended', () => { this.problem.textContent = ''; });
    // The loaded part still plays if the rest fails to load.
    on('playing', () => { if (!player.problem) this.problem.textContent = ''; });
    this.screen.addEventListener('click', () => { if (!this.isLarge) this.large(true); else if (matchMedia('(hover: hover)').matches) player.toggle(); });
    this.screen.addEventListener('dblclick', () => this.toggleFull());
    if ('remote' in video) {
      for (const name of ['connecting', 'disconnect']) video.remote.addEventListener(name, () => player.useNative(name === 'connecting'));
    }
  }

  // MARK: What is shown

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
    this.sessionItem(item, art);
  }

  showState() {
    const isPlaying = !this.video.paused;
    rename(this.playButton, isPlaying ? 'pause' : 'play', t(isPlaying ? 'pause' : 'play'));
    this.section.classList.toggle('busy', isPlaying && this.video.readyState < 3);
    if ('mediaSession' in navigator) navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused';
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
      if (isCurrent) chapter.firstChild.setAttribute('aria-current', 'true'); else chapter.firstChild.removeAttribute('aria-current');
    }
    const session = navigator.mediaSession;
    if (session?.setPositionState && duration > 0) {
      session.setPositionState({ duration, position: Math.min(position, duration), playbackRate: this.video.playbackRate || 1 });
    }
  }

  scrub() {
    this.isScrubbing = true;
    this.player.seek(Number(this.scrubber.value));
    this.showTime();
  }

  showRendition() {
    const { player } = this, isWithout = !player.engine.isPictureWanted;
    this.section.classList.toggle('sound', isWithout);
    this.soundOnly.setAttribute('aria-pressed', String(player.isSoundOnly));
    this.showDetails(this.knownDetails);
  }

  showDetails(details) {
    this.knownDetails = details;
    const { player } = this;
    if (!details || details.id !== player.current?.id) { this.sent.textContent = ''; return; }
    const isFull = player.engine.isPictureWanted && details.kind === 'movie';
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
      return h('li', { 'data-start': chapter.start, 'data-end': end }, h('button', { type: 'button', onclick: () => this.player.seek(chapter.start) },
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
    if (isOpen) (this.panel.querySelector('.current button') ?? this.panel.querySelector('button')).focus();
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
    if (this.panel.hidden) return;
    const total = queue.items.reduce((sum, item) => sum + (item.duration ?? 0), 0);
    this.queueCount.textContent = count('queueCount', queue.items.length, { time: length(total) });
    const focused = document.activeElement?.closest?.('.queue-list li'), place = focused && [...this.queueList.children].indexOf(focused);
    const name = document.activeElement?.dataset?.act;
    this.queueList.replaceChildren(...queue.items.slice(0, 500).map((item, index) => this.queueRow(item, index)));
    if (!queue.items.length) this.queueList.append(h('li', { className: 'quiet' }, t('queueEmpty')));
    if (focused) this.queueList.children[Math.min(this.movedTo ?? place, queue.items.length - 1)]?.querySelector(`[data-act="${name}"]`)?.focus();
    this.movedTo = null;
  }

  queueRow(item, index) {
    const { queue } = this.player, { title } = item;
    const move = to => {
      if (to < 0 || to >= queue.items.length) return;
      this.movedTo = to;
      queue.move(index, to);
      say(t('queueMoved', { title, number: number(to + 1) }));
    };
    const row = h('li', { className: index === queue.index ? 'current' : '', draggable: true, 'aria-current': index === queue.index ? 'true' : undefined },
      h('button', { type: 'button', className: 'name', 'data-act': 'play', onclick: () => this.player.jump(index) }, h('b', {}, title), h('small', {}, [shelf.subtitle(item), item.duration && clock(item.duration)].filter(Boolean).join(' · '))),
      button('up', t('queueUp', { title }), () => move(index - 1), { 'data-act': 'up', disabled: index === 0 }),
      button('down', t('queueDown', { title }), () => move(index + 1), { 'data-act': 'down', disabled: index === queue.items.length - 1 }),
      button('close', t('queueRemove', { title }), () => {
        const wasCurrent = index === queue.index;
        queue.remove(index);
        say(t('queueRemoved', { title }));
        if (wasCurrent && queue.current) this.player.jump(queue.index);
      }, { 'data-act': 'remove' }));
    row.addEventListener('dragstart', event => { this.dragged = index; event.dataTransfer.effectAllowed = 'move'; });
    row.addEventListener('dragover', event => { event.preventDefault(); row.classList.add('over'); });
    row.addEventListener('dragleave', () => row.classList.remove('over'));
    row.addEventListener('drop', event => { event.preventDefault(); if (this.dragged !== undefined) queue.move(this.dragged, index); });
    return row;
  }

  // MARK: Settings

  openSettings() {
    const { player } = this, { engine } = player;
    const dialog = h('dialog', { className: 'settings', 'aria-label': t('settings') });
    const close = () => dialog.close();
    const choices = (name, label, options, chosen, choose) => h('fieldset', {}, h('legend', {}, label), options.map(([text, value]) =>
      h('label', {}, h('input', { type: 'radio', name, checked: value === chosen, onchange: () => choose(value) }), h('span', {}, text))));
    const parts = [];
    if (engine.sounds.length > 1) {
      parts.push(choices('sound', t('sound'), engine.sounds.map((one, index) => [one.name || (one.language !== 'und' && languageName(one.language)) || t('soundTrack', { number: index + 1 }), one.url]), engine.chosenSound?.url,
        url => engine.chooseSound(engine.sounds.find(one => one.url === url)).catch(error => note(t('failed', { reason: error.message })))));
    }
    if (engine.subtitles.length) {
      parts.push(choices('subtitles', t('subtitles'), [[t('subtitlesOff'), null], ...engine.subtitles.map(one => [one.name || languageName(one.language), one.url])], player.subtitle?.url ?? null,
        url => player.chooseSubtitles(engine.subtitles.find(one => one.url === url))));
    }
    parts.push(choices('speed', t('speed'), SPEEDS.map(speed => [`${decimal(speed)}×`, speed]), player.settings.speed, speed => player.set('speed', speed)));
    if (engine.current?.picture && engine.choosePicture) parts.push(this.qualities(choices));
    parts.push(h('label', { className: 'check' }, h('input', { type: 'checkbox', checked: player.settings.leavesPicture, onchange: event => player.set('leavesPicture', event.target.checked) }), h('span', {}, t('background'))));
    dialog.append(h('div', { className: 'dialog-head' }, h('h2', {}, t('settings')), button('close', t('close'), close)), ...parts);
    dialog.addEventListener('click', event => { if (event.target === dialog) close(); });
    dialog.addEventListener('close', () => { dialog.remove(); this.settings.focus(); });
    this.section.append(dialog);
    dialog.showModal();
  }

  qualities(choices) {
    const { engine } = this.player, entry = engine.current, original = entry.original ??= entry.picture.choice;
    const write = one => `${one.height}p · ${number(Math.round(one.rate / 1000))} kbit/s`;
    const draw = list => choices('quality', t('quality'), list.map(one => [one === original ? `${t('qualityOriginal')} (${write(one)})` : write(one), one.url]), entry.picture.choice.url,
      url => {
        const one = list.find(other => other.url === url);
        engine.choosePicture(one, entry).catch(error => note(t('failed', { reason: error.message })));
        this.player.pictureRate = one.rate * 0.9;
      });
    const field = draw(entry.ladder ?? [original]);
    if (!entry.ladder) {
      const others = h('button', { type: 'button', className: 'word' }, t('qualityOthers'));
      others.addEventListener('click', async () => {
        others.disabled = true;
        others.textContent = t('qualityWait');
        say(t('qualityWait'));
        try {
          const pictures = await engine.otherPictures(entry);
          entry.ladder = [original, ...pictures.filter(one => one.height < original.height)];
          field.replaceWith(draw(entry.ladder));
        } catch (error) {
          others.remove();
          note(t('failed', { reason: error.message }));
        }
      });
      field.append(others);
    }
    return field;
  }

  // MARK: Elsewhere

  togglePip() {
    const { video } = this;
    if (document.pictureInPictureElement) document.exitPictureInPicture();
    else if (video.requestPictureInPicture) video.requestPictureInPicture().catch(error => note(error.message));
    else video.webkitSetPresentationMode?.(video.webkitPresentationMode === 'picture-in-picture' ? 'inline' : 'picture-in-picture');
  }

  toggleFull() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (this.section.requestFullscreen) { this.large(true); this.section.requestFullscreen().catch(() => {}); } else this.video.webkitEnterFullscreen?.();
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

  // MARK: Media keys and the lock screen

  session() {
    if (!('mediaSession' in navigator)) return;
    const { player } = this;
    const actions = {
      play: () => this.video.play(), pause: () => this.video.pause(), nexttrack: () => player.nextTitle(), previoustrack: () => player.previousTitle(),
      seekbackward: details => player.skip(-(details.seekOffset ?? 10)), seekforward: details => player.skip(details.seekOffset ?? 10), seekto: details => player.seek(details.seekTime), stop: () => this.video.pause(),
    };
    for (const [name, action] of Object.entries(actions)) {
      try { navigator.mediaSession.setActionHandler(name, action); } catch { /* The browser does not support the action. */ }
    }
  }

  sessionItem(item, art) {
    if (!('mediaSession' in navigator)) return;
    const artwork = art ? [96, 256, 512].map(size => ({ src: new URL(art.replace(/width=\d+/, `width=${size}`), document.baseURI).href, sizes: `${size}x${size}`, type: 'image/jpeg' })) : [];
    navigator.mediaSession.metadata = new MediaMetadata({ title: item.title, artist: item.artist ?? item.series ?? '', album: item.album ?? '', artwork });
  }
}
