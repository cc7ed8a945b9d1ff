// The boxes of fragmented MP4 that the player reads or writes.

const four = (view, at) => String.fromCharCode(...[0, 1, 2, 3].map(index => view.getUint8(at + index)));

/** Yields the boxes between two offsets as `[type, start of content, end, start]`. */
function* boxes(view, from, to) {
  while (from + 8 <= to) {
    let [size, head] = [view.getUint32(from), 8];
    if (size === 1 && from + 16 <= to) [size, head] = [Number(view.getBigUint64(from + 8)), 16];
    if (size < head || from + size > to) return;
    yield [four(view, from + 4), from + head, from + size, from];
    from += size;
  }
}

/** Returns the first box at a path of types; null if there is none. */
function find(view, path, from = 0, to = view.byteLength) {
  for (const [type, begin, end, start] of boxes(view, from, to)) {
    if (type === path[0]) return path.length === 1 ? { begin, end, start } : find(view, path.slice(1), begin, end);
  }
  return null;
}

/** Reads the only track of an init segment: ticks per second, ID, and the codec as in `CODECS`. */
export function track(bytes) {
  const view = new DataView(bytes);
  const header = find(view, ['moov', 'trak', 'mdia', 'mdhd']), head = find(view, ['moov', 'trak', 'tkhd']);
  const description = find(view, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']);
  if (!header || !head || !description) return null;
  const isLong = view.getUint8(header.begin) === 1;
  const [[kind, entry, entryEnd]] = boxes(view, description.begin + 8, description.end);
  return {
    timescale: view.getUint32(header.begin + (isLong ? 20 : 12)),
    number: view.getUint32(head.begin + (view.getUint8(head.begin) === 1 ? 20 : 12)),
    codec: codec(view, kind, entry, entryEnd),
  };
}

function codec(view, kind, entry, end) {
  const hex = number => number.toString(16).padStart(2, '0').toUpperCase();
  if (kind === 'mp4a') {
    const descriptor = find(view, ['esds'], entry + 28, end);
    // The object type follows the tag and length of a decoder configuration (ISO 14496-1, 7.2.6.6).
    for (let at = descriptor?.begin ?? end; at + 5 < end; at += 1) {
      if (view.getUint8(at) !== 4) continue;
      let next = at + 1;
      while (view.getUint8(next) & 128) next += 1;
      const object = view.getUint8(next + 1);
      if (object === 0x40) return 'mp4a.40.2';
      if (object === 0x6b || object === 0x69) return 'mp4a.6b';
    }
    return 'mp4a.40.2';
  }
  if (kind === 'avc1' || kind === 'avc3') {
    const record = find(view, ['avcC'], entry + 78, end);
    if (record) return kind + '.' + [1, 2, 3].map(index => hex(view.getUint8(record.begin + index))).join('');
  }
  return { Opus: 'opus', fLaC: 'flac' }[kind] ?? kind;
}

/** Reads the start of a fragment in ticks, and its first frame, which is a keyframe. */
export function opening(bytes) {
  const view = new DataView(bytes);
  const movie = find(view, ['moof']), time = find(view, ['moof', 'traf', 'tfdt']);
  const run = find(view, ['moof', 'traf', 'trun']);
  const header = find(view, ['moof', 'traf', 'tfhd']);
  if (!movie || !time || !run || !header) return null;
  const isLong = view.getUint8(time.begin) === 1;
  const begin = isLong ? Number(view.getBigUint64(time.begin + 4)) : view.getUint32(time.begin + 4);
  const flags = view.getUint32(run.begin) & 0xffffff;
  let at = run.begin + 8, offset = 0;
  if (flags & 1) [offset, at] = [view.getInt32(at), at + 4];
  if (flags & 4) at += 4;
  if (flags & 0x100) at += 4;
  if (!(flags & 0x200)) return { begin, picture: null };
  const size = view.getUint32(at), from = movie.start + offset;
  return { begin, picture: from + size <= bytes.byteLength ? bytes.slice(from, from + size) : null };
}

/**
 * Makes a fragment that repeats one frame.
 *
 * It keeps a media element playing while its video is not loaded; otherwise the audio would wait.
 */
export function still(picture, { number, timescale }, from, step, count) {
  const ticks = Math.max(1, Math.round(step * timescale)), one = picture.byteLength;
  const head = 8 + 16 + (8 + 16 + 20 + (8 + 12 + 12 * count));
  const bytes = new Uint8Array(head + 8 + one * count), view = new DataView(bytes.buffer);
  let at = 0;
  const word = value => { view.setUint32(at, value); at += 4; };
  const box = (type, size) => { word(size); for (const letter of type) bytes[at++] = letter.charCodeAt(0); };
  box('moof', head);
  box('mfhd', 16); word(0); word(1);
  box('traf', head - 24);
  box('tfhd', 16); word(0x020000); word(number);
  box('tfdt', 20); word(0x01000000); view.setBigUint64(at, BigInt(Math.max(0, Math.round(from * timescale)))); at += 8;
  box('trun', 20 + 12 * count); word(0x000701); word(count); word(head + 8);
  for (let index = 0; index < count; index += 1) { word(ticks); word(one); word(0x02000000); }
  box('mdat', 8 + one * count);
  for (let index = 0; index < count; index += 1, at += one) bytes.set(new Uint8Array(picture), at);
  return bytes.buffer;
}
