'use strict';
const SPAN = 60, STEP = 500, QUICK = ['lan', 'wifi', 'lte', '4g', '3g', '3g-lossy', 'edge', 'train', 'very-bad'];
const FAULTS = [
  ['Next request 503', { status: 503, count: 1 }],
  ['Segments 404', { kind: 'segment', status: 404 }],
  ['Reset after 20 kB', { reset: '20000 bytes', count: 1 }],
  ['Cut off after 20 kB', { truncate: '20000 bytes', count: 1 }],
  ['Stall 10 s', { stall: '10 s', after: '20000 bytes', count: 1 }],
  ['Corrupt 3 bytes', { corrupt: '3 bytes', after: '5000 bytes', count: 1 }],
  ['Wrong length', { 'wrong-length': '+1000 bytes', count: 1 }],
];
const find = id => document.getElementById(id), cards = new Map();
let networks = [];

const bits = value => value >= 1e9 ? (value / 1e9).toFixed(2) + ' Gbit/s' : value >= 1e6 ? (value / 1e6).toFixed(1) + ' Mbit/s'
  : (value / 1e3).toFixed(value && value < 1e4 ? 1 : 0) + ' kbit/s';
const time = value => value >= 1 ? value.toFixed(1) + ' s' : (value * 1e3).toFixed(value && value < 0.01 ? 1 : 0) + ' ms';
const size = value => value >= 1e6 ? (value / 1e6).toFixed(1) + ' MB' : (value / 1e3).toFixed(1) + ' kB';

async function ask(method, path, body) {
  const answer = await fetch(path, { method, body: body === undefined ? undefined : JSON.stringify(body) });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error.message);
  return found;
}
const send = (...request) => ask(...request).then(look, problem => { find('state').textContent = problem.message; });

function button(text, act) {
  const made = document.createElement('button');
  made.textContent = text;
  made.addEventListener('click', act);
  return made;
}

function card(link) {
  const view = find('card').content.cloneNode(true).firstElementChild, path = 'api/links/' + encodeURIComponent(link.name);
  const become = network => send('PUT', path, { network });
  view.querySelector('h2').textContent = link.name;
  for (const name of QUICK.filter(name => networks.includes(name))) {
    const made = button(name, () => become(name));
    made.dataset.network = name;
    view.querySelector('.networks').append(made);
  }
  const others = view.querySelector('select');
  others.append(new Option('all networks…', ''), ...networks.map(name => new Option(name)));
  others.addEventListener('change', () => { if (others.value) become(others.value); others.value = ''; });
  for (const [text, fault] of FAULTS) view.querySelector('.faults').append(button(text, () => send('POST', path + '/faults', fault)));
  view.querySelector('.cut').addEventListener('click', () => send('POST', path + '/disconnect'));
  find('links').append(view);
  return { view, path, past: [] };
}

function chart(canvas, series, unit, floor) {
  const scale = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight, pen = canvas.getContext('2d');
  canvas.width = width * scale;
  canvas.height = height * scale;
  pen.scale(scale, scale);
  const style = getComputedStyle(document.documentElement), colour = name => style.getPropertyValue(name).trim();
  const most = Math.max(floor, ...series.flatMap(one => one.points.map(point => point.value))) * 1.12;
  const now = performance.now(), bottom = height - 16, top = 6;
  const x = at => width - (now - at) / 1000 / SPAN * width, y = value => bottom - value / most * (bottom - top);
  pen.font = '11px system-ui, "DejaVu Sans", sans-serif';
  pen.fillStyle = colour('--soft');
  pen.strokeStyle = colour('--line');
  pen.lineWidth = 1;
  for (const part of [0, 0.5, 1]) {
    const level = Math.round(y(most / 1.12 * part)) + 0.5;
    pen.beginPath(); pen.moveTo(0, level); pen.lineTo(width, level); pen.stroke();
    if (part) pen.fillText(unit(most / 1.12 * part), 3, level - 3);
  }
  for (const seconds of [60, 40, 20]) pen.fillText('−' + seconds + ' s', Math.max(2, x(now - seconds * 1000) - 14), height - 3);
  pen.fillText('now', width - 24, height - 3);
  pen.lineWidth = 2;
  pen.lineJoin = 'round';
  for (const { points, name } of series) {
    if (points.length < 2) continue;
    pen.strokeStyle = pen.fillStyle = colour(name);
    pen.beginPath();
    points.forEach((point, index) => index ? pen.lineTo(x(point.at), y(point.value)) : pen.moveTo(x(point.at), y(point.value)));
    pen.stroke();
    pen.lineTo(x(points[points.length - 1].at), bottom); pen.lineTo(x(points[0].at), bottom);
    pen.globalAlpha = 0.12; pen.fill(); pen.globalAlpha = 1;
  }
}

function show(link, shown) {
  const { view, past, path } = shown, now = performance.now(), last = past[past.length - 1];
  const seconds = last ? (now - last.at) / 1000 : 1;
  const rate = way => last ? Math.max(0, link[way].deliveredBytes - last[way].bytes) * 8 / seconds : 0;
  const note = way => ({ bytes: link[way].deliveredBytes, rate: rate(way), wait: link[way].queueSeconds, queue: link[way].queuedBytes });
  past.push({ at: now, down: note('down'), up: note('up') });
  while (past.length > 2 && now - past[1].at > SPAN * 1000) past.shift();
  const latest = past[past.length - 1];
  const draw = (what, unit, floor, name) => {
    const series = ['down', 'up'].map(way => ({ name: '--' + way, points: past.map(point => ({ at: point.at, value: point[way][what] })) }));
    chart(view.querySelector('.c-' + name), series, unit, floor);
    view.querySelector('.now.' + name).textContent = unit(latest.down[what]) + ' / ' + unit(latest.up[what]);
  };
  draw('rate', bits, 1e4, 'throughput');
  draw('wait', time, 0.02, 'wait');
  draw('queue', size, 3000, 'queue');
  const numbers = way => (link[way].rate === null || link[way].rate === undefined ? 'no limit' : bits(link[way].rate)) + ', ' + time(link[way].delaySeconds);
  view.querySelector('.about').textContent = link.network + ': ' + numbers('down') + ' down; ' + numbers('up') + ' up';
  view.querySelector('.routes').textContent = link.routes.map(route => route.listen + ' → ' + route.to).join('  ');
  const lost = link.down.lostPackets + link.up.lostPackets, dropped = link.down.droppedPackets + link.up.droppedPackets;
  view.querySelector('.facts').textContent = `${link.connections.open} of ${link.connections.total} connections open, ` +
    `${size(link.down.deliveredBytes)} down, ${size(link.up.deliveredBytes)} up, ${lost} packets lost, ${dropped} dropped, ` +
    `${link.faultedRequests} requests faulted, 99 % delivered within ${time(link.lateness.percentile99)}`;
  for (const made of view.querySelectorAll('.networks button')) made.classList.toggle('on', made.dataset.network === link.network);
  const active = view.querySelector('.active'), words = JSON.stringify(link.faults);
  if (active.dataset.words === words) return;
  active.dataset.words = words;
  active.replaceChildren(...link.faults.map((fault, index) => {
    const line = document.createElement('li');
    line.append(fault, button('remove', () => send('DELETE', path + '/faults/' + index)));
    return line;
  }));
}

async function look() {
  try {
    const { links } = await ask('GET', 'api/links');
    find('state').textContent = links.length === 1 ? '' : links.length + ' links';
    for (const link of links) {
      if (!cards.has(link.name)) cards.set(link.name, card(link));
      show(link, cards.get(link.name));
    }
    for (const [name, { view }] of cards) if (!links.some(link => link.name === name)) { view.remove(); cards.delete(name); }
  } catch { find('state').textContent = 'The proxy does not answer.'; }
}

find('reset').addEventListener('click', () => send('POST', 'api/reset'));
ask('GET', 'api/networks').then(found => { networks = found.networks.map(network => network.name); }).finally(() => {
  look();
  window.setInterval(look, STEP);
});
