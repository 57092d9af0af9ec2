// Grouping files into revisions, independent of the order of the files.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import { findStemInName, findTimeInName, type Candidate } from "./candidate.ts";
import { toGroups } from "./schedule.ts";

function candidate(productId: ProductId, seconds: number, facts: Partial<Candidate> = {}): Candidate {
  const path = `/x/${productId}-${seconds}`;
  return {
    file: path,
    path,
    name: path,
    assetId: seconds,
    productId,
    observedAt: new Date(seconds * 1000).toISOString(),
    lastModifiedAt: "2024-01-01T00:00:00Z",
    workBytes: 1,
    ...facts,
  };
}

const names = (groups: readonly (readonly Candidate[])[]): string[][] =>
  groups.map((group) => group.map(({ path }) => path.slice(3)));

test("the two products of a window share a revision, and windows are in order of observation", () => {
  const groups = toGroups([
    candidate("mrms-mesh", 250),
    candidate("mrms-reflectivity", 5),
    candidate("mrms-mesh", 130),
    candidate("mrms-mesh", 40),
    candidate("mrms-reflectivity", 359),
  ]);
  expect(names(groups)).toEqual([
    ["mrms-reflectivity-5", "mrms-mesh-40"],
    ["mrms-mesh-130"],
    ["mrms-mesh-250", "mrms-reflectivity-359"],
  ]);
});

test("files of one product and window are in order of modification, the newest last", () => {
  const groups = toGroups([
    candidate("mrms-mesh", 10, { path: "/x/new", lastModifiedAt: "2024-01-02T00:00:00Z" }),
    candidate("mrms-mesh", 10, { path: "/x/old" }),
    candidate("mrms-mesh", 70, { path: "/x/next" }),
    candidate("mrms-reflectivity", 30, { path: "/x/other" }),
  ]);
  expect(names(groups)).toEqual([["old", "other"], ["new"], ["next"]]);
});

test("each file is in one group of one window without a repeated product, for any order of files", () => {
  const file = fc
    .record({
      product: fc.constantFrom<ProductId>("mrms-mesh", "mrms-reflectivity"),
      seconds: fc.nat({ max: 900 }),
    })
    .map(({ product, seconds }) => candidate(product, seconds));
  fc.assert(
    fc.property(fc.array(file, { maxLength: 30 }), (files) => {
      const groups = toGroups(files);
      expect(groups.flat().toSorted(byIdentity)).toEqual(files.toSorted(byIdentity));
      const windows = groups.map(([first]) => observationWindow(first!.observedAt));
      expect(windows).toEqual(windows.toSorted((a, b) => a - b));
      for (const group of groups) {
        expect(new Set(group.map(({ productId }) => productId)).size).toBe(group.length);
        expect(new Set(group.map(({ observedAt }) => observationWindow(observedAt))).size).toBe(1);
      }
      expect(names(toGroups(files.toReversed()))).toEqual(names(groups));
    }),
    { seed: 7, numRuns: 200 },
  );
});

function byIdentity(a: Candidate, b: Candidate): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

test("time and product are parsed from the file name", () => {
  expect(findTimeInName("MRMS_MESH_00.50_20240228-025239.grib2")).toBe(Date.UTC(2024, 1, 28, 2, 52, 39));
  expect(findTimeInName("MRMS_MESH_00.50_20241328-025239.grib2")).toBeUndefined();
  expect(findTimeInName("storm.grib2")).toBeUndefined();
  expect(findStemInName("PrecipRate_00.00_20210706-000000.grib2")).toBe("PrecipRate");
  expect(findStemInName("MRMS_MESH_Max_30min_00.50_20210706-000000.grib2.gz")).toBe("MESH_Max_30min");
  expect(findStemInName("storm.grib2")).toBeUndefined();
});
