// Revisions of an event in ascending publication sequence, without those whose stored manifest is damaged: the newest,
// or a page before a sequence with what each revision did.
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import { attributionOf, disclosureOf } from "../../../../shared/revisions/event-origin.ts";
import type { ChangeRecord, EventRecord, RevisionRecord } from "../../../catalog/catalog.ts";
import type { Log } from "../../../platform/effects.ts";
import type { Answer } from "../../http/answer.ts";
import type { Handlers } from "../request-input.ts";
import { createListing, type ListContent } from "../listing.ts";
import type { CheckManifest, SoundManifest } from "../stored-manifest.ts";
import type { RequestCatalog } from "../turn-catalog.ts";

interface Snapshot<Item> {
  readonly event: EventRecord;
  readonly items: readonly Item[];
}

/** An item of a list: its revision, and facts about it that its manifest lacks. */
interface Listed {
  readonly revision: RevisionRecord;
  readonly facts: Readonly<Record<string, unknown>>;
}

export function createRevisions(
  catalog: RequestCatalog,
  checkManifest: CheckManifest,
  now: () => Date,
  log: Log,
): Pick<Handlers, "listRevisions" | "listRevisionPage"> {
  const toNewest = createRevisionList(checkManifest, now, (revision: RevisionRecord): Listed => ({
    revision,
    facts: {},
  }));
  const toPage = createRevisionList(checkManifest, now, ({ revision, change }: ChangeRecord): Listed => ({
    revision,
    facts: { publishedAt: revision.publishedAt, change },
  }));
  return {
    listRevisions: async ({ eventId, limit }) => {
      const event = await getEvent(catalog, eventId, log);
      return toNewest(event, await catalog.listRevisions(eventId, limit));
    },
    listRevisionPage: async ({ eventId, limit, before }) => {
      const event = await getEvent(catalog, eventId, log);
      return toPage(event, await catalog.listChanges(eventId, limit, before));
    },
  };
}

function createRevisionList<Item>(
  checkManifest: CheckManifest,
  now: () => Date,
  toListed: (item: Item) => Listed,
): (event: EventRecord, items: readonly Item[]) => Answer {
  const list = createListing(now, ({ event, items }: Snapshot<Item>) =>
    toContent(event, items.map(toListed), checkManifest),
  );
  // One snapshot object for each pair of catalog objects, as the key of the listing's cache.
  const snapshots = new WeakMap<readonly Item[], Snapshot<Item>>();
  return (event, items) => {
    let snapshot = snapshots.get(items);
    if (snapshot?.event !== event) {
      snapshot = { event, items };
      snapshots.set(items, snapshot);
    }
    return list(snapshot);
  };
}

async function getEvent(catalog: RequestCatalog, eventId: string, log: Log): Promise<EventRecord> {
  const event = await findEvent(catalog, eventId, log);
  if (!event) throw new AppError("not-found", "There is no storm event with this id.");
  return event;
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

function toContent(event: EventRecord, listed: readonly Listed[], checkManifest: CheckManifest): ListContent {
  const sound = listed.flatMap(({ revision, facts }) => {
    const manifest = checkManifest(revision);
    return manifest ? { manifest, facts } : [];
  });
  const last = sound.at(-1)?.manifest;
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
    itemsJson: `[${sound.map(({ manifest, facts }) => toFrameJson(manifest, facts)).join(",")}]`,
  };
}

function toFrameJson({ revision, layersJson }: SoundManifest, facts: Listed["facts"]): string {
  const head = JSON.stringify({
    observedAt: revision.observedAt,
    revisionId: revision.revisionId,
    sequence: revision.sequence,
    ...facts,
  });
  return `${head.slice(0, -1)},"layers":${layersJson}}`;
}
