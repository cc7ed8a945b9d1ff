// The media keys and the lock screen.

const session = navigator.mediaSession;

/** Makes media keys act on a player. */
export function listenToMediaKeys(player) {
  if (!session) return;
  const actions = {
    play: () => player.video.play(), pause: () => player.video.pause(), stop: () => player.video.pause(),
    nexttrack: () => player.nextTitle(), previoustrack: () => player.previousTitle(),
    seekbackward: details => player.skip(-(details.seekOffset ?? 10)),
    seekforward: details => player.skip(details.seekOffset ?? 10), seekto: details => player.seek(details.seekTime),
  };
  for (const [name, action] of Object.entries(actions)) {
    try { session.setActionHandler(name, action); } catch { /* The browser does not support the action. */ }
  }
}

/** Shows a title, with the address of its artwork or null. */
export function showTitle(item, art) {
  if (!session) return;
  const image = size => ({
    src: new URL(art.replace(/width=\d+/, `width=${size}`), document.baseURI).href,
    sizes: `${size}x${size}`, type: 'image/jpeg',
  });
  session.metadata = new MediaMetadata({
    title: item.title, artist: item.artist ?? item.series ?? '', album: item.album ?? '',
    artwork: art ? [96, 256, 512].map(image) : [],
  });
}

export function showPlaying(isPlaying) {
  if (session) session.playbackState = isPlaying ? 'playing' : 'paused';
}

export function showPosition(position, duration, rate) {
  if (!session?.setPositionState || !(duration > 0)) return;
  session.setPositionState({ duration, position: Math.min(position, duration), playbackRate: rate || 1 });
}
