// Adoption of an event pack: one transaction, the manifests' original bytes, and one pack for each event.
import { expect, test } from "vitest";
import type { AdoptDraft, Catalog } from "../../catalog.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import { openTestCatalog } from "../../support/drafts.ts";
import { offerOf } from "../../support/offers.ts";
import { verifyDirectory } from "../../verify/verify-directory.ts";

const pack = "pack:0123456789abcdef0123456789abcdef01234567";

/** Serializes the manifest differently than Echotop does. */
function packedOffer(sequence: number): AdoptDraft & { manifestBytes: Uint8Array } {
  const offer = offerOf({ sequence, seconds: sequence * 120 });
  const manifestBytes = Buffer.from(`${JSON.stringify(offer.manifest, undefined, 1)}\n`);
  return { ...offer, mirrorOf: pack, manifestBytes };
}

async function sequencesOf(catalog: Catalog): Promise<number[]> {
  return (await catalog.listRevisions("theirs", 9)).map(({ sequence }) => sequence);
}

test("all revisions are adopted at once with their manifest bytes and all facts of their sources", async () => {
  const { catalog, directory } = await openTestCatalog();
  const offers = [1, 2, 5].map(packedOffer);
  expect(await catalog.adoptAll(offers)).toEqual(["adopted", "adopted", "adopted"]);
  const revisions = await catalog.listRevisions("theirs", 9);
  for (const [index, { manifest, manifestSha256, revisionId }] of revisions.entries()) {
    expect(Buffer.from(manifest)).toEqual(offers[index]!.manifestBytes);
    expect(manifestSha256).toBe(sha256Of(offers[index]!.manifestBytes));
    expect(await catalog.listLayers("theirs", revisionId)).toEqual(offers[index]!.layers);
  }
  expect(await catalog.findEvent("theirs")).toMatchObject({ mirrorOf: pack, latestSequence: 5 });
  expect(await catalog.adoptAll([...offers, packedOffer(6)])).toEqual(["known", "known", "known", "adopted"]);
  const { findings } = await verifyDirectory(directory);
  expect(findings.filter(({ where }) => where.startsWith("catalog"))).toEqual([]);
});

test.each<[string, () => AdoptDraft]>([
  ["a sequence that goes back", () => packedOffer(1)],
  ["a manifest that differs from its bytes", () => ({ ...packedOffer(8), manifestBytes: Buffer.from("{}") })],
  ["a manifest that is not JSON", () => ({ ...packedOffer(8), manifestBytes: Buffer.from([0xff]) })],
  ["a revision without a layer", () => ({ ...packedOffer(8), layers: [] })],
])("%s rejects the whole pack", async (_what, last) => {
  const { catalog } = await openTestCatalog();
  await catalog.adoptAll([packedOffer(2)]);
  const version = await catalog.readVersion();
  await expect(catalog.adoptAll([packedOffer(3), packedOffer(4), last()])).rejects.toThrow();
  expect(await sequencesOf(catalog)).toEqual([2]);
  expect(await catalog.readVersion()).toBe(version);
});

test("only the same pack can add to an event from a pack", async () => {
  const { catalog } = await openTestCatalog();
  await catalog.adoptAll([packedOffer(1)]);
  const other = { ...packedOffer(2), mirrorOf: `${pack.slice(0, -1)}0` };
  for (const offer of [other, offerOf({ sequence: 2, seconds: 240 })]) {
    await expect(catalog.adopt(offer)).rejects.toMatchObject({ code: "conflict" });
    await expect(catalog.adoptEvent(offer.mirrorOf, offer.event)).rejects.toMatchObject({ code: "conflict" });
  }
  await expect(catalog.archiveEvent("theirs")).rejects.toMatchObject({
    code: "conflict",
    detail: expect.stringContaining("came in a pack") as string,
  });
  expect(await sequencesOf(catalog)).toEqual([1]);
});

test("a pack cannot add to a local event or to a mirror", async () => {
  const { catalog } = await openTestCatalog();
  await catalog.adopt(offerOf({ sequence: 1, seconds: 120 }));
  await expect(catalog.adoptAll([packedOffer(2)])).rejects.toMatchObject({ code: "conflict" });
  expect(await sequencesOf(catalog)).toEqual([1]);
});
