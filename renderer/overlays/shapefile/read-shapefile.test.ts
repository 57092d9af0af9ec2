import { strToU8 } from "fflate";
import { expect, test } from "vitest";
import { readOverlay } from "../read-overlay.ts";
import { writePolygons, writeTable, zip, type Places } from "../support/shapefile-bytes.ts";

const square: Places = [
  [-98, 35],
  [-98, 36],
  [-97, 36],
  [-98, 35],
];
const shp = writePolygons([square, square]);
const read = (files: Parameters<typeof zip>[0]) => readOverlay(zip(files), "districts.zip");

test("areas with the names and the times of their table", async () => {
  const { format, shapes, notes } = await read({
    "data/districts.shp": shp,
    "data/districts.dbf": writeTable(
      ["NAME", "PUPILS", "VALID_FROM", "VALID_TO"],
      [
        ["Norman", "16000", "2026-05-20T21:00Z", "2026-05-20T22:00Z"],
        ["Moore", "24000", "", ""],
      ],
    ),
    "data/districts.prj": strToU8(
      'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
    ),
  });
  expect(format).toBe("shapefile");
  expect(notes).toEqual([]);
  expect(shapes).toMatchObject([
    {
      label: "Norman",
      geometry: { type: "Polygon", coordinates: [square] },
      fromMs: Date.parse("2026-05-20T21:00Z"),
      toMs: Date.parse("2026-05-20T22:00Z"),
    },
    { label: "Moore", text: "PUPILS: 24000", fromMs: undefined },
  ]);
});

test("projected places become longitudes and latitudes by the .prj file", async () => {
  // UTM zone 14 north, whose central meridian is 99° west; 3,900 km north of the equator is close to 35.24° north.
  const prj = `PROJCS["WGS 84 / UTM zone 14N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",-99],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]`;
  const meters: Places = [
    [500_000, 3_900_000],
    [500_000, 3_910_000],
    [510_000, 3_910_000],
    [500_000, 3_900_000],
  ];
  const { bounds } = await read({ "a.shp": writePolygons([meters]), "a.prj": strToU8(prj) });
  expect(bounds![0]).toBeCloseTo(-99, 6);
  expect(bounds![1]).toBeCloseTo(35.2426, 3);
  await expect(read({ "a.shp": writePolygons([meters]) })).rejects.toThrow("beyond 180° and 90°");
});

test("without a .prj file its places are taken as they are, and that is told", async () => {
  const { notes } = await read({ "a.shp": shp });
  expect(notes).toEqual(["Without a .prj file its places are taken as longitudes and latitudes."]);
});

test("a Shapefile of archived warnings is one of warnings", async () => {
  const { format, shapes } = await read({
    "wwa.shp": writePolygons([square]),
    "wwa.dbf": writeTable(
      ["WFO", "PHENOM", "SIG", "STATUS", "ISSUED", "EXPIRED"],
      [["OUN", "TO", "W", "NEW", "202605202100", "202605202200"]],
    ),
  });
  expect(format).toBe("warnings");
  expect(shapes).toMatchObject([
    { warning: { kind: "tornado", office: "OUN" }, toMs: Date.parse("2026-05-20T22:00Z") },
  ]);
});

/** Writes a 32-bit number into a copy. */
function poke(bytes: Uint8Array, at: number, value: number, isLittle = true): Uint8Array {
  const copy = bytes.slice();
  new DataView(copy.buffer).setInt32(at, value, isLittle);
  return copy;
}

const table = writeTable(["NAME"], [["A"], ["B"]]);

test.each([
  ["is damaged: a record of its .shp file is not whole", { "a.shp": shp.slice(0, -8) }],
  ["is damaged: a record of its .shp file is not whole", { "a.shp": poke(shp, 104, -8, false) }],
  ["is damaged: a record of its .shp file is not whole", { "a.shp": poke(shp, 144, 2_000_000) }],
  ["is damaged: a record of its .shp file is not whole", { "a.shp": poke(shp, 148, 10_000_000) }],
  ["is damaged: a record of its .shp file is not whole", { "a.shp": poke(shp, 152, -1) }],
  ["has shapes of a type that cannot be drawn", { "a.shp": poke(shp, 32, 31) }],
  ["has no valid .shp file", { "a.shp": strToU8("not a shape") }],
  ["is damaged: its .dbf file is not whole", { "a.shp": shp, "a.dbf": table.slice(0, -30) }],
  ["has a .dbf file of more rows than shapes may be", { "a.shp": shp, "a.dbf": poke(table, 4, -1) }],
  ["has a .prj file that cannot be read", { "a.shp": shp, "a.prj": strToU8("(".repeat(20_000)) }],
  ["has more than 20,000 shapes", { "a.shp": writePolygons(Array.from({ length: 20_001 }, () => square)) }],
  [
    "has more than 1,000,000 points",
    {
      "a.shp": writePolygons(
        Array.from({ length: 101 }, () => Array.from({ length: 10_000 }, () => square[0]!)),
      ),
    },
  ],
])("a Shapefile that %s is refused by name", async (reason, files) => {
  await expect(read(files)).rejects.toMatchObject({ name: "AppError", message: `districts.zip ${reason}.` });
});
