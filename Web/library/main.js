// Turns the list into a player.

import { applyTheme, chooseTheme, devices, help } from './menus.js';
import { Player } from './player.js';
import { PlayerView } from './playerview.js';
import { Views } from './views.js';
import { listen } from './keyboard.js';
import * as shelf from './shelf.js';
import * as resume from './resume.js';
import { h } from './dom.js';

applyTheme();
document.documentElement.classList.add('is-scripted');

const find = id => document.getElementById(id);
const video = h('video', { id: 'video', preload: 'auto', tabIndex: -1 });
const player = new Player(video);
const view = new PlayerView(find('player'), player, video);
const views = new Views(find('list'), find('kinds'), player);
listen(player, view);

find('theme').addEventListener('click', event => chooseTheme(event.currentTarget));
find('help').addEventListener('click', help);
find('devices').addEventListener('click', event => devices(event.currentTarget));
find('language').addEventListener('change', event => {
  const { pathname } = new URL('.', document.baseURI);
  document.cookie = `language=${event.target.value}; path=${pathname}; max-age=31536000; samesite=lax`;
  const address = new URL(location.href);
  address.searchParams.delete('language');
  if (address.href === location.href) location.reload(); else location.replace(address);
});
document.querySelector('.skip').addEventListener('click', event => { event.preventDefault(); find('list').focus(); });
for (const part of document.querySelectorAll('.scripted')) part.classList.remove('scripted');

// After a logout no request may carry the old credentials: the response would be the browser's password prompt.
document.querySelector('.visitor')?.addEventListener('submit', () => {
  player.save();
  resume.end();
  player.engine.stop();
});

// Searches during typing.
const form = find('search'), field = form.querySelector('input[type=search]');
let typing = 0;
form.addEventListener('submit', event => { event.preventDefault(); search(); });
field.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(search, 150); });
function search() {
  clearTimeout(typing);
  const text = field.value.trim(), address = text ? `#/search?${new URLSearchParams({ q: text })}` : '#/';
  if (location.hash === address) return;
  const isSearching = location.hash.startsWith('#/search');
  if (isSearching) history.replaceState(null, '', address); else history.pushState(null, '', address);
  views.show();
}
addEventListener('hashchange', () => { if (!location.hash.startsWith('#/search')) field.value = ''; });

await resume.refresh();
const asked = new URLSearchParams(location.search);
if (asked.get('q') && !location.hash) location.hash = `#/search?${new URLSearchParams({ q: asked.get('q') })}`;
const linked = /^#[a-z0-9]{6,}$/.test(location.hash) && location.hash.slice(1);
if (linked) history.replaceState(null, '', '#/');
await views.begin();
if (linked) shelf.item(linked).then(item => player.playAll([item])).catch(() => {});

globalThis.segue = { player, view, views };
