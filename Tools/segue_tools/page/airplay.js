// The same as Safari has it.
{
  delete HTMLMediaElement.prototype.remote;
  HTMLMediaElement.prototype.webkitShowPlaybackTargetPicker = function () { window.asked = new URL(this.src).pathname; };
}
