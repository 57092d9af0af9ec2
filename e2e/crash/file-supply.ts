// A storm without end: small MRMS files of both products, window after window, each with a unique picture. Sometimes a
// file corrects an earlier one.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { windowMs } from "../../shared/revisions/observation-window.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";

const startMs = Date.UTC(2024, 4, 1, 20, 0, 39);

export interface FileSupply {
  /** Writes the files of the next `windows` windows and returns their paths. */
  next(windows: number): string[];
}

/** Creates a supply; `shade` makes its pictures different from those of other supplies. */
export function createFileSupply(folder: string, shade: number, random: () => number): FileSupply {
  mkdirSync(folder, { recursive: true });
  let window = 0;
  let written = 0;
  const write = (product: "mrms-mesh" | "mrms-reflectivity", atWindow: number, name?: string): string => {
    const own = shade + written++;
    // Three cells encode the number, so that thousands of pictures differ.
    const marks = [own % 12, Math.floor(own / 12) % 12, Math.floor(own / 144) % 12];
    const observedAt = new Date(startMs + atWindow * windowMs).toISOString();
    const values = (row: number, column: number): number =>
      ((row === 0 ? (marks[column] ?? 1) : row * 7 + column) % 12) * 5;
    return writeGribFile(folder, { product, observedAt, values, ...(name === undefined ? {} : { name }) });
  };
  return {
    next(windows) {
      const paths: string[] = [];
      for (let count = 0; count < windows; count += 1) {
        const kind = random();
        if (kind < 0.9) paths.push(write("mrms-mesh", window));
        if (kind > 0.1) paths.push(write("mrms-reflectivity", window));
        if (kind > 0.8 && window > 0) {
          paths.push(write("mrms-reflectivity", window, join(`corrected-${written}.grib2.gz`)));
        }
        window += 1;
      }
      return paths;
    },
  };
}
