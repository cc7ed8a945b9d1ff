// The keyboard shortcuts.

import { help } from './menus.js';
import { SPEEDS } from './settings.js';

export function listen(player, view) {
  const step = direction => {
    const index = SPEEDS.indexOf(player.settings.speed);
    player.set('speed', SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index + direction))]);
  };
  const volume = by => player.set('volume', Math.min(1, Math.max(0, Math.round((player.video.volume + by) * 100) / 100)));
  const keys = {
    ' ': () => player.toggle(), k: () => player.toggle(), j: () => player.skip(-10), l: () => player.skip(10),
    n: () => player.nextTitle(), p: () => player.previousTitle(), m: () => { player.video.muted = !player.video.muted; },
    f: () => view.toggleFull(), i: () => view.togglePip(), b: () => player.soundOnly(!player.isSoundOnly),
    c: () => player.chooseSubtitles(player.subtitle ? null : player.subtitleTracks[0]),
    '<': () => step(-1), '>': () => step(1), '+': () => volume(0.05), '-': () => volume(-0.05), '−': () => volume(-0.05),
    q: () => view.toggleQueue(), '?': () => help(),
    '/': () => document.querySelector('input[type=search]').focus(),
    Escape: () => {
      if (!view.panel.hidden) view.toggleQueue(false);
      else if (view.isLarge) view.large(false);
    },
  };
  addEventListener('keydown', event => {
    const { target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]')) return;
    if (target.matches('input:not([type=range]), select, textarea')) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    if (event.key === ' ' && target.matches('button, a, summary')) return;
    if (view.isLarge && target.closest('#player, body') && event.key.startsWith('Arrow') && !target.matches('input')) {
      if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') player.skip(event.key === 'ArrowLeft' ? -10 : 10);
      else volume(event.key === 'ArrowUp' ? 0.05 : -0.05);
      event.preventDefault();
      return;
    }
    const digit = /^[0-9]$/.test(event.key) && player.current;
    const jump = () => player.seek((player.duration * Number(event.key)) / 10);
    const action = digit ? jump : keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
