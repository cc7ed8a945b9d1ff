// The menus and dialogs of the page.

import { h, icon, button, dialog, note, store } from './dom.js';
import { t } from './words.js';

let open = null;

/** Opens a menu below a button; each choice is `{label, icon, do, isChosen}`. */
export function menu(anchor, label, choices) {
  open?.close();
  const isChoice = choices.some(choice => choice.isChosen !== undefined);
  const mark = choice => isChoice ? h('span', { className: 'mark' }, choice.isChosen ? icon('check') : null) : null;
  const items = choices.map(choice => h('button', {
    type: 'button', role: isChoice ? 'menuitemradio' : 'menuitem', tabIndex: -1,
    'aria-checked': isChoice ? String(Boolean(choice.isChosen)) : undefined,
    onclick: () => { close(); choice.do(); },
  }, choice.icon ? icon(choice.icon) : mark(choice), choice.label));
  const element = h('div', { className: 'menu', role: 'menu', 'aria-label': label }, items);
  const abort = new AbortController();
  const close = (returns = true) => {
    abort.abort();
    element.remove();
    anchor.setAttribute('aria-expanded', 'false');
    open = null;
    if (returns) anchor.focus();
  };
  element.addEventListener('keydown', event => {
    const index = items.indexOf(document.activeElement), step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) items[(index + step + items.length) % items.length].focus();
    else if (event.key === 'Home') items[0].focus();
    else if (event.key === 'End') items.at(-1).focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  (anchor.closest('dialog, #player') ?? document.body).append(element);
  const box = anchor.getBoundingClientRect();
  element.style.left = `${Math.max(8, Math.min(box.left, innerWidth - element.offsetWidth - 8))}px`;
  const below = box.bottom + 6 + element.offsetHeight < innerHeight;
  element.style.top = `${below ? box.bottom + 6 : Math.max(8, box.top - 6 - element.offsetHeight)}px`;
  anchor.setAttribute('aria-expanded', 'true');
  const closeOutside = event => { if (!element.contains(event.target)) close(false); };
  setTimeout(() => addEventListener('pointerdown', closeOutside, { signal: abort.signal }));
  (items.find(item => item.getAttribute('aria-checked') === 'true') ?? items[0])?.focus();
  open = { close };
}

/** Opens the list of keyboard shortcuts. */
export function help() {
  const keys = [
    [[t('keySpace'), 'K'], 'keyPlay'], [['J', 'L'], 'keySeek'], [['P', 'N'], 'keyTitle'], [['−', '+'], 'keyVolume'],
    [['M'], 'keyMute'], [['F'], 'keyFull'], [['I'], 'keyPip'], [['B'], 'keySound'], [['C'], 'keySubtitles'],
    [['<', '>'], 'keySpeed'], [['0', '…', '9'], 'keyJump'],
    [['Q'], 'keyQueue'], [['/'], 'keySearch'], [[t('keyArrows')], 'keyGrid'], [['?'], 'keyHelp'],
    [[t('keyEscape')], 'keyClose'],
  ];
  dialog(t('help'), t('close'), 'help', h('dl', {}, keys.map(([names, does]) => h('div', {},
    h('dt', {}, names.map(name => h('kbd', {}, name))), h('dd', {}, t(does))))));
}

/** Opens the dialog with the address for other devices and its QR code, if the server draws one. */
export function devices(anchor) {
  const root = new URL('.', document.baseURI);
  const known = anchor.dataset.address, isHere = /^(localhost|127\.|\[::1\])/.test(root.hostname);
  const address = isHere ? known && new URL(root.pathname, known).href : root.href;
  const code = h('img', { className: 'code', alt: t('qrCode'), src: 'qr.svg', hidden: true, width: 220, height: 220 });
  const hint = h('p', { className: 'quiet', hidden: true }, t('devicesCode'));
  code.addEventListener('load', () => { code.hidden = hint.hidden = false; });
  const copy = navigator.clipboard && address && h('button', {
    type: 'button', className: 'word', onclick: () => navigator.clipboard.writeText(address).then(() => note(t('copied'))),
  }, t('copy'));
  dialog(t('devices'), t('close'), 'devices', ...(address
    ? [h('p', {}, t('devicesType')), h('p', {}, h('code', {}, address)), code, hint, copy].filter(Boolean)
    : [h('p', {}, t('devicesUnknown'))]));
}

// MARK: Light and dark

const themes = ['system', 'light', 'dark'];

export function applyTheme() {
  const theme = store.get('theme', 'system');
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(anchor) {
  const chosen = store.get('theme', 'system'), names = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' };
  menu(anchor, t('theme'), themes.map(theme => ({
    label: t(names[theme]), isChosen: theme === chosen, do: () => { store.set('theme', theme); applyTheme(); },
  })));
}
