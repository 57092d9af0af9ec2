import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCredentials } from "./credentials.ts";
import { GitRefusal } from "./git-refusal.ts";
import { parseGitRoute } from "./git-route.ts";
import { flushPkt, formatBand, formatPkt, parsePkt, PktError } from "../../../sharing/git/pkt-line.ts";
import { readPushRequest, type PushRequest } from "./push-commands.ts";
import { createReportFilter, formatRefusalReport } from "./push-report.ts";

const seeded = { seed: 20261120, numRuns: 500 };

function source(bytes: Buffer, byteLength: number): () => Promise<Buffer | undefined> {
  let from = 0;
  return () => {
    if (from >= bytes.length) return Promise.resolve(undefined);
    const piece = bytes.subarray(from, from + byteLength);
    from += byteLength;
    return Promise.resolve(piece);
  };
}

const commandText = `${"0".repeat(40)} ${"a".repeat(40)} refs/heads/main`;
const pushHead = Buffer.concat([
  formatPkt(`shallow ${"b".repeat(40)}`),
  formatPkt(`${commandText}\0 report-status side-band-64k\n`),
  formatPkt(`${"c".repeat(40)} ${"0".repeat(40)} refs/tags/x`),
  flushPkt,
]);

describe("packet lines", () => {
  test("formatted packets are parsed, and incomplete ones need more bytes", () => {
    const bytes = Buffer.concat([formatPkt("hello\n"), flushPkt, Buffer.from("00010002")]);
    expect(parsePkt(bytes, 0)).toEqual({ kind: "data", payload: Buffer.from("hello\n"), end: 10 });
    expect([10, 14, 18].map((at) => parsePkt(bytes, at)?.kind)).toEqual([
      "flush",
      "delimiter",
      "response end",
    ]);
    for (let length = 0; length < 10; length += 1)
      expect(parsePkt(bytes.subarray(0, length), 0)).toBeUndefined();
  });

  test("any bytes are a packet, an incomplete one, or a PktError", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.string({ maxLength: 12 })), (raw) => {
        const bytes = Buffer.from(raw as Uint8Array);
        try {
          const pkt = parsePkt(bytes, 0);
          if (pkt !== undefined) expect(pkt.end).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(PktError);
        }
      }),
      seeded,
    );
  });

  test("a side band splits data that is longer than a packet", () => {
    const bytes = formatBand(1, Buffer.alloc(150_000, 1));
    const lengths = [];
    for (let at = 0; at < bytes.length;) {
      const pkt = parsePkt(bytes, at);
      lengths.push(pkt!.end - at);
      at = pkt!.end;
    }
    expect(lengths).toEqual([65_520, 65_520, 18_975]);
  });
});

describe("the list of commands of a push", () => {
  test.each([1, 3, 50, 10_000])("is read from pieces of %i bytes, with the bytes after it", async (size) => {
    const push = await readPushRequest(source(Buffer.concat([pushHead, Buffer.from("PACK")]), size));
    expect(push.commands.map(({ ref }) => ref)).toEqual(["refs/heads/main", "refs/tags/x"]);
    expect([...push.capabilities]).toEqual(["report-status", "side-band-64k"]);
    expect(push.head).toEqual(pushHead);
    expect("PACK".startsWith(push.rest.toString())).toBe(true);
  });

  test("too many commands are refused while they arrive", async () => {
    const line = formatPkt(commandText);
    let sent = 0;
    const endless = () => {
      sent += 1;
      return Promise.resolve(Buffer.concat(Array.from({ length: 500 }, () => line)));
    };
    await expect(readPushRequest(endless)).rejects.toMatchObject({ status: 413 });
    expect(sent).toBeLessThan(60);
  });

  test("any mutation is a request or a refusal", async () => {
    const change = fc.tuple(fc.nat(pushHead.length - 1), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const bytes = Buffer.from(pushHead);
        for (const [at, value] of changes) bytes.writeUInt8(value, at);
        const outcome: unknown = await readPushRequest(source(bytes, 64)).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(GitRefusal);
        else for (const { ref } of (outcome as PushRequest).commands) expect(ref).not.toMatch(/\s/);
      }),
      seeded,
    );
  });
});

/** Returns what a client receives of Git's output, which arrives in pieces. */
function filterReport(push: PushRequest, bytes: Buffer, size: number) {
  const withheld: string[] = [];
  const filter = createReportFilter(push, (message) => withheld.push(message));
  const sent: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) sent.push(...filter.read(bytes.subarray(at, at + size)));
  const output = Buffer.concat([...sent, filter.end()]);
  return { output, accepted: filter.accepted().map(({ ref }) => ref), withheld };
}

describe("the report of a push", () => {
  test("passes on a fatal message without its local path", async () => {
    const push = await readPushRequest(source(pushHead, 999));
    const fatal = (text: string): Buffer => formatBand(3, Buffer.from(text));
    const failures = [fatal("out of memory\n"), fatal("unable to create '/srv/x'\n")];
    const { output, withheld } = filterReport(push, Buffer.concat([...failures, flushPkt]), 7);
    expect(output.toString("latin1")).toContain("out of memory");
    expect(output.toString("latin1")).not.toContain("/srv");
    expect(withheld).toEqual(["unable to create '/srv/x'"]);
  });

  test("lists the accepted refs, from pieces of any size, with and without side band", async () => {
    const push = await readPushRequest(source(pushHead, 999));
    const report = Buffer.concat([
      formatPkt("unpack ok\n"),
      formatPkt("ok refs/heads/main\n"),
      formatPkt("option refname refs/heads/main\n"),
      formatPkt("ng refs/tags/x no\n"),
      flushPkt,
    ]);
    const words = Buffer.concat([formatBand(2, Buffer.from("ok refs/tags/x\n")), Buffer.from("0005\x01")]);
    const banded = Buffer.concat([words, formatBand(1, report), flushPkt]);
    const plain = { ...push, capabilities: new Set(["report-status"]) };
    for (const [request, bytes] of [
      [push, banded],
      [plain, report],
    ] as const) {
      for (const size of [1, 7, 1000]) {
        const { output, accepted } = filterReport(request, bytes, size);
        expect(accepted).toEqual(["refs/heads/main"]);
        expect(filterReport(request, output, 999)).toEqual({ output, accepted, withheld: [] });
        expect(output.includes("ng refs/tags/x no")).toBe(true);
      }
    }
    expect(filterReport(push, formatRefusalReport(push, "pack is damaged"), 999).accepted).toEqual([]);
  });

  test("contains no local path, wherever Git puts one", async () => {
    const push = await readPushRequest(source(pushHead, 999));
    const report = Buffer.concat([
      formatPkt("unpack cannot write /home/a/objects\n"),
      formatPkt("ng refs/heads/main cannot create 'C:\\data\\main.lock'\n"),
      flushPkt,
    ]);
    const progress =
      "Resolving deltas: 100% (3/3), 1.2 MiB | 3 MiB/s, done.\rerror: '/home/a/x.lock': exists\nhi";
    const banded = Buffer.concat([
      ...Array.from(progress, (letter) => formatBand(2, Buffer.from(letter))),
      ...[formatBand(1, report), flushPkt],
    ]);
    for (const size of [1, 1000]) {
      const { output, withheld } = filterReport(push, banded, size);
      const text = output.toString();
      expect(text).not.toMatch(/home|C:|lock/);
      expect(text).toContain("Resolving deltas: 100% (3/3), 1.2 MiB | 3 MiB/s, done.\r");
      expect(text).toContain("ng refs/heads/main failed on the host");
      expect(withheld).toHaveLength(3);
    }
  });
});

describe("paths and credentials", () => {
  test("only paths of the three forms are accepted", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("/", ".", "%", "\\", "0", "a", "é", " ", "-", "git", "?", "=", "&", "\0"),
        }),
        (text) => {
          expect(() => parseGitRoute("GET", `/git/${text}`)).toThrow(GitRefusal);
        },
      ),
      seeded,
    );
  });

  test.each([
    ["Basic", undefined],
    ["Digest x", undefined],
    ["Bearer a b", undefined],
    [`Bearer ${"x".repeat(5000)}`, undefined],
    [`Basic ${Buffer.from("no-colon").toString("base64")}`, undefined],
    [`Basic ${Buffer.from("u:").toString("base64")}`, undefined],
    [`Basic ${Buffer.from("u:a:b").toString("base64")}`, "a:b"],
    [`Basic ${Buffer.from("u:a\n").toString("base64")}`, undefined],
    ["Bearer abc%3Fexpires%3D1", "abc"],
    ["Bearer ?x", undefined],
  ])("%s contains the secret %s", (header, secret) => {
    expect(parseCredentials(header)).toBe(secret);
  });
});
