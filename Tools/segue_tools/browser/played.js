// Resolves to an expression when the player has advanced 1.5 s from a position, or has failed permanently.
new Promise(resolve => {
  const from = %s;
  const look = () => { if (segue.player.problem || (segue.player.position > from + 1.5 && !video.seeking)) { done(); } };
  const done = () => { segue.player.removeEventListener('timeupdate', look); resolve(%s); };
  for (const name of ['timeupdate', 'failed']) segue.player.addEventListener(name, look);
  look();
})
