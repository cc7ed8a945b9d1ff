// The same with Safari's API.
{
  delete HTMLMediaElement.prototype.remote;
  HTMLMediaElement.prototype.webkitShowPlaybackTargetPicker = function () { window.asked = new URL(this.src).pathname; };
}
