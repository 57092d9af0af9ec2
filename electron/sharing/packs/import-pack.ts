// Imports the event of a pack. The whole pack is validated first; then missing frames are stored, and all new revisions
// are published in one transaction. Nothing changes before that.
import { AppError } from "../../../shared/app-error.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import { packOrigin, type AdoptDraft, type Catalog, type EventRecord } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { publishAgainWhileFramesVanish } from "../../catalog/stores/frame-vanished.ts";
import { parseInstant } from "../../catalog/plans/instants.ts";
import type { CheckedRevision } from "./pack-checks.ts";
import type { PackOutcome } from "./sharing-types.ts";
import { takeOverlays } from "./pack-overlays.ts";
import { takeSteps } from "./pack-steps.ts";
import { readPack, type CheckedPack, type ReadOptions } from "./read-pack.ts";
import type { PackJson } from "./schemas.ts";

export type ImportCatalog = Pick<
  Catalog,
  | "findEvent"
  | "findRevision"
  | "adoptAll"
  | "adoptEvent"
  | "findSteps"
  | "saveSteps"
  | "listKeptOverlays"
  | "readKeptOverlay"
  | "keepOverlay"
>;

export interface ImportOptions extends ReadOptions {
  readonly catalog: ImportCatalog;
  readonly frames: Pick<FrameStore, "put">;
}

/**
 * Brings an event up to date with its pack.
 * @throws AppError `source-invalid` for an invalid pack, with the path in it; `conflict` for an event that was created
 * here, mirrors a service or came in another pack; `not-found` if there is no pack; `storage-failed`; the signal's
 * reason
 */
export async function importPack(options: ImportOptions): Promise<PackOutcome> {
  const { onProgress } = options;
  let checkedFrames = 0;
  const checked = await readPack({
    ...options,
    // Each frame may also have to be stored.
    onProgress: (done, total) => {
      checkedFrames = total;
      onProgress?.(done, 2 * total);
    },
  });
  try {
    const outcome = await adopt(checked, options);
    onProgress?.(2 * checkedFrames, 2 * checkedFrames);
    return outcome;
  } finally {
    await checked.close();
  }
}

async function adopt(checked: CheckedPack, options: ImportOptions): Promise<PackOutcome> {
  const { catalog, frames, signal, onProgress } = options;
  const { commit, root, pack } = checked;
  const mirrorOf = `${packOrigin}${root}`;
  const known = await catalog.findEvent(pack.event.id);
  requireSamePack(known, pack, mirrorOf);
  const added = await findNew(checked, catalog);
  const event = toStormEvent(pack);
  const drafts = added.map((revision) => toDraft(revision, mirrorOf, event));
  const frameIds = new Set(added.flatMap(({ sources }) => sources.layers.map(({ frameId }) => frameId)));
  const isNewRow = !known || (isNewer(pack, known) && !isSameRow(event, known));
  let isChanged = isNewRow;
  if (drafts.length > 0) {
    await publishAgainWhileFramesVanish(async () => {
      let stored = 0;
      for (const frameId of frameIds) {
        signal?.throwIfAborted();
        await frames.put(await checked.readFrame(frameId));
        stored += 1;
        onProgress?.(frameIds.size + stored, 2 * frameIds.size);
      }
      signal?.throwIfAborted();
      const outcomes = await catalog.adoptAll(drafts);
      isChanged ||= outcomes.includes("adopted");
    });
  } else if (isNewRow) {
    await catalog.adoptEvent(mirrorOf, event);
  }
  const steps = checked.steps && (await takeSteps(event.id, checked.steps, catalog));
  const overlays = checked.overlays && (await takeOverlays(event.id, checked.overlays, catalog));
  return {
    ...{ event: event.id, commit },
    status: isChanged || steps === "taken" || overlays === "taken" ? "complete" : "up to date",
    ...(steps && steps !== "same" && { steps }),
    ...(overlays && overlays !== "same" && { overlays }),
  };
}

/** @throws AppError `conflict` */
function requireSamePack(known: EventRecord | undefined, { event }: PackJson, mirrorOf: string): void {
  if (!known || known.mirrorOf === mirrorOf) return;
  requirePackEvent(known, event.id);
  throw refuse(event.id, "came from a pack of another history");
}

/** Checks what is known before the pack is fetched. @throws AppError `conflict` for an event that no pack may change */
export function requirePackEvent(known: Pick<EventRecord, "mirrorOf"> | undefined, eventId: string): void {
  if (!known || known.mirrorOf?.startsWith(packOrigin) === true) return;
  throw refuse(
    eventId,
    known.mirrorOf === undefined ? "was created on this computer" : "mirrors another service",
  );
}

function refuse(eventId: string, why: string): AppError {
  return new AppError(
    "conflict",
    `The event ${eventId} ${why}, so this pack cannot be imported here; use another data directory.`,
  );
}

/** Returns the revisions that the catalog lacks. @throws AppError `conflict` for a known revision with other content */
async function findNew(
  { revisions }: CheckedPack,
  catalog: Pick<Catalog, "findRevision">,
): Promise<readonly CheckedRevision[]> {
  const added: CheckedRevision[] = [];
  for (const revision of revisions) {
    const { revisionId, sequence, manifestSha256 } = revision.sources;
    const known = await catalog.findRevision(revision.manifest.eventId!, revisionId);
    if (!known) added.push(revision);
    else if (known.sequence !== sequence || known.manifestSha256 !== manifestSha256) {
      throw new AppError(
        "conflict",
        `The revision ${revisionId} differs from the one that was imported before.`,
      );
    }
  }
  return added;
}

/** Returns false for an older state of a pack, which must not overwrite a newer one. */
function isNewer({ event, latest }: PackJson, known: EventRecord): boolean {
  return (
    latest.sequence >= known.latestSequence && parseInstant(event.updatedAt) >= parseInstant(known.updatedAt)
  );
}

function isSameRow(event: StormEvent, known: EventRecord): boolean {
  const factsOf = ({
    kind,
    label,
    status,
    bounds,
    startedAt,
    endedAt,
    updatedAt,
  }: StormEvent | EventRecord) => {
    const instants = [startedAt, endedAt, updatedAt].map((at) =>
      typeof at === "string" ? parseInstant(at) : null,
    );
    return JSON.stringify([kind, label, status, bounds, ...instants]);
  };
  return factsOf(event) === factsOf(known);
}

function toStormEvent({ event, latest }: PackJson): StormEvent {
  const { id, kind, label, status, startedAt, endedAt, bounds, updatedAt } = event;
  const retentionClass = kind === "operational-feed" ? "operational" : "benchmark";
  const dates = { startedAt, endedAt, updatedAt };
  return { id, kind, label, status, retentionClass, ...dates, bounds, currentRevisionId: latest.revisionId };
}

function toDraft(
  { sources, manifest, manifestBytes }: CheckedRevision,
  mirrorOf: string,
  event: StormEvent,
): AdoptDraft {
  const { revisionId, sequence, observedAt, publishedAt, bounds } = sources;
  return {
    mirrorOf,
    event,
    revision: { revisionId, sequence, observedAt, publishedAt, bounds },
    manifest,
    manifestBytes,
    layers: sources.layers.map(({ sourceLastModified, ...layer }) => ({ ...layer, sourceLastModified })),
  };
}
