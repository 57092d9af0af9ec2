import { mkdtemp, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { replaceFile, replaceFileSync, writeNewFile, writeThenRename } from "./replace-file.ts";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "echotop-replace-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("new content replaces the old, readable by its owner only, and leaves no other file", async () => {
  const folder = await makeFolder();
  const path = join(folder, "inner", "settings.json");
  await replaceFile(path, "old");
  await replaceFile(path, "new");
  expect(await readFile(path, "utf8")).toBe("new");
  expect(await readdir(join(folder, "inner"))).toEqual(["settings.json"]);
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a failed replacement leaves no other file", async () => {
  const folder = await makeFolder();
  const path = join(folder, "taken");
  await mkdir(join(path, "full"), { recursive: true });
  await expect(replaceFile(path, "text")).rejects.toThrow();
  expect(await readdir(folder)).toEqual(["taken"]);
});

test("a staged file is renamed, with the given permissions", async () => {
  const folder = await makeFolder();
  const path = join(folder, "object");
  await writeThenRename(path, Buffer.from([1, 2]), { staged: join(folder, "tmp"), mode: 0o640 });
  await replaceFile(path, Buffer.from([3]), { mode: 0o640, isDurable: false });
  expect([...(await readFile(path))]).toEqual([3]);
  expect(await readdir(folder)).toEqual(["object"]);
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o640);
});

test("a new file never overwrites another", async () => {
  const path = join(await makeFolder(), "frame.png");
  await writeNewFile(path, "first");
  await expect(writeNewFile(path, "second")).rejects.toMatchObject({ code: "EEXIST" });
  expect(await readFile(path, "utf8")).toBe("first");
});

test("a small file is written atomically into a folder that was missing", async () => {
  const folder = join(await makeFolder(), "window");
  replaceFileSync(join(folder, "state.json"), "old");
  replaceFileSync(join(folder, "state.json"), "new");
  expect(await readFile(join(folder, "state.json"), "utf8")).toBe("new");
  expect(await readdir(folder)).toEqual(["state.json"]);
});
