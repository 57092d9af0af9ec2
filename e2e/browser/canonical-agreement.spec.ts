// The gateway and a real browser find the same canonical link, in pages that combine misleading HTML.
//
// The browser's answer is `document.querySelector` on its parsed head. The first canonical link with an `href`
// counts. The contents of a template belong to no document. The contents of `noscript` in the head are ignored: a
// browser with scripts enabled, as here, parses them as text, while a DOMParser would parse them as elements.
import { expect, test, type Page } from "@playwright/test";
import type { CanonicalFinding } from "../../electron/services/gateway/canonical/head-tree.ts";
import { createCanonicalFinder } from "../../electron/services/gateway/canonical/canonical-finder.ts";
import { resolveCanonical } from "../../electron/services/gateway/canonical/resolve-canonical.ts";
import { needsDirectory } from "../support/station.ts";
import { cutAtRandom, generateHead } from "../../electron/services/gateway/support/generated-heads.ts";

needsDirectory("Pages of other sites, without a service.");

const seeds = Array.from({ length: 260 }, (_, at) => 20_261_121 + at);
const selector = 'link[rel~="canonical" i][href]';
const contentType = "text/html; charset=utf-8";

function findOurs(pieces: readonly Uint8Array[], type: string): CanonicalFinding {
  const finder = createCanonicalFinder({ contentType: type });
  for (const piece of pieces) finder.write(piece);
  return finder.end();
}

/** Returns the `href` of each page's canonical link in the browser, as written; undefined if it has none. */
async function findTheirs(page: Page, pages: readonly string[]): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for (const text of pages) {
    await page.setContent(text, { waitUntil: "commit" });
    found.push(
      await page.evaluate(
        (sought) => document.head.querySelector(sought)?.getAttribute("href") ?? undefined,
        selector,
      ),
    );
  }
  return found;
}

test("misleading heads have the same canonical link here and in the browser, whole and in pieces", async ({
  page,
}) => {
  const pages = seeds.map(generateHead);
  expect(new Set(pages).size).toBeGreaterThan(240);
  const theirs = await findTheirs(page, pages);
  const found = theirs.filter((href) => href !== undefined);
  // Enough of each kind to catch a finder that always gives the same answer.
  expect(found.length).toBeGreaterThan(80);
  expect(theirs.length - found.length).toBeGreaterThan(30);

  for (const [at, text] of pages.entries()) {
    const href = theirs[at];
    const expected = href === undefined ? { kind: "none" } : { kind: "found", href };
    const bytes = Buffer.from(text);
    expect(findOurs([bytes], contentType), text).toEqual(expected);
    for (let cut = 0; cut < 3; cut++) {
      const pieces = cutAtRandom(new Uint8Array(bytes), at * 3 + cut);
      expect(findOurs(pieces, contentType), `${text} (cut ${cut})`).toEqual(expected);
    }
  }
});

interface ServedPage {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const japanese = { utf8: "/日本?q=é", shiftJis: [0x2f, 0x93, 0xfa, 0x96, 0x7b] } as const;

function asciiPage(meta: string, href: readonly number[]): Buffer {
  return Buffer.concat([
    Buffer.from(`<!doctype html><head>${meta}<link rel="canonical" href="`),
    Buffer.from(href),
    Buffer.from('"><title>t</title><p>text'),
  ]);
}

function utf16(text: string, byteOrder: "le" | "be"): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return byteOrder === "le" ? bytes : bytes.swap16();
}

const unicodePage = `<!doctype html><link rel="canonical" href="${japanese.utf8}"><p>text`;
const latin = [0x2f, 0x63, 0x61, 0x66, 0xe9, 0x80];
const { shiftJis } = japanese;

/** Each declares its encoding in another way, on which browsers agree; none must be guessed. */
const servedPages: readonly ServedPage[] = [
  {
    name: "header",
    type: "text/html; charset=Shift_JIS",
    bytes: asciiPage("<meta charset=utf-8>", shiftJis),
  },
  { name: "quoted header", type: 'text/html;charset="x-sjis"', bytes: asciiPage("", shiftJis) },
  { name: "meta charset", type: "text/html", bytes: asciiPage("<meta charset=' Shift_JIS '>", shiftJis) },
  {
    name: "meta pragma",
    type: "text/html",
    bytes: asciiPage(`<meta content="text/html; charset='windows-1252'" http-equiv=Content-Type>`, latin),
  },
  {
    name: "meta without its pragma, then one with it",
    type: "text/html",
    bytes: asciiPage("<meta content='a; charset=utf-8'><meta charset=sjis>", shiftJis),
  },
  {
    name: "meta within a comment",
    type: "text/html",
    bytes: asciiPage("<!-- <meta charset=utf-8> --><meta charset=cp1252>", latin),
  },
  {
    name: "meta that says UTF-16",
    type: "text/html",
    bytes: asciiPage("<meta charset=utf-16>", [...Buffer.from(japanese.utf8)]),
  },
  {
    name: "label of no encoding",
    type: "text/html; charset=nonsense",
    bytes: asciiPage("<meta charset=sjis>", shiftJis),
  },
  { name: "UTF-8 mark", type: "text/html; charset=sjis", bytes: Buffer.from(`\ufeff${unicodePage}`) },
  { name: "UTF-16LE mark", type: "text/html; charset=sjis", bytes: utf16(`\ufeff${unicodePage}`, "le") },
  { name: "UTF-16BE mark", type: "text/html", bytes: utf16(`\ufeff${unicodePage}`, "be") },
  { name: "UTF-16 by header", type: "text/html; charset=utf-16be", bytes: utf16(unicodePage, "be") },
  { name: "EUC-KR", type: "text/html; charset=euc-kr", bytes: asciiPage("", [0x2f, 0xc7, 0xd1, 0xb1, 0xdb]) },
  {
    name: "Big5",
    type: "text/html",
    bytes: asciiPage("<meta charset=big5>", [0x2f, 0xa4, 0xa4, 0xa4, 0xe5]),
  },
  {
    name: "GB 18030",
    type: "text/html; charset=gb18030",
    bytes: asciiPage("", [0x2f, 0xd6, 0xd0, 0x81, 0x30, 0x86, 0x30]),
  },
  {
    name: "ISO-2022-JP",
    type: "text/html; charset=iso-2022-jp",
    bytes: asciiPage("", [0x2f, 0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42]),
  },
  { name: "KOI8-R", type: "text/html; charset=koi8-r", bytes: asciiPage("", [0x2f, 0xcb, 0xcf, 0xd4]) },
  {
    name: "UTF-8 that is broken",
    type: "text/html; charset=utf-8",
    bytes: asciiPage("", [0x2f, 0xe9, 0x80]),
  },
];

test("pages in many encodings have the same canonical link here and in the browser, however they are cut", async ({
  page,
}) => {
  const origin = "http://pages.example";
  await page.route(`${origin}/**`, async (route) => {
    const served = servedPages[Number(new URL(route.request().url()).searchParams.get("page"))]!;
    await route.fulfill({ body: served.bytes, contentType: served.type });
  });
  for (const [at, { name, type, bytes }] of servedPages.entries()) {
    const requestUrl = `${origin}/a/b?page=${at}`;
    await page.goto(requestUrl, { waitUntil: "domcontentloaded" });
    const theirs = await page.evaluate((sought) => {
      const link = document.head.querySelector<HTMLLinkElement>(sought)!;
      return { written: link.getAttribute("href")!, path: new URL(link.href).pathname };
    }, selector);

    const ours = findOurs([bytes], type);
    expect(ours, name).toEqual({ kind: "found", href: theirs.written });
    const target = resolveCanonical({ href: theirs.written, requestUrl, publicOrigin: origin });
    // A browser encodes the query as the page; here all is UTF-8, as paths are everywhere.
    expect(target, name).toMatchObject({
      kind: "target",
      url: expect.stringContaining(`${origin}${theirs.path}`),
    });
    for (let cut = 0; cut < 20; cut++) {
      expect(findOurs(cutAtRandom(new Uint8Array(bytes), cut), type), `${name} (cut ${cut})`).toEqual(ours);
    }
  }
});
