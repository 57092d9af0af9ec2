// A briefing behind the gateway: crawlers are redirected to the event's page, all other visitors get the requested page
// (D60).
import { join } from "node:path";
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../electron/support/host-process.ts";
import { ingestWindows } from "../support/storm-files.ts";
import {
  hasVisitors,
  publicOrigin,
  startGatewayHost,
  visitors,
  visitorsMissing,
  type GatewayHost,
} from "./gateway-host.ts";

const event = "plains";

describe.skipIf(!hasVisitors)(`a briefing behind the gateway${visitorsMissing}`, () => {
  let host: GatewayHost;
  beforeAll(async () => {
    host = await startGatewayHost({ zone: { origin: "briefings" } });
    await ingestWindows(host.data, event, { first: 0, count: 2 });
  }, 60_000);
  afterAll(() => host.stop());

  test("D60 a published briefing is served to people and redirects crawlers to one page", async () => {
    const command = ["brief", event, "--data", host.data, "--base", `${publicOrigin}/`];
    const { status, lines, stderr } = await runCommand(command);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining("rror")]);
    const published = lines.at(-1)!;
    expect(published).toMatchObject({ event, url: `${publicOrigin}/${event}/` });
    expect(String(published.page)).toBe(join(host.data, "briefings", event, "index.html"));

    const page = await host.visit(`/${event}/`, visitors.browser);
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(canonicalsOf(page.body)).toEqual([`${publicOrigin}/${event}/`]);
    expect((await host.visit(`/${event}/`, visitors.train)).status).toBe(200);

    const revisionPages = linksOf(page.body)
      .map((href) => new URL(href, `${publicOrigin}/${event}/`).pathname)
      .filter((path) => path.startsWith(`/${event}/r/`));
    expect(new Set(revisionPages).size).toBe(2);
    for (const path of new Set(revisionPages)) {
      const read = await host.visit(path, visitors.browser);
      expect(read.status).toBe(200);
      expect(canonicalsOf(read.body)).toEqual([`${publicOrigin}/${event}/`]);
      const sent = await host.visit(path, visitors.train);
      expect([sent.status, sent.headers.location]).toEqual([301, `${publicOrigin}/${event}/`]);
    }
    const again = (await runCommand(command)).lines.at(-1)!;
    expect(again).toMatchObject({ written: 0, removed: 0 });
  }, 120_000);

  test("D60 a folder without a slash is redirected, and a missing page is 404", async () => {
    const bare = await host.visit(`/${event}`, visitors.browser);
    expect([301, 308]).toContain(bare.status);
    expect(bare.headers.location).toMatch(/\/plains\/$/);
    for (const path of ["/none/", "/../../echotop.json", "/%2e%2e/catalog.sqlite", `/${event}/.`]) {
      expect([301, 308, 400, 404]).toContain((await host.visit(path, visitors.browser)).status);
    }
  });
});

type Node = DefaultTreeAdapterTypes.ChildNode;

function attributesOf(html: Buffer, name: string): readonly Readonly<Record<string, string>>[] {
  const found: Record<string, string>[] = [];
  const look = (node: Node): void => {
    if ("tagName" in node && node.tagName === name) {
      found.push(Object.fromEntries(node.attrs.map((attribute) => [attribute.name, attribute.value])));
    }
    if ("childNodes" in node) node.childNodes.forEach(look);
  };
  parse(html.toString("utf8")).childNodes.forEach(look);
  return found;
}

const canonicalsOf = (html: Buffer): (string | undefined)[] =>
  attributesOf(html, "link")
    .filter(({ rel }) => rel === "canonical")
    .map(({ href }) => href);

const linksOf = (html: Buffer): string[] =>
  attributesOf(html, "a").flatMap(({ href }) => (href === undefined ? [] : [href]));
