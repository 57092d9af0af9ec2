// Whether Electron's runtime is really there. The npm package holds only its types and a script that fetches the runtime
// on first use, which fails offline; so the runtime is looked for as a file, fetched once within a time limit, and a
// failure is remembered for the day.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";

/** About as long as a person waits for a first start; the runtime is some 120 MB. */
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
  /** Runs the package's own install script. Resolves with what kept the runtime from arriving, if anything. */
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

/** The executable of a runtime that is there and has the version that the project pins; undefined otherwise. */
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

/** Finds the runtime, or tries once a day to fetch it. Never throws for a runtime that cannot be had. */
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
    return { isThere: false, reason: "its runtime is not here and there is no network" };
  effects.say(
    `Fetching the Electron runtime, once (about 120 MB; goes on without it after ${fetchLimitMs / 1000} s).`,
  );
  const failure = await effects.runInstaller(installer, fetchLimitMs, signal);
  const fetched = findElectron(surroundings);
  if (fetched !== undefined) return { isThere: true, executablePath: fetched };
  if (signal.aborted) return { isThere: false, reason: "its download was interrupted" };
  rememberFailure(memoryPath, { failedOn: today, reason: failure ?? "nothing arrived" });
  return { isThere: false, reason: "its runtime could not be downloaded" };
}

/** Electron's own variable for a runtime that is kept elsewhere; who sets it wants none fetched. */
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

/** A day is a UTC day, as `YYYY-MM-DD`. */
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

/** The script is run by our own Node and killed at the limit; what it prints is kept from the terminal. */
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
    else resolve(status === null ? `not done after ${limitMs / 1000} s` : firstLine);
  });
  return promise;
}
