// A source that a feed can watch: a folder that gets a file of hail twice a second, each two minutes of weather later.
import { renameSync } from "node:fs";
import { join } from "node:path";
import { mrmsFileName } from "../../../electron/pipeline/demo/mrms-file.ts";
import { writeGribFile } from "../../../electron/support/grib-files.ts";
import { getProduct } from "../../../shared/products/registry.ts";

export interface StormSupply {
  readonly count: () => number;
  readonly stop: () => void;
}

const everyMs = 500;
const windowMs = 120_000;
/** A feed keeps 24 hours. With two minutes a file, this lasts for six minutes. */
const spanMs = 23 * 3_600_000;

export function startSupply(folder: string): StormSupply {
  const startMs = Date.now() - spanMs;
  let count = 0;
  const timer = setInterval(() => {
    const observedAt = new Date(startMs + count * windowMs).toISOString();
    const path = writeGribFile(folder, {
      product: "mrms-mesh",
      observedAt,
      fill: 20 + (count % 60),
      name: "unfinished.part",
    });
    renameSync(path, join(folder, mrmsFileName(getProduct("mrms-mesh"), observedAt, ".grib2.gz")));
    count += 1;
  }, everyMs);
  return {
    count: () => count,
    stop: () => {
      clearInterval(timer);
    },
  };
}
