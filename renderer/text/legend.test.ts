import { describe, expect, test } from "vitest";
import { legendOf, stopColors } from "../../shared/products/palettes.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { pickStripLabels } from "../../shared/products/strip-labels.ts";
import { edgeWords, findLegendMark, toLegend, type LegendEntry } from "./legend.ts";

const mesh = getProduct("mrms-mesh");
const ownMesh = { id: mesh.id, legend: legendOf(mesh) };
const foreign = {
  id: "mrms-reflectivity" as const,
  legend: [
    { color: "#3333ff", label: "light (< 20)" },
    { color: "rgb(0 200 0)", label: "moderate 20-40" },
    { color: "#ff0000", label: "severe > 55 dBZ" },
    { color: "#ffffff", label: "unmeasured" },
  ],
};

function plain(shortLabels: readonly string[]): LegendEntry[] {
  return shortLabels.map((shortLabel) => ({
    label: shortLabel,
    shortLabel,
    color: "#000000",
    threshold: false,
    from: undefined,
    hidden: false,
    withinKm: undefined,
  }));
}

describe("our own legend", () => {
  test("has the colors of the palette, thresholds and short labels", () => {
    const entries = toLegend(ownMesh, { palette: "echotop", hailUnits: "in" });
    expect(entries.map((entry) => entry.color)).toEqual(ownMesh.legend.map((stop) => stop.color));
    expect(entries.filter((entry) => entry.threshold).map((entry) => entry.shortLabel)).toEqual(["1", "2"]);
    expect(
      toLegend(ownMesh, { palette: "echotop", hailUnits: "mm" }).find((entry) => entry.threshold)?.shortLabel,
    ).toBe("25.4");
  });

  test("has the colors for light ground in the light theme", () => {
    const entries = toLegend(ownMesh, { palette: "echotop", theme: "light", hailUnits: "in" });
    expect(entries.map((entry) => entry.color)).toEqual(stopColors(mesh, "echotop", "light"));
    expect(entries.at(-1)?.color).not.toBe(ownMesh.legend.at(-1)?.color);
  });

  test("says hail classes in decimals, the wanted unit first", () => {
    const labelsIn = (units: "in" | "mm"): string[] =>
      toLegend(ownMesh, { palette: "echotop", hailUnits: units }).map((entry) => entry.label);
    expect(labelsIn("in")).toContain("0.75 to 1.00 in (19.1 to 25.4 mm)");
    expect(labelsIn("in").at(-1)).toBe("4.00 in and above (101.6 mm and above)");
    expect(labelsIn("mm")).toContain("19.1 to 25.4 mm (0.75 to 1.00 in)");
    expect(labelsIn("in").join(" ")).not.toMatch(/[⅛¼½¾/]/);
  });

  test("keeps the labels of reflectivity", () => {
    const reflectivity = getProduct("mrms-reflectivity");
    const legend = legendOf(reflectivity);
    const entries = toLegend({ id: reflectivity.id, legend }, { palette: "echotop", hailUnits: "in" });
    expect(entries.map((entry) => entry.label)).toEqual(legend.map((stop) => stop.label));
  });

  test("takes the requested palette, whichever one it was published with", () => {
    const reflectivity = getProduct("mrms-reflectivity");
    const earlier = stopColors(reflectivity, "nws");
    const legend = legendOf(reflectivity).map((stop, index) => ({ ...stop, color: earlier[index]! }));
    for (const layer of [ownMesh, { id: reflectivity.id, legend }]) {
      const entries = toLegend(layer, { palette: "color-blind", hailUnits: "in" });
      expect(entries.map((entry) => entry.color)).toEqual(stopColors(getProduct(layer.id), "color-blind"));
    }
  });

  test("says which classes are hidden", () => {
    const entries = toLegend(ownMesh, { palette: "echotop", hailUnits: "in", showFrom: 12.7 });
    expect(entries.filter((entry) => entry.hidden).map((entry) => entry.shortLabel)).toEqual(["⅛", "¼"]);
    expect(toLegend(ownMesh, { palette: "echotop", hailUnits: "in" }).some((entry) => entry.hidden)).toBe(
      false,
    );
    expect(edgeWords(mesh, 2, "in")).toBe("½ in");
    expect(edgeWords(mesh, 2, "mm")).toBe("12.7 mm");
    expect(edgeWords(getProduct("mrms-reflectivity"), 14, "in")).toBe("75 dBZ");
  });

  test("is marked at the class, in its own cell", () => {
    const entries = toLegend(ownMesh, { palette: "echotop", hailUnits: "in" });
    const reading = {
      id: mesh.id,
      frame: undefined,
      kind: "class",
      from: 25.4,
      to: 26.19375,
      unit: "mm",
      color: "#f4e24a",
      hidden: false,
      withinKm: undefined,
    } as const;
    const mark = findLegendMark(entries, reading)!;
    expect(entries[mark.index]?.shortLabel).toBe("1");
    expect(mark.position).toBeGreaterThan(mark.index / entries.length);
    expect(mark.position).toBeLessThan((mark.index + 1) / entries.length);
    expect(findLegendMark(entries, { ...reading, from: 203.2, to: undefined })?.index).toBe(
      entries.length - 1,
    );
  });

  test("is not marked by missing data", () => {
    const entries = toLegend(ownMesh, { palette: "echotop", hailUnits: "in" });
    expect(findLegendMark(entries, undefined)).toBeUndefined();
    expect(
      findLegendMark(entries, { id: mesh.id, frame: undefined, kind: "outside-coverage" }),
    ).toBeUndefined();
  });
});

describe("a legend of another service", () => {
  test("keeps its labels and colors in any palette, with short labels from its numbers", () => {
    const entries = toLegend(foreign, { palette: "color-blind", hailUnits: "in" });
    expect(entries.map((entry) => entry.color)).toEqual(["#3333ff", "rgb(0 200 0)", "#ff0000", "#ffffff"]);
    expect(entries.map((entry) => entry.shortLabel)).toEqual(["<20", "20", "55+", "unmeasur"]);
  });

  test("keeps its colors also with the labels that Echotop uses", () => {
    const legend = ownMesh.legend.map((stop) => ({ ...stop, color: "#50617f" }));
    const entries = toLegend({ id: mesh.id, legend }, { palette: "color-blind", hailUnits: "in" });
    expect(new Set(entries.map((entry) => entry.color))).toEqual(new Set(["#50617f"]));
    expect(entries.map((entry) => entry.label)).toEqual(legend.map((stop) => stop.label));
  });

  test("is not marked, because its edges are unknown", () => {
    const entries = toLegend(foreign, { palette: "echotop", hailUnits: "in" });
    const reading = {
      id: foreign.id,
      frame: undefined,
      kind: "class",
      from: 30,
      to: 30.5,
      unit: "dBZ",
      color: "#00ff00",
      hidden: false,
      withinKm: undefined,
    } as const;
    expect(findLegendMark(entries, reading)).toBeUndefined();
  });
});

describe("labels below a strip", () => {
  test("do not touch, and include thresholds and both ends", () => {
    const entries = toLegend(ownMesh, { palette: "echotop", hailUnits: "mm" });
    const picked = pickStripLabels(entries, 248, 6);
    expect(picked).toContain(0);
    expect(picked).toContain(entries.length - 1);
    for (const [index, entry] of entries.entries()) {
      if (entry.threshold) expect(picked).toContain(index);
    }
    const cellPx = 248 / entries.length;
    for (let place = 1; place < picked.length - 1; place += 1) {
      const leftPx = picked[place - 1]! * cellPx + entries[picked[place - 1]!]!.shortLabel.length * 6;
      expect(leftPx).toBeLessThan(picked[place]! * cellPx);
    }
  });

  test("prefer round numbers", () => {
    const reflectivity = getProduct("mrms-reflectivity");
    const layer = { id: reflectivity.id, legend: legendOf(reflectivity) };
    const entries = toLegend(layer, { palette: "echotop", hailUnits: "in" });
    const picked = pickStripLabels(entries, 248, 6).map((index) => entries[index]!.from);
    expect(picked).toEqual(expect.arrayContaining([20, 30, 40, 50, 60]));
  });

  test("are all shown if they fit, and none for no entries", () => {
    expect(pickStripLabels(plain(["1", "2", "3"]), 248, 6)).toEqual([0, 1, 2]);
    expect(pickStripLabels([], 248, 6)).toEqual([]);
  });
});
