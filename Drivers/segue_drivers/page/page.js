// Turns what a media element of any page does into the lines of Segue's protocol for drivers (docs/drivers.md), and has the
// element do what it is told. It takes the page's first element, or the one that the page gives it, and whoever reads it is
//   - the function `segueSaid`, where the page has one (chromium.py), which calls `segue.take(line)`, or
//   - a WebSocket at the address that the script came from (web.py): <script src="http://127.0.0.1:PORT/page.js"></script>
//
// A page with a player of its own says how an item is opened, before the first one is:
//   segue.use({ element, load: url => …, unload: () => … })    and, for what the element does not say: segue.failed(message)
// Without that, HLS is played by hls.js or Shaka Player where the page has one (libraries.js), else by the element itself.
"use strict";
(() => {
  const TICK = 10, STILL = 0.3, NEAR = 0.5, LAST = 1, SEEK = 20, STATES = 0.25;
  // For how long it is looked how a clock goes on that has just begun to: it may move, and then wait for the sound.
  const SURE = 0.15;
  // How long after a driver has gone the next one is looked for, in milliseconds.
  const AGAIN = 500;
  const HLS = "application/vnd.apple.mpegurl";
  const now = () => performance.now() / 1000;
  const script = document.currentScript;
  const library = globalThis.segueLibrary;

  let video = null, player = {}, items = [], isReady = false, hasFailed = false, isWanted = false, rate = 1;
  let isShown = true, has = {sound: true, picture: true}, isStalled = false, control = "", place = 0, told = 0;
  // A seek: where to, until when it is waited for, and whether the element has taken it.
  let seek = null;
  // Where the element's clock was at the last look, and how much of each kind had been decoded when this round began.
  // How long the item was said to be when it became ready, in seconds; -1 for nothing said.
  let promised = -1;
  let last = null, since = {sound: 0, picture: 0};
  // `first` is what began and has not been told of yet.
  const flows = {sound: {isOn: false, place: 0, until: 0, first: null}, picture: {isOn: false, place: 0, until: 0, first: null}};

  // Lines

  let write = () => {};
  let latest = 0;
  const put = line => {
    if ("t" in line) { line.t = latest = Math.max(latest, line.t); }
    write(JSON.stringify(line));
  };
  const round = seconds => Math.round(seconds * 1e6) / 1e6;
  const tell = (kind, fields = {}, at = now()) => put({t: round(at), kind, ...fields});
  const name = () => items.length ? items[0].item : "";

  const setControl = (status, at) => {
    const waitingFor = status !== "waiting" ? "" : items.length ? "toMinimizeStalls" : "noItemToPlay";
    if (control === status + waitingFor) { return; }
    control = status + waitingFor;
    tell("player.timeControl", {status, waitingFor}, at);
  };

  // What the element says of itself. Where a browser does not count what it decoded, its clock alone has to do.

  const counts = {
    sound: () => video.webkitAudioDecodedByteCount ?? Infinity,
    picture: () => video.getVideoPlaybackQuality?.().totalVideoFrames ?? Infinity,
  };
  // Where the browser does not say whether there is sound, there is.
  const hasSound = () => video.audioTracks ? video.audioTracks.length > 0 : video.mozHasAudio ?? true;
  const duration = () => Number.isFinite(video.duration) && video.duration > 0 ? video.duration : -1;
  const placeAt = (flow, at) => Math.max(0, flow.place - Math.max(0, flow.until - at) * rate);

  /** Whether there is something of a kind that should be seen or heard: something of it was decoded since. */
  const isExpected = kind => has[kind] && (kind === "sound" || isShown) && counts[kind]() > since[kind];

  // What comes out

  /** What came out from one moment and place to another, of each kind of which something was decoded since. */
  function came(began, from, until, reached) {
    for (const kind of ["sound", "picture"]) {
      const flow = flows[kind];
      if (!flow.isOn && !isExpected(kind)) { continue; }
      if (!flow.isOn) {
        flow.isOn = true;
        flow.first = {at: began, place: from, sure: until + SURE};
      } else if (flow.first) {
        flow.first.at = Math.max(flow.first.at, until - (reached - flow.first.place) / rate);
      }
      [flow.place, flow.until] = [reached, until];
      if (flow.first && until >= flow.first.sure) { tellFirst(kind); }
    }
    place = reached;
  }

  function tellFirst(kind) {
    const first = flows[kind].first;
    if (!first) { return; }
    flows[kind].first = null;
    setControl("playing", first.at);
    tell(kind + ".began", {item: name(), position: round(first.place)}, first.at);
    const isOn = kind => flows[kind].isOn && !flows[kind].first;
    if (Object.keys(flows).every(kind => isOn(kind) || !isExpected(kind))) { isStalled = false; }
  }

  function stop(kind, reason, at) {
    const flow = flows[kind];
    if (!flow.isOn) { return; }
    tellFirst(kind);
    const moment = reason === "stall" || reason === "end" ? Math.min(at, flow.until) : at;
    flow.isOn = false;
    place = placeAt(flow, moment);
    tell(kind + ".ended", {item: name(), position: round(place), reason}, moment);
  }

  function end(reason, at = now()) {
    for (const kind of Object.keys(flows).sort((one, other) => flows[one].until - flows[other].until)) { stop(kind, reason, at); }
    isStalled = false;
  }

  /** A new round: what comes out of it has to be decoded first. */
  function forget() {
    last = null;
    since = {sound: counts.sound(), picture: counts.picture()};
    for (const kind in since) { if (since[kind] === Infinity) { since[kind] = 0; } }
  }

  function look() {
    if (!video) { return; }
    const at = now();
    if (items.length && !hasFailed && isReady && isWanted && !seek && !video.seeking) { move(at); }
    for (const kind in flows) {
      const flow = flows[kind], still = at - flow.until;
      const isLast = duration() > 0 && flow.place + NEAR >= duration();
      if (flow.isOn && still >= (isLast ? LAST : STILL)) { stalled(kind, flow); }
    }
    if (seek && (at > seek.deadline)) { giveUp(); }
    if (items.length && isReady && at - told >= STATES && !flows.sound.first && !flows.picture.first) {
      told = at;
      const on = Object.values(flows).filter(flow => flow.isOn);
      const moment = Math.min(at, ...on.map(flow => flow.until));
      const there = on.length ? placeAt(on[0], moment) : place;
      put({t: round(moment), state: {position: round(there), rate: on.length ? rate : 0, buffered: round(ahead())}});
    }
  }

  function move(at) {
    const there = video.currentTime;
    if (!last || there < last.place - 0.001) { last = {at, place: there}; return; }
    const {at: before, place: was} = last;
    last = {at, place: Math.max(there, was)};
    if (there <= was) { return; }
    came(Math.max(before, at - (there - was) / rate), was, at, there);
  }

  function stalled(kind, flow) {
    tellFirst(kind);
    if (!isStalled) {
      isStalled = true;
      tell("item.stalled", {item: name(), position: round(flow.place)}, flow.until);
    }
    stop(kind, "stall", flow.until);
    if (!flows.sound.isOn && !flows.picture.isOn) { setControl("waiting", flow.until); }
  }

  function ahead() {
    for (let range = 0; range < video.buffered.length; range += 1) {
      const [from, to] = [video.buffered.start(range), video.buffered.end(range)];
      if (from <= video.currentTime + 0.1 && to >= video.currentTime) { return to - video.currentTime; }
    }
    return 0;
  }

  // Items

  function ready() {
    if (isReady || !items.length || hasFailed) { return; }
    isReady = true;
    has = {sound: hasSound(), picture: video.videoWidth > 0};
    tell("item.tracksKnown", {item: name(), hasVideo: has.picture, hasAudio: has.sound});
    promised = duration();
    tell("item.readyToPlay", {item: name(), duration: promised});
    if (seek && !seek.isTaken) { take(); }
    // An element that is given another source after it was told to play is paused by that, without a word.
    if (isWanted && video.paused) { play(); }
  }

  function begin() {
    [isReady, hasFailed, isStalled, seek, place] = [false, false, false, null, 0];
    has = {sound: true, picture: true};
    tell("item.loading", {item: name()});
    if (isWanted) { setControl("waiting"); }
    forget();
    since = {sound: 0, picture: 0};
    open(items[0].url);
    video.defaultPlaybackRate = video.playbackRate = rate;
    if (isWanted) { play(); }
  }

  function open(url) {
    if (player.load) { return player.load(url); }
    if (/\.m3u8(\?|#|$)/.test(url) && library.isThere()) {
      player.unload = library.load(url, video, failed);
      return;
    }
    video.src = url;
  }

  function close() {
    player.unload?.();
    if (!player.load) {
      player.unload = undefined;
      video.removeAttribute("src");
      video.load();
    }
  }

  function advance(reason) {
    const gone = items.shift();
    tell("queue.removed", {item: gone.item, reason});
    if (items.length) { tell("queue.current", {item: name()}); } else { tell("queue.emptied", {reason}); }
    close();
    if (items.length) { return begin(); }
    isReady = hasFailed = false;
    setControl(isWanted ? "waiting" : "paused");
  }

  function finished() {
    if (!items.length || !isWanted || hasFailed) { return; }
    const at = now(), item = name();
    // The element's clock comes to the end with what it played last.
    if (last && video.currentTime > last.place) { came(last.at, last.place, Math.min(at, last.at + (video.currentTime - last.place) / rate), video.currentTime); }
    // An element that is over before its item is has made the item as short as that.
    const reached = video.currentTime, isWhole = promised < 0 || reached >= promised - NEAR || Boolean(seek && seek.to >= promised - NEAR);
    giveUp();
    end("end", at);
    if (isWhole) {
      tell("item.playedToEnd", {item});
    } else {
      const message = `the player says that it is over at ${reached.toFixed(3)} of ${promised.toFixed(3)} s`;
      tell("item.failedToPlayToEnd", {item, message});
    }
    advance(isWhole ? "played to its end" : "failed");
  }

  function failed(message, domain = "MediaError", code = 0) {
    if (!items.length || hasFailed) { return; }
    hasFailed = true;
    giveUp();
    end("failed");
    tell("item.failed", {item: name(), domain: String(domain), code: Number.isInteger(code) ? code : 0, message: String(message)});
    if (items.length > 1) { return advance("failed"); }
    video.pause();
    rest("item failed");
  }

  function rest(reason) {
    if (isWanted) {
      isWanted = false;
      tell("player.rate", {rate: 0, reason});
    }
    setControl("paused");
  }

  // What comes of it is told by the element's clock and events.
  const play = () => { video.play()?.catch(() => {}); };

  // Seeks

  function take() {
    seek.isTaken = true;
    seek.isOwn = true;
    const to = Math.max(0, duration() > 0 ? Math.min(seek.to, duration()) : seek.to);
    video.currentTime = to;
  }

  function beginSeek(to) {
    giveUp();
    end("seek");
    tell("seek.began", {item: name(), target: to, toleranceBefore: 0, toleranceAfter: 0});
    seek = {to, isTaken: false, isOwn: false, deadline: now() + SEEK};
    if (isWanted) { setControl("waiting"); }
  }

  function landed() {
    if (!seek || !seek.isTaken || video.seeking) { return; }
    place = video.currentTime;
    seek = null;
    tell("item.timeJumped", {item: name(), position: round(place)});
    tell("seek.ended", {item: name(), position: round(place), isFinished: true});
    last = null;
    if (isWanted) {
      setControl("waiting");
      if (video.paused && !video.ended) { play(); }
    }
  }

  function giveUp() {
    if (!seek) { return; }
    seek = null;
    tell("seek.ended", {item: name(), position: round(place), isFinished: false});
  }

  // The element's events, which also come of what its user does

  const on = {
    canplay: ready,
    ended: finished,
    error: () => { if (video.error) { failed(video.error.message || "it cannot be played", "MediaError", video.error.code); } },
    play: () => { if (!isWanted && items.length && !hasFailed) { wish(); } },
    pause: () => {
      if (isWanted && isReady && items.length && !video.ended && video.paused && !seek) {
        end("command");
        rest("command");
      }
    },
    seeking: () => {
      if (!items.length || seek?.isOwn) { forget(); return; }
      beginSeek(video.currentTime);
      seek.isTaken = true;
      forget();
    },
    seeked: landed,
    ratechange: () => { if (video.playbackRate > 0 && video.playbackRate !== rate) { changeRate(video.playbackRate); } },
  };

  function wish() {
    isWanted = true;
    tell("player.rate", {rate, reason: "command"});
    setControl("waiting");
  }

  function changeRate(to) {
    const at = now(), kinds = Object.keys(flows).filter(kind => flows[kind].isOn);
    end("rate", at);
    const there = place;
    rate = to;
    if (isWanted) { tell("player.rate", {rate, reason: "command"}, at); }
    last = null;
    // Nothing stops for it.
    if (kinds.length) {
      came(at, there, at, there);
      kinds.forEach(tellFirst);
    }
  }

  function hide(isHidden) {
    isShown = !isHidden;
    for (const phase of isHidden ? ["willResignActive", "didEnterBackground"] : ["willEnterForeground", "didBecomeActive"]) {
      tell("platform.lifecycle", {phase});
    }
    if (isHidden) { stop("picture", "background", now()); }
    else { since.picture = counts.picture() === Infinity ? 0 : counts.picture(); }
  }

  function attach(element) {
    if (video === element) { return; }
    if (video) { for (const kind in on) { video.removeEventListener(kind, on[kind]); } }
    video = element;
    for (const kind in on) { video.addEventListener(kind, on[kind]); }
  }

  // Commands

  const commands = {
    open({items: more}) {
      const isFirst = items.length === 0;
      items.push(...more.map(({item, url}) => ({item, url})));
      if (isFirst && items.length) { begin(); }
    },
    play() {
      if (hasFailed || isWanted) { return; }
      wish();
      if (items.length) { if (isReady && video.ended) { finished(); } else { play(); } }
    },
    pause() {
      end("command");
      rest("command");
      video.pause();
    },
    rate({rate: to}) {
      if (to === rate) { return; }
      changeRate(to);
      video.defaultPlaybackRate = video.playbackRate = to;
    },
    seek({to}) {
      if (!items.length || hasFailed) { throw new Error("there is nothing to seek in"); }
      beginSeek(to);
      if (isReady) { take(); }
    },
    next() {
      if (!items.length) { return; }
      giveUp();
      end("advance");
      advance("advance");
    },
    "remove-all"() {
      giveUp();
      end("remove");
      for (; items.length; items.shift()) { tell("queue.removed", {item: name(), reason: "remove"}); }
      isReady = hasFailed = false;
      close();
      setControl(isWanted ? "waiting" : "paused");
    },
    video({is}) {
      isShown = is && !document.hidden;
      if (!is) { stop("picture", "pictures", now()); }
      video.style.visibility = is ? "" : "hidden";
    },
  };

  function carryOut(line) {
    const {id, do: what, ...fields} = JSON.parse(line);
    if (what === "clock") { return put({id, clock: now()}); }
    if (!video) { attach(document.querySelector("video, audio") ?? document.body.appendChild(document.createElement("video"))); }
    try {
      if (!Object.hasOwn(commands, what)) { throw new Error("it is no command of this page's"); }
      commands[what](fields);
      put({id});
    } catch (error) {
      put({id, cannot: error.message});
    }
  }

  const browser = () => navigator.userAgent.match(/(Firefox|Edg|OPR)\/[\d.]+/)?.[0] ?? navigator.userAgent.match(/(Chrome|Version)\/[\d.]+/)?.[0];
  const hello = () => ({
    hello: `${library.title() ?? "a page"} in ` + (browser() ?? "a browser").replace("Version", "Safari").replace("/", " "),
    library: library.title(), playsHLS: library.isThere() || document.createElement("video").canPlayType(HLS) !== "",
    clock: now(), can: Object.keys(commands),
  });
  const takeAll = text => { for (const line of text.split("\n")) { if (line.trim()) { carryOut(line); } } };
  globalThis.segue = {
    use(own) {
      player = own;
      if (own.element) { attach(own.element); }
    },
    failed,
    take: takeAll,
    hello,
  };

  document.addEventListener("visibilitychange", () => hide(document.hidden));
  // A page's own timers rest while nobody sees it; those of a worker do not.
  try {
    const source = new Blob([`setInterval(() => postMessage(0), ${TICK})`], {type: "text/javascript"});
    new Worker(URL.createObjectURL(source)).onmessage = look;
  } catch {
    setInterval(look, TICK);
  }

  if (globalThis.segueSaid) {
    write = segueSaid;
    setControl("paused");
  } else {
    connect();
  }

  /** Speaks with the driver; where that ends, all is let go of, and the next driver is looked for. */
  function connect() {
    const socket = new WebSocket(script.src.replace(/^http/, "ws").replace(/[^/]*$/, ""));
    socket.onopen = () => {
      write = line => socket.send(line);
      put(hello());
      setControl("paused");
    };
    socket.onmessage = ({data}) => takeAll(data);
    socket.onclose = () => {
      write = () => {};
      if (items.length) { commands["remove-all"](); }
      [isWanted, rate, control] = [false, 1, ""];
      setTimeout(connect, AGAIN);
    };
  }
})();
