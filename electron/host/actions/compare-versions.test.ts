import { describe, expect, test } from "vitest";
import type { MrmsLayer } from "../../../shared/contract/manifest.ts";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { disclosureOf } from "../../../shared/revisions/event-origin.ts";
import { compareVersions, type VersionRecord } from "./compare-versions.ts";

const at = (minute: number): string => new Date(Date.UTC(2024, 4, 20, 21, minute)).toISOString();

function layer(id: ProductId, observedAt: string, image: string): MrmsLayer {
  return {
    id,
    bounds: [-100, 30, -90, 40],
    caveat: "",
    description: "",
    imageUrl: `/v1/storm-events/iowa/frames/${id}/${image}.png`,
    label: id,
    legend: [],
    observedAt,
    opacity: 1,
    sourceUrl: "ni:///sha-256;x",
    unit: "",
    visible: true,
  };
}

function version(
  sequence: number,
  minute: number,
  images: Partial<Record<ProductId, string>>,
): VersionRecord {
  const observedAt = at(minute);
  const manifest = {
    schemaVersion: 1,
    mode: "live",
    attribution: "",
    disclosure: disclosureOf("observed"),
    eventId: "iowa",
    eventLabel: "Iowa",
    generatedAt: at(minute + 2),
    revisionId: `r${sequence}`,
    sequence,
    observedAt,
    layers: Object.entries(images).map(([id, image]) => layer(id as ProductId, observedAt, image)),
  };
  return {
    sequence,
    observedAt,
    publishedAt: at(60 + sequence),
    manifest: new TextEncoder().encode(JSON.stringify(manifest)),
  };
}

const records = [
  version(1, 0, { "mrms-mesh": "a" }),
  version(2, 2, { "mrms-mesh": "b", "mrms-reflectivity": "r" }),
  version(3, 6, { "mrms-mesh": "c" }),
  version(4, 0, { "mrms-mesh": "a", "mrms-reflectivity": "s" }),
  version(5, 2, { "mrms-mesh": "b2", "mrms-reflectivity": "r" }),
  version(6, 4, { "mrms-mesh": "d" }),
  version(7, 8, { "mrms-mesh": "e" }),
];

describe("comparing two versions", () => {
  test("distinguishes completions, late corrections, backfills and new windows, with their layers", () => {
    const { counts, changes } = compareVersions(records, { eventId: "iowa", from: 3, to: 7 });
    expect(counts).toEqual({ new: 1, correction: 1, completion: 1, backfill: 1, unknown: 0 });
    expect(changes).toMatchObject([
      { sequence: 4, kind: "completion", late: true, supersedes: 1, products: ["mrms-reflectivity"] },
      { sequence: 5, kind: "correction", late: true, supersedes: 2, products: ["mrms-mesh"] },
      { sequence: 6, kind: "backfill", late: true, supersedes: null, products: ["mrms-mesh"] },
      { sequence: 7, kind: "new", late: false, supersedes: null, products: ["mrms-mesh"] },
    ]);
  });

  test("leaves out revisions after the second version", () => {
    const { changes } = compareVersions(records, { eventId: "iowa", from: 2, to: 4 });
    expect(changes.map(({ sequence }) => sequence)).toEqual([3, 4]);
  });

  test("marks changes as unknown if their records were pruned", () => {
    const { changes } = compareVersions(records.slice(2), { eventId: "iowa", from: 3, to: 4 });
    expect(changes).toMatchObject([{ sequence: 4, kind: "unknown", supersedes: null }]);
  });

  test("throws not-found for a missing version", () => {
    expect(() => compareVersions(records, { eventId: "iowa", from: 1, to: 9 })).toThrow(
      expect.objectContaining({ code: "not-found" }),
    );
  });

  test("names a damaged manifest", () => {
    const damaged = { ...records[1]!, manifest: new TextEncoder().encode("{") };
    expect(() => compareVersions([records[0]!, damaged], { eventId: "iowa", from: 1, to: 2 })).toThrow(
      /revision 2/,
    );
  });
});
