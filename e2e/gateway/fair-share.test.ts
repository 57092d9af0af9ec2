// Limits per visitor: one that uses as much of the gateway as it can does not affect the others.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  hasVisitors,
  pageWith,
  startGatewayHost,
  visitors,
  visitorsMissing,
  type GatewayHost,
} from "./gateway-host.ts";

const share = 256;

describe.skipIf(!hasVisitors)(`fair shares of the gateway${visitorsMissing}`, () => {
  let host: GatewayHost;
  beforeAll(async () => {
    host = await startGatewayHost();
    host.origin.page("/r/1", pageWith("/e/1"));
    host.origin.answer("/never", () => undefined);
  });
  afterAll(() => host.stop());

  test("a visitor that uses its whole share is refused while others are served, and is served again afterwards", async () => {
    const greedy = "127.0.0.6";
    const port = Number(new URL(host.gateway()).port);
    const held = Array.from({ length: share }, () => {
      const socket = connect({ port, host: "127.0.0.1", localAddress: greedy });
      socket.write("GET /never HTTP/1.1\r\nHost: brief.example\r\n\r\n");
      return socket;
    });
    try {
      await expect.poll(() => host.origin.seen("/never").length, { timeout: 20_000 }).toBe(share);
      const refused = await host.visit("/r/1", { address: greedy });
      expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
      expect(refused.body.toString()).toMatch(/^Your address has too many connections .* try again .*\.\n$/);
      expect((await host.visit("/r/1", visitors.browser)).status).toBe(200);
      expect((await host.visit("/r/1", visitors.train)).status).toBe(301);
    } finally {
      for (const socket of held) socket.destroy();
    }
    await expect
      .poll(async () => (await host.visit("/r/1", { address: greedy })).status, { timeout: 20_000 })
      .toBe(200);
  });
});
