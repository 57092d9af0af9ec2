// Removes damaged overlays of events: nothing else holds their bytes. Official ones can be fetched again.
import type { OverlayRow } from "../rows/catalog-rows.ts";
import { prepareNote } from "../sqlite/queries.ts";
import { overlayPlace } from "../verify/finding-places.ts";
import { findOverlayFault } from "../verify/verify-overlays.ts";
import type { RepairContext } from "./repair-context.ts";

export interface DamagedOverlay {
  readonly eventId: string;
  readonly name: string;
}

export async function repairOverlays(
  damaged: readonly DamagedOverlay[],
  { prepare, commit, report }: RepairContext,
): Promise<void> {
  const find = prepare<OverlayRow>("SELECT * FROM kept_overlays WHERE event_id = ? AND name = ?");
  const remove = prepare("DELETE FROM kept_overlays WHERE event_id = ? AND name = ?");
  const noteChange = prepareNote(prepare, "asset_version");
  for (const { eventId, name } of damaged) {
    const what = await commit(() => {
      const row = find.first(eventId, name);
      const fault = row && findOverlayFault(row);
      if (fault !== undefined) {
        remove.run(eventId, name);
        noteChange();
      }
      return fault;
    });
    if (what === undefined) continue;
    report({ severity: "fault", where: overlayPlace(eventId, name), what, repaired: "It was removed." });
  }
}
