import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isArtifactsError } from "../artifacts-error.ts";
import {
  gitMissing,
  openWorkshop,
  type SampleRepository,
  type Workshop,
} from "../support/sample-repository.ts";
import { createTransfer } from "./transfer.ts";
import type { Transfer } from "./transfer.ts";

describe.skipIf(gitMissing)("fork of a local repository (needs Git)", () => {
  let workshop: Workshop;
  let transfer: Transfer;
  let original: SampleRepository;
  let target: SampleRepository;
  let made = 0;
  const { signal } = new AbortController();

  beforeAll(async () => {
    workshop = await openWorkshop();
    transfer = createTransfer({
      ...{ runner: workshop.runner, importAllow: [], importCaFile: undefined, maxPackBytes: 1024 * 1024 },
    });
    original = await workshop.createRepository("original", "trunk");
    for (const text of ["one", "two"]) {
      await original.commit("refs/heads/trunk", { "pack.json": text });
      await original.git(["tag", "-a", "-m", text, `rev/${text}`, "refs/heads/trunk"]);
    }
    await original.commit("refs/heads/-side", { "side.txt": "x" });
    await original.git(["update-ref", "refs/tags/side-tag", "refs/heads/-side"]);
    await original.git(["update-ref", "refs/notes/x", "refs/heads/-side"]);
  });
  afterAll(() => workshop.close());
  beforeEach(async () => {
    made += 1;
    target = await workshop.createRepository(`target-${made}`);
  });

  const refNames = (repository: SampleRepository) => repository.git(["for-each-ref", "--format=%(refname)"]);

  test("by default, only the default branch and the tags on it are copied", async () => {
    const forked = await transfer.fork(original.directory, target.directory, {}, signal);
    expect(forked).toEqual({ objects: 8, defaultBranch: "trunk" });
    expect(await refNames(target)).toBe("refs/heads/trunk\nrefs/tags/rev/one\nrefs/tags/rev/two");
    expect(await target.git(["rev-parse", "refs/heads/trunk"])).toBe(
      await original.git(["rev-parse", "refs/heads/trunk"]),
    );
  });

  test("on request, all branches and tags are copied, and no other refs", async () => {
    await transfer.fork(original.directory, target.directory, { defaultBranchOnly: false }, signal);
    expect((await refNames(target)).split("\n").sort()).toEqual(
      [
        "refs/heads/-side",
        "refs/heads/trunk",
        "refs/tags/rev/one",
        "refs/tags/rev/two",
        "refs/tags/side-tag",
      ].sort(),
    );
  });

  test("a fork outlives its original: it borrows no objects and shares no file", async () => {
    const doomed = await workshop.createRepository("doomed");
    await doomed.commit("refs/heads/main", { "a.txt": "kept" });
    await doomed.git(["repack", "-adq"]);
    await transfer.fork(doomed.directory, target.directory, {}, signal);
    expect(await readdir(join(target.directory, "objects", "info"))).not.toContain("alternates");
    const packs = join(target.directory, "objects", "pack");
    for (const name of await readdir(packs)) expect((await stat(join(packs, name))).nlink).toBe(1);
    await rm(doomed.directory, { recursive: true });
    expect(await target.git(["cat-file", "-p", "refs/heads/main:a.txt"])).toBe("kept");
    expect(await target.git(["fsck", "--strict"])).toBe("");
  });

  test("an empty repository forks to an empty one with the same default branch", async () => {
    const empty = await workshop.createRepository("empty", "later");
    expect(await transfer.fork(empty.directory, target.directory, {}, signal)).toEqual({
      ...{ objects: 0, defaultBranch: "later" },
    });
    expect(await refNames(target)).toBe("");
  });

  test("a shallow history stays shallow", async () => {
    const cut = await workshop.createRepository("cut", "trunk");
    await cut.git([
      ...["-c", "protocol.file.allow=always", "fetch", "-q", "--depth=1", `file://${original.directory}`],
      "refs/heads/trunk:refs/heads/trunk",
    ]);
    await transfer.fork(cut.directory, target.directory, {}, signal);
    expect(await target.git(["rev-list", "--count", "refs/heads/trunk"])).toBe("1");
    expect(await target.git(["fsck", "--strict"])).toBe("");
  });

  test("objects that a push would refuse are not copied", async () => {
    const hostile = await workshop.createRepository("hostile");
    const blob = await hostile.git(["hash-object", "-w", "--stdin"], "x");
    const raw = Buffer.concat([Buffer.from("100644 .GIT\0"), Buffer.from(blob, "hex")]);
    const tree = await hostile.git(["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], raw);
    await hostile.git(["update-ref", "refs/heads/main", await hostile.git(["commit-tree", tree], "m")]);
    await expect(transfer.fork(hostile.directory, target.directory, {}, signal)).rejects.toSatisfy((error) =>
      isArtifactsError(error, "INTERNAL_ERROR"),
    );
    expect(await refNames(target)).toBe("");
  });

  test("an aborted fork rejects with the reason", async () => {
    const stop = new AbortController();
    const forking = transfer.fork(original.directory, target.directory, {}, stop.signal);
    stop.abort(new Error("deleted meanwhile"));
    await expect(forking).rejects.toThrow("deleted meanwhile");
  });
});
