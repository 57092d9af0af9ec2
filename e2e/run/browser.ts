// Finds the browser for the tests: the one that ECHOTOP_BROWSER names, Playwright's own, an installed one, or one that
// it installs. Accepts a browser only if it starts, since a downloaded one may lack system libraries.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import {
  findInstalledBrowser,
  thisMachine,
  type InstalledBrowser,
} from "../../electron/desktop/launch/installed-browsers.ts";
import { projectRoot } from "./steps.ts";

export interface FoundBrowser {
  readonly executablePath: string;
  /** Origin of the browser in a few words, for the log. */
  readonly source: string;
}

/** Facts about the machine that the search needs. */
export interface BrowserSearch {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of Playwright's own browser, installed or not. */
  readonly playwrightPath: string;
  readonly findInstalled: () => InstalledBrowser | undefined;
  readonly exists: (path: string) => boolean;
  /** Runs a command for at most `limitMs`; resolves with true if it exits with status 0. */
  readonly succeeds: (command: readonly [string, ...string[]], limitMs: number) => Promise<boolean>;
  /** True if the system is Debian or a derivative and this process may install packages. */
  readonly mayUseApt: boolean;
  readonly say: (text: string) => void;
}

/** Debian's Chromium without windows, which takes a tenth less processor time. */
const headlessShell = "/usr/bin/chromium-headless-shell";

const startLimitMs = 20_000;
const downloadLimitMs = 180_000;
const aptLimitMs = 420_000;

/** Finds a browser or installs one; throws an Error that says what to do if it can do neither. */
export async function findBrowser(search: BrowserSearch = searchThisMachine()): Promise<FoundBrowser> {
  const named = search.env.ECHOTOP_BROWSER;
  if (named !== undefined && named !== "") return useNamed(named, search);
  return (
    (await usePlaywright("Playwright's own", search)) ??
    (await useInstalled("installed", search)) ??
    (await installPlaywright(search)) ??
    (await installWithApt(search)) ??
    sayNone()
  );
}

async function useNamed(executablePath: string, search: BrowserSearch): Promise<FoundBrowser> {
  if (await starts(executablePath, search)) return { executablePath, source: "named by ECHOTOP_BROWSER" };
  throw new Error(`ECHOTOP_BROWSER names ${executablePath}, which does not start as a browser.`);
}

async function usePlaywright(source: string, search: BrowserSearch): Promise<FoundBrowser | undefined> {
  const executablePath = search.playwrightPath;
  return (await starts(executablePath, search)) ? { executablePath, source } : undefined;
}

async function useInstalled(how: string, search: BrowserSearch): Promise<FoundBrowser | undefined> {
  const found = search.findInstalled();
  if (found === undefined || !(await starts(found.executablePath, search))) return undefined;
  return { executablePath: found.executablePath, source: `${found.name}, ${how}` };
}

async function installPlaywright(search: BrowserSearch): Promise<FoundBrowser | undefined> {
  search.say("No browser is installed; downloading Playwright's own.");
  const cli = join(projectRoot, "node_modules", "@playwright", "test", "cli.js");
  const isDone = await search.succeeds([process.execPath, cli, "install", "chromium"], downloadLimitMs);
  if (!isDone) search.say("Playwright's browser could not be downloaded.");
  return isDone ? usePlaywright("Playwright's own, just downloaded", search) : undefined;
}

async function installWithApt(search: BrowserSearch): Promise<FoundBrowser | undefined> {
  if (!search.mayUseApt) return undefined;
  search.say("Installing Debian's chromium package.");
  const install = (name: string): Promise<boolean> =>
    search.succeeds(["apt-get", "install", "-y", "--no-install-recommends", name], aptLimitMs);
  const isDone =
    (await search.succeeds(["apt-get", "update"], aptLimitMs)) &&
    ((await install("chromium-headless-shell")) || (await install("chromium")));
  if (!isDone) search.say("The chromium package could not be installed.");
  return isDone ? useInstalled("just installed with apt-get", search) : undefined;
}

function sayNone(): never {
  throw new Error(
    "No browser for the tests. Install Chrome, Chromium or Edge, or set ECHOTOP_BROWSER to the path of one.",
  );
}

/** Returns true if the browser starts. On Windows, `--version` opens a window, so there the file only has to exist. */
async function starts(executablePath: string, search: BrowserSearch): Promise<boolean> {
  if (!search.exists(executablePath)) return false;
  return process.platform === "win32" || search.succeeds([executablePath, "--version"], startLimitMs);
}

function searchThisMachine(): BrowserSearch {
  return {
    env: process.env,
    playwrightPath: chromium.executablePath(),
    findInstalled: () =>
      existsSync(headlessShell)
        ? { name: "Chromium", executablePath: headlessShell }
        : findInstalledBrowser(thisMachine()),
    exists: existsSync,
    succeeds,
    mayUseApt: process.getuid?.() === 0 && isDebian(),
    say: (text) => process.stderr.write(`${text}\n`),
  };
}

function isDebian(): boolean {
  const path = "/etc/os-release";
  return existsSync(path) && /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync(path, "utf8"));
}

/** Shows the output of the command only if it fails. */
async function succeeds(
  [command, ...args]: readonly [string, ...string[]],
  limitMs: number,
): Promise<boolean> {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: limitMs,
    killSignal: "SIGKILL",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.on("error", () => {
    resolve(false);
  });
  child.on("close", (status) => {
    resolve(status === 0);
  });
  const isDone = await promise;
  if (!isDone) process.stderr.write(lastLines(Buffer.concat(output).toString("utf8")));
  return isDone;
}

function lastLines(text: string): string {
  const lines = text.trimEnd().split("\n").slice(-5);
  return lines.map((line) => `  ${line}\n`).join("");
}
