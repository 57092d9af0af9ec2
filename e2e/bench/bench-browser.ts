// The browser of the benchmarks: one that is installed. A benchmark installs none.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "@playwright/test";
import { findInstalledBrowser, thisMachine } from "../../electron/desktop/launch/installed-browsers.ts";

/** Returns the path of a browser; undefined if none is installed. */
export function findBrowser(): string | undefined {
  const named = process.env.ECHOTOP_BROWSER;
  if (named !== undefined && named !== "") return named;
  const own = chromium.executablePath();
  return existsSync(own) ? own : findInstalledBrowser(thisMachine())?.executablePath;
}

/** Starts the browser without a window, and without network traffic of its own. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const quiet = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ];
  return chromium.launch({ executablePath, args: [...asRoot, ...quiet] });
}
