// Keeps what the page would do for media keys, which no script can press.
{
  window.mediaKeys = {};
  const real = MediaSession.prototype.setActionHandler;
  MediaSession.prototype.setActionHandler = function (name, action) {
    window.mediaKeys[name] = action;
    return real.call(this, name, action);
  };
}
