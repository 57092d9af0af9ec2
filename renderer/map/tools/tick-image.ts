// The image of a tick: a bar across the line, white with a dark rim.

export const tickImage = "tool-tick";
export const tickPixelRatio = 2;

const widthPx = 20;
const heightPx = 8;

/** Draws a bar across a line that runs upward. */
export function drawTick(): ImageData {
  const canvas = new OffscreenCanvas(widthPx * tickPixelRatio, heightPx * tickPixelRatio);
  const context = canvas.getContext("2d")!;
  context.scale(tickPixelRatio, tickPixelRatio);
  context.lineCap = "round";
  for (const [color, lineWidth] of [
    ["#070b10", 5],
    ["#ffffff", 2],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = lineWidth;
    context.beginPath();
    context.moveTo(3, heightPx / 2);
    context.lineTo(widthPx - 3, heightPx / 2);
    context.stroke();
  }
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
