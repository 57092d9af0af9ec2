import { afterAll, describe, expect, test } from "vitest";
import { boxAreaKm2 } from "../../../../shared/geo/sphere.ts";
import { outlineColors } from "../../../../shared/frames/outlines.ts";
import { stopColors, type PaletteId } from "../../../../shared/products/palettes.ts";
import { getProduct } from "../../../../shared/products/registry.ts";
import { createMapView } from "../ground/map-view.ts";
import {
  frameOf,
  removeSharedTrials,
  sampleBounds,
  samplePx,
} from "../../briefings/support/briefing-trial.ts";
import { drawFrame } from "./draw-frame.ts";

afterAll(removeSharedTrials);

const product = getProduct("mrms-mesh");
const palette: PaletteId = "echotop";
/** The color of two inches. */
const twoInches = stopColors(product, palette)[8]!;

/** Counts the opaque pixels of this color. */
function countOf(rgba: Uint8Array, color: string): number {
  const [red, green, blue] = Buffer.from(color.slice(1), "hex");
  let count = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    const isSame = rgba[at] === red && rgba[at + 1] === green && rgba[at + 2] === blue;
    if (isSame && rgba[at + 3] === 255) count += 1;
  }
  return count;
}

describe("a frame on a still", () => {
  test("keeps its class colors without blending when enlarged, and reports its highest class", async () => {
    const view = createMapView(sampleBounds, { widthPx: 224, heightPx: 280 });
    const { rgba, facts, hasCoverage } = await drawFrame(
      { png: frameOf("mrms-mesh", 55), bounds: sampleBounds, product, palette },
      view,
    );
    // Four by four cells of ten pixels each.
    const drawn = countOf(rgba, twoInches);
    expect(drawn).toBeGreaterThan(1500);
    expect(drawn).toBeLessThan(2200);
    // Around the block lies a light line of one pixel, and around that a dark one.
    expect(countOf(rgba, outlineColors.light)).toBeGreaterThan(130);
    expect(countOf(rgba, outlineColors.dark)).toBeGreaterThan(countOf(rgba, outlineColors.light));
    expect(hasCoverage).toBe(true);
    expect(facts?.highest).toMatchObject({ from: 54.76875, to: 55.5625 });
    expect(facts?.highest?.longitude).toBeCloseTo(-98 + 8.5 / samplePx, 3);
    const cell = boxAreaKm2(1 / samplePx, 35.4, 35.6) / 4;
    expect(facts?.stopAreasKm2[8]).toBeCloseTo(16 * cell, -1);
    expect(facts?.stopAreasKm2.filter((area) => area > 0)).toHaveLength(1);
  });

  test("loses no class when many cells share a pixel", async () => {
    const view = createMapView([-110, 25, -85, 45], { widthPx: 25, heightPx: 25 });
    const { rgba } = await drawFrame(
      { png: frameOf("mrms-mesh", 55), bounds: sampleBounds, product, palette },
      view,
    );
    expect(countOf(rgba, twoInches)).toBe(4);
  });

  test("without anything to draw says so, and a damaged picture is refused", async () => {
    const view = createMapView(sampleBounds, { widthPx: 100, heightPx: 100 });
    const source = { bounds: sampleBounds, product, palette };
    const empty = await drawFrame({ ...source, png: frameOf("mrms-mesh", undefined) }, view);
    expect(empty.facts?.highest).toBeNull();
    const damaged = frameOf("mrms-mesh", 55).slice(0, -40);
    await expect(drawFrame({ ...source, png: damaged }, view)).rejects.toMatchObject({
      code: "stored-data-invalid",
    });
  });
});
