import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSettings } from "./settings.ts";

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "echotop-settings-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

test("everything is off in a directory without settings, and reading writes nothing", async () => {
  const directory = await makeDirectory();
  const settings = await openSettings(directory);
  expect(settings.current()).toEqual({
    schemaVersion: 1,
    hosting: false,
    lan: false,
    gateway: false,
    live: null,
    overlays: [],
  });
  await expect(readFile(join(directory, "settings.json"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("concurrent changes are all stored, also across a restart", async () => {
  const directory = await makeDirectory();
  const settings = await openSettings(directory);
  await Promise.all([settings.change({ hosting: true }), settings.change({ lan: true })]);
  const changed = { schemaVersion: 1, hosting: true, lan: true, gateway: false, live: null, overlays: [] };
  expect(settings.current()).toEqual(changed);
  expect((await openSettings(directory)).current()).toEqual(changed);
});

test("changes of another process and keys of a newer version survive a change", async () => {
  const directory = await makeDirectory();
  const settings = await openSettings(directory);
  await settings.change({ hosting: true });
  const ofOther = {
    ...{ schemaVersion: 1, hosting: true, lan: true, gateway: false, theme: "dark" },
    live: { source: "noaa", on: true, sinceAt: "2024-05-20T21:00:00Z" },
  };
  const path = join(directory, "settings.json");
  await writeFile(path, JSON.stringify(ofOther));
  await settings.change({ gateway: true });
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ ...ofOther, gateway: true, overlays: [] });
  expect(settings.current()).toMatchObject({ lan: true, live: { on: true } });
});

test("a change that cannot be stored is reported, and does not count", async () => {
  const directory = await makeDirectory();
  await symlink(join(directory, "absent", "drive"), join(directory, "data"));
  const settings = await openSettings(join(directory, "data"));
  await expect(settings.change({ lan: true })).rejects.toMatchObject({
    ...{ code: "storage-failed", detail: expect.stringContaining("could not be saved") as string },
  });
  expect(settings.current().lan).toBe(false);
});

test("settings of an earlier version are read", async () => {
  const directory = await makeDirectory();
  await writeFile(join(directory, "settings.json"), '{"schemaVersion":1,"hosting":true,"lan":false}');
  const settings = await openSettings(directory);
  expect(settings.current()).toEqual({
    schemaVersion: 1,
    hosting: true,
    lan: false,
    gateway: false,
    live: null,
    overlays: [],
  });
});

test.each(["", "{", "[]", '{"schemaVersion":1,"hosting":"yes","lan":false}', '{"schemaVersion":2}'])(
  "damaged settings are reported, not guessed: %j",
  async (text) => {
    const directory = await makeDirectory();
    await writeFile(join(directory, "settings.json"), text);
    await expect(openSettings(directory)).rejects.toMatchObject({ code: "stored-data-invalid" });
  },
);
