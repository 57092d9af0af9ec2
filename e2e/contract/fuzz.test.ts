// Seeded fuzzing of every path, query, header and socket message of a running host: an answer of the contract each
// time, and the host still works.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestSocket } from "../../electron/services/storm/support/test-service.ts";
import { operations, toPath } from "../../shared/contract/operations.ts";
import { ErrorBody } from "../../shared/contract/primitives.ts";
import { ContractHost } from "./contract-host.ts";
import { expectHarmless } from "./expectations.ts";
import type { RawAnswer } from "./raw-http.ts";

let host: ContractHost;

beforeAll(async () => {
  host = await ContractHost.start();
  await host.publish("storm", { minutes: 0 });
});
afterAll(async () => {
  expect(host.host.process.exitCode).toBeNull();
  expect(host.host.stderr()).not.toMatch(/A request failed|Unhandled|TypeError/);
  await host.stop();
});

const seed = 20_260_520;

/** Pieces that decoders, routers and file systems have stumbled over. */
const piece = fc.oneof(
  fc.constantFrom(
    "storm",
    "mrms-mesh",
    "R1",
    "..",
    "%2e%2e",
    "%2f",
    "%00",
    "%",
    "%zz",
    "%E0%A4%A",
    "%u0041",
    "\\",
  ),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "*",
    ";",
    "&",
    "=",
    "+",
    "#",
    "?",
    ":",
    "@",
    "~",
    "'",
    '"',
  ),
  fc.stringMatching(/^[!-~]{0,12}$/),
  fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

const segment = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(""));

/** A path of the contract with its parameters filled at random, or segments at random. */
const path = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...Object.values(operations).map((operation) => operation.path)),
      fc.array(segment, { minLength: 3, maxLength: 3 }),
    )
    .map(([template, values]) => template.replaceAll(/\{\w+\}/g, () => values.pop() ?? "")),
  fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join("/")}`),
  fc.array(segment, { maxLength: 4 }).map((segments) => `/v1/storm-events/${segments.join("/")}`),
);

const query = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom("q", "limit", "Q", "%71"), segment), segment), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("&"));

const target = fc.tuple(path, fc.option(query)).map(([text, search]) => {
  // Characters that end a request line make another request; the bare-socket tests have those.
  const clean = (search === null ? text : `${text}?${search}`).replaceAll(/[^!-~]/g, "");
  return clean.startsWith("/") ? clean : `/${clean}`;
});

const headerValue = fc.oneof(
  fc.constantFrom("*", '""', '"x"', "W/", '"x', "null", "none", "navigate", "websocket", "chunked", "close"),
  fc.stringMatching(/^[ -~]{0,30}$/),
);
const headers = fc.dictionary(
  fc.constantFrom(
    "If-None-Match",
    "Origin",
    "Sec-Fetch-Site",
    "Sec-Fetch-Mode",
    "Accept",
    "Range",
    "Upgrade",
    "Cookie",
  ),
  headerValue,
  { maxKeys: 3 },
);
const method = fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "DELETE", "TRACE");

const allowed = new Set([200, 304, 400, 403, 404, 405, 426]);

function expectAnswer(answer: RawAnswer, isHead: boolean): void {
  expect(allowed).toContain(answer.status);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  if (answer.status < 400 || isHead) return;
  if (answer.headers["content-type"] === "text/plain; charset=utf-8") {
    expect([400, 426]).toContain(answer.status);
    expectHarmless(answer.body);
    return;
  }
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  const body: unknown = JSON.parse(answer.body);
  expect(ErrorBody.parse(body)).toEqual(body);
  expectHarmless(answer.body);
}

test("any request gets an answer of the contract", async () => {
  await fc.assert(
    fc.asyncProperty(method, target, headers, async (name, address, given) => {
      const lines = Object.entries(given).map(([header, value]) => `${header}: ${value}`);
      const text = [
        `${name} ${address} HTTP/1.1`,
        `Host: localhost:${host.port}`,
        ...lines,
        "Connection: close",
        "",
        "",
      ];
      const answers = await host.exchange(text.join("\r\n"), { methods: [name] });
      expect(answers).toHaveLength(1);
      expectAnswer(answers[0]!, name === "HEAD");
    }),
    { seed, numRuns: 1_500 },
  );
});

test("any bytes get at most one refusal, and the next client is served", async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .tuple(
        fc.constant(`GET /v1/storm-events HTTP/1.1\r\nHost: localhost:`),
        fc.uint8Array({ maxLength: 60 }),
      )
      .map(([start, rest]) => Buffer.concat([Buffer.from(start), rest])),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (sent) => {
      const answers = await host.exchange(sent, { halfClose: true });
      for (const { status } of answers) expect([400, 404, 405, 421, 431]).toContain(status);
    }),
    { seed, numRuns: 300 },
  );
  expect((await host.get(toPath("listStormEvents"))).status).toBe(200);
});

test("any socket message gets pongs only, or the protocol's close", async () => {
  const message = fc.oneof(
    fc.constantFrom("ping", "pong", "", "{}", "null", '{"type":"stream.ready"}', '{"type":"ping"}'),
    fc.string({ maxLength: 200 }),
    fc.string({ unit: "binary", maxLength: 50 }),
    fc.uint8Array({ maxLength: 200 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (messages) => {
      const socket = new TestSocket(
        `ws://localhost:${host.port}${toPath("openStream", { eventId: "storm" })}`,
      );
      expect(await socket.next()).toContain('"stream.ready"');
      for (const each of messages) socket.socket.send(each);
      socket.socket.send("ping");
      const pings = messages.filter((each) => each === "ping").length + 1;
      for (let count = 0; count < pings; count += 1) expect(await socket.next()).toBe("pong");
      expect(socket.pending).toEqual([]);
      socket.socket.close();
      expect(await socket.closed).toBe(1005);
    }),
    { seed, numRuns: 60 },
  );
});

test("any frames of a socket leave the other sockets open", async () => {
  const witness = new TestSocket(`ws://localhost:${host.port}${toPath("openStream", { eventId: "storm" })}`);
  await witness.next();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 100 }), async (frames) => {
      const handshake = [
        `GET ${toPath("openStream", { eventId: "storm" })} HTTP/1.1`,
        `Host: localhost:${host.port}`,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "",
        "",
      ].join("\r\n");
      // Frames directly behind the handshake, in the same piece: the earliest possible.
      await host.endSocket(Buffer.concat([Buffer.from(handshake), frames]));
    }),
    { seed, numRuns: 150 },
  );
  witness.socket.send("ping");
  expect(await witness.next()).toBe("pong");
});
