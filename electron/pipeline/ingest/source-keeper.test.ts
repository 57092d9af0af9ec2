import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSourceStore } from "../../catalog/files/file-source-store.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { createRenderPool } from "./render-pool.ts";
import { createSourceKeeper, type SourcePlace } from "./source-keeper.ts";
import { createWorkshop, workerUrl, type Workshop } from "./support/workshop.ts";

const pool = createRenderPool({ workerUrl });
afterAll(() => pool.close());

function placeOf({ data }: Workshop): SourcePlace {
  return { sources: createSourceStore({ directory: data }), stagingFolder: join(data, "staging") };
}

test("published files are kept as they are, under the hash that their layers name", async () => {
  const workshop = await createWorkshop(pool);
  const path = workshop.write("mrms-mesh", "2024-05-20T22:00:40Z");
  chmodSync(path, 0o444);
  const sourcePlace = placeOf(workshop);
  const [result] = await workshop.ingest([path], undefined, { sourcePlace });
  expect(result?.status).toBe("complete");
  const revision = await workshop.catalog.findLatestRevision("storm");
  const [layer] = await workshop.catalog.listLayers("storm", revision!.revisionId);
  expect(layer?.sourceSha256).toBe(sha256Of(readFileSync(path)));
  const kept = await sourcePlace.sources.read(layer!.sourceSha256!);
  expect(kept && Buffer.from(kept)).toEqual(readFileSync(path));
});

test("a file that changed nothing is not kept, and one ingested without a place is not either", async () => {
  const workshop = await createWorkshop(pool);
  const path = workshop.write("mrms-mesh", "2024-05-20T22:00:40Z");
  await workshop.ingest([path]);
  const sourcePlace = placeOf(workshop);
  const again = join(workshop.sources, "again.grib2");
  writeFileSync(again, Buffer.concat([readFileSync(path)]));
  const [result] = await workshop.ingest([again], undefined, { sourcePlace });
  expect(result?.status).toBe("unchanged");
  expect(await sourcePlace.sources.has(sha256Of(readFileSync(path)))).toBe(false);
});

test("a file that changes or vanishes after it was drawn is refused by a sentence", async () => {
  const workshop = await createWorkshop(pool);
  const path = workshop.write("mrms-mesh", "2024-05-20T22:00:40Z");
  const drawn = sha256Of(readFileSync(path));
  writeFileSync(path, "other");
  const keeper = createSourceKeeper(placeOf(workshop), workshop.catalog);
  await expect(keeper.keep(path, drawn)).rejects.toMatchObject({ code: "source-invalid" });
  await keeper.discardUnused();
  expect(await placeOf(workshop).sources.has(sha256Of(Buffer.from("other")))).toBe(false);
  rmSync(path);
  await expect(keeper.keep(path, drawn)).rejects.toThrow("The file was removed while it was read.");
});
