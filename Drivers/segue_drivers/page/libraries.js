// Plays HLS in a media element by hls.js (`Hls`) or Shaka Player (`shaka`), where the page has one of them, with its default
// settings. It is handed out at the head of page.js.
"use strict";
globalThis.segueLibrary = (() => {
  // Shaka lets go of an element some time after it is told to, and of what another one has begun in it since.
  let leaving = Promise.resolve();
  const CRITICAL = 2;

  /** Each begins with a URL in an element, calls `failed` when it is over, and gives what lets go of it. */
  const libraries = {
    "hls.js": {
      isThere: () => globalThis.Hls?.isSupported(),
      version: () => Hls.version,
      load(url, element, failed) {
        const hls = new Hls();
        hls.on(Hls.Events.ERROR, (_, data) => {
          if (data.fatal) { failed([data.details, data.error?.message].filter(Boolean).join(": "), data.type, data.response?.code); }
        });
        hls.loadSource(url);
        hls.attachMedia(element);
        return () => hls.destroy();
      },
    },
    Shaka: {
      isThere: () => globalThis.shaka?.Player.isBrowserSupported(),
      version: () => shaka.Player.version.replace(/^v/, ""),
      load(url, element, failed) {
        const player = new shaka.Player();
        let isLeft = false;
        const say = error => {
          // What is left is not to be loaded to its end.
          if (!isLeft) { failed([error.message, ...(error.data ?? []).slice(0, 2)].join(" "), "shaka", error.code); }
        };
        player.addEventListener("error", ({detail}) => { if (detail.severity === CRITICAL) { say(detail); } });
        leaving.then(() => isLeft || player.attach(element)).then(() => isLeft || player.load(url)).catch(say);
        return () => {
          isLeft = true;
          // By itself it waits, while it loads, for the answers that are under way.
          player.getNetworkingEngine().destroy();
          leaving = leaving.then(() => player.destroy());
        };
      },
    },
  };
  const name = () => Object.keys(libraries).find(name => libraries[name].isThere());

  return {
    /** What a page plays with, and in which version; nothing where it has no library. */
    title: () => name() && `${name()} ${libraries[name()].version()}`,
    isThere: () => Boolean(name()),
    load: (...about) => libraries[name()].load(...about),
  };
})();
