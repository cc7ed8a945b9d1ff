// The contents of the page, for the report of a timeout.
({ address: location.href, focus: document.activeElement?.outerHTML.slice(0, 120), note: document.querySelector('.note')?.textContent,
  player: globalThis.segue && { title: segue.player.current?.title, position: segue.player.position, problem: segue.player.problem && String(segue.player.problem),
    paused: video.paused, ready: video.readyState, source: video.src, queue: segue.player.queue.items.length } })
