// The push as its receiver sees it: every record at least once, in order, and always with the same id.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { cpSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { Effects } from "../../../platform/effects.ts";
import type { PushTarget } from "./push.ts";
import {
  eventually,
  makeRecord,
  makeRedirect,
  openTestLog,
  temporaryDirectory,
} from "../support/sample-records.ts";

interface Received {
  readonly request: IncomingMessage;
  readonly lines: readonly Record<string, unknown>[];
}

/** Starts a receiver that answers with `reply` and stores what it gets. */
async function startSink(reply: (response: ServerResponse, received: Received) => void) {
  const all: Received[] = [];
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      const lines = body
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const received = { request, lines };
      all.push(received);
      reply(response, received);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/sink?key=hidden`;
  const ids = (): unknown[] => all.flatMap(({ lines }) => lines.map(({ id }) => id));
  return { all, url, ids, port };
}

/** Skips pauses and stores their lengths. */
function createPauses(): { readonly pauses: number[]; readonly sleep: Effects["sleep"] } {
  const pauses: number[] = [];
  return {
    pauses,
    sleep: async (ms, signal) => {
      pauses.push(ms);
      await new Promise((resolve) => setTimeout(resolve, 1));
      signal.throwIfAborted();
    },
  };
}

const accept = (response: ServerResponse): void => {
  response.writeHead(204).end();
};

function openPushed(push: PushTarget, rest: { directory?: string; sleep?: Effects["sleep"] } = {}) {
  return openTestLog({ push, fetch, sleep: createPauses().sleep, ...rest });
}

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `r${from + n}`);

test("new records are pushed as lines of JSON, once, in order", async () => {
  const { url, all, ids } = await startSink(accept);
  const { log, said } = await openPushed({ url, intervalMs: 5 });
  log.append(makeRedirect(1));
  log.append(makeRecord(2, { zoneId: "z2" }));
  await log.page({ zoneId: "z1", limit: 1, order: "asc" });
  await eventually(ids).toEqual(["r1", "r2"]);
  expect(all[0]!.request.method).toBe("POST");
  expect(all[0]!.request.headers["content-type"]).toBe("application/x-ndjson");
  expect(all[0]!.lines[0]).toEqual({
    id: "r1",
    datetime: "2026-11-20T12:00:01.000Z",
    host: "brief.example",
    path: "/r/1",
    status: 301,
    user_agent: "TrainBot/1.0",
    verified_bot_category: "AI Crawler",
    reason: "redirected",
    redirects_for_ai_training_target: "https://brief.example/e/1",
    zone_id: "z1",
  });
  await log.close();
  expect(ids()).toEqual(["r1", "r2"]);
  expect(said).toEqual([]);
});

test("a receiver that is down loses nothing, is asked less and less often, and its address is not logged", async () => {
  const state = { status: 503 };
  const { url, all } = await startSink((response) => response.writeHead(state.status).end("secret"));
  const { pauses, sleep } = createPauses();
  const { log, said } = await openPushed({ url, intervalMs: 1_000 }, { sleep });
  for (let n = 0; n < 300; n++) log.append(makeRecord(n));
  await eventually(() => all.length).toBeGreaterThan(11);
  const failed = all.length;
  state.status = 200;
  await eventually(() => said.length).toBe(2);
  await log.close();
  expect(all.slice(0, failed).every(({ lines }) => lines[0]!.id === "r0")).toBe(true);
  const taken = all.findIndex(({ lines }) => lines.at(-1)!.id === "r299");
  expect(all[taken]!.lines.map(({ id }) => id)).toEqual(numbers(0, 300));
  const first = pauses.indexOf(2_000);
  expect(pauses.slice(first, first + 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
  expect(Math.max(...pauses)).toBe(300_000);
  expect(said).toEqual([
    "warn: The gateway's request records cannot be pushed: the receiver answers with status 503.",
    "info: The gateway's request records are pushed again.",
  ]);
});

test("a redirect of the receiver is not followed, and an unreachable receiver is reported with the error code", async () => {
  const elsewhere = await startSink(accept);
  const { url, all } = await startSink((response) =>
    response.writeHead(307, { location: elsewhere.url }).end(),
  );
  const { log, said } = await openPushed({ url, intervalMs: 1 });
  log.append(makeRecord(1));
  await log.page({ zoneId: "z1", limit: 1, order: "asc" });
  await eventually(() => all.length).toBeGreaterThan(1);
  await log.close();
  expect(elsewhere.all).toEqual([]);
  expect(said).toEqual([
    "warn: The gateway's request records cannot be pushed: the receiver answers with status 307.",
  ]);
  const gone = await openPushed({ url: "http://user:secret@127.0.0.1:1/?key=hidden", intervalMs: 1 });
  gone.log.append(makeRecord(1));
  await eventually(() => gone.said).toEqual([
    expect.stringMatching(
      /^warn: The gateway's request records cannot be pushed: the receiver cannot be reached/,
    ),
  ]);
  expect(gone.said.join()).not.toMatch(/secret|hidden|127\.0/);
});

test("the push continues after a restart, and credentials of its URL become a header", async () => {
  const state = { status: 200 };
  const { port, all, ids } = await startSink((response) => response.writeHead(state.status).end());
  const directory = temporaryDirectory();
  const push = { url: `http://us%20er:p%C3%A9@127.0.0.1:${port}/`, intervalMs: 5 };
  const { log: unpushed } = await openTestLog({ directory });
  unpushed.append(makeRecord(0));
  await unpushed.close();
  const { log: first } = await openPushed(push, { directory });
  first.append(makeRecord(1));
  await first.page({ zoneId: "z1", limit: 1, order: "asc" });
  await eventually(ids).toEqual(["r1"]);
  expect(all[0]!.request.headers.authorization).toBe(`Basic ${Buffer.from("us er:pé").toString("base64")}`);
  state.status = 500;
  first.append(makeRecord(2));
  await eventually(() => all.length).toBeGreaterThan(2);
  await first.close();
  all.length = 0;
  state.status = 200;
  const { log: second } = await openPushed(push, { directory });
  second.append(makeRecord(3));
  // The canceled request may arrive late.
  await eventually(() => [...new Set(ids())]).toEqual(["r2", "r3"]);
});

test("a host that dies after the receiver has taken a batch sends it again, with the same ids and no others", async () => {
  const directory = temporaryDirectory();
  const killed = temporaryDirectory();
  const state = { copied: false };
  const { url, ids, all } = await startSink((response, { lines }) => {
    // The folder of a host that was killed before the response came.
    if (lines[0]!.id === "r100" && !state.copied) {
      cpSync(join(directory, "gateway"), join(killed, "gateway"), { recursive: true });
      state.copied = true;
    }
    accept(response);
  });
  const { log } = await openPushed({ url, intervalMs: 5 }, { directory });
  for (const [from, to] of [
    [0, 100],
    [100, 150],
  ] as const) {
    for (let n = from; n < to; n++) log.append(makeRecord(n));
    await log.page({ zoneId: "z1", limit: 1, order: "asc" });
    await eventually(() => ids().length).toBe(to);
  }
  await log.close();
  expect(state.copied).toBe(true);
  const before = ids();
  all.length = 0;
  const { log: after } = await openPushed({ url, intervalMs: 5 }, { directory: killed });
  after.append(makeRecord(150));
  await eventually(() => ids().at(-1)).toBe("r150");
  const repeated = ids().slice(0, -1);
  expect(repeated).toEqual(before.slice(before.indexOf(repeated[0])));
  expect(repeated[0]).toBe("r100");
});

test("batches are limited in records and bytes", async () => {
  const { url, all, ids } = await startSink(accept);
  const { log } = await openPushed({ url, intervalMs: 5 });
  const long = "é".repeat(1_024);
  for (let n = 0; n < 2_500; n++) log.append(makeRecord(n, { userAgent: n < 1_000 ? long : "short" }));
  await eventually(() => ids().length).toBe(2_500);
  expect(ids()).toEqual(numbers(0, 2_500));
  expect(Math.max(...all.map(({ lines }) => lines.length))).toBeLessThanOrEqual(1_000);
  const lengths = all.map(({ request }) => Number(request.headers["content-length"]));
  expect(Math.max(...lengths)).toBeLessThanOrEqual(1024 * 1024);
});

test("closing does not wait for a receiver that never answers", async () => {
  const { url, all } = await startSink(() => undefined);
  const { log } = await openPushed({ url, intervalMs: 1 });
  log.append(makeRecord(1));
  await log.page({ zoneId: "z1", limit: 1, order: "asc" });
  await eventually(() => all.length).toBe(1);
  const begin = performance.now();
  await log.close();
  expect(performance.now() - begin).toBeLessThan(5_000);
});
