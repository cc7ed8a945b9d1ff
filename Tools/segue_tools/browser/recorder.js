// An AudioWorklet that posts the left channel of its input, 8,192 samples at a time, for marks.py.
registerProcessor('recorder', class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.kept = new Float32Array(8192);
    this.count = 0;
  }

  process([input]) {
    if (input[0]) this.kept.set(input[0], this.count); else this.kept.fill(0, this.count, this.count + 128);
    this.count += 128;
    if (this.count === this.kept.length) {
      this.port.postMessage(this.kept);
      this.count = 0;
    }
    return true;
  }
});
