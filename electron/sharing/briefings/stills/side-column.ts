// The column next to a still's map, as SVG: the legend with its highest value on top, the warning and the caveat.
import { outlineColors } from "../../../../shared/frames/outlines.ts";
import { colors, edgePx, toRing } from "../../stills/still-look.ts";
import { headPx, mapSize, sidePx, stillSize } from "./look.ts";
import type { StillWords } from "./still-words.ts";
import type { Typesetter } from "../../stills/ground/typesetter.ts";

const left = mapSize.widthPx + edgePx;
const room = sidePx - 2 * edgePx;
const swatchPx = 52;
const legendTop = headPx + 66;
const legendHeightPx = 440;
const tallestRowPx = 40;

const quiet = { sizePx: 19, weight: "medium", fill: colors.quiet } as const;
const plain = { sizePx: 19, weight: "medium", fill: colors.text } as const;
const tagStyle = { sizePx: 22, weight: "semibold", fill: colors.amber } as const;

export function toSideSvg(words: StillWords, typesetter: Typesetter): string {
  const caption = typesetter.set(`Colors, in ${words.legend.unit}`, left, headPx + 42, quiet);
  const { svg, bottom } = legendColumn(words, typesetter);
  let y = bottom + 44;
  const lines = (texts: readonly string[], style: typeof plain | typeof tagStyle, step: number): string =>
    texts
      .map((text) => {
        const line = typesetter.set(text, left, y, style);
        y += step;
        return line;
      })
      .join("");
  const tag = lines(typesetter.wrap(words.tag, room, tagStyle, 2), tagStyle, 29);
  y += 2;
  const caveat = lines(typesetter.wrap(words.caveat, room, plain, 6), plain, 26);
  return caption + svg + tag + caveat + highestNote(words, typesetter) + coverageNote(words, typesetter);
}

function legendColumn(
  { legend }: StillWords,
  typesetter: Typesetter,
): { readonly svg: string; readonly bottom: number } {
  const count = Math.max(1, legend.entries.length);
  const step = Math.min(tallestRowPx, Math.floor(legendHeightPx / count));
  const sizePx = Math.min(21, Math.max(13, step - 8));
  const svg = legend.entries.toReversed().map(({ color, shortLabel, threshold }, row) => {
    const top = legendTop + row * step;
    const weight = threshold ? "semibold" : "medium";
    const style = { sizePx, weight, fill: threshold ? colors.text : colors.quiet } as const;
    // The label marks the lower edge of its color, which has this value.
    const text = typesetter.fit(shortLabel, room - swatchPx - 30, style);
    return (
      `<rect x="${left}" y="${top}" width="${swatchPx}" height="${step}" fill="${color}"/>` +
      (threshold ? outlineAt(top + step) : ruleAt(top + step)) +
      typesetter.set(text, left + swatchPx + 20, top + step + sizePx * 0.36, style)
    );
  });
  return { svg: svg.join(""), bottom: legendTop + count * step };
}

function ruleAt(y: number): string {
  return `<rect x="${left}" y="${y - 1}" width="${swatchPx + 12}" height="1" fill="${colors.rule}"/>`;
}

/** Draws the map's outline, dark on the lower side. */
function outlineAt(y: number): string {
  const { light, dark } = outlineColors;
  const line = (top: number, color: string): string =>
    `<rect x="${left - 6}" y="${top}" width="${swatchPx + 18}" height="2" fill="${color}"/>`;
  return line(y - 4, light) + line(y - 2, dark);
}

/** Explains the ring on the map. */
function highestNote({ highest }: StillWords, typesetter: Typesetter): string {
  if (!highest) return "";
  const textLeft = left + swatchPx + 20;
  const lines = typesetter.wrap(highest.text, stillSize.widthPx - 12 - textLeft, quiet, 2);
  const y = stillSize.heightPx - 84 - (lines.length - 1) * 24;
  return (
    toRing(left + swatchPx / 2, y - 7 + (lines.length - 1) * 12, 13) +
    lines.map((line, index) => typesetter.set(line, textLeft, y + index * 24, quiet)).join("")
  );
}

function coverageNote({ hasCoverage }: StillWords, typesetter: Typesetter): string {
  if (!hasCoverage) return "";
  const y = stillSize.heightPx - 30;
  const [top, width, height] = [y - 19, swatchPx, 24];
  const hatch = [0, 14, 28, 42, 56, 70]
    .map((at) => `M${left + at - 24} ${top + height}l${height} -${height}`)
    .join("");
  const clip = `<clipPath id="c"><rect x="${left}" y="${top}" width="${width}" height="${height}"/></clipPath>`;
  return (
    `${clip}<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${colors.land}" stroke="${colors.rule}"/>` +
    `<path clip-path="url(#c)" d="${hatch}" stroke="${colors.quiet}" stroke-opacity="0.6" stroke-width="1.6"/>` +
    typesetter.set("No radar coverage", left + swatchPx + 20, y, quiet)
  );
}
