// Which canonical links redirect a crawler, and to what target (D25 to D35).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  hasVisitors,
  pageWith,
  publicOrigin,
  startGatewayHost,
  visitors,
  visitorsMissing,
  type GatewayHost,
} from "./gateway-host.ts";

describe.skipIf(!hasVisitors)(`the canonical link of a page${visitorsMissing}`, () => {
  let host: GatewayHost;
  beforeAll(async () => {
    host = await startGatewayHost();
  });
  afterAll(() => host.stop());

  /** Returns where the training crawler is sent from `target` with the page `html`; undefined if it gets the page. */
  async function follow(target: string, html: string | Buffer): Promise<string | undefined> {
    host.origin.page(target.split("?", 1)[0]!, html);
    const { status, headers, body } = await host.visit(target, visitors.train);
    if (status === 301) return headers.location;
    expect(status).toBe(200);
    expect(body).toEqual(Buffer.from(html));
    return undefined;
  }
  const head = (inside: string): string =>
    `<!doctype html><html><head>${inside}</head><body>Text</body></html>`;

  test("D25 an absolute link of the same origin redirects", async () => {
    expect(await follow("/d25", pageWith(`${publicOrigin}/e/1`))).toBe(`${publicOrigin}/e/1`);
  });

  test.each([
    ["?p=2", "/a/b?p=2"],
    ["../e/1", "/e/1"],
    ["e/1", "/a/e/1"],
    ["./", "/a/"],
  ])("D26 a relative link, %s, is resolved against the request", async (href, path) => {
    expect(await follow("/a/b?q", pageWith(href))).toBe(publicOrigin + path);
  });

  test.each([
    "https://other.example/e/1",
    "http://brief.example/e/1",
    "https://brief.example:8443/e/1",
    "//evil.example/x",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://[",
    "https://user@brief.example/e/1",
    "https://user:secret@brief.example/e/1",
  ])("D27 a link to %s does not redirect", async (href) => {
    expect(await follow("/d27", pageWith(href))).toBeUndefined();
  });

  test.each([
    ["/d28", "/d28"],
    ["/d28?x=1", "/d28?x=1"],
    ["/d28", "#part"],
    ["/d28", "/d28#part"],
    ["/d28", "https://brief.example:443/d28"],
    ["/d28", "https://BRIEF.example/d28"],
    ["/d%7e28", "/d%7E28"],
    ["/d~28", "/d%7E28"],
    ["/d28", ""],
  ])("D28 on %s, a link to %j means the page itself", async (target, href) => {
    expect(await follow(target, pageWith(href))).toBeUndefined();
  });

  test.each([
    ["/d29?x=1", "/d29"],
    ["/d29", "/d29/"],
    ["/d29", "/D29"],
  ])("D29 on %s, a link to %s means another page", async (target, href) => {
    expect(await follow(target, pageWith(href))).toBe(publicOrigin + href);
  });

  test("D30 a base element has no effect", async () => {
    expect(await follow("/a/b", head('<base href="/x/"><link rel="canonical" href="c">'))).toBe(
      `${publicOrigin}/a/c`,
    );
  });

  const link = '<link rel="canonical" href="/e/1">';
  test.each([
    ["names in any case and no quotes", "<LINK REL=Canonical HREF=/e/1>"],
    ["single quotes", "<link rel='canonical' href='/e/1'>"],
    ["several tokens in rel", '<link rel="nofollow canonical" href="/e/1">'],
    ["line breaks between attributes", '<link\n  rel="canonical"\n  href="/e/1"\n>'],
  ])("D31 a link with %s counts", async (_, inside) => {
    expect(await follow("/d31", head(inside))).toBe(`${publicOrigin}/e/1`);
  });

  test("D31 a link with a character reference in its address counts", async () => {
    expect(await follow("/d31", head('<link rel="canonical" href="/e?a=1&amp;b=2">'))).toBe(
      `${publicOrigin}/e?a=1&b=2`,
    );
  });

  test.each([
    ["after the head's end", `<!doctype html><html><head><title>T</title></head>${link}<body>`],
    ["without any head tag", `<title>T</title>${link}<p>Text`],
  ])("D31 a link %s counts", async (_, html) => {
    expect(await follow("/d31", html)).toBe(`${publicOrigin}/e/1`);
  });

  test.each([
    ["in a comment", head(`<!-- ${link} -->`)],
    ["in a script", head(`<script>${link}</script>`)],
    ["in a style", head(`<style>${link}</style>`)],
    ["in the title", head(`<title>${link}</title>`)],
    ["in a template", head(`<template>${link}</template>`)],
    ["in a noscript", head(`<noscript>${link}</noscript>`)],
    ["in an svg", head(`<svg>${link}</svg>`)],
    ["in an attribute", head(`<meta name="x" content='${link}'>`)],
    ["in the body", `<!doctype html><html><head></head><body>${link}</body></html>`],
    ["after a div in the head", head(`<div></div>${link}`)],
    ["after text in the head", head(`text${link}`)],
    ["with another word in rel", head('<link rel="canonicalx" href="/e/1">')],
    ["without an address", head('<link rel="canonical">')],
  ])("D32 a link %s does not count", async (_, html) => {
    expect(await follow("/d32", html)).toBeUndefined();
  });

  test("D33 the first link with an href decides, even if it is invalid", async () => {
    const second = '<link rel="canonical" href="/e/2">';
    expect(await follow("/d33", head(`<link rel="canonical">${link}${second}`))).toBe(`${publicOrigin}/e/1`);
    const foreign = '<link rel="canonical" href="https://other.example/">';
    expect(await follow("/d33", head(foreign + second))).toBeUndefined();
  });

  test("D34 only a link element counts", async () => {
    const inside = '<meta property="og:url" content="/e/1"><meta http-equiv="refresh" content="9;url=/e/1">';
    host.origin.page("/d34", head(inside), { Link: `<${publicOrigin}/e/1>; rel="canonical"` });
    expect((await host.visit("/d34", visitors.train)).status).toBe(200);
  });

  test.each([
    ["/e\t/\n1", "/e/1"],
    ["/e%0d%0aSet-Cookie:x", "/e%0d%0aSet-Cookie:x"],
    ["/e&#13;&#10;X-Bad: 1", "/eX-Bad:%201"],
    ["/é ü", "/%C3%A9%20%C3%BC"],
  ])("D35 the target %j becomes one clean line", async (href, path) => {
    expect(await follow("/d35", pageWith(href))).toBe(publicOrigin + path);
  });
});
