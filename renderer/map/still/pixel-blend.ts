// Pixels as the numbers that a canvas of this machine holds, with alpha in the highest byte, and multiplied by it as on
// the GPU. Pure.

/** Returns a color as a pixel; `alpha` 0 to 1. */
export function toPixel(red: number, green: number, blue: number, alpha: number): number {
  const [r, g, b] = [red * alpha, green * alpha, blue * alpha].map(Math.round);
  return ((Math.round(255 * alpha) << 24) | (b! << 16) | (g! << 8) | r!) >>> 0;
}

/** Returns what a pixel is with another one over it. */
export function blend(under: number, over: number): number {
  const alpha = over >>> 24;
  if (alpha === 255) return over;
  const kept = 255 - alpha;
  return (over + (scaled(under & 0xff00ff, kept) | (scaled((under >>> 8) & 0xff00ff, kept) << 8))) >>> 0;
}

/** Multiplies two channels, 16 bits apart, by `share` of 255, rounded. */
function scaled(channels: number, share: number): number {
  const product = Math.imul(channels, share) + 0x80_0080;
  return ((product + ((product >>> 8) & 0xff00ff)) >>> 8) & 0xff00ff;
}

/** Divides pixels by their alpha, as a canvas takes them. */
export function divideByAlpha(pixels: Uint8ClampedArray): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) pixels[channel] = (pixels[channel]! * 255) / alpha;
  }
}
