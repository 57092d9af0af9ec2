// The sign of a storm report: a white triangle with a dark edge, and its size or a letter inside. No estimate looks so.
import { casingColor, reportColor } from "./overlay-colors.ts";

const widthPx = 30;
const heightPx = 27;
export const reportPixelRatio = 2;

export function drawReport(mark: string): ImageData {
  const canvas = new OffscreenCanvas(widthPx * reportPixelRatio, heightPx * reportPixelRatio);
  const context = canvas.getContext("2d")!;
  context.scale(reportPixelRatio, reportPixelRatio);
  context.beginPath();
  context.moveTo(widthPx / 2, 3);
  context.lineTo(widthPx - 2.5, heightPx - 3);
  context.lineTo(2.5, heightPx - 3);
  context.closePath();
  context.lineJoin = "round";
  context.strokeStyle = casingColor;
  context.lineWidth = 4;
  context.stroke();
  context.fillStyle = reportColor;
  context.fill();
  context.fillStyle = casingColor;
  context.font = `600 ${mark.length > 3 ? 8.5 : 10}px "Noto Sans", sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillText(mark, widthPx / 2, heightPx - 5.5);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
