// A part of the page as an image: its markup in an SVG, drawn with the page's own rules and fonts.
import { AppError } from "../../shared/app-error.ts";
import { collectFonts, collectRules } from "./page-styles.ts";

export interface MarkupSize {
  /** Size in CSS pixels in which the markup is laid out. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixels of the image for each CSS pixel. */
  readonly scale: number;
}

const cannotDraw = "This browser cannot draw the words of the picture, and without them no picture is made.";

/**
 * Returns an image of `root`, which need not be on the page. The theme is that of its attribute `data-theme`.
 * @throws AppError if this browser cannot draw it
 */
export async function toImage(root: HTMLElement, size: MarkupSize): Promise<HTMLImageElement> {
  const styles = (await collectFonts(root.textContent)) + collectRules(root);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(toSvg(root, styles, size))}`;
  try {
    await image.decode();
  } catch (cause) {
    throw new AppError("invalid-input", cannotDraw, { cause });
  }
  return image;
}

function toSvg(root: HTMLElement, styles: string, { widthPx, heightPx, scale }: MarkupSize): string {
  const [width, height] = [Math.round(widthPx * scale), Math.round(heightPx * scale)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`,
    ` viewBox="0 0 ${widthPx} ${heightPx}" data-theme="${root.dataset.theme ?? "dark"}">`,
    `<style>${styles.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</style>`,
    `<foreignObject width="${widthPx}" height="${heightPx}">`,
    new XMLSerializer().serializeToString(root),
    "</foreignObject></svg>",
  ].join("");
}

/**
 * Returns the pixels of a canvas as a file.
 * @throws AppError if the browser does not give them
 */
export async function toFile(canvas: HTMLCanvasElement, type: "image/png" | "image/webp"): Promise<Blob> {
  let file: Blob | null;
  try {
    file = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, type);
    });
  } catch (cause) {
    throw new AppError("invalid-input", cannotDraw, { cause });
  }
  if (file?.type !== type)
    throw new AppError("storage-failed", "There is not enough memory for this picture.");
  return file;
}
