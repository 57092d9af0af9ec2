// Pages of an event's revisions: our addition beside the contract, with publication times and what each revision did.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MrmsHistory } from "../../shared/contract/history.ts";
import { toPath } from "../../shared/contract/operations.ts";
import { RevisionPage } from "../../shared/contract/published-frames.ts";
import type { RevisionRecord } from "../../electron/catalog/catalog.ts";
import { ContractHost } from "./contract-host.ts";
import { expectJson, expectProblem } from "./expectations.ts";

let host: ContractHost;
const revisions: RevisionRecord[] = [];
const path = toPath("listRevisionPage", { eventId: "storm" });

/** Five windows, then a backfill, a correction and a completion. */
beforeAll(async () => {
  host = await ContractHost.start();
  for (const minutes of [0, 2, 4, 8, 10]) revisions.push(await host.publish("storm", { minutes }));
  revisions.push(await host.publish("storm", { minutes: 6 }));
  revisions.push(await host.publish("storm", { minutes: 2, content: "corrected" }));
  revisions.push(await host.publish("storm", { minutes: 10, productId: "mrms-reflectivity" }));
  await host.register("registered");
});
afterAll(() => host.stop());

const page = async (query = ""): Promise<RevisionPage> =>
  expectJson(await host.get(path + query), 200, RevisionPage);
const sequences = async (query = ""): Promise<number[]> =>
  (await page(query)).frames.map(({ sequence }) => sequence);

describe("GET /app/events/{eventId}/revisions", () => {
  test("has what the contract's list has, with publication time and change", async () => {
    const { frames, ...head } = await page();
    const list = await host.get(`${toPath("listRevisions", { eventId: "storm" })}?limit=360`);
    expect(MrmsHistory.parse({ ...head, frames })).toEqual({
      ...MrmsHistory.parse(await list.json()),
      generatedAt: head.generatedAt,
    });
    expect(frames.map(({ publishedAt }) => publishedAt)).toEqual(
      revisions.map(({ publishedAt }) => publishedAt),
    );
    expect(frames.map(({ change }) => change)).toEqual([
      ...Array.from({ length: 5 }, () => "first"),
      "backfill",
      "correction",
      "completion",
    ]);
  });

  test("holds the newest before a sequence, ascending", async () => {
    expect(await sequences("?limit=3")).toEqual([6, 7, 8]);
    expect(await sequences("?before=6&limit=3")).toEqual([3, 4, 5]);
    expect(await sequences("?before=3&limit=360")).toEqual([1, 2]);
    expect(await sequences("?before=1")).toEqual([]);
    expect(await sequences("?before=999999&limit=1")).toEqual([8]);
    expect((await page("?before=3")).latestSequence).toBe(8);
  });

  test("refuses other limits and sequences, unknown events and malformed ids", async () => {
    for (const query of ["limit=0", "limit=361", "limit=", "limit=x", "limit=2&limit=2", "limit=1e1"]) {
      await expectProblem(await host.get(`${path}?${query}`), 400);
    }
    for (const query of ["before=0", "before=-1", "before=", "before=x", "before=1.5", "before=2&before=2"]) {
      await expectProblem(await host.get(`${path}?${query}`), 400);
    }
    await expectProblem(await host.get(toPath("listRevisionPage", { eventId: "unknown" })), 404);
    for (const eventId of ["Storm", "st_orm", "x".repeat(65), "%00"]) {
      await expectProblem(await host.get(`/app/events/${eventId}/revisions`), 400);
    }
    const registered = await host.get(toPath("listRevisionPage", { eventId: "registered" }));
    expect((await expectJson(registered, 200, RevisionPage)).frames).toEqual([]);
  });

  test("an old page stays 304 after a publication; the newest changes", async () => {
    const tagOf = async (query: string): Promise<string> =>
      (await host.get(path + query)).headers.get("etag")!;
    const [newest, ended] = [await tagOf(""), await tagOf("?before=4")];
    const again = (query: string, etag: string) => host.get(path + query, { "if-none-match": etag });
    expect((await again("", newest)).status).toBe(304);
    await host.publish("other", { minutes: 0 });
    expect((await again("", newest)).status).toBe(304);
    expect((await again("?before=4", ended)).status).toBe(304);
    revisions.push(await host.publish("storm", { minutes: 12 }));
    expect((await again("", newest)).status).toBe(200);
  });

  test("a damaged revision is left out", async () => {
    await host.publish("damaged", { minutes: 0 });
    host.damageManifest(await host.publish("damaged", { minutes: 2 }), "{", false);
    await host.publish("damaged", { minutes: 4 });
    const response = await host.get(toPath("listRevisionPage", { eventId: "damaged" }));
    const { frames } = await expectJson(response, 200, RevisionPage);
    expect(frames.map(({ sequence }) => sequence)).toEqual([1, 3]);
  });
});
