// Keeps the page's handlers of media keys, which scripts cannot press.
{
  window.mediaKeys = {};
  const real = MediaSession.prototype.setActionHandler;
  MediaSession.prototype.setActionHandler = function (name, action) {
    window.mediaKeys[name] = action;
    return real.call(this, name, action);
  };
}
