// A title in playback: its playlists and the selected tracks.

import * as hls from './hls.js';
import * as mp4 from './mp4.js';

const unsupported = () => Object.assign(new Error('codec'), { isUnsupported: true });

const isPlayable = picture => MediaSource.isTypeSupported(`video/mp4; codecs="${picture.codec}"`);

/** Returns the contents of a multivariant playlist, without the video variants that the browser cannot play. */
export async function choices(downloads, url) {
  const found = hls.multivariant(await downloads.text(url), url), pictures = found.pictures.filter(isPlayable);
  if (found.pictures.length && !pictures.length) throw unsupported();
  return { ...found, pictures };
}

/** Loads a selected track, `sound` or `picture`: its playlist and the values that a source buffer needs. */
export async function part(downloads, kind, choice) {
  const playlist = hls.media(await downloads.text(choice.url), choice.url);
  const init = await downloads.get(playlist.init, 'other');
  const track = mp4.track(init);
  const mime = kind === 'sound' ? `audio/mp4; codecs="${track.codec}"` : `video/mp4; codecs="${choice.codec}"`;
  if (!MediaSource.isTypeSupported(mime)) throw unsupported();
  return { choice, playlist, init, track, mime };
}

/** Loads an item as an entry that begins at a time of the element, in seconds. */
export async function entry(downloads, url, item, begin, language) {
  const found = await choices(downloads, url);
  const { sounds } = found;
  const sound = sounds.find(one => one.language === language) ?? sounds.find(one => one.isDefault) ?? sounds[0];
  const load = (kind, choice) => (choice ? part(downloads, kind, choice) : null);
  const [heard, seen] = await Promise.all([load('sound', sound), load('picture', found.pictures[0])]);
  const duration = (heard ?? seen)?.playlist.duration ?? 0;
  if (!(duration > 0)) throw new Error('empty');
  return { item, begin, duration, choices: found, sound: heard, picture: seen };
}
