import { strToU8 } from "fflate";
import { expect, test } from "vitest";
import { readOverlay } from "../read-overlay.ts";
import { zip } from "../support/shapefile-bytes.ts";

const kml = (coordinates = "-97,35"): Uint8Array =>
  strToU8(
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>A</name><LineString><coordinates>${coordinates} -97,36</coordinates></LineString></Placemark></Document></kml>`,
  );

test("every document of a KMZ is drawn, and links between them are no notes", async () => {
  const link = (href: string): string => `<NetworkLink><Link><href>${href}</href></Link></NetworkLink>`;
  const main = strToU8(
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Routes</name>${link("layers/a.kml")}${link("https://example.org/b.kml")}</Document></kml>`,
  );
  const { format, title, shapes, notes } = await readOverlay(
    zip({ "doc.kml": main, layers: { "a.kml": kml(), "a.png": new Uint8Array(9) } }),
    "routes.kmz",
  );
  expect({ format, title }).toEqual({ format: "kmz", title: "Routes" });
  expect(shapes).toMatchObject([{ label: "A" }]);
  expect(notes).toEqual(["Links to other files are not followed."]);
});

/** Writes what an archive says of the unpacked length of its only file, in both of its headers. */
function claimLength(archive: Uint8Array, length: number): Uint8Array {
  const view = new DataView(archive.buffer);
  for (let at = 0; at + 4 <= archive.length; at += 1) {
    if (view.getUint32(at, true) === 0x04034b50) view.setUint32(at + 22, length, true);
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, length, true);
  }
  return archive;
}

const manyPoints = (count: number): Uint8Array => kml("0,0 ".repeat(count));

test.each([
  ["has a file inside whose path leads out of it", zip({ "../../etc/doc.kml": kml() })],
  ["has a file inside whose path leads out of it", zip({ "/doc.kml": kml() })],
  ["has a file inside whose path leads out of it", zip({ "a\\doc.kml": kml() })],
  ["has a file inside whose path leads out of it", zip({ "C:doc.kml": kml() })],
  ["has another archive inside", zip({ "doc.kml": kml(), "inner.zip": zip({ a: kml() }) })],
  ["has another archive inside", zip({ "doc.kml": zip({ "doc.kml": kml() }) })],
  ["has more than 32 MB inside", zip({ "doc.kml": manyPoints(10_000_000) })],
  ["has more than 1,000,000 points", zip({ "doc.kml": manyPoints(7_000_000) })],
  ["is damaged: it cannot be unpacked", claimLength(zip({ "doc.kml": manyPoints(10_000_000) }), 1_000)],
  ["is damaged: it cannot be unpacked", claimLength(zip({ "doc.kml": kml() }), 31_000_000)],
  ["has more than 32 MB inside", claimLength(zip({ "doc.kml": kml() }), 0xffffffff)],
  ["is damaged: it cannot be unpacked", zip({ "doc.kml": kml() }).slice(0, -30)],
  ["is damaged: it cannot be unpacked", zip({ "doc.kml": kml() }).slice(0, 60)],
  [
    "has more than 500 files inside",
    zip(Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`${index}.kml`, kml()]))),
  ],
  ["has neither KML nor a Shapefile inside, or both", zip({ "readme.txt": strToU8("hello") })],
])("an archive that %s is refused by name", async (reason, bytes) => {
  await expect(readOverlay(bytes, "routes.kmz")).rejects.toMatchObject({
    name: "AppError",
    code: "source-invalid",
    message: `routes.kmz ${reason}.`,
  });
});
