// The record of each request, its queries and its push (D52 to D55).
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "../support/curl.ts";
import {
  hasVisitors,
  pageWith,
  publicOrigin,
  startGatewayHost,
  visitors,
  visitorsMissing,
  type GatewayHost,
} from "./gateway-host.ts";

interface Row {
  readonly id: string;
  readonly path: string;
  readonly datetime: string;
  readonly status: number;
  readonly verified_bot_category: string | null;
  readonly redirects_for_ai_training_target: string | null;
}

/** A receiver of pushed records that can refuse them. */
async function startSink() {
  const state = { refuses: true, refused: 0, lines: [] as string[] };
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.once("end", () => {
      if (state.refuses) {
        state.refused += 1;
        response.writeHead(503).end();
        return;
      }
      state.lines.push(...Buffer.concat(pieces).toString("utf8").split("\n").filter(Boolean));
      response.writeHead(202).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    state,
    url: `http://127.0.0.1:${port}/records`,
    stop: async () => {
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

describe.skipIf(!hasVisitors)(`the request log${visitorsMissing}`, () => {
  let host: GatewayHost;
  let sink: Awaited<ReturnType<typeof startSink>>;
  const startedAt = new Date(Date.now() - 1000).toISOString();
  beforeAll(async () => {
    sink = await startSink();
    host = await startGatewayHost({
      gateway: { log: { keep_days: 30, push: { url: sink.url, interval_seconds: 1 } } },
    });
    for (const path of ["/r/1", "/r/2"]) host.origin.page(path, pageWith(path.replace("r", "e")));
    host.origin.page("/e/1", pageWith("/e/1"));
    await host.visit("/r/1?key=secret-query", {
      ...visitors.train,
      args: ["-H", "Authorization: Bearer secret-bearer", "-H", "Cookie: id=secret-cookie"],
    });
    await host.visit("/r/2", visitors.train);
    await host.visit("/e/1", visitors.train);
    await host.visit("/r/1", visitors.browser);
    await host.visit("/r/1", { ...visitors.index, host: "docs.brief.example" });
  });
  afterAll(async () => {
    await host.stop();
    await sink.stop();
  });

  const query = async (text = "") => {
    const { status, envelope } = await call(`${host.zone}/http_requests${text}`, { token: host.read });
    return { status, rows: envelope.result as Row[] };
  };
  const graphql = async (text: string) => {
    const { body, status } = await call(`${host.api()}/client/v4/graphql`, {
      token: host.read,
      method: "POST",
      json: { query: text },
    });
    return { status, answer: JSON.parse(body.toString()) as { data: unknown; errors?: unknown[] } };
  };

  test("D52 each request has one record, with the target of a redirect", async () => {
    const { rows } = await query("?order=asc");
    expect(rows).toHaveLength(5);
    expect(rows[0]).toEqual({
      id: expect.stringMatching(/\S/) as string,
      datetime: expect.stringMatching(/^20\d\d-.*Z$/) as string,
      host: "brief.example",
      path: "/r/1",
      status: 301,
      user_agent: visitors.train.agent,
      verified_bot_category: "AI Crawler",
      reason: "redirected",
      redirects_for_ai_training_target: `${publicOrigin}/e/1`,
    });
    expect(rows.map((row) => row.redirects_for_ai_training_target !== null)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5);
  });

  test("D53 records are found by time, host, category and target, in either order and limited", async () => {
    const paths = async (text: string) => (await query(text)).rows.map(({ path }) => path);
    expect(await paths("")).toEqual((await paths("?order=asc")).toReversed());
    expect(await paths("?order=asc&limit=2")).toEqual(["/r/1", "/r/2"]);
    expect(await paths("?host=docs.brief.example")).toEqual(["/r/1"]);
    expect(await paths("?category=AI%20Crawler&order=asc")).toEqual(["/r/1", "/r/2", "/e/1"]);
    expect(await paths(`?target=${encodeURIComponent(`${publicOrigin}/e/2`)}`)).toEqual(["/r/2"]);
    expect(await paths(`?until=${startedAt}`)).toEqual([]);
    expect(await paths(`?since=${startedAt}`)).toHaveLength(5);
    const [, second] = (await query("?order=asc")).rows;
    expect(await paths(`?since=${second!.datetime}&order=asc`)).toContain("/r/2");
  });

  test.each(["?limit=0", "?limit=x", "?order=up", "?since=yesterday"])(
    "D53 the query %s is refused",
    async (text) => {
      expect((await query(text)).status).toBe(400);
    },
  );

  test("D53 GraphQL counts the same records", async () => {
    const { answer } = await graphql(`{
      viewer { zones(filter: {zoneTag: "z1"}) {
        httpRequestsAdaptiveGroups(
          limit: 10, orderBy: [count_DESC],
          filter: {datetime_geq: "${startedAt}", clientRequestPath_like: "/r/%", verifiedBotCategory: "AI Crawler"}
        ) { count dimensions { clientRequestPath edgeResponseStatus verifiedBotCategory redirectsForAiTrainingTarget } }
      } }
    }`);
    expect(answer.errors).toBeUndefined();
    const row = (path: string) => ({
      count: 1,
      dimensions: {
        clientRequestPath: path,
        edgeResponseStatus: 301,
        verifiedBotCategory: "AI Crawler",
        redirectsForAiTrainingTarget: publicOrigin + path.replace("r", "e"),
      },
    });
    expect(answer.data).toEqual({
      viewer: {
        zones: [
          {
            httpRequestsAdaptiveGroups: expect.toSatisfy(
              (rows: { dimensions: { clientRequestPath: string } }[]) => {
                const sorted = rows.toSorted((a, b) =>
                  a.dimensions.clientRequestPath < b.dimensions.clientRequestPath ? -1 : 1,
                );
                expect(sorted).toEqual([row("/r/1"), row("/r/2")]);
                return true;
              },
            ) as unknown,
          },
        ],
      },
    });
  });

  test("D53 GraphQL reports an unknown field as an error", async () => {
    const { status, answer } = await graphql('{ viewer { zones(filter: {zoneTag: "z1"}) { rain } } }');
    expect([200, 400]).toContain(status);
    expect(answer.errors).toHaveLength(1);
    expect(JSON.stringify(answer.errors)).toContain("rain");
  });

  test("D54 records that a receiver refuses are sent again: all of them, each accepted once", async () => {
    await vi.waitUntil(() => sink.state.refused > 0, { timeout: 20_000 });
    expect(sink.state.lines).toEqual([]);
    sink.state.refuses = false;
    await vi.waitUntil(() => sink.state.lines.length >= 5, { timeout: 30_000 });
    const byId = (a: Row, b: Row): number => (a.id < b.id ? -1 : 1);
    const pushed = sink.state.lines.map((line) => JSON.parse(line) as Row).toSorted(byId);
    // A receiver may serve several zones, so pushed records name theirs.
    const rows = (await query()).rows.map((row) => ({ ...row, zone_id: "z1" }));
    expect(pushed).toEqual(rows.toSorted(byId));
  }, 60_000);

  test("D55 no record contains a secret of a request", async () => {
    expect(JSON.stringify((await query()).rows)).not.toContain("secret");
    expect(sink.state.lines.join("")).not.toContain("secret");
  });
});
