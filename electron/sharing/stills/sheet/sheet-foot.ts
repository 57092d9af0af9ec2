// The foot of a sheet: the legends of the layers shown, what the picture is not, and where everything comes from.
import { pickStripLabels } from "../../../../shared/products/strip-labels.ts";
import type { TextStyle, Typesetter } from "../ground/typesetter.ts";
import { sheetColors, toTenths, type SheetLook } from "./sheet-look.ts";
import type { SheetFoot, SheetLegend } from "./sheet-words.ts";

export interface DrawnFoot {
  readonly svg: string;
  /** Upper edge in pixels. */
  readonly topPx: number;
}

/** Sizes in units. */
const [stripHeight, legendWidth, legendHeight, captionSize, figureSize, textSize, textStep] = [
  11, 250, 38, 12, 11, 11, 14,
];
/** Width of a figure in the size of its text. */
const figureShare = 0.58;

export function drawFoot(words: SheetFoot, look: SheetLook, typesetter: Typesetter): DrawnFoot {
  const { unitPx, widthPx, heightPx, isNarrow, isLow } = look;
  const margin = (isNarrow ? 8 : 12) * unitPx;
  const gap = (isNarrow ? 12 : 24) * unitPx;
  const room = widthPx - 2 * margin;
  const count = words.legends.length;
  const legendPx = isNarrow ? (room - gap * (count - 1)) / Math.max(1, count) : legendWidth * unitPx;
  const textRoom = isNarrow ? room : room - count * (legendPx + gap);
  const disclosure = isLow ? words.shortDisclosure : words.disclosure;
  const lines = toLines([disclosure, words.credits], { textRoom, unitPx, typesetter });
  const textHeight = lines.length * textStep * unitPx;
  const legendsHeight = count === 0 ? 0 : legendHeight * unitPx;
  const padding = (isNarrow ? 5 : 9) * unitPx;
  const between = count === 0 ? 0 : 5 * unitPx;
  const inner = isNarrow ? legendsHeight + between + textHeight : Math.max(legendsHeight, textHeight);
  const topPx = Math.floor(heightPx - inner - 2 * padding);
  const legends = words.legends.map((legend, index) =>
    drawLegend(
      legend,
      { left: margin + index * (legendPx + gap), top: topPx + padding, legendPx, unitPx },
      typesetter,
    ),
  );
  const textTop = isNarrow
    ? topPx + padding + legendsHeight + between
    : topPx + padding + (inner - textHeight) / 2;
  const style = { sizePx: textSize * unitPx, weight: "medium" } as const;
  const texts = lines.map(({ text, fill }, index) =>
    typesetter.set(text, isNarrow ? margin : widthPx - margin, textTop + (index + 0.78) * textStep * unitPx, {
      ...style,
      fill,
      anchor: isNarrow ? "start" : "end",
    }),
  );
  const panel =
    `<rect x="0" y="${topPx}" width="${widthPx}" height="${heightPx - topPx}" fill="${sheetColors.panel}"/>` +
    `<rect x="0" y="${topPx}" width="${widthPx}" height="${toTenths(unitPx)}" fill="${sheetColors.line}"/>`;
  return { svg: [panel, ...legends, ...texts].join(""), topPx };
}

interface TextPlace {
  readonly textRoom: number;
  readonly unitPx: number;
  readonly typesetter: Typesetter;
}

function toLines(
  [disclosure, credits]: readonly [string, string],
  { textRoom, unitPx, typesetter }: TextPlace,
): { readonly text: string; readonly fill: string }[] {
  const size = { sizePx: textSize * unitPx, weight: "medium" } as const;
  const wrap = (text: string, fill: string) =>
    typesetter.wrap(text, textRoom, size, 4).map((line) => ({ text: line, fill }));
  return [...wrap(disclosure, sheetColors.disclosure), ...wrap(credits, sheetColors.credits)];
}

interface LegendPlace {
  readonly left: number;
  readonly top: number;
  readonly legendPx: number;
  readonly unitPx: number;
}

function drawLegend(
  { label, legend, showFrom = -Infinity }: SheetLegend,
  { left, top, legendPx, unitPx }: LegendPlace,
  typesetter: Typesetter,
): string {
  const { entries, unit } = legend;
  const caption = { sizePx: captionSize * unitPx, weight: "semibold", fill: sheetColors.text } as const;
  const figure = { sizePx: figureSize * unitPx, weight: "medium", fill: sheetColors.quiet } as const;
  const unitWidth = typesetter.measure(unit, figure) + 8 * unitPx;
  const [stripTop, height] = [top + 15 * unitPx, stripHeight * unitPx];
  const cellPx = legendPx / Math.max(1, entries.length);
  const cells = entries.map(({ color, from, threshold }, index) => {
    const [x, next] = [Math.round(left + index * cellPx), Math.round(left + (index + 1) * cellPx)];
    const opacity = from !== undefined && from < showFrom ? ' fill-opacity="0.25"' : "";
    const cell = `<rect x="${x}" y="${toTenths(stripTop)}" width="${next - x}" height="${toTenths(height)}" fill="${color}"${opacity}/>`;
    return cell + (threshold ? drawThreshold(x, stripTop, unitPx) : "");
  });
  const figures = pickStripLabels(entries, legendPx, figureSize * figureShare * unitPx).map((index) => {
    const isEnd = index === entries.length - 1 && index > 0;
    const style: TextStyle = {
      ...figure,
      ...(entries[index]!.threshold ? { weight: "semibold", fill: sheetColors.text } : {}),
      anchor: isEnd ? "end" : "start",
    };
    const x = isEnd ? left + legendPx : left + index * cellPx;
    return typesetter.set(entries[index]!.shortLabel, x, stripTop + height + 10.5 * unitPx, style);
  });
  return [
    typesetter.set(typesetter.fit(label, legendPx - unitWidth, caption), left, top + 10.5 * unitPx, caption),
    typesetter.set(unit, left + legendPx, top + 10.5 * unitPx, { ...figure, anchor: "end" }),
    ...cells,
    ...figures,
  ].join("");
}

/** A limit that forecasters watch for, which is outlined on the map. */
function drawThreshold(x: number, stripTop: number, unitPx: number): string {
  const [top, height] = [stripTop - 2 * unitPx, (stripHeight + 4) * unitPx].map(toTenths);
  return `<rect x="${x}" y="${top}" width="${toTenths(2 * unitPx)}" height="${height}" fill="${sheetColors.text}"/>`;
}
