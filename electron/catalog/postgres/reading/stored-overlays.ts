// Reads the overlays that are kept with events. A database of the version before has no table for them.
import { AppError } from "../../../../shared/app-error.ts";
import type { KeptOverlay } from "../../../../shared/contract/overlays.ts";
import { sqlState, undefinedTable } from "../../../platform/postgres/database-error.ts";
import type { Session } from "../../../platform/postgres/database.ts";
import { toKeptOverlay, type OverlayRow } from "../../rows/catalog-rows.ts";

export const documentsOfEvent = "SELECT document FROM kept_overlays WHERE event_id = $1 ORDER BY name";

/** Lists the overlays of an event by name, without their bytes. */
export async function listStoredOverlays(read: Session["query"], eventId: string): Promise<KeptOverlay[]> {
  const rows = await readKnown(() => read<Pick<OverlayRow, "document">>(documentsOfEvent, [eventId]));
  return rows.map(toKeptOverlay);
}

export async function readStoredOverlay(
  read: Session["query"],
  eventId: string,
  sha256: string,
): Promise<Uint8Array | undefined> {
  const sql = "SELECT content FROM kept_overlays WHERE event_id = $1 AND sha256 = $2 LIMIT 1";
  const rows = await readKnown(() => read<Pick<OverlayRow, "content">>(sql, [eventId, sha256]));
  return rows[0]?.content;
}

/** Lists the overlays of an event by name, with their bytes. */
export function listOverlayRows(read: Session["query"], eventId: string): Promise<readonly OverlayRow[]> {
  const sql = `SELECT event_id, name, sha256, fetched_at, document, content FROM kept_overlays
    WHERE event_id = $1 ORDER BY name`;
  return readKnown(() => read<OverlayRow & object>(sql, [eventId]));
}

async function readKnown<Row>(read: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await read();
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    if (sqlState(cause) === undefinedTable) return [];
    throw error;
  }
}
