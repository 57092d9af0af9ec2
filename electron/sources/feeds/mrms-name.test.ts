import { expect, test } from "vitest";
import { mesh } from "../../../shared/products/mesh.ts";
import { reflectivity } from "../../../shared/products/reflectivity.ts";
import { dayPrefix, parseMrmsName } from "./mrms-name.ts";

test("a file name contains its product and its time", () => {
  expect(parseMrmsName("MRMS_MESH_00.50_20240228-025239.grib2.gz")).toEqual({
    productId: "mrms-mesh",
    observedAt: "2024-02-28T02:52:39Z",
  });
  expect(parseMrmsName("MergedReflectivityQCComposite_00.50_20220704-110040.grib2")).toEqual({
    productId: "mrms-reflectivity",
    observedAt: "2022-07-04T11:00:40Z",
  });
});

test.each([
  "MRMS_MESH_00.50_20240230-025239.grib2.gz",
  "MRMS_MESH_00.50_20240228-246000.grib2.gz",
  "MRMS_MESH_00.50_20240228-025239.grib2.gz.tmp",
  "MRMS_MESH_Max_1440min_00.50_20240228-025239.grib2.gz",
  "MRMS_PrecipRate_00.00_20240228-025239.grib2.gz",
  "MRMS_MESH_00.50_latest.grib2.gz",
  "",
])("%s is not an MRMS file name", (name) => {
  expect(parseMrmsName(name)).toBeUndefined();
});

test("a day of a product has a folder in the bucket", () => {
  const dayMs = Date.parse("2024-02-28T23:59:59Z");
  expect(dayPrefix(mesh, dayMs)).toBe("CONUS/MESH_00.50/20240228/");
  expect(dayPrefix(reflectivity, dayMs)).toBe("CONUS/MergedReflectivityQCComposite_00.50/20240228/");
});
