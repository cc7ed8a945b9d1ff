'use strict';
// Requests the state of the links twice a second, displays it, and sends the user's changes.

const INTERVAL = 500;
const SHORTCUTS = ['lan', 'wifi', 'lte', '4g', '3g', '3g-lossy', 'edge', 'train', 'very-bad'];
const FAULTS = [
  ['Next request 503', { status: 503, count: 1 }],
  ['Segments 404', { kind: 'segment', status: 404 }],
  ['Reset after 20 kB', { reset: '20000 bytes', count: 1 }],
  ['Truncate after 20 kB', { truncate: '20000 bytes', count: 1 }],
  ['Stall 10 s', { stall: '10 s', after: '20000 bytes', count: 1 }],
  ['Corrupt 3 bytes', { corrupt: '3 bytes', after: '5000 bytes', count: 1 }],
  ['Wrong length', { 'wrong-length': '+1000 bytes', count: 1 }],
];
const find = id => document.getElementById(id), cards = new Map();
let networks = [];

const bits = value => {
  if (value >= 1e9) return (value / 1e9).toFixed(2) + ' Gbit/s';
  return value >= 1e6 ? (value / 1e6).toFixed(1) + ' Mbit/s'
    : (value / 1e3).toFixed(value && value < 1e4 ? 1 : 0) + ' kbit/s';
};
const time = value =>
  value >= 1 ? value.toFixed(1) + ' s' : (value * 1e3).toFixed(value && value < 0.01 ? 1 : 0) + ' ms';
const size = value => value >= 1e6 ? (value / 1e6).toFixed(1) + ' MB' : (value / 1e3).toFixed(1) + ' kB';

async function request(method, path, body) {
  const response = await fetch(path, { method, body: body === undefined ? undefined : JSON.stringify(body) });
  const found = await response.json();
  if (!response.ok) throw new Error(found.error.message);
  return found;
}

async function send(method, path, body) {
  try {
    await request(method, path, body);
  } catch (error) {
    find('state').textContent = error.message;
    return;
  }
  await refresh();
}

function button(text, action) {
  const element = document.createElement('button');
  element.textContent = text;
  element.addEventListener('click', action);
  return element;
}

function addCard(link) {
  const view = find('card').content.cloneNode(true).firstElementChild;
  const path = 'api/links/' + encodeURIComponent(link.name);
  const setNetwork = network => send('PUT', path, { network });
  view.querySelector('h2').textContent = link.name;
  for (const name of SHORTCUTS.filter(name => networks.includes(name))) {
    const element = button(name, () => setNetwork(name));
    element.dataset.network = name;
    view.querySelector('.networks').append(element);
  }
  const others = view.querySelector('select');
  others.append(new Option('All networks…', ''), ...networks.map(name => new Option(name)));
  others.addEventListener('change', () => {
    if (others.value) setNetwork(others.value);
    others.value = '';
  });
  for (const [text, fault] of FAULTS) {
    view.querySelector('.faults').append(button(text, () => send('POST', path + '/faults', fault)));
  }
  view.querySelector('.cut').addEventListener('click', () => send('POST', path + '/disconnect'));
  find('links').append(view);
  return { view, path, samples: [] };
}

// Adds a sample of the link to those of the last minute.
function addSample(link, samples) {
  const now = performance.now(), last = samples[samples.length - 1];
  const seconds = last ? (now - last.at) / 1000 : 1;
  const sample = direction => {
    const { deliveredBytes: bytes, queueSeconds: wait, queuedBytes: queue } = link[direction];
    const rate = last ? Math.max(0, bytes - last[direction].bytes) * 8 / seconds : 0;
    return { bytes, rate, wait, queue };
  };
  samples.push({ at: now, down: sample('down'), up: sample('up') });
  while (samples.length > 2 && now - samples[1].at > SPAN_SECONDS * 1000) samples.shift();
}

function showCharts({ view, samples }) {
  const latest = samples[samples.length - 1];
  const show = (field, unit, floor, name) => {
    const points = direction => samples.map(sample => ({ at: sample.at, value: sample[direction][field] }));
    const series = ['down', 'up'].map(direction => ({ name: '--' + direction, points: points(direction) }));
    drawChart(view.querySelector('.c-' + name), series, unit, floor);
    view.querySelector('.now.' + name).textContent = unit(latest.down[field]) + ' / ' + unit(latest.up[field]);
  };
  show('rate', bits, 1e4, 'throughput');
  show('wait', time, 0.02, 'wait');
  show('queue', size, 3000, 'queue');
}

function showFaults(link, { view, path }) {
  const list = view.querySelector('.active'), text = JSON.stringify(link.faults);
  if (list.dataset.faults === text) return;
  list.dataset.faults = text;
  list.replaceChildren(...link.faults.map((fault, index) => {
    const line = document.createElement('li');
    line.append(fault, button('Remove', () => send('DELETE', path + '/faults/' + index)));
    return line;
  }));
}

function show(link, card) {
  const { view, samples } = card, { down, up, connections } = link;
  addSample(link, samples);
  showCharts(card);
  const limits = ({ rate, delaySeconds }) => (rate ?? null) === null
    ? 'no limit, ' + time(delaySeconds) : bits(rate) + ', ' + time(delaySeconds);
  view.querySelector('.about').textContent = `${link.network}: ${limits(down)} down; ${limits(up)} up`;
  view.querySelector('.routes').textContent = link.routes.map(route => route.listen + ' → ' + route.to).join('  ');
  view.querySelector('.facts').textContent = [
    `${connections.open} of ${connections.total} connections open`, `${size(down.deliveredBytes)} down`,
    `${size(up.deliveredBytes)} up`, `${down.lostPackets + up.lostPackets} packets lost`,
    `${down.droppedPackets + up.droppedPackets} dropped`, `${link.faultedRequests} requests with faults`,
    `99 % delivered within ${time(link.lateness.percentile99)}`,
  ].join(', ');
  for (const element of view.querySelectorAll('.networks button')) {
    element.classList.toggle('on', element.dataset.network === link.network);
  }
  showFaults(link, card);
}

async function refresh() {
  try {
    const { links } = await request('GET', 'api/links');
    find('state').textContent = links.length === 1 ? '' : links.length + ' links';
    for (const link of links) {
      if (!cards.has(link.name)) cards.set(link.name, addCard(link));
      show(link, cards.get(link.name));
    }
    for (const [name, { view }] of cards) {
      if (links.some(link => link.name === name)) continue;
      view.remove();
      cards.delete(name);
    }
  } catch { find('state').textContent = 'The proxy does not respond.'; }
}

async function begin() {
  find('reset').addEventListener('click', () => send('POST', 'api/reset'));
  try {
    networks = (await request('GET', 'api/networks')).networks.map(network => network.name);
  } finally {
    refresh();
    setInterval(refresh, INTERVAL);
  }
}
begin();
