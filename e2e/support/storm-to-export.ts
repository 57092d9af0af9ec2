// A storm of two layers and a correction, published in a data directory, for tests of what leaves by the command line.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import { makeTemporaryDirectory, removeDirectory, runCommand } from "../../electron/support/host-process.ts";
import { getProduct } from "../../shared/products/registry.ts";

export const [hail, echo] = ["mrms-mesh", "mrms-reflectivity"] as const;
export const times = ["2024-05-20T21:00:39Z", "2024-05-20T21:02:41Z", "2024-05-20T21:04:40Z"] as const;

export interface ExportedFile {
  readonly file: string;
  readonly format: string;
  readonly revisionIds: readonly string[];
  readonly sha256: string;
}

/** Windows 1 to 3, then revision 4, which corrects the hail of the first; the third window has no hail at all. */
export class StormToExport {
  readonly root = makeTemporaryDirectory("storm-to-export");
  readonly data = join(this.root, "data");
  /** The source file of each folder, product and window, such as `first mrms-mesh 0`. */
  readonly sources = new Map<string, string>();

  async publish(): Promise<void> {
    const seeds = [1, 2, undefined];
    await this.#ingest(
      seeds.flatMap((seed, window) => [
        this.#write("first", hail, window, seed),
        this.#write("first", echo, window, window + 5),
      ]),
    );
    // The correction has a file of the same name.
    await this.#ingest([this.#write("again", hail, 0, 9)]);
  }

  /** Runs a command that must succeed, and returns its lines. */
  async run(...args: readonly string[]): Promise<ExportedFile[]> {
    const { status, lines, stderr } = await runCommand([...args, "--data", this.data]);
    expect(status, stderr).toBe(0);
    return lines as unknown as ExportedFile[];
  }

  remove(): void {
    removeDirectory(this.root);
  }

  async #ingest(paths: readonly string[]): Promise<void> {
    await this.run("ingest", "--event", "storm", "--label", "Hail & echo (test)", ...paths);
  }

  /** Without a seed, the file holds nothing but missing values. */
  #write(folder: string, product: typeof hail | typeof echo, window: number, seed?: number): string {
    mkdirSync(join(this.root, folder), { recursive: true });
    const values = seed === undefined ? () => getProduct(product).flags.missing : valuesOf(product, seed);
    const size = { columns: 70, rows: 50, values, gzip: false };
    const path = writeGribFile(join(this.root, folder), { product, observedAt: times[window]!, ...size });
    this.sources.set(`${folder} ${product} ${window}`, path);
    return path;
  }
}

export function valuesOf(product: string, seed: number): (row: number, column: number) => number {
  return (row, column) => {
    if (column > 57) return product === hail ? -3 : -999;
    const wave = Math.sin((row + seed * 5) / 6) * Math.cos((column + seed * 7) / 8);
    const noise = ((row * 7919 + column * 104_729 + seed * 31) % 97) / 97;
    if (wave < 0.2 && noise < 0.9) return product === hail ? -1 : -99;
    return product === hail ? 70 * wave * noise : 60 * wave + 8 * noise;
  };
}
