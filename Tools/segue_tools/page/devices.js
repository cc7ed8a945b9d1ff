// A browser with devices near by: what the page asks of them is kept, and one of them can be connected.
{
  const remotes = new WeakMap();
  class Remote extends EventTarget {
    state = 'disconnected';
    async prompt() { window.asked = 'prompt'; this.become('connecting'); }
    become(state) { this.state = state; this.dispatchEvent(new Event(state === 'disconnected' ? 'disconnect' : state)); }
  }
  Object.defineProperty(HTMLMediaElement.prototype, 'remote', { configurable: true, get() {
    if (!remotes.has(this)) remotes.set(this, new Remote());
    return remotes.get(this);
  } });
}
