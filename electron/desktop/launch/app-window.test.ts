import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAppWindow, toBrowserArguments } from "./app-window.ts";
import { findInstalledBrowser, thisMachine } from "./installed-browsers.ts";
import { hasVirtualDisplay, startVirtualDisplay, type VirtualDisplay } from "./support/virtual-display.ts";

const browser = findInstalledBrowser(thisMachine());
const isRoot = process.getuid?.() === 0;

describe("the browser's arguments", () => {
  const base = { url: "http://127.0.0.1:47800", profileDirectory: "/no/such/profile", isRoot: false };

  test("open an application window with its own profile and without the browser's own traffic", () => {
    const args = toBrowserArguments(base);
    expect(args[0]).toBe("--app=http://127.0.0.1:47800");
    expect(args).toContain("--user-data-dir=/no/such/profile");
    for (const name of ["background-networking", "component-update", "sync"]) {
      expect(args).toContain(`--disable-${name}`);
    }
    expect(args).toContain("--no-first-run");
  });

  test("give a first window its size, and keep a remembered one", () => {
    const profileDirectory = mkdtempSync(join(tmpdir(), "echotop-profile-"));
    try {
      expect(toBrowserArguments({ ...base, profileDirectory })).toContain("--window-size=1280,800");
      mkdirSync(join(profileDirectory, "Default"));
      writeFileSync(
        join(profileDirectory, "Default", "Preferences"),
        '{"browser":{"app_window_placement":{}}}',
      );
      expect(toBrowserArguments({ ...base, profileDirectory }).join(" ")).not.toContain("--window-size");
    } finally {
      rmSync(profileDirectory, { recursive: true, force: true });
    }
  });

  test("keep the sandbox except for root", () => {
    expect(toBrowserArguments(base)).not.toContain("--no-sandbox");
    expect(toBrowserArguments({ ...base, isRoot: true })).toContain("--no-sandbox");
  });

  test("open no port for other programs to drive the window", () => {
    expect(toBrowserArguments(base).some((arg) => arg.startsWith("--remote-debugging-port"))).toBe(false);
  });
});

test("a browser that cannot start is reported as failed", async () => {
  const profileDirectory = mkdtempSync(join(tmpdir(), "echotop-profile-"));
  try {
    const window = openAppWindow({
      browser: { name: "Chromium", executablePath: join(profileDirectory, "no-browser") },
      url: "http://127.0.0.1:1",
      profileDirectory,
      isRoot,
    });
    expect(await window.ended).toBe("failed");
    await window.close();
  } finally {
    rmSync(profileDirectory, { recursive: true, force: true });
  }
});

describe.skipIf(browser === undefined || !hasVirtualDisplay || process.platform !== "linux")(
  "an app window on a virtual display (needs Xvfb and an installed browser)",
  () => {
    let display: VirtualDisplay;
    let server: Server;
    let url: string;
    let page: string;
    let visits: number;
    let fragments: string[];
    let profileDirectory: string;

    beforeEach(async () => {
      profileDirectory = mkdtempSync(join(tmpdir(), "echotop-profile-"));
      page = "<title>Echotop</title>";
      visits = 0;
      fragments = [];
      server = createServer((request, response) => {
        if (request.headers["sec-fetch-mode"] === "navigate") visits += 1;
        if (request.url?.startsWith("/seen?")) fragments.push(request.url.slice("/seen?".length));
        response.setHeader("content-type", "text/html").end(page);
      });
      const { promise, resolve } = Promise.withResolvers<undefined>();
      server.listen(0, "127.0.0.1", () => {
        resolve(undefined);
      });
      await promise;
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      display = await startVirtualDisplay();
      process.env.DISPLAY = display.name;
    });

    afterEach(() => {
      display.process.kill();
      delete process.env.DISPLAY;
      server.closeAllConnections();
      server.close();
      rmSync(profileDirectory, { recursive: true, force: true, maxRetries: 5 });
    });

    const open = () => openAppWindow({ browser: browser!, url, profileDirectory, isRoot });

    test("shows the page, and closes when asked", { timeout: 90_000 }, async () => {
      const window = open();
      await expect.poll(() => visits, { timeout: 60_000 }).toBe(1);
      await window.close();
      expect(await window.ended).toBe("closed");
      await window.close();
    });

    test(
      "takes the page to its private address, which no argument list shows",
      { timeout: 90_000 },
      async () => {
        const tell = "fetch('/seen?' + location.hash.slice(1))";
        page = `<title>Echotop</title><script>${tell}; onhashchange = () => ${tell}</script>`;
        const window = openAppWindow({
          browser: browser!,
          url,
          privateUrl: `${url}/#secret`,
          profileDirectory,
          isRoot,
        });
        await expect.poll(() => fragments, { timeout: 60_000 }).toContain("secret");
        await window.close();
        expect(await window.ended).toBe("closed");
      },
    );

    test("reports that the page's window was closed", { timeout: 90_000 }, async () => {
      page = "<title>Echotop</title><script>window.close()</script>";
      const window = open();
      expect(await window.ended).toBe("closed");
      expect(visits).toBe(1);
    });

    test("hands a second window to the running browser", { timeout: 90_000 }, async () => {
      const first = open();
      await expect.poll(() => visits, { timeout: 60_000 }).toBe(1);
      const second = open();
      expect(await second.ended).toBe("handed-over");
      await expect.poll(() => visits, { timeout: 60_000 }).toBe(2);
      await first.close();
    });
  },
);
