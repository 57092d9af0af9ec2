// Source assets: discovered files, their status and their errors.
import type { AssetChange, AssetDraft } from "../catalog.ts";
import { toAssetValues } from "../rows/row-values.ts";
import { type Prepare, prepareNote } from "./queries.ts";

export interface Assets {
  /** Inserts or rediscovers assets. Returns ids in the order of the drafts, which is the order of discovery. */
  discover(drafts: readonly AssetDraft[]): readonly number[];
  update(id: number, change: AssetChange, now: Date): void;
}

/** Call the functions inside a write transaction. */
export function createAssets(prepare: Prepare): Assets {
  const lastDiscovery = prepare<{ last: number | null }>("SELECT max(discovery) AS last FROM assets");
  const upsert = prepare<{ id: number }>(`
    INSERT INTO assets
        (event_id, locator, product_id, observed_at, byte_length, sha256, last_modified_at, etag, discovery, status)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'discovered')
      ON CONFLICT (event_id, locator) DO UPDATE SET product_id = excluded.product_id,
        observed_at = excluded.observed_at, byte_length = excluded.byte_length, sha256 = coalesce(excluded.sha256, sha256),
        last_modified_at = excluded.last_modified_at, etag = excluded.etag, discovery = excluded.discovery, status = excluded.status,
        completed_at = NULL, error_message = NULL
      RETURNING id`);
  const update = prepare(`
    UPDATE assets SET product_id = coalesce(?, product_id), observed_at = coalesce(?, observed_at),
        byte_length = coalesce(?, byte_length), sha256 = coalesce(?, sha256),
        last_modified_at = coalesce(?, last_modified_at), etag = coalesce(?, etag), status = ?, completed_at = ?, error_message = ?
      WHERE id = ?`);
  const noteAssets = prepareNote(prepare, "asset_version");
  return {
    discover(drafts) {
      noteAssets();
      let discovery = lastDiscovery.first()?.last ?? 0;
      return drafts.map((draft) => {
        discovery += 1;
        return upsert.first(draft.eventId, draft.locator, ...toAssetValues(draft), discovery)!.id;
      });
    },
    update(id, change, now) {
      noteAssets();
      update.run(
        ...toAssetValues(change),
        change.status,
        change.status === "complete" ? now.getTime() : null,
        change.status === "failed" ? (change.errorMessage ?? null) : null,
        id,
      );
    },
  };
}
