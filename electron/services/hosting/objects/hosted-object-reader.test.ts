import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isArtifactsError } from "../artifacts-error.ts";
import { maxBlobBytes } from "../hosting-limits.ts";
import { createObjectReader, type ObjectReader } from "./hosted-object-reader.ts";
import {
  gitMissing,
  openWorkshop,
  type SampleRepository,
  type Workshop,
} from "../support/sample-repository.ts";

const zeros = "0".repeat(40);
const refusedAs = (code: "INVALID_INPUT" | "MEMORY_LIMIT") => (error: unknown) =>
  isArtifactsError(error, code);

describe.skipIf(gitMissing)("reading objects (needs Git)", () => {
  let workshop: Workshop;
  let reader: ObjectReader;
  let repository: SampleRepository;
  let first: string;
  let second: string;
  const bytes = Buffer.from([0, 1, 2, 0x0a, 0xff, 0x0a, 0]);

  beforeAll(async () => {
    workshop = await openWorkshop();
    reader = createObjectReader(workshop.runner);
    repository = await workshop.createRepository("sample");
    first = await repository.commit("refs/heads/main", { "pack.json": "{}\n" }, "First\n\nbody\n");
    second = await repository.commit(
      "refs/heads/main",
      { "pack.json": '{"a":1}\n', "frames/p/f.png": bytes, "frames/empty": "" },
      "Second",
    );
    await repository.git(["update-ref", "refs/heads/feature/a", first]);
    await repository.git(["tag", "-a", "-m", "marked", "v1", first]);
    await repository.git(["tag", "main", first]);
  });
  afterAll(() => workshop.close());

  const blobOf = (text: string) => repository.git(["hash-object", "--stdin"], text);
  const fileOf = (ref: string, path: string) => reader.readFile(repository.directory, { ref, path });

  test("a blob is read by hash, byte for byte", async () => {
    const file = await fileOf("main", "frames/p/f.png");
    expect(file).toMatchObject({ mode: "100644", bytes });
    expect(await reader.readBlob(repository.directory, file!.hash)).toEqual(bytes);
  });

  test("an empty blob has no bytes", async () => {
    expect((await fileOf("main", "frames/empty"))?.bytes).toHaveLength(0);
  });

  test("a missing object and one of another type are undefined", async () => {
    expect(await reader.readBlob(repository.directory, zeros)).toBeUndefined();
    expect(await reader.readBlob(repository.directory, second)).toBeUndefined();
    expect(await reader.readTree(repository.directory, second)).toBeUndefined();
    expect(await reader.readCommit(repository.directory, await blobOf("{}\n"))).toBeUndefined();
  });

  test.each(["BAD", "", "HEAD", `${zeros}0`, zeros.slice(1), "A".repeat(40), `${zeros}\n`, "--help"])(
    "%j is no hash",
    async (hash) => {
      for (const kind of ["readBlob", "readTree", "readCommit"] as const) {
        await expect(reader[kind](repository.directory, hash)).rejects.toSatisfy(refusedAs("INVALID_INPUT"));
      }
    },
  );

  test("a tree lists its entries with modes, types and the sizes of blobs", async () => {
    const commit = await reader.readCommit(repository.directory, second);
    const tree = await reader.readTree(repository.directory, commit!.treeHash);
    expect(tree).toMatchObject([
      { mode: "040000", type: "tree", name: "frames", size: undefined },
      { mode: "100644", type: "blob", name: "pack.json", size: 8, hash: await blobOf('{"a":1}\n') },
    ]);
  });

  test("a commit has its authors, times in UTC, parents and whole message", async () => {
    expect(await reader.readCommit(repository.directory, first)).toMatchObject({
      ...{ hash: first, parents: [], message: "First\n\nbody\n" },
      author: { name: "Ada", email: "ada@localhost", date: "2023-11-14T22:13:20Z" },
      committer: { name: "Grace", email: "grace@localhost", date: "2023-11-14T22:14:20Z" },
    });
    expect((await reader.readCommit(repository.directory, second))?.parents).toEqual([first]);
  });

  test("a ref may be HEAD, a branch, a tag, a whole name or a commit; branches precede tags", async () => {
    for (const ref of ["HEAD", "main", "refs/heads/main", second]) {
      expect((await fileOf(ref, "pack.json"))?.bytes.toString()).toBe('{"a":1}\n');
    }
    for (const ref of ["feature/a", "v1", "refs/tags/v1", "refs/tags/main", first]) {
      expect((await fileOf(ref, "pack.json"))?.bytes.toString()).toBe("{}\n");
    }
  });

  test.each([
    ...[
      "none",
      "feature",
      "-x",
      "--output=x",
      "main~1",
      "main^",
      "main@{0}",
      "@",
      ":/First",
      "main:pack.json",
    ],
    ...["", "ma*", "[m]ain", "../heads/main", "heads/main", "main\n", "x\0", "\ud800", zeros],
    ...["main-1-gdeadbeef", "FETCH_HEAD", "config"],
  ])("%j is not a ref", async (ref) => {
    expect(await fileOf(ref, "pack.json")).toBeUndefined();
    expect(await reader.log(repository.directory, { ref, limit: 1, offset: 0 })).toBeUndefined();
  });

  test("a description that ends in a real commit's hash is not a ref", async () => {
    expect(await fileOf(`main-1-g${first.slice(0, 10)}`, "pack.json")).toBeUndefined();
  });

  test.each([
    ...[
      "",
      "/",
      "/pack.json",
      "pack.json/",
      "frames//p",
      "./pack.json",
      "../pack.json",
      "frames/../pack.json",
    ],
    ...["frames", "frames/p", "pack.json/x", "none", "PACK.JSON", "pack.json\0", ":(top)pack.json", "*.json"],
  ])("%j is not a file", async (path) => {
    expect(await fileOf("main", path)).toBeUndefined();
  });

  test("a symbolic link is its own text; a submodule is not a file", async () => {
    const text = await repository.git(["hash-object", "-w", "--stdin"], "../../etc/passwd");
    const tree = await repository.git(["mktree"], `120000 blob ${text}\tlink\n160000 commit ${first}\tsub\n`);
    const commit = await repository.git(["commit-tree", tree], "links");
    expect((await fileOf(commit, "link"))?.bytes.toString()).toBe("../../etc/passwd");
    expect(await fileOf(commit, "sub")).toBeUndefined();
    expect(await fileOf(commit, "link/x")).toBeUndefined();
    expect(await reader.readTree(repository.directory, tree)).toMatchObject([
      { mode: "120000", type: "blob", size: 16 },
      { mode: "160000", type: "commit", size: undefined },
    ]);
  });

  test("a combined ref and path are split after the longest ref that exists", async () => {
    const read = async (refPath: string) =>
      (await reader.readRefPath(repository.directory, refPath))?.bytes.toString();
    expect(await read("feature/a/pack.json")).toBe("{}\n");
    expect(await read("main/pack.json")).toBe('{"a":1}\n');
    expect(await read("refs/heads/feature/a/pack.json")).toBe("{}\n");
    expect(await read("HEAD/pack.json")).toBe('{"a":1}\n');
    expect(await read(`${first}/pack.json`)).toBe("{}\n");
    for (const none of ["main", "main/", "main/frames", "feature/pack.json", "main/../x", "", "/", "x/y"]) {
      expect(await read(none), none).toBeUndefined();
    }
  });

  test("the log lists first parents, newest first, by limit and offset", async () => {
    const side = await repository.git(["commit-tree", "-p", first, `${first}^{tree}`], "side");
    const merge = await repository.git(
      ["commit-tree", "-p", second, "-p", side, `${second}^{tree}`],
      "merge",
    );
    await repository.git(["update-ref", "refs/heads/merged", merge]);
    const log = async (limit: number, offset: number) =>
      (await reader.log(repository.directory, { ref: "merged", limit, offset }))?.map(({ hash }) => hash);
    expect(await log(1000, 0)).toEqual([merge, second, first]);
    expect(await log(1, 1)).toEqual([second]);
    expect(await log(5, 3)).toEqual([]);
  });

  test.each([
    [0, 0],
    [1001, 0],
    [1.5, 0],
    [1, -1],
    [1, 2 ** 40],
    [Number.NaN, 0],
  ])("a limit of %d at offset %d is refused", async (limit, offset) => {
    await expect(reader.log(repository.directory, { ref: "main", limit, offset })).rejects.toSatisfy(
      refusedAs("INVALID_INPUT"),
    );
  });

  test("a repository without commits has an empty log and no files", async () => {
    const { directory } = await workshop.createRepository("empty");
    expect(await reader.log(directory, { ref: "HEAD", limit: 5, offset: 0 })).toEqual([]);
    expect(await reader.log(directory, { ref: "main", limit: 5, offset: 0 })).toBeUndefined();
    expect(await reader.readFile(directory, { ref: "HEAD", path: "a" })).toBeUndefined();
  });

  test("a pushed replacement ref changes no read by hash", async () => {
    const blob = await repository.git(["hash-object", "-w", "--stdin"], "true");
    const other = await repository.git(["hash-object", "-w", "--stdin"], "false");
    await repository.git(["update-ref", `refs/replace/${blob}`, other]);
    expect((await reader.readBlob(repository.directory, blob))?.toString()).toBe("true");
  });

  test("a blob above the limit is refused before it is read", async () => {
    const big = await repository.git(["hash-object", "-w", "--stdin"], Buffer.alloc(maxBlobBytes + 1));
    await expect(reader.readBlob(repository.directory, big)).rejects.toSatisfy(refusedAs("MEMORY_LIMIT"));
    const most = await repository.git(["hash-object", "-w", "--stdin"], Buffer.alloc(maxBlobBytes, 7));
    expect(await reader.readBlob(repository.directory, most)).toHaveLength(maxBlobBytes);
  });

  test("an aborted read rejects with the reason and leaves nothing running", async () => {
    const stop = new AbortController();
    const reading = reader.readBlob(repository.directory, zeros, stop.signal);
    stop.abort(new Error("gone"));
    await expect(reading).rejects.toThrow("gone");
    await expect(reader.readBlob(repository.directory, zeros, stop.signal)).rejects.toThrow("gone");
  });

  test("concurrent reads do not mix their results", async () => {
    const texts = Array.from({ length: 12 }, (_, index) => `content ${index}`);
    const hashes = await Promise.all(
      texts.map((text) => repository.git(["hash-object", "-w", "--stdin"], text)),
    );
    const read = await Promise.all(hashes.map((hash) => reader.readBlob(repository.directory, hash)));
    expect(read.map(String)).toEqual(texts);
  });
});
