// Every reader either returns content within the limits or throws an AppError that names the file, whatever the bytes.
import { strFromU8, strToU8 } from "fflate";
import { expect, test } from "vitest";
import { isAppError } from "../../shared/app-error.ts";
import { overlayLimits, type OverlayContent } from "../../shared/overlays/overlay.ts";
import { readOverlay } from "./read-overlay.ts";
import { writePolygons, writeTable, zip } from "./support/shapefile-bytes.ts";

const square = [
  [-98, 35],
  [-98, 36],
  [-97, 36],
  [-98, 35],
] as const;

const placefile = `Title: Spotters
Refresh: 1
Color: 255 0 0
TimeRange: 2026-05-20T21:30:00Z 2026-05-20T21:40:00Z
Object: 35, -97
Icon: 0,0,0,1,1,"A \\n B"
End:
Polygon:
35, -97
36, -97
36, -98
35, -97
End:
Text: 35, -97, 1, "words", "hover"
`;
const geoJson = JSON.stringify({
  type: "FeatureCollection",
  features: [
    {
      type: "Feature",
      properties: { title: "A <b>", stroke: "#f00", start: "2026-05-20T21:00Z", end: 1_779_314_400 },
      geometry: { type: "GeometryCollection", geometries: [{ type: "Polygon", coordinates: [square] }] },
    },
  ],
});
const alerts = JSON.stringify({
  type: "FeatureCollection",
  features: [
    {
      type: "Feature",
      properties: {
        event: "Tornado Warning",
        sent: "2026-05-20T21:00Z",
        expires: "2026-05-20T22:00Z",
        severity: "x",
      },
      geometry: { type: "Polygon", coordinates: [square] },
    },
  ],
});
const kml = `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Style id="a"><LineStyle><color>ff0000ff</color></LineStyle></Style><Placemark><name>A</name><styleUrl>#a</styleUrl><description><![CDATA[<b>x</b>]]></description><TimeSpan><begin>2026-05-20</begin></TimeSpan><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark></Document></kml>`;
const shapefile = zip({
  "a.shp": [writePolygons([square]), { level: 0 }],
  "a.dbf": [writeTable(["NAME"], [["A"]]), { level: 0 }],
});

const hail = `Time,Size,Location,County,State,Lat,Lon,Comments
2117,100,2 N Blanchard,McClain,OK,35.17,-97.66,Trained spotter. (OUN)
2133,175,Norman,Cleveland,OK,35.22,-97.44,Social media. (OUN)
`;

const files: readonly (readonly [string, Uint8Array])[] = [
  ["placefile.txt", strToU8(placefile)],
  ["plain.geojson", strToU8(geoJson)],
  ["alerts.json", strToU8(alerts)],
  ["routes.kml", strToU8(kml)],
  ["260520_rpts_hail.csv", strToU8(hail)],
  ["routes.kmz", zip({ "doc.kml": [strToU8(kml), { level: 6 }] })],
  ["districts.zip", shapefile],
];

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

async function readBounded(bytes: Uint8Array, name: string): Promise<void> {
  let content: OverlayContent;
  try {
    content = await readOverlay(bytes, name);
  } catch (error) {
    expect(isAppError(error, "source-invalid"), String(error)).toBe(true);
    expect(String(error)).toContain(name);
    return;
  }
  expect(content.shapes.length).toBeLessThanOrEqual(overlayLimits.shapes);
  for (const { geometry, fromMs, toMs, label = "", text = "" } of content.shapes) {
    const places = [geometry.coordinates].flat(geometry.type === "Polygon" ? 3 : 2);
    expect(places.every((value) => Math.abs(value as number) <= 180)).toBe(true);
    expect([fromMs, toMs].every((ms) => ms === undefined || Number.isSafeInteger(ms))).toBe(true);
    expect(text.length).toBeLessThanOrEqual(overlayLimits.textLength);
    expect(/[^\P{C}\n]/u.test(label + text)).toBe(false);
  }
}

test.each(files)("%s as it is has shapes, and cut anywhere it is refused or whole", async (name, bytes) => {
  expect((await readOverlay(bytes, name)).shapes.length).toBeGreaterThan(0);
  for (let length = 0; length < bytes.length; length += 1) await readBounded(bytes.slice(0, length), name);
});

test.each(files)("%s with bytes changed, removed and repeated", async (name, bytes) => {
  const random = createRandom(41);
  for (let round = 0; round < 600; round += 1) {
    let changed = bytes.slice();
    for (let change = random(6); change >= 0; change -= 1) {
      const at = random(changed.length);
      const end = Math.min(changed.length, at + random(40));
      if (random(3) === 0) changed = new Uint8Array([...changed.slice(0, at), ...changed.slice(end)]);
      else if (random(2) === 0) changed = new Uint8Array([...changed.slice(0, end), ...changed.slice(at)]);
      else changed[at] = random(256);
      if (changed.length === 0) changed = new Uint8Array([0]);
    }
    await readBounded(changed, name);
  }
});

test("words of the formats in any order", async () => {
  const random = createRandom(99);
  const texts = files.slice(0, 5).map(([, bytes]) => strFromU8(bytes));
  const words = texts.join("\n").split(/(?<=[\s,:<>"{}[\]])/);
  const opening = ["", "{", "<kml>", "Title: a\n", "[", "Object: 1,2\n"];
  for (let round = 0; round < 2_000; round += 1) {
    const chosen = Array.from({ length: random(60) }, () => words[random(words.length)]!).join("");
    await readBounded(strToU8(opening[random(opening.length)]! + chosen), "words.txt");
  }
});

test("random bytes", async () => {
  const random = createRandom(7);
  for (let round = 0; round < 500; round += 1)
    await readBounded(
      Uint8Array.from({ length: random(300) }, () => random(256)),
      "noise.bin",
    );
});
