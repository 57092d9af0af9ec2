import { setImmediate as turn } from "node:timers/promises";
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { describe, expect, test } from "vitest";
import { canonicalLimits } from "../gateway-limits.ts";
import { createHeadReader, type HeadFinding } from "./head-reader.ts";
import { cutAtRandom } from "../support/generated-heads.ts";

const { headBytes } = canonicalLimits;

interface Read {
  readonly finding: HeadFinding;
  /** Chunks that were written before it was known. */
  readonly pieces: number;
}

async function read(pieces: readonly Uint8Array[], contentEncoding?: string): Promise<Read> {
  const reader = createHeadReader({ contentEncoding, contentType: "text/html; charset=utf-8" });
  for (const [at, piece] of pieces.entries()) {
    const finding = await reader.write(piece);
    if (finding) return { finding, pieces: at + 1 };
  }
  return { finding: await reader.end(), pieces: pieces.length };
}

/** Uses the quality that servers use for dynamic pages: the best takes seconds. */
function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
}

const link = '<link rel="canonical" href="/e/1">';
const found = { kind: "found", href: "/e/1" };

/** A page whose canonical link ends with the body's byte of that number, from 1; its text does not compress well. */
function pageThatEndsAt(lastByte: number): Buffer {
  const bytes = Buffer.alloc(lastByte, "<meta name=x>");
  let state = 1;
  for (let at = 13; at + 26 < lastByte - link.length; at += 13) {
    state = (state * 48_271) % 2_147_483_647;
    bytes.write(state.toString(36).slice(-1), at + 11);
  }
  const filled = Math.floor((lastByte - link.length) / 13) * 13;
  bytes.fill(" ", filled);
  bytes.write(link, lastByte - link.length);
  return Buffer.concat([bytes, Buffer.from("<body>text".repeat(2_000))]);
}

describe.each([
  ["identity", (page: Buffer) => page],
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotli],
  ["zstd", zstdCompressSync],
])("a page in %s", (encoding, compress) => {
  test("has its canonical link within the first 262,144 uncompressed bytes, and no further", async () => {
    const within = new Uint8Array(compress(pageThatEndsAt(headBytes)));
    const beyond = new Uint8Array(compress(pageThatEndsAt(headBytes + 1)));
    expect((await read([within], encoding)).finding).toEqual(found);
    expect((await read([beyond], encoding)).finding).toEqual({ kind: "beyond-limit" });
    for (const seed of [2, 5]) {
      expect((await read(cutAtRandom(within, seed), encoding)).finding).toEqual(found);
      expect((await read(cutAtRandom(beyond, seed), encoding)).finding).toEqual({ kind: "beyond-limit" });
    }
  });

  test("is decided at the end of its head, before the body ends", async () => {
    const body = Buffer.alloc(400_000);
    for (let at = 0; at < body.length; at++) body[at] = 32 + ((at * 7_919) % 89);
    const page = Buffer.concat([Buffer.from("<title>t</title><body>"), body]);
    const pieces = cutAtRandom(new Uint8Array(compress(page)), 3);
    const { finding, pieces: written } = await read(pieces, encoding);
    expect(finding).toEqual({ kind: "none" });
    expect(written).toBeLessThan(pieces.length);
  });
});

test("a page that is flushed byte by byte is decided by the deciding byte", async () => {
  const page = `<title>t</title>${link}`;
  const pieces = Array.from(page, (sign) => gzipSync(sign, { finishFlush: constants.Z_FINISH }));
  expect(await read(pieces, "gzip")).toEqual({ finding: found, pieces: page.length });
});

describe("a body is undecodable", () => {
  test.each(["gzip, br", "compress", "x"])("in %s", async (encoding) => {
    const finding = { kind: "undecodable", cause: "unknown-encoding" };
    expect(await read([Buffer.from(link)], encoding)).toEqual({ finding, pieces: 1 });
    expect((await read([], encoding)).finding).toEqual(finding);
  });

  test.each(["gzip", "deflate", "br", "zstd"])("if it is not valid %s", async (encoding) => {
    const { finding } = await read([Buffer.from(link)], encoding);
    expect(finding).toEqual({ kind: "undecodable", cause: "broken" });
  });
});

test.each([
  ["gzip", (bytes: Buffer) => gzipSync(bytes, { level: 1 })],
  ["br", brotli],
  ["zstd", zstdCompressSync],
])(
  "a body that grows two hundred million bytes of %s is decided soon, and holds little",
  async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(200_000_000, " "));
    const before = process.memoryUsage().rss;
    const startedAt = performance.now();
    const { finding, pieces } = await read([bomb], encoding);
    // The budget is 200 ms on an idle machine; tests share theirs.
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(64_000_000);
    expect({ finding, pieces }).toEqual({ finding: { kind: "beyond-limit" }, pieces: 1 });
  },
);

test("a body that never grows is refused", async () => {
  const blocks = Buffer.alloc(2_000_000, Buffer.from([0, 0, 0, 0xff, 0xff]));
  expect((await read([blocks], "deflate")).finding).toEqual({ kind: "beyond-limit" });
});

test("a compressed body is decided at its end, whatever follows it", async () => {
  const body = Buffer.concat([brotliCompressSync("<title>t</title>"), Buffer.from("garbage")]);
  expect(await read([body, Buffer.from("more")], "br")).toEqual({ finding: { kind: "none" }, pieces: 1 });
});

test("a reader that is closed inside a chunk answers, and can be closed again", async () => {
  const reader = createHeadReader({ contentEncoding: "gzip", contentType: "text/html" });
  const answer = reader.write(gzipSync(" ".repeat(100_000)));
  reader.close();
  reader.close();
  expect(await answer).toEqual({ kind: "none" });
  await turn();
  expect(await reader.end()).toEqual({ kind: "none" });
});
