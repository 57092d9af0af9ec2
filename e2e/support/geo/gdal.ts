// Somebody else's readers of maps: GDAL, libxml2, and Python's Pillow and fastkml. A test that needs one is skipped by
// name where it is not installed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { areInstalled } from "../../../electron/support/engines/engine-parts.ts";
import { runProgram } from "../run-program.ts";

export const hasGdal = areInstalled(["gdalinfo", "gdal_translate", "gdallocationinfo", "ogrinfo"]);
export const gdalNeeds = hasGdal ? "" : " (install gdal-bin to run this)";

export const hasXmllint = areInstalled(["xmllint"]);
export const xmllintNeeds = hasXmllint ? "" : " (install libxml2-utils to run this)";

/** The system's Python, which has the packages of the distribution. */
const python = "/usr/bin/python3";
const modules = "import PIL.Image, fastkml";
export const hasPythonReaders = spawnSync(python, ["-c", modules]).status === 0;
export const pythonNeeds = hasPythonReaders ? "" : " (install python3-fastkml and python3-pil to run this)";

/** Returns what a program prints. @throws Error with its complaint if it fails, or complains and succeeds */
export async function ask(program: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runProgram(program, args);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return stdout.toString("utf8");
}

/** Returns the JSON that a Python program prints. */
export async function askPython(program: string, ...args: readonly string[]): Promise<unknown> {
  return JSON.parse(await ask(python, "-c", program, ...args));
}

export interface RasterInfo {
  readonly size: readonly [columns: number, rows: number];
  /** West edge, width of a pixel, 0, north edge, 0, negative height of a pixel. */
  readonly geoTransform: readonly [number, number, number, number, number, number];
  readonly metadata: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly stac: { readonly "proj:epsg": number };
  readonly bands: readonly {
    readonly type: string;
    readonly noDataValue: number;
    readonly description: string;
    readonly colorTable: { readonly entries: readonly (readonly [number, number, number, number])[] };
  }[];
}

export async function readInfo(path: string): Promise<RasterInfo> {
  return JSON.parse(await ask("gdalinfo", "-json", path)) as RasterInfo;
}

/** Returns all values of the first band as GDAL reads them, row-major from the north. */
export async function readBand(path: string): Promise<Float32Array> {
  const folder = mkdtempSync(join(tmpdir(), "echotop-gdal-"));
  try {
    const raw = join(folder, "band.bin");
    await ask("gdal_translate", "-q", "-of", "ENVI", "-ot", "Float32", path, raw);
    const bytes = readFileSync(raw);
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
