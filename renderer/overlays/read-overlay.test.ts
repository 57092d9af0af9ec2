import { strToU8 } from "fflate";
import { expect, test } from "vitest";
import { readOverlay } from "./read-overlay.ts";

const point = { type: "Point", coordinates: [-97.44, 35.22] };

test.each([
  ["placefile", "Color: 1 2 3\nPlace: 35, -97, Norman\n"],
  ["geojson", JSON.stringify(point)],
  [
    "reports-geojson",
    JSON.stringify({
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          geometry: point,
          properties: {
            typetext: "HAIL",
            type: "H",
            magnitude: "1.75",
            valid: "2026-05-20T21:33:00Z",
            city: "Norman",
          },
        },
      ],
    }),
  ],
  [
    "reports-csv",
    "Time,Size,Location,County,State,Lat,Lon,Comments\n2133,175,Norman,Cleveland,OK,35.22,-97.44,\n",
  ],
])("%s is known by its content, whatever its name", async (format, text) => {
  const content = await readOverlay(strToU8(text), "260520_rpts_hail.bin");
  expect(content).toMatchObject({ format, shapes: [{ geometry: { type: "Point" } }] });
});

test.each([
  ["is of no format that can be shown", strToU8("Dear all,\nsee you at noon.\n")],
  ["is of no format that can be shown", new Uint8Array()],
  ["is of no format that can be shown", strToU8("\n".repeat(5_000_000))],
  ["is damaged, or not UTF-8 text", new Uint8Array([0xff, 0x00, 0x80])],
  ["is larger than 5 MB", new Uint8Array(5 * 1024 * 1024 + 1)],
])("a file that %s is refused by name", async (reason, bytes) => {
  await expect(readOverlay(bytes, "my\u202efile\u0000.txt")).rejects.toThrow(`myfile.txt ${reason}.`);
});
