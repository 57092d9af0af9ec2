import { expect, test } from "vitest";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import { AssetLedger } from "./asset-ledger.ts";
import type { SourceAsset } from "./feed-source.ts";

function asset(time: string, changes: Partial<SourceAsset> = {}): SourceAsset {
  const observedAt = `2024-05-20T${time}Z`;
  const productId: ProductId = "mrms-mesh";
  return {
    locator: `http://bucket/${changes.productId ?? productId}/${time}`,
    name: time,
    productId,
    observedAt,
    byteLength: 100,
    etag: "first",
    lastModifiedAt: observedAt,
    ...changes,
  };
}

const window = observationWindow("2024-05-20T21:00:39Z");

test("a listing shows what is new or changed, by ETag, or by size and time without one", () => {
  const ledger = new AssetLedger();
  const tagged = asset("21:00:39");
  const untagged = asset("21:02:39", { etag: undefined });
  for (const tracked of ledger.merge([untagged, tagged], 1)) tracked.assetId = 1;
  expect(ledger.merge([untagged, { ...tagged, lastModifiedAt: undefined }], 2)).toEqual([]);
  expect(
    ledger.merge(
      [
        { ...untagged, byteLength: 101 },
        { ...tagged, etag: "second" },
      ],
      3,
    ),
  ).toMatchObject([
    { state: "listed", knownSinceMs: 3 },
    { state: "listed", knownSinceMs: 3 },
  ]);
});

test("a file without a row in the catalog is returned again", () => {
  const ledger = new AssetLedger();
  ledger.merge([asset("21:00:39")], 1);
  expect(ledger.merge([asset("21:00:39")], 2)).toHaveLength(1);
});

test("a file completed by an earlier run is neither open nor new, and its window counts as published", () => {
  const ledger = new AssetLedger();
  const facts = { ...asset("21:00:39"), id: 1, eventId: "live", sha256: undefined, completedAt: undefined };
  ledger.restore([
    { ...facts, status: "complete", errorMessage: undefined },
    { ...facts, locator: "another", status: "failed", errorMessage: "bad" },
  ]);
  expect(ledger.openWindows()).toEqual([]);
  expect(ledger.merge([asset("21:00:39")], 1)).toEqual([]);
  ledger.merge([asset("21:00:37", { productId: "mrms-reflectivity" })], 2);
  expect(ledger.openWindows()).toEqual([window]);
  expect([...ledger.pairingOf(window).published]).toEqual(["mrms-mesh"]);
  expect([...ledger.pairingOf(window).expected]).toEqual(["mrms-reflectivity"]);
});

test("old windows are removed, and their staged files are returned", () => {
  const ledger = new AssetLedger();
  const [tracked] = ledger.merge([asset("21:00:39"), asset("21:10:39")], 1);
  const staged = { path: "/staged", sha256: "00", byteLength: 100, workBytes: 1 };
  Object.assign(tracked!, { state: "staged", staged });
  expect(ledger.forgetBefore(Date.parse("2024-05-20T21:05:00Z"))).toEqual([staged]);
  expect(ledger.openWindows()).toHaveLength(1);
  expect(ledger.isListed(window, "mrms-mesh")).toBe(false);
});
