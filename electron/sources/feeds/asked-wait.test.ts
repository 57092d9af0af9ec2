// A source that requests a pause with Retry-After gets it, within the limits of the feed.
import { afterAll, expect, test } from "vitest";
import { createRenderPool } from "../../pipeline/ingest/render-pool.ts";
import { createFeedTrial, type FeedTrial } from "./support/feed-trial.ts";

const day = "2024-05-20T";
const at = (time: string): number => Date.parse(`${day}${time}Z`);
const pool = createRenderPool({
  workerUrl: new URL("../../pipeline/ingest/render-worker.ts", import.meta.url),
  size: 1,
});
afterAll(() => pool.close());

/** Refuses requests for which `isRefused` is true. Returns the times of the refusals, in milliseconds. */
function refuse(
  { server, clock }: FeedTrial,
  retryAfter: string,
  isRefused: (url: URL) => boolean,
): readonly number[] {
  const times: number[] = [];
  server.misbehaviors.add((_request, response, url) => {
    if (!isRefused(url)) return false;
    times.push(clock.effects.now().getTime());
    response.writeHead(503, { "retry-after": retryAfter }).end();
    return true;
  });
  return times;
}

const isListing = (url: URL): boolean => url.searchParams.has("list-type");

test.each([
  ["300", 300_000, 330_000],
  // No longer than the feed's longest pause.
  ["86400", 600_000, 600_000],
])("a listing that is refused for %s seconds is not requested earlier", async (asked, least, most) => {
  const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
  const refusals = refuse(trial, asked, isListing);
  await trial.start();
  await trial.clock.runUntil(at("21:30:00"));
  const looks = [...new Set(refusals)];
  expect(looks.length).toBeGreaterThan(1);
  for (const [index, look] of looks.slice(1).entries()) {
    expect(look - looks[index]!).toBeGreaterThanOrEqual(least);
    expect(look - looks[index]!).toBeLessThanOrEqual(most);
  }
});

test("a file that is refused for 200 seconds is not requested earlier, and is published then", async () => {
  const trial = await createFeedTrial(pool, `${day}21:03:00Z`);
  trial.put("mrms-mesh", `${day}21:00:39Z`);
  const refusals = refuse(trial, "200", (url) => !isListing(url));
  await trial.start();
  await trial.clock.runUntil(at("21:06:19"));
  expect(refusals).toHaveLength(1);
  trial.server.misbehaviors.clear();
  await trial.clock.runUntil(at("21:09:00"));
  expect(await trial.story()).toEqual(["21:00:39 first mesh"]);
});
