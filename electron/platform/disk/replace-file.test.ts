import { mkdtemp, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { replaceFile } from "./replace-file.ts";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "echotop-replace-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("the new text stands in place of the old one, readable by its owner alone, with nothing beside it", async () => {
  const folder = await makeFolder();
  const path = join(folder, "inner", "settings.json");
  await replaceFile(path, "old");
  await replaceFile(path, "new");
  expect(await readFile(path, "utf8")).toBe("new");
  expect(await readdir(join(folder, "inner"))).toEqual(["settings.json"]);
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a file that cannot be replaced leaves nothing behind", async () => {
  const folder = await makeFolder();
  const path = join(folder, "taken");
  await mkdir(join(path, "full"), { recursive: true });
  await expect(replaceFile(path, "text")).rejects.toThrow();
  expect(await readdir(folder)).toEqual(["taken"]);
});
