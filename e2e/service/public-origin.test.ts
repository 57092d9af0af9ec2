// Viewers behind TLS: a proxy ends it, and the service accepts exactly the proxy's origin beside its own.
import { get } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ContractHost } from "../contract/contract-host.ts";
import { hasNginx } from "../support/nginx.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { prepareTlsProxy, proxyName, type TlsProxy } from "./tls-proxy.ts";

describe.skipIf(!hasNginx)("a service behind a TLS proxy (install nginx to run this)", () => {
  let directory: string;
  let proxy: TlsProxy;
  let service: ContractHost;

  beforeAll(async () => {
    directory = makeTemporaryDirectory("tls");
    proxy = await prepareTlsProxy(join(directory, "proxy"));
    service = await ContractHost.start({ public_origin: proxy.origin });
    await proxy.start(service.origin);
    await service.publish("storm", { minutes: 0 });
  });
  afterAll(async () => {
    await proxy.stop();
    await service.stop();
    removeDirectory(directory);
  });

  /** Connects to the proxy, whatever its name resolves to. */
  const toProxy = () => ({
    ca: proxy.certificatePem,
    servername: proxyName,
    host: "127.0.0.1",
    port: proxy.port,
  });

  function readStatus(path: string, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve, reject) => {
      get({ ...toProxy(), path, headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      }).on("error", reject);
    });
  }

  /** Resolves with the first message of the stream, or the status of the refusal. */
  function openStream(headers: Record<string, string>): Promise<unknown> {
    const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}/v1/storm-events/storm/stream`, {
      ...toProxy(),
      headers,
    });
    return new Promise((resolve, reject) => {
      socket.once("message", (data: Buffer) => {
        socket.terminate();
        resolve(JSON.parse(data.toString("utf8")));
      });
      socket.once("unexpected-response", (_request, response) => {
        socket.on("error", () => undefined);
        socket.terminate();
        resolve(response.statusCode);
      });
      socket.once("error", reject);
    });
  }

  const ours = () => ({ host: `${proxyName}:${proxy.port}`, origin: proxy.origin });

  test("a browser's page reads and gets its stream", async () => {
    const headers = { ...ours(), "sec-fetch-site": "same-origin" };
    expect(await readStatus("/v1/storm-events", headers)).toBe(200);
    expect(await openStream(headers)).toMatchObject({ type: "stream.ready", lastRevision: { sequence: 1 } });
  });

  test.each([
    ["without TLS", () => `http://${proxyName}:${proxy.port}`],
    ["of another port", () => `https://${proxyName}`],
    ["of another name", () => `https://evil.example:${proxy.port}`],
    ["of the service itself", () => service.origin],
    ["of nobody", () => "null"],
  ])("a page with an origin %s gets neither data nor stream", async (_what, toOrigin) => {
    const headers = { ...ours(), origin: toOrigin() };
    expect(await readStatus("/v1/storm-events", headers)).toBe(403);
    expect(await openStream(headers)).toBe(403);
  });

  test("another name at the same proxy is not answered", async () => {
    const headers = { host: `other.example:${proxy.port}`, origin: `https://other.example:${proxy.port}` };
    expect(await readStatus("/v1/storm-events", headers)).toBe(421);
    expect(await openStream(headers)).toBe(421);
  });

  test("on loopback, the service answers as before, and not the public page", async () => {
    expect((await service.get("/v1/storm-events", { origin: service.origin })).status).toBe(200);
    expect((await service.get("/v1/storm-events", { origin: proxy.origin })).status).toBe(403);
  });
});
