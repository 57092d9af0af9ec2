// Creates a data directory of the first version with revisions to migrate.
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFrameStore } from "../../electron/catalog/files/file-frame-store.ts";
import { initial } from "../../electron/catalog/sqlite/schema/0001-initial.ts";
import { openCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { layerOf } from "../../electron/catalog/support/drafts.ts";
import { encodePng } from "../../electron/platform/png/write.ts";

/** SQLite's `application_id` of our catalogs. */
const applicationId = 0x4563686f;
const tables = ["catalog_state", "events", "revisions", "revision_layers", "assets"];

export async function createOldDirectory(directory: string, revisions: number): Promise<void> {
  const catalog = await openCatalog({ directory, now: () => new Date() });
  const png = encodePng({
    widthPx: 1,
    heightPx: 1,
    bitDepth: 8,
    colorType: "palette",
    palette: Uint8Array.of(0, 0, 0),
    rows: Uint8Array.of(0),
  });
  const frameId = await createFrameStore({ directory }).put(png);
  for (let index = 0; index < revisions; index += 1) {
    const layers = (["mrms-mesh", "mrms-reflectivity"] as const).map((productId) => ({
      ...layerOf({ productId, seconds: index * 120 }),
      frameId,
    }));
    await catalog.publish({ event: { id: "old" }, layers, assetIds: [] });
  }
  // Completes the event, so that an ingest without files changes nothing.
  await catalog.completeEvent("old");
  await catalog.close();
  toFirstVersion(join(directory, "catalog.sqlite"));
}

/** Copies the first version's columns of a catalog into a new one that only has the first migration. */
function toFirstVersion(file: string): void {
  renameSync(file, `${file}.new`);
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; ${initial.sql}; PRAGMA user_version = 1;
    PRAGMA application_id = ${applicationId}; DELETE FROM catalog_state; ATTACH '${file}.new' AS new`);
  for (const table of tables) {
    const columns = database
      .prepare(`SELECT name FROM pragma_table_info('${table}', 'main')`)
      .all()
      .map(({ name }) => String(name))
      .join(", ");
    database.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM new.${table}`);
  }
  database.exec("DETACH new");
  database.close();
  rmSync(`${file}.new`);
}

/** Returns all published content of a directory of any version, and that version. */
export function readOldDirectory(directory: string): { readonly version: number; readonly content: string } {
  const database = new DatabaseSync(join(directory, "catalog.sqlite"));
  try {
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as {
      user_version: number;
    };
    const rows = [
      "SELECT event_id, sequence, revision_id, manifest_sha256 FROM revisions ORDER BY sequence",
      "SELECT event_id, sequence, product_id, frame_id, message_sha256 FROM revision_layers ORDER BY sequence, product_id",
      "SELECT id, kind, label, status, current_revision_id, last_sequence FROM events",
    ].map((sql) => database.prepare(sql).all());
    return { version, content: JSON.stringify(rows) };
  } finally {
    database.close();
  }
}
