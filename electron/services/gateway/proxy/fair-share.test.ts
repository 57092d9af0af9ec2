// One address cannot use all of the gateway, neither by connections nor by requests through a proxy.
import { expect, test } from "vitest";
import { connectionLimits } from "../../http/http-limits.ts";
import { proxyLimits } from "../gateway-limits.ts";
import { startRawOrigin } from "../support/raw-origin.ts";
import { head, openSocket, startTestGateway, statusOf, type OpenSocket } from "../support/test-gateway.ts";

const settled = { timeout: 20_000 };
const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const slow = (...headers: readonly string[]): string =>
  `${["GET /slow HTTP/1.1", "Host: brief.example", ...headers].join("\r\n")}\r\n\r\n`;

/** An origin that answers only `/page`. */
const startOrigin = () =>
  startRawOrigin((socket, text) => {
    if (text.startsWith("GET /page")) socket.write(ok);
  });

// Only Linux has every address of 127.0.0.0/8 by default.
test.skipIf(process.platform !== "linux")(
  "connections beyond an address's share are told so and closed; others are served",
  async () => {
    const origin = await startOrigin();
    const { port } = await startTestGateway({ kind: "http", url: origin.url });
    const open = (from: string, text: string): OpenSocket => openSocket(port, text, from);
    const holding = Array.from({ length: connectionLimits.perAddress }, () => open("127.0.0.2", slow()));
    await expect.poll(() => origin.heads.length, settled).toBe(connectionLimits.perAddress);

    const refused = open("127.0.0.2", "");
    await refused.closed;
    expect(refused.received()).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused.received()).toMatch(/\r\nretry-after: 5\r\n/i);
    expect(refused.received()).toMatch(/Your address has too many connections/);
    const other = open("127.0.0.3", head("GET /page"));
    await other.closed;
    expect(statusOf(other.received())).toBe(200);

    holding[0]!.socket.destroy();
    await expect
      .poll(async () => {
        const next = open("127.0.0.2", head("GET /page"));
        await next.closed;
        return statusOf(next.received());
      }, settled)
      .toBe(200);
    for (const { socket } of holding) socket.destroy();
  },
);

test("requests beyond an address's share are refused, on any connection of a proxy", async () => {
  const origin = await startOrigin();
  const { open, send, records } = await startTestGateway(
    { kind: "http", url: origin.url },
    { trustedProxies: ["127.0.0.1/32"] },
  );
  const greedy = Array.from({ length: proxyLimits.perAddress }, () =>
    open(slow("X-Forwarded-For: 192.0.2.1")),
  );
  await expect.poll(() => origin.heads.length, settled).toBe(proxyLimits.perAddress);

  const refused = await send(head("GET /page", "X-Forwarded-For: 192.0.2.1"));
  expect(statusOf(refused)).toBe(503);
  expect(refused).toMatch(/\r\nRetry-After: 5\r\n/);
  expect(statusOf(await send(head("GET /page", "X-Forwarded-For: 192.0.2.2")))).toBe(200);
  expect(records).toHaveLength(1);

  // A visitor that leaves releases its share.
  for (const { socket } of greedy) socket.destroy();
  await expect
    .poll(async () => statusOf(await send(head("GET /page", "X-Forwarded-For: 192.0.2.1"))), settled)
    .toBe(200);
});

test("requests that wait for an answer on their connection are not forwarded, and a visitor that leaves takes them along", async () => {
  const origin = await startOrigin();
  const { open, send } = await startTestGateway({ kind: "http", url: origin.url });
  const { socket } = open(slow().repeat(3));
  await expect.poll(() => origin.heads.length, settled).toBe(1);
  expect(statusOf(await send(head("GET /page")))).toBe(200);
  expect(origin.heads).toHaveLength(2);
  socket.destroy();
  expect(statusOf(await send(head("GET /page")))).toBe(200);
  expect(origin.heads).toHaveLength(3);
});

test("a trusted proxy has a larger share, with and without X-Forwarded-For", async () => {
  const origin = await startOrigin();
  const { open, send } = await startTestGateway(
    { kind: "http", url: origin.url },
    { trustedProxies: ["127.0.0.1/32"] },
  );
  const count = proxyLimits.perAddress + 20;
  const holding = Array.from({ length: count }, () => open(slow()));
  await expect.poll(() => origin.heads.length, settled).toBe(count);
  expect(statusOf(await send(head("GET /page")))).toBe(200);
  for (const { socket } of holding) socket.destroy();
});
