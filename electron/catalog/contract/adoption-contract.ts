// Adoption of events and revisions of another service or of a pack: unchanged content, and refusal of contradictions.
import { describe, expect, test } from "vitest";
import { sha256Of } from "../../platform/sha256.ts";
import type { AdoptDraft, Catalog } from "../catalog.ts";
import { draftOf, manifestOf, observedAfter } from "../support/drafts.ts";
import { mirrorOf, offerOf, theirEvent } from "../support/offers.ts";
import { openTrial, type CatalogEngine } from "./catalog-engine.ts";

async function sequencesOf(catalog: Catalog): Promise<number[]> {
  return (await catalog.listRevisions("theirs", 360)).map(({ sequence }) => sequence);
}

const pack = "pack:0123456789abcdef0123456789abcdef01234567";

/** Serializes the manifest differently than Echotop does. */
function packedOffer(sequence: number): AdoptDraft & { manifestBytes: Uint8Array } {
  const offer = offerOf({ sequence, seconds: sequence * 120 });
  const manifestBytes = Buffer.from(`${JSON.stringify(offer.manifest, undefined, 1)}\n`);
  return { ...offer, mirrorOf: pack, manifestBytes };
}

export function adoptionContract(engine: CatalogEngine): void {
  describe("an adopted revision", () => {
    test("keeps its id, sequence, times and manifest, and the event's row follows the remote", async () => {
      const { catalog, findFaults } = await openTrial(engine);
      const offer = offerOf({ sequence: 41 });
      expect(await catalog.adopt(offer)).toBe("adopted");
      expect(await catalog.adopt(offerOf({ sequence: 45, seconds: 120 }))).toBe("adopted");
      const [first] = await catalog.listRevisions("theirs", 9);
      const { bounds, ...facts } = offer.revision;
      expect(first).toMatchObject({ eventId: "theirs", ...facts });
      expect((await catalog.listNotices("theirs", 0, 9))[0]?.bounds).toEqual(bounds);
      expect(manifestOf(first)).toEqual(offer.manifest);
      expect(await catalog.findEvent("theirs")).toEqual({
        ...theirEvent(),
        currentRevisionId: "R45",
        latestSequence: 45,
        origin: "observed",
        isRegistered: false,
        registeredWindow: undefined,
        mirrorOf,
        replayOf: undefined,
      });
      expect((await catalog.listNotices("theirs", 41, 9)).map(({ sequence }) => sequence)).toEqual([45]);
      expect(await findFaults()).toEqual([]);
    });

    test("is known the second time, also to another process", async () => {
      const { catalog, connect } = await openTrial(engine);
      const other = await connect();
      const offer = offerOf({ sequence: 1 });
      const outcomes = await Promise.all([catalog, other.catalog].map((each) => each.adopt(offer)));
      expect(outcomes.toSorted()).toEqual(["adopted", "known"]);
      expect(await sequencesOf(catalog)).toEqual([1]);
    });

    test("is not changed when only the event's row is adopted again", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.adopt(offerOf({ sequence: 1 }));
      const later = theirEvent({
        status: "archived",
        label: "Renamed (synthetic)",
        updatedAt: observedAfter(900),
      });
      await catalog.adoptEvent(mirrorOf, later);
      expect(await catalog.findEvent("theirs")).toMatchObject({
        status: "archived",
        label: "Renamed (synthetic)",
        origin: "synthetic",
        currentRevisionId: "R1",
        updatedAt: observedAfter(900),
      });
      // An event that the remote has archived can still be mirrored.
      expect(await catalog.adopt(offerOf({ sequence: 2, seconds: 120, event: later }))).toBe("adopted");
    });

    test("is refused if its event has a label that cannot be shown", async () => {
      const { catalog } = await openTrial(engine);
      const event = theirEvent({ label: "\u001b[31m\u202eSquall" });
      await expect(catalog.adopt(offerOf({ sequence: 1, event }))).rejects.toMatchObject({
        code: "invalid-input",
      });
      await expect(catalog.adoptEvent(mirrorOf, event)).rejects.toMatchObject({ code: "invalid-input" });
      expect(await catalog.listEvents(5)).toEqual([]);
    });

    test("continues after the service moves to another address", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.adopt(offerOf({ sequence: 1 }));
      const moved = { ...offerOf({ sequence: 2, seconds: 120 }), mirrorOf: "http://127.0.0.1:1/" };
      expect(await catalog.adopt(moved)).toBe("adopted");
      expect((await catalog.findEvent("theirs"))?.mirrorOf).toBe(moved.mirrorOf);
    });

    test("creates its event if that was not adopted before", async () => {
      const { catalog } = await openTrial(engine);
      const bare = theirEvent({ bounds: null, startedAt: null, endedAt: null, currentRevisionId: null });
      const version = await catalog.readVersion();
      await catalog.adoptEvent(mirrorOf, bare);
      expect(await catalog.readVersion()).toBeGreaterThan(version);
      expect(await catalog.findEvent("theirs")).toMatchObject({ latestSequence: 0, bounds: null });
      expect(await sequencesOf(catalog)).toEqual([]);
    });
  });

  describe("an adoption is refused", () => {
    test("if the sequence goes back", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.adopt(offerOf({ sequence: 5 }));
      await expect(catalog.adopt(offerOf({ sequence: 4, seconds: 120 }))).rejects.toMatchObject({
        code: "conflict",
        detail: expect.stringContaining("goes back") as string,
      });
      expect(await sequencesOf(catalog)).toEqual([5]);
    });

    test("if a known id has other content or another sequence", async () => {
      const { catalog } = await openTrial(engine);
      const offer = offerOf({ sequence: 5 });
      await catalog.adopt(offer);
      const changed = { ...offer, manifest: { ...offer.manifest, disclosure: "Something else." } };
      const moved = { ...offer, revision: { ...offer.revision, sequence: 6 } };
      for (const draft of [changed, moved]) {
        await expect(catalog.adopt(draft)).rejects.toMatchObject({ code: "conflict" });
      }
      expect(await sequencesOf(catalog)).toEqual([5]);
    });

    test("into a local event; publishing into a mirrored event is also refused", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("ours", {}));
      const intoOurs = offerOf({ sequence: 1, event: { id: "ours" } });
      await expect(catalog.adopt(intoOurs)).rejects.toMatchObject({ code: "conflict" });
      await catalog.adopt(offerOf({ sequence: 1 }));
      const refusals = [
        catalog.publish(draftOf("theirs", { seconds: 120 })),
        catalog.archiveEvent("theirs"),
        catalog.registerEvent({
          id: "theirs",
          label: "L",
          startedAt: observedAfter(0),
          endedAt: observedAfter(1),
        }),
      ];
      for (const refusal of await Promise.allSettled(refusals)) {
        expect(refusal).toMatchObject({ status: "rejected", reason: { code: "conflict" } });
      }
      await catalog.completeEvent("theirs", { registered: true });
      expect(await catalog.findEvent("theirs")).toMatchObject({ status: "active", latestSequence: 1 });
    });

    test("if its frames are not in the store", async () => {
      const { strictCatalog: catalog } = await openTrial(engine);
      await expect(catalog.adopt(offerOf({ sequence: 1 }))).rejects.toMatchObject({ code: "frame-missing" });
      expect(await catalog.listEvents(9)).toEqual([]);
    });
  });

  test("a revision that retention removed from a mirror is not adopted again, and later sequences are", async () => {
    const { catalog, findFaults } = await openTrial(engine);
    for (const sequence of [1, 2, 3]) await catalog.adopt(offerOf({ sequence, seconds: sequence * 600 }));
    expect((await catalog.prune("theirs", 60_000)).revisions).toBe(2);
    expect(await catalog.adopt(offerOf({ sequence: 1, seconds: 600 }))).toBe("known");
    expect(await catalog.adopt(offerOf({ sequence: 4, seconds: 2400 }))).toBe("adopted");
    expect(await sequencesOf(catalog)).toEqual([3, 4]);
    expect(await findFaults()).toEqual([]);
  });

  describe("a pack", () => {
    test("all revisions are adopted at once with their manifest bytes and all facts of their sources", async () => {
      const { catalog, findFaults } = await openTrial(engine);
      const offers = [1, 2, 5].map(packedOffer);
      expect(await catalog.adoptAll(offers)).toEqual(["adopted", "adopted", "adopted"]);
      const revisions = await catalog.listRevisions("theirs", 9);
      for (const [index, { manifest, manifestSha256, revisionId }] of revisions.entries()) {
        expect(Buffer.from(manifest)).toEqual(offers[index]!.manifestBytes);
        expect(manifestSha256).toBe(sha256Of(offers[index]!.manifestBytes));
        expect(await catalog.listLayers("theirs", revisionId)).toEqual(offers[index]!.layers);
      }
      expect(await catalog.findEvent("theirs")).toMatchObject({ mirrorOf: pack, latestSequence: 5 });
      expect(await catalog.adoptAll([...offers, packedOffer(6)])).toEqual([
        "known",
        "known",
        "known",
        "adopted",
      ]);
      expect(await findFaults()).toEqual([]);
    });

    test.each<[string, () => AdoptDraft]>([
      ["a sequence that goes back", () => packedOffer(1)],
      [
        "a manifest that differs from its bytes",
        () => ({ ...packedOffer(8), manifestBytes: Buffer.from("{}") }),
      ],
      ["a manifest that is not JSON", () => ({ ...packedOffer(8), manifestBytes: Buffer.from([0xff]) })],
      ["a revision without a layer", () => ({ ...packedOffer(8), layers: [] })],
    ])("%s rejects the whole pack", async (_what, last) => {
      const { catalog } = await openTrial(engine);
      await catalog.adoptAll([packedOffer(2)]);
      const before = await catalog.listRevisions("theirs", 9);
      await expect(catalog.adoptAll([packedOffer(3), packedOffer(4), last()])).rejects.toThrow();
      expect(await catalog.listRevisions("theirs", 9)).toBe(before);
      expect(await sequencesOf(catalog)).toEqual([2]);
    });

    test("only the same pack can add to an event from a pack", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.adoptAll([packedOffer(1)]);
      const other = { ...packedOffer(2), mirrorOf: `${pack.slice(0, -1)}0` };
      for (const offer of [other, offerOf({ sequence: 2, seconds: 240 })]) {
        await expect(catalog.adopt(offer)).rejects.toMatchObject({ code: "conflict" });
        await expect(catalog.adoptEvent(offer.mirrorOf, offer.event)).rejects.toMatchObject({
          code: "conflict",
        });
      }
      await expect(catalog.archiveEvent("theirs")).rejects.toMatchObject({
        code: "conflict",
        detail: expect.stringContaining("came in a pack") as string,
      });
      expect(await sequencesOf(catalog)).toEqual([1]);
    });

    test("a pack cannot add to a local event or to a mirror", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.adopt(offerOf({ sequence: 1, seconds: 120 }));
      await expect(catalog.adoptAll([packedOffer(2)])).rejects.toMatchObject({ code: "conflict" });
      expect(await sequencesOf(catalog)).toEqual([1]);
    });
  });
}
