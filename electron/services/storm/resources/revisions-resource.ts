// The newest revisions of an event, in ascending publication sequence, without those whose stored manifest is damaged.
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import { attributionOf, disclosureOf } from "../../../../shared/revisions/event-origin.ts";
import type { EventRecord, RevisionRecord } from "../../../catalog/catalog.ts";
import type { Log } from "../../../platform/effects.ts";
import type { Handler } from "../request-input.ts";
import { createListing, type ListContent } from "../listing.ts";
import type { CheckManifest, SoundManifest } from "../stored-manifest.ts";
import type { RequestCatalog } from "../turn-catalog.ts";

interface Snapshot {
  readonly event: EventRecord;
  readonly revisions: readonly RevisionRecord[];
}

export function createRevisions(
  catalog: RequestCatalog,
  checkManifest: CheckManifest,
  now: () => Date,
  log: Log,
): Handler<"listRevisions"> {
  const list = createListing(now, (snapshot: Snapshot) => toContent(snapshot, checkManifest));
  // One snapshot object for each pair of catalog objects, as the key of the listing's cache.
  const snapshots = new WeakMap<readonly RevisionRecord[], Snapshot>();
  return async ({ eventId, limit }) => {
    const event = await findEvent(catalog, eventId, log);
    if (!event) throw new AppError("not-found", "There is no storm event with this id.");
    const revisions = await catalog.listRevisions(eventId, limit);
    let snapshot = snapshots.get(revisions);
    if (snapshot?.event !== event) {
      snapshot = { event, revisions };
      snapshots.set(revisions, snapshot);
    }
    return list(snapshot);
  };
}

/** Reports a damaged event as not available, the only status that the contract has for it. */
async function findEvent(
  catalog: RequestCatalog,
  eventId: string,
  log: Log,
): Promise<EventRecord | undefined> {
  try {
    return await catalog.findEvent(eventId);
  } catch (error) {
    if (!isAppError(error, "stored-data-invalid")) throw error;
    log("error", "A stored event is damaged and its revisions are not listed.", {
      eventId,
      problem: error.detail,
    });
    throw new AppError("not-found", "The data of this storm event is not available.", { cause: error });
  }
}

function toContent({ event, revisions }: Snapshot, checkManifest: CheckManifest): ListContent {
  const sound = revisions.map(checkManifest).filter((manifest) => manifest !== undefined);
  const last = sound.at(-1);
  const newest = last?.revision.sequence;
  return {
    head: {
      schemaVersion: 1,
      mode: "live",
      // The texts of replays and of other services' events say more than the origin.
      attribution: last?.attribution ?? attributionOf(event.origin),
      disclosure: last?.disclosure ?? disclosureOf(event.origin),
      eventId: event.id,
      eventLabel: event.label,
      retentionClass: event.retentionClass,
      ...((event.latestSequence > 0 || newest !== undefined) && {
        latestSequence: Math.max(event.latestSequence, newest ?? 0),
      }),
    },
    itemsName: "frames",
    itemsJson: `[${sound.map(toFrameJson).join(",")}]`,
  };
}

function toFrameJson({ revision, layersJson }: SoundManifest): string {
  const head = JSON.stringify({
    observedAt: revision.observedAt,
    revisionId: revision.revisionId,
    sequence: revision.sequence,
  });
  return `${head.slice(0, -1)},"layers":${layersJson}}`;
}
