// Both sides of the gateway rows: an nginx origin with files, and in front of it our host with its gateway, and another
// nginx with the same keep-alive settings. Absent if nginx is not installed.
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startHost, type RunningHost } from "../../../electron/support/host-process.ts";
import { createPlatformToken } from "../../support/platform-token.ts";
import type { Target } from "../http/load.ts";
import { startNginx, startNginxWith, type RunningNginx } from "../../support/nginx.ts";

export const hugeBytes = 1024 * 1024 * 1024;
const headBytes = 20 * 1024;
const bodyBytes = 4 * 1024;

const host = "brief.example";
export const crawlerAgent = "Mozilla/5.0 (compatible; TrainBot/1.0)";
const browserAgent = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0";

export interface GatewayDesk {
  readonly host: RunningHost;
  /** The page at each of the three servers, requested by a browser and by a verified crawler. */
  readonly gateway: { readonly browser: Target; readonly crawler: Target };
  readonly nginx: { readonly browser: Target; readonly crawler: Target };
  readonly origin: Target;
  readonly hugeUrl: string;
  readonly hostHeader: string;
  readonly stop: () => Promise<void>;
}

export async function startGatewayDesk(directory: string): Promise<GatewayDesk | undefined> {
  const root = join(directory, "root");
  mkdirSync(root);
  writeFileSync(join(root, "page.html"), makePage());
  writeFileSync(join(root, "huge.bin"), "");
  // Makes a sparse file where the file system supports it.
  truncateSync(join(root, "huge.bin"), hugeBytes);
  const origin = await startNginx(root, join(directory, "origin"));
  if (!origin) return undefined;
  const stops: (() => Promise<unknown>)[] = [() => origin.stop()];
  const stop = async (): Promise<void> => {
    for (const end of stops) await end();
  };
  try {
    const proxy = await startNginxProxy(origin, join(directory, "proxy"));
    stops.unshift(() => proxy.stop());
    const running = await startGatewayHost(directory, origin);
    stops.unshift(() => running.stop());
    const port = Number(new URL(running.gateway!).port);
    return {
      host: running,
      gateway: { browser: toTarget(port, browserAgent, 200), crawler: toTarget(port, crawlerAgent, 301) },
      nginx: {
        browser: toTarget(proxy.port, browserAgent, 200),
        crawler: toTarget(proxy.port, crawlerAgent, 200),
      },
      origin: toTarget(origin.port, browserAgent, 200),
      hugeUrl: `${running.gateway!}/huge.bin`,
      hostHeader: host,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const toTarget = (port: number, agent: string, status: number): Target => ({
  port,
  path: "/page.html",
  headers: { host, "user-agent": agent, accept: "text/html", "accept-language": "en" },
  status,
});

/** Returns a page whose canonical link comes last in the head, so that the whole head must be read. */
function makePage(): string {
  const front = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Revision 1</title><style>';
  const back = '</style><link rel="canonical" href="/event.html"></head><body><p>';
  const rule = ".frame-0 > figcaption { color: #123456; margin: 0 1rem; }\n";
  const style = rule
    .repeat(Math.ceil(headBytes / rule.length))
    .slice(0, headBytes - front.length - back.length);
  return `${front}${style}${back}${"Text. ".repeat(bodyBytes / 6)}</p></body></html>`;
}

async function startNginxProxy(origin: RunningNginx, directory: string): Promise<RunningNginx> {
  const block = `location / {
    proxy_pass http://origin;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto https;
  }`;
  const upstream = `upstream origin { server 127.0.0.1:${origin.port}; keepalive 64; keepalive_requests 10000000; }`;
  return (await startNginxWith(block, directory, upstream))!;
}

async function startGatewayHost(directory: string, origin: RunningNginx): Promise<RunningHost> {
  const config = join(directory, "echotop.json");
  const data = join(directory, "data");
  const bot = { name: "TrainBot", operator: "Benchmark", category: "AI Crawler", user_agents: ["TrainBot"] };
  const bots = [{ ...bot, ranges: ["127.0.0.1/32"], dns_suffixes: [], signature_agents: [] }];
  writeFileSync(
    join(directory, "bots.json"),
    JSON.stringify({ schema_version: 1, updated_at: new Date().toISOString(), bots }),
  );
  const zone = { id: "z1", hosts: [host], public_origin: `https://${host}`, plan: "pro" };
  writeFileSync(
    config,
    JSON.stringify({
      compatibility_date: "2026-11-20",
      repositories: { port: 0 },
      gateway: {
        port: 0,
        bots: "bots.json",
        zones: [{ ...zone, origin: `http://127.0.0.1:${origin.port}` }],
      },
    }),
  );
  const running = await startHost(data, ["--config", config]);
  const token = await createPlatformToken(data, "zone-settings:edit");
  const { status } = await fetch(`${running.api!}/client/v4/zones/z1/settings/redirects_for_ai_training`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ value: "on" }),
  });
  if (status !== 200) throw new Error(`The feature was not turned on: status ${status}.`);
  return running;
}
