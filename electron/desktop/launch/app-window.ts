// An application window of an installed Chrome, Chromium or Edge, without tabs or address bar, with its own profile.
// Closing it ends the app.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { connectDevtools, type DevtoolsPipe } from "./devtools-pipe.ts";
import type { InstalledBrowser } from "./installed-browsers.ts";

/** `handed-over`: a browser already running with this profile opened the window. */
export type WindowEnd = "closed" | "handed-over" | "failed";

export interface AppWindow {
  readonly ended: Promise<WindowEnd>;
  /** Closes the window and waits for its browser to end, at most a few seconds. */
  readonly close: () => Promise<void>;
}

export interface AppWindowOptions {
  readonly browser: InstalledBrowser;
  /** Part of the browser's argument list, which every user of the computer may read. */
  readonly url: string;
  /** Address with the token, sent over the pipe, which nobody else can read. */
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
    // It would override the position that the browser remembers.
    ...(remembersWindow(profileDirectory) ? [] : ["--window-size=1280,800"]),
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=Translate",
    // Linux: asks for no key ring; this profile has no passwords.
    "--password-store=basic",
    // Allows WebGL in software without a usable GPU. It is a risk only with untrusted pages; this profile shows only
    // ours.
    "--enable-unsafe-swiftshader",
    // The second removes a warning bar; the launcher has said the same.
    ...(isRoot ? ["--no-sandbox", "--test-type"] : []),
  ];
}

/** Returns true if the profile has the position of a window. The browser writes it when a window closes. */
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
      // macOS keeps a browser without windows running.
      if (hasShown && pageCount === 0) pipe.closeBrowser();
    },
  });
  const ended = exited.then((status): WindowEnd => {
    if (hasShown) return "closed";
    return status === 0 ? "handed-over" : "failed";
  });
  return { ended, close: () => closeBrowser(child, pipe, exited) };
}

/** Asks the browser to close, then signals it, then kills it. */
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
