import { describe, expect, test } from "vitest";
import { observationWindow } from "../../../../shared/revisions/observation-window.ts";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import type { AssetDraft } from "../../catalog.ts";
import type { BackfillQueue, DrawnWindow, WindowClaim } from "../../stores/backfill-queue.ts";
import { draftOf, observedAfter, startMs } from "../../support/drafts.ts";
import type { ServiceCatalog } from "../open-service-catalog.ts";
import { createServiceTrial, type ServiceTrial } from "../support/service-trial.ts";

const nowMs = startMs + 3_600_000;
const { signal } = new AbortController();

interface QueueTrial extends ServiceTrial {
  readonly catalog: ServiceCatalog;
  readonly queue: BackfillQueue;
}

function secondsOf({ window }: Pick<WindowClaim, "window">): number {
  return (window - observationWindow(observedAfter(0))) * 120;
}

describe.skipIf(!hasPostgres)(`the queue of backfills${postgresNeeds}`, () => {
  const server = usePostgres();

  /** Queues windows of an event, two minutes apart. */
  async function start(count: number): Promise<QueueTrial> {
    const trial = await createServiceTrial(server());
    const catalog = await trial.open();
    const window = { startedAt: observedAfter(0), endedAt: observedAfter(1_800) };
    await catalog.registerEvent({ id: "a", label: "A", ...window });
    const drafts = Array.from({ length: count }, (_, at): AssetDraft => {
      const { productId, observedAt } = draftOf("a", { seconds: at * 120 }).layers[0]!;
      const facts = { byteLength: 1, sha256: undefined, lastModifiedAt: undefined, etag: "e" };
      return { eventId: "a", locator: `file ${at}`, productId, observedAt, ...facts };
    });
    const ids = await catalog.discoverAssets(drafts);
    const windows = drafts.map(({ locator, productId, observedAt }, at) => {
      const asset = { locator, name: locator, productId: productId!, observedAt: observedAt! };
      const file = { asset: { ...asset, byteLength: 1, etag: "e", lastModifiedAt: undefined } };
      return {
        window: observationWindow(observedAt!),
        files: [{ ...file, assetId: ids[at]!, doneEtag: undefined }],
      };
    });
    const { backfills: queue } = catalog;
    await queue.enqueue({ eventId: "a", source: {}, sourceName: "fetch", isWhole: true, windows, log: [] });
    return { ...trial, catalog, queue };
  }

  /** Returns the result of a claim, whose frames are stored unless `isStored` is false. */
  async function draw({ catalog }: QueueTrial, claim: WindowClaim, isStored = true): Promise<DrawnWindow> {
    const draft = draftOf("a", { seconds: secondsOf(claim) });
    for (const { frameId } of isStored ? draft.layers : []) {
      await catalog.blobs.add(frameId, `frames/${frameId}.${Math.random()}`, 1);
    }
    const assetIds = claim.files.map(({ assetId }) => assetId);
    return { drafts: [{ ...draft, assetIds }], assets: [], log: [], hasFailed: false };
  }

  async function sequencesOf({ catalog }: QueueTrial): Promise<readonly (readonly [number, number])[]> {
    const list = await catalog.listRevisions("a", 100);
    return list.map(({ sequence, observedAt }) => [sequence, (Date.parse(observedAt) - startMs) / 120_000]);
  }

  test("gives each window to one worker at a time, the earliest first", async () => {
    const trial = await start(12);
    const other = (await trial.open()).backfills;
    const claimed = await Promise.all([trial.queue.claim(4), other.claim(4), trial.queue.claim(2)]);
    expect(
      claimed
        .flat()
        .map(secondsOf)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 10 }, (_, at) => at * 120));
    expect((await other.claim(10)).map(secondsOf)).toEqual([1_200, 1_320]);
    expect(await trial.queue.claim(10)).toEqual([]);
    expect(await trial.queue.count("a")).toMatchObject({ drawing: 12, waiting: 0 });
  });

  test("a claim that is not renewed goes to others, and its holder changes nothing any more", async () => {
    const trial = await start(1);
    const { queue } = trial;
    const [slept] = await queue.claim(1);
    await trial.setClock(nowMs + 14_000);
    await queue.renew([slept!]);
    await trial.setClock(nowMs + 28_000);
    expect(await queue.claim(1)).toEqual([]);
    await trial.setClock(nowMs + 30_000);
    const [taken] = await queue.claim(1);
    expect([slept!.losses, taken!.losses]).toEqual([0, 1]);
    await queue.renew([slept!]);
    await queue.postpone(slept!, 0, "failure");
    await queue.finish(slept!, await draw(trial, slept!));
    expect(await queue.count()).toMatchObject({ drawing: 1 });
    await queue.finish(taken!, await draw(trial, taken!));
    await queue.publishDrawn("a", signal);
    expect(await sequencesOf(trial)).toEqual([[1, 0]]);
  });

  test("publishes in order of observation, in any order of finishing, and completes the event", async () => {
    const trial = await start(4);
    const { queue } = trial;
    const other = (await trial.open()).backfills;
    const claims = await queue.claim(4);
    for (const at of [3, 1, 2]) await queue.finish(claims[at]!, await draw(trial, claims[at]!));
    expect(await other.listOpen()).toEqual([{ eventId: "a", hasWork: false, isReady: false }]);
    await queue.publishDrawn("a", signal);
    expect(await sequencesOf(trial)).toEqual([]);
    await queue.finish(claims[0]!, await draw(trial, claims[0]!));
    expect(await other.listOpen()).toMatchObject([{ isReady: true }]);
    await Promise.all([queue.publishDrawn("a", signal), other.publishDrawn("a", signal)]);
    expect(await sequencesOf(trial)).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 3],
    ]);
    expect(await trial.catalog.findEvent("a")).toMatchObject({ status: "complete" });
    expect(await queue.listOpen()).toEqual([]);
    const log = await trial.catalog.listFeedLog({ limit: 10 });
    expect(log.map(({ kind }) => kind)).toEqual([...Array<string>(4).fill("published"), "stopped"]);
  });

  test("draws a window again whose frames were forgotten before its turn", async () => {
    const trial = await start(2);
    const { queue } = trial;
    const claims = await queue.claim(2);
    await queue.finish(claims[0]!, await draw(trial, claims[0]!));
    await queue.finish(claims[1]!, await draw(trial, claims[1]!, false));
    await queue.publishDrawn("a", signal);
    expect(await sequencesOf(trial)).toEqual([[1, 0]]);
    const [again] = await queue.claim(2);
    expect(again).toMatchObject({ window: claims[1]!.window, losses: 1 });
    await queue.finish(again!, await draw(trial, again!));
    await queue.publishDrawn("a", signal);
    expect(await sequencesOf(trial)).toHaveLength(2);
  });

  test("keeps what is drawn when the same windows are queued again, and forgets it with its event", async () => {
    const trial = await start(2);
    const { queue, catalog } = trial;
    const [claim] = await queue.claim(1);
    await queue.finish(claim!, await draw(trial, claim!));
    const assets = await catalog.listAssets("a");
    const windows = assets.map(({ id, locator, productId, observedAt }, at) => {
      const asset = { locator, name: locator, productId: productId!, observedAt: observedAt! };
      const etag = at === 0 ? "e" : "changed";
      const file = {
        asset: { ...asset, byteLength: 1, etag, lastModifiedAt: undefined },
        doneEtag: undefined,
      };
      return { window: observationWindow(observedAt!), files: [{ ...file, assetId: id }] };
    });
    const request = { eventId: "a", source: {}, sourceName: "fetch", isWhole: true, log: [] };
    await queue.enqueue({ ...request, windows });
    expect(await queue.count()).toMatchObject({ drawn: 1, waiting: 1 });
    expect(await queue.claim(2)).toMatchObject([{ files: [{ asset: { etag: "changed" } }] }]);
    await catalog.removeEvent("a");
    expect(await queue.listOpen()).toEqual([]);
    await expect(queue.enqueue({ ...request, windows })).rejects.toMatchObject({ code: "not-found" });
  });
});
