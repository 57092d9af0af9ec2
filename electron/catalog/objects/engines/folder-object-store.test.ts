import { writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFolderObjectStore } from "./folder-object-store.ts";
import { testManyObjects, testObjectStore } from "../support/object-store-contract.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "echotop-objects-"));
});
afterAll(() => rm(folder, { recursive: true }));

const open = (): ReturnType<typeof createFolderObjectStore> =>
  createFolderObjectStore({ folder: join(folder, "a", "b") });

testObjectStore(open);
testManyObjects(open);

test("nothing stays in the staging folder", async () => {
  await open().put("frames/aa/x", Buffer.from("x"));
  expect(await readdir(join(folder, "a", "b", "staging"))).toEqual([]);
});

test("a damaged key does not lead out of the folder", async () => {
  for (const key of ["../x", "frames/../../x", "/etc/passwd", "frames//x", ""]) {
    await expect(open().get(key)).rejects.toMatchObject({ code: "stored-data-invalid" });
  }
});

test("a disk error is reported as storage-failed without naming a path", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const store = createFolderObjectStore({ folder: file });
  const put = (): Promise<void> => store.put("frames/aa/x", Buffer.from("x"));
  for (const attempt of [() => store.prepare(), () => store.check(), put]) {
    await expect(attempt()).rejects.toMatchObject({
      code: "storage-failed",
      detail: expect.not.stringContaining(folder) as string,
    });
  }
});

test("a folder that no migration has prepared is refused: its disk may not be mounted", async () => {
  const store = createFolderObjectStore({ folder: join(folder, "unmounted") });
  await expect(store.check()).rejects.toMatchObject({
    code: "storage-failed",
    message:
      "The folder of `objects.url` is missing; mount it on this machine, or run `echotop migrate` if it is new.",
  });
  expect(await readdir(folder)).not.toContain("unmounted");
});
