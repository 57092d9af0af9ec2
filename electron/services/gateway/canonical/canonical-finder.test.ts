import { describe, expect, test } from "vitest";
import { createCanonicalFinder } from "./canonical-finder.ts";
import { canonicalLimits } from "../gateway-limits.ts";
import type { CanonicalFinding } from "./head-tree.ts";
import { cutAtRandom } from "../support/generated-heads.ts";

const { headBytes } = canonicalLimits;

const utf8 = "text/html; charset=utf-8";

function findIn(pieces: readonly Uint8Array[], contentType: string | undefined = utf8): CanonicalFinding {
  const finder = createCanonicalFinder({ contentType });
  for (const piece of pieces) finder.write(piece);
  return finder.end();
}

/** Returns the finding, which is the same whole, byte by byte and cut at random. */
function find(page: string): CanonicalFinding {
  const bytes = new Uint8Array(Buffer.from(page));
  const whole = findIn([bytes]);
  expect(findIn([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  for (let seed = 0; seed < 5; seed++) expect(findIn(cutAtRandom(bytes, seed))).toEqual(whole);
  return whole;
}

const found = (href: string): CanonicalFinding => ({ kind: "found", href });
const none: CanonicalFinding = { kind: "none" };
const link = '<link rel="canonical" href="/e/1">';

describe("a canonical link counts", () => {
  test.each([
    ["in a plain head", `<!doctype html><html><head><title>t</title>${link}</head><body></body></html>`],
    ["in any case and without quotes", "<head><LINK REL=Canonical HREF=/e/1></head>"],
    ["in single quotes", "<head><link rel='canonical' href='/e/1'></head>"],
    ["among other words of rel", '<link rel="nofollow canonical" href="/e/1">'],
    ["with line breaks between its attributes", '<link\nrel="canonical"\r\n\thref="/e/1"\n>'],
    ["behind the head and before the body", `<head></head> <!-- x --> ${link}<body>`],
    ["in a page without any tag of a head", link],
    ["behind another that has no href", `<link rel="canonical">${link}`],
    ["behind a comment of one sign", `<head><!--->${link}<!-- x -->`],
    ["behind a comment of none", `<head><!-->${link}<!-- x -->`],
    ["with character references in rel", '<head><link rel="&#99;anonical" href="/e/1">'],
    [
      "with its attributes twice, of which the first counts",
      '<link rel=canonical href="/e/1" href="/x" rel=x>',
    ],
    [
      "behind a title, a style and a script",
      `<title>&lt;</title><style>a>b{}</style><script>1<2</script>${link}`,
    ],
    [
      "behind end tags with spaces, slashes and attributes",
      `<title>x</TITLE\r\n><style>y</style/><script src="a>b">z</script a=">"><noframes></noframes\t>${link}`,
    ],
    [
      "behind a style that holds what is no end of it",
      `<style></stylex></style-></ style></<!--</style>${link}`,
    ],
    ["behind a script with a comment", `<script><!-- </scripts> --> </script>${link}`],
    ["behind comments of every form", `<!----><!--><!---><!-- - -- > --!><!-- <!-- -->${link}`],
    ["behind a template", `<template><div>x</div></template>${link}`],
    ["behind a noscript with what is no head's", `<noscript><p>text</p></noscript>${link}`],
    ["behind a base, which is no matter of the finder's", `<base href="/x/">${link}`],
    ["behind quoted signs of a tag", `<meta content='<body>"<p>'>${link}`],
    ["behind white space that is written as a reference", `<head>&#32;${link}`],
  ])("%s", (_, page) => {
    expect(find(page)).toEqual(found("/e/1"));
  });

  test("with its character references decoded, otherwise as written", () => {
    expect(find('<link rel=canonical href="/a?x=1&amp;y=&#x4E2D;&notit; ">')).toEqual(
      found("/a?x=1&y=中&notit; "),
    );
  });

  test("even if its href is empty", () => {
    expect(find(`<link rel=canonical href>${link}`)).toEqual(found(""));
  });

  test("only if it is the first of several", () => {
    expect(find(`<link rel=canonical href="https://other.example/">${link}`)).toEqual(
      found("https://other.example/"),
    );
  });
});

describe("this is not a canonical link:", () => {
  test.each([
    ["in a comment", `<!-- ${link} -->`],
    ["in a comment that does not end", `<!-- ${link}`],
    ["in a script", `<script>${link}</script>`],
    ["in a script behind a short one", `<script></script><script>${link}</script>`],
    ["in a style whose end tag does not end", `<style></style ${link}"`],
    ["in a script's comment that holds a script", `<script><!--<script>${link}</script>${link}--></script>`],
    ["in a style", `<style>${link}</style>`],
    ["in a title", `<title>${link}</title>`],
    ["in a template", `<template>${link}</template>`],
    [
      "in a template of a template, behind a table",
      `<template><table></table><template></template>${link}</template>`,
    ],
    ["in a noscript", `<noscript>${link}</noscript>`],
    ["in an svg", `<svg>${link}</svg>`],
    ["in an attribute", `<meta content='${link}'>`],
    ["in the body", `<body>${link}`],
    ["behind an element of the body", `<head><div></div>${link}`],
    ["behind text", `<head>text${link}`],
    ["behind a no-break space", `<head>&nbsp;${link}`],
    ["behind a lone sign of a tag", `<head>< ${link}`],
    ["behind a noscript that stands behind the head", `</head><noscript></noscript>${link}`],
    ["behind a frameset", `<frameset>${link}`],
    ["of another relation", '<link rel="canonicalx" href="/e/1"><link rel="x-canonical" href="/e/1">'],
    ["of a relation between no-break spaces", '<link rel="\u00a0canonical\u00a0" href="/e/1">'],
    ["without an href", "<link rel=canonical>"],
    ["without its end", '<link rel=canonical href="/e/1"'],
    ["an anchor", '<a rel=canonical href="/e/1">'],
    [
      "an og:url, or a refresh",
      '<meta property="og:url" content="/e/1"><meta http-equiv=refresh content="0;url=/e/1">',
    ],
    ["of another page's namespace", `<math><mi>${link}`],
    ["in nothing", ""],
  ])("%s", (_, page) => {
    expect(find(page)).toEqual(none);
  });
});

describe("the finding is returned as soon as it is known", () => {
  test.each([
    ["the link's own end", '<head><link rel=canonical href="/e/1"', ">", found("/e/1")],
    ["the body's tag", "<head><title>t</title></head><body", ">", none],
    ["a tag that opens the body", "<head><title>t</title><p", ">", none],
    ["the first sign of text", "<head><title>t</title></head>\n", "x", none],
    ["text behind a sign that begins no tag", "<head><", "3", none],
    ["the end of a character reference", "<head>&amp", ";", none],
    ["a frameset", "<frameset", ">", none],
  ])("by %s", (_, before, last, finding) => {
    const finder = createCanonicalFinder({ contentType: utf8 });
    expect(finder.write(Buffer.from(before))).toBeUndefined();
    expect(finder.write(Buffer.from(last))).toEqual(finding);
    expect(finder.write(Buffer.from(link))).toEqual(finding);
    expect(finder.end()).toEqual(finding);
  });

  test("even before a page has declared its encoding", () => {
    const finder = createCanonicalFinder({ contentType: "text/html" });
    expect(finder.write(Buffer.from(link))).toEqual(found("/e/1"));
    const text = createCanonicalFinder({ contentType: undefined });
    expect(text.write(Buffer.from("<title>t</title>text"))).toEqual(none);
  });
});

describe("the limit", () => {
  const encodings = {
    "utf-8": (text: string) => Buffer.from(text),
    "utf-16le": (text: string) => Buffer.from(text, "utf16le"),
  };
  const cases = (Object.keys(encodings) as (keyof typeof encodings)[]).flatMap((encoding) =>
    (["comment", "space", "script", "attribute"] as const).map((filling) => [encoding, filling] as const),
  );

  /** A page whose canonical link ends with the body's byte of that number, from 1. */
  function pageThatEndsAt(encoding: keyof typeof encodings, filling: string, lastByte: number): Buffer {
    const encode = encodings[encoding];
    const [open, close] = {
      comment: ["<!--é", "-->"],
      space: ["<head>", " "],
      script: ["<script>é", "</script>"],
      attribute: ['<meta x="é', '">'],
    }[filling as "comment"];
    const fixed = encode(open! + close! + link).length;
    const unit = encode(" ").length;
    const spaces = " ".repeat((lastByte - fixed) / unit);
    return encode(open! + spaces + close! + link);
  }

  test.each(cases)("is 262,144 bytes of %s to the last byte of the tag, after a %s", (encoding, filling) => {
    const type = `text/html; charset=${encoding}`;
    const within = pageThatEndsAt(encoding, filling, headBytes);
    expect(within).toHaveLength(headBytes);
    expect(findIn([within], type)).toEqual(found("/e/1"));
    expect(findIn(cutAtRandom(new Uint8Array(within), 3), type)).toEqual(found("/e/1"));

    const beyond = pageThatEndsAt(encoding, filling, headBytes + 2);
    expect(findIn([beyond], type)).toEqual({ kind: "beyond-limit" });
    expect(findIn([beyond.subarray(0, headBytes), beyond.subarray(headBytes)], type)).toEqual({
      kind: "beyond-limit",
    });
  });

  test("excludes a tag that ends one byte later", () => {
    const page = Buffer.from(" ".repeat(headBytes + 1 - link.length) + link);
    expect(page).toHaveLength(headBytes + 1);
    expect(findIn([page])).toEqual({ kind: "beyond-limit" });
    expect(findIn([page.subarray(1)])).toEqual(found("/e/1"));
  });

  test("is reported when it is reached, while the body continues", () => {
    const finder = createCanonicalFinder({ contentType: utf8 });
    expect(finder.write(Buffer.alloc(headBytes - 1, " "))).toBeUndefined();
    expect(finder.write(Buffer.from(" "))).toEqual({ kind: "beyond-limit" });
  });
});

test("a short page without a declared encoding is read at its end", () => {
  const finder = createCanonicalFinder({ contentType: "text/html" });
  expect(finder.write(Buffer.from(`<title>é</title>${link}`))).toBeUndefined();
  expect(finder.end()).toEqual(found("/e/1"));
});

test("a template that would open millions of elements ends the search early", () => {
  const open = Array.from({ length: 5_000 }, (_, at) => `<b id=${at}>`).join("");
  const startedAt = performance.now();
  expect(findIn([Buffer.from(`<template><p>${open}</p>${"<p>x".repeat(30_000)}`)])).toEqual(none);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test("a template of usual size is read to its end", () => {
  expect(findIn([Buffer.from(`<template>${"<p>x<b>y</b>".repeat(4_000)}</template>${link}`)])).toEqual(
    found("/e/1"),
  );
});
