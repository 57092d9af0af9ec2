// Removes damaged steps of briefings: nothing else holds what they said, and damaged ones could not be replaced.
import { prepareSteps } from "../sqlite/steps-table.ts";
import { prepareNote } from "../sqlite/queries.ts";
import { stepsPlace } from "../verify/finding-places.ts";
import { findStepsFault } from "../verify/verify-steps.ts";
import type { RepairContext } from "./repair-context.ts";

export async function repairSteps(
  eventIds: readonly string[],
  { prepare, commit, report }: RepairContext,
): Promise<void> {
  const findSteps = prepareSteps(prepare);
  const remove = prepare("DELETE FROM briefing_steps WHERE event_id = ?");
  const noteChange = prepareNote(prepare, "asset_version");
  for (const eventId of eventIds) {
    const what = await commit(() => {
      const row = findSteps(eventId);
      const fault = row && findStepsFault(row);
      if (fault !== undefined) {
        remove.run(eventId);
        noteChange();
      }
      return fault;
    });
    if (what === undefined) continue;
    report({ severity: "fault", where: stepsPlace(eventId), what, repaired: "They were removed." });
  }
}
