// The state of the player.
({position: segue.player.position, duration: segue.player.duration, width: video.videoWidth,
  paused: video.paused, problem: segue.player.problem && String(segue.player.problem),
  title: document.querySelector('#player .name b').textContent, isVideoWanted: segue.player.engine.isVideoWanted,
  sound: segue.player.engine.ledger.sound, picture: segue.player.engine.ledger.picture})
