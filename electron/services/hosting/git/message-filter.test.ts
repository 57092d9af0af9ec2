import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flushPkt, formatBand, formatPkt } from "../../../sharing/git/pkt-line.ts";
import { createFetchFilter, filterMessage } from "./message-filter.ts";

function filterFetch(bytes: Buffer, size: number) {
  const withheld: string[] = [];
  const filter = createFetchFilter((message) => withheld.push(message));
  const sent: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) sent.push(...filter.read(bytes.subarray(at, at + size)));
  return { output: Buffer.concat([...sent, filter.end()]), withheld };
}

const pack = Buffer.from(`PACK${"/data/x ERR ".repeat(20_000)}`);
const start = Buffer.concat([formatPkt("NAK\n"), formatPkt(`ACK ${"a".repeat(40)} common\n`)]);

describe("Git's messages", () => {
  test.each([
    "Enumerating objects: 5, done.",
    "Receiving objects: 100% (5/5), 1.20 MiB | 3.00 MiB/s, done.",
    "cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists; cannot create 'refs/heads/a/b'",
    "fatal: pack exceeds maximum allowed size (7.63 MiB)",
    `error: object ${"a".repeat(40)}: hasDotgit: contains '.git'`,
  ])("%j passes", (message) => {
    const withheld: string[] = [];
    expect(filterMessage(message, (text) => withheld.push(text))).toBe(message);
    expect(withheld).toEqual([]);
  });

  test.each([
    "Unable to create '/tmp/a.git/./refs/heads/a.lock': File exists.",
    "cannot open refs/heads/a: /srv/a",
    "unexpected line in ./packed-refs: x",
    "cannot open 'C:\\Users\\ada\\a.git'",
    "cannot open D:/a.git",
    "/refs/heads",
    "error: refs/heads/x:/root/secret",
    "error: refs/heads/a|C:/Users",
    "red \u001b[31m",
  ])("%j does not pass", (message) => {
    const withheld: string[] = [];
    expect(filterMessage(message, (text) => withheld.push(text))).toBe(
      "failed on the host, whose log says why",
    );
    expect(withheld).toEqual([message]);
  });
});

describe("the answer to a fetch", () => {
  test.each([
    ["with side bands", Buffer.concat([start, formatBand(1, pack), formatPkt("\u0001"), flushPkt])],
    ["without side bands", Buffer.concat([start, pack])],
    ["of version 2", Buffer.concat([formatPkt("packfile\n"), formatBand(1, pack), Buffer.from("00010002")])],
    ["with progress", Buffer.concat([start, formatBand(2, Buffer.from("Counting: 1% (1/9)\r")), flushPkt])],
  ])("%s passes unchanged, in pieces of any size", (_, bytes) => {
    for (const size of [1, 5, 4096, bytes.length]) {
      expect(filterFetch(bytes, size)).toEqual({ output: bytes, withheld: [] });
    }
    // Without a copy.
    expect(createFetchFilter(() => undefined).read(bytes)[0]?.buffer).toBe(bytes.buffer);
  });

  test("contains no local path in progress, failures and errors", () => {
    const message = "fatal: packfile /srv/a.git/objects/pack/x.pack cannot be accessed";
    const bytes = Buffer.concat([
      ...[start, formatBand(1, pack.subarray(0, 99))],
      ...[formatBand(2, Buffer.from(message.slice(0, 20))), formatBand(2, Buffer.from(message.slice(20)))],
      ...[flushPkt, formatBand(3, Buffer.from(message)), formatPkt(`ERR ${message}`)],
    ]);
    for (const size of [1, 1000]) {
      const { output, withheld } = filterFetch(bytes, size);
      expect(output.toString("latin1")).not.toMatch(/srv|objects/);
      expect(output.toString("latin1")).toMatch(/ERR failed on the host[^\n]*\n$/);
      expect(withheld).toEqual([message, message, message]);
    }
  });

  test("any bytes are filtered without an error, and cut packets are dropped", () => {
    const cut = Buffer.concat([start, formatBand(2, Buffer.from("/srv/a.git\n"))]).subarray(0, -3);
    expect(filterFetch(cut, 7).output).toEqual(start);
    const letters = fc.constantFrom(
      "0",
      "1",
      "5",
      "a",
      "\u0001",
      "\u0002",
      "\u0003",
      "E",
      "ERR ",
      "P",
      "\n",
      "/",
    );
    const text = fc.string({ unit: letters, maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (raw, size) => {
        const whole = filterFetch(Buffer.from(raw), 99).output.toString();
        expect(filterFetch(Buffer.from(raw), size).output.toString().replaceAll("0005\u0002", "")).toBe(
          whole.replaceAll("0005\u0002", ""),
        );
      }),
      { seed: 20261122, numRuns: 500 },
    );
  });
});
