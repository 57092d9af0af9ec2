// Which responses are inspected and how far; all others pass unchanged (D36 to D43).
import { request as httpRequest } from "node:http";
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUnchanged } from "./unchanged.ts";
import {
  hasVisitors,
  pageWith,
  publicOrigin,
  startGatewayHost,
  visitors,
  visitorsMissing,
  type GatewayHost,
} from "./gateway-host.ts";

const limit = 262_144;
const link = '<link rel="canonical" href="/e/1">';

/** Returns a page whose canonical link ends at byte `end`. */
function pageEndingAt(end: number): Buffer {
  const front = "<!doctype html><html><head><!--";
  const back = `-->${link}`;
  return Buffer.from(
    `${front}${"x".repeat(end - front.length - back.length)}${back}</head><body>Text</body></html>`,
  );
}

describe.skipIf(!hasVisitors)(`responses${visitorsMissing}`, () => {
  let host: GatewayHost;
  beforeAll(async () => {
    host = await startGatewayHost();
  });
  afterAll(() => host.stop());

  const visit = (target: string, ...args: string[]) => host.visit(target, { ...visitors.train, args });

  test.each(["text/html", "Text/HTML; charset=x", "text/html;charset=utf-8"])(
    "D36 a page of type %s is inspected",
    async (type) => {
      host.origin.page("/d36", pageWith("/e/1"), { "Content-Type": type });
      expect((await visit("/d36")).status).toBe(301);
    },
  );

  test.each(["application/xhtml+xml", "text/plain", "image/png", "text/htmlx"])(
    "D36 a response of type %s is not inspected",
    async (type) => {
      host.origin.page("/d36", pageWith("/e/1"), { "Content-Type": type });
      await expectUnchanged(host, "/d36");
    },
  );

  test("D36 a page without a type is not inspected", async () => {
    host.origin.answer("/d36", (_, response) => response.end(pageWith("/e/1")));
    await expectUnchanged(host, "/d36");
  });

  test.each([
    ["identity", (bytes: Buffer) => bytes, {}],
    ["gzip", (bytes: Buffer) => gzipSync(bytes), { "Content-Encoding": "gzip" }],
    ["br", (bytes: Buffer) => brotliCompressSync(bytes), { "Content-Encoding": "br" }],
    ["deflate", (bytes: Buffer) => deflateSync(bytes), { "Content-Encoding": "deflate" }],
    ["raw deflate", (bytes: Buffer) => deflateRawSync(bytes), { "Content-Encoding": "deflate" }],
  ])(
    "D37 a link that ends at byte 262,144 counts and one that ends a byte later does not: %s",
    async (_, encode, headers) => {
      host.origin.page("/d37", encode(pageEndingAt(limit)), headers);
      expect((await visit("/d37")).headers.location).toBe(`${publicOrigin}/e/1`);
      host.origin.page("/d37", encode(pageEndingAt(limit + 1)), headers);
      await expectUnchanged(host, "/d37");
    },
  );

  test.each([
    ["an unknown encoding", "sdch", Buffer.from(pageWith("/e/1"))],
    ["a wrong encoding", "gzip", Buffer.from(pageWith("/e/1"))],
    ["a truncated encoding", "gzip", gzipSync(Buffer.alloc(100_000, " ")).subarray(0, 60)],
  ])("D38 a page with %s passes unchanged", async (_, encoding, bytes) => {
    host.origin.page("/d38", bytes, { "Content-Encoding": encoding });
    await expectUnchanged(host, "/d38");
  });

  test("D39 a head that arrives byte by byte is inspected", async () => {
    const bytes = Buffer.from(pageWith("/e/1"));
    host.origin.answer("/d39", (_, response) => {
      response.writeHead(200, { "Content-Type": "text/html" });
      let at = 0;
      const drip = (): void => {
        if (response.destroyed || at === bytes.length) return void response.end();
        response.write(bytes.subarray(at, (at += 1)), () => setImmediate(drip));
      };
      drip();
    });
    expect((await visit("/d39")).headers.location).toBe(`${publicOrigin}/e/1`);
  });

  test("D39 without a link, the first byte is sent as soon as the head is complete", async () => {
    let finish: (() => void) | undefined;
    host.origin.answer("/d39b", (_, response) => {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.write("<!doctype html><html><head><title>T</title></head><body><p>First");
      finish = () => response.end("last");
    });
    const { hostname, port } = new URL(host.gateway());
    const { address: localAddress, agent } = visitors.train;
    const headers = { Host: "brief.example", "User-Agent": agent };
    const body = await new Promise<string>((resolve, reject) => {
      const asked = httpRequest({ hostname, port, path: "/d39b", localAddress, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
          // The origin finishes only after the first bytes have arrived.
          finish?.();
        });
        response.once("end", () => {
          resolve(text);
        });
      });
      asked.once("error", reject).end();
    });
    expect(body).toMatch(/^<!doctype.*Firstlast$/s);
  });

  test("D40 a compression bomb of spaces is decided quickly and passes", async () => {
    const spaces = Buffer.alloc(1024 * 1024, " ");
    const gzip = createGzip({ level: 9 });
    const pieces: Buffer[] = [];
    gzip.on("data", (piece: Buffer) => pieces.push(piece));
    for (let count = 0; count < 200; count += 1) gzip.write(spaces);
    gzip.end();
    await new Promise((resolve) => gzip.once("end", resolve));
    const bytes = Buffer.concat(pieces);
    host.origin.page("/d40", bytes, { "Content-Encoding": "gzip" });
    const startedMs = performance.now();
    const { status, body } = await visit("/d40");
    expect([status, body.equals(bytes)]).toEqual([200, true]);
    // Includes curl's startup on a busy machine; decompressing all of it would take most of a second.
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  test.each([404, 500, 302, 206, 203])("D41 a page with status %d is not inspected", async (status) => {
    host.origin.answer("/d41", (_, response) => {
      response.writeHead(status, {
        "Content-Type": "text/html",
        ...(status === 302 && { Location: "/other" }),
        ...(status === 206 && { "Content-Range": "bytes 0-9/10" }),
      });
      response.end(pageWith("/e/1"));
    });
    await expectUnchanged(host, "/d41");
  });

  test("D41 a visitor with a current copy gets 304", async () => {
    host.origin.answer("/d41n", (request, response) => {
      if (request.headers["if-none-match"] === '"v1"') response.writeHead(304, { ETag: '"v1"' }).end();
      else response.writeHead(200, { "Content-Type": "text/html", ETag: '"v1"' }).end(pageWith("/e/1"));
    });
    await expectUnchanged(host, "/d41n", "-H", 'If-None-Match: "v1"');
  });

  test("D42 HEAD and POST pass, including the body", async () => {
    host.origin.page("/d42", pageWith("/e/1"));
    await expectUnchanged(host, "/d42", "-I");
    await expectUnchanged(host, "/d42", "--data-binary", "x=1&y=2");
    const posts = host.origin.seen("/d42").filter(({ method }) => method === "POST");
    expect(posts.map(({ body }) => body.toString())).toEqual(["x=1&y=2", "x=1&y=2"]);
  });

  const utf16 = (text: string): Buffer =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
  test.each<[string, Buffer, string, string]>([
    ["UTF-16", utf16(pageWith("/é")), "text/html", "/%C3%A9"],
    [
      "UTF-8 with a byte order mark",
      Buffer.from(`\u{feff}${pageWith("/é")}`),
      "text/html; charset=windows-1252",
      "/%C3%A9",
    ],
    ["windows-1252", Buffer.from(pageWith("/é"), "latin1"), "text/html; charset=windows-1252", "/%C3%A9"],
    ["no declared encoding", Buffer.from(pageWith("/é"), "latin1"), "text/html", "/%C3%A9"],
    [
      "Shift_JIS",
      Buffer.concat([
        Buffer.from('<meta charset="shift_jis"><link rel="canonical" href="/'),
        Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]),
        Buffer.from('"><body>'),
      ]),
      "text/html",
      "/%E3%83%86%E3%82%B9%E3%83%88",
    ],
  ])("D43 a link is found in a page with %s", async (_, bytes, type, path) => {
    host.origin.page("/d43", bytes, { "Content-Type": type });
    expect((await visit("/d43")).headers.location).toBe(publicOrigin + path);
  });
});
