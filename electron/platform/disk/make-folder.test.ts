// Creating folders with their missing parents, also concurrently; failures are reported at once.
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "./make-folder.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "echotop-folder-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test("the first missing folder is returned, and undefined if all exist", async () => {
  const root = temporaryFolder();
  expect(await makeFolder(join(root, "a", "b", "c"))).toBe(join(root, "a"));
  expect(await makeFolder(join(root, "a", "b", "d"))).toBe(join(root, "a", "b", "d"));
  expect(await makeFolder(join(root, "a", "b", "c"))).toBeUndefined();
});

test.skipIf(process.platform === "win32")("new folders have the requested mode", async () => {
  const root = temporaryFolder();
  await makeFolder(join(root, "a", "b"), 0o700);
  for (const name of ["a", "a/b"]) expect(statSync(join(root, name)).mode & 0o777).toBe(0o700);
});

test("concurrent calls for the same folder all succeed", async () => {
  const path = join(temporaryFolder(), "a", "b", "c");
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)));
  expect(statSync(path).isDirectory()).toBe(true);
});

test("a file in place of the folder or of a parent is an error", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  await expect(makeFolder(file)).rejects.toMatchObject({ code: "EEXIST" });
  // Windows reports a missing path below a file, and then the file.
  const code = process.platform === "win32" ? "EEXIST" : "ENOTDIR";
  await expect(makeFolder(join(file, "below"))).rejects.toMatchObject({ code });
});

test.skipIf(!existsSync("/proc/self"))(
  "creation fails in a place where the system allows no folders (needs /proc)",
  async () => {
    await expect(makeFolder("/proc/nowhere/below")).rejects.toMatchObject({ code: "ENOENT" });
  },
);
