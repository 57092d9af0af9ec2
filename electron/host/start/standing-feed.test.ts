import { expect, onTestFinished, test } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { createSystemEffects } from "../../platform/effects.ts";
import { temporaryDirectory } from "../../catalog/support/drafts.ts";
import { atDirectory, type FeedLock } from "../../catalog/stores/located-stores.ts";
import { openStores } from "../../catalog/stores/open-stores.ts";
import type { Feed } from "../../sources/feeds/feed.ts";
import { startStandingFeed } from "./standing-feed.ts";

const sleep = createSystemEffects().sleep;

/** Starts feeds of one event in a data directory, as processes of their own would; returns who leads. */
async function startFeeds(names: readonly string[], toLock = (lock: FeedLock): FeedLock => lock) {
  const directory = await temporaryDirectory();
  const leaders: string[] = [];
  const logged: unknown[] = [];
  const feeds: Feed[] = [];
  for (const name of names) {
    const stores = await openStores(atDirectory(directory), { now: () => new Date() });
    const feed = startStandingFeed({
      reserve: async () => {
        const lock = await stores.tryFeedLock("storm");
        return lock && toLock(lock);
      },
      start: (lock) => {
        leaders.push(name);
        return Promise.resolve({
          health: () => [],
          close: () => {
            leaders.splice(leaders.indexOf(name), 1);
            return lock.close();
          },
        });
      },
      effects: { sleep: (_ms, signal) => sleep(1, signal), log: (...entry) => logged.push(entry) },
    });
    onTestFinished(async () => {
      await feed.close();
      await stores.close();
    });
    feeds.push(feed);
  }
  return { feeds, leaders, logged };
}

test("one feed leads, and another takes over when it ends", async () => {
  const { feeds, leaders } = await startFeeds(["first", "second"]);
  await expect.poll(() => leaders).toHaveLength(1);
  const [leader] = leaders;
  await feeds[leader === "first" ? 0 : 1]!.close();
  await expect.poll(() => leaders).toEqual([leader === "first" ? "second" : "first"]);
});

test("the leader tells how its feed is, again after a failure, and only what is new", async () => {
  const told: unknown[] = [];
  const { feeds } = await startFeeds(["only"], (lock) => ({
    ...lock,
    report: (health) => {
      told.push(health);
      return told.length === 1
        ? Promise.reject(new AppError("storage-unavailable", "The database is away."))
        : Promise.resolve();
    },
    close: () => lock.close(),
  }));
  await expect.poll(() => told).toEqual([[], []]);
  await feeds[0]!.close();
  expect(told).toEqual([[], []]);
});

test("a feed that lost its lease stops, and stands by again", async () => {
  const losing = new AbortController();
  let taken = 0;
  const { leaders, logged } = await startFeeds(["only"], (lock) => {
    taken += 1;
    return taken === 1 ? { lost: losing.signal, close: () => lock.close() } : lock;
  });
  await expect.poll(() => leaders).toEqual(["only"]);
  losing.abort();
  await expect.poll(() => taken).toBe(2);
  await expect.poll(() => leaders).toEqual(["only"]);
  expect(logged).toEqual([]);
});
