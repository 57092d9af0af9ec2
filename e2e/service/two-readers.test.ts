// Two readers behind a balancer are one service to its clients, whichever of them answers. This is the short form of a
// service as users run it; `npm run test:service` has the rest.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toPath, type OperationId } from "../../shared/contract/operations.ts";
import { hasTwoReaders, TwoReaders, twoReadersNeeds } from "../support/two-readers.ts";
import { writeWindows } from "../support/storm-files.ts";
import { useService } from "./service-trial.ts";

describe.skipIf(!hasTwoReaders)(`two readers behind a balancer${twoReadersNeeds}`, () => {
  const service = useService();
  let readers: TwoReaders;

  beforeAll(async () => {
    const early = await service().run("serve", "--no-open", "--port", "0");
    expect([early.status, early.lines]).toEqual([1, []]);
    expect(early.stderr).toMatch(/^echotop: .*`catalog\.url` has no catalog yet: run echotop migrate\.\n$/);
    expect(await service().run("migrate")).toMatchObject({ status: 0 });
    await publish(0, 2);
    readers = await TwoReaders.start(service());
  });
  afterAll(() => readers.stop());

  async function publish(first: number, count: number): Promise<void> {
    const files = writeWindows(`${service().folder}/files-${first}`, { first, count });
    expect(await service().run("ingest", "--event", "storm", ...files)).toMatchObject({ status: 0 });
  }

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(readers.origin + path, { headers });

  /** Returns the number of requests of this operation and status that each reader has answered. */
  const countOf = (operation: OperationId, status: number): Promise<number[]> =>
    Promise.all(
      readers.each.map(async ({ admin }) => {
        const text = await (await fetch(`${admin!}/metrics`)).text();
        const sample = `^echotop_requests_total\\{operation="${operation}",status="${status}"\\} (\\d+)$`;
        return Number(new RegExp(sample, "m").exec(text)?.[1] ?? 0);
      }),
    );

  test.each<OperationId>([
    "listStormEvents",
    "listRevisions",
    "getLatestManifest",
    "getDataStatus",
    "listRevisionPage",
    "getLatest",
  ])("%s: the tag of one reader is current for both, until a publication changes it", async (operation) => {
    const path = toPath(operation, { eventId: "storm" });
    const etag = (await get(path)).headers.get("etag")!;
    const ask = async (): Promise<number> => (await get(path, { "if-none-match": etag })).status;
    for (let count = 0; count < 4; count += 1) expect(await ask()).toBe(304);
    expect(await countOf(operation, 304)).toEqual([2, 2]);
  });

  test("no reader answers from before a publication, in any order of asking", async () => {
    const path = toPath("listRevisions", { eventId: "storm" });
    for (const first of [2, 3, 4]) {
      const etag = (await get(path)).headers.get("etag")!;
      await publish(first, 1);
      for (let count = 0; count < 4; count += 1) {
        const answer = await get(path, { "if-none-match": etag });
        expect([answer.status, await answer.json()]).toMatchObject([200, { latestSequence: first + 1 }]);
      }
    }
  });
});
