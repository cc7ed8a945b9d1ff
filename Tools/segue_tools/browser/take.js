// Returns the samples recorded since the last call, as Base64.
(async () => {
  const all = new Uint8Array(await new Blob(recorded).arrayBuffer());
  recorded.length = 0;
  let text = '';
  for (let at = 0; at < all.length; at += 32768) text += String.fromCharCode(...all.subarray(at, at + 32768));
  return btoa(text);
})()
