// A valid data directory with the sources of its frames, for tests that damage it. A source file holds the shade of its
// picture as text, and rendering it again gives the picture.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError } from "../../../shared/app-error.ts";
import { dataDirectory, frameLocation, sourceLocations } from "../files/data-directory.ts";
import { createFrameStore } from "../files/file-frame-store.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { openCatalog } from "../sqlite/open-catalog.ts";
import type { Redrawn } from "../repair/repair-context.ts";
import { pictureOf } from "./pictures.ts";
import { assetOf, layerOf, startMs, type LayerFacts } from "./drafts.ts";

export interface SampleDirectory {
  readonly directory: string;
  /** Local files from which event "b" was made; event "a" has stored sources. */
  readonly localFolder: string;
  /** Frames of event "a", by sequence. */
  readonly frames: readonly string[];
  /** Frames of event "b", by sequence; the first one is also that of "a". */
  readonly otherFrames: readonly string[];
}

/** Creates two events with five revisions, and closes the catalog. The caller removes `directory` and `localFolder`. */
export async function createSampleDirectory(): Promise<SampleDirectory> {
  const directory = await mkdtemp(join(tmpdir(), "echotop-"));
  const localFolder = await mkdtemp(join(tmpdir(), "echotop-"));
  const catalog = await openCatalog({ directory, now: () => new Date(startMs) });
  const store = createFrameStore({ directory });
  const frames = { a: [] as string[], b: [] as string[] };
  const publish = async (id: "a" | "b", shade: number, facts: LayerFacts): Promise<void> => {
    const frameId = await store.put(pictureOf(shade));
    frames[id].push(frameId);
    const source = Buffer.from(String(shade));
    const sourceSha256 = sha256Of(source);
    const layer = { ...layerOf(facts), frameId };
    if (id === "a") {
      writeKeptSource(directory, source);
      await catalog.publish({ event: { id }, layers: [{ ...layer, sourceSha256 }], assetIds: [] });
      return;
    }
    const path = join(localFolder, `${shade}.grib2.gz`);
    writeFileSync(path, source);
    const { productId, observedAt } = layer;
    const asset = assetOf(id, path, { productId, observedAt, sha256: sourceSha256 });
    await catalog.publish({
      event: { id },
      layers: [layer],
      assetIds: await catalog.discoverAssets([asset]),
    });
  };
  for (let index = 0; index < 3; index += 1) await publish("a", index, { seconds: index * 120 });
  await publish("b", 0, { productId: "mrms-reflectivity" });
  await publish("b", 9, {});
  await catalog.close();
  return { directory, localFolder, frames: frames.a, otherFrames: frames.b };
}

/** Returns the path. */
export function writeKeptSource(directory: string, bytes: Uint8Array): string {
  const { gzip } = sourceLocations(dataDirectory(directory).sourcesFolder, sha256Of(bytes));
  mkdirSync(dirname(gzip), { recursive: true });
  writeFileSync(gzip, bytes);
  return gzip;
}

/** @throws AppError `source-invalid` for a file without a shade */
export function redrawSample(path: string): Promise<Redrawn> {
  const bytes = readFileSync(path);
  const shade = Number(bytes.toString());
  if (Number.isNaN(shade)) return Promise.reject(new AppError("source-invalid", "It holds no shade."));
  return Promise.resolve({ png: pictureOf(shade), sha256: sha256Of(bytes) });
}

/** Changes a catalog without its writer. */
export function changeCatalog(directory: string, sql: string): void {
  const database = new DatabaseSync(dataDirectory(directory).catalogFile, {
    enableForeignKeyConstraints: false,
  });
  database.exec(sql);
  database.close();
}

export function frameFileOf(directory: string, frameId: string): string {
  return frameLocation(dataDirectory(directory).framesFolder, frameId).file;
}
