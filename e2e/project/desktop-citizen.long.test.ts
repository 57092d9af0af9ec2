// The packaged application as a program of its desktop, with a stand-in for Electron: it opens files and links, updates
// itself from a real server, notifies, and keeps a log.
import { generateKeyPairSync } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generate } from "selfsigned";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openReleaseSite, type ReleaseSite } from "../../electron/desktop/updates/support/release-site.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import { StormEventList } from "../../shared/contract/storm-event.ts";
import type { Opened } from "../../shared/contract/desktop.ts";
import { desktopNewsChannel } from "../../shared/contract/action-names.ts";
import { type BundledMain, startBundledMain } from "../support/bundled-main.ts";
import { usePackagedApp } from "../support/packaged-app.ts";
import type { FromMain } from "../support/pretend-electron-messages.ts";

const app = usePackagedApp();
let folder: string;
let dataDirectory: string;
let appImage: string;
let site: ReleaseSite;
let running: BundledMain[];

const { privateKey: releaseKey } = generateKeyPairSync("ed25519");
const image = "Echotop-0.2.0.AppImage";
const oldImage = "#!/bin/sh\necho 0.1.0\n";
const newImage = "#!/bin/sh\necho 0.2.0\n";

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "echotop-citizen-"));
  dataDirectory = join(folder, "data");
  cpSync(app.data, dataDirectory, { recursive: true });
  appImage = join(folder, "Echotop.AppImage");
  writeFileSync(appImage, oldImage, { mode: 0o755 });
  site = await openReleaseSite({ key: releaseKey });
  site.publish({ version: "0.2.0", files: { [image]: Buffer.from(newImage) } });
  const trust = { publicKey: site.publicKey, publisherNames: [] };
  writeFileSync(join(app.folder, ".vite", "assets", "update-trust.json"), JSON.stringify(trust));
  running = [];
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const main of running) main.process.kill("SIGKILL");
  await site.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts a packaged AppImage of version 0.1.0, and waits for its page. */
async function start(...args: readonly string[]): Promise<{ main: BundledMain; origin: string }> {
  const env = {
    ECHOTOP_TEST_RESOURCES: folder,
    ECHOTOP_TEST_VERSION: "0.1.0",
    APPIMAGE: appImage,
  };
  const main = startBundledMain(app.folder, [`--data=${dataDirectory}`, "--port=0", ...args], env);
  running.push(main);
  const [loaded] = await waitFor(main, "loaded");
  return { main, origin: new URL(loaded!.url).origin };
}

function ofKind<Kind extends FromMain["kind"]>(
  { told }: BundledMain,
  kind: Kind,
): readonly Extract<FromMain, { kind: Kind }>[] {
  return told.filter((message): message is Extract<FromMain, { kind: Kind }> => message.kind === kind);
}

async function waitFor<Kind extends FromMain["kind"]>(main: BundledMain, kind: Kind, count = 1) {
  await expect.poll(() => ofKind(main, kind).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
  return ofKind(main, kind);
}

async function invoke(main: BundledMain, origin: string, action: string, input: unknown): Promise<unknown> {
  const before = ofKind(main, "answered").length;
  main.ask({ kind: "invoke", channel: `echotop:${action}`, origin, input });
  return (await waitFor(main, "answered", before + 1)).at(-1)?.outcome;
}

/** Waits until the page was told that something was opened, then takes it as the page does. */
async function takeOpened(main: BundledMain, origin: string): Promise<readonly Opened[]> {
  const all: Opened[] = [];
  await expect
    .poll(
      async () => {
        const { ok } = (await invoke(main, origin, "opened.take", {})) as { ok: { opened: Opened[] } };
        return all.push(...ok.opened);
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
  return all;
}

async function listEvents(origin: string): Promise<unknown> {
  const response = await fetch(`${origin}/v1/storm-events`);
  return StormEventList.parse(await response.json()).events;
}

function writeStormFile(name: string): string {
  const path = writeGribFile(folder, {
    product: "mrms-reflectivity",
    observedAt: "2024-05-20T22:02:40Z",
    fill: 45,
  });
  const named = join(folder, name);
  cpSync(path, named);
  return named;
}

const link = "echotop://view?v=1&follow=newest&event=storm~Storm~observed";

describe("opening", { timeout: 90_000 }, () => {
  test("a file and a link of the first start wait for the page; options after a link are dropped", async () => {
    const view = join(folder, "norman.echotop-view");
    writeFileSync(view, '{"format":"echotop-view"}');
    const { main, origin } = await start(view, link, `--data=${join(folder, "evil")}`, "--port=1");
    const opened: Opened[] = [];
    while (opened.length < 2) opened.push(...(await takeOpened(main, origin)));
    expect(opened).toHaveLength(2);
    expect(opened).toContainEqual({ kind: "view", text: '{"format":"echotop-view"}' });
    expect(opened).toContainEqual({ kind: "link", text: link });
    expect(existsSync(join(folder, "evil"))).toBe(false);
    expect(JSON.parse(main.stdout().split("\n")[0]!)).toMatchObject({ data: dataDirectory });
  });

  test("GRIB2 files of a second start are added, and the page is told", async () => {
    const { main, origin } = await start();
    const path = writeStormFile("a storm.grib2");
    main.ask({ kind: "second-instance", args: [pathToFileURL(path).href] });
    expect(await takeOpened(main, origin)).toMatchObject([
      {
        kind: "files",
        result: {
          chosen: true,
          eventId: "added-files",
          files: [{ file: "a storm.grib2", status: "complete" }],
        },
      },
    ]);
    expect(ofKind(main, "called").map(({ what }) => what)).toContain("window.focus");
    expect(ofKind(main, "sent")).toContainEqual({
      kind: "sent",
      channel: desktopNewsChannel,
      message: "opened",
    });
    const manifest = await fetch(`${origin}/v1/storm-events/added-files/manifest`);
    expect(await manifest.text()).toContain("mrms-reflectivity");
  });

  test("macOS hands over files and links by events", async () => {
    const { main, origin } = await start();
    main.ask({ kind: "open-url", url: link });
    main.ask({ kind: "open-file", path: writeStormFile("b.grib2") });
    const opened: Opened[] = [];
    while (opened.length < 2) opened.push(...(await takeOpened(main, origin)));
    expect(opened).toMatchObject([{ kind: "link", text: link }, { kind: "files" }]);
  });

  test("hostile links start nothing, change nothing, and are refused by name", async () => {
    const { main, origin } = await start();
    const before = await listEvents(origin);
    const hostile = [
      `echotop://view?${"a".repeat(50_000)}`,
      "javascript:alert(1)",
      "file:///etc/passwd",
      "echotop:view --data=/tmp/evil",
      'echotop:"--gpu-launcher=calc',
      "echotop://view?\u0000",
    ];
    for (const url of hostile) main.ask({ kind: "open-url", url });
    main.ask({ kind: "second-instance", args: ["echotop:view --port=1", "--data=/tmp/evil", "/etc/passwd"] });
    const opened: Opened[] = [];
    while (opened.length < hostile.length + 1) opened.push(...(await takeOpened(main, origin)));
    const sentences = opened.map((one) => (one.kind === "refused" ? one.sentence : JSON.stringify(one)));
    expect(sentences).toEqual([
      "The link was not opened: it is too long.",
      "The link was not opened: it is not an echotop link.",
      "The link was not opened: it is not an echotop link.",
      "The link was not opened: it contains more than a link.",
      "The link was not opened: it contains more than a link.",
      "The link was not opened: it contains control characters.",
      "The link was not opened: it contains more than a link.",
    ]);
    expect(ofKind(main, "window")).toHaveLength(1);
    expect(ofKind(main, "message-box")).toEqual([]);
    expect(await listEvents(origin)).toEqual(before);
  });

  test("a packaged application registers the protocol so that a link is no switch", async () => {
    const { main } = await start();
    const calls = ofKind(main, "called").map(({ what }) => what);
    expect(calls).toContain("app.setAsDefaultProtocolClient echotop --");
  });
});

describe("updates", { timeout: 90_000 }, () => {
  const choose = (settings: object): void => {
    writeFileSync(
      join(dataDirectory, "desktop.json"),
      JSON.stringify({ schemaVersion: 1, notifications: true, updates: settings }),
    );
  };
  const check = async (main: BundledMain): Promise<string> => {
    const before = ofKind(main, "message-box").length;
    main.ask({ kind: "menu", label: "Check for &updates…" });
    return (await waitFor(main, "message-box", before + 1))[before]!.message;
  };

  test("a newer version is loaded, told once in the background, and installed when the application quits", async () => {
    choose({ mode: "install", address: site.url });
    const { main, origin } = await start();
    main.ask({ kind: "blur-window" });
    expect(await check(main)).toBe("Echotop 0.2.0 is ready; it will be installed when you quit.");
    expect(await invoke(main, origin, "updates.read", {})).toEqual({
      ok: { step: "ready", version: "0.2.0" },
    });
    expect(ofKind(main, "notification")).toEqual([
      {
        kind: "notification",
        title: "Echotop",
        body: "Echotop 0.2.0 is ready; it will be installed when you quit.",
      },
    ]);
    expect(readFileSync(appImage, "utf8")).toBe(oldImage);
    main.ask({ kind: "close-window" });
    expect(await main.ended).toBe(0);
    expect(readFileSync(appImage, "utf8")).toBe(newImage);
  });

  test("a server with a certificate that the system trusts works over TLS", async () => {
    const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
      extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
    });
    const secure = await openReleaseSite({ tls: { key, cert }, key: releaseKey });
    try {
      secure.publish({ version: "0.2.0", files: { [image]: Buffer.from(newImage) } });
      writeFileSync(join(folder, "authority.pem"), cert);
      vi.stubEnv("NODE_EXTRA_CA_CERTS", join(folder, "authority.pem"));
      choose({ mode: "install", address: secure.url });
      const { main } = await start();
      expect(await check(main)).toBe("Echotop 0.2.0 is ready; it will be installed when you quit.");
      expect(secure.asked).toEqual(["latest-linux.yml", "latest-linux.yml.sig", image]);
    } finally {
      await secure.close();
    }
  });

  test("in mode notify a person is told, and only what the person asks for is loaded", async () => {
    choose({ mode: "notify", address: site.url });
    vi.stubEnv("ECHOTOP_TEST_BUTTON", "1");
    const { main, origin } = await start();
    expect(await check(main)).toBe("Echotop 0.2.0 is available.");
    const available = { step: "available", version: "0.2.0", canInstall: true };
    expect(await invoke(main, origin, "updates.read", {})).toEqual({ ok: available });
    expect(site.asked).not.toContain(image);
    const ready = { ok: { step: "ready", version: "0.2.0" } };
    expect(await invoke(main, origin, "updates.install", {})).toEqual(ready);
    main.ask({ kind: "close-window" });
    expect(await main.ended).toBe(0);
    expect(readFileSync(appImage, "utf8")).toBe(newImage);
  });

  test("off is the default: nobody is asked, and a quit installs nothing", async () => {
    const { main, origin } = await start();
    expect(await invoke(main, origin, "updates.read", {})).toEqual({ ok: { step: "unknown" } });
    expect(await check(main)).toBe(
      "No update address is set; write it into desktop.json in the data folder.",
    );
    expect(site.asked).toEqual([]);
    main.ask({ kind: "close-window" });
    expect(await main.ended).toBe(0);
    expect(readFileSync(appImage, "utf8")).toBe(oldImage);
  });

  test("turning updates off forgets the one that is ready", async () => {
    choose({ mode: "install", address: site.url });
    const { main } = await start();
    await check(main);
    main.ask({ kind: "menu", label: "&Off" });
    await expect
      .poll(() => readFileSync(join(dataDirectory, "desktop.json"), "utf8"))
      .toMatch(/"mode": "off"/);
    main.ask({ kind: "close-window" });
    expect(await main.ended).toBe(0);
    expect(readFileSync(appImage, "utf8")).toBe(oldImage);
  });

  test("a wrong hash is said in one sentence, and a quit installs nothing", async () => {
    choose({ mode: "install", address: site.url });
    site.files.set(image, Buffer.from("#!/bin/sh\necho evil!\n"));
    const { main } = await start();
    expect(await check(main)).toBe("The downloaded update is damaged or was changed; it was discarded.");
    main.ask({ kind: "close-window" });
    expect(await main.ended).toBe(0);
    expect(readFileSync(appImage, "utf8")).toBe(oldImage);
  });

  test.skip("Electron's network layer refuses redirects and bad certificates (needs Electron)");
});

describe("notifications", { timeout: 90_000 }, () => {
  const message = { title: "Loop saved", body: "32 revisions" };

  test("are shown in the background only, held in a briefing, and switched off in the menu", async () => {
    const { main, origin } = await start();
    const show = (): Promise<unknown> => invoke(main, origin, "notifications.show", message);
    expect(await show()).toEqual({ ok: { shown: false } });
    main.ask({ kind: "blur-window" });
    expect(await show()).toEqual({ ok: { shown: true } });
    await invoke(main, origin, "notifications.hold", { on: true });
    expect(await show()).toEqual({ ok: { shown: false } });
    await invoke(main, origin, "notifications.hold", { on: false });
    main.ask({ kind: "menu", label: "&Notifications" });
    expect(await show()).toEqual({ ok: { shown: false } });
    expect(ofKind(main, "notification")).toEqual([{ kind: "notification", ...message }]);
  });
});

describe("the log and diagnostics", { timeout: 90_000 }, () => {
  test("the menu opens the log folder, which has what the application reported", async () => {
    const { main, origin } = await start();
    expect(await invoke(main, "https://example.com", "app.info", {})).toMatchObject({ problem: {} });
    main.ask({ kind: "menu", label: "Open the &log folder" });
    const logs = join(dataDirectory, "logs");
    await expect
      .poll(() => ofKind(main, "called").map(({ what }) => what))
      .toContain(`shell.openPath ${logs}`);
    const lines = readFileSync(join(logs, "echotop.log"), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({ level: "warn", message: "A call over the desktop bridge was refused." }),
    );
    expect(origin).toContain("127.0.0.1");
  });

  test("diagnostics have versions and counts, but no path, address or name of this computer", async () => {
    const { main, origin } = await start();
    await invoke(main, "https://secret-host.example", "app.info", {});
    main.ask({ kind: "open-file", path: join(folder, "private notes.grib2") });
    await takeOpened(main, origin);
    main.ask({ kind: "menu", label: "Copy &diagnostics" });
    const [copied] = await waitFor(main, "clipboard");
    const text = copied!.text;
    expect(await waitFor(main, "message-box")).toMatchObject([
      { message: "The diagnostics were copied. Paste them into your report." },
    ]);
    expect(text).toContain("Echotop: 0.1.0");
    expect(text).toContain("webgl: enabled");
    expect(text).toMatch(/events: \d+/);
    expect(text).toContain("A call over the desktop bridge was refused. action=");
    for (const secret of [folder, "private", "secret-host", "127.0.0.1", new URL(origin).port, "/"]) {
      expect(text).not.toContain(secret);
    }
    for (const name of [hostname(), userInfo().username]) expect(text).not.toContain(name);
  });
});
