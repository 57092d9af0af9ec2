// The options of exports that are pictures: size, view, palette and speed.
import { Option } from "@commander-js/extra-typings";
import { defaultPalette, paletteIds } from "../../shared/products/palettes.ts";
import type { CameraView, PictureChoice } from "../sharing/exports/export-request.ts";
import { parseDecimal, UsageError } from "./option-values.ts";

const least = { widthPx: 256, heightPx: 180 } as const;
const most = { widthPx: 7680, heightPx: 4320 } as const;
const defaultSize = { widthPx: 1920, heightPx: 1080 } as const;
/** Frames a second, as in the viewer. */
const speeds = ["1", "2", "4", "8", "15"] as const;
const defaultSpeed = 4;
/** The latitudes of the Web Mercator square. */
const mostLatitude = 85;
const mostZoom = 18;

type Size = Pick<PictureChoice, "widthPx" | "heightPx">;

export function sizeOption() {
  return new Option("--size <WxH>", "size of pictures in pixels (default: 1920x1080)").argParser(parseSize);
}

export function viewOption() {
  return new Option(
    "--view <lon,lat,zoom>",
    "middle and zoom of pictures, as in the viewer (default: the event's area)",
  ).argParser(parseView);
}

export function paletteOption() {
  return new Option("--palette <id>", `colors of pictures (default: ${defaultPalette})`).choices(paletteIds);
}

export function speedOption() {
  return new Option("--speed <number>", `frames of a loop a second (default: ${defaultSpeed})`).choices(
    speeds,
  );
}

interface PictureOptions {
  readonly size?: Size | undefined;
  readonly view?: CameraView | undefined;
  readonly palette?: PictureChoice["palette"] | undefined;
  readonly speed?: (typeof speeds)[number] | undefined;
}

export function toPictureChoice({ size, view, palette, speed }: PictureOptions): PictureChoice {
  return {
    ...(size ?? defaultSize),
    view,
    palette: palette ?? defaultPalette,
    framesPerSecond: speed === undefined ? defaultSpeed : Number(speed),
  };
}

/** Returns the first of the options that was given, for a format to which none applies. */
export function findPictureOption(options: PictureOptions): string | undefined {
  return (["size", "view", "palette", "speed"] as const).find((name) => options[name] !== undefined);
}

export function parseSize(text: string): Size {
  const match = /^(\d{1,5})x(\d{1,5})$/i.exec(text);
  const [widthPx, heightPx] = [Number(match?.[1]), Number(match?.[2])];
  const isWithin =
    widthPx >= least.widthPx &&
    widthPx <= most.widthPx &&
    heightPx >= least.heightPx &&
    heightPx <= most.heightPx;
  if (isWithin) return { widthPx, heightPx };
  throw new UsageError(
    `--size takes ${toWords(least)} to ${toWords(most)}, such as 1920x1080, not "${text}".`,
  );
}

function toWords({ widthPx, heightPx }: Size): string {
  return `${widthPx}x${heightPx}`;
}

export function parseView(text: string): CameraView {
  const [longitude, latitude, zoom, ...more] = text.split(",").map(parseSigned);
  const isWithin =
    more.length === 0 &&
    Math.abs(longitude!) <= 180 &&
    Math.abs(latitude!) <= mostLatitude &&
    zoom! >= 0 &&
    zoom! <= mostZoom;
  if (isWithin) return { longitude: longitude!, latitude: latitude!, zoom: zoom! };
  throw new UsageError(
    `--view takes a longitude of -180 to 180, a latitude of -${mostLatitude} to ${mostLatitude} and a zoom of 0 to ${mostZoom}, such as -97.4,35.2,7, not "${text}".`,
  );
}

function parseSigned(text: string): number {
  const [, sign, digits] = /^\s*([+-]?)(.*?)\s*$/.exec(text)!;
  return (sign === "-" ? -1 : 1) * parseDecimal(digits!);
}
