import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArtifactsError } from "../artifacts-error.ts";
import { isRefName } from "../names.ts";
import { OutputReader, parseObjectHeader, parseSizes } from "./cat-file.ts";
import { parseCommit, parseTree } from "./object-parsers.ts";
import { parseRefs, toWholeRefs } from "./resolve-ref.ts";

const seeded = { seed: 20_261_121, numRuns: 500 };
const hash = createHash("sha1").update("x").digest("hex");

/** Accepts a result or the domain's own error, never another error. */
function settles(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    expect(error).toSatisfy((each) => isArtifactsError(each, "INTERNAL_ERROR"));
  }
}

const entry = fc.record({
  mode: fc.constantFrom("100644", "100755", "40000", "120000", "160000"),
  name: fc
    .uint8Array({ minLength: 1, maxLength: 12 })
    .map((bytes) => Buffer.from(bytes.map((byte) => (byte === 0 || byte === 0x2f ? 0x41 : byte)))),
  hash: fc.uint8Array({ minLength: 20, maxLength: 20 }),
});
const toTree = (entries: readonly { mode: string; name: Buffer; hash: Uint8Array }[]): Buffer =>
  Buffer.concat(
    entries.flatMap((each) => [
      Buffer.from(`${each.mode} `),
      each.name,
      Buffer.of(0),
      Buffer.from(each.hash),
    ]),
  );

describe("trees", () => {
  test("any written tree is read back", () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const read = parseTree(toTree(entries));
        expect(read.map((each) => [each.mode, each.name.toString("hex"), each.hash])).toEqual(
          entries.map((each) => [
            each.mode.padStart(6, "0"),
            each.name.toString("hex"),
            Buffer.from(each.hash).toString("hex"),
          ]),
        );
      }),
      seeded,
    );
  });

  test("a tree cut at any byte is refused, except between entries", () => {
    const tree = toTree([
      { mode: "100644", name: Buffer.from("a"), hash: new Uint8Array(20).fill(9) },
      { mode: "40000", name: Buffer.from("b"), hash: new Uint8Array(20).fill(9) },
    ]);
    const readable = Array.from({ length: tree.length + 1 }, (_, end) => end).filter((end) => {
      try {
        parseTree(tree.subarray(0, end));
        return true;
      } catch {
        return false;
      }
    });
    expect(readable).toEqual([0, 29, tree.length]);
  });

  test("any bytes yield entries or the domain's error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        settles(() => parseTree(Buffer.from(bytes)));
      }),
      seeded,
    );
  });

  test.each(["10 a", "1006441 a", "100644 a/b", "abc a", "100644 "])("%j is not an entry", (text) => {
    expect(() => parseTree(Buffer.concat([Buffer.from(`${text}\0`), Buffer.alloc(20)]))).toThrow(/tree/);
  });
});

describe("commits", () => {
  const base = `tree ${hash}\nparent ${hash}\nauthor A <a@b> 1 +0000\ncommitter C <c@d> 2 +0000\n`;

  test("continuation lines and repeated headers do not change the commit", () => {
    const text = `${base}gpgsig -----BEGIN\n author X <x@y> 9 +0000\n -----END\nparent ${"1".repeat(40)}\n\nauthor Z <z@z> 3 +0000\n`;
    expect(parseCommit(hash, Buffer.from(text))).toMatchObject({
      parents: [hash],
      author: { name: "A", email: "a@b", date: "1970-01-01T00:00:01Z" },
      message: "author Z <z@z> 3 +0000\n",
    });
  });

  test("an invalid time is null, and a person without brackets is the whole text", () => {
    const read = (author: string) =>
      parseCommit(hash, Buffer.from(`tree ${hash}\nauthor ${author}\n\n`)).author;
    expect(read("A <a@b> 999999999999999 +0000").date).toBeNull();
    expect(read("A <a@b> -5 +0000").date).toBeNull();
    expect(read("A <a@b>").date).toBeNull();
    expect(read("nobody")).toEqual({ name: "nobody", email: "", date: null });
    expect(read("\u001b[31mA <a\u0007@b> 1 +0000")).toMatchObject({
      name: "\u001b[31mA",
      email: "a\u0007@b",
    });
  });

  test("a supported encoding is used; otherwise UTF-8 with replacements", () => {
    const withEncoding = (label: string) =>
      parseCommit(hash, Buffer.from(`${base}encoding ${label}\n\nh\u00e9`, "latin1")).message;
    expect(withEncoding("ISO-8859-1")).toBe("hé");
    expect(withEncoding("no-such")).toBe("h\ufffd");
  });

  test("any mutation yields a commit or the domain's error", () => {
    const bytes = Buffer.from(`${base}encoding utf-16\n\nmessage`);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.uint8Array({ maxLength: 6 }), (at, patch) => {
        const changed = Buffer.concat([bytes.subarray(0, at), patch, bytes.subarray(at + patch.length)]);
        settles(() => parseCommit(hash, changed));
      }),
      seeded,
    );
  });
});

describe("Git's output", () => {
  test("lines and byte runs are the same for any chunking", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 64 }),
        fc.array(fc.nat(120), { maxLength: 20 }),
        async (content, cuts) => {
          const bytes = Buffer.concat([
            Buffer.from(`${hash} blob ${content.length}\n`),
            content,
            Buffer.from("\n"),
          ]);
          const marks = [
            0,
            ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
            bytes.length,
          ];
          const chunks = marks.slice(1).map((mark, index) => bytes.subarray(marks[index], mark));
          const output = new OutputReader(iterate(chunks));
          expect(parseObjectHeader((await output.readLine())!)).toEqual({
            ...{ hash, type: "blob", size: content.length },
          });
          expect([...(await output.readBytes(content.length))]).toEqual([...content]);
          expect(await output.readLine()).toBe("");
          expect(await output.readLine()).toBeUndefined();
        },
      ),
      { ...seeded, numRuns: 200 },
    );
  });

  test("output that ends early and an endless line are errors", async () => {
    await expect(new OutputReader(iterate([Buffer.from("ab")])).readBytes(3)).rejects.toThrow(/output/);
    await expect(new OutputReader(iterate([Buffer.alloc(9000, 65)])).readLine()).rejects.toThrow(/line/);
    expect(await new OutputReader(iterate([Buffer.from("cut")])).readLine()).toBeUndefined();
  });

  test("a header is an object, a missing one, or the domain's error", () => {
    expect(parseObjectHeader(`${hash} missing`)).toBeUndefined();
    expect(parseObjectHeader("refs/heads/x^{commit} missing")).toBeUndefined();
    expect(() => parseObjectHeader(`${hash} blob -1`)).toThrow(/header/);
    expect(() => parseObjectHeader(`${hash} blob 99999999999999999999`)).toThrow(/header/);
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (line) => {
        settles(() => parseObjectHeader(line));
        settles(() => parseRefs(line));
        settles(() => parseSizes(line));
      }),
      seeded,
    );
  });
});

describe("ref names", () => {
  test.each(["main", "feature/a", "-x", "--output=x", "rev/1", "é", "a@b", "refs/heads/main", "]!"])(
    "%j may name one",
    (name) => {
      expect(isRefName(name)).toBe(true);
    },
  );

  test.each([
    ...[
      "",
      "@",
      "/",
      "a/",
      "/a",
      "a//b",
      ".a",
      "a/.b",
      "a..b",
      "a.lock",
      "a.lock/b",
      "a.",
      "a b",
      "a~1",
      "a^",
    ],
    ...["a:b", "a?", "a*", "a[b", "a\\b", "a@{1}", "a\n", "a\0", "\x7f", "\ud800", "x".repeat(251)],
  ])("%j may not", (name) => {
    expect(isRefName(name)).toBe(false);
    expect(toWholeRefs(name)).toEqual([]);
  });
});

async function* iterate(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
  return Promise.resolve();
}
