// The visible picture: its number, decoded from its cells (PictureCode.swift), and its time.
new Promise(resolve => {
  const look = (now, frame) => {
    const canvas = new OffscreenCanvas(frame.width, frame.height), pen = canvas.getContext('2d');
    pen.drawImage(video, 0, 0);
    const { data } = pen.getImageData(0, 0, frame.width, frame.height);
    let cells = 0n;
    for (let row = 0; row < 4; row += 1) for (let column = 0; column < 8; column += 1) {
      const x = Math.floor((column + 1.5) * frame.width / 10), y = Math.floor((row + 1.5) * Math.floor(frame.height * 3 / 4) / 6);
      if (data[4 * (y * frame.width + x) + 1] > 124) cells |= 1n << BigInt(row * 8 + column);
    }
    const scrambled = Number(cells & 0xffffffn);
    let sum = 0xff;
    for (const shift of [16, 8, 0]) {
      sum ^= scrambled >> shift & 0xff;
      for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80 ? (sum << 1 ^ 7) & 0xff : sum << 1 & 0xff;
    }
    const number = sum === Number(cells >> 24n) ? Number(BigInt.asUintN(24, (BigInt(scrambled) - 0x5aa55an) * 0xb382c9n)) : null;
    resolve({ number, mediaTime: frame.mediaTime, position: segue.player.position });
  };
  video.requestVideoFrameCallback(look);
})
