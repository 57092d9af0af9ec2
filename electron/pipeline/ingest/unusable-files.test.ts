// Files that cannot be published: each is named with its fault, and the others are published.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createRenderPool, type RenderPool } from "./render-pool.ts";
import { assetsOf, revisionsOf } from "./support/stored-rows.ts";
import { createWorkshop, workerUrl } from "./support/workshop.ts";

let pool: RenderPool;
beforeAll(() => {
  pool = createRenderPool({ workerUrl, size: 2 });
});
afterAll(() => pool.close());

describe("an unusable file", () => {
  test("is recorded, and reported in a line without folder names; the others are published", async () => {
    const workshop = await createWorkshop(pool);
    const good = workshop.write("mrms-reflectivity", "2024-05-01T20:00:10Z");
    const cut = workshop.write("mrms-mesh", "2024-05-01T20:00:02Z", { gzip: false });
    truncateSync(cut, 300);
    const text = join(workshop.sources, "MRMS_MESH_00.50_20240501-200200.grib2");
    writeFileSync(text, "version https://git-lfs.github.com/spec/v1\n");
    const empty = join(workshop.sources, "empty.grib2");
    writeFileSync(empty, "");
    const missing = join(workshop.sources, "missing.grib2");
    const results = await workshop.ingest([missing, good, cut, text, empty]);
    const failures = results.filter((result) => result.status === "failed");
    expect(results.filter(({ status }) => status === "complete").map(({ file }) => file)).toEqual([good]);
    expect(failures.map(({ file, product }) => [file, product])).toEqual([
      [missing, null],
      [empty, null],
      [text, "mrms-mesh"],
      [cut, "mrms-mesh"],
    ]);
    for (const { file, error } of failures) {
      expect(error.startsWith(`${basename(file)}: `)).toBe(true);
      expect(error).not.toContain(workshop.sources);
      expect(error).toMatch(/^[^\n]+\.$/);
    }
    expect(failures[2]?.error).toContain("Git-LFS pointer");
    expect(await revisionsOf(workshop.catalog)).toEqual(["1 refl 20:00:10"]);
    const assets = assetsOf(workshop);
    expect(assets.map(({ status, error_message }) => [status, error_message])).toEqual([
      ["failed", failures[1]?.error],
      ["failed", failures[3]?.error],
      ["complete", null],
      ["failed", failures[2]?.error],
    ]);
  });

  test("of another product is refused by its name, by the file's name, or by its numbers", async () => {
    const workshop = await createWorkshop(pool);
    const asProduct = (name: string, category: number, parameter: number): string => {
      const path = workshop.write("mrms-mesh", "2024-05-01T20:00:02Z", { gzip: false, name });
      const bytes = readFileSync(path);
      // Section 4 follows sections 0 (16), 1 (21) and 3 (72); its octets 10 and 11 are category and parameter.
      bytes[16 + 21 + 72 + 9] = category;
      bytes[16 + 21 + 72 + 10] = parameter;
      writeFileSync(path, bytes);
      return path;
    };
    const results = await workshop.ingest([
      asProduct("any.grib2", 6, 1),
      asProduct("MRMS_SomethingNew_00.50_20240501-200002.grib2", 200, 1),
      asProduct("other.grib2", 200, 1),
    ]);
    expect(
      results.map((result) => (result.status === "failed" ? result.error : result.status)).toSorted(),
    ).toEqual([
      "MRMS_SomethingNew_00.50_20240501-200002.grib2: SomethingNew is not a layer of this viewer.",
      "any.grib2: PrecipRate is not a layer of this viewer.",
      "other.grib2: The product of discipline 209, category 200, parameter 1 is not a layer of this viewer.",
    ]);
    expect(await workshop.catalog.listNewestAssets()).toEqual([]);
  });

  test("creates no event if there is no other file", async () => {
    const workshop = await createWorkshop(pool);
    const path = join(workshop.sources, "bad.grib2");
    writeFileSync(path, "bad");
    await workshop.ingest([path]);
    expect(await workshop.catalog.listEvents(10)).toEqual([]);
  });

  test("does not prevent the other product of its window", async () => {
    const workshop = await createWorkshop(pool);
    const bad = workshop.write("mrms-mesh", "2024-05-01T20:00:02Z", { gzip: false });
    const bytes = readFileSync(bad);
    bytes[bytes.length - 30]! ^= 0xff;
    writeFileSync(bad, bytes);
    const results = await workshop.ingest([bad, workshop.write("mrms-reflectivity", "2024-05-01T20:00:10Z")]);
    expect(results.map(({ status }) => status)).toEqual(["failed", "complete"]);
    expect(await revisionsOf(workshop.catalog)).toEqual(["1 refl 20:00:10"]);
  });

  test("can be a folder with a file's name, a dangling link, or a file ahead of a live feed's clock", async () => {
    const workshop = await createWorkshop(pool, () => new Date("2024-05-01T20:00:00Z"));
    const dangling = join(workshop.sources, "dangling.grib2");
    symlinkSync(join(workshop.sources, "gone"), dangling);
    mkdirSync(join(workshop.sources, "folder.grib2"));
    const results = await workshop.ingest(
      [
        dangling,
        join(workshop.sources, "folder.grib2"),
        workshop.write("mrms-mesh", "2024-05-01T20:09:59Z"),
        workshop.write("mrms-mesh", "2024-05-01T20:12:00Z"),
      ],
      { id: "live", kind: "operational-feed" },
    );
    expect(results.map(({ status }) => status)).toEqual(["failed", "complete", "failed"]);
    expect(results[2]).toMatchObject({
      error: expect.stringContaining("12 minutes ahead of the clock") as string,
    });
    expect((await workshop.catalog.findEvent("live"))?.status).toBe("active");
  });
});

describe("a file from next year", () => {
  test("is refused by name, and the other files are published", async () => {
    const workshop = await createWorkshop(pool);
    const paths = ["2099-05-01T20:00:02Z", "2024-05-01T20:00:02Z"].map((at) =>
      workshop.write("mrms-mesh", at),
    );
    const results = await workshop.ingest(paths);
    expect(results.map(({ status }) => status)).toEqual(["complete", "failed"]);
    expect(results[1]).toMatchObject({
      file: paths[0],
      error: expect.stringMatching(
        /20990501.*: The observation time 2099-05-01.* ahead of the clock/,
      ) as string,
    });
    expect((await workshop.catalog.findEvent("storm"))?.endedAt).toBe("2024-05-01T20:00:02Z");
  });
});

describe.skipIf(process.platform === "win32")("something else with a file's name", () => {
  const link = (target: string) => (path: string) => {
    symlinkSync(target, path);
  };
  test.each<[string, (path: string) => unknown]>([
    ["a pipe", (path) => execFileSync("mkfifo", [path])],
    ["a link to a device", link("/dev/null")],
    ["a link to the terminal", link("/dev/tty")],
    [
      "a socket",
      async (path) => {
        const server = createServer().listen(path);
        onTestFinished(() => void server.close());
        await once(server, "listening");
      },
    ],
  ])("%s is named as such and blocks nothing", async (_, make) => {
    const workshop = await createWorkshop(pool);
    const path = join(workshop.sources, "odd.grib2");
    await make(path);
    const results = await workshop.ingest([path, workshop.write("mrms-mesh", "2024-05-01T20:00:02Z")]);
    expect(results).toMatchObject([
      { file: path, status: "failed", error: "odd.grib2: It is not a regular file." },
      { status: "complete" },
    ]);
  });
});
