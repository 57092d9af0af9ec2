import { expect, test } from "vitest";
import { createBindings } from "./binding.ts";
import type { CommitRecord } from "./objects/object-parsers.ts";
import type { ObjectReader } from "./objects/hosted-object-reader.ts";
import { toRemote } from "./git/git-route.ts";
import { openTestRepositories } from "./support/open-repositories.ts";

const origin = "http://127.0.0.1:47801";
const hash = "a".repeat(40);
const commit: CommitRecord = {
  hash,
  treeHash: hash,
  parents: [],
  author: { name: "A", email: "a@host.example", date: null },
  committer: { name: "A", email: "a@host.example", date: null },
  message: "First",
};

/** Knows one blob, one file and one commit, and records its calls. */
function createScriptedReader(): { readonly objects: ObjectReader; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const bytes = Buffer.from("content");
  const answer = <Value>(value: Value, ...question: unknown[]): Promise<Value> => {
    asked.push(question);
    return Promise.resolve(value);
  };
  const objects: ObjectReader = {
    readBlob: (directory, of) => answer(of === hash ? bytes : undefined, directory, of),
    readTree: (directory, of) => answer(of === hash ? [] : undefined, directory, of),
    readCommit: (directory, of) => answer(of === hash ? commit : undefined, directory, of),
    readFile: (directory, query) =>
      answer(query.path === "pack.json" ? { hash, mode: "100644", bytes } : undefined, directory, query),
    readRefPath: (directory, refPath) => answer(undefined, directory, refPath),
    log: (directory, query) => answer(query.ref === "HEAD" ? [commit] : undefined, directory, query),
  };
  return { objects, asked };
}

async function openBindings(compatibilityDate = "2026-11-20") {
  const hosting = await openTestRepositories();
  const reader = createScriptedReader();
  const entries = [
    { binding: "PACKS", namespace: "events" },
    { binding: "SAME", namespace: "events" },
    { binding: "OTHER", namespace: "other" },
  ];
  const bindings = createBindings(entries, {
    repositories: hosting.repositories,
    objects: reader.objects,
    toRemote: (repository) => toRemote(origin, repository),
    compatibilityDate,
  });
  return { ...hosting, ...reader, bindings, packs: bindings.PACKS! };
}

test("bindings of one namespace share its repositories, and no other binding sees them", async () => {
  const { bindings, packs, repositories } = await openBindings();
  const created = await packs.create("ev-a", {
    description: "One",
    setDefaultBranch: "trunk",
    readOnly: true,
  });
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{16}$/) as string,
    name: "ev-a",
    description: "One",
    defaultBranch: "trunk",
    remote: `${origin}/git/events/ev-a.git`,
    token: expect.stringMatching(/^art_v1_/) as string,
  });
  expect(await repositories.authorizeGit("events", "ev-a", created.token)).toBeDefined();
  const handle = await bindings.SAME!.get("EV-A");
  const { token: secret, ...rest } = created;
  expect(secret).not.toBe("");
  expect(await handle.info()).toMatchObject({ ...rest, readOnly: true, lastPushAt: null, source: null });
  expect(await handle.info()).not.toHaveProperty("namespace");
  await expect(bindings.OTHER!.get("ev-a")).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(Object.isFrozen(bindings)).toBe(true);
});

test("missing repositories and invalid arguments have error codes", async () => {
  const { packs } = await openBindings();
  await expect(packs.get("none")).rejects.toMatchObject({
    name: "ArtifactsError",
    code: "NOT_FOUND",
    numericCode: 10_200,
  });
  expect(await packs.delete("none")).toBe(false);
  for (const limit of [0, 201, "2" as unknown as number]) {
    await expect(packs.list({ limit })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  }
  await expect(packs.create(5 as unknown as string)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(packs.create("con")).rejects.toMatchObject({ code: "INVALID_REPO_NAME" });
  const noTarget = { source: { url: "https://host.example/a" } } as unknown as Parameters<
    typeof packs.import
  >[0];
  await expect(packs.import(noTarget)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "The field target is missing.",
  });
});

test("lists return pages without remotes", async () => {
  const { packs } = await openBindings();
  for (const name of ["a", "b", "c"]) await packs.create(name);
  const first = await packs.list({ limit: 2 });
  expect(first).toMatchObject({ total: 3, cursor: expect.any(String) as string });
  const second = await packs.list({ limit: 2, cursor: first.cursor });
  expect(second).not.toHaveProperty("cursor");
  expect([...first.repos, ...second.repos].map(({ name }) => name).sort()).toEqual(["a", "b", "c"]);
  expect(second.repos[0]).not.toHaveProperty("remote");
});

test("a handle creates, lists and revokes only the tokens of its own repository", async () => {
  const { packs, repositories } = await openBindings();
  const { token: first } = await packs.create("ev");
  const other = await packs.create("other");
  const handle = await packs.get("ev");
  const read = await handle.createToken("read", 60);
  expect(read).toMatchObject({ scope: "read", expiresAt: "2026-11-20T12:01:00.000Z" });
  expect(await handle.createToken()).toMatchObject({ scope: "write", expiresAt: "2026-11-21T12:00:00.000Z" });
  expect(await handle.listTokens()).toMatchObject({ total: 3, tokens: [{}, {}, {}] });
  expect(await handle.revokeToken(other.token)).toBe(false);
  expect(await handle.revokeToken(first)).toBe(true);
  expect(await handle.revokeToken(read.id)).toBe(true);
  expect(await handle.revokeToken(read.id)).toBe(false);
  expect(await repositories.authorizeGit("events", "ev", first)).toBeUndefined();
  await expect(handle.createToken("admin" as "read")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(handle.createToken("read", 1)).rejects.toMatchObject({ code: "INVALID_TTL" });
});

test("objects are read from the repository's folder, and missing ones are null", async () => {
  const { packs, repositories, asked } = await openBindings();
  await packs.create("ev");
  const handle = await packs.get("ev");
  const directory = repositories.directoryOf((await repositories.find("events", "ev"))!);
  const missing = "0".repeat(40);
  expect(await (await handle.readBlob(hash))?.text()).toBe("content");
  expect(await handle.readBlob(missing)).toBeNull();
  expect([await handle.readTree(hash), await handle.readTree(missing)]).toEqual([[], null]);
  expect([await handle.readCommit(hash), await handle.readCommit(missing)]).toEqual([commit, null]);
  expect(await (await handle.readFile({ path: "pack.json" }))?.text()).toBe("content");
  expect(await handle.readFile({ ref: "main", path: "none" })).toBeNull();
  expect([await handle.log(), await handle.log({ ref: "none", limit: 1 })]).toEqual([[commit], null]);
  expect(asked.at(-2)).toEqual([directory, { ref: "HEAD", limit: 50, offset: 0 }]);
  expect(asked.at(-1)).toEqual([directory, { ref: "none", limit: 1, offset: 0 }]);
  expect(asked.at(6)).toEqual([directory, { ref: "HEAD", path: "pack.json" }]);
});

test("forks and imports return the new repository and its token", async () => {
  const { packs } = await openBindings();
  await packs.create("ev");
  const fork = await (await packs.get("ev")).fork("copy", { description: "Copy" });
  expect(fork).toMatchObject({ name: "copy", description: "Copy", objects: 7 });
  const target = { name: "got", opts: { readOnly: true } };
  const imported = await packs.import({ source: { url: "https://host.example/a.git" }, target });
  expect(imported).toMatchObject({ name: "got", remote: `${origin}/git/events/got.git` });
  expect(await (await packs.get("got")).info()).toMatchObject({
    readOnly: true,
    source: "git:https://host.example/a.git",
  });
});

test("a handle of a deleted repository does not open a new one of the same name", async () => {
  const { packs } = await openBindings();
  await packs.create("ev");
  const handle = await packs.get("ev");
  expect(await packs.delete("EV")).toBe(true);
  await packs.create("ev");
  for (const refused of [handle.info(), handle.createToken(), handle.readBlob(hash), handle.fork("copy")]) {
    await expect(refused).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test("a handle has fields for compatibility dates before info() replaced them", async () => {
  const old = await openBindings("2026-11-19");
  await old.packs.create("ev");
  expect(await old.packs.get("ev")).toMatchObject({ name: "ev", remote: `${origin}/git/events/ev.git` });
  const present = await openBindings("2026-11-20");
  await present.packs.create("ev");
  expect(await present.packs.get("ev")).not.toHaveProperty("name");
});

test.each([
  [[{ binding: "A", namespace: "../x" }], "namespace"],
  [
    [
      { binding: "A", namespace: "a" },
      { binding: "A", namespace: "b" },
    ],
    "two bindings of the name A",
  ],
])("entries of %j are refused", async (entries, sentence) => {
  const { repositories, objects } = await openBindings();
  expect(() =>
    createBindings(entries, {
      repositories,
      objects,
      toRemote: () => "",
      compatibilityDate: "2026-11-20",
    }),
  ).toThrow(sentence);
});
