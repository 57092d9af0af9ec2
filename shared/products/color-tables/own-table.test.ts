// Tables written after the public formats: GRLevelX's own syntax, its dialects without colons, and the Weather and
// Climate Toolkit's plain lists. The expected colors are worked out by hand from the formats' rules.
import { describe, expect, test } from "vitest";
import { isAppError } from "../../app-error.ts";
import { mesh } from "../mesh.ts";
import { classEdges } from "../product.ts";
import { reflectivity } from "../reflectivity.ts";
import { palLimits, parsePal } from "./pal-file.ts";
import { colorAt, colorsOfClasses, OwnTable, toExactness, toOwnTable } from "./own-table.ts";

const dbzEdges = classEdges(reflectivity);
const hailEdges = classEdges(mesh);

const gradient = `; a table for base reflectivity
Product: BR
Units:   DBZ   ; drawn above the bar
Step:    10
RF:      119 0 125
Color:   10  0 100 200
Color:   20  100 200 0  200 250 50
Color:   30  255 0 0
Color4:  50  255 255 255 100  0 0 0 200
SolidColor: 60 9 8 7
`;

describe("a table of GRLevelX", () => {
  const table = toOwnTable(gradient, "my reflectivity.pal");

  test("is for reflectivity, named by its file", () => {
    expect(table).toMatchObject({ name: "my reflectivity", product: "mrms-reflectivity" });
    expect(parsePal(gradient).unused).toEqual(["Step", "RF"]);
    expect(OwnTable.parse(JSON.parse(JSON.stringify(table)))).toEqual(table);
  });

  test.each([
    [9.9, undefined],
    [10, [0, 100, 200, 255]],
    [15, [50, 150, 100, 255]],
    [20, [100, 200, 0, 255]],
    [25, [150, 225, 25, 255]],
    [40, [255, 128, 128, 178]],
    [55, [128, 128, 128, 150]],
    [60, [9, 8, 7, 255]],
    [90, [9, 8, 7, 255]],
  ])("at %d dBZ has the color %j", (value, color) => {
    expect(colorAt(table, value)).toEqual(color);
  });

  test("gives each class the color at its lower edge, and none below the table", () => {
    const colors = colorsOfClasses(table, dbzEdges);
    expect(colors[dbzEdges.indexOf(9.5)]).toEqual([0, 0, 0, 0]);
    expect(colors[dbzEdges.indexOf(15)]).toEqual([50, 150, 100, 255]);
    expect(toExactness(table, dbzEdges)).toEqual({ mixed: [], hasGradient: true, startsAbove: true });
  });
});

test("statements are read in any case, with or without colons, with every kind of comment", () => {
  const table = toOwnTable(
    "\uFEFFUNITS dBZ\r\nsolidcolor 5 1 2 3 // low\rSOLIDCOLOR4: 30, 4 5 6 7 # high\n\n",
    "C:\\tables\\x.pal",
  );
  expect(colorAt(table, 29.9)).toEqual([1, 2, 3, 255]);
  expect(colorAt(table, 30)).toEqual([4, 5, 6, 7]);
  expect(toExactness(table, dbzEdges)).toEqual({ mixed: [], hasGradient: false, startsAbove: false });
});

test("a list of the toolkit reads downward, and two colors of one value are a sharp break", () => {
  const table = toOwnTable(
    "Units: dBZ\nColor: 40 255 0 0\nColor: 20 0 255 0\nColor: 20 0 0 255\nColor: 0 0 0 0",
    "x",
  );
  expect(colorAt(table, 30)).toEqual([128, 128, 0, 255]);
  expect(colorAt(table, 20)).toEqual([0, 255, 0, 255]);
  expect(colorAt(table, 10)).toEqual([0, 0, 128, 255]);
});

test.each([
  ["Units: in\nSolidColor: 1 1 1 1\nSolidColor: 2 2 2 2", "by its unit"],
  ["Units: cm\nSolidColor: 2.54 1 1 1\nSolidColor: 5.08 2 2 2", "in centimeters"],
  ["Units: mm\nSolidColor: 25.4 1 1 1\nSolidColor: 50.8 2 2 2", "in millimeters"],
  ["Units IN\nScale: 0.03937 ; from mm\nSolidColor: 1 1 1 1\nSolidColor: 2 2 2 2", "by a rounded scale"],
  ["Units: mm\nScale: 2\nOffset: 10\nSolidColor: 60.8 1 1 1\nSolidColor: 111.6 2 2 2", "by scale and offset"],
])("sizes of hail are converted: %j, %s", (text) => {
  const table = toOwnTable(text, "hail.pal");
  expect(table.product).toBe("mrms-mesh");
  const colors = colorsOfClasses(table, hailEdges);
  expect(colors[hailEdges.indexOf(25.4)]).toEqual([1, 1, 1, 255]);
  expect(colors[hailEdges.indexOf(25.4) - 1]).toEqual([0, 0, 0, 0]);
  expect(colors[hailEdges.indexOf(50.8) - 1]).toEqual([1, 1, 1, 255]);
  expect(colors[hailEdges.indexOf(50.8)]).toEqual([2, 2, 2, 255]);
  expect(toExactness(table, hailEdges).mixed).toEqual([]);
});

test("a break inside a class is told, unless the color stays the same there", () => {
  const table = toOwnTable(
    "Units: dBZ\nSolidColor: 5 1 1 1\nSolidColor: 32.3 2 2 2\nSolidColor: 40.2 2 2 2",
    "x",
  );
  expect(toExactness(table, dbzEdges).mixed).toEqual([{ from: 32, to: 32.5 }]);
  expect(colorsOfClasses(table, dbzEdges)[dbzEdges.indexOf(32)]).toEqual([1, 1, 1, 255]);
});

test.each([
  ["", "has no color"],
  ["Units: dBZ\nColor: 5 0 0", "incomplete color in line 2"],
  ["Units: dBZ\nColor: 5 0 0 256", "outside 0 to 255 in line 2"],
  ["Units: dBZ\nColor: 5 0 0 -1", "outside 0 to 255 in line 2"],
  ["Units: dBZ\nColor: NaN 0 0 0", "unreadable number in line 2"],
  ["Units: dBZ\nColor: 1e999 0 0 0", "unreadable number in line 2"],
  [`Units: dBZ\nColor: ${"1".repeat(60_000)}x 0 0 0`, "unreadable number in line 2"],
  ["Units: dBZ\nScale: 0\nColor: 5 0 0 0", "scale of 0 in line 2"],
  ["Units: KTS\nProduct: BV\nColor: 5 0 0 0", "other units than dBZ"],
  ["Units: constructor\nColor: 5 0 0 0", "other units than dBZ"],
  ["Color: 5 0 0 0", "does not name its units"],
  ["Units: dBZ\n" + "Color: 5 0 0 0\n".repeat(palLimits.entries + 1), "more than 256 colors"],
  ["\n".repeat(palLimits.lines + 1), "more than 4096 lines"],
  [" ".repeat(palLimits.bytes + 1), "larger than 64 KB"],
])("%j is refused by name", (text, reason) => {
  expect(() => toOwnTable(text, "x.pal")).toThrow(reason);
});

test("2,000 damaged tables are read or refused, and what is read can be drawn", () => {
  let seed = 17;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed % below;
  };
  let read = 0;
  for (let round = 0; round < 2000; round++) {
    const characters = Array.from(gradient);
    for (let damage = 0; damage <= random(6); damage++) {
      const at = random(characters.length);
      const kinds = [
        () => characters.splice(at, 1 + random(40)),
        () => (characters[at] = String.fromCharCode(random(0x3000))),
        () => characters.splice(at, 0, ..."-9e9 : ;\n4".slice(random(10)).split("")),
      ];
      kinds[random(3)]!();
    }
    try {
      const table = toOwnTable(characters.join(""), "fuzz.pal");
      OwnTable.parse(table);
      for (const color of colorsOfClasses(table, dbzEdges)) {
        expect(color.every((channel) => channel >= 0 && channel <= 255)).toBe(true);
      }
      read++;
    } catch (error) {
      if (!isAppError(error, "source-invalid")) throw error;
    }
  }
  expect(read).toBeGreaterThan(200);
  expect(read).toBeLessThan(2000);
});
