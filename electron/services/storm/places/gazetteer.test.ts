import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeGazetteer } from "./build-gazetteer.ts";
import { GazetteerData } from "./gazetteer-data.ts";
import { createGazetteer, gazetteerAttribution } from "./gazetteer.ts";

async function temporaryFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "echotop-places-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, "assets", "places.json");
}

test("reads the built file and credits its sources", async () => {
  const file = await temporaryFile();
  await writeGazetteer(file);
  const prepared = JSON.parse(await readFile(file, "utf8")) as { cities: { name: string[] } };
  prepared.cities.name[0] = "Xyzzyville";
  await writeFile(file, JSON.stringify(prepared));
  const found = await createGazetteer(file).search("xyzzyville");
  expect(found.attribution).toBe(gazetteerAttribution);
  expect(found.attribution).toMatch(/GeoNames.*CC BY/);
  expect(found.results.map(({ label }) => label)).toEqual(["Xyzzyville"]);
});

test("builds the gazetteer in memory if the file is missing", async () => {
  const { results } = await createGazetteer(await temporaryFile()).search("norman ok");
  expect(results[0]?.label).toBe("Norman");
});

test.each(["{", '{"version":2}'])("ignores a file with the content %j", async (text) => {
  const file = await temporaryFile();
  await mkdir(dirname(file));
  await writeFile(file, text);
  const { results } = await createGazetteer(file).search("norman ok");
  expect(results[0]?.label).toBe("Norman");
});

test("refuses columns of different lengths or with values other than numbers", () => {
  const cities = {
    geonamesId: [1],
    name: ["A"],
    state: [0],
    county: [-1],
    population: [1],
    longitudeE5: [0],
    latitudeE5: [0],
  };
  const site = { id: "KTLX", name: "Oklahoma City", state: "OK", coordinate: [-97.2775, 35.3331] };
  const zips = { code: [73072], longitudeE3: [-97481], latitudeE3: [35205] };
  const data = { version: 2, states: [], counties: [], cities, airports: [], radars: [site], zips };
  const isAccepted = (value: unknown): boolean => GazetteerData.safeParse(value).success;
  expect(isAccepted(data)).toBe(true);
  expect(isAccepted({ ...data, cities: { ...cities, county: [] } })).toBe(false);
  expect(isAccepted({ ...data, cities: { ...cities, county: ["x"] } })).toBe(false);
  expect(isAccepted({ ...data, states: [{}] })).toBe(false);
  expect(isAccepted({ ...data, counties: [null] })).toBe(false);
  expect(isAccepted({ ...data, radars: [{ ...site, coordinate: [1] }] })).toBe(false);
  expect(isAccepted({ ...data, zips: { ...zips, code: [] } })).toBe(false);
});
