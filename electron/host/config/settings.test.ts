import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
  });
  await expect(readFile(join(directory, "settings.json"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("concurrent changes are all stored, also across a restart", async () => {
  const directory = await makeDirectory();
  const settings = await openSettings(directory);
  await Promise.all([settings.change({ hosting: true }), settings.change({ lan: true })]);
  const changed = { schemaVersion: 1, hosting: true, lan: true, gateway: false, live: null };
  expect(settings.current()).toEqual(changed);
  expect((await openSettings(directory)).current()).toEqual(changed);
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
