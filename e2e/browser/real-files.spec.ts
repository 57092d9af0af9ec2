// The real MRMS files next to the project, from the command line to the map. Skipped by name if they are absent.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { projectRoot } from "../../electron/support/host-process.ts";
import { test } from "../support/viewer-test.ts";

const mrms = join(projectRoot, "..", "shared", "mrms");
const files = [
  "conus/MRMS_MESH_00.50_20240228-025239.grib2",
  "conus/MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2",
].map((name) => join(mrms, name));

test("real MRMS files (../shared/mrms) are drawn, each as its own revision", async ({
  page,
  viewer,
  station,
}) => {
  test.skip(!files.every((file) => existsSync(file)), "real MRMS files are not next to the project");
  const finished = await station.ingest("real", files);
  expect(finished.lines.map(({ status }) => status)).toEqual(["complete", "complete"]);
  await station.start();
  await page.goto(station.origin);
  await viewer.expectDrawn(2);
  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);
});
