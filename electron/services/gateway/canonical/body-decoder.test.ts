import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createBodyDecoder, type BodyDecoder } from "./body-decoder.ts";
import { BodyDecodingError } from "./compressed-stream.ts";
import { cutAtRandom } from "../support/generated-heads.ts";

const opened: BodyDecoder[] = [];

function open(encoding: string | undefined): BodyDecoder {
  const decoder = createBodyDecoder(encoding)!;
  opened.push(decoder);
  return decoder;
}

afterEach(() => {
  for (const decoder of opened.splice(0)) decoder.close();
});

async function decode(encoding: string | undefined, pieces: readonly Uint8Array[]): Promise<string> {
  const decoder = open(encoding);
  const taken: Uint8Array[] = [];
  for (const piece of pieces) {
    await decoder.write(piece, (bytes) => taken.push(bytes.slice()) > 0);
  }
  return Buffer.concat(taken).toString();
}

const page = `<!doctype html>${Array.from({ length: 3_000 }, (_, at) => `<meta name=${at}>`).join("\n")}é`;
const [first, second] = [page.slice(0, 20_000), page.slice(20_000)];

/** A gzip member with every optional header field. */
function gzipWithHeader(text: string): Buffer {
  const plain = gzipSync(text);
  const extra = Buffer.from("\x05\x00abc\x00d", "latin1");
  const names = Buffer.from("name\0remark\0", "latin1");
  const header = Buffer.from(plain.subarray(0, 10));
  header[3] = 2 | 4 | 8 | 16;
  return Buffer.concat([header, extra, names, Buffer.from([1, 2]), plain.subarray(10)]);
}

const garbage = Buffer.from("garbage".repeat(20));

describe("a body", () => {
  test.each([
    ["that is not encoded", undefined, Buffer.from(page)],
    ["that is not encoded, and says so", " Identity ", Buffer.from(page)],
    ["in gzip", "gzip", gzipSync(page)],
    ["in gzip by its old name", "X-GZIP", gzipSync(page)],
    ["in gzip with a long header", "gzip", gzipWithHeader(page)],
    ["in several gzip files", "gzip", Buffer.concat([gzipSync(first), gzipSync(""), gzipWithHeader(second)])],
    ["in gzip with zeros behind it", "gzip", Buffer.concat([gzipSync(page), Buffer.alloc(600)])],
    ["in gzip with garbage behind it", "gzip", Buffer.concat([gzipSync(page), garbage])],
    ["in deflate", "deflate", deflateSync(page)],
    ["in deflate of another level and window", "deflate", deflateSync(page, { level: 1, windowBits: 10 })],
    ["in deflate without zlib's form", "deflate", deflateRawSync(page)],
    ["in deflate with garbage behind it", "deflate", Buffer.concat([deflateSync(page), garbage])],
    ["in Brotli", "br", brotliCompressSync(page)],
    ["in Brotli with garbage behind it", "br", Buffer.concat([brotliCompressSync(page), garbage])],
    ["in zstd", "zstd", zstdCompressSync(page)],
    [
      "in several zstd frames, one of them skippable",
      "zstd",
      Buffer.concat([
        zstdCompressSync(first),
        Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]),
        zstdCompressSync(second),
        garbage,
      ]),
    ],
  ])("%s is decoded, whole and cut", async (_, encoding, body) => {
    expect(await decode(encoding, [body])).toBe(page);
    expect(await decode(encoding, cutAtRandom(new Uint8Array(body), 1))).toBe(page);
    expect(await decode(encoding, cutAtRandom(new Uint8Array(body), 2))).toBe(page);
  });

  test.each(["gzip, br", "br, gzip", "gzip, identity", "compress", "dcb", "gzip;q=1", "*"])(
    "in %s is not decoded",
    (encoding) => {
      expect(createBodyDecoder(encoding)).toBeUndefined();
    },
  );

  test.each(["gzip", "deflate", "br", "zstd"])(
    "that is not what %s is fails, and takes no more",
    async (encoding) => {
      const decoder = open(encoding);
      const write = async (): Promise<void> => decoder.write(Buffer.from(page), () => true);
      await expect(write()).rejects.toThrow(BodyDecodingError);
      const taken: Uint8Array[] = [];
      decoder.close();
      await decoder.write(gzipSync(page), (bytes) => taken.push(bytes) > 0);
      expect(taken).toEqual([]);
    },
  );

  test("with damage further on still gives the bytes before it", async () => {
    const long = `${page}${page}`;
    const damaged = gzipSync(long, { level: 0 });
    damaged.fill(0xff, 66_000);
    const decoder = open("gzip");
    let taken = "";
    const write = async (): Promise<void> => {
      for (const piece of [damaged.subarray(0, 40_000), damaged.subarray(40_000)]) {
        await decoder.write(piece, (bytes) => (taken += Buffer.from(bytes).toString()) !== "");
      }
    };
    await expect(write()).rejects.toThrow(BodyDecodingError);
    expect(long.startsWith(taken)).toBe(true);
    expect(taken.length).toBeGreaterThan(39_000);
  });
});

describe("bytes that nobody wants are not decoded", () => {
  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ])("in %s", async (encoding, compress) => {
    const decoder = open(encoding);
    let takenBytes = 0;
    await decoder.write(compress(Buffer.alloc(2_000_000)), (bytes) => {
      takenBytes += bytes.length;
      return takenBytes < 100_000;
    });
    expect(takenBytes).toBeGreaterThanOrEqual(100_000);
    expect(takenBytes).toBeLessThan(200_000);
    await decoder.write(Buffer.from(page), () => expect.unreachable());
  });

  test("after a decoder is closed inside a chunk", async () => {
    const decoder = open("gzip");
    const written = decoder.write(gzipSync(page), () => true);
    decoder.close();
    decoder.close();
    await written;
    expect(decoder.state()).toBe("over");
  });

  test("and an error of the receiver passes through", async () => {
    const decoder = open("gzip");
    const problem = new Error("Not today.");
    const write = async (): Promise<void> =>
      decoder.write(gzipSync(page), () => {
        throw problem;
      });
    await expect(write()).rejects.toBe(problem);
  });
});

/** Stored blocks without bytes, none of which is the last. */
const emptyBlocks = Buffer.alloc(2_000_000, Buffer.from([0, 0, 0, 0xff, 0xff]));

test.each([
  ["blocks", "deflate", emptyBlocks],
  ["files", "gzip", Buffer.concat(Array.from({ length: 6_000 }, () => gzipSync("")))],
  ["frames", "zstd", Buffer.concat(Array.from({ length: 6_000 }, () => zstdCompressSync("")))],
])("endless empty %s exhaust the decoder", async (_, encoding, body) => {
  const decoder = open(encoding);
  const startedAt = performance.now();
  for (let at = 0; at < body.length; at += 65_536) {
    await decoder.write(body.subarray(at, at + 65_536), () => expect.unreachable());
  }
  expect(decoder.state()).toBe("exhausted");
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("an endless header is refused", async () => {
  const decoder = open("gzip");
  const header = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
    Buffer.alloc(20_000, "n"),
  ]);
  const write = async (): Promise<void> => decoder.write(header, () => true);
  await expect(write()).rejects.toThrow(BodyDecodingError);
});
