// Reading the log by REST (D52, D53), the audit trail, and explaining a request.
import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "../../../../shared/app-error.ts";
import type { Explanation } from "../../../../shared/contract/briefings.ts";
import type { ExplainRequest } from "../gateway.ts";
import { toRecordWire } from "../log/request-record.ts";
import { makeRecord, makeRedirect } from "../support/sample-records.ts";
import { startZoneApi } from "../support/zone-api.ts";

const path = "/zones/z1/http_requests";
const permission = "zone-settings:read";

test("records are read as they were appended, by every filter and page by page", async () => {
  const { call, log } = await startZoneApi();
  const records = [
    makeRedirect(1),
    makeRecord(2, { host: "docs.brief.example" }),
    makeRedirect(3, { redirectsForAiTrainingTarget: "https://brief.example/e/2" }),
    makeRecord(4, { verifiedBotCategory: "Search Engine", reason: "bot_category" }),
  ];
  for (const record of records) log.append(record);
  const wire = records.map(toRecordWire);
  expect(wire[0]).toEqual({
    id: "r1",
    datetime: "2026-11-20T12:00:01.000Z",
    host: "brief.example",
    path: "/r/1",
    status: 301,
    user_agent: "TrainBot/1.0",
    verified_bot_category: "AI Crawler",
    reason: "redirected",
    redirects_for_ai_training_target: "https://brief.example/e/1",
  });
  const idsOf = async (query: string): Promise<unknown> => {
    const { body } = await call("GET", `${path}?${query}`, { permission });
    return (body.result as { id: string }[]).map(({ id }) => id);
  };
  const all = await call("GET", path, { permission });
  expect(all.body.result).toEqual(wire.toReversed());
  expect(all.body.result_info).toEqual({ count: 4, per_page: 100, cursor: "" });
  expect(await idsOf("order=asc&since=2026-11-20T12:00:02Z&until=2026-11-20T13:00:04%2B01:00")).toEqual([
    ...["r2", "r3"],
  ]);
  expect(await idsOf("since=2026-11-20&until=2026-11-21&order=asc&limit=1")).toEqual(["r1"]);
  expect(await idsOf("host=Docs.Brief.Example")).toEqual(["r2"]);
  expect(await idsOf("category=AI%20Crawler")).toEqual(["r3", "r1"]);
  expect(await idsOf("target=https://brief.example/e/2")).toEqual(["r3"]);
  expect(await idsOf("target=https://brief.example/e/&category=Search%20Engine&unheard=of")).toEqual([]);
  const first = await call("GET", `${path}?limit=3&order=asc`, { permission });
  const { cursor } = first.body.result_info!;
  expect((first.body.result as unknown[]).length).toBe(3);
  expect(await idsOf(`limit=3&order=asc&cursor=${cursor}`)).toEqual(["r4"]);
  const other = await call("GET", `${path}?limit=3&order=desc&cursor=${cursor}`, { permission });
  expect([other.status, other.body.errors[0]!.message]).toEqual([
    400,
    "The parameter cursor belongs to a list in another order.",
  ]);
});

test("an invalid value is refused by the name of its parameter", async () => {
  const { call } = await startZoneApi();
  for (const [name, values] of Object.entries({
    since: ["", "yesterday", "2026-02-30T00:00:00Z", "2026-11-20T12:00:00", "1e9", "-271821-04-20T00:00:00Z"],
    until: ["2026-11-20T25:00:00Z", "2026-13-01"],
    host: ["", "x".repeat(256)],
    category: [""],
    target: [""],
    limit: ["0", "1001", "-1", "1.5", "all", "9999999999"],
    order: ["up", "ASC", "__proto__"],
    cursor: ["x", "bnVsbA", "WyJhc2MiLDEsMV0x"],
  })) {
    for (const value of values) {
      const { status, body } = await call("GET", `${path}?${name}=${encodeURIComponent(value)}`);
      expect([status, body.errors[0]?.code], `${name}=${value}`).toEqual([400, 10_100]);
      expect(body.errors[0]!.message).toContain(`The parameter ${name} `);
    }
  }
  const twice = await call("GET", `${path}?limit=1&limit=2`);
  expect([twice.status, twice.body.errors[0]!.message]).toEqual([
    400,
    "The parameter limit is given more than once.",
  ]);
  expect((await call("GET", "/zones/none/http_requests")).status).toBe(404);
});

test("no query makes the service fail", async () => {
  const { call, log } = await startZoneApi();
  for (let n = 0; n < 20; n++) log.append(n % 2 === 0 ? makeRecord(n) : makeRedirect(n));
  const name = fc.constantFrom("since", "until", "host", "category", "target", "limit", "order", "cursor");
  const value = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      "0",
      "5",
      "asc",
      "2026-11-20T12:00:05Z",
      "https://brief.example/",
      "%",
      "'; DROP TABLE x",
    ),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  );
  const query = fc.array(fc.tuple(name, value), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(query, async (pairs) => {
      const search = pairs
        .map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`)
        .join("&");
      expect([200, 400]).toContain((await call("GET", `${path}?${search}`)).status);
    }),
    { seed: 5, numRuns: 80 },
  );
});

test("the audit trail is read, newest first, with the state before and after", async () => {
  const { call, settings } = await startZoneApi();
  await settings.setFeature("z1", "on", "viewer");
  await call("PATCH", "/zones/z1/custom_hostnames/ch1", { json: { custom_metadata: { a: "b" } } });
  const { body } = await call("GET", "/zones/z1/audit?limit=2", { permission });
  expect(body.result).toMatchObject([
    { actor: expect.stringMatching(/^[0-9a-z]{16}$/) as string, action: "metadata" },
    { actor: "viewer", action: "setting", before: "off", after: "on" },
  ]);
  expect((await call("GET", "/zones/z1/audit?limit=0")).status).toBe(400);
  expect((await call("GET", "/zones/free/audit")).body.result).toEqual([]);
});

test("a request is explained only for its own zone, and invalid input is refused with the reason", async () => {
  const asked: ExplainRequest[] = [];
  const explanation: Explanation = {
    ...{ zoneId: "z1", reason: "redirected", status: 301, target: "https://z1.example/e/1" },
    steps: [{ name: "Loop", outcome: "passed", text: "No loop." }],
  };
  const { call } = await startZoneApi((request) => {
    asked.push(request);
    if (request.url.includes("nowhere")) throw new AppError("not-found", "No zone has this address.");
    return Promise.resolve(explanation);
  });
  const question = { url: "https://z1.example/r/1", user_agent: "TrainBot/1.0", address: "127.0.0.2" };
  const explain = (json: unknown, zone = "z1") =>
    call("POST", `/zones/${zone}/explain`, { json, permission });
  expect(await explain(question)).toMatchObject({
    status: 200,
    body: { result: { zone_id: "z1", reason: "redirected", status: 301, steps: explanation.steps } },
  });
  expect(asked).toEqual([
    { url: question.url, userAgent: "TrainBot/1.0", address: "127.0.0.2", referer: undefined },
  ]);
  expect((await explain(question, "free")).status).toBe(404);
  expect((await explain({ ...question, url: "https://nowhere.example/" })).status).toBe(404);
  for (const [field, value] of Object.entries({ url: "ftp://x/", address: "localhost", user_agent: 7 })) {
    const { status, body } = await explain({ ...question, [field]: value });
    expect([status, body.errors[0]!.message]).toEqual([400, expect.stringContaining(`field ${field} `)]);
  }
  const { call: without } = await startZoneApi();
  expect((await without("POST", "/zones/z1/explain", { json: question })).status).toBe(404);
});
