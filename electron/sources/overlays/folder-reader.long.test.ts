// A watched folder: its newest files of a supported form, each only when it is whole.
import { execFileSync } from "node:child_process";
import { appendFile, link, mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { overlayLimits } from "../../../shared/overlays/overlay.ts";
import { temporaryDirectory } from "../../catalog/support/drafts.ts";
import { createSystemEffects } from "../../platform/effects.ts";
import { startFolderReader } from "./folder-reader.ts";

const patience = { timeout: 20_000 };

async function open(newest: number | null = null, prepare?: (folder: string) => Promise<unknown>) {
  const folder = join(await temporaryDirectory(), "overlays");
  await mkdir(folder);
  await prepare?.(folder);
  const { now, sleep } = createSystemEffects();
  const logged: string[] = [];
  const log = (_level: string, message: string): void => void logged.push(message);
  const reader = startFolderReader("Mine", { kind: "folder", path: folder, newest }, { now, sleep, log });
  onTestFinished(reader.close);
  const contents = (): Record<string, string> =>
    Object.fromEntries(reader.files().map(({ name, bytes }) => [name, Buffer.from(bytes).toString("utf8")]));
  return { folder, reader, contents, logged };
}

/** Writes a file with a time of change this many seconds after 2026 began. */
async function write(folder: string, name: string, text: string, seconds: number): Promise<void> {
  await writeFile(join(folder, name), text);
  const at = new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
  await utimes(join(folder, name), at, at);
}

test("gives files of a supported form, newest first, and nothing else of the folder", async () => {
  const { folder, contents, reader } = await open(null, async (into) => {
    await write(into, "old.txt", "old", 1);
    await write(into, "new.GeoJSON", "new", 3);
    await write(into, "middle.kml", "middle", 2);
    await write(into, ".hidden.txt", "hidden", 4);
    await write(into, "program.exe", "no", 5);
    if (process.platform !== "win32") await write(into, "two\nlines.txt", "no", 7);
    await write(into, "\u202etxt.evil.txt", "no", 8);
    await write(into, "empty.txt", "", 6);
    await mkdir(join(into, "folder.txt"));
    await symlink(join(into, "old.txt"), join(into, "link.txt"));
  });
  await expect
    .poll(contents, patience)
    .toEqual({ "new.GeoJSON": "new", "middle.kml": "middle", "old.txt": "old" });
  expect(Object.keys(contents())).toEqual(["new.GeoJSON", "middle.kml", "old.txt"]);
  expect(reader.files()[0]!.modifiedAt).toBe("2026-01-01T00:00:03.000Z");
  await rm(join(folder, "middle.kml"));
  await expect.poll(() => Object.keys(contents()), patience).toEqual(["new.GeoJSON", "old.txt"]);
});

test("gives only the newest files if so many are chosen", async () => {
  const { folder, contents } = await open(2, async (into) => {
    for (const seconds of [1, 2, 3]) await write(into, `${seconds}.txt`, String(seconds), seconds);
  });
  await expect.poll(contents, patience).toEqual({ "2.txt": "2", "3.txt": "3" });
  await write(folder, "4.txt", "4", 4);
  await expect.poll(contents, patience).toEqual({ "3.txt": "3", "4.txt": "4" });
});

test("keeps the last whole content while a file grows, and never gives a part of it", async () => {
  const { folder, contents } = await open(null, (into) => writeFile(join(into, "a.txt"), "whole"));
  await expect.poll(contents, patience).toEqual({ "a.txt": "whole" });
  const seen = new Set<string>();
  const whole = "0123456789".repeat(100);
  await writeFile(join(folder, "a.txt"), "");
  for (const digit of whole) {
    await appendFile(join(folder, "a.txt"), digit);
    seen.add(contents()["a.txt"] ?? "");
  }
  await expect.poll(() => contents()["a.txt"], patience).toBe(whole);
  for (const text of seen) expect(["", "whole", whole]).toContain(text);
});

test("takes a file that replaces another by rename", async () => {
  const { folder, contents } = await open(null, (into) => writeFile(join(into, "a.txt"), "one"));
  await expect.poll(contents, patience).toEqual({ "a.txt": "one" });
  await writeFile(join(folder, ".a.txt.part"), "two");
  await rename(join(folder, ".a.txt.part"), join(folder, "a.txt"));
  await expect.poll(contents, patience).toEqual({ "a.txt": "two" });
});

test("gives a file whose time of change no clock shows, without that time", async () => {
  const { contents, reader } = await open(null, async (into) => {
    await writeFile(join(into, "far.txt"), "far");
    const at = new Date(Date.UTC(1905, 0, 1));
    await utimes(join(into, "far.txt"), at, at);
  });
  await expect.poll(contents, patience).toEqual({ "far.txt": "far" });
  expect(reader.files()[0]!.modifiedAt).toBeNull();
});

test.skipIf(process.platform === "win32")(
  "reads neither a pipe nor a link that takes the name of a file for a moment, and goes on",
  async () => {
    const { folder, reader, contents } = await open();
    const [file, pipe, next] = [".file", ".pipe", ".next"].map((name) => join(folder, name));
    const secret = join(folder, "..", "secret.txt");
    await writeFile(file!, "whole");
    await writeFile(secret, "secret");
    execFileSync("mkfifo", [pipe!]);
    const others = [() => link(pipe!, next!), () => symlink(secret, next!)];
    const looks = new Set<string | null>();
    for (let round = 0; looks.size < 25; round += 1) {
      for (const take of [() => link(file!, next!), others[round % 2]!]) {
        await take();
        await rename(next!, join(folder, "a.txt"));
        await setImmediate();
      }
      expect(Object.values(contents())).not.toContain("secret");
      looks.add(reader.state().lastReadAt);
    }
    await rename(file!, join(folder, "a.txt"));
    await expect.poll(contents, patience).toEqual({ "a.txt": "whole" });
  },
  60_000,
);

test("leaves out a file that is too large and says so, and gives the others", async () => {
  const { contents, reader } = await open(null, async (into) => {
    await writeFile(join(into, "huge.txt"), Buffer.alloc(overlayLimits.bytes + 1));
    await writeFile(join(into, "small.txt"), "small");
  });
  await expect.poll(contents, patience).toEqual({ "small.txt": "small" });
  expect(reader.state().problem).toBe("huge.txt is larger than 5 MiB and is left out.");
});

test("says that a folder is missing without its path, and reads it when it is there", async () => {
  const { folder, reader, contents, logged } = await open(null, (into) => rm(into, { recursive: true }));
  await expect.poll(() => reader.state().problem, patience).toBe("The folder does not exist.");
  expect(reader.state().failingSince).not.toBeNull();
  expect(logged.join("\n")).not.toContain(folder);
  await mkdir(folder);
  await writeFile(join(folder, "a.txt"), "here");
  await expect.poll(contents, { timeout: 40_000 }).toEqual({ "a.txt": "here" });
  expect(reader.state()).toMatchObject({ failingSince: null, problem: null });
}, 60_000);
