// Random pages from fixed seeds: the finder agrees with the parser on the whole tree, however a page is cut, and
// never throws.
import * as fc from "fast-check";
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { describe, expect, test } from "vitest";
import { createCanonicalFinder } from "./canonical-finder.ts";
import type { CanonicalFinding } from "./head-tree.ts";
import { cutAtRandom, generateHead } from "../support/generated-heads.ts";

const seed = 20_261_121;

function findIn(pieces: readonly Uint8Array[], contentType: string): CanonicalFinding {
  const finder = createCanonicalFinder({ contentType });
  for (const piece of pieces) finder.write(piece);
  return finder.end();
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

function childOf(parent: { readonly childNodes: readonly Node[] }, name: string): Element | undefined {
  return parent.childNodes.find((node): node is Element => node.nodeName === name);
}

/** Finds the link in the whole tree, without chunks and without skipping. */
function findInTree(text: string): CanonicalFinding {
  const head = childOf(childOf(parse(text), "html")!, "head")!;
  for (const node of head.childNodes) {
    if (node.nodeName !== "link") continue;
    const { attrs } = node;
    const valueOf = (name: string): string | undefined => attrs.find((attr) => attr.name === name)?.value;
    const words =
      valueOf("rel")
        ?.toLowerCase()
        .split(/[\t\n\f\r ]+/) ?? [];
    const href = valueOf("href");
    if (words.includes("canonical") && href !== undefined) return { kind: "found", href };
  }
  return { kind: "none" };
}

/** Fragments of markup, from whole links down to single characters. */
const fragments = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 100_000 }).map(generateHead) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...["<link rel=canonical href=/a>", "<link ", "rel=canonical ", "href='/b", "<meta ", "<base ", 'x="'],
      ...["<title>", "</title>", "<script>", "</script", "<style>", "</style >", "<noscript>", "</noscript>"],
      ...[
        "<template>",
        "</template>",
        "<table>",
        "<b>",
        "</b>",
        "<p>",
        "<svg>",
        "<![CDATA[",
        "]]>",
        "<head>",
      ],
      ...[
        "</head>",
        "<body>",
        "<html x>",
        "<!--",
        "-->",
        "--!>",
        "<!",
        "</",
        "<?",
        "&amp;",
        "&#32;",
        "&not",
        "&",
      ],
      ...[
        "<",
        ">",
        "/",
        "=",
        '"',
        "'",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\t",
        "-",
        "!",
        "a",
        "é",
        "日",
        "😀",
        "\u0000",
      ],
    ),
  },
);
const pages = fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join(""));

describe("random pages", () => {
  test("give the canonical link of the whole tree, whole and cut", () => {
    fc.assert(
      fc.property(pages, fc.nat(), (text, cut) => {
        // A page's lone surrogates do not survive as bytes.
        const bytes = new Uint8Array(Buffer.from(text));
        const expected = findInTree(
          Buffer.from(bytes)
            .toString()
            .replace(/^\ufeff/, ""),
        );
        const type = "text/html; charset=utf-8";
        expect(findIn([bytes], type)).toEqual(expected);
        expect(findIn(cutAtRandom(bytes, cut), type)).toEqual(expected);
      }),
      { seed, numRuns: 1_000 },
    );
  });

  test.each([
    "utf-8",
    "utf-16le",
    "utf-16be",
    "shift_jis",
    "gb18030",
    "big5",
    "euc-jp",
    "euc-kr",
    "iso-2022-jp",
  ])("with damaged bytes of %s give the same result however they are cut", (charset) => {
    const noise = fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 255 })), { maxLength: 30 });
    fc.assert(
      fc.property(pages, noise, fc.nat(), (text, damages, cut) => {
        const isWide = charset.startsWith("utf-16");
        const bytes = new Uint8Array(Buffer.from(text, isWide ? "utf16le" : "utf8"));
        for (const [at, value] of damages) if (at < bytes.length) bytes[at] = value;
        const type = `text/html; charset=${charset}`;
        expect(findIn(cutAtRandom(bytes, cut), type)).toEqual(findIn([bytes], type));
      }),
      { seed, numRuns: 120 },
    );
  });

  test("with and without a declared encoding give the same result however they are cut", () => {
    const declaration = fc.constantFrom(
      ...[
        "",
        "<meta charset=shift_jis>",
        "<meta charset=iso-2022-jp>",
        "\ufeff",
        "\u00ff\u00fe",
        "<\0?\0x\0",
      ],
      ...["<?xml encoding='koi8-r'?>", `<!--${"é".repeat(600)}-->`, "\u001b$B"],
    );
    fc.assert(
      fc.property(declaration, pages, fc.nat(), (before, text, cut) => {
        const bytes = new Uint8Array(Buffer.concat([Buffer.from(before, "latin1"), Buffer.from(text)]));
        expect(findIn(cutAtRandom(bytes, cut), "text/html")).toEqual(findIn([bytes], "text/html"));
      }),
      { seed, numRuns: 200 },
    );
  });
});
