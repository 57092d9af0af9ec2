// A host with the gateway in front of a scripted origin, and its visitors: curl from a separate address for each
// crawler of the test's directory.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, curl, hasCurl, type Answer } from "../support/curl.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";
import { createPlatformToken } from "../support/platform-token.ts";
import { startScriptedOrigin, type ScriptedOrigin } from "../../electron/support/scripted-origin.ts";

/** Every address of 127.0.0.0/8 belongs to this machine, on Linux by default. */
export const hasVisitors = hasCurl && process.platform === "linux";
/** The note of a skipped test. */
export const visitorsMissing = hasVisitors
  ? ""
  : " (needs curl and Linux, whose loopback has many addresses)";

export const publicOrigin = "https://brief.example";

export interface Visitor {
  readonly address: string;
  readonly agent: string;
}

export const visitors = {
  browser: { address: "127.0.0.1", agent: "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0" },
  train: {
    address: "127.0.0.2",
    agent: "Mozilla/5.0 (compatible; TrainBot/1.2; +https://train.example/bot)",
  },
  assist: { address: "127.0.0.3", agent: "AssistBot/2.0" },
  search: { address: "127.0.0.4", agent: "SearchAIBot/1.0" },
  index: { address: "127.0.0.5", agent: "IndexBot/1.0" },
} as const satisfies Readonly<Record<string, Visitor>>;

const bot = (name: string, category: string, ranges: readonly string[]) => ({
  name,
  operator: `${name} operator`,
  category,
  user_agents: [name],
  ranges,
  dns_suffixes: [] as readonly string[],
  signature_agents: [] as readonly unknown[],
});
export type Bot = ReturnType<typeof bot>;

export const bots: readonly Bot[] = [
  bot("TrainBot", "AI Crawler", ["127.0.0.2/32"]),
  bot("AssistBot", "AI Assistant", ["127.0.0.3/32"]),
  bot("SearchAIBot", "AI Search", ["127.0.0.4/32"]),
  bot("IndexBot", "Search Engine", ["127.0.0.5/32"]),
];

export interface GatewayHostOptions {
  /** Overrides of the first zone. */
  readonly zone?: Readonly<Record<string, unknown>>;
  readonly moreZones?: readonly Readonly<Record<string, unknown>>[];
  /** Other keys of `gateway` than port, bots and zones. */
  readonly gateway?: Readonly<Record<string, unknown>>;
  readonly bots?: readonly Bot[];
  /** Turns the feature on first; true by default. */
  readonly isOn?: boolean;
}

export interface VisitOptions extends Partial<Visitor> {
  readonly host?: string;
  /** Further arguments of curl. */
  readonly args?: readonly string[];
}

export interface GatewayHost {
  readonly folder: string;
  readonly data: string;
  readonly origin: ScriptedOrigin;
  readonly edit: string;
  readonly read: string;
  /** `…/client/v4/zones/z1` */
  readonly zone: string;
  readonly api: () => string;
  readonly gateway: () => string;
  readonly host: () => RunningHost;
  readonly visit: (target: string, visitor?: VisitOptions) => Promise<Answer>;
  readonly setFeature: (value: "on" | "off") => Promise<void>;
  readonly putRules: (rules: readonly Readonly<Record<string, unknown>>[]) => Promise<void>;
  readonly writeBots: (bots: readonly Bot[]) => void;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startGatewayHost(options: GatewayHostOptions = {}): Promise<GatewayHost> {
  const folder = makeTemporaryDirectory("gateway");
  const data = join(folder, "data");
  const config = join(folder, "echotop.json");
  const origin = await startScriptedOrigin();
  const writeBots = (entries: readonly Bot[]): void => {
    const file = { schema_version: 1, updated_at: "2026-11-19T00:00:00Z", bots: entries };
    writeFileSync(join(folder, "bots.json"), JSON.stringify(file));
  };
  writeBots(options.bots ?? bots);
  writeFileSync(config, JSON.stringify(toConfigFile(origin, options)));
  const serve = (): Promise<RunningHost> => startHost(data, ["--config", config]);
  let host = await serve();
  const [edit, read] = await Promise.all([
    createPlatformToken(data, "zone-settings:edit"),
    createPlatformToken(data, "zone-settings:read"),
  ]);
  const zone = (): string => `${host.api!}/client/v4/zones/z1`;
  const mustBeTaken = async (path: string, method: string, json: unknown): Promise<void> => {
    const { status, envelope } = await call(`${zone()}${path}`, { token: edit, method, json });
    if (status !== 200)
      throw new Error(`${method} ${path} gave ${status}: ${JSON.stringify(envelope.errors)}`);
  };
  const setFeature = (value: "on" | "off"): Promise<void> =>
    mustBeTaken("/settings/redirects_for_ai_training", "PATCH", { value });
  if (options.isOn ?? true) await setFeature("on");
  return {
    folder,
    data,
    origin,
    edit,
    read,
    get zone() {
      return zone();
    },
    api: () => host.api!,
    gateway: () => host.gateway!,
    host: () => host,
    visit: (target, { address = "127.0.0.1", agent = "", host: name = "brief.example", args = [] } = {}) =>
      curl(`${host.gateway!}${target}`, [
        ...["--interface", address, "-A", agent, "-H", `Host: ${name}`],
        ...args,
      ]),
    setFeature,
    putRules: (rules) => mustBeTaken(rulesPath, "PUT", { rules }),
    writeBots,
    async restart() {
      await host.stop();
      host = await serve();
    },
    async stop() {
      await host.stop();
      await origin.stop();
      removeDirectory(folder);
    },
  };
}

export const rulesPath = "/rulesets/phases/http_config_settings/entrypoint";

export const rule = (expression: string, value = true, more: Readonly<Record<string, unknown>> = {}) => ({
  expression,
  action: "set_config",
  action_parameters: { redirects_for_ai_training: value },
  description: "a rule of the test",
  ...more,
});

function toConfigFile(origin: ScriptedOrigin, { zone, moreZones = [], gateway }: GatewayHostOptions) {
  return {
    compatibility_date: "2026-11-20",
    repositories: { port: 0 },
    gateway: {
      port: 0,
      bots: "bots.json",
      ...gateway,
      zones: [
        {
          id: "z1",
          hosts: ["brief.example", "docs.brief.example"],
          public_origin: publicOrigin,
          plan: "pro",
          custom_metadata: true,
          origin: origin.url,
          custom_hostnames: [
            { id: "ch1", hostname: "weather.customer.example" },
            { id: "ch2", hostname: "radar.customer.example" },
            { id: "wild", hostname: "*.wild.example" },
          ],
          ...zone,
        },
        ...moreZones.map((more) => ({ public_origin: publicOrigin, origin: origin.url, ...more })),
      ],
    },
  };
}

/** Returns a page with a canonical link. */
export const pageWith = (canonical: string): string =>
  `<!doctype html><html lang="en"><head><title>A page</title><link rel="canonical" href="${canonical}"></head><body><p>Text.</p></body></html>`;
