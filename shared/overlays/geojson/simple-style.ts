// Colors and widths of simplestyle-spec, which GeoJSON files and readers of KML share.
import type { OverlayStyle } from "../overlay.ts";
import type { Properties } from "./parse-features.ts";

const widestPx = 20;

export function readSimpleStyle(properties: Properties): OverlayStyle | undefined {
  const color =
    readColor(properties.stroke, properties["stroke-opacity"]) ??
    readColor(properties["marker-color"] ?? properties["icon-color"], 1);
  const width = readNumber(properties["stroke-width"]);
  const widthPx = width === undefined || width < 0 ? undefined : Math.min(width, widestPx);
  const fill = readFill(properties);
  return color === undefined && widthPx === undefined && fill === undefined
    ? undefined
    : { color, widthPx, fill };
}

/** A fill that says only how opaque it is has the color of the line. */
function readFill(properties: Properties): string | undefined {
  const opacity = properties["fill-opacity"];
  if (readNumber(opacity) === 0) return undefined;
  const color = properties.fill ?? (opacity === undefined ? undefined : properties.stroke);
  return readColor(color, opacity ?? usualFillOpacity);
}

/** Opacity of a fill in simplestyle-spec where a file does not say it. */
const usualFillOpacity = 0.6;

/** Converts `#rgb` or `#rrggbb`, with or without its sign. */
function readColor(color: unknown, opacity: unknown): string | undefined {
  const found = typeof color === "string" ? /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color.trim()) : null;
  if (!found) return undefined;
  const hex = found[1]!.toLowerCase();
  const full = hex.length === 6 ? hex : hex.replace(/./g, "$&$&");
  const share = Math.min(1, Math.max(0, readNumber(opacity) ?? 1));
  const alpha = Math.round(share * 255);
  return `#${full}${alpha === 255 ? "" : alpha.toString(16).padStart(2, "0")}`;
}

function readNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
