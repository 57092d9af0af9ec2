// The steps of an event's briefing; none for an event whose briefing has not been saved.
import { AppError } from "../../../../shared/app-error.ts";
import { noSteps, parseStoredSteps, type StoredSteps } from "../../../../shared/views/briefing-steps.ts";
import type { CatalogReader, WorkReader } from "../../../catalog/catalog.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import { createJsonAnswer, strongEtag } from "../../http/answer.ts";
import type { Handler } from "../request-input.ts";

/** Reads without holding answers: steps are large and rarely read. */
export type StepsCatalog = Pick<CatalogReader, "findEvent"> & Pick<WorkReader, "findSteps">;

export function createSteps(catalog: StepsCatalog): Handler<"getSteps"> {
  return async ({ eventId }) => {
    const steps = await readSteps(catalog, eventId);
    return createJsonAnswer(steps, { etag: strongEtag(sha256Of(JSON.stringify(steps))) });
  };
}

async function readSteps(catalog: StepsCatalog, eventId: string): Promise<StoredSteps> {
  const record = await catalog.findSteps(eventId);
  if (record) {
    const { version, changedAt } = record;
    return { version, changedAt, document: parseStoredSteps(record.document) };
  }
  if (!(await catalog.findEvent(eventId))) {
    throw new AppError("not-found", "There is no storm event with this id.");
  }
  return { version: 0, changedAt: null, document: noSteps(eventId) };
}
