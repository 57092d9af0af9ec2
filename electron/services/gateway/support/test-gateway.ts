// A running gateway whose settings and crawlers are the test's own; ended with the test.
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { trainingCategory, type CrawlerVerdict } from "../crawlers/crawler-verdict.ts";
import type { Gateway } from "../gateway.ts";
import type { RequestRecord } from "../log/request-record.ts";
import type { ConfigRule } from "../settings/zone-settings.ts";
import type { Zone, ZoneOrigin } from "../zone.ts";
import { createGateway } from "../create-gateway.ts";
import type { ProxyTimeouts } from "../gateway-limits.ts";

export const publicOrigin = "https://brief.example";

export const testZone = (origin: ZoneOrigin, more: Partial<Zone> = {}): Zone => ({
  id: "z1",
  hosts: ["brief.example", "docs.brief.example"],
  publicOrigin,
  plan: "pro",
  customMetadata: true,
  origin,
  customHostnames: [
    { id: "ch1", hostname: "weather.customer.example" },
    { id: "wild", hostname: "*.wild.example" },
  ],
  singleRedirects: [],
  bulkRedirects: [],
  ...more,
});

/** User agents of the test's directory; all others are unknown. */
export const agents = { train: "TrainBot/1", search: "SearchBot/1", unsure: "UnsureBot/1" } as const;

const verified = (name: string, category: string): CrawlerVerdict => ({
  status: "verified",
  name,
  operator: "An operator",
  category,
  proof: "ranges",
});

const verdicts: Readonly<Record<string, CrawlerVerdict>> = {
  [agents.train]: verified("TrainBot", trainingCategory),
  [agents.search]: verified("SearchBot", "AI Search"),
  [agents.unsure]: { status: "unknown", claimed: "UnsureBot", why: "Its addresses are not published." },
};

export const testCrawlers = {
  mayBeCrawler: ({ userAgent }: { readonly userAgent: string }) => Object.hasOwn(verdicts, userAgent),
  verify: ({ userAgent }: { readonly userAgent: string }) => Promise.resolve(verdicts[userAgent]!),
};

export interface TestSettings {
  value: "on" | "off";
  rules: readonly ConfigRule[];
  revision: number;
}

export const createTestSettings = (state: TestSettings) => ({
  setting: () => ({ value: state.value, modifiedOn: null }),
  ruleset: () => ({ id: "r", version: "1", lastUpdated: "", rules: state.rules }),
  metadata: (_zone: string, hostname: string) => (hostname === "ch1" ? { plan: "gold" } : undefined),
  revision: () => state.revision,
});

export interface TestGateway {
  readonly gateway: Gateway;
  readonly port: number;
  readonly records: readonly RequestRecord[];
  readonly settings: TestSettings;
  /** Returns what arrives until the connection closes, latin1. The request should ask for closing. */
  readonly send: (text: string) => Promise<string>;
  readonly open: (text?: string) => OpenSocket;
}

export interface OpenSocket {
  readonly socket: Socket;
  /** Latin1. */
  readonly received: () => string;
  /** Resolves when the socket is closed, for any reason. */
  readonly closed: Promise<undefined>;
}

export interface TestGatewayOptions {
  readonly zone?: Partial<Zone>;
  readonly timeouts?: Partial<ProxyTimeouts>;
  readonly trustedProxies?: readonly string[];
}

export async function startTestGateway(
  origin: ZoneOrigin,
  { zone, timeouts = {}, trustedProxies = [] }: TestGatewayOptions = {},
): Promise<TestGateway> {
  const records: RequestRecord[] = [];
  const settings: TestSettings = { value: "on", rules: [], revision: 1 };
  const gateway = createGateway({
    zones: [testZone(origin, zone)],
    trustedProxies,
    settings: createTestSettings(settings),
    log: { append: (record) => void records.push(record) },
    crawlers: testCrawlers,
    now: () => new Date(),
    report: (_level, message, facts) => {
      throw new Error(`${message} ${String(facts?.error)}`);
    },
    timeouts,
  });
  onTestFinished(() => gateway.close());
  const { port } = await gateway.listen({ port: 0 });
  const open = (text?: string): OpenSocket => openSocket(port, text);
  return {
    gateway,
    port,
    records,
    settings,
    open,
    async send(text) {
      const { closed, received } = open(text);
      await closed;
      return received();
    },
  };
}

export function openSocket(port: number, text?: string, from?: string): OpenSocket {
  const socket = connect({ port, host: "127.0.0.1", ...(from !== undefined && { localAddress: from }) });
  let received = "";
  socket.on("data", (piece: Buffer) => (received += piece.toString("latin1")));
  socket.on("error", () => {
    // `close` follows.
  });
  if (text !== undefined) socket.write(Buffer.from(text, "latin1"));
  const { promise, resolve } = Promise.withResolvers<undefined>();
  socket.once("close", () => {
    resolve(undefined);
  });
  return { socket, received: () => received, closed: promise };
}

/** The expression for a path's prefix; "bot" asks for verified visitors, and "fault" does not compile. */
function toExpression(text: string): string {
  if (text === "fault") return text;
  return text === "bot" ? "cf.client.bot" : `starts_with(http.request.uri.path, "${text}")`;
}

export const testRule = (expression: string, isOn: boolean, more: Partial<ConfigRule> = {}): ConfigRule => ({
  id: expression,
  version: "1",
  ref: expression,
  expression: toExpression(expression),
  description: "",
  enabled: true,
  redirectsForAiTraining: isOn,
  lastUpdated: "",
  ...more,
});

/** Returns a request's head, with `Connection: close`. */
export const head = (line: string, ...headers: readonly string[]): string =>
  `${line} HTTP/1.1\r\n${["Host: brief.example", ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`;

export const statusOf = (answer: string): number => Number(answer.slice(9, 12));

/** Returns status line, headers and body as received, without hop-by-hop headers, chunks joined. */
export function withoutHop(answer: string): string {
  const end = answer.indexOf("\r\n\r\n");
  const lines = answer.slice(0, end).split("\r\n");
  const isChunked = lines.some((line) => /^transfer-encoding: chunked$/i.test(line));
  const kept = lines.filter((line) => !/^(?:connection|keep-alive|transfer-encoding):/i.test(line));
  const body = answer.slice(end + 4);
  return `${kept.join("\r\n")}\r\n\r\n${isChunked ? unchunk(body) : body}`;
}

function unchunk(text: string): string {
  let rest = text;
  let body = "";
  for (;;) {
    const line = rest.indexOf("\r\n");
    const length = Number.parseInt(rest.slice(0, line), 16);
    if (line < 0 || length === 0 || Number.isNaN(length)) return body;
    body += rest.slice(line + 2, line + 2 + length);
    rest = rest.slice(line + 4 + length);
  }
}
