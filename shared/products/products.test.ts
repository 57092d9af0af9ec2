import { describe, expect, test } from "vitest";
import { legendOf, paletteIds, stopColors } from "./palettes.ts";
import { classEdges, stopOfClass } from "./product.ts";
import { findProductByFileName, findProductByIdentity, products } from "./registry.ts";

describe.each(products)("$id", (product) => {
  test("has 1 to 255 strictly ascending whole class edges", () => {
    expect(product.edgeUnits.length).toBeGreaterThanOrEqual(1);
    expect(product.edgeUnits.length).toBeLessThanOrEqual(255);
    product.edgeUnits.forEach((edge, index) => {
      expect(Number.isSafeInteger(edge)).toBe(true);
      if (index > 0) expect(edge).toBeGreaterThan(product.edgeUnits[index - 1]!);
    });
  });

  test("every legend break is a class edge, and the first one is the first class", () => {
    const edges = classEdges(product);
    expect(product.stops[0]?.from).toBe(edges[0]);
    for (const stop of product.stops) expect(edges).toContain(stop.from);
  });

  test("every class falls under the stop below it", () => {
    const edges = classEdges(product);
    stopOfClass(product).forEach((stop, index) => {
      expect(product.stops[stop]!.from).toBeLessThanOrEqual(edges[index]!);
      const next = product.stops[stop + 1];
      if (next) expect(edges[index]).toBeLessThan(next.from);
    });
  });

  test.each(paletteIds)("the %s palette has one distinct color for each stop", (palette) => {
    const colors = stopColors(product, palette);
    expect(colors).toHaveLength(product.stops.length);
    expect(new Set(colors).size).toBe(colors.length);
    for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}([0-9a-f]{2})?$/);
  });

  test("what it draws over another layer begins at a legend stop", () => {
    if (product.overlayFrom === undefined) return;
    expect(product.stops.map(({ from }) => from)).toContain(product.overlayFrom);
  });

  test("the legend describes every stop", () => {
    const legend = legendOf(product);
    expect(legend.map(({ label }) => label)).toEqual(product.stops.map(({ label }) => label));
  });
});

test("the hail classes contain 1 and 4 inches exactly, in steps of 1/32 and then 1/8 inch", () => {
  const mesh = products.find(({ id }) => id === "mrms-mesh")!;
  const edges = classEdges(mesh);
  expect(edges[0]).toBe(3.175);
  expect(edges).toContain(25.4);
  expect(edges).toContain(101.6);
  expect(edges).toContain(104.775);
  expect(edges[1]).toBe(3.96875);
});

test("reflectivity starts at 5 dBZ in half steps", () => {
  const reflectivity = products.find(({ id }) => id === "mrms-reflectivity")!;
  expect(classEdges(reflectivity).slice(0, 3)).toEqual([5, 5.5, 6]);
});

test("finds products by identity and by file name, and no related ones", () => {
  expect(findProductByIdentity({ discipline: 209, category: 3, parameter: 28 })?.id).toBe("mrms-mesh");
  expect(findProductByIdentity({ discipline: 0, category: 3, parameter: 28 })).toBeUndefined();
  expect(findProductByFileName("/data/MRMS_MESH_00.50_20240228-025239.grib2.gz")?.id).toBe("mrms-mesh");
  expect(findProductByFileName("MergedReflectivityQCComposite_00.50_20220704-110040.grib2")?.id).toBe(
    "mrms-reflectivity",
  );
  expect(findProductByFileName("MRMS_MESH_Max_30min_00.50_20240228-025239.grib2")).toBeUndefined();
  expect(
    findProductByFileName("MRMS_MergedReflectivityQComposite_00.50_20240228-025239.grib2"),
  ).toBeUndefined();
});
