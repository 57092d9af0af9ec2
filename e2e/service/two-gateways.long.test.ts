// Two gateways of one service: tokens, settings and log are in its database, which goes away and comes back.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, postgresNeeds } from "../../electron/support/engines/postgres-programs.ts";
import { startHost, type RunningHost } from "../../electron/support/host-process.ts";
import { startScriptedOrigin, type ScriptedOrigin } from "../../electron/support/scripted-origin.ts";
import { bots, hasVisitors, visitors, visitorsMissing } from "../gateway/gateway-host.ts";
import { useService } from "./service-trial.ts";

interface Envelope {
  readonly result: unknown;
  readonly errors: readonly { readonly message: string }[];
}

const feature = "/settings/redirects_for_ai_training";
const page = '<!doctype html><head><link rel="canonical" href="/e/1"></head>';

describe.skipIf(!hasPostgres || !hasVisitors)(
  `two gateways of a service${postgresNeeds}${visitorsMissing}`,
  () => {
    const service = useService();
    let origin: ScriptedOrigin;
    let secret: string;
    const gateways: RunningHost[] = [];

    beforeAll(async () => {
      const { folder, run, writeConfig } = service();
      origin = await startScriptedOrigin();
      origin.page("/r/1", page);
      const file = { schema_version: 1, updated_at: new Date().toISOString(), bots };
      writeFileSync(join(folder, "bots.json"), JSON.stringify(file));
      await run("migrate");
      const made = await run("token", "create", "--permission", "zone-settings:edit");
      secret = (made.lines[0] as { plaintext: string }).plaintext;
      const zone = { id: "z1", hosts: ["brief.example"], public_origin: "https://brief.example" };
      const config = writeConfig("gateway", {
        roles: ["gateway"],
        repositories: { port: 0 },
        gateway: { port: 0, bots: "bots.json", zones: [{ ...zone, origin: origin.url }] },
        admin: { port: 0 },
      });
      for (const name of ["a", "b"]) gateways.push(await startHost(join(folder, name), ["--config", config]));
    });
    afterAll(async () => {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await origin.stop();
    });

    /** Asks the control plane of a gateway about the zone. */
    async function ask(gateway: RunningHost, method: string, path: string, body?: unknown) {
      const response = await fetch(`${gateway.api!}/client/v4/zones/z1${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const envelope = (await response.json()) as Envelope;
      return { status: response.status, retryAfter: response.headers.get("retry-after"), ...envelope };
    }

    /** Returns the status that a training crawler gets. */
    async function crawl({ gateway }: RunningHost): Promise<number> {
      const { address, agent } = visitors.train;
      const headers = { host: "brief.example", "user-agent": agent };
      const asked = request(`${gateway!}/r/1`, { headers, localAddress: address, agent: false }).end();
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      answer.resume();
      return answer.statusCode!;
    }

    async function readMetric({ admin }: RunningHost, name: string): Promise<number> {
      const text = await (await fetch(`${admin!}/metrics`)).text();
      return Number(new RegExp(`^echotop_gateway_${name} (\\d+)$`, "m").exec(text)?.[1]);
    }

    test("what is set at one is in effect at the other, and read there at once", async () => {
      const [a, b] = gateways as [RunningHost, RunningHost];
      expect([await crawl(a), await crawl(b)]).toEqual([200, 200]);
      const set = await ask(a, "PATCH", feature, { value: "on" });
      expect(set).toMatchObject({ status: 200, result: { value: "on" } });
      expect((await ask(b, "GET", feature)).result).toEqual(set.result);
      expect([await crawl(a), await crawl(b)]).toEqual([301, 301]);
      expect((await ask(b, "GET", "/audit")).result).toMatchObject([{ action: "setting", after: "on" }]);
    });

    test("each reads the requests of both", async () => {
      const [a, b] = gateways as [RunningHost, RunningHost];
      const list = async (gateway: RunningHost): Promise<number> =>
        ((await ask(gateway, "GET", "/http_requests")).result as unknown[]).length;
      await expect.poll(async () => [await list(a), await list(b)], { timeout: 10_000 }).toEqual([4, 4]);
    });

    test("a token is revoked at both", async () => {
      const { run } = service();
      const made = await run("token", "create", "--permission", "zone-settings:read");
      const { id, plaintext } = made.lines[0] as { id: string; plaintext: string };
      const statuses = () =>
        Promise.all(
          gateways.map(async ({ api }) => {
            const headers = { authorization: `Bearer ${plaintext}` };
            return (await fetch(`${api!}/client/v4/zones/z1${feature}`, { headers })).status;
          }),
        );
      expect(await statuses()).toEqual([200, 200]);
      expect((await run("token", "revoke", id)).status).toBe(0);
      expect(await statuses()).toEqual([401, 401]);
      expect((await run("token", "list")).lines).toMatchObject([
        { state: "active" },
        { id, state: "revoked" },
      ]);
    });

    test("without the database, redirects go on, the control plane says when to ask again, and metrics tell", async () => {
      const [a, b] = gateways as [RunningHost, RunningHost];
      await service().server.kill();
      expect([await crawl(a), await crawl(b)]).toEqual([301, 301]);
      const refused = {
        status: 503,
        retryAfter: "5",
        errors: [{ message: "The database of the service cannot be reached at the moment." }],
      };
      expect(await ask(a, "GET", feature)).toMatchObject(refused);
      expect(await ask(b, "PATCH", feature, { value: "off" })).toMatchObject(refused);
      for (const gateway of gateways) {
        await expect.poll(() => readMetric(gateway, "settings_up"), { timeout: 15_000 }).toBe(0);
        expect(await readMetric(gateway, "records_waiting")).toBeGreaterThan(0);
      }
      await service().server.start();
      for (const gateway of gateways)
        await expect.poll(() => readMetric(gateway, "settings_up"), { timeout: 15_000 }).toBe(1);
      expect((await ask(b, "PATCH", feature, { value: "off" })).status).toBe(200);
      await expect.poll(() => crawl(a), { timeout: 10_000 }).toBe(200);
      for (const gateway of gateways) {
        await expect.poll(() => readMetric(gateway, "records_waiting"), { timeout: 15_000 }).toBe(0);
        expect(await readMetric(gateway, "records_lost")).toBe(0);
      }
    });
  },
);
