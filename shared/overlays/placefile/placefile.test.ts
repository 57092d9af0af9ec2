import { expect, test } from "vitest";
import { TimedShapes } from "../time-rule.ts";
import { readPlacefile } from "./placefile.ts";

const read = (text: string) => readPlacefile({ name: "spotters.txt", text });

const spotters = `; A list of spotters
Title: Spotters near Norman ; for today
RefreshSeconds: 45
Threshold: 999
Font: 1, 11, 1, "Courier New"
IconFile: 1, 22, 22, 11, 11, "http://example.org/spotter.png"
TimeRange: 2026-05-20T21:30:00Z 2026-05-20T21:40:00Z
Color: 0 255 128

Object: 35.22, -97.44
  Icon: 0,0,000,1,2,"Spotter 7\\nOn the bridge; facing west"
  Text: 15, 10, 1, "Spotter 7"
End:
Threshold: 100
Place: 35.34, -97.49, Moore, Oklahoma
Text: 35.1, -97.3, 1, "Gust 62 kt", "21:35 UTC"
Icon: 35.5,-97.5,90,1,3
`;

test("marks, words and their hover texts, with times and thresholds", () => {
  const { shapes, title, refreshSeconds, bounds, notes } = read(spotters);
  expect(title).toBe("Spotters near Norman");
  expect(refreshSeconds).toBe(45);
  const times = { fromMs: Date.parse("2026-05-20T21:30Z"), toMs: Date.parse("2026-05-20T21:40Z") - 1 };
  expect(shapes).toEqual([
    {
      geometry: { type: "Point", coordinates: [-97.44, 35.22] },
      ...times,
      label: "Spotter 7",
      text: "Spotter 7\nOn the bridge; facing west",
      style: { color: "#00ff80", labelOffsetPx: [15, 10], labelPx: 11 },
      thresholdNm: undefined,
    },
    {
      geometry: { type: "Point", coordinates: [-97.49, 35.34] },
      ...times,
      label: "Moore, Oklahoma",
      style: { color: "#00ff80", mark: "none" },
      thresholdNm: 100,
    },
    {
      geometry: { type: "Point", coordinates: [-97.3, 35.1] },
      ...times,
      label: "Gust 62 kt",
      text: "21:35 UTC",
      style: { color: "#00ff80", mark: "none", labelPx: 11 },
      thresholdNm: 100,
    },
    {
      geometry: { type: "Point", coordinates: [-97.5, 35.5] },
      ...times,
      text: undefined,
      thresholdNm: 100,
    },
  ]);
  expect(bounds).toEqual([-97.5, 35.1, -97.3, 35.5]);
  expect(notes).toEqual([
    "Drawings in pixels are plain marks at their place.",
    "Icons are drawn as plain marks: their pictures are not fetched.",
  ]);
});

test("lines, polygons with holes and triangles", () => {
  const { shapes, notes } = read(`Refresh: 2
Color: 255 0 0
Line: 3, 0, "Gust front"
 35.0, -97.0
 35.1 , -97.2 ; bend
End:
Polygon:
 35.0, -98.0, 0, 0, 255, 128
 36.0, -98.0
 36.0, -97.0
 35.0, -97.0
 35.0, -98.0
 35.4, -97.6
 35.6, -97.6
 35.6, -97.4
 35.4, -97.6
 33.0, -98.0
 34.0, -98.0
 34.0, -97.0
End:
Triangles:
 35.0, -98.0
 36.0, -98.0
 36.0, -97.0
End:
Image: "http://example.org/radar.png"
 35.0, -98.0, 0, 0
End:
`);
  expect(shapes.map(({ geometry, style }) => [geometry.type, style])).toEqual([
    ["LineString", { color: "#ff0000", widthPx: 3 }],
    ["Polygon", { color: "#0000ff80", fill: "#0000ff80", widthPx: 0 }],
    ["Polygon", { color: "#0000ff80", fill: "#0000ff80", widthPx: 0 }],
    ["Polygon", { color: "#ff0000", fill: "#ff0000", widthPx: 0 }],
  ]);
  expect(
    shapes.map(({ geometry: { type, coordinates } }) => type === "Polygon" && coordinates.length),
  ).toEqual([false, 2, 1, 1]);
  expect(shapes[0]!.text).toBe("Gust front");
  expect(notes).toEqual(["Pictures are not drawn."]);
});

/** A station as files of surface observations have it: what is set inside an object goes on after it. */
const station = `Title: Surface observations
Threshold: 150
Font: 1, 14, 1, "Arial"
Object: 35.18, -97.44
  Threshold: 60
  Color: 255 100 100
  Text: -17, 13, 1, " 88 ", "Norman\\nTemperature 88 °F"
  Color: 100 255 100
  Text: -17, -13, 1, " 71 "
  Icon: 0, 0, 190, 1, 3, "Wind 190° at 15 kt"
End:
Text: 35.5, -97.5, 2, "OKC"
`;

test("words of an object stand at their pixels in their own colors, and its settings go on after it", () => {
  const { shapes, notes } = read(station);
  const norman = { type: "Point", coordinates: [-97.44, 35.18] };
  expect(shapes).toEqual([
    { geometry: norman, thresholdNm: 60, text: "Wind 190° at 15 kt" },
    {
      geometry: norman,
      thresholdNm: 60,
      label: "88",
      text: "Norman\nTemperature 88 °F",
      style: { color: "#ff6464", mark: "none", labelOffsetPx: [-17, 13], labelPx: 14 },
    },
    {
      geometry: norman,
      thresholdNm: 60,
      label: "71",
      style: { color: "#64ff64", mark: "none", labelOffsetPx: [-17, -13], labelPx: 14 },
    },
    {
      geometry: { type: "Point", coordinates: [-97.5, 35.5] },
      thresholdNm: 60,
      label: "OKC",
      style: { color: "#64ff64", mark: "none" },
    },
  ]);
  expect(notes).toEqual(["Drawings in pixels are plain marks at their place."]);
});

test("the color is white before the first one, and one that cannot be read leaves the one before", () => {
  const { shapes } = read("Text: 35, -97, 1, A\nColor: 1 2 3\nColor: red\nText: 35, -97, 1, B\n");
  expect(shapes.map(({ style }) => style?.color)).toEqual(["#ffffff", "#010203"]);
});

test("hues of HSLuv are not taken for red, green and blue", () => {
  const { shapes, notes } = read(`Color: 1 2 3
HSLuv: true
Color: 120 100 50
Place: 35, -97, A
HSLuv: false
Color: 4 5 6
Place: 35, -97, B
`);
  expect(shapes.map(({ style }) => style?.color)).toEqual(["#010203", "#040506"]);
  expect(notes).toEqual([
    "Statements that are not known are left out (2).",
    "Lines that cannot be read are left out.",
  ]);
});

test("a Threshold of 0 or of 999 shows at every zoom", () => {
  const text = [50, 0, 50, 999, 50, -1, 50].map((nm) => `Threshold: ${nm}\nPlace: 35, -97, A\n`).join("");
  const { shapes } = read(text);
  expect(shapes.map(({ thresholdNm }) => thresholdNm)).toEqual([
    50,
    undefined,
    50,
    undefined,
    50,
    undefined,
    50,
  ]);
});

test("the end of a TimeRange belongs to the next one", () => {
  const { shapes } = read(`TimeRange: 2026-05-20T21:30:00 2026-05-20T21:40:00
Place: 35, -97, A
TimeRange: 2026-05-20T21:40:00 2026-05-20T21:50:00
Place: 35, -97, B
`);
  const index = new TimedShapes(shapes, "always");
  const shownAt = (time: string): (string | undefined)[] =>
    index
      .show({ kind: "valid-at" }, { observedMs: Date.parse(`2026-05-20T${time}Z`), isNow: false })
      .shapes.map(({ label }) => label);
  expect([shownAt("21:30:00"), shownAt("21:39:59"), shownAt("21:40:00"), shownAt("21:50:00")]).toEqual([
    ["A"],
    ["A"],
    ["B"],
    [],
  ]);
});

test("lines that cannot be read are told, and the others drawn", () => {
  const { shapes, notes } = read(
    "Title: T\nColor: red\nPlace: north, west, Moore\nPlace: 35, -97, Norman\nSound: 1\n!\n",
  );
  expect(shapes).toHaveLength(1);
  expect(notes).toEqual([
    "Lines that cannot be read are left out (3).",
    "Statements that are not known are left out.",
  ]);
});

test("shapes are left out while a TimeRange cannot be read", () => {
  const { shapes, notes } = read(`TimeRange: yesterday today
Place: 35, -97, A
TimeRange: 2026-05-20T21:30:00 2026-05-20T21:40:00
Place: 35, -97, B
TimeRange:
Place: 35, -97, C
`);
  expect(shapes.map(({ label, fromMs }) => [label, fromMs])).toEqual([
    ["B", Date.parse("2026-05-20T21:30Z")],
    ["C", undefined],
  ]);
  expect(notes).toEqual(["Shapes after a TimeRange that cannot be read are left out."]);
});

test("a truncated placefile and a text of another kind are refused by name", () => {
  expect(() => read("Color: 1 2 3\nLine: 1, 0\n 35, -97\n")).toThrow("spotters.txt ends in the middle");
  expect(() => read('Object: 35, -97\nText: 0, 0, 1, "A"\n')).toThrow("spotters.txt ends in the middle");
  expect(() => read("Dear all,\nsee you at noon.\n")).toThrow("spotters.txt is not a placefile");
});

test("too many shapes and points are refused by name", () => {
  expect(() => read("Place: 35, -97, A\n".repeat(20_001))).toThrow(
    "spotters.txt has more than 20,000 shapes.",
  );
});
