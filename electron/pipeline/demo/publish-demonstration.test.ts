// The demonstration through real ingest into a real catalog: complete, interrupted, and not needed.
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import { MrmsManifest } from "../../../shared/contract/index.ts";
import { attributionOf, disclosureOf, natureOf } from "../../../shared/revisions/event-origin.ts";
import { toPublications } from "../../../shared/revisions/publication.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { createFrameStore } from "../../catalog/files/file-frame-store.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { openCatalog } from "../../catalog/sqlite/open-catalog.ts";
import { assumedFiles, draftOf } from "../../catalog/support/drafts.ts";
import { createRenderPool } from "../ingest/render-pool.ts";
import type { RenderPool } from "../ingest/render-pool.ts";
import { demonstrationFileCount, demonstrationSteps, observedAt } from "./demonstration.ts";
import { publishDemonstration, wantsDemonstration } from "./publish-demonstration.ts";

const renderWorkerUrl = new URL("../ingest/render-worker.ts", import.meta.url);
const generatorWorkerUrl = new URL("./generator-worker.ts", import.meta.url);

describe("publishing the demonstration", () => {
  let root: string;
  let catalog: Catalog;
  let frames: FrameStore;
  let pool: RenderPool;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "echotop-test-"));
    const directory = join(root, "data");
    const temporary = join(root, "temporary");
    await mkdir(temporary);
    vi.stubEnv("TMPDIR", temporary);
    catalog = await openCatalog({ directory, now: () => new Date(), files: assumedFiles(directory) });
    frames = createFrameStore({ directory });
    pool = createRenderPool({ workerUrl: renderWorkerUrl });
  });

  afterEach(async () => {
    await pool.close();
    await frames.close();
    await catalog.close();
    vi.unstubAllEnvs();
    await rm(root, { recursive: true, force: true });
  });

  /** Publishes and aborts after this many files. Returns the reported progress. */
  async function publish(until = Infinity): Promise<number[]> {
    const stopping = new AbortController();
    const progress: number[] = [];
    await publishDemonstration({
      catalog,
      frames,
      pool,
      generatorWorkerUrl,
      signal: stopping.signal,
      onProgress: (done, total) => {
        expect(total).toBe(demonstrationFileCount);
        progress.push(done);
        if (done >= until) stopping.abort(new Error("interrupted"));
      },
    });
    return progress;
  }

  test(
    "makes one revision for each step, in order, and continues after an interruption",
    { timeout: 180_000 },
    async () => {
      expect(await wantsDemonstration(catalog)).toBe(true);
      // The correction is the 45th file; a second run must not publish again what it replaced.
      await expect(publish(47)).rejects.toThrow("interrupted");
      const halfMade = await catalog.findEvent("demonstration");
      expect(halfMade).toMatchObject({ status: "active", origin: "synthetic" });
      expect(halfMade!.latestSequence).toBeGreaterThanOrEqual(24);
      expect(halfMade!.latestSequence).toBeLessThan(demonstrationSteps.length);
      expect(await readdir(join(root, "temporary"))).toEqual([]);
      expect(await wantsDemonstration(catalog)).toBe(true);

      const progress = await publish();
      expect(progress[0]).toBeGreaterThan(47);
      expect(progress.at(-1)).toBe(demonstrationFileCount);
      const revisions = await catalog.listRevisions("demonstration", 360);
      expect(revisions.map(({ sequence }) => sequence)).toEqual(
        demonstrationSteps.map((_, step) => step + 1),
      );
      const newestOf = (window: number): string =>
        [observedAt(window, "mrms-mesh"), observedAt(window, "mrms-reflectivity")].toSorted().at(-1)!;
      expect(revisions.map((revision) => revision.observedAt)).toEqual(
        demonstrationSteps.map(({ window }) => newestOf(window)),
      );

      const manifests = revisions.map(({ manifest }) =>
        MrmsManifest.parse(JSON.parse(Buffer.from(manifest).toString())),
      );
      for (const { layers, disclosure, attribution } of manifests) {
        expect(layers.map(({ id }) => id)).toEqual(["mrms-reflectivity", "mrms-mesh"]);
        expect(disclosure).toBe(disclosureOf("synthetic"));
        expect(attribution).toBe(attributionOf("synthetic"));
      }
      const kinds = toPublications(
        revisions.map(({ sequence, observedAt: at }, index) => ({
          sequence,
          observedAt: at,
          layers: manifests[index]!.layers,
        })),
      ).map(({ kind }) => kind);
      expect(kinds).toEqual(
        demonstrationSteps.map(({ kind }) => (kind === "correction" ? "correction" : "new")),
      );

      const event = await catalog.findEvent("demonstration");
      expect(event).toMatchObject({
        kind: "historical-event",
        status: "complete",
        label: "Demonstration storm (synthetic)",
        startedAt: [observedAt(0, "mrms-mesh"), observedAt(0, "mrms-reflectivity")].toSorted()[0],
      });
      expect(natureOf(event!)).toBe("synthetic");

      expect(await wantsDemonstration(catalog)).toBe(false);
      expect(await publish()).toEqual([]);
      expect(await catalog.findEvent("demonstration")).toEqual(event);
      expect(await readdir(join(root, "temporary"))).toEqual([]);
    },
  );

  test("is needed only if there is no other event", async () => {
    await catalog.publish(draftOf("storm-of-my-own", {}));
    expect(await wantsDemonstration(catalog)).toBe(false);
  });

  test("never adds to an event of observed pictures with its id", async () => {
    await catalog.publish(draftOf("demonstration", {}));
    expect(await wantsDemonstration(catalog)).toBe(false);
    await expect(publish()).rejects.toSatisfy((error) => isAppError(error, "conflict"));
    expect((await catalog.findEvent("demonstration"))?.latestSequence).toBe(1);
  });
});
