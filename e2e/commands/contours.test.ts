// Contours of a swath by the command line, opened with somebody else's readers.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../../electron/support/host-process.ts";
import {
  ask,
  askPython,
  gdalNeeds,
  hasGdal,
  hasPythonReaders,
  hasXmllint,
  pythonNeeds,
  xmllintNeeds,
} from "../support/geo/gdal.ts";
import { hail, StormToExport, times } from "../support/storm-to-export.ts";

const schema = new URL("../support/geo/kml-2.2-used.xsd", import.meta.url).pathname;
const storm = new StormToExport();
const { root, data } = storm;
const run = storm.run.bind(storm);

let geojson: string;
let kml: string;
const swath = ["swath", "storm", "--layer", hail] as const;

beforeAll(async () => {
  await storm.publish();
  geojson = join(root, "swath.geojson");
  kml = join(root, "swath.kml");
  await run(...swath, "--format", "geojson", "--out", geojson);
  await run(...swath, "--format", "kml", "--out", kml);
});

afterAll(() => {
  storm.remove();
});

test.skipIf(!hasGdal)(
  `contours are valid and hold the cells of at least each level${gdalNeeds}`,
  async () => {
    const { features } = JSON.parse(readFileSync(geojson, "utf8")) as {
      features: { properties: Record<string, unknown> }[];
    };
    const [line] = (await run(...swath)) as unknown as { histogram: [number, number][] }[];
    const sql =
      'SELECT lower, ST_IsValid(geometry) AS valid, ST_Area(geometry) * 10000 AS cells FROM "swath"';
    const text = await ask(
      "ogr2ogr",
      "-f",
      "GeoJSON",
      "/vsistdout/",
      geojson,
      "-dialect",
      "SQLite",
      "-sql",
      sql,
    );
    const rows = (JSON.parse(text) as { features: { properties: Record<string, number> }[] }).features;
    expect(rows.map(({ properties: { lower } }) => lower)).toEqual([12.7, 25.4, 38.1, 50.8, 63.5]);
    for (const { properties } of rows) {
      expect(properties.valid).toBe(1);
      const reached = line!.histogram.filter(([edge]) => edge >= properties.lower!);
      const cells = reached.reduce((sum, [, count]) => sum + count, 0);
      expect(properties.cells).toBeCloseTo(cells, 4);
    }
    expect(features[1]!.properties).toMatchObject({
      ...{ lower: 25.4, upper: null, unit: "mm", layer: hail, label: "1 in and above (25.4 mm and above)" },
      ...{ event: "storm", nature: "benchmark", observedFrom: times[0], observedTo: times[2] },
    });
    expect(features[1]!.properties.revisions).toHaveLength(3);
    expect(features[1]!.properties.disclosure).toContain("not a warning source");
  },
);

test.skipIf(!hasXmllint)(`contours are valid against the schema of KML 2.2${xmllintNeeds}`, async () => {
  await ask("xmllint", "--noout", "--schema", schema, kml);
});

test.skipIf(!hasPythonReaders)(
  `contours have the same polygons in KML for another reader${pythonNeeds}`,
  async () => {
    const read = [
      "import json,sys; from fastkml import kml",
      "k=kml.KML(); k.from_string(open(sys.argv[1],'rb').read())",
      "print(json.dumps([[p.name,len(list(p.geometry.geoms))] for p in list(k.features())[0].features()]))",
    ].join("\n");
    const { features } = JSON.parse(readFileSync(geojson, "utf8")) as {
      features: { properties: { label: string }; geometry: { coordinates: unknown[] } }[];
    };
    expect(await askPython(read, kml)).toEqual(
      features.map(({ properties, geometry }) => [properties.label, geometry.coordinates.length]),
    );
  },
);

test("a swath in the place of a folder exits 1 with a sentence, and leaves nothing beside it", async () => {
  const out = join(root, "place", "swath.geojson");
  mkdirSync(out, { recursive: true });
  const args = ["swath", "storm", "--layer", hail, "--format", "geojson", "--out", out, "--data", data];
  const { status, stderr } = await runCommand(args);
  expect(status).toBe(1);
  expect(stderr).toContain("The file could not be written: a folder is in the place of a file.");
  expect(stderr).not.toContain("at async");
  expect(readdirSync(join(root, "place"))).toEqual(["swath.geojson"]);
});
