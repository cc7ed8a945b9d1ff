// Resolves when nothing in the page moves or loads.
(async () => {
  const seen = one => { const { top, bottom } = one.getBoundingClientRect(); return bottom > 0 && top < innerHeight; };
  await Promise.all([...document.images].filter(one => one.checkVisibility() && seen(one)).map(one => one.decode().catch(() => {})));
  await Promise.all(document.getAnimations().filter(one => one.effect.getTiming().iterations < 9).map(one => one.finished.catch(() => {})));
  if (document.visibilityState === 'visible') await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
})()
