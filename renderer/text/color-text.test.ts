import { expect, test } from "vitest";
import { toOwnTable } from "../../shared/products/color-tables/own-table.ts";
import { colorsWords, exactnessWords } from "./color-text.ts";

const solid = toOwnTable("Units: dBZ\nSolidColor: 5 1 2 3\nSolidColor: 40 4 5 6", "Storm chaser.pal");
const hail = toOwnTable("Units: in\nColor: 1 0 0 0\nColor: 2.01 255 0 0", "hail.pal");

test("only colors other than the default's are named, own tables with their layer", () => {
  expect(colorsWords({ palette: "echotop" })).toBe("");
  expect(colorsWords({ palette: "nws" })).toBe("Colors: NWS");
  const ownTables = { "mrms-reflectivity": solid };
  expect(colorsWords({ palette: "echotop", ownTables })).toBe("Colors: Storm chaser (reflectivity), Echotop");
  expect(colorsWords({ palette: "nws", ownTables: { ...ownTables, "mrms-mesh": hail } })).toMatch(
    /^Colors: .*Storm chaser \(reflectivity\)/,
  );
});

test("a table says where the classes do not show all of it", () => {
  expect(exactnessWords(solid, "in")).toEqual(["Exact: every break of the table is a class edge."]);
  expect(exactnessWords(hail, "in")).toEqual([
    "Gradients are drawn in steps of one class, each in the color at its lower edge.",
    "Below 1.00 in the table has no color: nothing is drawn.",
  ]);
  const cut = toOwnTable("Units: dBZ\nSolidColor: 5 1 2 3\nSolidColor: 30.2 4 5 6", "x");
  expect(exactnessWords(cut, "in")).toEqual([
    "30–30.5 dBZ has several colors in the table; the map has that of its lower edge.",
  ]);
});
