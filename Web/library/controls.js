// The elements of the player: screen, bar, and details.

import { h, icon, button } from './dom.js';
import { t } from './words.js';

/** Creates the elements of a view and puts them into its section. */
export function build(view) {
  buildScreen(view);
  buildTransport(view);
  buildTools(view);
  const toggle = () => view.large(!view.isLarge);
  view.name = h('button', { type: 'button', className: 'name', onclick: toggle }, view.title, view.about);
  view.bar = h('div', { className: 'bar' }, h('div', { className: 'now' }, view.name, view.saved),
    h('div', { className: 'transport' }, view.shuffle, view.previous, view.playButton, view.next, view.repeat),
    h('div', { className: 'line' }, view.elapsed, view.scrubber, view.remaining),
    h('div', { className: 'more-tools' }, view.soundOnly, view.mute, view.volume, view.cast, view.settings, view.pip,
      view.full, view.queueButton, view.expand));
  view.detail = h('div', { className: 'detail' }, view.problem, view.sent, view.savedLong, view.chapters);
  view.section.append(view.heading, view.screen, view.detail, view.bar, view.panel);
  const { video } = view;
  view.pip.hidden = !document.pictureInPictureEnabled && !video.webkitSupportsPresentationMode;
  view.full.hidden = !document.fullscreenEnabled && !video.webkitEnterFullscreen;
  view.cast.hidden = !('remote' in video) && !('webkitShowPlaybackTargetPicker' in video);
}

function buildScreen(view) {
  view.video.playsInline = true;
  view.art = h('img', { alt: '', hidden: true });
  view.cue = h('div', { className: 'cue', 'aria-hidden': 'true' });
  view.problem = h('p', { className: 'problem', role: 'alert' });
  const sleeve = h('div', { className: 'sleeve' }, view.art, icon('note'));
  view.screen = h('div', { className: 'screen' }, view.video, sleeve, view.cue);
  view.heading = h('h2', { className: 'hidden' });
  view.title = h('b', {});
  view.about = h('small', {});
  view.saved = h('span', { className: 'saved', hidden: true });
  view.savedLong = h('p', { className: 'saved-long quiet' });
  view.sent = h('p', { className: 'sent quiet' });
  view.chapters = h('ol', { className: 'chapters' });
}

function buildTransport(view) {
  const { player } = view, { queue } = player;
  const repeat = () => queue.setRepeat({ off: 'all', all: 'one', one: 'off' }[queue.repeat]);
  view.playButton = button('play', t('play'), () => player.toggle(),
    { className: 'tool main', 'aria-keyshortcuts': 'Space k' });
  view.previous = button('previous', t('previous'), () => player.previousTitle(), { 'aria-keyshortcuts': 'p' });
  view.next = button('next', t('next'), () => player.nextTitle(), { 'aria-keyshortcuts': 'n' });
  view.shuffle = button('shuffle', t('shuffle'), () => queue.shuffle(!queue.isShuffled), { className: 'tool extra' });
  view.repeat = button('repeat', t('repeat'), repeat, { className: 'tool extra' });
  view.scrubber = h('input', {
    type: 'range', className: 'scrubber', min: 0, max: 1, step: 'any', value: 0, 'aria-label': t('position'),
    oninput: () => view.scrub(), onchange: () => { view.isScrubbing = false; },
  });
  view.elapsed = h('span', { className: 'time' }, '0:00');
  view.remaining = h('span', { className: 'time' }, '0:00');
}

function buildTools(view) {
  const { player, video } = view;
  const setVolume = () => {
    video.muted = false;
    player.set('volume', Number(view.volume.value));
  };
  view.soundOnly = button('ear', t('soundOnly'), () => player.soundOnly(!player.isSoundOnly),
    { className: 'tool ear', 'aria-keyshortcuts': 'b' });
  view.mute = button('volume', t('mute'), () => { video.muted = !video.muted; },
    { className: 'tool extra', 'aria-keyshortcuts': 'm' });
  view.volume = h('input', {
    type: 'range', className: 'volume extra', min: 0, max: 1, step: 0.02, value: player.settings.volume,
    'aria-label': t('volume'), oninput: setVolume,
  });
  view.settings = button('settings', t('settings'), () => view.openSettings(), { 'aria-haspopup': 'dialog' });
  view.pip = button('pip', t('pip'), () => view.togglePip(), { className: 'tool large', 'aria-keyshortcuts': 'i' });
  view.cast = button('cast', t('cast'), () => view.castTo(), { className: 'tool extra' });
  view.full = button('full', t('fullscreen'), () => view.toggleFull(),
    { className: 'tool large', 'aria-keyshortcuts': 'f' });
  view.queueButton = button('queue', t('queue'), () => view.toggleQueue(),
    { 'aria-keyshortcuts': 'q', 'aria-expanded': 'false' });
  view.expand = button('up', t('expand'), () => view.large(!view.isLarge));
}
