// One step of a replay: which facts stay, which must change, and when a step is refused.
import { describe, expect, test } from "vitest";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import type { Catalog, RepublishDraft } from "../catalog.ts";
import { draftOf, manifestOf, startMs } from "../support/drafts.ts";
import { openTrial, type CatalogEngine } from "./catalog-engine.ts";

/** Creates a live event of three revisions: both products, a later window, and a late correction of the first. */
async function publishStorm(catalog: Catalog): Promise<void> {
  const event = { id: "storm", kind: "operational-feed", label: "A storm" } as const;
  for (const draft of [
    draftOf("storm", {}, { productId: "mrms-reflectivity", seconds: 2 }),
    draftOf("storm", { seconds: 120 }),
    draftOf("storm", { message: "corrected" }),
  ]) {
    await catalog.publish({ ...draft, event });
  }
}

async function stepsOf(catalog: Catalog, eventId = "again"): Promise<RepublishDraft[]> {
  const revisions = await catalog.listRevisions("storm", 9);
  return revisions.map((of, after) => ({ eventId, after, of }));
}

export function republicationContract(engine: CatalogEngine): void {
  describe("a step of a replay", () => {
    test("copies the revision into the replay, except for ids, publication time and disclosure", async () => {
      const { catalog, setClock, findFaults } = await openTrial(engine);
      await publishStorm(catalog);
      await setClock(startMs + 7_200_000);
      for (const step of await stepsOf(catalog)) {
        const revision = await catalog.republish(step);
        const original = await catalog.findRevision("storm", step.of.revisionId);
        const said = MrmsManifest.parse(manifestOf(original));
        expect(manifestOf(revision)).toEqual({
          ...said,
          disclosure: expect.stringMatching(/^REPLAY .*Radar estimates/) as string,
          eventId: "again",
          revisionId: revision.revisionId,
          sequence: step.after + 1,
          generatedAt: revision.publishedAt,
          layers: said.layers.map((layer) => ({
            ...layer,
            imageUrl: layer.imageUrl.replace("/storm-events/storm/", "/storm-events/again/"),
          })),
        });
        expect(await catalog.listLayers("again", revision.revisionId)).toEqual(
          await catalog.listLayers("storm", step.of.revisionId),
        );
      }
      expect(await catalog.findEvent("again")).toMatchObject({
        kind: "historical-event",
        label: "A storm (replay)",
        status: "active",
        latestSequence: 3,
        replayOf: { eventId: "storm", sequence: 3 },
      });
      await catalog.completeEvent("again");
      expect((await catalog.findEvent("again"))?.status).toBe("complete");
      expect(await findFaults()).toEqual([]);
    });

    test("follows the original revision by revision, even if some were pruned meanwhile", async () => {
      const { catalog } = await openTrial(engine);
      await publishStorm(catalog);
      expect((await catalog.findRevisionAfter("storm", 0))?.sequence).toBe(1);
      expect((await catalog.findRevisionAfter("storm", 2))?.sequence).toBe(3);
      expect(await catalog.findRevisionAfter("storm", 3)).toBeUndefined();
      expect(await catalog.findRevisionAfter("nowhere", 0)).toBeUndefined();
    });

    test("succeeds once if two processes replay into the same event", async () => {
      const { catalog, connect } = await openTrial(engine);
      const other = await connect();
      await publishStorm(catalog);
      const [first] = await stepsOf(catalog);
      const outcomes = await Promise.allSettled(
        [catalog, other.catalog].map((each) => each.republish(first!)),
      );
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
        reason: { code: "conflict" },
      });
      expect((await catalog.findEvent("again"))?.latestSequence).toBe(1);
    });

    test("is refused into an unrelated or archived event, or into the original", async () => {
      const { catalog } = await openTrial(engine);
      await publishStorm(catalog);
      await catalog.publish(draftOf("other", {}));
      const [first, second] = await stepsOf(catalog);
      await expect(catalog.republish({ ...first!, eventId: "other", after: 1 })).rejects.toMatchObject({
        code: "conflict",
      });
      await expect(catalog.republish({ ...first!, eventId: "storm" })).rejects.toMatchObject({
        code: "invalid-input",
      });
      await expect(catalog.republish(second!)).rejects.toMatchObject({ code: "conflict" });
      await catalog.republish(first!);
      await expect(catalog.republish({ ...first!, after: 1 })).rejects.toMatchObject({ code: "conflict" });
      await catalog.archiveEvent("again");
      await expect(catalog.republish(second!)).rejects.toMatchObject({ code: "conflict" });
    });

    test("fails with not-found if the revision is gone, and nothing else can publish into a replay", async () => {
      const { catalog } = await openTrial(engine);
      await publishStorm(catalog);
      const [first] = await stepsOf(catalog);
      await expect(
        catalog.republish({ ...first!, of: { ...first!.of, revisionId: "gone" } }),
      ).rejects.toMatchObject({ code: "not-found" });
      expect(await catalog.findEvent("again")).toBeUndefined();
      await catalog.republish(first!);
      await expect(catalog.publish(draftOf("again", { seconds: 600 }))).rejects.toMatchObject({
        code: "conflict",
      });
    });
  });
}
