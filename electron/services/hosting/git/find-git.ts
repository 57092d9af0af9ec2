// Finds the machine's own Git, on PATH or where the configuration says, and checks its version. Otherwise one sentence
// for a person says what is missing and how to install it.
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";

/** Path (absolute) and version (`2.39.5`), or one sentence that says what is missing and how to install it. */
export type GitAvailability =
  | { readonly git: { readonly path: string; readonly version: string } }
  | { readonly missing: string };

/** The oldest version that can ignore the system's and the user's configuration (`GIT_CONFIG_GLOBAL`). */
export const oldestGit = { major: 2, minor: 32 } as const;

export interface FindGitOptions {
  /** `auto` searches PATH; anything else is the path of the executable. */
  readonly configured: string;
  /** Environment of this process; only `PATH` and variables that programs need to start are used. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Never throws: any problem becomes the sentence in `missing`. */
export async function findGit(options: FindGitOptions): Promise<GitAvailability> {
  const { configured, platform } = options;
  if (configured !== "auto") {
    const found = await checkVersion(configured, options);
    return typeof found === "string"
      ? { missing: `${found} (repositories.git names it); ${remedy(platform)}` }
      : found;
  }
  let reason = `Hosting repositories needs Git ${oldestGit.major}.${oldestGit.minor} or newer, and there is none on this machine's PATH`;
  for (const path of candidates(options)) {
    if (!(await isExecutable(path))) continue;
    if (platform === "darwin" && path === "/usr/bin/git" && !(await hasDeveloperTools())) continue;
    const found = await checkVersion(path, options);
    if (typeof found !== "string") return found;
    reason = found;
  }
  return { missing: `${reason}; ${remedy(platform)}` };
}

/** Parses `git version 2.39.5 (Apple Git-154)`; returns undefined for other text. */
export function parseGitVersion(
  text: string,
): { readonly major: number; readonly minor: number; readonly version: string } | undefined {
  const match = /^git version (\d{1,4})\.(\d{1,4})((?:\.\d{1,6})*)/.exec(text);
  if (match === null) return undefined;
  const [, major, minor, rest] = match;
  return { major: Number(major), minor: Number(minor), version: `${major!}.${minor!}${rest!}` };
}

/** Uses only absolute entries of PATH: empty or relative ones depend on the working directory. */
function candidates({ environment, platform }: FindGitOptions): readonly string[] {
  const paths = platform === "win32" ? win32 : posix;
  const path = environment.PATH ?? environment.Path ?? "";
  const folders = path.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
  return [...new Set(folders)].map((folder) => paths.join(folder, platform === "win32" ? "git.exe" : "git"));
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false; // missing or not accessible: the next folder may have one
  }
}

/** Without them, `/usr/bin/git` on macOS is a shim that opens a dialog instead of answering. */
function hasDeveloperTools(): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("/usr/bin/xcode-select", ["-p"], { timeout: 5000 }, (error) => {
      resolve(error === null);
    });
  });
}

/** Returns the Git at `path`, or the beginning of a sentence that says what is wrong with it. */
async function checkVersion(path: string, options: FindGitOptions): Promise<GitAvailability | string> {
  const paths = options.platform === "win32" ? win32 : posix;
  if (!paths.isAbsolute(path)) return "The Git that the configuration names is not given by an absolute path";
  const text = await askVersion(path, options.environment);
  const parsed = text === undefined ? undefined : parseGitVersion(text);
  if (parsed === undefined) return "The Git that was found does not run";
  const { major, minor, version } = parsed;
  if (major > oldestGit.major || (major === oldestGit.major && minor >= oldestGit.minor)) {
    return { git: { path, version } };
  }
  return `Git ${version} is too old to host repositories, which needs ${oldestGit.major}.${oldestGit.minor} or newer`;
}

function askVersion(path: string, environment: FindGitOptions["environment"]): Promise<string | undefined> {
  const kept = ["PATH", "Path", "SystemRoot", "DEVELOPER_DIR"].flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]] as const],
  );
  const env: NodeJS.ProcessEnv = { ...Object.fromEntries(kept), LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" };
  return new Promise((resolve) => {
    execFile(
      path,
      ["version"],
      { env, timeout: 10_000, maxBuffer: 4096, windowsHide: true },
      (error, out) => {
        resolve(error === null ? out : undefined);
      },
    );
  });
}

function remedy(platform: NodeJS.Platform): string {
  const how: Partial<Record<NodeJS.Platform, string>> = {
    win32: "install Git for Windows (`winget install --id Git.Git`)",
    darwin: "install it with `xcode-select --install` or `brew install git`",
    linux: "install it with `sudo apt install git`, `sudo dnf install git` or your system's own tool",
  };
  return `${how[platform] ?? "install the git package of your system"} and start Echotop again.`;
}
