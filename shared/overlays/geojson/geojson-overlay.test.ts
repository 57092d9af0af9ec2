import { expect, test } from "vitest";
import { readGeoJson } from "./geojson-overlay.ts";

const read = (root: unknown) => readGeoJson({ name: "districts.geojson", text: JSON.stringify(root) });
const square = [
  [-98, 35],
  [-97, 35],
  [-97, 36],
  [-98, 35],
];
const feature = (geometry: unknown, properties: unknown = {}): unknown => ({
  type: "Feature",
  properties,
  geometry,
});
const collection = (...features: unknown[]): unknown => ({ type: "FeatureCollection", features });

test("titles, colors and descriptions of simplestyle", () => {
  const { shapes, bounds } = read(
    collection(
      feature(
        { type: "Polygon", coordinates: [square] },
        {
          title: "Norman <b>Public</b> Schools",
          description: "District 29<br>24 schools<script>alert(1)</script>",
          stroke: "#F00",
          "stroke-width": 3,
          fill: "00ff00",
          "fill-opacity": 0.5,
        },
      ),
    ),
  );
  expect(shapes).toEqual([
    {
      geometry: { type: "Polygon", coordinates: [square] },
      label: "Norman Public Schools",
      text: "District 29\n24 schools",
      style: { color: "#ff0000", widthPx: 3, fill: "#00ff0080" },
    },
  ]);
  expect(bounds).toEqual([-98, 35, -97, 36]);
});

test("an outlook of the Storm Prediction Center has its risk and its colors", () => {
  const risk = { DN: 4, LABEL: "SLGT", LABEL2: "Slight Risk", stroke: "#DDAA00", fill: "#FFE066" };
  expect(read(feature({ type: "MultiPolygon", coordinates: [[square]] }, risk)).shapes).toMatchObject([
    { label: "Slight Risk", style: { color: "#ddaa00", fill: "#ffe06699" } },
  ]);
});

test("every type of geometry becomes points, lines and areas", () => {
  const types = (geometry: unknown): string[] => read(geometry).shapes.map((shape) => shape.geometry.type);
  expect(types({ type: "Point", coordinates: [-97, 35, 350] })).toEqual(["Point"]);
  expect(
    types({
      type: "MultiPoint",
      coordinates: [
        [-97, 35],
        [-97, 36],
      ],
    }),
  ).toEqual(["Point", "Point"]);
  expect(types({ type: "MultiLineString", coordinates: [square, square] })).toEqual([
    "LineString",
    "LineString",
  ]);
  expect(types({ type: "MultiPolygon", coordinates: [[square], [square]] })).toEqual(["Polygon", "Polygon"]);
  const point = { type: "Point", coordinates: [1, 2] };
  const inner = {
    type: "GeometryCollection",
    geometries: [point, { type: "LineString", coordinates: square }],
  };
  expect(types({ type: "GeometryCollection", geometries: [point, inner] })).toEqual([
    "Point",
    "Point",
    "LineString",
  ]);
});

test.each([
  [{ validFrom: "2026-05-20T21:00:00Z", validTo: "2026-05-20T22:00:00Z" }, "21:00", "22:00"],
  [{ valid_from: "2026-05-20 16:00:00-05:00" }, "21:00", undefined],
  [{ start: "202605202100", end: "202605202200" }, "21:00", "22:00"],
  [{ begin: 1_779_310_800, end: 1_779_314_400_000 }, "21:00", "22:00"],
  [{ time: "2026-05-20T21:00" }, "21:00", "21:00"],
  [{ timestamp: "1779310800" }, "21:00", "21:00"],
  [{ ISSUE: "202605202034", VALID: "202605202100", EXPIRE: "202605202200" }, "21:00", "22:00"],
  [{ valid: true, start: "202605202100", end: "202605202200" }, "21:00", "22:00"],
  [{ start: "Main Street", end: "Oak Street" }, undefined, undefined],
])("the times of %j", (properties, from, to) => {
  const [shape] = read(feature({ type: "Point", coordinates: [0, 0] }, properties)).shapes;
  const ms = (clock: string | undefined) =>
    clock === undefined ? undefined : Date.parse(`2026-05-20T${clock}Z`);
  expect([shape!.fromMs, shape!.toMs]).toEqual([ms(from), ms(to)]);
});

test("a feature without a place is told, other properties are its text", () => {
  const { shapes, notes } = read(
    collection(
      feature(null),
      feature({ type: "Point", coordinates: [-97, 35] }, { NAME: "A", pupils: 12, up: null }),
    ),
  );
  expect(shapes).toMatchObject([{ label: "A", text: "pupils: 12" }]);
  expect(notes).toEqual(["Features without a place are not drawn."]);
});

test.each([
  ["is not GeoJSON", []],
  ["a geometry has no type that GeoJSON knows", { type: "Topology", objects: {} }],
  ["a place has no longitude and latitude", { type: "Point", coordinates: ["-97", "35"] }],
  ["beyond 180° and 90°", { type: "Point", coordinates: [634_000, 3_900_000] }],
  ["has more than 20,000 shapes", collection(...Array.from({ length: 20_001 }, () => feature(null)))],
  [
    "has more than 1,000,000 points",
    { type: "LineString", coordinates: Array.from({ length: 1_000_001 }, () => [0, 0]) },
  ],
])("a file that %s is refused by name", (reason, root) => {
  expect(() => read(root)).toThrow(reason);
  expect(() => read(root)).toThrow(/^districts\.geojson /);
});

test("truncated JSON is refused", () => {
  expect(() => readGeoJson({ name: "cut.json", text: '{"type":"Feature","geome' })).toThrow(
    "cut.json is not valid JSON.",
  );
});
