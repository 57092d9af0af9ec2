// Choices of overlays: stored, followed at once, read again by the next run, and told without their secrets.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { overlaySourceLimits, type OverlayDraft } from "../../../shared/contract/overlays.ts";
import { temporaryDirectory } from "../../catalog/support/drafts.ts";
import { createSystemEffects } from "../../platform/effects.ts";
import { startScriptedOrigin } from "../../support/scripted-origin.ts";
import { openSettings } from "../config/settings.ts";
import { openOverlaySwitch } from "./overlay-switch.ts";

const patience = { timeout: 20_000 };

async function open(directory: string, isReading = true) {
  const { now, sleep, random } = createSystemEffects();
  const logged: string[] = [];
  const log = (_level: string, message: string, facts?: unknown): void =>
    void logged.push(message + JSON.stringify(facts));
  const settings = await openSettings(directory);
  const overlays = await openOverlaySwitch({ settings, effects: { now, sleep, random, log }, isReading });
  onTestFinished(overlays.close);
  return { overlays, logged };
}

const folderDraft = (path: string): OverlayDraft => ({
  ...{ name: "Mine", on: true },
  source: { kind: "folder", path, newest: null },
});

test("nothing is read until somebody adds it; then it is read, also by the next run", async () => {
  const [directory, folder] = [await temporaryDirectory(), await temporaryDirectory()];
  await writeFile(join(folder, "a.txt"), "content");
  const { overlays } = await open(directory);
  expect(overlays.list()).toEqual({ overlays: [] });
  const added = await overlays.add(folderDraft(folder));
  expect(overlays.choices()).toEqual([added]);
  const filesOf = (each: typeof overlays) => each.list().overlays[0]?.files ?? [];
  await expect.poll(() => filesOf(overlays).length, patience).toBe(1);
  const { sha256 } = filesOf(overlays)[0]!;
  expect(Buffer.from(overlays.find(sha256)!).toString("utf8")).toBe("content");
  await overlays.change({ ...added, on: false });
  expect(overlays.list().overlays).toMatchObject([{ state: "off", files: [] }]);
  expect(overlays.find(sha256)).toBeUndefined();
  await overlays.change({ ...added, name: "Renamed" });
  await overlays.close();
  const again = (await open(directory)).overlays;
  expect(again.choices()).toEqual([{ ...added, name: "Renamed" }]);
  await expect.poll(() => filesOf(again).length, patience).toBe(1);
  await again.remove(added.id);
  expect(again.list()).toEqual({ overlays: [] });
  expect(JSON.parse(await readFile(join(directory, "settings.json"), "utf8"))).toMatchObject({
    overlays: [],
  });
});

test("an address with a token is told only by its host, and a folder by its last part", async () => {
  const origin = await startScriptedOrigin();
  onTestFinished(() => origin.stop());
  origin.answer("/feed.txt", (_, response) => response.end("content"));
  const { overlays, logged } = await open(await temporaryDirectory());
  const url = `http://person:secret-1@127.0.0.1:${origin.port}/feed.txt?token=secret-2`;
  const source = { kind: "address" as const, url, everySeconds: 30, allowPrivate: true };
  await overlays.add({ name: "Feed", on: true, source });
  await overlays.add(folderDraft("/home/secret-3/overlays"));
  await expect
    .poll(() => overlays.list().overlays.map(({ state }) => state), patience)
    .toEqual(["current", "failing"]);
  expect(overlays.list().overlays.map(({ place }) => place)).toEqual([
    `127.0.0.1:${origin.port}`,
    "overlays",
  ]);
  expect(JSON.stringify([overlays.list(), logged])).not.toContain("secret");
});

test("relative folders, unknown overlays and too many are refused", async () => {
  const { overlays } = await open(await temporaryDirectory(), false);
  await expect(overlays.add(folderDraft("relative"))).rejects.toMatchObject({ code: "invalid-input" });
  await expect(overlays.remove("nothing")).rejects.toMatchObject({ code: "not-found" });
  const drafts = Array.from({ length: overlaySourceLimits.sources }, () => folderDraft("/overlays"));
  await Promise.all(drafts.map((draft) => overlays.add(draft)));
  await expect(overlays.add(folderDraft("/overlays"))).rejects.toMatchObject({ code: "conflict" });
  expect(overlays.list()).toEqual({ overlays: [] });
});
