// Compares the changes derived from stored revisions with those that publication reported.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { productIds } from "../../../shared/contract/primitives.ts";
import type { RevisionChange } from "../../../shared/revisions/publication.ts";
import type { Catalog } from "../catalog.ts";
import { draftOf, startMs } from "../support/drafts.ts";
import { openTrial, type CatalogEngine } from "./catalog-engine.ts";

async function listChanges(catalog: Catalog, eventId: string, limit: number, before?: number) {
  const changes = await catalog.listChanges(eventId, limit, before);
  return changes.map(({ revision, change }) => [revision.sequence, change]);
}

const publication = fc.record({
  window: fc.nat(6),
  products: fc.subarray([...productIds], { minLength: 1 }),
  message: fc.nat(2),
});

async function expectSameChanges(
  catalog: Catalog,
  eventId: string,
  drafts: readonly { window: number; products: ("mrms-mesh" | "mrms-reflectivity")[]; message: number }[],
  limit: number,
): Promise<void> {
  const told: [number, RevisionChange][] = [];
  for (const { window, products, message } of drafts) {
    const seconds = window * 120;
    const layers = products.map((productId) => ({ productId, seconds, message: `${productId} ${message}` }));
    const { revision, change } = await catalog.publish(draftOf(eventId, ...layers));
    if (revision) told.push([revision.sequence, change!]);
  }
  const read: unknown[] = [];
  for (let before = told.length + 1; before > 1; before -= limit) {
    read.unshift(...(await listChanges(catalog, eventId, limit, before)));
  }
  expect(read).toEqual(told);
  const records = await catalog.listChanges(eventId, 360);
  expect(records.map(({ revision }) => revision)).toEqual(await catalog.listRevisions(eventId, 360));
}

export function changesContract(engine: CatalogEngine): void {
  describe("the changes of an event's revisions", () => {
    test("are those that publication told, on every page", async () => {
      const { catalog } = await openTrial(engine);
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(publication, { maxLength: 30 }),
          fc.integer({ min: 1, max: 7 }),
          async (drafts, limit) => {
            run += 1;
            await expectSameChanges(catalog, `run-${run}`, drafts, limit);
          },
        ),
        { numRuns: 30, seed: 7 },
      );
    });

    test("are the newest before a sequence, and none of an unknown event", async () => {
      const { catalog } = await openTrial(engine);
      for (const seconds of [0, 240, 120]) await catalog.publish(draftOf("a", { seconds }));
      await catalog.publish(draftOf("a", { seconds: 0, message: "corrected" }));
      await catalog.publish(draftOf("a", { seconds: 240, productId: "mrms-reflectivity" }));
      expect(await listChanges(catalog, "a", 360)).toEqual([
        [1, "first"],
        [2, "first"],
        [3, "backfill"],
        [4, "correction"],
        [5, "completion"],
      ]);
      expect(await listChanges(catalog, "a", 2, 4)).toEqual([
        [2, "first"],
        [3, "backfill"],
      ]);
      expect(await listChanges(catalog, "a", 2, 1)).toEqual([]);
      expect(await catalog.listChanges("unknown", 360)).toEqual([]);
    });

    test("stay when retention has removed the oldest windows", async () => {
      const { catalog, setClock } = await openTrial(engine);
      await setClock(startMs + 3 * 3_600_000);
      const publish = (seconds: number, message?: string) =>
        catalog.publish({
          ...draftOf("a", { seconds, ...(message !== undefined && { message }) }),
          event: { id: "a", kind: "operational-feed" },
        });
      for (const seconds of [0, 3_600, 7_200, 3_720]) await publish(seconds);
      await publish(3_600, "corrected");
      await catalog.prune("a", 2 * 3_600_000 - 1);
      expect(await listChanges(catalog, "a", 360)).toEqual([
        [2, "first"],
        [3, "first"],
        [4, "backfill"],
        [5, "correction"],
      ]);
    });
  });
}
