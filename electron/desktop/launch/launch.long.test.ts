import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prepareDataDirectory } from "../../support/prepared-data.ts";
import { defaultDataDirectory } from "../../host/config/data-location.ts";
import { ensureBuilt } from "../../build/ensure-built.ts";
import { findInstalledBrowser, thisMachine } from "./installed-browsers.ts";
import { installPretendBrowser } from "./support/pretend-browser.ts";
import { hasVirtualDisplay, startVirtualDisplay, type VirtualDisplay } from "./support/virtual-display.ts";

const launchScript = fileURLToPath(new URL("launch.ts", import.meta.url));

interface FirstLine {
  readonly listening: { readonly storm: string; readonly api: null; readonly gateway: null };
  readonly data: string;
}

interface Launched {
  readonly process: ChildProcess;
  readonly firstLine: Promise<FirstLine>;
  readonly stderr: () => string;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** A data directory with an event, to be copied: a demonstration would cost each test some seconds. */
let prepared: string;
let home: string;
let launched: Launched[];

beforeAll(async () => {
  await ensureBuilt();
  prepared = mkdtempSync(join(tmpdir(), "echotop-prepared-"));
  await prepareDataDirectory(prepared);
}, 120_000);
afterAll(() => {
  rmSync(prepared, { recursive: true, force: true });
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "echotop-home-"));
  launched = [];
  cpSync(prepared, defaultData(), { recursive: true });
});
afterEach(() => {
  for (const { process: child } of launched) if (child.exitCode === null) signalGroup(child, "SIGKILL");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

/** Returns the app's data directory below this home. */
function defaultData(): string {
  return defaultDataDirectory({ XDG_DATA_HOME: join(home, "share") }, "linux");
}

/** Sends a terminal's interrupt: it goes to every process of the group. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.signalCode === null) process.kill(-child.pid!, signal);
}

/** Starts the app as `npm start` does, in its own process group, with its own home and without Electron. */
function launch(args: readonly string[], display?: string): Launched {
  const env = { ...process.env };
  for (const name of ["DISPLAY", "WAYLAND_DISPLAY"]) Reflect.deleteProperty(env, name);
  const child = spawn(process.execPath, [launchScript, ...args], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...env,
      HOME: home,
      XDG_DATA_HOME: join(home, "share"),
      PATH: `${home}:${process.env.PATH ?? ""}`,
      ELECTRON_OVERRIDE_DIST_PATH: join(home, "no-electron"),
      ...(display === undefined ? {} : { DISPLAY: display }),
    },
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const { promise: ended, resolve } = Promise.withResolvers<number | NodeJS.Signals | null>();
  child.on("close", (status, signal) => {
    resolve(status ?? signal);
  });
  const { promise: firstLine, resolve: sayLine, reject } = Promise.withResolvers<FirstLine>();
  createInterface({ input: child.stdout }).once("line", (line) => {
    sayLine(JSON.parse(line) as FirstLine);
  });
  void ended.then((status) => {
    reject(new Error(`npm start ended with ${String(status)} before it listened: ${text}`));
  });
  firstLine.catch(() => undefined);
  const result = { process: child, firstLine, stderr: () => text, ended };
  launched.push(result);
  return result;
}

describe("npm start without a display", { timeout: 90_000 }, () => {
  test("serves the viewer, prints the address and the reason, and ends cleanly when its group is interrupted", async () => {
    const app = launch(["--port", "0"]);
    const { listening, data } = await app.firstLine;
    expect(data).toBe(defaultData());
    const page = await fetch(listening.storm);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("<div id=");
    await expect.poll(app.stderr).toContain(`open the address in a browser. ${listening.storm}`);
    expect(app.stderr()).toContain("There is no display here");
    signalGroup(app.process, "SIGINT");
    expect(await app.ended).toBe(0);
    await expect(fetch(listening.storm)).rejects.toThrow();
  });

  test("allows actions only from the address that it prints, and prints its token only there", async () => {
    const app = launch(["--port", "0"]);
    const { listening, data } = await app.firstLine;
    await expect.poll(app.stderr).toMatch(/#token=[\w-]{43}$/m);
    const token = /#token=(.*)$/m.exec(app.stderr())![1]!;
    const list = (authorization: string) =>
      fetch(`${listening.storm}/app/tasks.list`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: "{}",
      });
    expect((await list(`Bearer ${token}`)).status).toBe(200);
    expect((await list("Bearer something-else")).status).toBe(401);
    expect(JSON.stringify(listening)).not.toContain(token);
    expect(readFileSync(join(data, "window", "running.json"), "utf8")).not.toContain(token);
    signalGroup(app.process, "SIGINT");
    expect(await app.ended).toBe(0);
    expect(app.stderr().split(token)).toHaveLength(2);
  });

  test("ends cleanly on SIGTERM", async () => {
    cpSync(prepared, join(home, "elsewhere"), { recursive: true });
    const app = launch(["--port", "0", "--data", join(home, "elsewhere")]);
    expect((await app.firstLine).data).toBe(join(home, "elsewhere"));
    app.process.kill("SIGTERM");
    expect(await app.ended).toBe(0);
  });

  test("takes a free port if its own is taken, and says so", async () => {
    const other = createServer();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    other.listen(0, "127.0.0.1", () => {
      resolve(undefined);
    });
    await promise;
    const { port } = other.address() as AddressInfo;
    try {
      const app = launch(["--port", String(port)]);
      const { listening } = await app.firstLine;
      expect(new URL(listening.storm).port).not.toBe(String(port));
      expect(app.stderr()).toContain(`Port ${port} is taken`);
      signalGroup(app.process, "SIGINT");
      expect(await app.ended).toBe(0);
    } finally {
      other.close();
    }
  });

  test("points to the running instance when started a second time, and leaves it running", async () => {
    const first = launch(["--port", "0"]);
    const { listening } = await first.firstLine;
    const second = launch(["--port", "0"]);
    expect((await second.firstLine).listening).toEqual(listening);
    expect(await second.ended).toBe(0);
    expect(second.stderr()).toContain("already runs");
    expect((await fetch(listening.storm)).status).toBe(200);
    signalGroup(first.process, "SIGINT");
    expect(await first.ended).toBe(0);
  });

  test.each([[["--prot", "1"]], [["file.grib2"]]])("refuses %j", async (args) => {
    const app = launch(args);
    expect(await app.ended).toBe(2);
    expect(app.stderr()).toMatch(/^echotop: /);
  });
});

describe("npm start with a display and a browser", { timeout: 90_000 }, () => {
  // The fake browser needs no display, so any name will do.
  const nowhere = ":no-display";

  test("explains why it opens an app window, and ends when the window is closed", async () => {
    installPretendBrowser(home, "closes");
    const app = launch(["--port", "0"], nowhere);
    await app.firstLine;
    expect(await app.ended).toBe(0);
    expect(app.stderr()).toMatch(
      /Electron is not available here \(.+\); opening an app window of Chromium instead\./,
    );
  });

  test("opens a browser window if Electron cannot start", async () => {
    installPretendBrowser(home, "closes");
    mkdirSync(join(home, "no-electron"));
    writeFileSync(join(home, "no-electron", "electron"), "#!/bin/sh\nexit 127\n", { mode: 0o755 });
    const app = launch(["--port", "0"], nowhere);
    await app.firstLine;
    expect(await app.ended).toBe(0);
    expect(app.stderr()).toContain("Opening Echotop in Electron.");
    expect(app.stderr()).toContain("(it could not start: it ended with status 127); opening an app window");
  });

  test("closes the window on an interrupt", async () => {
    installPretendBrowser(home, "stays");
    const app = launch(["--port", "0"], nowhere);
    const { listening } = await app.firstLine;
    await expect.poll(app.stderr).toContain("opening an app window");
    app.process.kill("SIGINT");
    expect(await app.ended).toBe(0);
    await expect(fetch(listening.storm)).rejects.toThrow();
  });

  test("keeps serving and prints the address if the browser cannot open a window", async () => {
    installPretendBrowser(home, "fails");
    const app = launch(["--port", "0"], nowhere);
    const { listening } = await app.firstLine;
    await expect.poll(app.stderr, { timeout: 20_000 }).toContain("Chromium could not open the window.");
    await expect.poll(app.stderr).toContain(`Open ${listening.storm}/#token=`);
    expect((await fetch(listening.storm)).status).toBe(200);
    signalGroup(app.process, "SIGINT");
    expect(await app.ended).toBe(0);
  });
});

const hasBrowser = findInstalledBrowser(thisMachine()) !== undefined;

describe.skipIf(!hasBrowser || !hasVirtualDisplay)(
  "npm start on a virtual display (needs Xvfb and an installed browser)",
  { timeout: 120_000 },
  () => {
    let display: VirtualDisplay;
    beforeEach(async () => {
      display = await startVirtualDisplay();
    });
    afterEach(() => {
      display.process.kill();
    });

    test("opens an app window, and no browser is left when the app ends", async () => {
      const app = launch(["--port", "0"], display.name);
      const { data } = await app.firstLine;
      // A running Chromium keeps a link in its profile that names its process.
      const profileLock = join(data, "window", "browser", "SingletonLock");
      const isOpen = (): boolean => lstatSync(profileLock, { throwIfNoEntry: false }) !== undefined;
      await expect.poll(isOpen, { timeout: 60_000 }).toBe(true);
      const browserId = Number(/\d+$/.exec(readlinkSync(profileLock))?.[0]);
      expect(isAlive(browserId)).toBe(true);
      signalGroup(app.process, "SIGINT");
      expect(await app.ended).toBe(0);
      expect(isAlive(browserId)).toBe(false);
      expect(existsSync(join(data, "window", "running.json"))).toBe(false);
    });
  },
);

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
