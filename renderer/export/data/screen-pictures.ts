// The pictures that a globe shows on the screen, drawn with the page's letters: legends, and disclosure with credits.
import type { MrmsLayer } from "../../../shared/contract/index.ts";
import { isLegendOf, legendOf } from "../../../shared/products/palettes.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import type { ExportedRevision } from "../../../shared/rasters/exported-layer.ts";

const marginPx = 14;
const rowPx = 20;
const swatchWidthPx = 30;
const legendWidthPx = 280;
const creditsWidthPx = 520;
const colors = { ground: "#10161de6", text: "#e8eef4", amber: "#ffb44a" } as const;

interface Line {
  readonly text: string;
  readonly color?: string;
  readonly swatch?: string;
  readonly isStrong?: boolean;
}

/** Returns a PNG with the legend of each layer, the highest color on top. */
export function drawLegends(layers: readonly MrmsLayer[]): Promise<Uint8Array<ArrayBuffer>> {
  const lines = layers.flatMap((layer): Line[] => {
    const product = getProduct(layer.id);
    const legend = isLegendOf(product, layer.legend) ? legendOf(product) : layer.legend;
    const entries = legend.toReversed().map(({ color, label }) => ({ text: label, swatch: color }));
    return [{ text: layer.label, isStrong: true }, ...entries];
  });
  return draw(lines, legendWidthPx);
}

/** Returns a PNG of what must never be left out: the disclosure, which says what is synthetic, and the source. */
export function drawCredits({ event, ...revision }: ExportedRevision): Promise<Uint8Array<ArrayBuffer>> {
  const isObserved = event.nature === "live" || event.nature === "benchmark";
  const color = isObserved ? colors.text : colors.amber;
  const words = wrap(revision.disclosure, creditsWidthPx - 2 * marginPx);
  return draw(
    [
      { text: event.label, isStrong: true },
      ...words.map((text) => ({ text, color })),
      { text: revision.attribution },
    ],
    creditsWidthPx,
  );
}

function wrap(text: string, widthPx: number): string[] {
  const context = openContext(1, 1);
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)!} ${word}`;
    if (lines.length > 0 && context.measureText(longer).width <= widthPx) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

async function draw(lines: readonly Line[], widthPx: number): Promise<Uint8Array<ArrayBuffer>> {
  const context = openContext(widthPx, 2 * marginPx + lines.length * rowPx);
  const { canvas } = context;
  context.fillStyle = colors.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  lines.forEach(({ text, color = colors.text, swatch, isStrong }, index) => {
    const top = marginPx + index * rowPx;
    if (swatch !== undefined) {
      context.fillStyle = swatch;
      context.fillRect(marginPx, top, swatchWidthPx, rowPx);
    }
    context.font = fontOf(isStrong === true ? 600 : 400);
    context.fillStyle = color;
    const left = swatch === undefined ? marginPx : marginPx + swatchWidthPx + 10;
    context.fillText(text, left, top + 15, widthPx - left - marginPx);
  });
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve);
  });
  return new Uint8Array(await blob!.arrayBuffer());
}

function openContext(widthPx: number, heightPx: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = widthPx;
  canvas.height = heightPx;
  const context = canvas.getContext("2d")!;
  context.font = fontOf(400);
  return context;
}

function fontOf(weight: number): string {
  return `${weight} 13px ${getComputedStyle(document.body).fontFamily}`;
}
