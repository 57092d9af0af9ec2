// The files of the demonstration: content, reproducibility, and the correction.
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { getProduct } from "../../../shared/products/registry.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import { decodeField } from "../grib2/decode-field.ts";
import type { Codes, Field } from "../grib2/field.ts";
import { toValue } from "../../support/grib2-fixtures/to-value.ts";
import { radarPosition } from "./demo-coverage.ts";
import {
  CORRECTED_WINDOW,
  createDemonstrationGenerator,
  demonstrationFileCount,
  demonstrationFiles,
  demonstrationSteps,
  fileCountOf,
  observedAt,
  WINDOW_COUNT,
} from "./demonstration.ts";
import type { DemonstrationFile } from "./demonstration.ts";
import { columnX, region, rowN } from "./region.ts";

function decode({ bytes }: DemonstrationFile): Field {
  return decodeField(gunzipSync(bytes));
}

function cellsThatDiffer(one: Codes, other: Codes): number[] {
  const cells: number[] = [];
  for (let cell = 0; cell < one.length; cell++) if (one[cell] !== other[cell]) cells.push(cell);
  return cells;
}

function sha256(bytes: Uint8Array | undefined): string {
  expect(bytes).toBeDefined();
  return createHash("sha256").update(bytes!).digest("hex");
}

const generator = createDemonstrationGenerator();

describe("the files of the demonstration", () => {
  test("have the same bytes at any time and in any order of generation", () => {
    const other = createDemonstrationGenerator();
    other.generate({ window: 25, kind: "observation" });
    const first = generator.generate({ window: 3, kind: "observation" });
    const second = other.generate({ window: 3, kind: "observation" });
    expect(second.map(({ bytes }) => sha256(bytes))).toEqual(first.map(({ bytes }) => sha256(bytes)));
    expect(sha256(first[0]?.bytes)).not.toBe(
      sha256(generator.generate({ window: 4, kind: "observation" })[0]?.bytes),
    );
  });

  test("have MRMS headers", () => {
    const files = generator.generate({ window: 23, kind: "observation" });
    expect(files.map(({ product }) => product)).toEqual(["mrms-reflectivity", "mrms-mesh"]);
    for (const file of files) {
      const product = getProduct(file.product);
      const field = decode(file);
      expect(field.identity).toEqual(product.grib);
      expect(field.center).toBe(161);
      expect(field.referenceAt).toBe(file.observedAt);
      expect(field.grid).toEqual(region);
      expect(field.packing).toMatchObject({
        template: 41,
        binaryScale: 0,
        decimalScale: 1,
        reference: product.flags.noCoverage * 10,
      });
      expect(field.missing).toBeUndefined();
      const values = new Set(Array.from(new Set(field.codes), (code) => toValue(code, field.packing)));
      expect(values).toContain(product.flags.missing);
      expect(values).toContain(product.flags.noCoverage);
      const stamp = file.observedAt.replaceAll(/[-:]|Z$/g, "").replace("T", "-");
      expect(file.name).toBe(`MRMS_${product.fileStem}_00.50_${stamp}.grib2.gz`);
    }
  });

  test("cover an hour in two-minute windows with both products, some seconds apart", () => {
    const windows = Array.from({ length: WINDOW_COUNT }, (_, window) => {
      const reflectivity = observedAt(window, "mrms-reflectivity");
      const mesh = observedAt(window, "mrms-mesh");
      expect(observationWindow(mesh)).toBe(observationWindow(reflectivity));
      return { window: observationWindow(reflectivity), apart: Date.parse(reflectivity) - Date.parse(mesh) };
    });
    const first = windows[0]!.window;
    expect(windows.map(({ window }) => window - first)).toEqual(windows.map((_, index) => index));
    expect(observedAt(0, "mrms-mesh")).toMatch(/^2026-05-20T21:00:3\dZ$/);
    expect(observedAt(WINDOW_COUNT - 1, "mrms-mesh")).toMatch(/^2026-05-20T22:00:3\dZ$/);
    expect(new Set(windows.map(({ apart }) => apart)).size).toBeGreaterThan(2);
  });

  test("are in the order of publication: each window once, and one correction long after its window", () => {
    const observations = demonstrationSteps.filter(({ kind }) => kind === "observation");
    expect(observations.map(({ window }) => window)).toEqual(
      Array.from({ length: WINDOW_COUNT }, (_, at) => at),
    );
    const corrections = demonstrationSteps.filter(({ kind }) => kind === "correction");
    expect(corrections).toEqual([{ window: CORRECTED_WINDOW, kind: "correction" }]);
    const place = demonstrationSteps.indexOf(corrections[0]!);
    expect(demonstrationSteps[place - 1]!.window - CORRECTED_WINDOW).toBeGreaterThanOrEqual(5);
    expect(place).toBeLessThan(demonstrationSteps.length - 5);
    const total = demonstrationSteps.reduce((files, step) => files + fileCountOf(step), 0);
    expect(total).toBe(demonstrationFileCount);
  });

  test("can be generated one at a time", () => {
    const iterator = demonstrationFiles();
    const [reflectivity, hail] = [iterator.next().value, iterator.next().value];
    const [expected] = generator.generate({ window: 0, kind: "observation" });
    expect(reflectivity?.name).toBe(expected!.name);
    expect(sha256(reflectivity?.bytes)).toBe(sha256(expected!.bytes));
    expect(hail?.product).toBe("mrms-mesh");
  });

  test("include a correction that removes the spike of one radar and nothing else", () => {
    const [original, hail] = generator.generate({ window: CORRECTED_WINDOW, kind: "observation" });
    const corrections = generator.generate({ window: CORRECTED_WINDOW, kind: "correction" });
    expect(hail?.product).toBe("mrms-mesh");
    expect(corrections).toHaveLength(1);
    const [correction] = corrections;
    expect(correction).toMatchObject({
      name: original!.name,
      product: "mrms-reflectivity",
      observedAt: original!.observedAt,
      kind: "correction",
    });
    const before = decode(original!);
    const after = decode(correction!);
    const radar = radarPosition("KVNX");
    const changed = cellsThatDiffer(before.codes, after.codes);
    expect(changed.length).toBeGreaterThan(500);
    for (const cell of changed) {
      const east = columnX(cell % region.columns) - radar.x;
      const north = rowN(Math.floor(cell / region.columns)) - radar.n;
      const azimuth = ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
      expect(azimuth).toBeGreaterThanOrEqual(196.5);
      expect(azimuth).toBeLessThan(199.5);
      expect(Math.hypot(east, north)).toBeLessThan(230);
      expect(before.codes[cell]!).toBeGreaterThan(after.codes[cell]!);
    }
  });
});
