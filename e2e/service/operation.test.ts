// One process as an operator sees it: the first line, probes, metrics, and the end.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { makeTemporaryDirectory, removeDirectory, runCommand } from "../../electron/support/host-process.ts";
import { ContractHost } from "../contract/contract-host.ts";

let service: ContractHost | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function startService(configuration: Record<string, unknown> = {}) {
  service = await ContractHost.start({ admin: { port: 0 }, ...configuration });
  const { host } = service;
  const readAdmin = async (path: string) => {
    const response = await fetch(host.admin! + path);
    return { status: response.status, text: await response.text() };
  };
  return { service, host, readAdmin };
}

/** Opens a stream; `closed` resolves with its close code. */
async function openStream(origin: string): Promise<{ readonly closed: Promise<number> }> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/v1/storm-events/storm/stream`);
  const closed = once(socket, "close").then(([code]) => code as number);
  await once(socket, "message");
  return { closed };
}

describe("the admin listener", () => {
  test("is named in the first line, and tells what was asked without saying for what", async () => {
    const { service, host, readAdmin } = await startService();
    await service.publish("storm", { minutes: 0 });
    await service.get("/v1/storm-events/storm/manifest");
    await service.get("/v1/places/search?q=zanzibar");
    await service.get("/secret-path?token=s3cr3t");
    await service.get("/v1/storm-events", { host: "evil.example" });
    expect(host.admin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await readAdmin("/livez")).status).toBe(200);
    expect((await readAdmin("/readyz")).status).toBe(200);
    const { text } = await readAdmin("/metrics");
    expect(text).toContain('echotop_requests_total{operation="getLatestManifest",status="200"} 1');
    expect(text).toContain('echotop_requests_total{operation="searchPlaces",status="200"} 1');
    expect(text).toContain('echotop_requests_total{operation="none",status="404"} 1');
    expect(text).toContain('echotop_event_newest_sequence{event="storm"} 1');
    for (const secret of ["zanzibar", "secret-path", "s3cr3t", "evil.example", service.directory])
      expect(text).not.toContain(secret);
  });

  test("does not exist unless it is configured", async () => {
    service = await ContractHost.start();
    expect(service.host.admin).toBeUndefined();
    expect((await service.get("/metrics")).status).toBe(404);
  });
});

describe("an interrupt", () => {
  test("fails readiness at once, closes the streams over the drain, and ends with 0", async () => {
    const { service, host, readAdmin } = await startService({ drain_seconds: 2 });
    const streams = await Promise.all(Array.from({ length: 4 }, () => openStream(service.origin)));
    const ended = once(host.process, "close");
    const start = performance.now();
    host.process.kill("SIGTERM");
    await expect.poll(async () => (await readAdmin("/readyz")).status, { interval: 20 }).toBe(503);
    expect((await readAdmin("/livez")).status).toBe(200);
    await expect(service.get("/v1/storm-events")).rejects.toThrow("fetch failed");
    expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual([1001, 1001, 1001, 1001]);
    expect(performance.now() - start).toBeGreaterThan(1_900);
    expect(await ended).toEqual([0, null]);
  });

  test("the second one ends the process at once", async () => {
    const { service, host, readAdmin } = await startService({ drain_seconds: 600 });
    const { closed } = await openStream(service.origin);
    const ended = once(host.process, "close");
    host.process.kill("SIGTERM");
    await expect.poll(async () => (await readAdmin("/readyz")).status, { interval: 20 }).toBe(503);
    host.process.kill("SIGTERM");
    expect(await ended).toEqual([1, null]);
    expect(await closed).toBe(1006);
  });

  test("without a drain, streams are closed together", async () => {
    const { service, host } = await startService();
    const { closed } = await openStream(service.origin);
    const ended = once(host.process, "close");
    host.process.kill("SIGTERM");
    expect(await closed).toBe(1001);
    expect(await ended).toEqual([0, null]);
  });
});

test("the log is one JSON object a line, if configured", async () => {
  const { service, host } = await startService({ log: { format: "json" } });
  const revision = await service.publish("storm", { minutes: 0 });
  service.damageManifest(revision, "{}", false);
  expect((await service.get("/v1/storm-events/storm/manifest")).status).toBe(502);
  await expect.poll(host.stderr).toContain("\n");
  const entries = host
    .stderr()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries[0]).toMatchObject({
    time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    level: "error",
    message: "A stored manifest is damaged and is not served.",
    facts: { eventId: "storm" },
  });
});

test.each([
  ["an invalid configuration", { admin: { port: "x" } }, [], 1],
  ["a wrong option", {}, ["--prot=1"], 2],
  ["options that do not go together", { roles: ["reader"] }, ["--feed=noaa"], 2],
  ["a taken port", {}, [], 1],
])("with a JSON log, %s is told in JSON too", async (_what, config, options, status) => {
  const folder = makeTemporaryDirectory("json-errors");
  onTestFinished(() => {
    removeDirectory(folder);
  });
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => {
    other.close();
  });
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const path = join(folder, "config.json");
  writeFileSync(path, JSON.stringify({ ...config, log: { format: "json" } }));
  const args = ["serve", "--no-open", "--data", join(folder, "data"), "--port", String(port)];
  const finished = await runCommand([...args, "--config", path, ...options]);
  expect(finished.status).toBe(status);
  const lines = finished.stderr.trim().split("\n");
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      message: expect.any(String) as string,
    });
  }
});
