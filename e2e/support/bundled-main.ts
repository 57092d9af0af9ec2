// Runs the packaged main process in plain Node, with a stand-in for Electron.
import { type ChildProcess, fork } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isPackaged } from "../../electron/build/packaged-files.ts";
import type { FromMain, ToMain } from "./pretend-electron-messages.ts";

const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
const standIn = pathToFileURL(join(projectRoot, "e2e", "support", "use-pretend-electron.ts")).href;

/** Copies the files that would be packaged to a folder; no other `node_modules` is reachable from there. */
export function copyPackagedFiles(target: string): void {
  for (const source of ["package.json", ".vite", "node_modules"]) {
    mkdirSync(dirname(join(target, source)), { recursive: true });
    cpSync(join(projectRoot, source), join(target, source), {
      recursive: true,
      filter: (path) => isPackaged(`/${relative(projectRoot, path).split(sep).join("/")}`),
    });
  }
}

export interface BundledMain {
  readonly process: ChildProcess;
  /** All messages received from the stand-in. */
  readonly told: readonly FromMain[];
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly ask: (message: ToMain) => void;
}

export function startBundledMain(
  appFolder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): BundledMain {
  const main = join(appFolder, ".vite", "build", "main.cjs");
  // Electron's second argument in a checkout is the application's folder.
  const child = fork(main, [appFolder, ...args], {
    cwd: appFolder,
    execArgv: ["--import", standIn],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, ...env },
  });
  const told: FromMain[] = [];
  child.on("message", (message) => told.push(message as FromMain));
  const collect = (stream: NodeJS.ReadableStream | null): (() => string) => {
    let text = "";
    stream?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    return () => text;
  };
  const { promise: ended, resolve } = Promise.withResolvers<number | NodeJS.Signals | null>();
  child.on("close", (status, signal) => {
    resolve(status ?? signal);
  });
  return {
    process: child,
    told,
    stdout: collect(child.stdout),
    stderr: collect(child.stderr),
    ended,
    ask: (message) => child.send(message),
  };
}
