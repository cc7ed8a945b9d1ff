// The page's words, and the formats of numbers and times in its language.

import { version } from './place.js';

export const language = document.documentElement.lang || 'en';

const texts = await (await fetch(`page/${version}/words/${language}.json`)).json();
const plurals = new Intl.PluralRules(language);
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' });

/** Returns a text with values in its placeholders. */
export function t(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (place, name) => name in values ? values[name] : place);
}

/** Returns a text about a number in the plural form of the number. */
export function count(key, number, values = {}) {
  const form = `${key}.${plurals.select(number)}`;
  return t(form in texts ? form : `${key}.other`, { ...values, count: whole.format(number) });
}

/** Formats a time: `3:05`, `1:02:03`. */
export function clock(seconds) {
  const all = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const pair = number => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  return hours ? `${hours}:${pair(minutes)}:${pair(all % 60)}` : `${minutes}:${pair(all % 60)}`;
}

/** Formats a duration: `1 hr 30 min`. */
export function length(seconds) {
  const write = (value, unit) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const all = Math.round(seconds / 60), [hours, minutes] = [Math.floor(all / 60), all % 60];
  if (all < 1) return write(Math.round(seconds), 'second');
  return [hours && write(hours, 'hour'), minutes && write(minutes, 'minute')].filter(Boolean).join(' ');
}

/** Formats a size: `3.2 MB`. */
export function bytes(number) {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  let index = 0, value = Math.max(0, number);
  while (value >= 1000 && index < 3) [value, index] = [value / 1000, index + 1];
  const maximumFractionDigits = value < 100 && index > 1 ? 1 : 0;
  return new Intl.NumberFormat(language, { style: 'unit', unit: units[index], maximumFractionDigits }).format(value);
}

export const number = value => whole.format(value);
export const decimal = value => fine.format(value);

/** Returns the name of a language, or the tag itself if it is not a language. */
export function languageName(tag) {
  try { return names.of(tag); } catch { return tag; }
}
