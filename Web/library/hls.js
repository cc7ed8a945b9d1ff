// Reads HLS playlists as this server writes them.

/** Returns the attributes of a tag, without quotes. */
export function attributes(text) {
  const found = {};
  for (const [, name, quoted, plain] of text.matchAll(/([A-Z0-9-]+)=(?:"([^"]*)"|([^,]*))/g)) {
    found[name] = quoted ?? plain;
  }
  return found;
}

const isPictureCodec = codec => /^(avc|hvc|hev|av01|vp0|dvh|dav)/.test(codec);

/** Reads a multivariant playlist: video variants by size, audio tracks, and subtitle tracks. */
export function multivariant(text, base) {
  const lines = text.split('\n').map(line => line.trim());
  const found = { pictures: [], sounds: [], subtitles: [] };
  lines.forEach((line, index) => {
    if (line.startsWith('#EXT-X-MEDIA:')) {
      const media = attributes(line);
      const track = {
        id: media.URI, name: media.NAME ?? '', language: media.LANGUAGE ?? 'und', isDefault: media.DEFAULT === 'YES',
        url: media.URI && new URL(media.URI, base).href,
      };
      const isNew = track.url && !found.sounds.some(other => other.url === track.url);
      if (media.TYPE === 'AUDIO' && isNew) found.sounds.push(track);
      if (media.TYPE === 'SUBTITLES' && track.url) found.subtitles.push(track);
    } else if (line.startsWith('#EXT-X-STREAM-INF:')) {
      const variant = attributes(line), uri = lines.slice(index + 1).find(next => next && !next.startsWith('#'));
      const codecs = (variant.CODECS ?? '').split(',').map(codec => codec.trim());
      const [width, height] = (variant.RESOLUTION ?? '').split('x').map(Number);
      const rate = Number(variant['AVERAGE-BANDWIDTH'] ?? variant.BANDWIDTH ?? 0);
      found.pictures.push({
        url: new URL(uri, base).href, rate, width, height, codec: codecs.find(isPictureCodec),
        hasOwnSound: !variant.AUDIO,
      });
    }
  });
  // A variant without video is an audio track.
  for (const alone of found.pictures.filter(variant => !variant.codec)) {
    const { url } = alone;
    if (!found.sounds.length) found.sounds.push({ id: url, name: '', language: 'und', isDefault: true, url });
  }
  found.pictures = found.pictures.filter(variant => variant.codec);
  return found;
}

/** Reads a media playlist: the init segment and the segments with their times in seconds. */
export function media(text, base) {
  const found = { init: null, segments: [], duration: 0 };
  let length = 0;
  for (const line of text.split('\n').map(line => line.trim())) {
    if (line.startsWith('#EXT-X-MAP:')) found.init = new URL(attributes(line).URI, base).href;
    else if (line.startsWith('#EXTINF:')) length = parseFloat(line.slice(8)) || 0;
    else if (line && !line.startsWith('#')) {
      found.segments.push({ url: new URL(line, base).href, start: found.duration, duration: length });
      found.duration += length;
    }
  }
  return found;
}

/** Returns the index of the segment at a time; the last one for times after the end. */
export function segmentAt(playlist, seconds) {
  const { segments } = playlist;
  let [low, high] = [0, segments.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (segments[middle].start <= seconds + 1e-4) low = middle; else high = middle - 1;
  }
  return low;
}

/** Reads the cues of a WebVTT segment; their times are the item's. */
export function cues(text) {
  const clock = words => words.trim().split(':').reduce((sum, part) => sum * 60 + parseFloat(part), 0);
  const found = [];
  for (const block of text.replaceAll('\r', '').split(/\n\n+/)) {
    const lines = block.split('\n'), index = lines.findIndex(line => line.includes('-->'));
    if (index < 0) continue;
    const [from, rest] = lines[index].split('-->'), [to] = rest.trim().split(/\s+/);
    const [start, end] = [clock(from), clock(to)];
    if (Number.isFinite(start) && end > start) found.push({ start, end, text: lines.slice(index + 1).join('\n') });
  }
  return found;
}
