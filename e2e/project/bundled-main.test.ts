// Runs the packaged application without Electron: the bundle, in a folder without `node_modules`, with a stand-in for
// Electron.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toWebPreferences } from "../../electron/desktop/shell/web-preferences.ts";
import { FilesProgress } from "../../shared/contract/desktop.ts";
import { filesProgressChannel } from "../../shared/contract/action-names.ts";
import { type BundledMain, startBundledMain } from "../support/bundled-main.ts";
import { usePackagedApp } from "../support/packaged-app.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import type { FromMain } from "../support/pretend-electron-messages.ts";

const app = usePackagedApp();
let folder: string;
let dataDirectory: string;
let running: BundledMain[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "echotop-main-"));
  dataDirectory = join(folder, "data");
  running = [];
  cpSync(app.data, dataDirectory, { recursive: true });
});
afterEach(() => {
  for (const main of running) main.process.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function start(args: readonly string[] = [], env: Record<string, string> = {}): BundledMain {
  const main = startBundledMain(app.folder, [`--data=${dataDirectory}`, "--port=0", ...args], env);
  running.push(main);
  return main;
}

function ofKind<Kind extends FromMain["kind"]>(
  { told }: BundledMain,
  kind: Kind,
): readonly Extract<FromMain, { kind: Kind }>[] {
  return told.filter((message): message is Extract<FromMain, { kind: Kind }> => message.kind === kind);
}

/** Returns the page's address once the window loads it. */
async function loadedUrl(main: BundledMain): Promise<string> {
  await expect
    .poll(() => ofKind(main, "loaded").length + ofKind(main, "error-box").length, { timeout: 30_000 })
    .toBe(1);
  return ofKind(main, "loaded")[0]?.url ?? main.stderr();
}

async function invoke(main: BundledMain, action: string, origin: string, input: unknown): Promise<unknown> {
  const before = ofKind(main, "answered").length;
  main.ask({ kind: "invoke", channel: `echotop:${action}`, origin, input });
  await expect.poll(() => ofKind(main, "answered").length, { timeout: 30_000 }).toBe(before + 1);
  return ofKind(main, "answered").at(-1)?.outcome;
}

describe("the bundled application", { timeout: 90_000 }, () => {
  test("the application opens the host's address in a window, serves the page, and exits cleanly when the window closes", async () => {
    const main = start();
    const url = await loadedUrl(main);
    const [line = ""] = main.stdout().split("\n");
    expect(JSON.parse(line)).toEqual({
      listening: { storm: url.replace(/\/$/, ""), api: null, gateway: null },
      data: dataDirectory,
    });
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'/);
    const places = await fetch(new URL("/v1/places/search?q=Norman", url));
    expect(await places.text()).toContain("Oklahoma");
    main.ask({ kind: "close-window" });
    expect(await main.ended).toBe(0);
    const state = readFileSync(join(dataDirectory, "window", "electron", "window-state.json"), "utf8");
    expect(JSON.parse(state)).toEqual({ x: 10, y: 20, width: 1000, height: 700, isMaximized: false });
  });

  test("the application creates a secured window after it has restricted the session", async () => {
    const main = start();
    await loadedUrl(main);
    const [made] = ofKind(main, "window");
    expect(made?.options).toMatchObject({
      show: false,
      backgroundColor: "#0a0e13",
      webPreferences: {
        ...toWebPreferences(false),
        preload: join(app.folder, ".vite", "build", "preload.cjs"),
      },
    });
    const calls = main.told.map((message) => (message.kind === "called" ? message.what : message.kind));
    expect(calls[0]).toBe("app.enableSandbox");
    const windowAt = calls.indexOf("window");
    for (const guard of ["PermissionRequestHandler", "PermissionCheckHandler", "DevicePermissionHandler"]) {
      const at = calls.indexOf(`session.set${guard}`);
      expect(at).toBeGreaterThan(-1);
      expect(at).toBeLessThan(windowAt);
    }
    expect(calls.indexOf("webContents.setWindowOpenHandler")).toBeGreaterThan(windowAt);
    expect(calls.indexOf("window.show")).toBeGreaterThan(calls.indexOf("loaded"));
  });

  test("the application accepts bridge calls from its own page only", async () => {
    const main = start();
    const { origin } = new URL(await loadedUrl(main));
    expect(await invoke(main, "app.info", origin, {})).toMatchObject({
      ok: { name: "Echotop", version: "0.0.0-test", dataDirectoryName: "data" },
    });
    expect(await invoke(main, "tasks.list", origin, {})).toEqual({ ok: { tasks: [] } });
    expect(await invoke(main, "events.archive", origin, { eventId: "nowhere" })).toMatchObject({
      problem: { code: "not-found" },
    });
    expect(await invoke(main, "tasks.list", "https://example.com", {})).toMatchObject({
      problem: { code: "refused" },
    });
    expect(await invoke(main, "app.info", "https://example.com", {})).toMatchObject({
      problem: { code: "refused" },
    });
    expect(
      await invoke(main, "files.add", origin, { choose: "files", paths: ["/etc/passwd"] }),
    ).toMatchObject({
      problem: { code: "invalid-input" },
    });
  });

  test("the application adds the chosen files, reports progress, and serves them immediately", async () => {
    const good = writeGribFile(folder, {
      product: "mrms-reflectivity",
      observedAt: "2024-05-20T22:02:40Z",
      fill: 45,
    });
    const bad = join(folder, "bad.grib2");
    writeFileSync(bad, "GRIB and nothing more");
    const main = start([], { ECHOTOP_TEST_CHOSEN: JSON.stringify([good, bad]) });
    const url = await loadedUrl(main);
    const outcome = await invoke(main, "files.add", new URL(url).origin, { choose: "files" });
    expect(outcome).toMatchObject({ ok: { chosen: true, eventId: "added-files" } });
    const { files } = (outcome as { ok: { files: { file: string; status: string }[] } }).ok;
    expect(files.map(({ status }) => status).toSorted()).toEqual(["complete", "failed"]);
    expect(files.map(({ file }) => file)).toContain("bad.grib2");
    const progress = ofKind(main, "sent").map(({ channel, message }) => {
      expect(channel).toBe(filesProgressChannel);
      return FilesProgress.parse(message);
    });
    expect(progress.at(-1)).toMatchObject({ doneCount: 2, totalCount: 2, isFinished: true });
    const manifest = await fetch(new URL("/v1/storm-events/added-files/manifest", url));
    expect(manifest.status).toBe(200);
    expect(await manifest.text()).toContain("mrms-reflectivity");
  });

  test("the application brings its window to the front on a second start", async () => {
    const main = start();
    await loadedUrl(main);
    main.ask({ kind: "second-instance" });
    await expect
      .poll(() => main.told.some((message) => message.kind === "called" && message.what === "window.focus"))
      .toBe(true);
  });

  test("the application exits immediately if it is already running", async () => {
    const main = start([], { ECHOTOP_TEST_LOCK: "taken" });
    expect(await main.ended).toBe(0);
    expect(main.stdout()).toBe("");
    expect(main.stderr()).toContain("already runs");
    expect(ofKind(main, "window")).toEqual([]);
  });

  test("the application exits cleanly on an interrupt", async () => {
    const main = start();
    const url = await loadedUrl(main);
    main.process.kill("SIGINT");
    expect(await main.ended).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  test("the application shows in plain words why it cannot start", async () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    const unusable = startBundledMain(app.folder, [`--data=${file}`]);
    running.push(unusable);
    expect(await unusable.ended).toBe(1);
    expect(ofKind(unusable, "error-box")).toEqual([
      {
        kind: "error-box",
        title: "Echotop cannot start",
        detail: "The data folder cannot be created or written to.",
      },
    ]);
    mkdirSync(join(folder, "odd"));
    writeFileSync(
      join(folder, "odd", "catalog.sqlite"),
      "not a database, but long enough to be recognized as none",
    );
    const damaged = startBundledMain(app.folder, [`--data=${join(folder, "odd")}`, "--port=0"]);
    running.push(damaged);
    expect(await damaged.ended).toBe(1);
    expect(ofKind(damaged, "error-box")).toHaveLength(1);
  });
});
