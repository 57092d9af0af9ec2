// Several processes that write to one directory, and a disk that fails in the middle of a write.
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openCatalog, openReadableCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { createStormTrial, event, findFaults, readRevisions, runChild } from "./storm-job.ts";

const job = await createStormTrial({ correction: false });
afterAll(() => job.close());

/** Returns the layers of a revision without its sequence. */
function layersOf(revision: string): string {
  return revision.replace(/^\d+: /, "");
}

describe("concurrent ingests into one event", () => {
  test("two concurrent ingests of the same files publish them once", { timeout: 60_000 }, async () => {
    const data = join(job.root, "same");
    const request = { data, paths: job.paths, event, workers: false };
    const ends = await Promise.all([runChild(request), runChild(request)]);
    for (const { code, errors } of ends) expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const statuses = ends.flatMap(({ lines }) =>
      lines.flatMap((line) => ("status" in line ? line.status : [])),
    );
    expect(statuses.filter((status) => status === "complete")).toHaveLength(job.fileCount);
    expect(statuses.filter((status) => status === "unchanged")).toHaveLength(job.fileCount);
    expect((await readRevisions(data)).map(layersOf).toSorted()).toEqual(
      job.expected.map(layersOf).toSorted(),
    );
    expect(await findFaults(data)).toEqual([]);
  });

  test(
    "two concurrent ingests of one product each give every window both layers",
    { timeout: 60_000 },
    async () => {
      const data = join(job.root, "halves");
      const serving = await openCatalog({ directory: data, now: () => new Date() });
      const ends = await Promise.all(
        [job.mesh, job.reflectivity].map((path) => runChild({ data, paths: [path], event, workers: false })),
      );
      for (const { code, errors } of ends) expect({ code, errors }).toEqual({ code: 0, errors: "" });
      const sequences = (await serving.listRevisions(event, 360)).map(({ sequence }) => sequence);
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
      expect((await serving.listNotices(event, 0, 360)).map(({ sequence }) => sequence)).toEqual(sequences);
      await serving.close();
      const newest = new Map(
        (await readRevisions(data)).map((revision) => [layersOf(revision).slice(0, 16), layersOf(revision)]),
      );
      const wanted = new Map(
        job.expected.map((revision) => [layersOf(revision).slice(0, 16), layersOf(revision)]),
      );
      expect(newest).toEqual(wanted);
      expect(await findFaults(data)).toEqual([]);
    },
  );
});

describe("a failing disk", () => {
  test.skipIf(process.platform === "win32")(
    "a limit on the size of files ends ingest with storage-failed and leaves a sound directory",
    { timeout: 120_000 },
    async () => {
      const codes: (string | undefined)[] = [];
      for (const fileKib of [1, 8, 40, 70, 110, 200]) {
        const data = join(job.root, `limit-${fileKib}`);
        const end = await runChild({ data, paths: job.paths, event, workers: false }, { fileKib });
        expect(end.errors).toBe("");
        codes.push(end.lines.flatMap((line) => ("error" in line ? line.error.code : [])).at(0));
        expect(await findFaults(data)).toEqual([]);
        const revisions = await readRevisions(data);
        expect(revisions).toEqual(job.expected.slice(0, revisions.length));
        await job.finish(data);
        expect(await readRevisions(data)).toEqual(job.expected);
      }
      expect(codes[0]).toBe("storage-failed");
      expect(codes.filter((code) => code !== undefined)).toEqual(
        codes.filter((code) => code !== undefined).map(() => "storage-failed"),
      );
    },
  );

  // Root can write to read-only folders.
  test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
    "a read-only folder gives storage-failed with a message that names no path",
    async () => {
      const data = join(job.root, "read-only");
      mkdirSync(data);
      chmodSync(data, 0o555);
      await expect(openCatalog({ directory: data, now: () => new Date() })).rejects.toMatchObject({
        code: "storage-failed",
        detail: expect.not.stringContaining(data) as string,
      });
      await expect(openReadableCatalog({ directory: data })).rejects.toMatchObject({ code: "not-found" });
    },
  );
});
