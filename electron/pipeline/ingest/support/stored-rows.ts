// Reads what an ingest has stored, in a form that tests compare.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MrmsManifest } from "../../../../shared/contract/manifest.ts";
import type { ReadableCatalog } from "../../../catalog/catalog.ts";
import type { Workshop } from "./workshop.ts";

/** Returns sequence, observation time and layers of each revision. */
export async function revisionsOf(catalog: ReadableCatalog, eventId = "storm"): Promise<string[]> {
  const revisions = await catalog.listRevisions(eventId, 360);
  return revisions.map(({ sequence, manifest }) => {
    const { layers } = MrmsManifest.parse(JSON.parse(Buffer.from(manifest).toString()));
    return `${sequence} ${layers.map(({ id, observedAt }) => `${id.slice(5, 9)} ${observedAt.slice(11, 19)}`).join(" + ")}`;
  });
}

/** Returns the rows of source files in the order of their discovery. */
export function assetsOf({ data }: Workshop): Record<string, unknown>[] {
  const database = new DatabaseSync(join(data, "catalog.sqlite"), { readOnly: true });
  try {
    return database.prepare("SELECT * FROM assets ORDER BY discovery").all();
  } finally {
    database.close();
  }
}
