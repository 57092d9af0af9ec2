// An application window of an installed Chrome, Chromium or Edge: no tabs, no address bar, a profile of its own. The
// window's end is the end of the app.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { connectDevtools, type DevtoolsPipe } from "./devtools-pipe.ts";
import type { InstalledBrowser } from "./installed-browsers.ts";

/** `handed-over`: the browser was running already with this profile and took the window. */
export type WindowEnd = "closed" | "handed-over" | "failed";

export interface AppWindow {
  readonly ended: Promise<WindowEnd>;
  /** Closes the window and waits for its browser to end, at most a few seconds. */
  readonly close: () => Promise<void>;
}

export interface AppWindowOptions {
  readonly browser: InstalledBrowser;
  /** Stands in the browser's argument list, where every user of the machine may read it. */
  readonly url: string;
  /** Where the page is taken once its window is there, over the pipe that nobody else can read. */
  readonly privateUrl?: string;
  readonly profileDirectory: string;
  readonly isRoot: boolean;
}

const politeLimitMs = 3_000;
const firmLimitMs = 2_000;

export function toBrowserArguments({
  url,
  profileDirectory,
  isRoot,
}: Omit<AppWindowOptions, "browser" | "privateUrl">): string[] {
  return [
    `--app=${url}`,
    `--user-data-dir=${profileDirectory}`,
    // It would overrule the place that the browser remembers.
    ...(remembersWindow(profileDirectory) ? [] : ["--window-size=1280,800"]),
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=Translate",
    // On Linux, no question about a key ring for passwords that this profile never has.
    "--password-store=basic",
    // Without a usable GPU Chromium draws WebGL in software only when told so: a risk with pages of strangers, and this
    // profile sees our own page alone.
    "--enable-unsafe-swiftshader",
    // The second keeps a bar over the page from saying what the launcher has said already.
    ...(isRoot ? ["--no-sandbox", "--test-type"] : []),
  ];
}

/** Whether the profile knows where an application window was. The browser writes that when a window closes. */
function remembersWindow(profileDirectory: string): boolean {
  const preferences = join(profileDirectory, "Default", "Preferences");
  return existsSync(preferences) && readFileSync(preferences, "utf8").includes('"app_window_placement"');
}

export function openAppWindow(options: AppWindowOptions): AppWindow {
  const args = toBrowserArguments(options);
  mkdirSync(options.profileDirectory, { recursive: true });
  const child = spawn(options.browser.executablePath, args, {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const { promise: exited, resolve: sayExited } = Promise.withResolvers<number | null>();
  child.on("error", () => {
    sayExited(1);
  });
  child.on("exit", sayExited);
  let hasShown = false;
  const pipe = connectDevtools({
    toBrowser: child.stdio[3] as Writable,
    fromBrowser: child.stdio[4] as Readable,
    goTo: options.privateUrl,
    onPageCount: (pageCount) => {
      hasShown ||= pageCount > 0;
      // macOS keeps a browser without windows; elsewhere this only says earlier what is about to happen.
      if (hasShown && pageCount === 0) pipe.closeBrowser();
    },
  });
  const ended = exited.then((status): WindowEnd => {
    if (hasShown) return "closed";
    return status === 0 ? "handed-over" : "failed";
  });
  return { ended, close: () => closeBrowser(child, pipe, exited) };
}

/** Asks, waits, insists, waits, ends. */
async function closeBrowser(
  child: ChildProcess,
  pipe: DevtoolsPipe,
  exited: Promise<unknown>,
): Promise<void> {
  pipe.closeBrowser();
  if (await endsWithin(exited, politeLimitMs)) return;
  child.kill("SIGTERM");
  if (await endsWithin(exited, firmLimitMs)) return;
  child.kill("SIGKILL");
  await exited;
}

async function endsWithin(exited: Promise<unknown>, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const limit = wait(limitMs, false, { signal: timer.signal }).catch(() => false);
  const hasEnded = await Promise.race([exited.then(() => true), limit]);
  timer.abort();
  return hasEnded;
}
