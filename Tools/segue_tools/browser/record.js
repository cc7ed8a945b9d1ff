// Records the left channel of the video element's output on the audio thread (recorder.js).
(async () => {
  const context = new AudioContext({ sampleRate: 48000 });
  await context.audioWorklet.addModule(`page/${document.documentElement.dataset.version}/recorder.js`);
  const source = context.createMediaElementSource(video), recorder = new AudioWorkletNode(context, 'recorder');
  source.connect(recorder);
  source.connect(context.destination);
  globalThis.recorded = [];
  recorder.port.onmessage = ({ data }) => recorded.push(data);
  globalThis.recordingContext = context;
  await context.resume();
})()
