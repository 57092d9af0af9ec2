// Explanations: they end as the request itself would, in sentences.
import { describe, expect, onTestFinished, test } from "vitest";
import { startScriptedOrigin } from "../../../support/scripted-origin.ts";
import type { Explanation } from "../../../../shared/contract/briefings.ts";
import { startRawOrigin } from "../support/raw-origin.ts";
import {
  agents,
  head,
  startTestGateway,
  statusOf,
  testRule,
  type TestGatewayOptions,
} from "../support/test-gateway.ts";

const pageWith = (canonical: string): string =>
  `<head><link rel="canonical" href="${canonical}"></head><body>`;
const address = "192.0.2.1";

async function startDesk(options: TestGatewayOptions = {}) {
  const origin = await startScriptedOrigin();
  onTestFinished(() => origin.stop());
  const running = await startTestGateway({ kind: "http", url: origin.url }, options);
  const explain = (
    path: string,
    userAgent: string = agents.train,
    more: { readonly referer?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Explanation> =>
    running.gateway.explain({ url: `https://brief.example${path}`, userAgent, address, ...more });
  return { origin, running, explain };
}

const last = ({ steps }: Explanation): string => `${steps.at(-1)!.name}: ${steps.at(-1)!.text}`;

test("a redirect is explained from the zone to the target, and is not recorded", async () => {
  const { origin, running, explain } = await startDesk();
  origin.page("/r/1", pageWith("/e/1"));
  const explained = await explain("/r/1?a=b");
  expect(explained).toMatchObject({
    zoneId: "z1",
    reason: "redirected",
    status: 301,
    target: "https://brief.example/e/1",
  });
  expect(explained.steps.map(({ name, outcome }) => [name, outcome])).toEqual([
    ["Zone", "passed"],
    ["Redirects", "passed"],
    ["Crawler redirects", "passed"],
    ["Visitor", "passed"],
    ["Origin", "passed"],
    ["Canonical link", "passed"],
    ["Redirect", "decided"],
  ]);
  for (const { text } of explained.steps) expect(text).toMatch(/^[A-Z"].*\.$/i);
  expect(running.records).toHaveLength(0);
  const { target, rawHeaders } = origin.seen("/r/1")[0]!;
  expect([target, rawHeaders[rawHeaders.indexOf("X-Forwarded-For") + 1]]).toEqual(["/r/1?a=b", address]);
});

test("a very long address is shortened, and its control characters are replaced", async () => {
  const { origin, explain } = await startDesk();
  origin.page("/long", pageWith(`https://other.example/\u001b[31m${"x".repeat(100_000)}`));
  const told = last(await explain("/long"));
  expect(told).toMatch(/^Canonical link: .*"https:\/\/other\.example\/\uFFFD\[31mx+…".*another origin/);
  expect(told.length).toBeLessThan(500);
});

test.each([
  ["/self", agents.train, "canonical_self", 200, /^Canonical link: .*this page itself/],
  ["/away", agents.train, "canonical_cross_origin", 200, /^Canonical link: .*another origin/],
  ["/plain", agents.train, "content_type", 200, /^Origin: .*text\/plain/],
  ["/none", agents.train, "status", 404, /^Origin: .*404/],
  ["/r/1", "Mozilla/5.0", "bot_unverified", 200, /^Visitor: The visitor matches no crawler/],
  ["/none", "Mozilla/5.0", "bot_unverified", 404, /^Visitor: /],
  ["/r/1", agents.unsure, "bot_unknown", 200, /^Visitor: .*UnsureBot.*not published/],
  ["/r/1", agents.search, "bot_category", 200, /^Visitor: .*AI Search/],
] as const)("%s for %s ends with %s", async (path, agent, reason, status, words) => {
  const { origin, running, explain } = await startDesk();
  origin.page("/r/1", pageWith("/e/1"));
  origin.page("/self", pageWith("/self"));
  origin.page("/away", pageWith("https://other.example/"));
  origin.page("/plain", pageWith("/e/1"), { "Content-Type": "text/plain" });
  const explained = await explain(path, agent);
  expect(explained).toMatchObject({ reason, status, target: null });
  expect(last(explained)).toMatch(words);
  // The real request ends the same way.
  expect(statusOf(await running.send(head(`GET ${path}`, `User-Agent: ${agent}`)))).toBe(status);
  expect(running.records).toMatchObject([{ reason, status }]);
});

test("rules, loops and redirects of the zone are named", async () => {
  const bulkRedirects = [
    { sourceUrl: "brief.example/old", targetUrl: "https://brief.example/new", statusCode: 302 as const },
  ];
  const { origin, running, explain } = await startDesk({ zone: { bulkRedirects } });
  origin.page("/r/1", pageWith("/e/1"));
  expect(last(await explain("/r/1", agents.train, { referer: "https://brief.example/e/1" }))).toMatch(
    /^Loop: /,
  );
  const redirected = await explain("/old");
  expect(redirected).toMatchObject({ reason: "bulk_redirect", status: 302, target: null });
  expect(last(redirected)).toMatch(/^Bulk redirects: .*https:\/\/brief\.example\/new/);
  expect(origin.seen("/old")).toHaveLength(0);
  Object.assign(running.settings, {
    rules: [testRule("/r", false, { description: "Not the revisions" })],
    revision: 2,
  });
  expect(last(await explain("/r/1"))).toMatch(
    /^Crawler redirects: The rule "Not the revisions" turns .* off/,
  );
});

test("an origin that is down is explained", async () => {
  const origin = await startRawOrigin((socket) => socket.destroy());
  const { gateway } = await startTestGateway({ kind: "http", url: origin.url });
  const explained = await gateway.explain({
    url: "https://brief.example/",
    userAgent: agents.train,
    address,
  });
  expect(explained).toMatchObject({ reason: "origin_unreachable", status: 502, target: null });
  expect(last(explained)).toMatch(/^Origin: /);
});

test("only the needed part of a page is fetched", async () => {
  const closed = Promise.withResolvers<undefined>();
  const origin = await startRawOrigin((socket) => {
    socket.once("close", () => {
      closed.resolve(undefined);
    });
    socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000000\r\n\r\n<body>");
  });
  const { gateway } = await startTestGateway({ kind: "http", url: origin.url });
  await gateway.explain({ url: "https://brief.example/", userAgent: "Mozilla/5.0", address });
  await closed.promise;
});

describe("an invalid request", () => {
  test.each([
    ["not-found", { url: "https://other.example/" }],
    ["invalid-input", { url: "/r/1" }],
    ["invalid-input", { url: "ftp://brief.example/" }],
    ["invalid-input", { address: "here" }],
    ["invalid-input", { userAgent: "a\nb" }],
    ["invalid-input", { headers: { "a b": "c" } }],
    ["invalid-input", { headers: { "Content-Length": "3" } }],
  ])("is %s: %j", async (code, more) => {
    const { running } = await startDesk();
    const asked = { url: "https://brief.example/", userAgent: "", address, ...more };
    await expect(running.gateway.explain(asked)).rejects.toMatchObject({ code });
  });
});
