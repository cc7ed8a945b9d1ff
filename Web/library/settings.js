// The dialog with the tracks, speed, and quality.

import { h, button, say, note } from './dom.js';
import { t, number, decimal, languageName } from './words.js';

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

const report = error => note(t('failed', { reason: error.message }));

function choices(name, label, options, chosen, choose) {
  return h('fieldset', {}, h('legend', {}, label), options.map(([text, value]) => h('label', {},
    h('input', { type: 'radio', name, checked: value === chosen, onchange: () => choose(value) }), h('span', {}, text))));
}

function sounds(engine) {
  const name = (one, index) => one.name || (one.language !== 'und' && languageName(one.language))
    || t('soundTrack', { number: index + 1 });
  const choose = url => engine.chooseSound(engine.sounds.find(one => one.url === url)).catch(report);
  const options = engine.sounds.map((one, index) => [name(one, index), one.url]);
  return choices('sound', t('sound'), options, engine.chosenSound?.url, choose);
}

function subtitles(player) {
  const tracks = player.engine.subtitles;
  const options = [[t('subtitlesOff'), null], ...tracks.map(one => [one.name || languageName(one.language), one.url])];
  const choose = url => player.chooseSubtitles(tracks.find(one => one.url === url));
  return choices('subtitles', t('subtitles'), options, player.subtitle?.url ?? null, choose);
}

function speeds(player) {
  const options = SPEEDS.map(speed => [`${decimal(speed)}×`, speed]);
  return choices('speed', t('speed'), options, player.settings.speed, speed => player.set('speed', speed));
}

function qualities(player) {
  const { engine } = player, entry = engine.current, original = entry.original ??= entry.picture.choice;
  const write = one => `${one.height}p · ${number(Math.round(one.rate / 1000))} kbit/s`;
  const text = one => one === original ? `${t('qualityOriginal')} (${write(one)})` : write(one);
  const choose = one => {
    engine.choosePicture(one, entry).catch(report);
    player.pictureRate = one.rate * 0.9;
  };
  const draw = list => {
    const options = list.map(one => [text(one), one.url]), chosen = entry.picture.choice.url;
    return choices('quality', t('quality'), options, chosen, url => choose(list.find(one => one.url === url)));
  };
  const field = draw(entry.ladder ?? [original]);
  if (entry.ladder) return field;
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
      report(error);
    }
  });
  field.append(others);
  return field;
}

function background(player) {
  const change = event => player.set('leavesPicture', event.target.checked);
  return h('label', { className: 'check' },
    h('input', { type: 'checkbox', checked: player.settings.leavesPicture, onchange: change }),
    h('span', {}, t('background')));
}

/** Opens the dialog in the player's section; `opener` receives the focus when it closes. */
export function openSettings(section, player, opener) {
  const { engine } = player, dialog = h('dialog', { className: 'settings', 'aria-label': t('settings') });
  const close = () => dialog.close();
  dialog.append(...[
    h('div', { className: 'dialog-head' }, h('h2', {}, t('settings')), button('close', t('close'), close)),
    engine.sounds.length > 1 && sounds(engine), engine.subtitles.length && subtitles(player), speeds(player),
    engine.current?.picture && engine.choosePicture && qualities(player), background(player),
  ].filter(Boolean));
  dialog.addEventListener('click', event => { if (event.target === dialog) close(); });
  dialog.addEventListener('close', () => {
    dialog.remove();
    opener.focus();
  });
  section.append(dialog);
  dialog.showModal();
}
