// The WebSocket stream of a running host, with notices of what this process publishes into its directory.
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestSocket } from "../../electron/services/storm/support/test-service.ts";
import { MrmsManifest } from "../../shared/contract/manifest.ts";
import { StormRevisionReady, StreamReady } from "../../shared/contract/messages.ts";
import { toPath } from "../../shared/contract/operations.ts";
import { ErrorBody } from "../../shared/contract/primitives.ts";
import { ContractHost } from "./contract-host.ts";
import { expectHarmless } from "./expectations.ts";

let host: ContractHost;

beforeAll(async () => {
  host = await ContractHost.start();
});
afterAll(() => host.stop());

function openSocket(eventId: string, headers: Record<string, string> = {}): TestSocket {
  return new TestSocket(`ws://127.0.0.1:${host.port}${toPath("openStream", { eventId })}`, { headers });
}

/** Returns the next message; it must have exactly the members of its schema. */
async function nextReady(socket: TestSocket): Promise<StreamReady> {
  const message = await socket.nextJson();
  expect(StreamReady.parse(message)).toEqual(message);
  return message as StreamReady;
}

async function nextNotice(socket: TestSocket): Promise<StormRevisionReady> {
  const message = await socket.nextJson();
  expect(StormRevisionReady.parse(message)).toEqual(message);
  return message as StormRevisionReady;
}

describe("messages", () => {
  test("an unknown event opens as an empty room, and its first revision is announced there", async () => {
    const socket = openSocket("newborn");
    expect(await nextReady(socket)).toEqual({ type: "stream.ready", schemaVersion: 1, eventId: "newborn" });
    const revision = await host.publish("newborn", { minutes: 0 });
    expect(await nextNotice(socket)).toMatchObject({
      eventId: "newborn",
      sequence: 1,
      revisionId: revision.revisionId,
      observedAt: revision.observedAt,
      bounds: [-99.5, 34, -96, 37.25],
    });
  });

  test("a notice leads to the manifest that it announces", async () => {
    await host.publish("lead", { minutes: 0 });
    const { lastRevision } = await nextReady(openSocket("lead"));
    const manifest = MrmsManifest.parse(await (await host.get(lastRevision!.manifestUrl)).json());
    expect(manifest).toMatchObject({ revisionId: lastRevision!.revisionId, sequence: 1 });
  });

  test("another process's notices rise without a gap for every socket", async () => {
    const sockets: TestSocket[] = [];
    for (let minutes = 0; minutes < 40; minutes += 2) {
      sockets.push(openSocket("steady"));
      await host.publish("steady", { minutes });
    }
    for (const socket of sockets) {
      const seen = [(await nextReady(socket)).lastRevision?.sequence ?? 0];
      while (seen.at(-1)! < 20) seen.push((await nextNotice(socket)).sequence);
      expect(seen).toEqual(Array.from(seen, (_, index) => seen[0]! + index));
    }
  });

  test("a correction of an older window is a notice of its own", async () => {
    await host.publish("late", { minutes: 10 });
    const socket = openSocket("late");
    const { lastRevision } = await nextReady(socket);
    await host.publish("late", { minutes: 0 });
    const notice = await nextNotice(socket);
    expect(notice.sequence).toBe(2);
    expect(Date.parse(notice.observedAt)).toBeLessThan(Date.parse(lastRevision!.observedAt));
  });

  test("ping is answered with pong in plain text; everything else is ignored", async () => {
    const socket = openSocket("quiet");
    await nextReady(socket);
    socket.socket.send('{"type":"ping"}');
    socket.socket.send(Buffer.from("ping"));
    socket.socket.send("PING");
    socket.socket.send("ping");
    expect(await socket.next()).toBe("pong");
    expect(socket.pending).toEqual([]);
  });

  test("a message that is too long ends the stream with 1009", async () => {
    const socket = openSocket("quiet");
    await nextReady(socket);
    socket.socket.send("x".repeat(100_000));
    expect(await socket.closed).toBe(1009);
  });

  test("does not negotiate compression", async () => {
    const socket = openSocket("quiet");
    await nextReady(socket);
    expect(socket.socket.extensions).toBe("");
  });
});

interface Refused {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Returns the answer to a handshake; status 101 if it was accepted. */
function shakeHands(
  path: string,
  headers: Readonly<Record<string, string | undefined>> = {},
  method = "GET",
): Promise<Refused> {
  const { promise, resolve, reject } = Promise.withResolvers<Refused>();
  const handshake: Record<string, string | undefined> = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const given = Object.fromEntries(Object.entries(handshake).filter(([, value]) => value !== undefined));
  const request = httpRequest({
    host: "127.0.0.1",
    port: host.port,
    path,
    method,
    headers: given,
    agent: false,
  });
  request.on("error", reject);
  request.on("upgrade", (response, socket) => {
    socket.destroy();
    resolve({ status: response.statusCode!, headers: response.headers, body: "" });
  });
  request.on("response", (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("end", () => {
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        body: Buffer.concat(chunks).toString(),
      });
    });
  });
  request.end();
  return promise;
}

describe("handshake", () => {
  const stream = toPath("openStream", { eventId: "storm" });

  test("serves a program without a browser's headers, and our own page", async () => {
    expect((await shakeHands(stream)).status).toBe(101);
    expect(
      (await shakeHands(stream, { upgrade: "WebSocket", connection: "keep-alive, Upgrade" })).status,
    ).toBe(101);
    expect((await shakeHands(`${stream}?x=1`)).status).toBe(101);
    expect((await shakeHands(stream, { origin: host.origin, "sec-fetch-site": "same-origin" })).status).toBe(
      101,
    );
  });

  test("refuses another origin's page and another host name in JSON", async () => {
    for (const [headers, status] of [
      [{ origin: "http://evil.example" }, 403],
      [{ origin: "null" }, 403],
      [{ "sec-fetch-site": "cross-site" }, 403],
      [{ host: "evil.example" }, 421],
      [{ host: `evil.example:${host.port}`, origin: `http://evil.example:${host.port}` }, 421],
    ] as const) {
      const refused = await shakeHands(stream, headers);
      expect(refused.status).toBe(status);
      expectHarmless(ErrorBody.parse(JSON.parse(refused.body)).message);
    }
  });

  test("a malformed identity is 400 in plain text, with and without an upgrade", async () => {
    for (const eventId of ["Storm", "-", "x".repeat(65), "%zz", "%00"]) {
      for (const headers of [{}, { upgrade: undefined, connection: undefined }]) {
        const refused = await shakeHands(`/v1/storm-events/${eventId}/stream`, headers);
        expect(refused.status).toBe(400);
        expect(refused.headers["content-type"]).toBe("text/plain; charset=utf-8");
        expectHarmless(refused.body);
      }
    }
  });

  test("no upgrade, or another one, is 426 and names the right one", async () => {
    for (const headers of [
      { upgrade: undefined, connection: undefined },
      { upgrade: "h2c" },
      { connection: "close" },
    ]) {
      const refused = await shakeHands(stream, headers);
      expect(refused.status).toBe(426);
      expect(refused.headers.upgrade).toBe("websocket");
      expect(refused.headers["content-type"]).toBe("text/plain; charset=utf-8");
    }
  });

  test("an invalid handshake gets 400", async () => {
    for (const headers of [
      { "sec-websocket-key": undefined },
      { "sec-websocket-key": "short" },
      { "sec-websocket-version": "7" },
      { "sec-websocket-version": undefined },
      { "sec-websocket-protocol": "," },
    ]) {
      const refused = await shakeHands(stream, headers);
      expect(refused.status).toBe(400);
      expect(refused.headers["content-type"]).toBe("text/plain; charset=utf-8");
      expectHarmless(refused.body);
    }
  });

  test("other methods get 405, and other paths are not streams", async () => {
    const refused = await shakeHands(stream, {}, "POST");
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toBe("GET, HEAD");
    expect((await shakeHands("/v1/storm-events")).status).toBe(200);
    expect((await shakeHands("/")).status).toBe(200);
    expect((await shakeHands(`${stream}/`)).status).toBe(404);
    expect((await shakeHands(stream.replace("storm-events", "storms"))).status).toBe(404);
  });
});
