// Simulates nearby devices: records the page's requests to them, and allows one of them to connect.
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
