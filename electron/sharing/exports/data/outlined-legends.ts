// The pictures that a globe shows on the screen: legends, and disclosure with credits.
import type { MrmsLayer } from "../../../../shared/contract/manifest.ts";
import { defaultPalette, isLegendOf, stopColors } from "../../../../shared/products/palettes.ts";
import { getProduct } from "../../../../shared/products/registry.ts";
import { loadBriefingMap } from "../../stills/atlas/load-map.ts";
import { createTypesetter, type Typesetter } from "../../stills/ground/typesetter.ts";
import { colors } from "../../stills/still-look.ts";
import type { ChosenLayer } from "./read-layers.ts";

const marginPx = 14;
const swatchPx = { width: 30, height: 20 } as const;
const legendWidthPx = 280;
const creditsWidthPx = 520;
const lineHeightPx = 20;

const plain = { sizePx: 13, weight: "medium", fill: colors.text } as const;
const quiet = { ...plain, fill: colors.quiet } as const;
const strong = { sizePx: 14, weight: "semibold", fill: colors.text } as const;
const warning = { sizePx: 14, weight: "semibold", fill: colors.amber } as const;

/** Returns a PNG with the legend of each layer, the highest color on top. */
export async function drawLegends(layers: readonly ChosenLayer[], mapFile: string): Promise<Uint8Array> {
  const typesetter = await openTypesetter(mapFile);
  const newest = new Map(layers.map(({ manifest }) => [manifest.id, manifest]));
  let y = marginPx;
  const parts: string[] = [];
  for (const layer of newest.values()) {
    parts.push(typesetter.set(layer.label, marginPx, y + 14, strong));
    y += 26;
    for (const { color, label } of toEntries(layer).toReversed()) {
      const { width, height } = swatchPx;
      parts.push(`<rect x="${marginPx}" y="${y}" width="${width}" height="${height}" fill="${color}"/>`);
      const text = typesetter.fit(label, legendWidthPx - width - 3 * marginPx, plain);
      parts.push(typesetter.set(text, marginPx + width + 10, y + 15, plain));
      y += height;
    }
    y += marginPx;
  }
  return toPng(parts, { width: legendWidthPx, height: y });
}

/** Returns a PNG of what must never be left out: the disclosure, which says what is synthetic, and the source. */
export async function drawCredits({ facts }: ChosenLayer, mapFile: string): Promise<Uint8Array> {
  const typesetter = await openTypesetter(mapFile);
  const { event, disclosure, attribution } = facts.revision;
  const room = creditsWidthPx - 2 * marginPx;
  const isObserved = event.nature === "live" || event.nature === "benchmark";
  const lines = [
    { text: typesetter.fit(event.label, room, strong), style: strong },
    ...typesetter
      .wrap(disclosure, room, warning, 5)
      .map((text) => ({ text, style: isObserved ? plain : warning })),
    { text: typesetter.fit(attribution, room, quiet), style: quiet },
  ];
  const set = lines.map(({ text, style }, index) =>
    typesetter.set(text, marginPx, marginPx + 14 + index * lineHeightPx, style),
  );
  return toPng(set, { width: creditsWidthPx, height: 2 * marginPx + lines.length * lineHeightPx });
}

async function openTypesetter(mapFile: string): Promise<Typesetter> {
  return createTypesetter((await loadBriefingMap(mapFile)).fonts);
}

/** Returns colors and labels, lowest first. Text of another service must not get into an SVG but as outlines. */
function toEntries({ id, legend }: MrmsLayer): readonly { readonly color: string; readonly label: string }[] {
  const product = getProduct(id);
  const ours = isLegendOf(product, legend) ? stopColors(product, defaultPalette) : undefined;
  return legend.map(({ color, label }, index) => ({
    color: ours?.[index] ?? (/^#[0-9a-f]{6}$/i.test(color) ? color : "#808080"),
    // The font has no eighth.
    label: label.replace("⅛", "1/8"),
  }));
}

async function toPng(
  parts: readonly string[],
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  const ground = `<rect width="${width}" height="${height}" rx="6" fill="${colors.panel}" fill-opacity="0.9"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}${parts.join("")}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
