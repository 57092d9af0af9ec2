import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FetchEffects, findElectron, obtainElectron } from "./electron-runtime.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "echotop-electron-"));
  write("node_modules/electron/package.json", '{"version":"45.4.1"}');
  write("node_modules/electron/install.js", "");
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function addRuntime(version = "v45.4.1"): string {
  write("node_modules/electron/dist/electron", "");
  write("node_modules/electron/dist/version", version);
  return join(root, "node_modules/electron/dist/electron");
}

function surroundings(env: Record<string, string> = {}) {
  return { projectRoot: root, platform: "linux", env } as const;
}

function effects(changes: Partial<FetchEffects> = {}) {
  return {
    now: () => new Date("2026-07-31T23:59:00Z"),
    hasNetwork: () => true,
    runInstaller: vi.fn(() => Promise.resolve<string | undefined>("TypeError: fetch failed")),
    say: vi.fn(),
    ...changes,
  };
}

const { signal } = new AbortController();

test("a runtime of the pinned version is used silently", async () => {
  const executablePath = addRuntime();
  const seen = effects();
  expect(await obtainElectron(surroundings(), seen, signal)).toEqual({ isThere: true, executablePath });
  expect(seen.say).not.toHaveBeenCalled();
  expect(seen.runInstaller).not.toHaveBeenCalled();
});

test("a runtime of another version or a half-unpacked one does not count", () => {
  addRuntime("v44.0.0");
  expect(findElectron(surroundings())).toBeUndefined();
  rmSync(join(root, "node_modules/electron/dist/version"));
  expect(findElectron(surroundings())).toBeUndefined();
});

test("each platform has its own executable", () => {
  addRuntime();
  write("node_modules/electron/dist/Electron.app/Contents/MacOS/Electron", "");
  write("node_modules/electron/dist/electron.exe", "");
  expect(findElectron({ ...surroundings(), platform: "darwin" })).toMatch(/MacOS.Electron$/);
  expect(findElectron({ ...surroundings(), platform: "win32" })).toMatch(/electron\.exe$/);
});

test("a runtime in another folder is used; if it is missing, nothing is downloaded", async () => {
  write("elsewhere/electron", "");
  const elsewhere = surroundings({ ELECTRON_OVERRIDE_DIST_PATH: join(root, "elsewhere") });
  expect(findElectron(elsewhere)).toBe(join(root, "elsewhere/electron"));
  const seen = effects();
  const empty = surroundings({ ELECTRON_OVERRIDE_DIST_PATH: join(root, "nowhere") });
  expect(await obtainElectron(empty, seen, signal)).toMatchObject({ isThere: false });
  expect(seen.runInstaller).not.toHaveBeenCalled();
});

test("a missing runtime is downloaded once, and then used", async () => {
  const seen = effects({
    runInstaller: () => {
      addRuntime();
      return Promise.resolve(undefined);
    },
  });
  expect(await obtainElectron(surroundings(), seen, signal)).toMatchObject({ isThere: true });
  expect(seen.say).toHaveBeenCalledOnce();
});

test("a failed download is retried on the next day", async () => {
  const seen = effects();
  const first = await obtainElectron(surroundings(), seen, signal);
  expect(first).toEqual({ isThere: false, reason: "its runtime could not be downloaded" });
  const second = await obtainElectron(surroundings(), seen, signal);
  expect(second).toEqual({ isThere: false, reason: "its runtime could not be downloaded earlier today" });
  expect(seen.runInstaller).toHaveBeenCalledOnce();
  const tomorrow = { ...seen, now: () => new Date("2026-08-01T00:00:00Z") };
  await obtainElectron(surroundings(), tomorrow, signal);
  expect(seen.runInstaller).toHaveBeenCalledTimes(2);
});

test("a damaged record of failures is ignored", async () => {
  write(".vite/electron-runtime.json", "{");
  const seen = effects();
  await obtainElectron(surroundings(), seen, signal);
  expect(seen.runInstaller).toHaveBeenCalledOnce();
});

test("without a network nothing is downloaded and no failure recorded", async () => {
  const offline = effects({ hasNetwork: () => false });
  expect(await obtainElectron(surroundings(), offline, signal)).toMatchObject({ isThere: false });
  expect(offline.runInstaller).not.toHaveBeenCalled();
  const online = effects();
  await obtainElectron(surroundings(), online, signal);
  expect(online.runInstaller).toHaveBeenCalledOnce();
});

test("an interrupted download is not recorded as a failure", async () => {
  const interrupted = new AbortController();
  const seen = effects({
    runInstaller: () => {
      interrupted.abort();
      return Promise.resolve("ended by a signal");
    },
  });
  await obtainElectron(surroundings(), seen, interrupted.signal);
  const later = effects();
  await obtainElectron(surroundings(), later, signal);
  expect(later.runInstaller).toHaveBeenCalledOnce();
});
