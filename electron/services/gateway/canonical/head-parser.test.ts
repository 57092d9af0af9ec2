// Heads with one very long construct that contains every kind of `>`: read in time linear in their length.
import { expect, test } from "vitest";
import { canonicalLimits } from "../gateway-limits.ts";
import type { CanonicalFinding } from "./head-tree.ts";
import { HeadParser } from "./head-parser.ts";

const { headBytes } = canonicalLimits;

const link = '<link rel="canonical" href="/e/1">';

/** The beginning, repeated content and end of a long construct that a link may follow. */
const long: Readonly<Record<string, readonly [begin: string, piece: string, end: string]>> = {
  "a comment": ["<head><!--", "a>", "-->"],
  "an attribute": ['<head><meta content="', "b>", '">'],
  "a canonical's own attribute": ["<head><link rel=canonical title='", "&b>", "'>"],
  "a script with a comment": ["<head><script><!--<script>", "a>", "</script>--></script>"],
  "a title of comments": ["<head><title>", "<!-->", "</title>"],
  "a style of other ends": ["<head><style>", "</a>", "</style>"],
  "CDATA in a template": ["<head><template><svg><![CDATA[", "a>", "]]></svg></template>"],
};

function read(text: string, pieceLength: number): CanonicalFinding | undefined {
  const parser = new HeadParser();
  let finding: CanonicalFinding | undefined;
  for (let at = 0; at < text.length && !finding; at += pieceLength) {
    finding = parser.write(text.slice(at, at + pieceLength));
  }
  return finding;
}

test.each(Object.entries(long))("%s as long as the limit is read quickly", (_, parts) => {
  const [begin, piece, end] = parts;
  const room = headBytes - begin.length - end.length - link.length;
  const page = begin + piece.repeat(Math.floor(room / piece.length)) + end + link;
  const start = performance.now();
  expect(read(page, 65_536)).toEqual({ kind: "found", href: "/e/1" });
  expect(performance.now() - start).toBeLessThan(2_000);
});

test.each(Object.entries(long))(
  "%s that is long is read alike however it is cut",
  (_, [begin, piece, end]) => {
    const body = begin + piece.repeat(Math.ceil(9_000 / piece.length)) + end;
    for (const pieceLength of [1, 7, 4_096, 1_000_000]) {
      expect(read(body + link, pieceLength)).toEqual({ kind: "found", href: "/e/1" });
      expect(read(`${body}text${link}`, pieceLength)).toEqual({ kind: "none" });
      expect(read(body, pieceLength)).toBeUndefined();
    }
  },
);
