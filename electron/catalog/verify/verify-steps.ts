// Verifies the steps of briefings: each is a valid document of its event.
import { messageOf } from "../../../shared/app-error.ts";
import { BriefingSteps } from "../../../shared/views/briefing-steps.ts";
import type { StepsRow } from "../rows/catalog-rows.ts";
import { stepsPlace } from "./finding-places.ts";
import type { Findings } from "./findings.ts";

export async function verifySteps(
  rows: Iterable<StepsRow> | AsyncIterable<StepsRow>,
  findings: Findings,
): Promise<void> {
  for await (const row of rows) {
    const what = findStepsFault(row);
    if (what !== undefined) findings.fault(stepsPlace(row.event_id, findings.catalog), what);
  }
}

/** Returns what is wrong with steps, in a sentence; undefined if they are sound. */
export function findStepsFault({ event_id, document }: StepsRow): string | undefined {
  let content: unknown;
  try {
    content = JSON.parse(document);
  } catch (error) {
    return `They are not JSON: ${messageOf(error)}.`;
  }
  const { data, error } = BriefingSteps.safeParse(content);
  if (error) return `They violate their form: ${error.issues[0]!.message}.`;
  return data.eventId === event_id ? undefined : `They belong to the event ${data.eventId}.`;
}
