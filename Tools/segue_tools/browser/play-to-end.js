// Plays a URL until it ends, fails, or times out; returns the result.
new Promise(resolve => {
  const video = document.createElement('video');
  const tell = what => resolve({what, position: video.currentTime, width: video.videoWidth,
    message: video.error && video.error.message});
  for (const what of ['ended', 'error']) { video.addEventListener(what, () => tell(what)); }
  video.addEventListener('loadedmetadata', () => { video.playbackRate = 4; });
  setTimeout(() => tell('timeout'), %d);
  document.body.append(video);
  video.src = %s;
  video.play().catch(error => { if (!video.error) { tell('play: ' + error.message); } });
})
