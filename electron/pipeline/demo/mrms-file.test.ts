// Names and compression of generated files.
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import { mesh } from "../../../shared/products/mesh.ts";
import { findProductByFileName } from "../../../shared/products/registry.ts";
import { reflectivity } from "../../../shared/products/reflectivity.ts";
import { encodeGrib2 } from "./grib2-writer.ts";
import { encodeMrmsFile, mrmsFileName } from "./mrms-file.ts";

test("a file has the feed's name: product, level and UTC time", () => {
  const name = mrmsFileName(mesh, "2026-05-20T21:00:39Z");
  expect(name).toBe("MRMS_MESH_00.50_20260520-210039.grib2.gz");
  expect(mrmsFileName(reflectivity, "2026-05-20T23:00:40-02:00", ".grib2")).toBe(
    "MRMS_MergedReflectivityQCComposite_00.50_20260521-010040.grib2",
  );
  expect(findProductByFileName(name)).toBe(mesh);
});

test("a file is the gzip of its message", () => {
  const grid: LatLonGrid = {
    columns: 2,
    rows: 1,
    westUdeg: -98_000_000,
    northUdeg: 36_000_000,
    spacingXUdeg: 10_000,
    spacingYUdeg: 10_000,
  };
  const draft = { observedAt: "2026-05-20T21:00:39Z", grid, tenths: Int16Array.of(-10, 254) };
  const file = encodeMrmsFile({ product: mesh, ...draft });
  expect(new Uint8Array(gunzipSync(file))).toEqual(
    new Uint8Array(encodeGrib2({ identity: mesh.grib, ...draft })),
  );
});
