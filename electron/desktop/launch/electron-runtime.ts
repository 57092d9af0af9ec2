// Finds Electron's runtime, or downloads it. The npm package contains only types and a download script, which fails
// offline: the download has a time limit, and after a failure it is not retried on the same day.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";

/** Time limit of the download of about 120 MB. */
const fetchLimitMs = 90_000;

export interface RuntimeSurroundings {
  readonly projectRoot: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type ElectronRuntime =
  | { readonly isThere: true; readonly executablePath: string }
  | { readonly isThere: false; readonly reason: string };

export interface FetchEffects {
  readonly now: () => Date;
  readonly hasNetwork: () => boolean;
  /** Runs the package's install script. Resolves with the reason of a failure. */
  readonly runInstaller: (
    scriptPath: string,
    limitMs: number,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  readonly say: (text: string) => void;
}

const executables: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "Electron.app/Contents/MacOS/Electron",
  win32: "electron.exe",
};

/** Returns the executable of an installed runtime of the pinned version; undefined if there is none. */
export function findElectron({ projectRoot, platform, env }: RuntimeSurroundings): string | undefined {
  const executable = executables[platform] ?? "electron";
  const override = overrideOf(env);
  if (override !== undefined) {
    const path = join(override, executable);
    return existsSync(path) ? path : undefined;
  }
  const folder = packageFolder(projectRoot);
  const path = join(folder, "dist", executable);
  const versionPath = join(folder, "dist", "version");
  if (!existsSync(path) || !existsSync(versionPath)) return undefined;
  const present = readFileSync(versionPath, "utf8").trim().replace(/^v/, "");
  return present === pinnedVersion(folder) ? path : undefined;
}

/** Finds the runtime, or tries once a day to download it. A failure is a result, not an error. */
export async function obtainElectron(
  surroundings: RuntimeSurroundings,
  effects: FetchEffects,
  signal: AbortSignal,
): Promise<ElectronRuntime> {
  const found = findElectron(surroundings);
  if (found !== undefined) return { isThere: true, executablePath: found };
  if (overrideOf(surroundings.env) !== undefined) {
    return { isThere: false, reason: "the folder in ELECTRON_OVERRIDE_DIST_PATH holds no runtime" };
  }
  const installer = join(packageFolder(surroundings.projectRoot), "install.js");
  if (!existsSync(installer)) return { isThere: false, reason: "its package is not installed" };
  const memoryPath = join(surroundings.projectRoot, ".vite", "electron-runtime.json");
  const today = effects.now().toISOString().slice(0, 10);
  if (loadFailure(memoryPath)?.failedOn === today) {
    return { isThere: false, reason: "its runtime could not be downloaded earlier today" };
  }
  if (!effects.hasNetwork())
    return { isThere: false, reason: "its runtime is not installed and there is no network" };
  effects.say(
    `Downloading the Electron runtime (about 120 MB; continues without it after ${fetchLimitMs / 1000} s).`,
  );
  const failure = await effects.runInstaller(installer, fetchLimitMs, signal);
  const fetched = findElectron(surroundings);
  if (fetched !== undefined) return { isThere: true, executablePath: fetched };
  if (signal.aborted) return { isThere: false, reason: "its download was interrupted" };
  rememberFailure(memoryPath, { failedOn: today, reason: failure ?? "nothing arrived" });
  return { isThere: false, reason: "its runtime could not be downloaded" };
}

/** Returns Electron's variable for a runtime in another folder; if it is set, nothing is downloaded. */
function overrideOf(env: RuntimeSurroundings["env"]): string | undefined {
  const path = env.ELECTRON_OVERRIDE_DIST_PATH;
  return path === "" ? undefined : path;
}

function packageFolder(projectRoot: string): string {
  return join(projectRoot, "node_modules", "electron");
}

function pinnedVersion(folder: string): string {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** `failedOn` is a UTC day, `YYYY-MM-DD`. */
const Failure = z.object({ failedOn: z.iso.date(), reason: z.string() });
type Failure = z.infer<typeof Failure>;

function loadFailure(path: string): Failure | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return Failure.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function rememberFailure(path: string, failure: Failure): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(failure)}\n`);
}

export function createFetchEffects(say: (text: string) => void): FetchEffects {
  return {
    now: () => new Date(),
    hasNetwork: () =>
      Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal)),
    runInstaller,
    say,
  };
}

/** Runs the script with our Node, without output, and kills it at the time limit. */
async function runInstaller(
  scriptPath: string,
  limitMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const child = spawn(process.execPath, [scriptPath], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: limitMs,
    killSignal: "SIGKILL",
    signal,
  });
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.on("error", (error) => {
    resolve(error.message);
  });
  child.on("close", (status) => {
    const [firstLine = ""] = Buffer.concat(errors).toString("utf8").split("\n");
    if (status === 0) resolve(undefined);
    else resolve(status === null ? `not finished after ${limitMs / 1000} s` : firstLine);
  });
  return promise;
}
