// Everything around the map of a still, as SVG: the head, the side column and the marks on the map. A still that is
// shared alone must say what it shows and what it does not.
import { toDay, toDelay, toTime } from "../briefing-words.ts";
import { colors, edgePx, toRing } from "../../stills/still-look.ts";
import { headPx, mapSize, sidePx, stillSize } from "./look.ts";
import { toSideSvg } from "./side-column.ts";
import type { StillWords } from "./still-words.ts";
import type { Typesetter } from "../../stills/ground/typesetter.ts";

const { widthPx, heightPx } = stillSize;
const sideLeft = mapSize.widthPx;

export function toFurnitureSvg(words: StillWords, typesetter: Typesetter): string {
  const parts = [
    `<rect width="${widthPx}" height="${headPx}" fill="${colors.panel}"/>`,
    `<rect x="${sideLeft}" y="${headPx}" width="${sidePx}" height="${heightPx - headPx}" fill="${colors.panel}"/>`,
    `<path d="M0 ${headPx - 0.5}H${widthPx}M${sideLeft + 0.5} ${headPx}V${heightPx}" stroke="${colors.rule}"/>`,
    head(words, typesetter),
    toSideSvg(words, typesetter),
    marks(words, typesetter),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${parts.join("")}</svg>`;
}

function head(words: StillWords, typesetter: Typesetter): string {
  const { observedAt, publishedAt, sequence, latestSequence, lateness } = words;
  const blocks = [
    { caption: "Observed", value: toTime(observedAt), note: toDay(observedAt), color: colors.quiet },
    {
      caption: "Published",
      value: toTime(publishedAt),
      note: `${toDelay(observedAt, publishedAt)} later`,
      color: colors.quiet,
    },
    {
      caption: "Sequence",
      value: `${sequence} of ${latestSequence}`,
      note: lateness ?? (sequence === latestSequence ? "newest" : "new"),
      color: lateness === undefined ? colors.quiet : colors.amber,
    },
  ];
  const svg: string[] = [];
  let right = widthPx - edgePx;
  for (const { caption, value, note, color } of blocks.toReversed()) {
    const lines = [
      { text: caption, y: 36, style: { sizePx: 18, weight: "medium", fill: colors.quiet } },
      { text: value, y: 69, style: { sizePx: 28, weight: "semibold", fill: colors.text } },
      { text: note, y: 97, style: { sizePx: 19, weight: "medium", fill: color } },
    ] as const;
    const width = Math.max(...lines.map(({ text, style }) => typesetter.measure(text, style)));
    const left = right - width;
    svg.push(...lines.map(({ text, y, style }) => typesetter.set(text, left, y, style)));
    svg.push(`<rect x="${Math.round(left) - 22}" y="22" width="1" height="68" fill="${colors.rule}"/>`);
    right = left - 44;
  }
  const room = right - edgePx;
  const title = { sizePx: 23, weight: "medium", fill: colors.quiet } as const;
  const product = { sizePx: 36, weight: "semibold", fill: colors.text } as const;
  return [
    typesetter.set(typesetter.fit(words.product, room, product), edgePx, 56, product),
    typesetter.set(typesetter.fit(words.title, room, title), edgePx, 93, title),
    ...svg,
  ].join("");
}

function marks({ mark, emptiness, highest, attribution }: StillWords, typesetter: Typesetter): string {
  const halo = { color: colors.casing, widthPx: 3 };
  const style = { sizePx: 16, weight: "medium", fill: colors.quiet, anchor: "end", halo } as const;
  const sources = `${attribution} · Lines: U.S. Census, Natural Earth · Places: GeoNames`;
  const fitted = typesetter.fit(sources, sourcesWidthPx, style);
  const parts = [typesetter.set(fitted, sideLeft - 14, heightPx - 14, style)];
  if (mark !== undefined) parts.push(sign(mark, edgePx, headPx + 20, typesetter));
  if (emptiness !== undefined) parts.push(notice(emptiness, typesetter));
  if (highest) parts.push(ring(highest));
  return parts.join("");
}

/** Width of the line of sources at the lower right of the map. */
export const sourcesWidthPx = mapSize.widthPx - 330;

/** Returns the box of the sign in pixels of the map; labels avoid it. */
export function signBox(mark: string, typesetter: Typesetter): readonly [number, number, number, number] {
  const width = typesetter.measure(mark, signText) + 36;
  return [edgePx, 12, edgePx + width, 68];
}

const signText = { sizePx: 21, weight: "semibold", fill: colors.panel } as const;

function sign(text: string, left: number, top: number, typesetter: Typesetter): string {
  const width = round(typesetter.measure(text, signText) + 36);
  const box = `<rect x="${left}" y="${top}" width="${width}" height="42" rx="4" fill="${colors.amber}"/>`;
  return box + typesetter.set(text, left + 18, top + 29, signText);
}

/** Draws a thin ring around the highest value, which the side column explains. */
function ring({ x, y }: NonNullable<StillWords["highest"]>): string {
  return toRing(round(x), round(headPx + y), 24);
}

function notice(text: string, typesetter: Typesetter): string {
  const style = { sizePx: 30, weight: "semibold", fill: colors.text, anchor: "middle" } as const;
  const width = round(typesetter.measure(text, style) + 72);
  const middle = headPx + mapSize.heightPx / 2;
  const box = `<rect x="${round((sideLeft - width) / 2)}" y="${middle - 44}" width="${width}" height="88" rx="6" fill="${colors.panel}" fill-opacity="0.92" stroke="${colors.rule}"/>`;
  return box + typesetter.set(text, sideLeft / 2, middle + 11, style);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
