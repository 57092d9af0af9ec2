// Nodes that publish while their database fails, and the check that nothing acknowledged was lost.
import { expect } from "vitest";
import { isAppError } from "../../../../shared/app-error.ts";
import type { Catalog, RevisionRecord } from "../../catalog.ts";
import { draftOf } from "../../support/drafts.ts";
import { assumeFrames, type ServiceTrial } from "./service-trial.ts";

const writerCount = 4;
const eventIds = ["a", "b"] as const;

export interface Publishing {
  /** Revisions that were acknowledged. */
  readonly acknowledged: RevisionRecord[];
  /** Resolves when everything is published. Rejects if a publication did not succeed in time. */
  readonly done: Promise<unknown>;
}

/** Publishes from four nodes into two events; a publication that fails because the database is away is repeated. */
export async function startPublishing(trial: ServiceTrial, countOfEach: number): Promise<Publishing> {
  const acknowledged: RevisionRecord[] = [];
  const nodes = await Promise.all(
    Array.from({ length: writerCount }, async () => assumeFrames(await trial.open())),
  );
  const publish = async (node: Catalog, writer: number): Promise<void> => {
    for (let round = 0; round < countOfEach; round += 1) {
      const seconds = (round * writerCount + writer) * 120 - 90_000;
      const draft = draftOf(eventIds[round % 2]!, { seconds });
      for (let isDone = false; !isDone;) {
        try {
          const { revision } = await node.publish(draft);
          if (revision) acknowledged.push(revision);
          isDone = true;
        } catch (error) {
          if (!isAppError(error, "storage-unavailable")) throw error;
        }
      }
    }
  };
  return { acknowledged, done: Promise.all(nodes.map(publish)) };
}

export async function waitFor(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise((resolve) => setImmediate(resolve));
}

/** Checks that each draft has one revision, without a gap, and that none acknowledged has changed. */
export async function expectWhole(
  trial: ServiceTrial,
  acknowledged: readonly RevisionRecord[],
  total: number,
): Promise<void> {
  const reader = await trial.open();
  const lists = await Promise.all(eventIds.map((eventId) => reader.listRevisions(eventId, 1_000)));
  for (const list of lists) expect(list.map(({ sequence }) => sequence)).toEqual(list.map((_, at) => at + 1));
  const stored = lists.flat();
  expect(stored).toHaveLength(total);
  expect(new Set(stored.map(({ eventId, observedAt }) => `${eventId} ${observedAt}`)).size).toBe(total);
  const byName = new Map(stored.map((revision) => [`${revision.eventId} ${revision.sequence}`, revision]));
  for (const revision of acknowledged) {
    expect(byName.get(`${revision.eventId} ${revision.sequence}`)).toEqual(revision);
  }
}
