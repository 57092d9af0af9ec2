import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { usePostgres } from "../../platform/postgres/support/test-server.ts";
import { createRenderPool, type RenderPool } from "../../pipeline/ingest/render-pool.ts";
import { hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import type { BackfillCounts } from "../../catalog/stores/backfill-queue.ts";
import { createBackfillTrial, eventId, type BackfillTrial } from "./support/backfill-trial.ts";
import { readResult } from "./support/published-result.ts";

const mesh = "mrms-mesh";
const reflectivity = "mrms-reflectivity";
const none: BackfillCounts = { waiting: 0, drawing: 0, drawn: 0, published: 0, failed: 0 };
const patience = { timeout: 20_000 };

/** Ten windows: one lacks a product, and one has two files of a product. */
function putFiles({ put }: BackfillTrial): void {
  for (const minute of [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]) {
    const time = `21:${String(minute).padStart(2, "0")}:39`;
    put(mesh, time, 10 + minute);
    if (minute !== 8) put(reflectivity, time, 10 + minute);
  }
  put(mesh, "21:12:05", 50);
}

describe.skipIf(!hasPostgres)(`a backfill by workers${postgresNeeds}`, () => {
  const server = usePostgres();
  let pool: RenderPool;
  beforeAll(() => {
    const workerUrl = new URL("../../pipeline/ingest/render-worker.ts", import.meta.url);
    pool = createRenderPool({ workerUrl, size: 2 });
  });
  afterAll(() => pool.close());

  /** Waits until every window is published or has failed, and the event's backfill has ended. */
  async function expectEnd(trial: BackfillTrial, counts: Partial<BackfillCounts>): Promise<void> {
    const { service } = await trial.open();
    await expect.poll(() => service.backfills.listOpen(), patience).toEqual([]);
    expect(await service.backfills.count()).toEqual({ ...none, ...counts });
  }

  test("makes what one fetch makes, also with clocks that are an hour off", async () => {
    const [single, shared] = [
      await createBackfillTrial(server(), pool),
      await createBackfillTrial(server(), pool, 3_600_000),
    ];
    putFiles(single);
    await single.fetch();
    // Both have the same addresses.
    for (const [key, object] of single.bucket.objects) shared.bucket.objects.set(key, object);
    expect(await shared.queue()).toEqual({
      listed: 20,
      known: 0,
      failed: 0,
      missingWindows: 1,
      queuedWindows: 10,
    });
    const { catalog } = await shared.open();
    expect(await catalog.findEvent(eventId)).toMatchObject({ status: "active", latestSequence: 0 });
    await Promise.all([shared.startWorker(), shared.startWorker()]);
    await expectEnd(shared, { published: 10 });
    const [one, other] = [
      await readResult(await single.open(), eventId),
      await readResult(await shared.open(), eventId),
    ];
    const text = JSON.stringify(other).replaceAll(shared.bucket.url, single.bucket.url);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(one)));
    expect(await catalog.findEvent(eventId)).toMatchObject({ status: "complete", latestSequence: 11 });
    const kinds = (await catalog.listFeedLog({ limit: 100 })).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "received")).toHaveLength(20);
    expect(kinds.filter((kind) => kind === "published")).toHaveLength(11);
    expect([kinds[0], kinds.at(-1)]).toEqual(["started", "stopped"]);
    // Nothing is left to do.
    expect(await shared.queue()).toMatchObject({ known: 20, queuedWindows: 0 });
    await expectEnd(shared, {});
  });

  test("tries a failing file four times, says so, and goes on past it; queued again, it completes", async () => {
    const trial = await createBackfillTrial(server(), pool);
    putFiles(trial);
    let asked = 0;
    trial.bucket.misbehaviors.add((_request, response, url) => {
      if (!url.pathname.endsWith("MESH_00.50_20240520-210439.grib2.gz")) return false;
      asked += 1;
      response.writeHead(500).end();
      return true;
    });
    await trial.queue();
    await trial.startWorker();
    const { service, catalog } = await trial.open();
    for (let attempt = 1; attempt < 4; attempt += 1) {
      // The others are drawn, and wait for it.
      const drawn = { ...none, published: 2, waiting: 1, drawn: 7 };
      await expect.poll(() => service.backfills.count(), patience).toEqual(drawn);
      expect(asked).toBe(attempt);
      await trial.pass(60_000);
      await expect.poll(() => asked, patience).toBe(attempt + 1);
    }
    await expectEnd(trial, { published: 9, failed: 1 });
    expect(asked).toBe(4);
    expect(await catalog.findEvent(eventId)).toMatchObject({ status: "active", latestSequence: 11 });
    const failures = (await catalog.listFeedLog({ limit: 100 })).filter(({ kind }) => kind === "failed");
    expect(failures).toMatchObject([
      { productId: mesh, message: expect.stringMatching(/status 500/) as string },
    ]);
    const failed = (await catalog.listAssets(eventId)).filter(({ status }) => status === "failed");
    expect(failed).toMatchObject([{ errorMessage: expect.stringMatching(/210439.*status 500/) as string }]);

    trial.bucket.misbehaviors.clear();
    expect(await trial.queue()).toMatchObject({ known: 19, queuedWindows: 1 });
    await expectEnd(trial, { published: 1 });
    expect(await catalog.findEvent(eventId)).toMatchObject({ status: "complete", latestSequence: 12 });
    expect((await catalog.listChanges(eventId, 1)).at(-1)?.change).toBe("completion");
  });

  test("ends when its event becomes read-only", async () => {
    const trial = await createBackfillTrial(server(), pool);
    putFiles(trial);
    await trial.queue();
    const { catalog } = await trial.open();
    await catalog.archiveEvent(eventId);
    await trial.startWorker();
    await expectEnd(trial, { failed: 10 });
    const log = await catalog.listFeedLog({ limit: 100 });
    expect(log.at(-2)).toMatchObject({ kind: "failed", message: "The event is read-only." });
  });
});
