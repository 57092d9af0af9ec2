// A public service behind a shared cache: its requests do not grow with its viewers.
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { sharedCacheSeconds } from "../../electron/services/storm/public-answers.ts";
import { ContractHost } from "../contract/contract-host.ts";
import { hasNginx } from "../support/nginx.ts";
import { gatherCrowd } from "./public-crowd.ts";
import { hasOwnClock, startSharedCache } from "./shared-cache.ts";

interface Outcome {
  readonly viewers: number;
  /** Requests of the viewers. */
  readonly sent: number;
  /** Requests that reached the service, by operation. */
  readonly reached: Readonly<Record<string, number>>;
}

const playedSeconds = 150;

/** Two publications in two and a half minutes, before a crowd that arrives in the first half minute. */
async function play(viewers: number): Promise<Outcome> {
  const service = await ContractHost.start({ public: true, roles: ["reader"], admin: { port: 0 } });
  const cache = await startSharedCache(service.origin, join(service.directory, "cache"));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const crowd = gatherCrowd(cache, viewers);
  try {
    for (const minutes of [0, 2, 4]) await publishBoth(service, minutes);
    await crowd.pass(40);
    expect(new Set(crowd.held())).toEqual(new Set([3]));
    await publishBoth(service, 6);
    await crowd.pass(50);
    expect(new Set(crowd.held())).toEqual(new Set([4]));
    await publishBoth(service, 8);
    await crowd.pass(playedSeconds - 90);
    expect(new Set(crowd.held())).toEqual(new Set([5]));
    expect(crowd.held()).toHaveLength(viewers);
    return { viewers, sent: crowd.requests(), reached: await readCounts(service.host.admin!) };
  } finally {
    crowd.close();
    vi.useRealTimers();
    await cache.stop();
    await service.stop();
  }
}

function publishBoth(service: ContractHost, minutes: number): Promise<unknown> {
  return service.publish("storm", { minutes }, { minutes, productId: "mrms-reflectivity" });
}

async function readCounts(admin: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const samples = text.matchAll(/^echotop_requests_total\{operation="(\w+)",status="200"\} (\d+)$/gm);
  return Object.fromEntries([...samples].map(([, operation, count]) => [operation!, Number(count)]));
}

describe.skipIf(!hasNginx || !hasOwnClock)(
  "a crowd (install nginx and faketime to run this)",
  { timeout: 120_000 },
  () => {
    test("ten times the viewers send ten times the requests, and the service gets as many as before", async () => {
      const few = await play(40);
      const many = await play(400);
      expect(many.sent / few.sent).toBeCloseTo(10, 0);
      // Immutable frames are read once: two frames of three newest revisions.
      expect([few.reached.getFrame, many.reached.getFrame]).toEqual([6, 6]);
      // All else is read at most once in five seconds, however many ask.
      const most = playedSeconds / sharedCacheSeconds + 1;
      for (const outcome of [few, many]) {
        for (const [operation, count] of Object.entries(outcome.reached)) {
          expect([operation, count <= most]).toEqual([operation, true]);
        }
      }
      expect(sumOf(many)).toBeLessThan(1.3 * sumOf(few));
    });
  },
);

function sumOf({ reached }: Outcome): number {
  return Object.values(reached).reduce((sum, count) => sum + count, 0);
}
