// Elements of the page: creation, icons, buttons, messages, dialogs, and stored settings.

/** Creates an element with properties, listeners (`onclick`), `data-…` and `aria-…` attributes, and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes('-') && name !== 'list') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

const space = 'http://www.w3.org/2000/svg';

/** Creates one of the page's icons. */
export function icon(name) {
  const svg = document.createElementNS(space, 'svg'), use = document.createElementNS(space, 'use');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Creates a button with an icon and an accessible label. */
export function button(name, label, action, properties = {}) {
  const own = { type: 'button', className: 'tool', 'aria-label': label, title: label, onclick: action };
  return h('button', { ...own, ...properties }, icon(name));
}

/** Changes the icon and label of a button. */
export function rename(element, name, label) {
  element.querySelector('use').setAttribute('href', `#i-${name}`);
  element.setAttribute('aria-label', label);
  element.title = label;
}

const said = document.getElementById('said');

/** Announces a text to screen readers. */
export function say(text) {
  said.textContent = '';
  requestAnimationFrame(() => { said.textContent = text; });
}

/** Shows a message that disappears after some seconds, with a button if an action is given. */
export function note(text, action) {
  document.querySelector('.note')?.remove();
  const act = () => {
    element.remove();
    action.do();
  };
  const element = h('div', { className: 'note', role: 'status' }, h('span', {}, text),
    action && h('button', { type: 'button', className: 'word', onclick: act }, action.label));
  document.body.append(element);
  setTimeout(() => element.remove(), 6000);
}

/** Opens a dialog that traps the focus and returns it on closing. */
export function dialog(title, close, className, ...content) {
  const before = document.activeElement;
  const head = h('h2', { id: 'dialog-title' }, title);
  const element = h('dialog', { className, 'aria-labelledby': 'dialog-title' },
    h('div', { className: 'dialog-head' }, head, button('close', close, () => element.close())), ...content);
  element.addEventListener('click', event => { if (event.target === element) element.close(); });
  element.addEventListener('close', () => { element.remove(); before?.focus?.(); });
  document.body.append(element);
  element.showModal();
  return element;
}

export const store = {
  get(key, fallback) {
    try { return JSON.parse(localStorage.getItem(`segue.${key}`)) ?? fallback; } catch { return fallback; }
  },
  set(key, value) {
    try { localStorage.setItem(`segue.${key}`, JSON.stringify(value)); } catch { /* Without storage the value is lost. */ }
  },
};
