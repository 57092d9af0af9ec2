// Finding source files: folders, links, skipped names, and missing paths.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSources } from "./find-sources.ts";

async function makeFolder(files: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "echotop-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const file of files) {
    await mkdir(join(folder, file, ".."), { recursive: true });
    await writeFile(join(folder, file), "");
  }
  return folder;
}

test("a folder gives its files with GRIB2 names at all depths, and skips others", async () => {
  const folder = await makeFolder([
    "b.grib2.gz",
    "a.grib2",
    "deep/er/c.GRB2",
    "d.grb2.gz",
    "readme.txt",
    "e.grib2.idx",
    "f.gz",
  ]);
  const { files, unusable } = await findSources([folder]);
  expect(files.map(({ file }) => file)).toEqual(
    ["a.grib2", "b.grib2.gz", "d.grb2.gz", "deep/er/c.GRB2"].map((name) => join(folder, name)),
  );
  expect(files[3]).toMatchObject({ name: "c.GRB2", path: join(folder, "deep", "er", "c.GRB2") });
  expect(unusable).toEqual([]);
});

test("a named file is accepted under any name, as often as it is named", async () => {
  const folder = await makeFolder(["data.bin"]);
  const path = join(folder, "data.bin");
  const { files } = await findSources([path, path]);
  expect(files.map(({ file }) => file)).toEqual([path, path]);
});

test("a path is reported in the form it was given", async () => {
  const folder = await makeFolder(["x/a.grib2"]);
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(before);
  });
  const { files } = await findSources(["x", "x/a.grib2"]);
  expect(files.map(({ file }) => file)).toEqual([join("x", "a.grib2"), "x/a.grib2"]);
  expect(files[0]?.path).toBe(files[1]?.path);
});

test("links are followed, also to folders, and a link to a parent folder ends the walk there", async () => {
  const folder = await makeFolder(["real/a.grib2", "elsewhere/b.grib2", "elsewhere/note.txt"]);
  await symlink(join(folder, "elsewhere"), join(folder, "real", "link"));
  await symlink(join(folder, "real"), join(folder, "elsewhere", "back"));
  await symlink(join(folder, "real", "a.grib2"), join(folder, "real", "again.grib2"));
  await symlink(join(folder, "elsewhere", "note.txt"), join(folder, "real", "note"));
  const { files, unusable } = await findSources([join(folder, "real")]);
  expect(files.map(({ file }) => file)).toEqual(
    ["a.grib2", "again.grib2", "link/b.grib2"].map((name) => join(folder, "real", name)),
  );
  expect(unusable).toEqual([]);
});

test("a missing path, a dangling link and a path below a file are reported, and the other files are found", async () => {
  const folder = await makeFolder(["a.grib2"]);
  await symlink(join(folder, "gone"), join(folder, "dangling.grib2"));
  await symlink(join(folder, "gone"), join(folder, "dangling"));
  const below = join(folder, "a.grib2", "b.grib2");
  const { files, unusable } = await findSources([join(folder, "missing"), folder, below]);
  expect(files).toHaveLength(1);
  expect(unusable.map(({ file }) => file)).toEqual([
    join(folder, "missing"),
    join(folder, "dangling.grib2"),
    below,
  ]);
  for (const { error } of unusable) expect(error.message).toBe("There is no such file or folder.");
});

test.skipIf(process.platform !== "linux")("a name that is not UTF-8 is reported", async () => {
  const folder = await makeFolder(["a.grib2"]);
  const inFolder = (...name: number[]): Buffer =>
    Buffer.concat([Buffer.from(`${folder}/`), Uint8Array.from(name), Buffer.from(".grib2")]);
  await writeFile(inFolder(0x68, 0xff), "");
  await mkdir(inFolder(0xfe));
  const { files, unusable } = await findSources([folder]);
  expect(files.map(({ name }) => name)).toEqual(["a.grib2"]);
  expect(unusable.map(({ name }) => name)).toEqual(["h\uFFFD.grib2", "\uFFFD.grib2"]);
  for (const { error } of unusable) expect(error.message).toContain("is not UTF-8");
});
