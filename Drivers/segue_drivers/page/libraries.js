// Plays HLS in a media element by hls.js (`Hls`) or Shaka Player (`shaka`) if the page has one of them, with default settings.
// The drivers serve it in front of page.js.
"use strict";
globalThis.segueLibrary = (() => {
  const CRITICAL = 2;
  // Shaka releases an element asynchronously, including what another player has begun in it since.
  let released = Promise.resolve();

  /** `load` plays a URL in an element, calls `failed` on a fatal error, and returns a function that unloads. */
  const libraries = {
    "hls.js": {
      isAvailable: () => globalThis.Hls?.isSupported(),
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
      isAvailable: () => globalThis.shaka?.Player.isBrowserSupported(),
      version: () => shaka.Player.version.replace(/^v/, ""),
      load(url, element, failed) {
        const player = new shaka.Player();
        let isUnloaded = false;
        const report = error => {
          if (!isUnloaded) { failed([error.message, ...(error.data ?? []).slice(0, 2)].join(" "), "shaka", error.code); }
        };
        player.addEventListener("error", ({detail}) => { if (detail.severity === CRITICAL) { report(detail); } });
        released.then(() => isUnloaded || player.attach(element)).then(() => isUnloaded || player.load(url)).catch(report);
        return () => {
          isUnloaded = true;
          // While it loads, `destroy` alone would wait for pending responses.
          player.getNetworkingEngine().destroy();
          released = released.then(() => player.destroy());
        };
      },
    },
  };
  const name = () => Object.keys(libraries).find(name => libraries[name].isAvailable());

  return {
    /** The name and version of the page's library; undefined if it has none. */
    title: () => name() && `${name()} ${libraries[name()].version()}`,
    isAvailable: () => Boolean(name()),
    load: (...parameters) => libraries[name()].load(...parameters),
  };
})();
