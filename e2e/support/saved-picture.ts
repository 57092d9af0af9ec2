// Pictures that the viewer saved, as Pillow reads them, and as pixels.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Download } from "@playwright/test";
import sharp from "sharp";
import type { Rgb } from "./viewer-page.ts";

/** Python may be there several times; the first that has Pillow counts. */
const python = ["python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import PIL"], { stdio: "ignore" }).status === 0,
);
export const hasPillow = python !== undefined;

const script = `
import json, sys
from PIL import Image
with Image.open(sys.argv[1]) as picture:
    picture.load()
    print(json.dumps({"size": picture.size, "mode": picture.mode, "text": {k: str(v) for k, v in picture.text.items()}}))
`;

export interface PillowPicture {
  readonly size: readonly [widthPx: number, heightPx: number];
  readonly mode: string;
  readonly text: Readonly<Record<string, string>>;
}

export function readWithPillow(path: string): PillowPicture {
  const { stdout, stderr } = spawnSync(python!, ["-c", script, path], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as PillowPicture;
}

export class SavedPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Four bytes a pixel. */
  readonly #samples: Uint8Array;

  private constructor(samples: Uint8Array, widthPx: number, heightPx: number) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.#samples = samples;
  }

  static async parse(png: Uint8Array): Promise<SavedPicture> {
    const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return new SavedPicture(data, info.width, info.height);
  }

  static async of(download: Download): Promise<SavedPicture> {
    return SavedPicture.parse(readFileSync(await download.path()));
  }

  /** Returns the pixels of a rectangle, row by row. */
  read(left: number, top: number, widthPx: number, heightPx: number): Rgb[] {
    const pixels: Rgb[] = [];
    for (let y = top; y < top + heightPx; y++) {
      for (let x = left; x < left + widthPx; x++) {
        const at = (y * this.widthPx + x) * 4;
        pixels.push([this.#samples[at]!, this.#samples[at + 1]!, this.#samples[at + 2]!]);
      }
    }
    return pixels;
  }

  /** Opacity of a pixel, 0 to 255. */
  opacityAt(x: number, y: number): number {
    return this.#samples[(y * this.widthPx + x) * 4 + 3]!;
  }
}
