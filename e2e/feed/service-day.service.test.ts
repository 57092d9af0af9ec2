// The day of a feed of a service: this process has the role "feed", and two readers behind a balancer tell its viewers.
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import type { FeedLogRecord } from "../../electron/catalog/catalog.ts";
import type { Stores } from "../../electron/catalog/stores/located-stores.ts";
import { openStores } from "../../electron/catalog/stores/open-stores.ts";
import { createFeedTrial, eventId } from "../../electron/sources/feeds/support/feed-trial.ts";
import { toPath } from "../../shared/contract/operations.ts";
import { RevisionPage } from "../../shared/contract/published-frames.ts";
import { useService, type ServiceTrial } from "../service/service-trial.ts";
import { hasTwoReaders, TwoReaders, twoReadersNeeds } from "../support/two-readers.ts";
import { dayNeeds, memoryFolder, playDay, startAt, useRenderPool } from "./play-day.ts";

/** Opens the stores under the lease of the feed, as the process that leads has them. */
async function openLeading({ location }: ServiceTrial): Promise<Stores> {
  const stores = await openStores(location, { now: () => new Date(), frameCacheByteLimit: 0 });
  const lease = (await stores.tryFeedLock(eventId))!;
  return {
    ...stores,
    catalog: lease.catalog!,
    async close() {
      await lease.close();
      await stores.close();
    },
  };
}

/** Opens a stream; returns the sequences that it hears of. */
async function listen(origin: string): Promise<readonly number[]> {
  const socket = new WebSocket(origin.replace("http", "ws") + toPath("openStream", { eventId }));
  onTestFinished(() => {
    socket.terminate();
  });
  const heard: number[] = [];
  socket.on("message", (text: Buffer) => {
    const { sequence } = JSON.parse(text.toString()) as { sequence?: number };
    if (sequence !== undefined) heard.push(sequence);
  });
  await once(socket, "message");
  return heard;
}

/** Reads all revisions, page by page, each from the reader that the balancer chooses. */
async function readRevisions(origin: string): Promise<RevisionPage["frames"]> {
  const path = origin + toPath("listRevisionPage", { eventId });
  const frames: RevisionPage["frames"][number][] = [];
  for (let before = ""; ; before = `&before=${frames[0]!.sequence}`) {
    const page = RevisionPage.parse(await (await fetch(`${path}?limit=200${before}`)).json());
    frames.unshift(...page.frames);
    if (page.frames.length === 0 || frames[0]!.sequence === 1) return frames;
  }
}

function toFacts(revisions: readonly Pick<FeedLogRecord, "sequence" | "change" | "observedAt">[]) {
  return revisions.map(({ sequence, change, observedAt }) => ({
    ...{ sequence, change },
    observedMs: Date.parse(observedAt!),
  }));
}

describe.skipIf(!hasTwoReaders)(`the feed of a service${twoReadersNeeds}`, () => {
  const service = useService();
  const pool = useRenderPool();

  test(`a day of 720 windows ends as its script says${dayNeeds}`, { timeout: 600_000 }, async () => {
    expect(await service().run("migrate")).toMatchObject({ status: 0 });
    const readers = await TwoReaders.start(service());
    onTestFinished(async () => {
      await readers.stop();
    });
    const streams = await Promise.all([readers.origin, readers.origin].map(listen));
    const open = (): Promise<Stores> => openLeading(service());
    const published = await playDay(await createFeedTrial(pool(), startAt, { parent: memoryFolder, open }));

    const last = published.at(-1)!.sequence!;
    for (const heard of streams) {
      await expect.poll(() => heard.at(-1)).toBe(last);
      expect(heard).toEqual(published.map(({ sequence }) => sequence));
    }
    const shown = await readRevisions(readers.origin);
    const kept = published.slice(-shown.length);
    expect(toFacts(shown)).toEqual(toFacts(kept));
    for (const { imageUrl } of shown.slice(-20).flatMap(({ layers }) => layers)) {
      expect((await fetch(readers.origin + imageUrl)).status).toBe(200);
    }
    expect(readers.stderr()).toBe("");
  });
});
