// Verifies a service: its rows as those of a data directory, and its objects against the index of blobs. Changes
// nothing. Other processes may write meanwhile. Loaded only where a service is configured.
import { createServiceRows } from "../../postgres/copying/service-rows.ts";
import { createStoredBlobs } from "../../postgres/reading/stored-blobs.ts";
import type { OverlayRow, StepsRow } from "../../rows/catalog-rows.ts";
import type { StoredRows } from "../../rows/stored-rows.ts";
import type { ServiceLocation } from "../../stores/located-stores.ts";
import { openServiceParts, type OpenedService } from "../../stores/service-parts.ts";
import { createFindings, createSteps } from "../findings.ts";
import type { VerifyOptions, VerifyReport } from "../verify-directory.ts";
import { verifyEvents, type CheckedEvent } from "../verify-events.ts";
import { verifyRevisions, type CheckedRevision } from "../verify-revisions.ts";
import { verifyOverlays } from "../verify-overlays.ts";
import { verifySteps } from "../verify-steps.ts";
import { verifyObjects } from "./verify-objects.ts";

const pageSize = 100;

/** @throws AppError of the stores; the signal's reason; never because of damage */
export async function verifyService(
  location: Pick<ServiceLocation, "catalogUrl" | "objects">,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const service = await openServiceParts(location);
  try {
    return await verifyParts(service, options);
  } finally {
    await service.close();
  }
}

/** Verifies an opened service. @throws as `verifyService` does */
export async function verifyParts(
  { database, objects }: OpenedService,
  { onProgress = () => undefined, signal }: VerifyOptions,
): Promise<VerifyReport> {
  const findings = createFindings("catalog");
  const steps = createSteps(onProgress, signal);
  const rows = createServiceRows(database);
  const blobs = createStoredBlobs(database);
  const counts = await rows.countRows();
  steps.expect(counts.events + counts.revisions + (await blobs.count()));
  await verifyEvents(iterateEvents(rows), findings, steps);
  await verifyRevisions(iterateRevisions(rows), findings, steps);
  await verifySteps(iterateSteps(rows), findings);
  await verifyOverlays(iterateOverlays(rows), findings);
  const stored = await verifyObjects({ blobs, objects }, findings, steps);
  return { findings: findings.list, counts: { ...counts, ...stored } };
}

/** Reads each event together with its summary: others may publish meanwhile. */
async function* iterateEvents(rows: StoredRows): AsyncGenerator<CheckedEvent, void, undefined> {
  for (const { id } of await rows.listEvents()) {
    const found = await rows.summarize(id);
    if (found) yield { row: found.row, summarize: () => found.summary };
  }
}

async function* iterateRevisions(rows: StoredRows): AsyncGenerator<CheckedRevision, void, undefined> {
  for (const { id, mirror_of, replay_of_event } of await rows.listEvents()) {
    const source = mirror_of === null && replay_of_event === null ? "own" : "adopted";
    for (let after = 0; ;) {
      const page = await rows.listRevisions(id, after, pageSize);
      const last = page.at(-1);
      if (!last) break;
      for (const { row, layers } of page) yield { row, source, readLayers: () => layers };
      after = last.row.sequence;
    }
  }
}

async function* iterateSteps(rows: StoredRows): AsyncGenerator<StepsRow, void, undefined> {
  for (const { id } of await rows.listEvents()) {
    const row = await rows.findSteps(id);
    if (row) yield row;
  }
}

async function* iterateOverlays(rows: StoredRows): AsyncGenerator<OverlayRow, void, undefined> {
  for (const { id } of await rows.listEvents()) yield* await rows.listOverlays(id);
}
