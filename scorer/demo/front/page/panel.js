// A 1-bit panel, scaled by a whole number of screen pixels.

const LIT = [168, 236, 255];
const DIM = [74, 120, 132];
const GLASS = [5, 10, 13];

// Draws `panel` ({size, bits, dim}) into a canvas of the same size.
export function draw(canvas, panel) {
  const [width, height] = panel.size;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const bytes = Uint8Array.from(atob(panel.bits), (letter) => letter.charCodeAt(0));
  const row = Math.ceil(width / 8);
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(width, height);
  const lit = panel.dim ? DIM : LIT;
  for (let at = 0; at < width * height; at += 1) {
    const x = at % width;
    const y = (at - x) / width;
    const on = bytes[y * row + (x >> 3)] & (0x80 >> (x & 7));
    image.data.set(on ? lit : GLASS, 4 * at);
    image.data[4 * at + 3] = 255;
  }
  pen.putImageData(image, 0, 0);
}

// Scales to the available room: `room` in CSS pixels, not higher than `high`.
export function fit(canvas, room, high) {
  const fine = window.devicePixelRatio || 1;
  const times = Math.min((room * fine) / canvas.width, (high * fine) / canvas.height);
  const scale = Math.max(1, Math.floor(times)) / fine;
  canvas.style.width = `${canvas.width * scale}px`;
  canvas.style.height = `${canvas.height * scale}px`;
}
