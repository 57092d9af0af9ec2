// Reads the steps of briefings.
import { AppError } from "../../../../shared/app-error.ts";
import { sqlState, undefinedTable } from "../../../platform/postgres/database-error.ts";
import type { Session } from "../../../platform/postgres/database.ts";
import type { StepsRow } from "../../rows/catalog-rows.ts";

export const stepsOfEvent =
  "SELECT event_id, version, changed_at, document FROM briefing_steps WHERE event_id = $1";

/** Returns undefined if none were saved; a database of the version before has no table for them. */
export async function findStoredSteps(
  read: Session["query"],
  eventId: string,
): Promise<StepsRow | undefined> {
  try {
    const [row] = await read<StepsRow & object>(stepsOfEvent, [eventId]);
    return row;
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    if (sqlState(cause) === undefinedTable) return undefined;
    throw error;
  }
}
