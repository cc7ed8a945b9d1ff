// Reports the events of a media element in Segue's protocol for drivers (docs/drivers.md), and carries out commands.
// It controls the page's first media element, or the one that the page gives. It exchanges lines
//   - by the function `segueSaid`, if the page has one (chromium.py, firefox.py), and `segue.take(line)`, or
//   - by a WebSocket to the server of this script (web.py): <script src="http://127.0.0.1:PORT/page.js"></script>
//
// A page with a player of its own registers it before the first item is opened:
//   segue.use({ element, load: url => …, unload: () => … })    and, for errors that the element does not report: segue.failed(message)
// Other pages play HLS by hls.js or Shaka Player if they have one (libraries.js), or by the element itself.
"use strict";
(() => {
  // In seconds, as in playback.py; POLL_INTERVAL is in milliseconds.
  const POLL_INTERVAL = 10, STALL_TIMEOUT = 0.3, END_MARGIN = 0.5, END_STALL_TIMEOUT = 1, SEEK_TIMEOUT = 20, STATE_INTERVAL = 0.25;
  // A clock that starts may move and then wait for the sound, so its start is confirmed after this time.
  const CONFIRMATION = 0.15;
  // The interval at which a page looks for the next driver, in milliseconds.
  const RECONNECT_INTERVAL = 500;
  const HLS = "application/vnd.apple.mpegurl";
  const now = () => performance.now() / 1000;
  const script = document.currentScript;
  const library = globalThis.segueLibrary;

  let video = null, player = {}, items = [], isReady = false, hasFailed = false, wantsPlay = false, rate = 1;
  let isVideoEnabled = true, hasTrack = {sound: true, picture: true}, isStalled = false, control = "", position = 0, stateTime = 0;
  // The current seek: its target, its deadline, and whether it was started in the element, by this script.
  let seek = null;
  // The duration of the item when it became ready, in seconds; -1 if it is unknown.
  let announcedDuration = -1;
  // The last sample of the element's clock, and how much of each kind was decoded when the item or the seek began.
  let lastSample = null, decodedBefore = {sound: 0, picture: 0};
  // `start` is a start that is not confirmed yet.
  const newOutput = () => ({isActive: false, position: 0, time: 0, start: null});
  const outputs = {sound: newOutput(), picture: newOutput()};

  // Lines

  let write = () => {};
  let lastTime = 0;
  const put = line => {
    if ("t" in line) { line.t = lastTime = Math.max(lastTime, line.t); }
    write(JSON.stringify(line));
  };
  const round = seconds => Math.round(seconds * 1e6) / 1e6;
  const sendEvent = (kind, fields = {}, at = now()) => put({t: round(at), kind, ...fields});
  const name = () => items.length ? items[0].item : "";

  const setControl = (status, at) => {
    const waitingFor = status !== "waiting" ? "" : items.length ? "toMinimizeStalls" : "noItemToPlay";
    if (control === status + waitingFor) { return; }
    control = status + waitingFor;
    sendEvent("player.timeControl", {status, waitingFor}, at);
  };

  // The element's properties. If a browser does not count what it decodes, only its clock is used.

  const decoded = {
    sound: () => video.webkitAudioDecodedByteCount ?? Infinity,
    picture: () => video.getVideoPlaybackQuality?.().totalVideoFrames ?? Infinity,
  };
  // A browser without this information is assumed to have audio.
  const hasSound = () => video.audioTracks ? video.audioTracks.length > 0 : video.mozHasAudio ?? true;
  const duration = () => Number.isFinite(video.duration) && video.duration > 0 ? video.duration : -1;
  const positionAt = (output, at) => Math.max(0, output.position - Math.max(0, output.time - at) * rate);
  const isActive = kind => outputs[kind].isActive;

  /** Whether sound or pictures should come out: some of them were decoded since the item or the seek began. */
  const isExpected = kind => hasTrack[kind] && (kind === "sound" || isVideoEnabled) && decoded[kind]() > decodedBefore[kind];

  // Output

  function advanceOutputs(beginTime, beginPosition, endTime, endPosition) {
    for (const [kind, output] of Object.entries(outputs)) {
      if (!output.isActive && !isExpected(kind)) { continue; }
      if (!output.isActive) {
        output.isActive = true;
        output.start = {at: beginTime, position: beginPosition, confirmedAt: endTime + CONFIRMATION};
      } else if (output.start) {
        output.start.at = Math.max(output.start.at, endTime - (endPosition - output.start.position) / rate);
      }
      [output.position, output.time] = [endPosition, endTime];
      if (output.start && endTime >= output.start.confirmedAt) { sendStart(kind); }
    }
    position = endPosition;
  }

  function sendStart(kind) {
    const start = outputs[kind].start;
    if (!start) { return; }
    outputs[kind].start = null;
    setControl("playing", start.at);
    sendEvent(kind + ".began", {item: name(), position: round(start.position)}, start.at);
    const isConfirmed = kind => isActive(kind) && !outputs[kind].start;
    if (Object.keys(outputs).every(kind => isConfirmed(kind) || !isExpected(kind))) { isStalled = false; }
  }

  function stopOutput(kind, reason, at) {
    const output = outputs[kind];
    if (!output.isActive) { return; }
    sendStart(kind);
    const end = reason === "stall" || reason === "end" ? Math.min(at, output.time) : at;
    output.isActive = false;
    position = positionAt(output, end);
    sendEvent(kind + ".ended", {item: name(), position: round(position), reason}, end);
  }

  function stopOutputs(reason, at = now()) {
    for (const kind of Object.keys(outputs).sort((one, other) => outputs[one].time - outputs[other].time)) { stopOutput(kind, reason, at); }
    isStalled = false;
  }

  /** Makes new output count only when some of it has been decoded from now on. */
  function resetSamples() {
    lastSample = null;
    for (const kind in decoded) { resetDecoded(kind); }
  }

  function resetDecoded(kind) {
    decodedBefore[kind] = decoded[kind]() === Infinity ? 0 : decoded[kind]();
  }

  function poll() {
    if (!video) { return; }
    const at = now();
    if (items.length && !hasFailed && isReady && wantsPlay && !seek && !video.seeking) { sample(at); }
    for (const [kind, output] of Object.entries(outputs)) {
      const isNearEnd = duration() > 0 && output.position + END_MARGIN >= duration();
      if (output.isActive && at - output.time >= (isNearEnd ? END_STALL_TIMEOUT : STALL_TIMEOUT)) { stall(kind, output); }
    }
    if (seek && at > seek.deadline) { cancelSeek(); }
    if (items.length && isReady && at - stateTime >= STATE_INTERVAL && !outputs.sound.start && !outputs.picture.start) {
      stateTime = at;
      const active = Object.values(outputs).filter(output => output.isActive);
      const time = Math.min(at, ...active.map(output => output.time));
      const there = active.length ? positionAt(active[0], time) : position;
      put({t: round(time), state: {position: round(there), rate: active.length ? rate : 0, buffered: round(buffered())}});
    }
  }

  function sample(at) {
    const current = video.currentTime;
    if (!lastSample || current < lastSample.position - 0.001) { lastSample = {at, position: current}; return; }
    const last = lastSample;
    lastSample = {at, position: Math.max(current, last.position)};
    if (current <= last.position) { return; }
    advanceOutputs(Math.max(last.at, at - (current - last.position) / rate), last.position, at, current);
  }

  function stall(kind, output) {
    sendStart(kind);
    if (!isStalled) {
      isStalled = true;
      sendEvent("item.stalled", {item: name(), position: round(output.position)}, output.time);
    }
    stopOutput(kind, "stall", output.time);
    if (!isActive("sound") && !isActive("picture")) { setControl("waiting", output.time); }
  }

  function buffered() {
    for (let range = 0; range < video.buffered.length; range += 1) {
      const [start, end] = [video.buffered.start(range), video.buffered.end(range)];
      if (start <= video.currentTime + 0.1 && end >= video.currentTime) { return end - video.currentTime; }
    }
    return 0;
  }

  // Items

  function ready() {
    if (isReady || !items.length || hasFailed) { return; }
    isReady = true;
    hasTrack = {sound: hasSound(), picture: video.videoWidth > 0};
    sendEvent("item.tracksKnown", {item: name(), hasVideo: hasTrack.picture, hasAudio: hasTrack.sound});
    announcedDuration = duration();
    sendEvent("item.readyToPlay", {item: name(), duration: announcedDuration});
    if (seek && !seek.isStarted) { startSeek(); }
    // A new source pauses an element that was playing, without an event.
    if (wantsPlay && video.paused) { play(); }
  }

  function begin() {
    [isReady, hasFailed, isStalled, seek, position] = [false, false, false, null, 0];
    hasTrack = {sound: true, picture: true};
    sendEvent("item.loading", {item: name()});
    if (wantsPlay) { setControl("waiting"); }
    lastSample = null;
    decodedBefore = {sound: 0, picture: 0};
    load(items[0].url);
    video.defaultPlaybackRate = video.playbackRate = rate;
    if (wantsPlay) { play(); }
  }

  function load(url) {
    if (player.load) { return player.load(url); }
    if (/\.m3u8(\?|#|$)/.test(url) && library.isAvailable()) {
      player.unload = library.load(url, video, failed);
      return;
    }
    video.src = url;
  }

  function unload() {
    player.unload?.();
    if (!player.load) {
      player.unload = undefined;
      video.removeAttribute("src");
      video.load();
    }
  }

  function advance(reason) {
    const removed = items.shift();
    sendEvent("queue.removed", {item: removed.item, reason});
    if (items.length) { sendEvent("queue.current", {item: name()}); } else { sendEvent("queue.emptied", {reason}); }
    unload();
    if (items.length) { return begin(); }
    becomeEmpty();
  }

  function becomeEmpty() {
    isReady = hasFailed = false;
    setControl(wantsPlay ? "waiting" : "paused");
  }

  function ended() {
    if (!items.length || !wantsPlay || hasFailed) { return; }
    const at = now(), item = name(), reached = video.currentTime;
    // The last samples may be missing.
    if (lastSample && reached > lastSample.position) {
      const time = Math.min(at, lastSample.at + (reached - lastSample.position) / rate);
      advanceOutputs(lastSample.at, lastSample.position, time, reached);
    }
    // The element's duration has become the position where it ended.
    const end = announcedDuration - END_MARGIN;
    const isComplete = announcedDuration < 0 || reached >= end || Boolean(seek && seek.to >= end);
    cancelSeek();
    stopOutputs("end", at);
    if (isComplete) {
      sendEvent("item.playedToEnd", {item});
    } else {
      const message = `the player ended the item at ${reached.toFixed(3)} s of ${announcedDuration.toFixed(3)} s`;
      sendEvent("item.failedToPlayToEnd", {item, message});
    }
    advance(isComplete ? "played to its end" : "failed");
  }

  function failed(message, domain = "MediaError", code = 0) {
    if (!items.length || hasFailed) { return; }
    hasFailed = true;
    cancelSeek();
    stopOutputs("failed");
    sendEvent("item.failed", {item: name(), domain: String(domain), code: Number.isInteger(code) ? code : 0, message: String(message)});
    if (items.length > 1) { return advance("failed"); }
    video.pause();
    giveUpPlaying("item failed");
  }

  function giveUpPlaying(reason) {
    if (wantsPlay) {
      wantsPlay = false;
      sendEvent("player.rate", {rate: 0, reason});
    }
    setControl("paused");
  }

  // The element's clock and events report the result.
  const play = () => { video.play()?.catch(() => {}); };

  // Seeks

  function startSeek() {
    seek.isStarted = seek.isOwn = true;
    video.currentTime = Math.max(0, duration() > 0 ? Math.min(seek.to, duration()) : seek.to);
  }

  function beginSeek(to) {
    cancelSeek();
    stopOutputs("seek");
    sendEvent("seek.began", {item: name(), target: to, toleranceBefore: 0, toleranceAfter: 0});
    seek = {to, isStarted: false, isOwn: false, deadline: now() + SEEK_TIMEOUT};
    if (wantsPlay) { setControl("waiting"); }
  }

  function completeSeek() {
    if (!seek || !seek.isStarted || video.seeking) { return; }
    position = video.currentTime;
    seek = null;
    sendEvent("item.timeJumped", {item: name(), position: round(position)});
    sendEvent("seek.ended", {item: name(), position: round(position), isFinished: true});
    lastSample = null;
    if (wantsPlay) {
      setControl("waiting");
      if (video.paused && !video.ended) { play(); }
    }
  }

  function cancelSeek() {
    if (!seek) { return; }
    seek = null;
    sendEvent("seek.ended", {item: name(), position: round(position), isFinished: false});
  }

  // The element's events, which the user of the page causes as well

  const listeners = {
    canplay: ready,
    ended,
    error: () => { if (video.error) { failed(video.error.message || "the element cannot play it", "MediaError", video.error.code); } },
    play: () => { if (!wantsPlay && items.length && !hasFailed) { beginPlaying(); } },
    pause: () => {
      if (wantsPlay && isReady && items.length && !video.ended && video.paused && !seek) {
        stopOutputs("command");
        giveUpPlaying("command");
      }
    },
    seeking: () => {
      if (items.length && !seek?.isOwn) {
        beginSeek(video.currentTime);
        seek.isStarted = true;
      }
      resetSamples();
    },
    seeked: completeSeek,
    ratechange: () => { if (video.playbackRate > 0 && video.playbackRate !== rate) { changeRate(video.playbackRate); } },
  };

  function beginPlaying() {
    wantsPlay = true;
    sendEvent("player.rate", {rate, reason: "command"});
    setControl("waiting");
  }

  function changeRate(to) {
    const at = now(), kinds = Object.keys(outputs).filter(isActive);
    stopOutputs("rate", at);
    const there = position;
    rate = to;
    if (wantsPlay) { sendEvent("player.rate", {rate, reason: "command"}, at); }
    lastSample = null;
    // The output continues without a gap.
    if (kinds.length) {
      advanceOutputs(at, there, at, there);
      kinds.forEach(sendStart);
    }
  }

  function visibilityChanged() {
    isVideoEnabled = !document.hidden;
    const phases = document.hidden ? ["willResignActive", "didEnterBackground"] : ["willEnterForeground", "didBecomeActive"];
    for (const phase of phases) { sendEvent("platform.lifecycle", {phase}); }
    if (document.hidden) { stopOutput("picture", "background", now()); } else if (video) { resetDecoded("picture"); }
  }

  function attach(element) {
    if (video === element) { return; }
    for (const kind in listeners) {
      video?.removeEventListener(kind, listeners[kind]);
      element.addEventListener(kind, listeners[kind]);
    }
    video = element;
  }

  // Commands

  const commands = {
    open({items: more}) {
      const isFirst = items.length === 0;
      items.push(...more.map(({item, url}) => ({item, url})));
      if (isFirst && items.length) { begin(); }
    },
    play() {
      if (hasFailed || wantsPlay) { return; }
      beginPlaying();
      if (items.length) { if (isReady && video.ended) { ended(); } else { play(); } }
    },
    pause() {
      stopOutputs("command");
      giveUpPlaying("command");
      video.pause();
    },
    rate({rate: to}) {
      if (to === rate) { return; }
      changeRate(to);
      video.defaultPlaybackRate = video.playbackRate = to;
    },
    seek({to}) {
      if (!items.length || hasFailed) { throw new Error("no item to seek in"); }
      beginSeek(to);
      if (isReady) { startSeek(); }
    },
    next() {
      if (!items.length) { return; }
      cancelSeek();
      stopOutputs("advance");
      advance("advance");
    },
    "remove-all"() {
      cancelSeek();
      stopOutputs("remove");
      for (; items.length; items.shift()) { sendEvent("queue.removed", {item: name(), reason: "remove"}); }
      unload();
      becomeEmpty();
    },
    video({is}) {
      isVideoEnabled = is && !document.hidden;
      if (!is) { stopOutput("picture", "pictures", now()); }
      video.style.visibility = is ? "" : "hidden";
    },
  };

  function perform(line) {
    const {id, do: command, ...fields} = JSON.parse(line);
    if (command === "clock") { return put({id, clock: now()}); }
    if (!video) { attach(document.querySelector("video, audio") ?? document.body.appendChild(document.createElement("video"))); }
    try {
      if (!Object.hasOwn(commands, command)) { throw new Error(`the page has no command ${command}`); }
      commands[command](fields);
      put({id});
    } catch (error) {
      put({id, cannot: error.message});
    }
  }

  const browser = () => navigator.userAgent.match(/(Firefox|Edg|OPR)\/[\d.]+/)?.[0] ?? navigator.userAgent.match(/(Chrome|Version)\/[\d.]+/)?.[0];
  const hello = () => ({
    hello: `${library.title() ?? "a page"} in ` + (browser() ?? "a browser").replace("Version", "Safari").replace("/", " "),
    library: library.title(), playsHLS: library.isAvailable() || document.createElement("video").canPlayType(HLS) !== "",
    clock: now(), can: Object.keys(commands),
  });
  const take = text => { for (const line of text.split("\n")) { if (line.trim()) { perform(line); } } };
  globalThis.segue = {
    use(own) {
      player = own;
      if (own.element) { attach(own.element); }
    },
    failed,
    take,
    hello,
  };

  document.addEventListener("visibilitychange", visibilityChanged);
  // Browsers throttle the timers of hidden pages, but not those of workers.
  try {
    const source = new Blob([`setInterval(() => postMessage(0), ${POLL_INTERVAL})`], {type: "text/javascript"});
    new Worker(URL.createObjectURL(source)).onmessage = poll;
  } catch {
    setInterval(poll, POLL_INTERVAL);
  }

  if (globalThis.segueSaid) {
    write = segueSaid;
    setControl("paused");
  } else {
    connect();
  }

  /** Connects to the driver; when the connection ends, removes all items and waits for the next driver. */
  function connect() {
    const socket = new WebSocket(script.src.replace(/^http/, "ws").replace(/[^/]*$/, ""));
    socket.onopen = () => {
      write = line => socket.send(line);
      put(hello());
      setControl("paused");
    };
    socket.onmessage = ({data}) => take(data);
    socket.onclose = () => {
      write = () => {};
      if (items.length) { commands["remove-all"](); }
      [wantsPlay, rate, control] = [false, 1, ""];
      setTimeout(connect, RECONNECT_INTERVAL);
    };
  }
})();
